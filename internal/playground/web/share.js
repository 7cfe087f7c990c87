// A state in the fragment of the address: v1. and, in base64url, what deflate makes of
// its JSON. No server is sent it.
const longest = 32 << 10
const inflated = 8 << 20

export async function toFragment(state) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let binary = ''
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  const text = '#v1.' + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  if (text.length > longest) throw new Error(`A link would have ${text.length.toLocaleString('en')} characters, more than ${longest.toLocaleString('en')}. Download the document and send it as a file.`)
  return text
}

// fromFragment returns the state of a link, undefined if there is none.
export async function fromFragment(fragment) {
  if (fragment === '' || fragment === '#') return undefined
  if (!fragment.startsWith('#v1.')) throw new Error('The link is not one of this page.')
  if (fragment.length > longest) throw new Error('The link is longer than any that this page makes.')
  let state
  try {
    const binary = atob(fragment.slice(4).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0))
    state = JSON.parse(await inflate(bytes))
  } catch (error) {
    throw error.tooLong ? error : new Error('The link is damaged: it cannot be read.')
  }
  if (typeof state?.text !== 'string') throw new Error('The link is damaged: there is no document in it.')
  return state
}

async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > inflated) {
      reader.cancel().catch(() => {})
      throw Object.assign(new Error('The link holds more than 8 MiB and is not opened.'), { tooLong: true })
    }
    parts.push(value)
  }
  return new Blob(parts).text()
}
