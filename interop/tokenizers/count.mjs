// Counts the tokens of texts with a package of npm, which its first argument names. Standard
// input is a text as JSON on each line; standard output the number of its tokens.
import { readFileSync } from "node:fs";

const { fromPreTrained } = await import(process.argv[2]);
const tokenizer = fromPreTrained();
const counts = [];
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line !== "") counts.push(tokenizer._encode_text(JSON.parse(line)).length);
}
process.stdout.write(counts.join("\n") + "\n");
