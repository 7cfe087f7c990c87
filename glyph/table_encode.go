package glyph

import (
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// columns returns the columns of the table that v is written as by the
// document's rule ("Eligibility Criteria"), in canonical order. The result is a
// range of slots that belongs to one of v's rows or, if they differ, to none.
func (e *encoder) columns(v wire.Value) ([]slot, bool) {
	first := v.Index(0)
	if first.Kind() != wire.KindObject || !e.fits(first.Keys().Len()) {
		return nil, false
	}
	t := &e.shapes
	keys := first.Keys()
	id := t.of(keys, &e.settings)
	for i := 1; i < v.Len(); i++ {
		row := v.Index(i)
		if row.Kind() != wire.KindObject {
			return nil, false
		}
		if row.Keys() != keys && t.of(row.Keys(), &e.settings) != id {
			return e.union(v)
		}
	}
	return t.slots[t.list[id].from:t.list[id].to], true
}

func (e *encoder) fits(columns int) bool { return columns > 0 && columns <= e.MaxCols }

// union is columns for rows with different keys. Every shape is added to the
// union once; it takes time in proportion to the keys of the shapes, because a
// row that has not half of the union's keys ends it.
func (e *encoder) union(v wire.Value) ([]slot, bool) {
	t := &e.shapes
	t.beginUnion()
	shapes := int32(0)
	for i := range v.Len() {
		row := v.Index(i)
		if row.Kind() != wire.KindObject || !e.fits(row.Keys().Len()) {
			return nil, false
		}
		s := &t.list[t.of(row.Keys(), &e.settings)]
		if s.serial == t.serial {
			continue
		}
		s.serial = t.serial
		shapes++
		for _, c := range t.slots[s.from:s.to] {
			t.all[t.column(s.keys.At(int(c.index)), c)].child++
		}
		common := 0
		for _, c := range t.all {
			if c.child == shapes {
				common++
			}
		}
		if len(t.all) > e.MaxCols || 2*common < len(t.all) || e.NoMissing && common < len(t.all) {
			return nil, false
		}
	}
	slices.SortFunc(t.all, t.compare)
	return t.all, true
}

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
			if e.Profile.nullCells() {
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
