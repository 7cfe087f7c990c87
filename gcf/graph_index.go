package gcf

import (
	"cmp"
	"slices"
	"strings"
)

// symbolIndex finds the symbols of one graph by name, or by kind and name. The zero symbolIndex
// is of none.
type symbolIndex struct {
	// byName has the positions, counted from 1, of the first symbols with their names, negative
	// where several have one. others has those of the rest, by abbreviated kind and name.
	byName map[string]int32
	others map[SymbolRef]int32
}

// newSymbolIndex returns an index with room for so many symbols.
func newSymbolIndex(symbols int) symbolIndex {
	return symbolIndex{byName: make(map[string]int32, symbols)}
}

// add adds the last of the symbols. It reports false, and adds nothing, if a
// symbol of that kind and name is there.
func (x *symbolIndex) add(symbols []Symbol) bool {
	n := int32(len(symbols))
	s := &symbols[n-1]
	if x.byName == nil {
		*x = newSymbolIndex(0)
	}
	known := len(x.byName)
	if x.byName[s.QualifiedName] += n; len(x.byName) > known { // a long name is hashed once
		return true
	}
	x.byName[s.QualifiedName] -= n
	if x.find(symbols, s.Kind, s.QualifiedName) >= 0 {
		return false
	}
	if x.others == nil {
		x.others = make(map[SymbolRef]int32)
	}
	at := x.byName[s.QualifiedName]
	x.byName[s.QualifiedName] = min(at, -at)
	x.others[s.ref()] = n
	return true
}

// noSymbol and manySymbols are what find returns for no symbol and for several.
const (
	noSymbol    = -1
	manySymbols = -2
)

// find returns the position of the symbol with that name, of that kind unless
// kind is empty.
func (x *symbolIndex) find(symbols []Symbol, kind, name string) int {
	switch at := x.byName[name]; {
	case at == 0:
		return noSymbol
	case kind == "" && at < 0:
		return manySymbols
	case kind == "" || shortKind(symbols[max(at, -at)-1].Kind) == shortKind(kind):
		return int(max(at, -at)) - 1
	}
	return int(x.others[SymbolRef{name, shortKind(kind)}]) - 1
}

// isShared reports whether several symbols have that name.
func (x *symbolIndex) isShared(name string) bool { return x.byName[name] < 0 }

// link returns an edge by the numbers of its ends: ids, positions or ranks of symbols.
func link(source, target int32, at int) sortKey {
	return sortKey{uint64(source)<<32 | uint64(target), int32(at)}
}

func (k sortKey) source() int { return int(k.key >> 32) }
func (k sortKey) target() int { return int(int32(k.key)) }

// renumber gives the ends of the edges other numbers.
func (e *graphEncoder) renumber(numbers []int32) {
	for i, l := range e.links {
		e.links[i] = link(numbers[l.source()], numbers[l.target()], i)
	}
}

// sortedLinks returns the edges in the order of source, target, type and position.
func (e *graphEncoder) sortedLinks() []sortKey {
	return sortByKey(e.links, func(a, b int32) int {
		return strings.Compare(e.graph.Edges[a].Type, e.graph.Edges[b].Type)
	})
}

// sortKey is a position with a number that sorts as it does, as far as it goes.
type sortKey struct {
	key uint64
	at  int32
}

// minRadix is the number of keys from which sorting by digits pays.
const minRadix = 64

// sortByKey returns the keys in their order. Equal keys are in the order of compare of
// their positions, then in that of the positions.
func sortByKey(keys []sortKey, compare func(a, b int32) int) []sortKey {
	if len(keys) < minRadix {
		slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	} else {
		keys = radixSort(keys)
	}
	for from := 0; from < len(keys); {
		to, inOrder := from+1, true
		for ; to < len(keys) && keys[to].key == keys[from].key; to++ {
			inOrder = inOrder && compare(keys[to-1].at, keys[to].at) <= 0
		}
		if !inOrder {
			slices.SortFunc(keys[from:to], func(a, b sortKey) int { return cmp.Or(compare(a.at, b.at), cmp.Compare(a.at, b.at)) })
		}
		from = to
	}
	return keys
}

// radixSort sorts by the keys' bytes, from the last to the first, and keeps the
// order of equal keys.
func radixSort(keys []sortKey) []sortKey {
	scratch := make([]sortKey, len(keys))
	var differ uint64 // the bits that are not the same in all keys
	for _, k := range keys {
		differ |= k.key ^ keys[0].key
	}
	for shift := 0; shift < 64; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue
		}
		var counts [256]int32
		for _, k := range keys {
			counts[byte(k.key>>shift)]++
		}
		sum := int32(0)
		for i, n := range counts {
			counts[i] = sum
			sum += n
		}
		for _, k := range keys {
			at := &counts[byte(k.key>>shift)]
			scratch[*at] = k
			*at++
		}
		keys, scratch = scratch, keys
	}
	return keys
}
