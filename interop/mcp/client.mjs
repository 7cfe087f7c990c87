// Calls tools of an MCP server with the published client: the server's command
// is in the arguments, the calls are a JSON array on standard input. Prints the
// names of the tools and the results, in their order, as JSON.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(0, "utf8"));
const client = new Client({ name: "wirekit-interop", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));
const { tools } = await client.listTools();
const results = [];
for (const call of calls) {
  try {
    results.push(await client.callTool(call));
  } catch (e) {
    results.push({ thrown: String(e) });
  }
}
await client.close();
console.log(JSON.stringify({ list: tools, tools: tools.map((t) => t.name), schemas: tools.filter((t) => t.outputSchema).length, results }));
