package toon

import (
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// scope parses the lines one level below a header, at the depth: rows, entries or items, which
// is what they are called. each parses those that begin with the current line, before which
// there are n, and returns how many it has parsed.
func (p *parser) scope(h *header, depth int, what string, each func(n int) (int, bool)) bool {
	if !p.enter(h.at) {
		return false
	}
	jump, ok := p.open(depth)
	if !ok {
		return false
	}
	n := 0
	for p.line.depth == depth && (what != items || p.isItem()) {
		if !p.take() {
			return false
		}
		if n == 0 {
			p.spans++
		}
		more, ok := each(n)
		if !ok {
			return false
		}
		n += more
	}
	if p.line.depth >= depth {
		return p.noItem(depth)
	}
	if n > 0 {
		p.spans--
	}
	if !p.closeScope(depth, jump) || !p.counted(h, n, what, true) {
		return false
	}
	p.leave()
	return true
}

// What is in a scope.
const (
	rows    = "row"
	entries = "entry"
	items   = "item"
)

// rows parses the rows of a table, at the depth.
func (p *parser) rows(h *header, depth int) (wire.Value, bool) {
	list := p.rowList(h.n, depth)
	ok := p.scope(h, depth, rows, func(n int) (int, bool) {
		if plain := p.plainRows(&list, h, depth); plain > 0 {
			return plain, true
		}
		v, ok := p.row(h)
		p.advance()
		return 1, list.put(p, v, ok, n)
	})
	return list.array(p), ok
}

// row parses the current line as a row of the header's table.
func (p *parser) row(h *header) (wire.Value, bool) {
	p.whole()
	i, end := p.line.text, p.line.end
	// An unquoted colon before the first unquoted delimiter makes a field (section 9.3).
	if _, colon := p.colon(i, p.cellEnd(i, end, h.delim)); colon >= 0 {
		return wire.Value{}, p.fail(i, "over_indented", wire.ErrSyntax,
			"the line has a colon before its first delimiter: it is neither a row of the table nor a field at this depth",
			"quote a cell that has a colon in it")
	}
	return p.cells(h, i, end)
}

// cellEnd returns where the cell or element at i ends: at the delimiter or at end.
func (p *parser) cellEnd(i, end int, delim byte) int {
	for i < end && p.s[i] != delim {
		if p.s[i] == '"' {
			i = p.skipQuoted(i, end)
		} else {
			i++
		}
	}
	return i
}

// entries parses the entry rows of a keyed table, at the depth.
func (p *parser) entries(h *header, depth int) (wire.Value, bool) {
	o := p.Object()
	ok := p.scope(h, depth, entries, func(int) (int, bool) {
		ok := p.entry(&o, h)
		p.advance()
		return 1, ok
	})
	if !ok {
		return wire.Value{}, false
	}
	return p.EndObject(&o), true
}

// entry parses the current line as an entry row.
func (p *parser) entry(o *wire.ObjectBuilder, h *header) bool {
	p.whole()
	i, end := p.line.text, p.line.end
	_, colon := p.colon(i, end)
	if colon < 0 {
		return p.fail(i, "missing_entry_colon", wire.ErrSyntax, "a line of a keyed table without a colon",
			"an entry is its key, a colon and the cells")
	}
	key, ok := p.keyToken(i, colon)
	if !ok || !p.member(o, key, i) {
		return false
	}
	i = p.skipSpaces(colon+1, end)
	if i == end {
		i++ // no cells at all
	}
	if i < end && p.takesPlain(h) {
		if v, stop := p.plainEntry(h, i); stop >= 0 {
			p.Put(o, v)
			return true
		}
	}
	v, ok := p.cells(h, i, end)
	return p.put(o, key, v, ok)
}

// cells parses the cells s[i:end] of one row; there are none if i is beyond the
// end.
func (p *parser) cells(h *header, i, end int) (wire.Value, bool) {
	if p.depth < h.list.height {
		return wire.Value{}, p.tooDeep(i)
	}
	if !p.spend(h.list.leaves+h.list.groups+1, i) {
		return wire.Value{}, false
	}
	if p.groups -= h.list.groups; p.groups < 0 {
		return wire.Value{}, p.fail(i, "too_many_groups", wire.ErrLimit, tooManyGroups, moreGroups)
	}
	r := rowReader{p, i, end, h.delim}
	v, ok := r.record(h.list)
	if !ok && p.err == nil || ok && r.i <= end {
		return wire.Value{}, p.width(h, i, end)
	}
	return v, ok
}

// width fails because a row has too many or too few cells.
func (p *parser) width(h *header, i, end int) bool {
	n, kind := p.countCells(i, end, h.delim), wire.ErrSyntax
	if n < h.list.leaves {
		kind = p.cutOff(end)
	}
	return p.fail(min(i, end), wire.CodeRowWidth, kind,
		"the row has "+count(n, "cell")+", the header names "+count(h.list.leaves, "field"), "")
}

// countCells returns the number of cells in s[i:end], none if i is beyond end.
func (p *parser) countCells(i, end int, delim byte) int {
	n := 0
	for ; i <= end; i++ {
		n++
		i = p.cellEnd(i, end, delim)
	}
	return n
}

// A rowReader takes the cells of a row one after the other.
type rowReader struct {
	*parser
	i, end int // i is beyond end after the last cell
	delim  byte
}

// record makes the object of a field list, in which the last of two with one name wins. It
// reports false without an error if the row has too few cells.
func (r *rowReader) record(list *fieldList) (wire.Value, bool) {
	o := r.Object()
	for k := range list.fields {
		f := &list.fields[k]
		r.Key(&o, f.name)
		var v wire.Value
		ok := r.i <= r.end // the value is the next cell, or the object of the group
		switch {
		case f.group != nil:
			v, ok = r.record(f.group)
		case ok:
			var next int
			v, next = r.cell(r.i, r.end, r.delim)
			ok = next >= 0
			r.i = next + 1
		}
		if !ok {
			if r.err != nil {
				wire.AtKey(r.err, f.name)
			}
			return wire.Value{}, false
		}
		r.Put(&o, v)
	}
	return r.EndObject(&o), true
}

// cell parses the cell or element that begins at i, and returns where it ends.
func (p *parser) cell(i, end int, delim byte) (wire.Value, int) {
	if i < end {
		delims := uint64(delim) * scan.Ones
		if v, next := p.plainCell(i, delims); next >= 0 {
			return v, next
		}
	}
	i = p.skipSpaces(i, end)
	if i >= end || p.s[i] != '"' {
		next := p.cellEnd(i, end, delim)
		return plainValue(strings.TrimRight(p.s[i:next], " ")), next
	}
	text, next := p.quoted(i, end)
	if next < 0 {
		return wire.Value{}, -1
	}
	next = p.skipSpaces(next, end)
	if next < end && p.s[next] != delim {
		return wire.Value{}, p.afterQuote(next, end)
	}
	return wire.String(text), next
}
