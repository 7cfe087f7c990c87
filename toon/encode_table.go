package toon

import (
	"slices"

	"github.com/wirekit/wirekit/wire"
)

// tables finds out whether objects make a table, and holds its layout: a tree of
// groups of columns. Group 0 is that of the rows themselves.
type tables struct {
	groups  []group
	columns []column
}

// A group is what the objects at one place of all rows have in common. Its
// columns are columns[from:to], in the order of its keys.
type group struct {
	keys     *wire.Keys // those of the first row, or of the header
	last     *wire.Keys // those that at is right for
	from, to int
	nested   bool // some of its columns are groups
	ordered  bool // objects with the keys last have the columns' order
}

// A column is a member of a group's objects: a primitive, or a nested group.
type column struct {
	at    int32 // the member's position in the object looked at
	group int32 // 0: a primitive
}

// maxKept bounds what is kept between documents, in columns.
const maxKept = 1 << 12

// reset forgets the layout and reports whether the memory is worth keeping.
func (t *tables) reset() bool {
	clear(t.groups[:cap(t.groups)])
	t.groups, t.columns = t.groups[:0], t.columns[:0]
	return cap(t.groups)+cap(t.columns) <= maxKept
}

// begin finds the layout of v's elements, or members, which are a table if all
// of them are objects of one layout (sections 9.3 and 9.5), and reports whether
// they are.
func (t *tables) begin(v wire.Value, e *encoder) bool {
	if !t.first(v.Index(0), nil, e) {
		return false
	}
	for i := 1; i < v.Len(); i++ {
		if !t.match(v.Index(i), 0, e.keepOrder) {
			return false
		}
	}
	return true
}

// first makes the layout of a table's first row, whose columns are in the order
// of keys, or in its own if that is nil. It reports false if it is not a row.
func (t *tables) first(v wire.Value, keys *wire.Keys, e *encoder) bool {
	t.groups, t.columns = t.groups[:0], t.columns[:0]
	if v.Kind() != wire.KindObject {
		return false
	}
	if keys == nil {
		keys = v.Keys()
	}
	return t.add(v, keys, e) >= 0
}

// add adds the group of an object, and those in it. It returns its number, -1
// if the object is empty or holds an array or an empty object, or if a row has more
// of them than a short text may.
func (t *tables) add(v wire.Value, keys *wire.Keys, e *encoder) int {
	if v.Len() == 0 || len(t.groups) > sparseGroups || !e.enter() {
		return -1
	}
	defer e.leave()
	n, from := len(t.groups), len(t.columns)
	t.groups = append(t.groups, group{keys: keys, from: from, to: from + keys.Len()})
	t.columns = slices.Grow(t.columns, keys.Len())[:from+keys.Len()]
	clear(t.columns[from:])
	if !t.fit(n, v.Keys(), e.keepOrder) {
		return -1
	}
	for c := from; c < from+keys.Len(); c++ {
		member := v.Index(int(t.columns[c].at))
		switch member.Kind() {
		case wire.KindArray:
			return -1
		case wire.KindObject:
			g := t.add(member, member.Keys(), e)
			if g < 0 {
				return -1
			}
			t.columns[c].group = int32(g)
			t.groups[n].nested = true
		}
	}
	return n
}

// match reports whether v is an object of the group's layout.
func (t *tables) match(v wire.Value, g int, keepOrder bool) bool {
	if v.Kind() != wire.KindObject || t.groups[g].last != v.Keys() && !t.fit(g, v.Keys(), keepOrder) {
		return false
	}
	if !t.groups[g].nested {
		return primitives(v)
	}
	for c := t.groups[g].from; c < t.groups[g].to; c++ {
		col := t.columns[c]
		member := v.Index(int(col.at))
		if col.group == 0 {
			if member.Kind() >= wire.KindArray {
				return false
			}
		} else if !t.match(member, int(col.group), keepOrder) {
			return false
		}
	}
	return true
}

// fit makes the positions of the group's columns those in objects with the keys. It reports
// whether they are those of the group, in the same order if keepOrder.
func (t *tables) fit(g int, keys *wire.Keys, keepOrder bool) bool {
	at := &t.groups[g]
	columns := t.columns[at.from:at.to]
	if keys.Len() != len(columns) {
		return false
	}
	if wire.Internal.Same(keys, at.keys) {
		for i := range columns {
			columns[i].at = int32(i)
		}
		at.last, at.ordered = keys, true
		return true
	}
	if keepOrder {
		return false
	}
	at.last, at.ordered = nil, false // until all positions are right
	for i, name := range keys.All() {
		c := at.keys.Index(name)
		if c < 0 {
			return false
		}
		columns[c].at = int32(i)
	}
	at.last = keys
	return true
}

// appendFields appends the field list of a group.
func (t *tables) appendFields(dst []byte, g int, delim byte) []byte {
	at := t.groups[g]
	dst = append(dst, '{')
	for i, name := range at.keys.All() {
		if i > 0 {
			dst = append(dst, delim)
		}
		dst = appendKey(dst, name)
		if nested := t.columns[at.from+i].group; nested > 0 {
			dst = t.appendFields(dst, int(nested), delim)
		}
	}
	return append(dst, '}')
}
