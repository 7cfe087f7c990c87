// Runs agents with the hook of wirekit against a model that is this program: its first
// answer calls the shell, and its second request shows what the agent has sent of the
// result. Arguments: the command wirekit, and the folder with the agents' packages.
import { spawn, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [wirekit, packages] = process.argv.slice(2);
const rows = JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `row number ${id}`, url: `https://example.org/${id}` })));

let results = [];

// resultsIn returns the texts of the results in a request of Anthropic's Messages.
const resultsIn = (request) =>
  request.messages
    .flatMap((m) => (Array.isArray(m.content) ? m.content : []))
    .filter((block) => block.type === "tool_result")
    .map((block) => (typeof block.content === "string" ? block.content : block.content.map((part) => part.text).join("")));

// events writes an answer as a stream: a call of the shell, or a text.
function events(request, command) {
  const shell = (request.tools ?? []).find((tool) => /^bash$/i.test(tool.name));
  const calls = shell && resultsIn(request).length === 0;
  const block = calls ? { type: "tool_use", id: "toolu_1", name: shell.name, input: {} } : { type: "text", text: "" };
  const input = JSON.stringify({ command, description: "Fetch the rows" });
  const delta = calls ? { type: "input_json_delta", partial_json: input } : { type: "text_delta", text: "done" };
  const message = { id: "msg_1", type: "message", role: "assistant", model: request.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  const stop = calls ? "tool_use" : "end_turn";
  if (!request.stream) {
    const content = calls ? { ...block, input: JSON.parse(input) } : { type: "text", text: "done" };
    return JSON.stringify({ ...message, content: [content], stop_reason: stop });
  }
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.url === "/rows") return response.end(rows);
  if (!request.url.includes("/messages")) return response.writeHead(404).end("{}");
  if (request.url.includes("count_tokens")) return response.end('{"input_tokens":1}');
  const asked = JSON.parse(body);
  results.push(...resultsIn(asked));
  response.setHeader("Content-Type", asked.stream ? "text/event-stream" : "application/json");
  response.end(events(asked, `curl -s ${base}/rows`));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const base = `http://127.0.0.1:${server.address().port}`;

// run runs an agent and returns its exit code.
const run = (program, args, options) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: 120000 });
    let said = "";
    child.stdout.on("data", (part) => (said += part));
    child.stderr.on("data", (part) => (said += part));
    child.on("error", (error) => resolve([-1, String(error)]));
    child.on("close", (code) => resolve([code, said]));
  });

const agents = {
  claude: (home) => ({
    program: join(packages, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    args: ["-p", "Fetch the rows.", "--allowedTools", "Bash"],
    env: { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: "none", CLAUDE_CONFIG_DIR: join(home, ".claude"), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  }),
  opencode: (home) => {
    mkdirSync(join(home, ".config/opencode"), { recursive: true });
    const provider = { anthropic: { options: { baseURL: `${base}/v1`, apiKey: "none" } } };
    writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider, permission: "allow", autoupdate: false, share: "disabled" }));
    return {
      program: join(packages, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
      args: ["run", "--model", "anthropic/claude-sonnet-4-5", "Fetch the rows."],
      env: { OPENCODE_DISABLE_MODELS_FETCH: "1", XDG_CONFIG_HOME: join(home, ".config") },
    };
  },
};

let failed = false;
for (const [name, setUp] of Object.entries(agents)) {
  const home = mkdtempSync(join(tmpdir(), "agents-"));
  const agent = setUp(home);
  const env = { PATH: process.env.PATH, HOME: home, ...agent.env };
  const seen = [];
  for (const hooked of [false, true]) {
    if (hooked) execFileSync(wirekit, ["hook", "install", name], { env, stdio: "ignore" });
    results = [];
    const [code, said] = await run(agent.program, agent.args, { cwd: home, env });
    if (code !== 0 || results.length === 0) {
      console.log(`${name}: did not run: exit code ${code}\n${said.slice(-2000)}`);
      break;
    }
    seen.push(results[0]);
  }
  rmSync(home, { recursive: true, force: true });
  const [plain, hooked] = seen;
  // Claude Code leaves out the last line end.
  const same = hooked && execFileSync(wirekit, ["convert", "-t", "json"], { input: hooked.trim() + "\n" }).toString().trim() === rows;
  failed ||= !same || plain.trim() !== rows || hooked.length >= plain.length;
  console.log(`${name}: ${seen.map((text) => `${text.length} bytes, ${JSON.stringify(text.slice(0, 40))}`).join(" -> ")}${same ? ", the same rows" : ""}`);
}
server.close();
process.exit(failed ? 1 : 0);
