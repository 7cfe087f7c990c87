// Writes and reads TRON with the published package. Each line of standard input is a request
// {"encode": JSON text} or {"decode": TRON text}; each line of standard output the answer
// {"ok": text} or {"error": message}, in the same order.
import { createInterface } from "node:readline";
import { TRON } from "@tron-format/tron";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const request = JSON.parse(line);
    if ("encode" in request) answer = { ok: TRON.stringify(JSON.parse(request.encode)) };
    else answer = { ok: JSON.stringify(TRON.parse(request.decode)) };
  } catch (e) {
    answer = { error: String(e?.message ?? e).toWellFormed() };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
