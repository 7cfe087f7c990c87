package glyph

import "github.com/wirekit/wirekit/wire"

// tablePlan says which lists of a value become tables because that is shorter.
//
// A cell holds no table, so a table of records forbids all tables within them,
// and which is shorter depends on everything below. But scalars are written in
// the same way here and there, apart from the pipes that a cell escapes: the
// difference is made by keys and rows alone. So one walk over the containers of
// the outermost list finds the shortest form for all lists in it, from the
// innermost on, and the encoder follows it.
type tablePlan struct {
	choices []tableChoice // of the lists under way, in the order of their text
	at      int           // the next one
	columns []slot        // of all tables
	guess   int32         // the shape of the last list's first row
}

// A tableChoice is the form of one list that may be a table.
type tableChoice struct {
	columns, width int // in tablePlan.columns
	end            int // the choice after all that lie within this list, if it is a table, else 0
}

// maxKeptChoices bounds what a plan keeps between documents.
const maxKeptChoices = 1 << 12

func (p *tablePlan) clear() {
	p.choices, p.columns, p.at, p.guess = p.choices[:0], p.columns[:0], 0, noShape
}

// small reports whether the plan's memory is worth keeping.
func (p *tablePlan) small() bool {
	return cap(p.choices) <= maxKeptChoices && cap(p.columns) <= maxKeptChoices
}

// next returns the columns of the list v, if it is to be a table. Lists must be
// asked for in the order of their text, those within a table not at all.
func (p *tablePlan) next(e *encoder, v wire.Value, depth int) ([]slot, bool) {
	if p.at == len(p.choices) { // the outermost list
		p.clear()
		p.measure(e, v, depth)
	}
	c := p.choices[p.at]
	if c.end == 0 {
		p.at++
		return nil, false
	}
	p.at = c.end
	return p.columns[c.columns:][:c.width], true
}

// measure plans v, which lies in depth containers, itself included, and returns
// by how many bytes its text is shorter than without tables.
func (p *tablePlan) measure(e *encoder, v wire.Value, depth int) int {
	if depth > e.maxDepth { // refused later
		return 0
	}
	if v.Kind() == wire.KindObject || v.Len() < e.minRows || v.Index(0).Kind() != wire.KindObject {
		return p.children(e, v, depth)
	}
	id := len(p.choices)
	p.choices = append(p.choices, tableChoice{})
	within := p.children(e, v, depth)
	if saved := p.table(e, v, id); saved > within {
		p.choices[id].end = len(p.choices)
		return saved
	}
	return within
}

func (p *tablePlan) children(e *encoder, v wire.Value, depth int) int {
	saved := 0
	for c := range v.Elements() {
		if c.Kind() >= wire.KindArray && c.Len() > 0 {
			saved += p.measure(e, c, depth+1)
		}
	}
	return saved
}

// table finds the columns of the list v and returns by how many bytes the table
// is shorter than the list; a number below one if there is no table.
func (p *tablePlan) table(e *encoder, v wire.Value, id int) int {
	t := &e.shapes
	keys := v.Index(0).Keys()
	first := t.like(p.guess, keys, &e.settings)
	p.guess = first
	uniform := true
	list := v.Len() + 1 // brackets and blanks
	shape, size := first, t.list[first].labels+1
	for row := range v.Elements() {
		if row.Kind() != wire.KindObject {
			return 0
		}
		if row.Keys() != keys {
			keys = row.Keys()
			shape = t.of(keys, &e.settings)
			size = t.list[shape].labels + 1
			uniform = uniform && shape == first
		}
		list += size
	}
	columns := t.slots[t.list[first].from:t.list[first].to]
	if !uniform {
		if columns = e.orderedUnion(v, list); columns == nil {
			return 0
		}
	}
	if len(columns) == 0 || len(columns) > e.maxCols {
		return 0
	}
	c := &p.choices[id]
	c.columns, c.width = len(p.columns), len(columns)
	p.columns = append(p.columns, columns...)
	return list - t.tableSize(columns, v.Len())
}

// tableSize is the length of a table's text without what the cells hold.
func (t *shapeTable) tableSize(columns []slot, rows int) int {
	const frame = len("@tab _ ]\n@end") // "[" takes the place of the first blank
	size := frame + rows*(len(columns)+len("|\n"))
	for _, c := range columns {
		size += c.to - c.from - 1 // the blank, but no "="
	}
	return size
}

// orderedUnion returns the keys of all rows of v in an order that holds every
// row's own, nil if there is none or the table would be longer than list. It
// takes time in proportion to the keys of the shapes and to list.
func (e *encoder) orderedUnion(v wire.Value, list int) []slot {
	if e.noMissing {
		return nil
	}
	t := &e.shapes
	t.serial++
	t.places = t.places[:0]
	if t.seen == nil {
		t.seen = make(map[string]place)
	}
	all, merged := t.all[:0], t.merged[:0]
	defer func() { t.all, t.merged = all, merged }()
	for row := range v.Elements() {
		s := &t.list[t.of(row.Keys(), &e.settings)]
		if s.serial == t.serial {
			continue
		}
		s.serial = t.serial
		var ok bool
		if merged, ok = t.mergeOrdered(merged[:0], all, s); !ok {
			return nil
		}
		all, merged = merged, all
		if len(all) > e.maxCols || v.Len()*(len(all)+2) > list {
			return nil
		}
	}
	return all
}

// mergeOrdered inserts the keys of a shape that the union lacks before the next
// one that it has. It returns false if the shape has two keys of the union in
// another order. A column's child is its number in t.places.
func (t *shapeTable) mergeOrdered(dst, all []slot, s *shape) ([]slot, bool) {
	own := t.slots[s.from:s.to]
	next, fresh := 0, 0 // of all, and of own what the union lacks
	for i, c := range own {
		at, ok := t.seen[s.keys.At(int(c.index))]
		if !ok || at.serial != t.serial {
			continue
		}
		to := int(t.places[at.column])
		if to < next {
			return dst, false
		}
		dst = append(dst, all[next:to]...)
		dst = t.columnsOf(dst, own[fresh:i], s.keys)
		dst = append(dst, all[to])
		next, fresh = to+1, i+1
	}
	dst = append(dst, all[next:]...)
	dst = t.columnsOf(dst, own[fresh:], s.keys)
	if len(dst) > len(all) {
		for i, c := range dst {
			t.places[c.child] = int32(i)
		}
	}
	return dst, true
}

// columnsOf appends new columns of the union.
func (t *shapeTable) columnsOf(dst, slots []slot, keys *wire.Keys) []slot {
	for _, c := range slots {
		c.child = int32(len(t.places))
		t.places = append(t.places, 0)
		t.seen[keys.At(int(c.index))] = place{t.serial, c.child}
		dst = append(dst, c)
	}
	return dst
}
