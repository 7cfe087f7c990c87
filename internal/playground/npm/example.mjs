// A loop with tools: the model calls them until it has an answer, and reads their results in
// the smallest text that loses nothing. complete sends messages to a model's API, in the
// shape of OpenAI's, and returns the message that it answers with.
import { init } from 'wirekit-wasm'

const maxRounds = 20

export async function ask(complete, question, tools) {
  const wirekit = await init()
  const messages = [{ role: 'user', content: question }]
  for (let round = 0; round < maxRounds; round++) {
    const answer = await complete(messages)
    messages.push(answer)
    if (!answer.tool_calls?.length) return answer.content
    for (const { id, function: call } of answer.tool_calls) {
      let content
      try {
        if (!Object.hasOwn(tools, call.name)) throw new Error(`there is no tool named ${call.name}`)
        const result = await tools[call.name](JSON.parse(call.arguments))
        content = wirekit.smallest(JSON.stringify(result), { from: 'json' }).text
      } catch (error) {
        content = 'error: ' + error.message // the model can call it in another way
      }
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
  }
  throw new Error(`the model still calls tools after ${maxRounds} rounds`)
}
