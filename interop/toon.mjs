// Encodes and decodes TOON documents with the published package. Each line of
// standard input is a request {"encode": JSON text, "delimiter": …} or
// {"decode": TOON text, "strict": …}; each line of standard output the answer
// {"ok": text} or {"error": message}, in the same order. Lines end with LF and
// nothing else, so readline, which knows further line ends, does not serve.
import { decode, encode } from "@toon-format/toon";
import { readFileSync } from "node:fs";

const answers = [];
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  let answer;
  try {
    const request = JSON.parse(line);
    if ("encode" in request) answer = { ok: encode(JSON.parse(request.encode), { delimiter: request.delimiter }) };
    else answer = { ok: JSON.stringify(decode(request.decode, { strict: request.strict })) };
  } catch (e) {
    answer = { error: String(e?.message ?? e).toWellFormed() };
  }
  answers.push(JSON.stringify(answer) + "\n");
}
process.stdout.write(answers.join(""));
