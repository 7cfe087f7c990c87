// The view of context packs: files with priorities, a budget, and what is shown.
import { element } from './cards.js'
import { isStale } from './program.js'

const $ = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const priorities = ['', 'critical', 'high', 'normal', 'low', 'background']
const largest = 20_000_000

export function startPackView({ full, counting, loadVocabulary, notice, say, fetchBytes }) {
  const files = new Map() // path to { path, bytes, priority }
  let text = ''
  let asked = 0
  let packed
  let wanted = false // the example was asked for

  const failed = (error) => {
    if (!isStale(error)) notice(error.message)
  }

  function add(path, bytes) {
    let total = bytes.length
    for (const file of files.values()) if (file.path !== path) total += file.bytes.length
    if (total > largest) return notice(`The files would have ${number.format(total)} bytes; the page takes at most ${number.format(largest)}.`)
    notice()
    files.set(path, { path, bytes, priority: files.get(path)?.priority ?? '' })
  }

  // repack packs the files again, and renders.
  async function repack() {
    list()
    packed = undefined
    if (!files.size) {
      $('rendered').textContent = ''
      $('budget').disabled = true
      $('budget-text').textContent = 'no files'
      $('pack-shown').textContent = ''
      $('pack-left').textContent = ''
      return
    }
    await pack(true)
    await render()
  }

  async function pack(fresh) {
    const all = [...files.values()]
    const body = new Uint8Array(await new Blob(all.map((file) => file.bytes)).arrayBuffer())
    const { head } = await full.ask({ op: 'pack', files: all.map((file) => ({ path: file.path, bytes: file.bytes.length, priority: file.priority })) }, body)
    if (head.error) throw new Error(head.error.message)
    packed = head
    const left = head.skipped.map((l) => `${l.path} (${l.reason})`)
    const masked = head.masked.map((s) => `${s.path}:${s.line} (${s.rule})`)
    $('pack-left').textContent = [left.length && 'Left out: ' + left.join(', '), masked.length && 'Masked: ' + masked.join(', ')].filter(Boolean).join('. ')
    if (!fresh) return
    const whole = await full.ask({ op: 'render', counter: counting(), mode: $('mode').value })
    if (whole.head.error) throw new Error(whole.head.error.message)
    $('budget').max = whole.head.tokens
    $('budget').value = whole.head.tokens
    $('budget').disabled = false
  }

  async function render() {
    if (!files.size) return
    const mine = ++asked
    try {
      if (!packed) await pack(true)
      const budget = Number($('budget').value)
      $('budget-text').textContent = `${number.format(budget)} tokens`
      const { head, body } = await full.ask({ op: 'render', counter: counting(), mode: $('mode').value, budget })
      if (mine !== asked) return
      if (head.error) {
        text = ''
        $('rendered').textContent = head.error.message
        levels([])
        return
      }
      text = decoder.decode(body)
      $('rendered').textContent = text.slice(0, 100000) + (text.length > 100000 ? '…' : '')
      $('budget-text').textContent = `${number.format(head.tokens)} of ${number.format(budget)} tokens`
      levels(head.files)
      say(`${head.files.filter((f) => f.level === 'full').length} of ${head.files.length} files in full`)
    } catch (error) {
      failed(error)
    }
  }

  function levels(shown) {
    const of = new Map(shown.map((f) => [f.path, f.level]))
    for (const row of $('pack-files').rows) row.cells[2].textContent = of.get(row.dataset.path) ?? 'not shown'
    const counts = { full: 0, summary: 0, omitted: 0 }
    for (const path of files.keys()) {
      const level = of.get(path) ?? 'omitted'
      counts[level] = (counts[level] ?? 0) + 1
    }
    const words = { full: 'in full', omitted: 'omitted' }
    $('pack-shown').textContent = `${number.format(files.size)} files: ` + Object.entries(counts).filter(([, n]) => n).map(([level, n]) => `${n} ${words[level] ?? 'by ' + level}`).join(', ')
  }

  function list() {
    $('pack-files').replaceChildren(...[...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).map((file) => {
      const select = element('select', {}, ...priorities.map((p) => element('option', { value: p, textContent: p || 'automatic' })))
      select.value = file.priority
      select.setAttribute('aria-label', `Priority of ${file.path}`)
      select.onchange = async () => {
        file.priority = select.value
        try {
          await pack(false)
          await render()
        } catch (error) {
          failed(error)
        }
      }
      const remove = element('button', {
        type: 'button', textContent: '×',
        onclick: () => {
          files.delete(file.path)
          repack().catch(failed)
          $('pack-clear').focus()
        },
      })
      remove.setAttribute('aria-label', `Remove ${file.path}`)
      const row = element('tr', {}, element('th', { scope: 'row', textContent: file.path }), element('td', { textContent: number.format(file.bytes.length) }),
        element('td'), element('td', {}, select), element('td', {}, remove))
      row.dataset.path = file.path
      return row
    }))
  }

  async function addFiles(some) {
    for (const file of some) {
      if (file.size > largest) notice(`${file.name} has ${number.format(file.size)} bytes; the page takes at most ${number.format(largest)}.`)
      else add(file.webkitRelativePath || file.name, new Uint8Array(await file.arrayBuffer()))
    }
    await repack()
  }

  for (const id of ['pack-file', 'pack-folder']) $(id).addEventListener('change', () => addFiles([...$(id).files]).catch(failed))
  addEventListener('drop', (event) => {
    if (!$('view-pack').hidden) addFiles([...event.dataTransfer.files]).catch(failed)
  })
  $('pack-form').addEventListener('submit', (event) => {
    event.preventDefault()
    add($('pack-path').value.trim(), encoder.encode($('pack-text').value))
    $('pack-form').reset()
    repack().catch(failed)
  })
  $('pack-clear').onclick = () => {
    files.clear()
    repack().catch(failed)
  }
  // example adds the files of the example; part is the share of their tokens that is shown.
  async function example(part = 1) {
    try {
      for (const [path, content] of Object.entries(JSON.parse(decoder.decode(await fetchBytes('pack.json'))))) add(path, encoder.encode(content))
      await repack()
      if (part === 1 || wanted) return
      $('budget').value = Math.round(part * $('budget').max)
      await render()
    } catch (error) {
      failed(error)
    }
  }
  $('pack-example').onclick = () => {
    wanted = true
    return example()
  }
  $('pack-copy').onclick = () => navigator.clipboard.writeText(text).then(() => say('The text was copied.'), () => say('The browser does not let the page copy.'))
  let soon
  $('budget').addEventListener('input', () => {
    $('budget-text').textContent = `${number.format(Number($('budget').value))} tokens`
    clearTimeout(soon)
    soon = setTimeout(render, 60)
  })
  $('mode').addEventListener('change', () => repack().catch(failed))
  full.start().then(() => loadVocabulary($('counter').value)).then(() => { if (!files.size) return example(0.4) }).catch(failed)
  const restarted = full.onrestart
  full.onrestart = (crashed) => {
    restarted(crashed)
    packed = undefined
  }
  return { render }
}
