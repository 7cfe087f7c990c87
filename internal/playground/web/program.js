// A Program is a worker that answers one request after the other. A worker that stops,
// or that takes too long while something newer waits, is replaced.
const patience = 8000 // milliseconds

const stale = new Error('stale')
export const isStale = (error) => error === stale

export class Program {
  #name
  #worker
  #module
  #starting
  #queue = []
  #current
  #since = 0
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
          resolve()
          for (const [name, bytes] of this.#vocabularies) this.#push({ op: 'vocabulary', name }, bytes, true).catch(() => {})
          this.#next()
        } else if (data.stopped) {
          reject(new Error(data.message ?? 'the program stopped'))
          this.#stop(data.message)
        } else {
          const request = this.#current
          this.#current = undefined
          request?.resolve(data)
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
    if (this.started) await this.#push({ op: 'vocabulary', name }, bytes, true)
  }

  // drop forgets what waits. A worker that is at something for long is replaced.
  drop() {
    const waiting = this.#queue
    this.#queue = waiting.filter((request) => request.kept)
    for (const request of waiting) if (!request.kept) request.reject(stale)
    if (this.#current && performance.now() - this.#since > patience) this.#stop('the program took too long', true)
  }

  // kill ends the worker as if it had crashed.
  kill(reason) {
    this.#stop(reason)
  }

  #push(head, body, kept) {
    return new Promise((resolve, reject) => {
      this.#queue.push({ head, body, kept, resolve, reject })
      this.#next()
    })
  }

  #next() {
    if (this.#current || !this.#module || !this.#queue.length) return
    this.#current = this.#queue.shift()
    this.#since = performance.now()
    this.#worker.postMessage({ head: this.#current.head, body: this.#current.body })
  }

  #stop(message, quiet) {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#starting = undefined
    const requests = [this.#current, ...this.#queue].filter(Boolean)
    this.#current = undefined
    this.#queue = []
    for (const request of requests) request.reject(quiet ? stale : new Error(message || 'the program stopped'))
    if (this.#module) this.start().then(() => this.onrestart(), () => {})
  }
}
