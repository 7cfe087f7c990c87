package glyph

import (
	"slices"

	"github.com/wirekit/wirekit/wire"
)

// tablePlan says which lists of a value become tables because that is shorter.
//
// A cell holds no table, so a table of records forbids all tables within them,
// and which is shorter depends on everything below. But scalars are written in
// the same way here and there, apart from the pipes that a cell escapes: the
// difference is made by keys and rows alone. So one walk over the containers of
// the outermost list finds the shortest form for all lists in it, from the
// innermost on, and the encoder follows it.
type tablePlan struct {
	choices  []tableChoice[slot] // of the lists under way, in the order of their text
	at       int                 // the next one
	followed bool                // the encoder writes lists by the plan
	left     int                 // bytes that the text may still have
}

// A tableChoice is the form of one list that may be a table.
type tableChoice[C any] struct {
	columns []C // none if the list is to be no table
	end     int // the choice after all that lie within the table
}

// maxKeptChoices bounds what a plan keeps between documents.
const maxKeptChoices = 1 << 14

func (p *tablePlan) clear() {
	clear(p.choices) // which refer to slots
	p.choices, p.at, p.followed = p.choices[:0], 0, false
}

// shorter appends the list v, whose first element is an object, in the form that is
// shorter, and so the lists within it.
func (e *encoder) shorter(v wire.Value, depth int) {
	p := &e.plan
	p.clear()
	e.shapes.merged = e.shapes.merged[:0]
	p.left = e.maxLen - len(e.dst)
	if p.measure(e, v, depth); p.left < 0 {
		e.refuse(0)
		return
	}
	p.followed = true
	e.planned(v, depth)
	p.followed = false
}

// planned appends a list as the plan says.
func (e *encoder) planned(v wire.Value, depth int) {
	if columns := e.plan.next(); columns != nil {
		e.table(v, columns, depth)
	} else {
		e.list(v, depth)
	}
}

// next returns the columns of the next list, nil if it is to be no table. Lists must
// be asked for in the order of their text, those within a table not at all.
func (p *tablePlan) next() []slot {
	c := &p.choices[p.at]
	p.at = max(p.at+1, c.end)
	return c.columns
}

// leastText is the length that the text of a container that is not empty has at least:
// "[1]", or a row.
const leastText = 3

// measure plans v, which lies in depth containers, itself included, and returns
// by how many bytes its text is shorter than without tables. The plan ends where the
// text will be too long.
func (p *tablePlan) measure(e *encoder, v wire.Value, depth int) (saved int) {
	if p.left -= leastText; p.left < 0 || depth > e.maxDepth { // refused later
		return 0
	}
	if v.Kind() == wire.KindArray && v.Len() >= e.MinRows && v.Index(0).Kind() == wire.KindObject {
		return p.rows(e, v, depth)
	}
	for c := range v.Elements() {
		if c.Kind() >= wire.KindArray && c.Len() > 0 {
			saved += p.measure(e, c, depth+1)
		}
	}
	return saved
}

// rows is measure for a list that may be a table.
func (p *tablePlan) rows(e *encoder, v wire.Value, depth int) int {
	id := len(p.choices)
	p.choices = append(p.choices, tableChoice[slot]{})
	within, uniform, keys := 0, true, v.Index(0).Keys()
	for i := range v.Len() {
		row := v.Index(i)
		if row.Kind() != wire.KindObject {
			uniform = false
			if row.Kind() == wire.KindArray && row.Len() > 0 {
				within += p.measure(e, row, depth+1)
			}
			continue
		}
		uniform = uniform && row.Keys() == keys
		if row.Len() > 0 {
			p.left -= leastText
		}
		for c := range row.Elements() {
			if c.Kind() >= wire.KindArray && c.Len() > 0 {
				within += p.measure(e, c, depth+2)
			}
		}
	}
	first := e.shapes.like(e.shapes.last, keys, &e.settings)
	e.shapes.last = first
	columns, list := e.shapes.columns(first), v.Len()+1+v.Len()*(e.shapes.list[first].labels+1)
	if !uniform {
		columns, list = e.columns(v, first)
	}
	saved := 0
	if len(columns) > 0 && len(columns) <= e.MaxCols {
		saved = list - e.shapes.tableSize(columns, v.Len())
	}
	if saved <= within {
		return within
	}
	p.choices[id] = tableChoice[slot]{columns, len(p.choices)}
	return saved
}

// columns returns the columns of a table of objects of the shape.
func (t *shapeTable) columns(shape int32) []slot {
	return t.slots[t.list[shape].from:t.list[shape].to]
}

// columns returns the columns of the list v, whose first object has the shape first, and the
// length of its text as a list without the values. There are no columns if v cannot be a
// table.
func (e *encoder) columns(v wire.Value, first int32) (columns []slot, list int) {
	t := &e.shapes
	keys := t.list[first].keys
	list = v.Len() + 1 // brackets and blanks
	shape, size := first, t.list[first].labels+1
	t.serial++
	t.list[first].serial = t.serial
	t.shapes = append(t.shapes[:0], first)
	for row := range v.Elements() {
		if row.Kind() != wire.KindObject {
			return nil, 0
		}
		if row.Keys() != keys {
			keys = row.Keys()
			shape = t.of(keys, &e.settings)
			s := &t.list[shape]
			size = s.labels + 1
			if s.serial != t.serial {
				s.serial = t.serial
				if !wire.Internal.Same(keys, t.list[first].keys) {
					t.shapes = append(t.shapes, shape)
				}
			}
		}
		list += size
	}
	if len(t.shapes) > 1 {
		return e.union(v.Len(), list), list
	}
	return t.columns(first), list
}

// tableFrame is what a table has apart from labels and rows: its "[" takes the place
// of the first blank.
const tableFrame = len("@tab _ ]\n@end")

// tableSize is the length of a table's text without what the cells hold.
func (t *shapeTable) tableSize(columns []slot, rows int) int {
	size := tableFrame + rows*(len(columns)+len("|\n"))
	for _, c := range columns {
		size += c.to - c.from - 1 // the blank, but no "="
	}
	return size
}

// union returns the keys of all rows of a list, whose shapes are t.shapes: sorted, or in an
// order that holds every row's own. It returns nil if no such order exists, if the table would
// be longer than list, or if the rows are no table by the document's rule ("Eligibility Criteria").
// It takes time in proportion to the keys of the shapes: one without half of the keys ends it.
func (e *encoder) union(rows, list int) []slot {
	t, sorted := &e.shapes, e.Profile.sorted()
	if e.NoMissing && !sorted {
		return nil
	}
	t.serial++
	if t.seen == nil {
		t.seen = make(map[string]place)
	}
	t.all = t.all[:0]
	t.order.Reset(0)
	for n, id := range t.shapes {
		s := &t.list[id]
		last := int32(-1)
		for _, c := range t.slots[s.from:s.to] {
			at := t.column(s.keys.At(int(c.index)), c)
			t.all[at].child++
			t.order.Follow(last, at)
			last = at
		}
		if width := len(t.all); width > e.MaxCols || sorted && !e.shares(n+1) || !sorted && rows*(width+len("|\n")) > list {
			return nil
		}
	}
	if sorted {
		slices.SortFunc(t.all, t.compare)
		return t.all
	}
	from := len(t.merged)
	for _, at := range t.order.Sorted() {
		t.merged = append(t.merged, t.all[at])
	}
	if len(t.merged)-from < len(t.all) { // two rows contradict each other
		return nil
	}
	return t.merged[from:]
}

// shares reports whether enough of the union's keys are in all of its shapes.
func (e *encoder) shares(shapes int) bool {
	all, common := e.shapes.all, 0
	for _, c := range all {
		if int(c.child) == shapes {
			common++
		}
	}
	return 2*common >= len(all) && (!e.NoMissing || common == len(all))
}

// column returns the number of a key in the union, which it adds if it is new.
func (t *shapeTable) column(key string, c slot) int32 {
	if at := t.seen[key]; at.serial == t.serial {
		return at.column
	}
	at := int32(len(t.all))
	t.seen[key] = place{t.serial, at}
	c.child = 0
	t.all = append(t.all, c)
	t.order.Add()
	return at
}
