// The answer: which format takes the fewest tokens, the others by rank, and the winner's
// text beside the document's.
import { element, fillText, prefix } from './cards.js'

const $ = (id) => document.getElementById(id)
const number = new Intl.NumberFormat('en')
const most = 20000 // bytes of a text that are shown here

// amount returns the number that a reader has typed, undefined if it is none.
function amount(id) {
  const n = Number($(id).value.replaceAll(/[ ,_]/g, ''))
  $(id).setAttribute('aria-invalid', $(id).value !== '' && !(n > 0))
  return n > 0 ? n : undefined
}

export function difference(tokens, base) {
  const saving = 100 * (1 - tokens / base)
  return saving > 0 ? `${saving.toFixed(1)} % fewer` : saving < 0 ? `${(-saving).toFixed(1)} % more` : 'the same'
}

// candidates are the entries that a model can be given, the fewest tokens first.
export function ranked(entries) {
  const counted = entries.filter((e) => e.head?.tokens !== undefined && !e.head.binary)
  return counted.sort((a, b) => a.head.tokens - b.head.tokens)
}

export class Result {
  #entries = []
  #base
  #chosen // the name of the format that the reader has asked to see
  #best
  #final

  constructor(copy) {
    $('winner-copy').onclick = () => copy(this.#best)
    for (const id of ['price', 'window']) $(id).addEventListener('input', () => this.#draw())
  }

  // show draws entries, which have a name, a head and a body as cards do; base has the name
  // of the one that the others are compared with and what that is called. final is false
  // while some are missing.
  show(entries, base, final) {
    this.#entries = entries
    this.#base = base
    this.#final = final
    this.#draw()
  }

  hide() {
    $('result').hidden = true
    this.#chosen = undefined
  }

  age() {
    $('result').classList.add('old')
  }

  #draw() {
    const all = ranked(this.#entries)
    const base = all.find((e) => e.name === this.#base.name)
    $('result').hidden = !base
    if (!base) return
    $('result').classList.remove('old')
    const best = all.find((e) => e.head.lossless && e.head.tokens < base.head.tokens) ?? base
    this.#best = best
    const saves = best !== base
    if (!this.#final && !saves) $('winner').replaceChildren('Measuring…')
    else $('winner').replaceChildren(
      this.#final ? '' : 'So far: ',
      element('strong', { textContent: saves ? best.name : this.#base.title }),
      saves ? ` takes the fewest tokens, ${number.format(best.head.tokens)}: ${difference(best.head.tokens, base.head.tokens)} than ${this.#base.title}` : ' takes the fewest tokens: nothing can be saved here')
    $('winner-note').textContent = !saves ? '' : best.head.loss ? `Without loss; ${best.head.loss} changes.` : 'Without loss: it decodes to the same document.'
    this.#rows(all, base, best)
    const names = (some) => some.map((e) => e.name).join(', ')
    const binary = this.#entries.filter((e) => e.head?.binary)
    $('binary').textContent = binary.length ? `Binary, not for models: ${names(binary)}.` : ''
    const refused = this.#entries.filter((e) => e.head?.refused)
    $('refused').hidden = !refused.length
    $('refused').firstElementChild.textContent = `Not for this document: ${names(refused)}`
    $('refused').lastElementChild.replaceChildren(...refused.map((e) => element('li', { textContent: `${e.name}: ${e.head.refused}` })))
    const right = all.find((e) => e.name === this.#chosen) ?? (saves ? best : all.find((e) => e !== base) ?? base)
    this.#text('left', base)
    this.#text('right', right)
  }

  #rows(all, base, best) {
    const price = amount('price')
    const size = amount('window')
    const columns = ['Format', 'Tokens', '', 'against ' + this.#base.title, ...(price ? ['1,000 times'] : []), ...(size ? ['of the window'] : [])]
    $('ranks-head').replaceChildren(element('tr', {}, ...columns.map((c) => c ? element('th', { scope: 'col', textContent: c }) : element('td'))))
    const longest = all.at(-1).head.tokens
    $('ranks').replaceChildren(...all.map((e) => {
      const { tokens, lossless, loss } = e.head
      const bar = element('span', { className: 'bar-of' + (e === best ? ' best' : '') })
      bar.style.width = `${100 * tokens / longest}%`
      const show = element('button', { type: 'button', textContent: e.name, onclick: () => { this.#chosen = e.name; this.#draw(); $('right').scrollIntoView({ block: 'nearest' }) } })
      show.setAttribute('aria-label', `Show the text in ${e.name}`)
      const text = e === base ? '' : difference(tokens, base.head.tokens)
      const cells = [
        element('td', { textContent: number.format(tokens) }), element('td', { className: 'chart' }, bar),
        element('td', { textContent: text + (lossless ? '' : ` (loses ${loss})`), className: !lossless ? 'soft' : tokens < base.head.tokens ? 'less' : 'soft' }),
      ]
      if (price) cells.push(element('td', { textContent: (tokens * price / 1000).toLocaleString('en', { maximumSignificantDigits: 3 }) }))
      if (size) cells.push(element('td', { textContent: `${(100 * tokens / size).toLocaleString('en', { maximumSignificantDigits: 2 })} %` }))
      return element('tr', {}, element('th', { scope: 'row' }, show), ...cells)
    }))
  }

  #text(side, entry) {
    $(side + '-title').textContent = `${entry.name === this.#base.name ? this.#base.title : entry.name}, ${number.format(entry.head.tokens)} tokens`
    fillText($(side), prefix(entry.body, most) + (entry.body.length > most ? '…' : ''))
  }
}
