// A worker runs one program and answers what it is asked, in turn.
import { run, unzip } from './wirekit.js'

let ask

async function start({ name, module }) {
  if (!module) {
    const response = await fetch(`${name}.wasm.gz`)
    if (!response.ok) throw new Error(`${name}.wasm.gz: ${response.status} ${response.statusText}`)
    module = await WebAssembly.compile(await unzip(new Uint8Array(await response.arrayBuffer())))
  }
  ask = await run(module, () => postMessage({ stopped: true }))
  postMessage({ started: module })
}

onmessage = async ({ data }) => {
  try {
    if (data.start) return await start(data.start)
    const { head, body } = ask(data.head, data.body)
    postMessage({ head, body }, [body.buffer])
  } catch (error) {
    postMessage({ stopped: true, message: String(error?.message ?? error) })
  }
}
