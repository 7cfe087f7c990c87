// Checks of the page in a browser. Arguments: the page's folder, a file with what
// the command says, the browser's program, and perhaps a folder for screenshots.
// Prints a line for each check: "ok NAME" or "not ok NAME: why".
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'

const [folder, expectedFile, executablePath, screenshots] = process.argv.slice(2)
const expected = JSON.parse(await readFile(expectedFile, 'utf8'))
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.gz': 'application/gzip' }
const wire = { bytes: 0 } // what was sent since it was set to 0
// The page lies in a folder below the root, as it may anywhere.
const server = createServer(async (request, response) => {
  const name = new URL(request.url, 'http://x').pathname.replace(/^\/sub\//, '') || 'index.html'
  try {
    let body = await readFile(path.join(folder, path.basename(name)))
    const type = types[path.extname(name)]
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache' }
    if (type.startsWith('text/') || name.endsWith('.json')) {
      body = gzipSync(body)
      headers['Content-Encoding'] = 'gzip'
    }
    wire.bytes += body.length
    response.writeHead(200, headers).end(body)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const home = `http://127.0.0.1:${server.address().port}/sub/`
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

const complaints = [] // what the page said on the console, and requests to elsewhere
async function open(fragment = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.route('**', (route) => {
    const url = route.request().url()
    if (url.startsWith(home) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue()
    complaints.push('request to ' + url)
    return route.abort()
  })
  await page.goto(home + fragment)
  return page
}

// complete waits until every card has its answer, with tokens.
const complete = (page) => page.waitForFunction(() => {
  const cards = globalThis.playground?.cards() ?? []
  return cards.length > 0 && document.body.dataset.state === 'done' &&
    cards.every((c) => c.head && !c.section.classList.contains('old') && (c.head.refused || c.head.binary || c.head.tokens !== undefined))
}, null, { timeout: 30000 })

const figures = (page) => page.evaluate(() => globalThis.playground.cards().map(({ head }) => ({
  format: head.format, refused: head.refused, bytes: head.bytes, gzip: head.gzip, tokens: head.tokens, lossless: head.lossless, loss: head.loss, loss_at: head.loss_at,
})))

const example = (page, name) => page.click(`[data-example="${name}"]`)

const enter = (page, text) => page.fill('#text', text)

function same(got, want, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)]
  if (a !== b) throw new Error(`${what}: ${a.slice(0, 600)} is not ${b.slice(0, 600)}`)
}

let failed = 0
async function check(name, test) {
  const begin = Date.now()
  try {
    const note = await test()
    console.log(`ok ${name} (${Date.now() - begin} ms)${note ? ': ' + note : ''}`)
  } catch (error) {
    failed++
    console.log(`not ok ${name}: ${error.message}`)
  }
}

const known = (formats) => Object.fromEntries(formats.map((f) => [f.format, {
  format: f.format, refused: f.refused, bytes: f.bytes, gzip: f.gzip, tokens: f.tokens, lossless: f.lossless, loss: f.loss, loss_at: f.loss_at,
}]))

let page
await check('loads', async () => {
  wire.bytes = 0
  page = await open()
  await page.waitForFunction(() => document.body.dataset.ready)
  const ready = await page.evaluate(() => Number(document.body.dataset.ready))
  await complete(page)
  return `ready after ${ready} ms, ${wire.bytes} bytes in all`
})

await check('usable after at most 1.65 MB', async () => {
  wire.bytes = 0
  const context = await browser.newContext()
  const fresh = await context.newPage()
  await fresh.route(/\.bin\.gz|full\.wasm/, () => {}) // never answered
  await fresh.goto(home)
  await fresh.waitForFunction(() => globalThis.playground?.cards().filter((c) => c.head?.bytes).length >= 3)
  const { bytes } = wire
  await context.close()
  if (bytes > 1.65e6) throw new Error(`${bytes} bytes`)
  return `${bytes} bytes`
})

// seen reports whether an element is on the screen without scrolling.
const seen = (page, id) => page.evaluate((id) => {
  const { top, bottom } = document.getElementById(id).getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight && bottom > top
}, id)

await check('the answer is there before the programs, and without scrolling', async () => {
  for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
    const context = await browser.newContext({ viewport })
    const fresh = await context.newPage()
    await fresh.route(/\.gz$/, () => {}) // never answered
    await fresh.goto(home)
    await fresh.waitForSelector('#result:not([hidden])')
    const built = await fresh.textContent('#winner')
    for (const id of ['winner', 'winner-copy']) if (!(await seen(fresh, id))) throw new Error(`${id} is not seen at ${viewport.width}`)
    if (screenshots) await fresh.screenshot({ path: path.join(screenshots, `first-${viewport.width}.png`) })
    await context.close()
    same(built, await page.textContent('#winner'), 'what is built in')
  }
})

await check('the winner, prices, a link with them', async () => {
  await example(page, 'orders')
  await complete(page)
  const winner = await page.textContent('#winner')
  const best = (await figures(page)).filter((f) => f.lossless && f.tokens !== undefined).sort((a, b) => a.tokens - b.tokens)[0]
  if (!winner.startsWith(`${best.format} takes the fewest tokens, ${best.tokens}: `)) throw new Error(winner)
  const shown = await page.textContent('#right')
  same(shown, await page.evaluate((name) => new TextDecoder().decode(globalThis.playground.cards().find((c) => c.name === name).body), best.format), 'its text')
  await page.fill('#price', '2.5')
  await page.fill('#window', '1,000')
  const row = await page.evaluate(() => [...document.getElementById('ranks').rows[0].cells].map((c) => c.textContent))
  same(row.slice(4), [(best.tokens * 2.5 / 1000).toLocaleString('en', { maximumSignificantDigits: 3 }), `${(best.tokens / 10).toLocaleString('en', { maximumSignificantDigits: 2 })} %`], 'price and window')
  await page.click('#share')
  await page.waitForFunction(() => location.hash.startsWith('#v1.'))
  const other = await open(await page.evaluate(() => location.hash))
  await complete(other)
  same([await other.inputValue('#price'), await other.inputValue('#window')], ['2.5', '1,000'], 'of the link')
  await other.context().close()
  await page.evaluate(() => history.replaceState(null, '', location.pathname))
  await page.fill('#price', '')
  await page.fill('#window', '')
})

await check('format and clear', async () => {
  await enter(page, '{"a":[1.10,12345678901234567890]}')
  await complete(page)
  await page.click('#indent')
  await page.waitForFunction(() => document.getElementById('text').value.startsWith('{\n  "a": [\n    1.10,\n    12345678901234567890\n  ]\n}'))
  await page.click('#clear')
  await page.waitForFunction(() => document.getElementById('result').hidden && document.getElementById('text').value === '')
})

await check('cards equal the command', async () => {
  for (const [name, report] of Object.entries(expected.reports)) {
    await example(page, name)
    await complete(page)
    const want = known(report.formats)
    for (const got of await figures(page)) same(got, want[got.format], `${name} in ${got.format}`)
  }
  return `${Object.keys(expected.reports).length} documents`
})

await check('tables are read as tables, other formats are named', async () => {
  await page.selectOption('#from', '')
  for (const [text, wanted] of [
    ['id,name\n1,x\n2,"y, z"\n', /^csv, .* it looks like a table/],
    ['id\tname\n1\tx\n2\ty', /^csv:tsv, .* it looks like a table/],
    ['id;price\n1;2,5\n2;3,5\n', /^csv:semicolon, /],
    ['| id | name |\n| --- | --- |\n| 1 | x |\n| 2 | y |\n', /^md, /],
    ['<table><tr><th>id<th>name<tr><td>1<td>x</table>', /^csv, .* the first table of HTML/],
    ['Dear reader, hello.\nIt rains, again.\n', /^text, [^:]*$/],
    ['a,b\n1,2,3\n', /^text, [^:]*$/],
    ['name = "x"\nsize = 3\n', /^text, .* looks like TOML/],
    ['<?xml version="1.0"?>\n<a>x</a>\n', /^text, .* looks like XML/],
  ]) {
    await enter(page, text)
    await complete(page)
    const facts = await page.textContent('#facts')
    if (!wanted.test(facts)) throw new Error(`${JSON.stringify(text)}: ${facts}`)
  }
  await enter(page, 'id,name\n1,x\n2,y\n')
  await page.selectOption('#from', 'text')
  await complete(page)
  same(await page.textContent('#facts'), 'text, 16 bytes, 1 values, depth 0', 'text where it was asked for')
  await page.selectOption('#from', '')
})

await check('errors equal the command', async () => {
  await page.selectOption('#from', 'json') // GLYPH takes anything that begins with a bracket
  for (const { text, message, column, at, excerpt } of expected.errors) {
    await enter(page, text)
    await page.waitForFunction((m) => document.getElementById('error-message').textContent === m, message, { timeout: 5000 }).catch(async () => {
      same(await page.textContent('#error-message'), message, text)
    })
    same(await page.textContent('#excerpt'), excerpt, 'excerpt')
    await page.click('#goto')
    const start = await page.evaluate(() => document.getElementById('text').selectionStart)
    same(start, at, `position of column ${column}`)
  }
  await page.selectOption('#from', '')
})

await check('edit this, in every format that reads what it writes', async () => {
  const done = []
  for (const name of expected.texts) {
    await page.selectOption('#from', '')
    await enter(page, expected.table)
    await complete(page)
    const before = await page.evaluate(() => new TextDecoder().decode(globalThis.playground.cards().find((c) => c.name === 'json').body))
    await page.click(`[data-format="${name}"] button:has-text("Edit this")`)
    await complete(page)
    const after = await page.evaluate(() => new TextDecoder().decode(globalThis.playground.cards().find((c) => c.name === 'json').body))
    same(after, before, name)
    done.push(name)
  }
  await page.selectOption('#from', '')
  return done.join(' ')
})

await check('tokens are drawn', async () => {
  await example(page, 'orders')
  await page.check('#pieces')
  await complete(page)
  await page.waitForFunction(() => {
    const card = globalThis.playground.cards().find((c) => c.name === 'json')
    return card.pre.querySelectorAll('span').length === card.head.tokens
  }, null, { timeout: 5000 })
  if (screenshots) await page.screenshot({ path: path.join(screenshots, 'light.png'), fullPage: true })
  await page.click('#theme')
  await page.click('#theme')
  if (screenshots) await page.screenshot({ path: path.join(screenshots, 'dark.png'), fullPage: true })
  await page.uncheck('#pieces')
})

await check('a variant and a folded format', async () => {
  await example(page, 'hosts')
  for (const name of ['glyph:canonical', 'gcf+fold']) await page.selectOption('#variant', name)
  await complete(page)
  const want = known(expected.all)
  for (const got of await figures(page)) same(got, want[got.format], got.format)
})

await check('another vocabulary', async () => {
  await page.selectOption('#counter', 'cl100k_base')
  await page.waitForFunction((n) => globalThis.playground.cards().find((c) => c.name === 'json').head?.tokens === n, expected.cl100k, { timeout: 10000 })
  await page.selectOption('#counter', 'o200k_base')
  await complete(page)
})

await check('a share link opens the same', async () => {
  await example(page, 'purchases')
  await complete(page)
  const before = await figures(page)
  await page.click('#share')
  await page.waitForFunction(() => location.hash.startsWith('#v1.'))
  const hash = await page.evaluate(() => location.hash)
  const other = await open(hash)
  await complete(other)
  same(await figures(other), before, 'figures')
  await other.context().close()
})

await check('bad links say so', async () => {
  const bomb = await page.evaluate(async () => {
    const stream = new Blob([new Uint8Array(20 << 20)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    let s = ''
    for (const b of bytes) s += String.fromCharCode(b)
    return '#v1.' + btoa(s).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  })
  for (const [fragment, want] of [['#v1.%%%', 'damaged'], ['#v1.AAAA', 'damaged'], ['#x', 'not one of this page'], [bomb, '8 MiB'], ['#v1.' + 'A'.repeat(40000), 'longer than any']]) {
    const other = await open(fragment)
    await other.waitForSelector('#notice:not([hidden])')
    const text = await other.textContent('#notice')
    if (!text.includes(want)) throw new Error(`${fragment.slice(0, 20)}: ${text}`)
    await other.waitForFunction(() => globalThis.playground.cards().some((c) => c.head)) // not blank
    await other.context().close()
  }
})

// blocked returns the milliseconds of processor time of the longest task of the page's
// main thread while something is done. The time that passes would be that of whatever
// else the machine does, too.
async function blocked(page, something) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await something()
  const { traceEvents } = JSON.parse(await browser.stopTracing())
  const main = traceEvents.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid} ${e.tid}`)
  const tasks = traceEvents.filter((e) => e.name === 'ThreadControllerImpl::RunTask' && main.includes(`${e.pid} ${e.tid}`) && e.tdur !== undefined)
  if (tasks.length === 0) throw new Error('the trace has no tasks')
  return tasks.reduce((worst, e) => Math.max(worst, e.tdur / 1000), 0)
}

await check('long tasks are seen', async () => {
  const worst = await blocked(page, async () => {
    await page.evaluate(() => { setTimeout(() => { for (let i = 0; i < 3e8; i++); globalThis.spun = true }) })
    await page.waitForFunction(() => globalThis.spun)
  })
  if (!(worst >= 50)) throw new Error(`a task of ${worst} ms`)
})

await check('typing never blocks', async () => {
  const text = expected.typing
  await enter(page, text)
  await complete(page)
  let times
  const worst = await blocked(page, async () => {
    await page.evaluate(() => document.getElementById('text').setSelectionRange(1, 1))
    await page.focus('#text')
    await page.keyboard.type(' '.repeat(50), { delay: 15 })
    await complete(page)
    times = await page.evaluate(() => globalThis.playground.latest())
  })
  if (!(worst <= expected.longest)) throw new Error(`a task of ${worst} ms`)
  return `worst task ${worst.toFixed(1)} ms; ${text.length} bytes: the first card ${Math.round(times.first)} ms after the last key, all after ${Math.round(times.all)} ms`
})

await check('newer input wins', async () => {
  await enter(page, expected.typing)
  await enter(page, '{"a":1}')
  await complete(page)
  same(await page.evaluate(() => globalThis.playground.cards().find((c) => c.name === 'json').head.bytes), 7, 'bytes')
})

await check('a crashed worker is replaced', async () => {
  await page.evaluate(() => globalThis.playground.core.kill('crash'))
  await page.waitForSelector('#notice:not([hidden])')
  await enter(page, '{"b":[1,2]}')
  await complete(page)
  same(await page.evaluate(() => globalThis.playground.cards().find((c) => c.name === 'json').head.bytes), 11, 'bytes')
})

await check('deep nesting is an error', async () => {
  await enter(page, '['.repeat(100000))
  await page.waitForFunction(() => document.getElementById('error-message').textContent.includes('Depth'), null, { timeout: 10000 })
})

await check('5 MB', async () => {
  const begin = Date.now()
  const since = []
  const took = (what) => since.push(`${what} ${Date.now() - begin} ms`)
  await page.evaluate(() => {
    globalThis.drop = (name, text) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name))
      document.getElementById('text').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }
    const row = '{"id":4100,"host":"cache-01","region":"eu-west","cpu":63.3,"healthy":true}'
    globalThis.drop('large.json', '[' + Array(Math.ceil(5_000_000 / (row.length + 1))).fill(row).join(',') + ']')
  })
  await page.waitForFunction(() => globalThis.playground.cards().find((c) => c.name === 'json').head?.bytes >= 5_000_000, null, { timeout: 30000 })
  took('json')
  await page.waitForFunction(() => globalThis.playground.cards().find((c) => c.name === 'gcf').head?.bytes > 100000, null, { timeout: 30000 })
  took('gcf')
  await page.evaluate(() => globalThis.drop('huge.json', ' '.repeat(21_000_000)))
  await page.waitForFunction(() => document.getElementById('notice').textContent.includes('at most 20,000,000'), null, { timeout: 10000 })
  took('refusal of 21 MB')
  await example(page, 'answer')
  await complete(page)
  took('another document')
  return since.join(', ')
})

await check('100 MB pasted', async () => {
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'x'.repeat(100_000_000))
    document.getElementById('text').dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }))
  })
  await page.waitForFunction(() => document.getElementById('notice').textContent.includes('Pasted text has 100,000,000 bytes'), null, { timeout: 10000 })
  same(await page.evaluate(() => globalThis.playground.cards().find((c) => c.name === 'json').head.bytes > 0), true, 'the page shows what it had')
})

await check('packs', async () => {
  await page.click('#tab-pack')
  await page.click('#pack-example')
  await page.waitForFunction(() => [...document.getElementById('pack-files').rows].length > 3 && [...document.getElementById('pack-files').rows].every((r) => r.cells[2].textContent === 'full'), null, { timeout: 20000 })
  await page.evaluate(() => {
    const slider = document.getElementById('budget')
    slider.value = Math.round(slider.max / 4)
    slider.dispatchEvent(new Event('input'))
  })
  await page.waitForFunction(() => [...document.getElementById('pack-files').rows].some((r) => r.cells[2].textContent === 'summary'), null, { timeout: 10000 })
  if (screenshots) await page.screenshot({ path: path.join(screenshots, 'pack.png') })
  if (!/ in full, .*summary/.test(await page.textContent('#pack-shown'))) throw new Error(await page.textContent('#pack-shown'))
  await page.click('details:has(#pack-form) summary')
  await page.fill('#pack-path', '../x')
  await page.fill('#pack-text', 'y')
  await page.click('#pack-form button')
  await page.waitForFunction(() => document.getElementById('notice').textContent.includes("is not a file's path"))
  await page.click('#pack-clear')
})

await check('by keyboard', async () => {
  const fresh = await open('', { colorScheme: 'dark', viewport: { width: 320, height: 700 } })
  await complete(fresh)
  const wide = await fresh.evaluate(() => document.documentElement.scrollWidth)
  if (wide > 320) throw new Error(`the page is ${wide} wide at 320`)
  if (screenshots) await fresh.screenshot({ path: path.join(screenshots, 'narrow.png') })
  const reached = new Set()
  for (let i = 0; i < 120; i++) {
    await fresh.keyboard.press('Tab')
    reached.add(await fresh.evaluate(() => document.activeElement.id || document.activeElement.textContent))
  }
  for (const id of ['tab-formats', 'counter', 'theme', 'from', 'file', 'indent', 'clear', 'share', 'text', 'winner-copy', 'price', 'window', 'sorted', 'pieces', 'variant', 'Edit this', 'Copy', 'Download']) {
    if (!reached.has(id)) throw new Error(`${id} is not reached`)
  }
  await fresh.focus('#tab-formats')
  await fresh.keyboard.press('ArrowRight')
  if (!(await fresh.isVisible('#view-pack'))) throw new Error('the arrow does not change the view')
  await fresh.context().close()
})

await check('axe', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const fresh = await open('', { colorScheme, bypassCSP: true })
    await complete(fresh)
    await fresh.check('#pieces')
    await fresh.waitForTimeout(200)
    await fresh.evaluate(axe)
    for (const view of ['formats', 'pack']) {
      await fresh.click('#tab-' + view)
      const found = await fresh.evaluate(async () => (await globalThis.axe.run()).violations.map((v) => `${v.impact} ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 150)).join(' ')}`))
      const serious = found.filter((f) => /^(serious|critical)/.test(f))
      if (serious.length) throw new Error(`${colorScheme} ${view}: ${serious.join('; ')}`)
    }
    await fresh.context().close()
  }
})

await check('no request elsewhere, nothing on the console', async () => {
  if (complaints.length) throw new Error([...new Set(complaints)].join('; '))
})

await browser.close()
server.close()
process.exit(failed ? 1 : 0)
