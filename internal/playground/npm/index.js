// wirekit for Node: the command's formats as functions.
import { readFile } from 'node:fs/promises'
import { run, unzip } from './wirekit.js'

const counters = ['o200k_base', 'cl100k_base']

// WirekitError says what is wrong with a document, and where.
export class WirekitError extends Error {
  constructor({ message, ...where }) {
    super(message)
    this.name = 'WirekitError'
    Object.assign(this, where)
  }
}

let starting

// init loads the program and the vocabularies, once.
export function init() {
  starting ??= start()
  starting.catch(() => { starting = undefined })
  return starting
}

async function file(name) {
  return unzip(new Uint8Array(await readFile(new URL(name, import.meta.url))))
}

async function start() {
  const [program, ...vocabularies] = await Promise.all([file('full.wasm.gz'), ...counters.map((name) => file(name + '.bin.gz'))])
  const ask = await run(await WebAssembly.compile(program))
  const checked = (head, body) => {
    const answer = ask(head, body)
    if (answer.head.error) throw new WirekitError(answer.head.error)
    return answer
  }
  counters.forEach((name, i) => checked({ op: 'vocabulary', name }, vocabularies[i]))
  return new Wirekit(checked)
}

class Wirekit {
  #ask
  constructor(ask) {
    this.#ask = ask
  }

  formats() {
    return this.#ask({ op: 'formats' }).head.formats
  }

  convert(document, to, { from = '' } = {}) {
    const { head, body } = this.#ask({ op: 'convert', from, to }, document)
    return head.binary ? body : new TextDecoder().decode(body)
  }

  compare(document, { from = '', counter = counters[0], all = false } = {}) {
    return this.#ask({ op: 'compare', from, counter, all }, document).head
  }

  smallest(document, { from = '', counter = counters[0], minSaving = 0.05 } = {}) {
    const { formats } = this.compare(document, { from, counter })
    const json = formats.find((f) => f.format === 'json')
    const best = formats.reduce((a, b) => (b.lossless && !b.binary && b.bytes > 0 && b.tokens < a.tokens ? b : a), json)
    const chosen = best.tokens <= json.tokens * (1 - minSaving) ? best : json
    return { format: chosen.format, tokens: chosen.tokens, text: this.convert(document, chosen.format, { from }) }
  }

  count(text, { counter = counters[0] } = {}) {
    return this.#ask({ op: 'count', counter }, text).head.tokens
  }
}
