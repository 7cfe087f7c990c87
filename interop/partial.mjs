// Reads JSON that is cut off or has mistakes with the published packages. Each line of
// standard input is a request {"text": …}; each line of standard output the answer, the
// JSON of what each package makes of it, null where that is an error, in their order.
import { readFileSync } from "node:fs";
import { parse as bestEffort, setErrorLogger } from "best-effort-json-parser";
import { jsonrepair } from "jsonrepair";
import { parse as partial } from "partial-json";

setErrorLogger?.(() => {});
const packages = [(text) => partial(text), (text) => JSON.parse(jsonrepair(text)), (text) => bestEffort(text)];
const answers = [];
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const { text } = JSON.parse(line);
  const read = packages.map((parse) => {
    try {
      return JSON.stringify(parse(text)) ?? null;
    } catch {
      return null;
    }
  });
  answers.push(JSON.stringify({ read }).toWellFormed() + "\n");
}
process.stdout.write(answers.join(""));
