// The page: the document, the programs that look at it, and the cards.
import { Program, isStale } from './program.js'
import { fromFragment, toFragment } from './share.js'
import { Card, element } from './cards.js'
import { Result, ranked } from './result.js'
import { startPackView } from './pack.js'
import { tableOf } from './table.js'
import { unzip } from './wirekit.js'

const $ = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const encoder = new TextEncoder()
const largest = 20_000_000 // bytes that the programs take
const shownInEditor = 1_000_000 // longer documents are not put into the editor

const core = new Program('core')
const full = new Program('full')
const vocabularies = new Map() // name to a promise of its bytes
let about
let cards = []
let result
let measured // the text that the result is about
let current // the bytes that the program has opened
let held // a document that is not in the editor: { name, bytes }
let sequence = 0
let timer
let pause = 120
let isText = false // whether the document is a text in no format
let opened // the answer to open, of the document at hand
let latest // the milliseconds that the last document took, from the end of typing: { first, all }

function say(text) {
  $('status').textContent = text
}

export function notice(text) {
  $('notice').hidden = !text
  $('notice').textContent = text ?? ''
}

function failed(error) {
  if (!isStale(error)) notice(error.message)
}

// ---- vocabularies

async function fetchBytes(name) {
  const response = await fetch(name)
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`)
  return unzip(new Uint8Array(await response.arrayBuffer()))
}

// vocabularyOf returns the name of the one that a counter needs; estimates multiply the first.
const vocabularyOf = (counter) => about.vocabularies.includes(counter) ? counter : about.vocabularies[0]

// vocabulary loads one, once.
function vocabulary(name) {
  if (!vocabularies.has(name)) {
    const bytes = fetchBytes(name + '.bin.gz')
    bytes.catch(() => vocabularies.delete(name))
    vocabularies.set(name, bytes)
  }
  return vocabularies.get(name)
}

// counting gives a program the vocabulary and returns the counter's name, "" while it
// has not arrived.
const arrived = new Set()
function counting() {
  const name = $('counter').value
  return arrived.has(vocabularyOf(name)) ? name : ''
}

async function loadVocabulary(counter) {
  const name = vocabularyOf(counter)
  const bytes = await vocabulary(name)
  await Promise.all([core, full].map((p) => p.vocabulary(name, bytes)))
  arrived.add(name)
}

// ---- the document

// document returns what is to be looked at as bytes.
function bytesOfDocument() {
  return held ? held.bytes : encoder.encode($('text').value)
}

function showError(error) {
  $('error').hidden = !error
  $('text').setAttribute('aria-invalid', error ? 'true' : 'false')
  if (!error) return
  $('error-message').textContent = error.message
  $('excerpt').hidden = !error.excerpt
  $('excerpt').textContent = error.excerpt ?? ''
  $('goto').hidden = error.at === undefined || held !== undefined
  $('goto').onclick = () => {
    $('text').focus()
    $('text').setSelectionRange(error.at, error.at + 1)
  }
}

// changed is called when the document is another one; what is under way is dropped.
function changed(now = false) {
  sequence++
  core.drop()
  full.drop()
  clearTimeout(timer)
  for (const card of cards) card.age()
  if (held || $('text').value !== measured) result.age()
  document.body.dataset.state = 'busy'
  latest = { typed: performance.now() }
  const mine = sequence
  timer = setTimeout(() => look(mine), now ? 0 : pause)
}

const idle = () => new Promise((resolve) => setTimeout(resolve))

// look opens the document and fills the cards.
async function look(mine) {
  const begin = performance.now()
  let bytes = bytesOfDocument()
  const blank = bytes.length === 0
  try {
    if (blank) {
      showError()
      for (const card of cards) card.clear('no document')
      result.hide()
      $('facts').textContent = 'Enter, paste, open or drop a document.'
      return
    }
    let from = $('from').value
    const knows = !from || isCore(from)
    let answer = knows ? await core.ask({ op: 'open', from }, bytes) : undefined
    let everywhere = !answer || answer.head.error?.code === 'other_program'
    if (everywhere) answer = await full.ask({ op: 'open', from }, bytes)
    if (mine !== sequence) return
    const seen = !from && !held && isTextFormat(answer.head.format) ? tableOf($('text').value) : {}
    if (seen.from) {
      const table = encoder.encode(seen.text)
      const read = await full.ask({ op: 'open', from: seen.from }, table)
      if (mine !== sequence) return
      if (read.head.error) answer = await full.ask({ op: 'open', from }, bytes)
      else [answer, bytes, from] = [read, table, seen.from]
    }
    const { error } = answer.head
    showError(error)
    if (error) {
      opened = undefined
      for (const card of cards) card.clear('no document')
      result.hide()
      $('facts').textContent = `${number.format(bytes.length)} bytes`
      say('The document has an error.')
      return
    }
    opened = answer.head
    current = bytes
    isText = isTextFormat(opened.format)
    for (const format of about.formats) if (format.text) isText ? addCard({ ...format, folds: true }) : removeCard(format.name)
    $('facts').textContent = `${held ? held.name + ': ' : ''}${opened.format}, ${number.format(opened.bytes)} bytes, ${number.format(opened.values)} values, depth ${opened.depth}`
    if (seen.seen && from) $('facts').textContent += `: ${seen.seen}; “Read as” has text`
    if (seen.hint) $('facts').textContent += `. ${seen.hint}`
    await fill(mine, bytes, everywhere)
    if (mine !== sequence) return
    result.show(cards, base(), true)
    measured = held ? undefined : $('text').value
    latest.all = performance.now() - latest.typed
    pause = Math.min(1000, Math.max(120, (performance.now() - begin) / 4))
    const best = ranked(cards)[0]
    say(best ? `${best.name}: ${number.format(best.head.tokens)} tokens, the fewest` : `${opened.format} read`)
  } catch (error) {
    failed(error)
  } finally {
    if (mine === sequence) document.body.dataset.state = 'done'
  }
}

const isTextFormat = (name) => about.formats.some((f) => f.text && f.name === name)
const isCore = (name) => about.formats.some((f) => f.name === name && f.core)

// fill asks for each card, first those of the small program.
async function fill(mine, bytes, everywhere) {
  const own = everywhere ? [] : cards.filter((card) => card.format.core)
  own.sort(baseFirst)
  await ask(mine, core, own)
  const others = cards.filter((card) => !own.includes(card)).sort(baseFirst)
  if (!others.length || mine !== sequence) return
  if (!full.started && !everywhere) {
    for (const card of others) card.clear('loading the other formats')
    if (!counting()) return // the vocabulary comes first, and then this again
  }
  await full.start()
  if (!everywhere) {
    const { head } = await full.ask({ op: 'open', from: opened.format }, bytes)
    if (head.error) throw new Error(head.error.message)
  }
  if (others.some((card) => card.format.folds)) await loadVocabulary('o200k_base')
  await ask(mine, full, others)
}

async function ask(mine, program, some) {
  const counter = counting()
  for (const card of some) {
    if (mine !== sequence) return
    const answer = await program.ask({ op: 'card', format: card.name, counter })
    if (mine !== sequence) return
    if (answer.head.error) answer.head = { refused: answer.head.error.message, format: card.name }
    card.show(answer, base())
    latest.first ??= performance.now() - latest.typed
    if (card.name === baseName()) for (const other of cards) other.rebase(base())
    order()
    if (counter && (held || $('text').value !== measured)) result.show(cards.filter((c) => !c.section.classList.contains('old')), base(), false)
    if ($('pieces').checked) await pieces(card)
    await idle()
  }
}

// What the others are compared with: compact JSON, or a text as it is.
const baseName = () => (isText ? 'text' : 'json')
const baseFirst = (a, b) => (b.name === baseName()) - (a.name === baseName())
const base = () => ({ tokens: cards.find((card) => card.name === baseName())?.head?.tokens, name: baseName(), title: isText ? 'the text' : 'compact JSON' })

// order puts the cards as the reader wants them, and moves as few as it can.
function order() {
  const tokens = (card) => card.head?.tokens ?? Infinity
  const wanted = $('sorted').checked ? [...cards].sort((a, b) => tokens(a) - tokens(b)) : cards
  wanted.forEach((card, i) => {
    if ($('cards').children[i] !== card.section) $('cards').insertBefore(card.section, $('cards').children[i] ?? null)
  })
}

async function pieces(card) {
  const counter = counting()
  if (!card.body || card.head.binary || !about.vocabularies.includes(counter)) return
  const { body } = card
  const { head, body: ends } = await core.ask({ op: 'pieces', counter, most: 20000 }, body.subarray(0, 400000))
  if (head.error || card.body !== body) return
  card.draw(new Uint32Array(ends.buffer, 0, ends.length >> 2))
}

// ---- where documents come from

function setText(text) {
  held = undefined
  $('text').readOnly = false
  $('text').value = text
}

// take shows a document that was opened, dropped or pasted.
async function take(name, blob) {
  notice()
  if (blob.size > largest) {
    notice(`${name} has ${number.format(blob.size)} bytes; the page takes at most ${number.format(largest)}. The command takes any: wirekit compare ${name}`)
    return
  }
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text
  try {
    if (bytes.length <= shownInEditor) text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // No text: it is held as bytes.
  }
  $('from').value = ''
  if (text !== undefined) {
    setText(text)
  } else {
    $('text').value = `${name}: ${number.format(bytes.length)} bytes, not shown here. Choose an example or open another file to replace it.`
    $('text').readOnly = true
    held = { name, bytes }
    if (bytes.length > shownInEditor) notice(`${name} is large: each format may take a second or more.`)
  }
  changed(true)
}

function setFormat(name) {
  $('from').value = name
  if ($('from').selectedIndex < 0) $('from').value = ''
}

async function copy({ name, body }) {
  try {
    await navigator.clipboard.writeText(new TextDecoder().decode(body))
    say(`${name} copied`)
  } catch {
    say('The browser does not let the page copy; download the text instead.')
  }
}

// indent writes the document as its format does, JSON with indentation.
async function indent() {
  if (!opened || held || isText) return
  const to = opened.format === 'json' ? 'json:pretty' : opened.format
  const program = isCore(to) ? core : full
  const { head, body } = await program.ask({ op: 'convert', from: opened.format, to }, current)
  if (head.error) throw new Error(head.error.message)
  if (head.binary) return
  setText(new TextDecoder().decode(body))
  changed(true)
}

async function edit(card) {
  if (card.body.length > shownInEditor) await take(card.name, new Blob([card.body]))
  else setText(new TextDecoder().decode(card.body))
  setFormat(card.name)
  changed(true)
  $('text').focus()
  scrollTo({ top: 0 })
}

function addCard(format) {
  if (cards.some((card) => card.name === format.name)) return
  cards.push(new Card(format, {
    edit, copy, say,
    remove(card) {
      removeCard(card.name)
      $('variant').focus()
    },
  }))
}

function removeCard(name) {
  cards.find((card) => card.name === name)?.section.remove()
  cards = cards.filter((card) => card.name !== name)
}

// named is a format, or one folded, by its full name.
function named(name) {
  const plain = name.replace(/\+fold$/, '')
  const format = about.formats.find((f) => f.name === plain)
  return format && plain !== name ? { ...format, name, core: false, variant: true, folds: true } : format
}

// ---- sharing

async function share() {
  if (held) return notice('A document that is not shown in the editor is too long for a link.')
  const state = { text: $('text').value, from: $('from').value, counter: $('counter').value, price: $('price').value, window: $('window').value, variants: cards.filter((c) => c.format.variant).map((c) => c.name) }
  try {
    const fragment = await toFragment(state)
    history.replaceState(null, '', fragment)
    await navigator.clipboard.writeText(location.href).then(
      () => say('The link was copied.'), () => say('The link is in the address bar.'))
    notice()
  } catch (error) {
    notice(error.message)
  }
}

async function fromLink() {
  try {
    const state = await fromFragment(location.hash)
    if (!state) return false
    setText(state.text)
    setFormat(typeof state.from === 'string' ? state.from : '')
    if (about.counters.includes(state.counter)) $('counter').value = state.counter
    for (const id of ['price', 'window']) $(id).value = typeof state[id] === 'string' ? state[id].slice(0, 20) : ''
    for (const name of Array.isArray(state.variants) ? state.variants.slice(0, 40) : []) {
      const format = typeof name === 'string' && named(name)
      if (format?.variant) addCard(format)
    }
    return true
  } catch (error) {
    notice(error.message)
    return false
  }
}

// ---- the frame

function themes() {
  const names = ['system', 'light', 'dark']
  let i = 0
  const set = () => {
    document.documentElement.dataset.theme = names[i]
    $('theme').textContent = 'Theme: ' + names[i]
  }
  try {
    i = Math.max(0, names.indexOf(localStorage.getItem('theme')))
  } catch {
    // No storage: the theme is that of the system.
  }
  set()
  $('theme').onclick = () => {
    i = (i + 1) % names.length
    set()
    try {
      localStorage.setItem('theme', names[i])
    } catch {
      // It is forgotten with the page.
    }
  }
}

function tabs() {
  const all = [...document.querySelectorAll('[role="tab"]')]
  let packs
  const select = (tab) => {
    for (const other of all) {
      const selected = other === tab
      other.setAttribute('aria-selected', selected)
      other.tabIndex = selected ? 0 : -1
      $(other.getAttribute('aria-controls')).hidden = !selected
    }
    if (tab.id === 'tab-pack') packs ??= startPackView({ full, counting, loadVocabulary, notice, say, fetchBytes })
    packs?.render()
  }
  for (const [i, tab] of all.entries()) {
    tab.onclick = () => select(tab)
    tab.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!step) return
      const next = all[(i + step + all.length) % all.length]
      select(next)
      next.focus()
    }
  }
  $('counter').addEventListener('change', async () => {
    try {
      changed(true)
      await loadVocabulary($('counter').value)
      changed(true)
      packs?.render()
    } catch (error) {
      failed(error)
    }
  })
}

function listen() {
  $('text').addEventListener('input', () => changed())
  $('from').addEventListener('change', () => changed(true))
  $('sorted').addEventListener('change', order)
  $('share').onclick = share
  $('indent').onclick = () => indent().catch(failed)
  $('clear').onclick = () => {
    notice()
    setText('')
    changed(true)
    $('text').focus()
  }
  $('examples').addEventListener('click', ({ target }) => {
    const text = about.presets[target.dataset.example]
    if (text === undefined) return
    notice()
    setText(text)
    $('from').value = ''
    changed(true)
  })
  $('variant').addEventListener('change', () => {
    const format = named($('variant').value)
    $('variant').value = ''
    if (!format) return
    addCard(format)
    order()
    cards.at(-1).section.scrollIntoView({ block: 'nearest' })
    changed(true)
  })
  $('pieces').addEventListener('change', async () => {
    try {
      for (const card of cards) {
        if ($('pieces').checked) await pieces(card)
        else if (card.ends) {
          card.ends = undefined
          card.text(4000)
        }
      }
    } catch (error) {
      failed(error)
    }
  })
  $('file').addEventListener('change', () => {
    const [file] = $('file').files
    if (file) take(file.name, file).catch(failed)
    $('file').value = ''
  })
  $('text').addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text.length <= shownInEditor) return
    event.preventDefault()
    take('Pasted text', new Blob([text])).catch(failed)
  })
  addEventListener('dragover', (event) => {
    event.preventDefault()
    $('text').classList.add('over')
  })
  addEventListener('dragleave', () => $('text').classList.remove('over'))
  addEventListener('drop', (event) => {
    event.preventDefault()
    $('text').classList.remove('over')
    const [file] = event.dataTransfer.files
    if (file && $('view-pack').hidden) take(file.name, file).catch(failed)
  })
  addEventListener('hashchange', async () => {
    if (await fromLink()) changed(true)
  })
  for (const program of [core, full]) {
    program.onrestart = (crashed) => {
      if (crashed) notice('The program stopped and was started anew.')
    }
  }
}

function option(value, text = value) {
  return element('option', { value, textContent: text })
}

async function start() {
  themes()
  const begun = core.start()
  const response = await fetch('about.json')
  if (!response.ok) throw new Error(`about.json: ${response.status} ${response.statusText}`)
  about = await response.json()
  $('version').textContent = `wirekit ${about.version}`
  $('counter').append(...about.counters.map((name) => option(name)))
  $('examples').append(...Object.keys(about.presets).map((name) => {
    const chip = element('button', { type: 'button', className: 'chip', textContent: name })
    chip.dataset.example = name
    return chip
  }))
  $('from').append(...about.formats.map((f) => option(f.name)))
  const folded = about.formats.filter((f) => !f.binary && !f.variant && !f.text && !f.name.includes('+')).map((f) => f.name + '+fold')
  $('variant').append(...about.formats.filter((f) => f.variant).map((f) => option(f.name)), ...folded.map((name) => option(name)))
  for (const format of about.formats) if (!format.variant && !format.text) addCard({ ...format, folds: format.name.includes('+') })
  order()
  result = new Result((entry) => copy(entry))
  tabs()
  listen()
  if (!(await fromLink())) {
    setText(about.presets[about.first])
    measured = $('text').value
    result.show(about.result.map(({ head, text }) => ({ name: head.format, head, body: encoder.encode(text) })), base(), true)
  }
  await begun
  document.body.dataset.ready = performance.now().toFixed(0)
  changed(true)
  await loadVocabulary($('counter').value)
  changed(true)
}

// What tests look at.
globalThis.playground = { core, full, cards: () => cards, latest: () => latest }

start().catch((error) => {
  failed(error)
  $('facts').textContent = 'The playground could not be loaded.'
})
