// Encodes and decodes GCF documents with the published package. Each line of
// standard input is a request {"encode": JSON text} or {"decode": GCF text};
// each line of standard output the answer {"ok": text} or {"error": message},
// in the same order.
import { createInterface } from "node:readline";
import { decodeGeneric, encodeGeneric, parseJSONOrdered } from "@blackwell-systems/gcf";

function plain(value) {
  if (typeof value === "bigint") return { $integer: value.toString() };
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === "object") {
    const out = Object.create(null);
    for (const [k, v] of Object.entries(value)) {
      Object.defineProperty(out, k, { value: plain(v), enumerable: true, configurable: true, writable: true });
    }
    return out;
  }
  return value;
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const request = JSON.parse(line);
    if ("encode" in request) answer = { ok: encodeGeneric(parseJSONOrdered(request.encode)) };
    else answer = { ok: JSON.stringify(plain(decodeGeneric(request.decode))) };
  } catch (e) {
    answer = { error: String(e?.message ?? e) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
