// Runs agents against a model that is this program: its first answer calls the shell, and
// the second request shows what the agent has sent of the result. It is called twice:
// plainly, and with the hook of wirekit where the agent has one that may replace a result,
// else with wirekit exec before the command. Afterwards wirekit audit reads what the agent
// has noted. Arguments: the command wirekit, and the folder with the agents' packages.
import { spawn, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [wirekit, packages] = process.argv.slice(2);
const rows = JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `row number ${id}`, url: `https://example.org/${id}` })));

let results = [];
let command;

// A protocol is the paths it is for, the texts of results in a request, and an answer: a
// call of the shell, or a text.
const protocols = [
  {
    path: /\/messages/, // Anthropic's Messages
    results: (request) =>
      request.messages
        .flatMap((m) => (Array.isArray(m.content) ? m.content : []))
        .filter((block) => block.type === "tool_result")
        .map((block) => (typeof block.content === "string" ? block.content : block.content.map((part) => part.text).join(""))),
    answer(request, called) {
      const shell = (request.tools ?? []).find((tool) => /^bash$/i.test(tool.name));
      const calls = shell && !called;
      const block = calls ? { type: "tool_use", id: "toolu_1", name: shell.name, input: {} } : { type: "text", text: "" };
      const input = JSON.stringify({ command, description: "Fetch the rows" });
      const delta = calls ? { type: "input_json_delta", partial_json: input } : { type: "text_delta", text: "done" };
      const message = { id: "msg_1", type: "message", role: "assistant", model: request.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
      const stop = calls ? "tool_use" : "end_turn";
      if (!request.stream) {
        const content = calls ? { ...block, input: JSON.parse(input) } : { type: "text", text: "done" };
        return { ...message, content: [content], stop_reason: stop };
      }
      return [
        { type: "message_start", message },
        { type: "content_block_start", index: 0, content_block: block },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
        { type: "message_stop" },
      ];
    },
  },
  {
    path: /\/responses/, // OpenAI's Responses
    results: (request) => request.input.filter((item) => item.type === "function_call_output").map((item) => item.output),
    answer(request, called) {
      const text = { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "done" }] };
      const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "exec_command", arguments: JSON.stringify({ cmd: command }) };
      return [
        { type: "response.created", response: { id: "resp_1" } },
        { type: "response.output_item.done", output_index: 0, item: called ? text : call },
        { type: "response.completed", response: { id: "resp_1", usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } } },
      ];
    },
  },
  {
    path: /enerateContent/, // Gemini's
    results: (request) => request.contents.flatMap((c) => c.parts ?? []).flatMap((part) => part.functionResponse?.response.output ?? []),
    answer(request, called) {
      const part = called ? { text: "done" } : { functionCall: { name: "run_shell_command", args: { command, description: "Fetch the rows" } } };
      return [{ candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }], usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 } }];
    },
  },
];

const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.url === "/rows") return response.end(rows);
  const protocol = protocols.find((p) => p.path.test(request.url));
  if (!protocol) return response.writeHead(404).end("{}");
  if (request.url.includes("count_tokens")) return response.end('{"input_tokens":1}');
  const asked = JSON.parse(body);
  const sent = protocol.results(asked);
  results.push(...sent);
  const answer = protocol.answer(asked, sent.length > 0);
  response.setHeader("Content-Type", Array.isArray(answer) ? "text/event-stream" : "application/json");
  if (!Array.isArray(answer)) return response.end(JSON.stringify(answer));
  response.end(answer.map((event) => (event.type ? `event: ${event.type}\n` : "") + `data: ${JSON.stringify(event)}\n\n`).join(""));
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
    hooked: true,
    notes: ".claude/projects",
    program: join(packages, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    args: ["-p", "Fetch the rows.", "--allowedTools", "Bash"],
    env: { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: "none", CLAUDE_CONFIG_DIR: join(home, ".claude"), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  }),
  opencode: (home) => {
    mkdirSync(join(home, ".config/opencode"), { recursive: true });
    const provider = { anthropic: { options: { baseURL: `${base}/v1`, apiKey: "none" } } };
    writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider, permission: "allow", autoupdate: false, share: "disabled" }));
    const program = join(packages, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`);
    return {
      hooked: true,
      notes: "exports",
      // Its notes are in a database.
      export(env) {
        const say = (...args) => execFileSync(program, args, { cwd: home, env, stdio: ["ignore", "pipe", "ignore"] });
        mkdirSync(join(home, "exports"));
        for (const { id } of JSON.parse(say("session", "list", "--format", "json"))) writeFileSync(join(home, "exports", `${id}.json`), say("export", id));
      },
      program,
      args: ["run", "--model", "anthropic/claude-sonnet-4-5", "Fetch the rows."],
      env: { OPENCODE_DISABLE_MODELS_FETCH: "1", XDG_CONFIG_HOME: join(home, ".config") },
    };
  },
  codex: () => ({
    notes: ".codex/sessions",
    program: join(packages, "node_modules/.bin/codex"),
    args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5", "-c", "model_provider=local",
      "-c", `model_providers.local={name="local",base_url="${base}/v1",wire_api="responses",env_key="LOCAL_KEY"}`, "Fetch the rows."],
    env: { LOCAL_KEY: "none" },
  }),
  gemini: (home) => {
    mkdirSync(join(home, ".gemini"), { recursive: true });
    writeFileSync(join(home, ".gemini/settings.json"), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
    return {
      notes: ".gemini/tmp",
      program: join(packages, "node_modules/.bin/gemini"),
      args: ["--skip-trust", "-y", "-m", "gemini-2.5-pro", "-p", "Fetch the rows."],
      env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: base },
    };
  },
};

// Codex and Gemini CLI say more than what a command has printed.
const printed = (text) => (/Output:\s([^]*?)(\n(Process Group PGID|<\/untrusted_context>)|$)/.exec(text)?.[1] ?? text).trim();

// audited returns how many results wirekit audit finds in what an agent has noted.
const audited = (env, notes) => {
  const report = JSON.parse(execFileSync(wirekit, ["audit", "--json", join(env.HOME, notes)], { env, stdio: ["ignore", "pipe", "ignore"] }));
  return report.total.results;
};

let failed = false;
for (const [name, setUp] of Object.entries(agents)) {
  const home = mkdtempSync(join(tmpdir(), "agents-"));
  const agent = setUp(home);
  const env = { PATH: process.env.PATH, HOME: home, ...agent.env };
  const seen = [];
  for (const hooked of [false, true]) {
    if (hooked && agent.hooked) execFileSync(wirekit, ["hook", "install", name], { env, stdio: "ignore" });
    command = `${hooked && !agent.hooked ? `${wirekit} exec -- ` : ""}curl -s ${base}/rows`;
    results = [];
    const [code, said] = await run(agent.program, agent.args, { cwd: home, env });
    if (code !== 0 || results.length === 0) {
      console.log(`${name}: did not run: exit code ${code}\n${said.slice(-2000)}`);
      break;
    }
    seen.push(printed(results[0]));
  }
  agent.export?.(env);
  const noted = seen.length === 2 ? audited(env, agent.notes) : 0;
  rmSync(home, { recursive: true, force: true });
  const [plain, hooked] = seen;
  // Claude Code leaves out the last line end.
  const same = hooked && execFileSync(wirekit, ["convert", "-t", "json"], { input: hooked.trim() + "\n" }).toString().trim() === rows;
  failed ||= !same || plain !== rows || hooked.length >= plain.length || noted !== 2;
  console.log(`${name}: ${seen.map((text) => `${text.length} bytes, ${JSON.stringify(text.slice(0, 40))}`).join(" -> ")}${same ? ", the same rows" : ""}; results that audit finds: ${noted}`);
}
server.close();
process.exit(failed ? 1 : 0);
