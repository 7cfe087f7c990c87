// Tests of the package for Node: node package.test.mjs FOLDER EXPECTED
import assert from 'node:assert/strict'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import path from 'node:path'

const [folder, expectedFile] = process.argv.slice(2)
const expected = JSON.parse(await readFile(expectedFile, 'utf8'))
const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
for (const name of manifest.files) await readFile(path.join(folder, name))
const { init, WirekitError } = await import(pathToFileURL(path.join(folder, manifest.main)))
const wirekit = await init()
assert.equal(await init(), wirekit)

const figures = ({ format, refused, bytes, gzip, tokens, lossless, loss, loss_at }) => ({ format, refused, bytes, gzip, tokens, lossless, loss, loss_at })
for (const [name, report] of Object.entries(expected.reports)) {
  const got = wirekit.compare(expected.documents[name])
  assert.equal(got.format, report.format, name)
  assert.equal(got.bytes, report.bytes, name)
  const want = new Map(report.formats.map((f) => [f.format, figures(f)]))
  for (const f of got.formats) if (want.has(f.format)) assert.deepEqual(figures(f), want.get(f.format), `${name} in ${f.format}`)
  // The command also has a row for the variant that it chose.
  for (const f of want.keys()) assert.ok(f.includes(':') || got.formats.some((g) => g.format === f), `${name} in ${f}`)
}
for (const name of expected.texts) {
  const text = wirekit.convert(expected.table, name)
  assert.equal(wirekit.convert(text, 'json', { from: name }), expected.table, name)
}
const binary = wirekit.convert(expected.table, 'bcp')
assert.ok(binary instanceof Uint8Array)
assert.equal(wirekit.convert(binary, 'json'), expected.table)
assert.equal(wirekit.count('hello world'), 2)
assert.equal(wirekit.count('hello world', { counter: 'cl100k_base' }), 2)
assert.ok(wirekit.formats().some((f) => f.name === 'glyph:canonical' && f.variant))
for (const { text, message, column, at, excerpt } of expected.errors) {
  assert.throws(() => wirekit.convert(text, 'gcf', { from: 'json' }), (error) => {
    assert.ok(error instanceof WirekitError)
    assert.deepEqual([error.message, error.column, error.at, error.excerpt], [message, column, at, excerpt])
    return true
  })
}
assert.throws(() => wirekit.convert('{}', 'none'), /unknown format/)

for (const [name, document] of Object.entries(expected.documents)) {
  const { text, format, tokens } = wirekit.smallest(document)
  const json = wirekit.convert(document, 'json')
  assert.ok(format === 'json' || tokens <= 0.95 * wirekit.count(json), name)
  assert.equal(tokens, wirekit.count(text), name)
  assert.deepEqual(JSON.parse(wirekit.convert(text, 'json', { from: format })), JSON.parse(json), name)
}
assert.equal(wirekit.smallest('[]').text, '[]')

// The example, with a model that follows a script: it calls two tools, one of which is not
// there, and answers with what it has read.
await mkdir(path.join(folder, 'node_modules'), { recursive: true })
await symlink('..', path.join(folder, 'node_modules', 'wirekit-wasm')).catch(() => {})
const { ask } = await import(pathToFileURL(path.join(folder, 'example.mjs')))
const hosts = JSON.parse(expected.documents.hosts)
const call = (id, name) => ({ id, type: 'function', function: { name, arguments: '{}' } })
let calls = 0
const answer = await ask(async (messages) => {
  if (calls++ === 0) return { role: 'assistant', tool_calls: [call('1', 'hosts'), call('2', 'none')] }
  const results = messages.filter((m) => m.role === 'tool')
  assert.ok(results[0].content.startsWith('GCX1 '), results[0].content)
  assert.match(results[1].content, /^error: there is no tool named none/)
  return { role: 'assistant', content: wirekit.convert(results[0].content, 'json') }
}, 'Which hosts are there?', { hosts: async () => hosts })
assert.deepEqual(JSON.parse(answer), hosts)
process.exit(0)
