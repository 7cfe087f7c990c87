package glyph

import (
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// table appends v as a table.
func (e *encoder) table(v wire.Value, columns []slot, depth int) {
	e.tableHead(columns, v.Len())
	e.cell = true
	keys := v.Index(0).Keys()
	shape := e.shapes.like(e.shapes.last, keys, &e.settings)
	e.shapes.last = shape
	for i := range v.Len() {
		row := v.Index(i)
		if row.Keys() != keys {
			keys = row.Keys()
			shape = e.shapes.like(shape, keys, &e.settings)
		}
		if e.row(row, shape, columns, depth+1); e.err != nil {
			wire.AtIndex(e.err, i)
			return
		}
	}
	e.cell = false
	e.dst = append(e.dst, "@end"...)
}

// tableHead appends the header line of a table. rows is negative if their number is not
// known yet.
func (e *encoder) tableHead(columns []slot, rows int) {
	e.dst = append(e.dst, "@tab _ "...)
	if e.Counts {
		if rows >= 0 {
			e.dst = append(strconv.AppendInt(append(e.dst, "rows="...), int64(rows), 10), ' ')
		}
		e.dst = append(strconv.AppendInt(append(e.dst, "cols="...), int64(len(columns)), 10), ' ')
	}
	open := len(e.dst)
	for _, c := range columns {
		e.dst = append(e.dst, e.shapes.text[c.from:c.to-1]...)
	}
	e.dst[open] = '['
	e.dst = append(e.dst, ']', '\n')
}

// row appends one row and its newline.
func (e *encoder) row(v wire.Value, shape int32, columns []slot, depth int) {
	if !e.enter(depth) {
		return
	}
	s := &e.shapes.list[shape] // which may move
	base, slots, at := s.from, e.shapes.slots[s.from:s.to], 0
	uniform := len(slots) == len(columns)
	for i := range columns {
		e.dst = append(e.dst, '|')
		if !uniform && (at == len(slots) || !e.shapes.sameKey(slots[at], columns[i])) {
			if e.Profile.rounds() {
				e.dst = append(e.dst, e.null...)
			}
			continue
		}
		index := int(slots[at].index)
		c := v.Index(index)
		from := len(e.dst)
		if e.member(c, base+at, depth); e.stopped() {
			wire.AtKey(e.err, v.Keys().At(index))
			return
		}
		if e.Commas && c.Kind() == wire.KindString && class[e.dst[from]]&classStart != 0 {
			e.dst = append(e.dst, 0)
			copy(e.dst[from+1:], e.dst[from:])
			e.dst[from] = ' ' // which becomes part of the word's token
		}
		at++
	}
	e.dst = append(e.dst, '|', '\n')
}
