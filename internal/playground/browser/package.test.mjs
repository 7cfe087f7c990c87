// Tests of the package for Node: node package.test.mjs FOLDER EXPECTED
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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
  for (const f of want.keys()) assert.ok(got.formats.some((g) => g.format === f), `${name} in ${f}`)
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
process.exit(0)
