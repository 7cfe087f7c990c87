// A Program is a worker that answers one request after the other. A worker that stops,
// or that takes too long while something newer waits, is replaced.
const patience = 1000 // milliseconds

const stale = new Error('stale')
export const isStale = (error) => error === stale

export class Program {
  #name
  #worker
  #module
  #starting
  #running = false
  #queue = []
  #current
  #vocabularies = new Map()
  onrestart = () => {}

  constructor(name) {
    this.#name = name
  }

  // start loads the program; it is no error to start it again.
  start() {
    this.#starting ??= new Promise((resolve, reject) => {
      this.#worker = new Worker('worker.js', { type: 'module' })
      this.#worker.onmessage = ({ data }) => {
        if (data.started) {
          this.#module = data.started
          this.#running = true
          resolve()
          for (const [name, bytes] of this.#vocabularies) this.#queue.unshift(request({ op: 'vocabulary', name }, bytes, true))
          this.#next()
        } else if (data.stopped) {
          reject(new Error(data.message ?? 'the program stopped'))
          this.#stop(data.message)
        } else {
          const current = this.#current
          this.#current = undefined
          current?.resolve(data)
          this.#next()
        }
      }
      this.#worker.onerror = (event) => {
        event.preventDefault?.()
        reject(new Error(event.message || 'the worker could not be started'))
        this.#stop(event.message)
      }
      this.#worker.postMessage({ start: { name: this.#name, module: this.#module } })
    })
    return this.#starting
  }

  get started() {
    return this.#module !== undefined
  }

  // ask sends a request. Its promise is rejected if the program stops, and with a stale
  // error if drop is called before it is answered.
  async ask(head, body) {
    await this.start()
    return this.#push(head, body, false)
  }

  // vocabulary gives the program a vocabulary, and every worker that takes its place.
  async vocabulary(name, bytes) {
    if (this.#vocabularies.has(name)) return
    this.#vocabularies.set(name, bytes)
    if (this.#running) await this.#push({ op: 'vocabulary', name }, bytes, true)
  }

  // drop forgets what waits. A worker that stays at what it is at is replaced.
  drop() {
    const waiting = this.#queue
    this.#queue = waiting.filter((r) => r.kept)
    for (const r of waiting) if (!r.kept) r.reject(stale)
    const current = this.#current
    if (!current || current.kept) return
    setTimeout(() => {
      if (this.#current === current) this.#replace()
    }, patience)
  }

  // kill ends the worker as if it had crashed.
  kill(reason) {
    this.#stop(reason)
  }

  #push(head, body, kept) {
    const r = request(head, body, kept)
    this.#queue.push(r)
    this.#next()
    return r.answer
  }

  #next() {
    if (this.#current || !this.#running || !this.#queue.length) return
    this.#current = this.#queue.shift()
    this.#worker.postMessage({ head: this.#current.head, body: this.#current.body })
  }

  // replace starts a new worker, which goes on with what waits.
  #replace() {
    const current = this.#current
    this.#end()
    current?.reject(stale)
    this.start().then(() => this.onrestart(), (error) => this.#stop(error.message))
  }

  // stop ends the worker and everything that waits for it.
  #stop(message) {
    const requests = [this.#current, ...this.#queue].filter(Boolean)
    this.#end()
    this.#queue = []
    for (const r of requests) r.reject(new Error(message || 'the program stopped'))
    if (this.#module) this.start().then(() => this.onrestart(true), () => {})
  }

  #end() {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#starting = undefined
    this.#running = false
    this.#current = undefined
  }
}

// request is what waits for an answer.
function request(head, body, kept) {
  const r = { head, body, kept }
  r.answer = new Promise((resolve, reject) => Object.assign(r, { resolve, reject }))
  r.answer.catch(() => {}) // who asked sees it too
  return r
}
