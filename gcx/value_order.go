package gcx

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/order"
	"github.com/wirekit/wirekit/wire"
)

// keyOrder merges key lists into one that has each of them in order.
type keyOrder struct {
	names []string
	next  []int // the name that follows, -1 for none
	first int
	index map[string]int
	lists []*wire.Keys
	seen  map[*wire.Keys]bool

	sorted []string // the names in order
	rank   []int    // of each name, its place in sorted
	pairs  [][2]int // for arrange: ranks of which one follows the other
	graph  order.Graph
}

// reset keeps the memory and nothing in it.
func (o *keyOrder) reset() {
	clear(o.names)
	clear(o.lists)
	clear(o.sorted)
	clear(o.index)
	clear(o.seen)
	*o = keyOrder{names: o.names[:0], next: o.next[:0], first: -1, index: o.index, lists: o.lists[:0], seen: o.seen,
		sorted: o.sorted[:0], rank: o.rank[:0], pairs: o.pairs[:0], graph: o.graph}
	if o.index == nil {
		o.index, o.seen = make(map[string]int), make(map[*wire.Keys]bool)
	}
}

// merge merges the keys of the table's objects, which are not all the same, and
// reports whether that makes a table.
func (o *keyOrder) merge(t *table) bool {
	o.reset()
	members := 0
	for element := range t.v.Elements() {
		keys := element.Keys()
		members += keys.Len()
		o.add(keys)
	}
	// A single name means that some objects are empty, and would be blank lines.
	if len(o.names) < 2 {
		return false
	}
	empty := bound.Times(len(o.names), t.v.Len()) - members
	if empty > t.room || !o.shorter(t.v, members, empty) || !o.sort() && !t.reorder {
		return false
	}
	t.room -= empty
	return true
}

// emptyCells are as many tabs in a row as take a byte's share of a token: one
// token of o200k_base or cl100k_base has up to 16 tabs.
const emptyCells = 4

// What objects of JSON take besides their keys and values.
const (
	objectBytes = len("{\n")
	labelBytes  = len(`"":,`) // or a brace after it
	quoteBytes  = len(`""`)
)

// tableOverhead is what a table with those fields takes besides its values.
func tableOverhead(fields []string, members, empty int) int {
	table := len(" types=m") + members + empty/emptyCells
	for _, key := range fields {
		table += len(key) + len(",")
	}
	return table
}

// shorter reports whether the objects, which have that many members and lack that
// many, are shorter as a table than as a cell of JSON each, by the bytes around
// their values. Of empty cells, four count as a byte.
func (o *keyOrder) shorter(v wire.Value, members, empty int) bool {
	table := tableOverhead(o.names, members, empty)
	for object := range v.Elements() {
		table -= objectBytes
		for key, member := range object.Members() {
			table -= labelBytes + len(key)
			if k := member.Kind(); k < wire.KindArray && k > wire.KindNumber {
				table -= quoteBytes
			}
		}
		if table <= 0 {
			return true
		}
	}
	return false
}

// add puts each new name after the one that it follows in keys.
func (o *keyOrder) add(keys *wire.Keys) {
	if o.seen[keys] {
		return
	}
	o.seen[keys] = true
	o.lists = append(o.lists, keys)
	before := -1
	for _, key := range keys.All() {
		at, ok := o.index[key]
		if !ok {
			at = len(o.names)
			o.names = append(o.names, key)
			o.index[key] = at
			if before < 0 {
				o.next = append(o.next, o.first)
				o.first = at
			} else {
				o.next = append(o.next, o.next[before])
				o.next[before] = at
			}
		}
		before = at
	}
}

// sort puts the names in an order that has every list in order, and reports whether there
// is one: that in which add chained them, or another. Else it stays the former.
func (o *keyOrder) sort() bool {
	o.rank = slices.Grow(o.rank, len(o.names))[:len(o.names)]
	for at := o.first; at >= 0; at = o.next[at] {
		o.rank[at] = len(o.sorted)
		o.sorted = append(o.sorted, o.names[at])
	}
	sorted := true
	for _, keys := range o.lists {
		last := -1
		for _, key := range keys.All() {
			r := o.rank[o.index[key]]
			if last >= 0 {
				o.pairs = append(o.pairs, [2]int{last, r})
			}
			sorted = sorted && last < r
			last = r
		}
	}
	return sorted || o.arrange()
}

// arrange is sort for another order. It depends on which lists there are, and not on how
// often.
func (o *keyOrder) arrange() bool {
	// Of what waits for the same name only, the first comes first.
	slices.SortFunc(o.pairs, func(a, b [2]int) int { return a[1] - b[1] })
	o.graph.Reset(len(o.names))
	for _, p := range o.pairs {
		o.graph.Follow(int32(p[0]), int32(p[1]))
	}
	ranks := o.graph.Sorted()
	if len(ranks) < len(o.names) {
		return false // some names are before each other
	}
	names := slices.Clone(o.sorted)
	for rank, was := range ranks {
		o.sorted[rank] = names[was]
		o.rank[o.index[names[was]]] = rank
	}
	return true
}
