package toon

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// Most rows are plain: their cells have no spaces around them, and the next
// row is at the same depth. Those are parsed in one pass, from the
// first byte of a line to its end, which is found on the way. What is not plain,
// or wrong, is left to the functions that take a line apart; these find all
// errors.

// plainRows parses rows from the current line on, as long as they are plain, and
// appends them to rows. The line after them is the current one then; it is the
// same as before if there are none.
func (p *parser) plainRows(rows *rowList, h *header, depth int) (n int) {
	if !p.takesPlain(h) {
		return 0
	}
	for {
		v, end := p.plainRow(h, p.line.text)
		if end < 0 {
			break
		}
		rows.add(p, v)
		n++
		if !p.plainNext(end, depth) {
			return n
		}
	}
	p.whole()
	return n
}

// singleRow parses the current line as a row, plain or not.
func (p *parser) singleRow(h *header) (wire.Value, bool) {
	if p.takesPlain(h) {
		if v, end := p.plainRow(h, p.line.text); end >= 0 {
			return v, true
		}
	}
	return p.row(h)
}

// plainFields parses fields from i in the current line on, which are at the
// depth, as long as they are plain: values that begin one space after the colon
// and have none after them. It parses the field after them, too, if there is
// one.
func (p *parser) plainFields(o *wire.ObjectBuilder, i, depth int) bool {
	for ; ; i = p.line.text {
		var key string
		stop := p.KeyIn(o, p.s, i, ':')
		if stop >= 0 {
			key = p.s[i:stop]
		} else if stop = p.keyEnd(i); p.s[stop] != ':' {
			return p.field(o, i, stop, depth)
		} else {
			var ok bool
			if key, ok = p.keyToken(i, stop); !ok || !p.member(o, key, i) {
				return false
			}
		}
		v, end := p.plainRest(stop)
		if end < 0 {
			return p.rest(o, key, stop, depth)
		}
		if p.Put(o, v); !p.plainNext(end, depth) {
			return true
		}
	}
}

// plainRest parses what comes after the colon of a field if it is a plain value, with one space
// before it and none after it, and returns where the line ends; else -1.
func (p *parser) plainRest(colon int) (wire.Value, int) {
	i := colon + 2
	if p.s[i-1] != ' ' || p.s[i] == '[' || p.s[i] == '\n' || p.values == 0 || p.shift != 0 {
		return wire.Value{}, -1
	}
	v, end := p.plainCell(i, lineEnds)
	if end >= 0 {
		p.values--
	}
	return v, end
}

// rest parses what comes after the colon of the field with the key, at the
// depth, and the lines below that belong to it.
func (p *parser) rest(o *wire.ObjectBuilder, key string, colon, depth int) bool {
	i := colon + 1
	if p.s[i] == '\n' && p.shift == 0 {
		p.plainNext(i, depth+1)
	} else {
		p.whole()
		end := p.line.end
		if i = p.skipSpaces(i, end); i < end {
			v, ok := p.lineRest(i, end)
			return p.put(o, key, v, ok)
		}
		p.advance()
	}
	v, ok := p.nested(i, depth+1)
	return p.put(o, key, v, ok)
}

// keyEnd returns where the search for the colon of a field that begins at i has
// its first stop: after a quoted key, or at the first colon, bracket, quotation
// mark or line end.
func (p *parser) keyEnd(i int) int {
	if p.s[i] == '"' {
		if end := scan.StringEnd(p.s, i+1); p.s[end] == '"' {
			return end + 1
		}
		return i
	}
	return lineStop(p.s, i, colons, brackets)
}

// takesPlain reports whether rows below the header can be plain.
func (p *parser) takesPlain(h *header) bool {
	return p.shift == 0 && h.list.unique && p.depth >= h.list.height
}

// whole makes the end of the current line known, if only its beginning is.
func (p *parser) whole() {
	l := &p.line
	if l.end != 0 {
		return
	}
	end := lineEnd(p.s, l.text)
	p.next = end + 1
	if p.s[end-1] == '\r' {
		end--
	}
	for p.s[end-1] == ' ' {
		end--
	}
	l.end = end
}

// plainNext ends the current line at end and makes the next one current, of which only
// the beginning is known then, as a rule. It reports whether that may be a plain line at
// the depth.
func (p *parser) plainNext(end, depth int) bool {
	start := end + 1
	p.next = start
	i := start + depth*p.unit
	same := i < p.end && indented(p.s, start, i-start)
	if !same {
		i = p.skipSpaces(start, p.end)
		if depth = (i - start) / p.unit; i >= p.end || i-start != depth*p.unit {
			p.advance()
			return false
		}
	}
	switch p.s[i] {
	case ' ', '\t', '\r', '\n', '#':
		p.advance()
		return false
	}
	p.line = line{start: start, text: i, depth: depth}
	p.blank = -1
	return same
}

// indented reports whether n spaces are at i, which is in the text.
func indented(s string, i, n int) bool {
	if n <= 8 {
		return (scan.Load64(s, i)^' '*scan.Ones)<<(64-8*n) == 0
	}
	return n <= len(spaces) && s[i:i+n] == spaces[:n]
}

// plainRow parses the row s[i:], up to the end of its line, which it returns; -1
// if it is not plain, as one is not that could be a field, with a colon in its first cell.
func (p *parser) plainRow(h *header, i int) (wire.Value, int) {
	if p.s[lineStop(p.s, i, uint64(h.delim)*scan.Ones, colons)] == ':' {
		return wire.Value{}, -1
	}
	return p.plainEntry(h, i)
}

// plainEntry is plainRow for the cells of an entry.
func (p *parser) plainEntry(h *header, i int) (wire.Value, int) {
	list := h.list
	values := list.leaves + list.groups + 1
	if p.values < values || p.groups < list.groups {
		return wire.Value{}, -1
	}
	v, end := p.plainRecord(list, i, uint64(h.delim)*scan.Ones)
	if end < 0 || p.s[end] != '\n' {
		return wire.Value{}, -1
	}
	p.values -= values
	p.groups -= list.groups
	return v, end
}

// plainRecord parses the cells of a field list from i on.
func (p *parser) plainRecord(list *fieldList, i int, delims uint64) (wire.Value, int) {
	slots := p.Slots(len(list.fields))
	if list.groups == 0 {
		i = p.plainCells(slots, i, delims)
	} else {
		for k := 0; k < len(slots) && i >= 0; k++ {
			if k > 0 && p.s[i] != byte(delims) {
				i = -1
				break
			}
			if k > 0 {
				i++
			}
			if group := list.fields[k].group; group != nil {
				slots[k], i = p.plainRecord(group, i, delims)
			} else {
				slots[k], i = p.plainCell(i, delims)
			}
		}
	}
	if i < 0 {
		p.RowOf(noKeys, slots) // gives them back
		return wire.Value{}, -1
	}
	return p.RowOf(list.keys, slots), i
}

var noKeys, _ = wire.NewKeys()

// What a cell can be, by its first byte.
const (
	cellOther  = iota
	cellText   // a string without quotes
	cellWord   // that, or true, false or null
	cellNumber // a number, or a string without quotes
)

var cellStart = func() (t [256]uint8) {
	for c := range t {
		if c > ' ' && class[c]&classSpecial == 0 {
			t[c] = cellText
		}
	}
	for _, c := range "tfn" {
		t[c] = cellWord
	}
	for _, c := range "-0123456789" {
		t[c] = cellNumber
	}
	t[','], t['|'] = cellOther, cellOther
	return t
}()

// plainCells parses cells from i on, as many as there are slots, and returns where
// the last one ends; -1 if they are not plain, or too few. What it does for most
// cells is in its loop, so that it needs no call.
func (p *parser) plainCells(slots []wire.Value, i int, delims uint64) int {
	s, delim := p.s, byte(delims)
	for k := range slots {
		if k > 0 && s[i-1] != delim {
			return -1
		}
		switch start := cellStart[s[i]]; start {
		case cellNumber:
			if n, end, whole := scan.Decimal(s, i); end > 0 && (s[end] == delim || s[end] == '\n') {
				if whole {
					slots[k] = wire.Int(n)
				} else {
					slots[k] = builder.NumberText(s[i:end])
				}
				i = end + 1
				continue
			}
		case cellWord, cellText:
			if start == cellWord {
				if v, n := word(scan.Load64(s, i), delim); n > 0 {
					slots[k] = v
					i += n + 1
					continue
				}
			}
			end := i
			for {
				w := scan.Load64(s, end)
				stop := (w ^ delims - scan.Ones) | (w ^ quotes - scan.Ones) | (w ^ lineEnds - scan.Ones)
				if stop &= scan.Highs &^ w; stop != 0 {
					end += bits.TrailingZeros64(stop) / 8
					break
				}
				end += 8
			}
			last := s[end-1]
			if s[end] == '"' || last == ' ' || last == '\r' {
				return -1
			}
			slots[k], i = wire.String(s[i:end]), end+1
			continue
		}
		if slots[k], i = p.plainCell(i, delims); i < 0 {
			return -1
		}
		i++
	}
	return i - 1
}

// word returns what a text means that begins with the eight bytes of w, if that is
// true, false or null up to a delimiter or line end, and its length; 0 if it
// is none of them.
func word(w uint64, delim byte) (wire.Value, int) {
	switch uint32(w) {
	case 't' | 'r'<<8 | 'u'<<16 | 'e'<<24:
		if c := byte(w >> 32); c == delim || c == '\n' {
			return wire.Bool(true), 4
		}
	case 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24:
		if c := byte(w >> 32); c == delim || c == '\n' {
			return wire.Null(), 4
		}
	case 'f' | 'a'<<8 | 'l'<<16 | 's'<<24:
		if c := byte(w >> 40); byte(w>>32) == 'e' && (c == delim || c == '\n') {
			return wire.Bool(false), 5
		}
	}
	return wire.Value{}, 0
}

// plainCell parses the cell that begins at i and returns where it ends: at a
// delimiter or at the end of the line; -1 if it is not plain.
func (p *parser) plainCell(i int, delims uint64) (wire.Value, int) {
	s := p.s
	switch c := s[i]; {
	case c-'0' <= 9 || c == '-':
		if v, end := builder.Decimal(s, i); end > 0 && (s[end] == byte(delims) || s[end] == '\n') {
			return v, end
		}
	case c == '"':
		end := scan.StringEnd(s, i+1)
		switch {
		case s[end] == '"':
			if next := s[end+1]; next == byte(delims) || next == '\n' {
				return wire.String(s[i+1 : end]), end + 1
			}
		case s[end] == '\\':
			return p.escapedCell(i, delims)
		}
		return wire.Value{}, -1
	case c == ' ':
		return wire.Value{}, -1
	}
	end := lineStop(p.s, i, delims, delims)
	if s[end] != byte(delims) && s[end] != '\n' {
		return wire.Value{}, -1
	}
	if end > i {
		if last := s[end-1]; last == ' ' || last == '\r' {
			return wire.Value{}, -1
		}
	}
	return plainValue(s[i:end]), end
}

// escapedCell is plainCell for a quoted string with escapes.
func (p *parser) escapedCell(i int, delims uint64) (wire.Value, int) {
	text, end := p.quoted(i, p.end)
	if end < 0 {
		p.err = nil // which is found again, with its path
		return wire.Value{}, -1
	}
	if c := p.s[end]; c != byte(delims) && c != '\n' {
		return wire.Value{}, -1
	}
	return wire.String(text), end
}

// plainInline parses an array in its header's line if its elements are plain and as many
// as the header says.
func (p *parser) plainInline(h *header, end int) (v wire.Value, ok bool) {
	if p.depth == 0 || h.n == 0 || h.n >= p.values || h.n > end-h.rest+1 {
		return v, false
	}
	v, end = p.plainArray(h.n, h.rest, uint64(h.delim)*scan.Ones)
	return v, end >= 0
}

// plainItems parses list items from the current line on that are arrays with the
// header that the parser saw last, as long as they are plain, and appends them to
// items.
func (p *parser) plainItems(items *rowList, depth int) (n int) {
	h := &p.inlined
	if h.text == "" || p.shift != 0 || p.depth == 0 {
		return 0
	}
	delims := uint64(h.delim) * scan.Ones
	for {
		i := p.line.text
		next := i + 2 + len(h.text)
		if next > p.end || p.s[i] != '-' || p.s[i+1] != ' ' || p.s[i+2:next] != h.text || p.values <= h.n {
			break
		}
		if p.s[next] == '\n' {
			break // a header without values, of which one empty cell is none
		}
		v, end := p.plainArray(h.n, next, delims)
		if end < 0 {
			break
		}
		if items.rows == nil {
			p.Push(v)
		} else {
			items.rows = append(items.rows, v) // without a call
		}
		n++
		if !p.plainNext(end, depth) {
			return n
		}
	}
	p.whole()
	return n
}

// plainArray parses the n elements of an array from i to the end of the line, which it
// returns; -1 if they are not plain, or not as many.
func (p *parser) plainArray(n, i int, delims uint64) (wire.Value, int) {
	elements := p.Elements(n)
	end := p.plainCells(elements, i, delims)
	if end < 0 || p.s[end] != '\n' {
		p.Untake(elements)
		return wire.Value{}, -1
	}
	p.values -= n + 1
	return p.ArrayOf(elements), end
}

// inlined is a header without a field list, such as "[2]: ", whose elements stand
// in its line.
type inlined struct {
	text  string
	n     int
	delim byte
}

// maxInlined is the number of elements up to which a header is kept.
const maxInlined = 64

// A rowList gathers the rows of a table, or the items of a list: in memory that is theirs from the
// beginning if the header's number can be right, else on the parser's stack.
type rowList struct {
	mark int
	rows []wire.Value // nil: they are on the stack
}

// fewRows is the number up to which rows are gathered on the stack.
const fewRows = 64

// rowList begins a list of n rows at the depth, if the header is right.
func (p *parser) rowList(n, depth int) rowList {
	l := rowList{mark: p.Mark()}
	// A row takes its indentation, a cell or delimiter and a line end, an item its
	// hyphen.
	if n > fewRows && n <= p.rowBudget && n <= (p.end-p.line.start)/(depth*p.unit+2)+1 {
		p.rowBudget -= n
		l.rows = p.Elements(n)[:0:n]
	}
	return l
}

func (l *rowList) add(p *parser, v wire.Value) {
	if l.rows == nil {
		p.Push(v)
	} else {
		l.rows = append(l.rows, v)
	}
}

// put adds the row of that number, if it is one.
func (l *rowList) put(p *parser, v wire.Value, ok bool, n int) bool {
	if !ok {
		wire.AtIndex(p.err, n)
		return false
	}
	l.add(p, v)
	return true
}

// array returns the array of the rows.
func (l *rowList) array(p *parser) wire.Value {
	if l.rows == nil {
		return p.Array(l.mark)
	}
	p.rowBudget += len(l.rows)
	return wire.Array(l.rows...)
}

// rowBudget is how many rows may be given memory because a header declares them,
// and then not be there.
func rowBudget(text int) int { return text/2 + fewRows }

var spaces = strings.Repeat(" ", maxIndent)
