// Talks to a model with a published SDK until it calls no more tools, and prints what it
// was told, as JSON. In the arguments are the base URL, the address of the tools' results,
// the API (chat, responses or messages) and a scenario: plain, stream, abort, image, big,
// count, or what the header X-Script says.
import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";

const [base, tools, api, scenario] = process.argv.slice(2);
const results = await (await fetch(tools + "/results")).json();
const scripted = ["429", "401", "strict", "cut", "hang"].includes(scenario);
const options = { apiKey: "key", maxRetries: 1, timeout: 20000, defaultHeaders: scripted ? { "X-Script": scenario } : {} };
const stream = ["stream", "cut", "abort"].includes(scenario);
const told = [];
const big = scenario === "big" ? JSON.stringify(Array.from({ length: 200000 }, (_, i) => ({ id: i, name: "row " + i, note: "the same for all of them, " + "x".repeat(40) }))) : "";
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const names = [...new Set(results.map((r) => r.tool))];
const schema = { type: "object", properties: { n: { type: "integer", description: "Which one." } }, required: ["n"] };
const output = (args) => (scenario === "big" && args.n === 0 ? big : results[args.n].text);
const controller = new AbortController();
const request = { signal: controller.signal };
if (scenario === "hang") setTimeout(() => controller.abort(), 300);
// heard notes an event; a client that gives up does so at the first.
function heard(event) {
  told.push(structuredClone(event));
  if (scenario === "abort") controller.abort();
}

async function chat() {
  const client = new OpenAI({ baseURL: base + "/v1", ...options });
  const messages = [{ role: "system", content: "You are an agent." }, { role: "user", content: "Look at everything." }];
  if (scenario === "image") messages.push({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64," + pixel } }, { type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,aGk=" } }] });
  const body = { model: "scripted", temperature: 0.5, tools: names.map((name) => ({ type: "function", function: { name, description: "Gets it.", parameters: schema } })) };
  for (;;) {
    let message;
    if (stream) {
      message = { role: "assistant", content: "", tool_calls: [] };
      for await (const chunk of await client.chat.completions.create({ ...body, messages, stream: true }, request)) {
        heard(chunk);
        const delta = chunk.choices[0].delta;
        message.content += delta.content ?? "";
        for (const { index, ...call } of delta.tool_calls ?? []) message.tool_calls.push(call);
      }
      if (message.tool_calls.length === 0) delete message.tool_calls;
    } else {
      const completion = await client.chat.completions.create({ ...body, messages }, request);
      told.push(completion);
      message = completion.choices[0].message;
    }
    messages.push(message);
    if (!message.tool_calls) return;
    for (const call of message.tool_calls) messages.push({ role: "tool", tool_call_id: call.id, content: output(JSON.parse(call.function.arguments)) });
  }
}

async function responses() {
  const client = new OpenAI({ baseURL: base + "/v1", ...options });
  const input = [{ role: "user", content: scenario === "image" ? [{ type: "input_image", image_url: "data:image/png;base64," + pixel, detail: "auto" }] : "Look at everything." }];
  const body = { model: "scripted", instructions: "You are an agent.", store: false, tools: names.map((name) => ({ type: "function", name, parameters: schema, strict: false })) };
  for (;;) {
    let response;
    if (stream) {
      for await (const event of await client.responses.create({ ...body, input, stream: true }, request)) {
        heard(event);
        if (event.type === "response.completed") response = event.response;
      }
    } else {
      response = await client.responses.create({ ...body, input }, request);
      told.push(response);
    }
    input.push(...response.output);
    const calls = response.output.filter((item) => item.type === "function_call");
    if (calls.length === 0) return;
    for (const call of calls) input.push({ type: "function_call_output", call_id: call.call_id, output: output(JSON.parse(call.arguments)) });
  }
}

// cached marks the last block of the last message, as clients do that pay for a cache.
function cached(messages) {
  return messages.map((m, i) => (i + 1 < messages.length || typeof m.content === "string" ? m : { ...m, content: m.content.map((b, j) => (j + 1 < m.content.length ? b : { ...b, cache_control: { type: "ephemeral" } })) }));
}

async function messagesAPI() {
  const client = new Anthropic({ baseURL: base, ...options });
  const messages = [{ role: "user", content: scenario === "image" ? [{ type: "image", source: { type: "base64", media_type: "image/png", data: pixel } }, { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } }] : "Look at everything." }];
  const body = { model: "scripted", max_tokens: 1000, system: [{ type: "text", text: "You are an agent.", cache_control: { type: "ephemeral" } }], tools: names.map((name) => ({ name, description: "Gets it.", input_schema: schema })) };
  for (;;) {
    let message;
    const params = { ...body, messages: scenario === "plain" ? cached(messages) : messages };
    if (scenario === "count") told.push(await client.messages.countTokens({ model: body.model, tools: body.tools, messages }, request));
    if (stream) {
      const events = client.messages.stream(params, request);
      for await (const event of events) heard(event);
      message = await events.finalMessage();
    } else {
      message = await client.messages.create(params, request);
    }
    told.push(message);
    messages.push({ role: "assistant", content: message.content });
    const calls = message.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return;
    messages.push({ role: "user", content: calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, is_error: results[call.input.n].failed || undefined, content: call.input.n % 2 ? output(call.input) : [{ type: "text", text: output(call.input) }] })) });
  }
}

try {
  await { chat, responses, messages: messagesAPI }[api]();
} catch (e) {
  const aborted = controller.signal.aborted;
  told.push({ thrown: e.constructor.name, status: e.status, message: aborted ? "" : String(e.message), error: e.error, cause: e.cause?.constructor.name });
}
// What else comes once a client gives up, and whether its end is an error, is a matter of time.
console.log(JSON.stringify(scenario === "abort" ? told.slice(0, 1) : told));
