// The cards: one section for each format, with its figures, its text and what can be
// done with it.
const number = new Intl.NumberFormat('en')
const decoder = new TextDecoder()
const first = 4000 // characters of a text that are shown at once
const most = 200000
const mostPieces = 20000

export function element(tag, properties = {}, ...children) {
  const e = Object.assign(document.createElement(tag), properties)
  e.append(...children)
  return e
}

export function download(bytes, name) {
  const link = element('a', { href: URL.createObjectURL(new Blob([bytes])), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

// fillText puts a text into an element, whose rows do not wrap unless it is one line.
export function fillText(pre, text) {
  pre.textContent = text
  pre.classList.toggle('line', !text.trimEnd().includes('\n'))
}

// prefix returns the beginning of a text of bytes, whole characters of it.
export function prefix(bytes, length) {
  if (bytes.length <= length) return decoder.decode(bytes)
  while (length > 0 && (bytes[length] & 0xc0) === 0x80) length--
  return decoder.decode(bytes.subarray(0, length))
}

function hex(bytes) {
  const lines = []
  for (let i = 0; i < Math.min(bytes.length, 256); i += 16) {
    lines.push(Array.from(bytes.subarray(i, i + 16), (b) => b.toString(16).padStart(2, '0')).join(' '))
  }
  return lines.join('\n') + (bytes.length > 256 ? '\n…' : '')
}

export class Card {
  // actions has edit(card), copy(card), remove(card) and say(text).
  constructor(format, actions) {
    this.format = format
    this.name = format.name
    this.actions = actions
    const id = 'card-' + format.name.replaceAll(/[^a-z0-9]/g, '-')
    this.badge = element('span', { className: 'badge waiting', textContent: 'waiting' })
    this.figures = element('dl', { className: 'figures' })
    this.pre = element('pre', { tabIndex: 0 })
    this.pre.setAttribute('role', 'group')
    this.pre.setAttribute('aria-label', `Text in ${format.name}`)
    this.all = this.button('Show all', () => this.showAll())
    this.buttons = [
      this.button('Edit this', () => actions.edit(this)),
      this.button('Copy', () => actions.copy(this)),
      this.button('Download', () => download(this.body, 'document.' + this.name.replaceAll(/[:+]/g, '-'))),
      this.all,
    ]
    const bar = element('div', { className: 'bar' }, ...this.buttons)
    if (format.variant) bar.append(this.button('Remove', () => actions.remove(this)))
    this.section = element('section', { className: 'card' },
      element('div', { className: 'top' },
        element('h3', { id, textContent: format.name }),
        element('span', { className: 'title', textContent: format.title }), this.badge),
      this.figures, this.pre, bar)
    this.section.setAttribute('aria-labelledby', id)
    this.section.dataset.format = format.name
    this.clear('waiting')
  }

  button(text, act) {
    const b = element('button', { type: 'button', textContent: text, onclick: act })
    b.setAttribute('aria-label', `${text}: ${this.name}`)
    return b
  }

  // clear takes the text away; why is what the badge says.
  clear(why) {
    this.head = undefined
    this.body = undefined
    this.badge.className = 'badge waiting'
    this.badge.textContent = why
    this.section.hidden = false
    this.figures.replaceChildren()
    this.pre.hidden = true
    for (const b of this.buttons) b.hidden = true
    this.section.classList.remove('old', 'open')
  }

  // age marks what is shown as that of an earlier document.
  age() {
    if (this.head) this.section.classList.add('old')
  }

  // show shows an answer. base has the title and, where they are known, the tokens of what it is compared with.
  show({ head, body }, base) {
    this.section.classList.remove('old', 'open')
    this.head = head
    this.body = body
    this.ends = undefined
    if (head.refused) {
      this.clear('')
      this.head = head
      this.badge.className = 'badge refused'
      this.badge.textContent = 'refused: ' + head.refused
      this.section.hidden = !this.format.variant // the result names it
      return
    }
    this.judge()
    this.figure(base)
    for (const b of this.buttons) b.hidden = false
    this.buttons[0].hidden = head.binary
    this.buttons[1].hidden = head.binary
    this.pre.hidden = false
    this.text(first)
  }

  judge() {
    const { head } = this
    const lost = head.loss ? `${head.loss}${head.loss_at ? ' at ' + head.loss_at : ''}` : ''
    this.badge.className = 'badge ' + (head.lossless ? 'lossless' : 'loses')
    this.badge.textContent = !head.lossless ? 'loses ' + lost : lost ? `lossless; changes ${lost}` : 'lossless'
    if (head.binary) this.badge.textContent += ', binary: not for models'
  }

  figure(base) {
    const { head } = this
    const rows = []
    if (head.tokens !== undefined) {
      rows.push(['tokens', number.format(head.tokens) + (head.exact ? '' : ' (estimate)')])
      if (base?.tokens) {
        const saving = 100 * (1 - head.tokens / base.tokens)
        const text = saving > 0 ? `${saving.toFixed(1)} % fewer` : saving < 0 ? `${(-saving).toFixed(1)} % more` : 'the same'
        rows.push(['against ' + base.title, text, saving > 0 ? 'less' : ''])
      }
    }
    rows.push(['bytes', number.format(head.bytes)], ['gzip', number.format(head.gzip)])
    this.figures.replaceChildren(...rows.map(([term, value, className = '']) =>
      element('div', {}, element('dt', { textContent: term }), element('dd', { textContent: value, className }))))
  }

  // rebase draws the figures again once those tokens are known.
  rebase(base) {
    if (this.head && !this.head.refused) this.figure(base)
  }

  text(length) {
    fillText(this.pre, this.head.binary ? hex(this.body) : prefix(this.body, length) + (this.body.length > length ? '…' : ''))
    this.all.hidden = this.head.binary || this.body.length <= first
  }

  showAll() {
    this.section.classList.add('open')
    this.text(most)
    this.all.hidden = true
    if (this.body.length > most) this.actions.say(`${this.name}: the first ${number.format(most)} bytes are shown; download has all`)
    if (this.ends) this.draw(this.ends, most)
  }

  // draw shows the tokens as pieces, a part of them with every frame.
  draw(ends, length = first) {
    this.ends = ends
    const text = prefix(this.body, length)
    const { body } = this
    this.pre.textContent = ''
    let from = 0
    let i = 0
    let drawn = 0
    const part = () => {
      if (this.body !== body || this.ends !== ends) return
      const pieces = document.createDocumentFragment()
      for (const stop = Math.min(ends.length, drawn + 400, mostPieces); i < stop && from < text.length;) {
        let n = 1
        while (i + n < ends.length && ends[i + n] === ends[i]) n++
        const piece = element('span', { className: 'p' + (drawn++ % 4), textContent: text.slice(from, ends[i]) })
        if (n > 1) {
          piece.classList.add('many')
          piece.dataset.n = n
          piece.title = `${n} tokens`
        }
        pieces.append(piece)
        from = ends[i]
        i += n
      }
      this.pre.append(pieces)
      if (i < Math.min(ends.length, mostPieces) && from < text.length) requestAnimationFrame(part)
      else this.pre.append(from < text.length || text.length < ends.at(-1) ? '…' : '')
    }
    part()
  }
}
