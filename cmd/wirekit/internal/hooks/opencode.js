// Written by wirekit hook install opencode. "wirekit hook uninstall opencode" removes it.
import { spawn } from "node:child_process";

const program = PROGRAM;
const args = ARGS;

// ask returns what the hook answers, or undefined in doubt.
const ask = (event) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], timeout: 30000 });
    const parts = [];
    child.on("error", () => resolve(undefined));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (part) => parts.push(part));
    child.on("close", () => {
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString()).output);
      } catch {
        resolve(undefined);
      }
    });
    child.stdin.end(JSON.stringify(event));
  });

export const Wirekit = async () => ({
  "tool.execute.after": async (input, output) => {
    const member = Array.isArray(output?.content) ? "content" : "output";
    const answer = await ask({ tool: input.tool, args: input.args ?? {}, output: output?.[member] ?? null });
    if (answer !== undefined) output[member] = answer;
  },
});
