// Texts in no format that their bytes tell: tables of other programs, and what is named
// because it is not read.
const most = 64 << 10 // characters that are looked at

// fields returns the fields of a line, quotation marks around them apart; undefined if a
// mark stays open, which a line end within a cell does.
function fields(line, comma) {
  const cells = line.match(comma === '\t' ? /[^\t]+|(?<=^|\t)(?=\t|$)/g : new RegExp(`"(?:[^"]|"")*"|[^${comma}"]+|(?<=^|${comma})(?=${comma}|$)`, 'g')) ?? []
  const length = cells.reduce((n, cell) => n + cell.length + 1, -1)
  return length === line.length ? cells : undefined
}

// delimited returns the name of the CSV that a text looks like: two lines and more of as
// many fields, below a line of names that differ. Prose has a blank after its commas.
function delimited(text) {
  const lines = []
  for (const line of text.slice(0, most).split(/\r?\n/)) {
    if (lines.at(-1)?.replaceAll(/[^"]/g, '').length % 2) lines.push(lines.pop() + '\n' + line) // within quotation marks
    else lines.push(line)
  }
  if (text.length > most) lines.pop()
  while (lines.at(-1) === '') lines.pop()
  if (lines.length < 2) return ''
  for (const [comma, name] of [['\t', 'csv:tsv'], [';', 'csv:semicolon'], [',', 'csv']]) {
    const names = fields(lines[0], comma)
    if (!names || names.length < 2 || new Set(names).size < names.length || names.some((n) => !n.trim() || /^[\s\d]/.test(n))) continue
    if (lines.every((line) => fields(line, comma)?.length === names.length)) return name
  }
  return ''
}

// tableOf returns what a text without a format is to be read as: the name of a format, the
// text in it, and in words what was seen. Texts that stay texts may have a hint.
export function tableOf(text) {
  if (/^\s*<(?:!doctype|html|table|meta|div|body)\b/i.test(text) && /<table\b/i.test(text)) {
    const rows = [...new DOMParser().parseFromString(text, 'text/html').querySelector('table').rows]
    const cell = (c) => `"${c.textContent.trim().replaceAll('"', '""')}"`
    return { from: 'csv', text: rows.map((row) => [...row.cells].map(cell).join(',') + '\n').join(''), seen: 'the first table of HTML' }
  }
  const from = delimited(text)
  if (from) return { from, text, seen: 'it looks like a table' }
  if (/^\s*<[?a-z!]/i.test(text)) return { hint: 'It looks like XML or HTML, which is not read: convert it first, as with yq -p xml -o json.' }
  if (/^(?:\s*(?:#.*|\[.*\].*)?\n)*\s*[\w."'-]+[ \t]+=[ \t]+(?:["'[{\d+-]|true|false)/.test(text)) return { hint: 'It looks like TOML, which is not read: convert it first, as with yq -p toml -o json.' }
  return {}
}
