// The programs of Go, called with bytes. This module is the same in the page's worker
// and in Node.
import './wasm_exec.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

// unzip returns what gzip made of bytes, which a server may have unzipped already.
export async function unzip(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

// run starts a program and returns the function that asks it: a head, which is an
// object, and a body of bytes or text, to the same. stopped is called if it ends.
export async function run(module, stopped = () => {}) {
  const go = new globalThis.Go()
  const instance = await WebAssembly.instantiate(module, go.importObject)
  go.run(instance).then(stopped, stopped)
  const call = globalThis.wirekit
  delete globalThis.wirekit
  return (head, body) => {
    if (typeof body === 'string') body = encoder.encode(body)
    const answer = call(JSON.stringify(head), body)
    const length = new DataView(answer.buffer, answer.byteOffset).getUint32(0, true)
    return { head: JSON.parse(decoder.decode(answer.subarray(4, 4 + length))), body: answer.slice(4 + length) }
  }
}
