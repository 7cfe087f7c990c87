package gcf

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
)

// symbolIndex finds the symbols of one graph by name, or by kind and name. It is an open hash
// table of positions in a slice of symbols that grows with it; the zero symbolIndex is of none.
type symbolIndex struct {
	seed  maphash.Seed
	slots []symbolSlot // a power of two, less than half full
	names []string     // of the symbols, closer together than in these; nil where they are few
	used  int

	// Of symbols that share a name the slots hold the first, and others holds the rest, by
	// abbreviated kind and name.
	others map[SymbolRef]int32
}

// symbolSlot is the hash of a symbol's name and its position, counted from 1: 0 is free, and
// a name that several symbols have has it negative.
type symbolSlot struct {
	hash uint32
	at   int32
}

// newSymbolIndex returns an index with room for so many symbols.
func newSymbolIndex(symbols int) symbolIndex {
	const least, many = 8, 2048
	x := symbolIndex{seed: maphash.MakeSeed(), slots: make([]symbolSlot, 2<<bits.Len(uint(max(symbols, least)-1)))}
	if symbols >= many {
		x.names = make([]string, 0, symbols)
	}
	return x
}

// slot returns the slot of a name, or a free one for it with its hash.
func (x *symbolIndex) slot(symbols []Symbol, name string) *symbolSlot {
	if x.slots == nil {
		*x = newSymbolIndex(0)
	}
	hash, mask := uint32(maphash.String(x.seed, name)), len(x.slots)-1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		switch s := &x.slots[i]; {
		case s.at == 0:
			s.hash = hash
			return s
		case s.hash == hash && x.name(symbols, s.position()) == name:
			return s
		}
	}
}

func (x *symbolIndex) name(symbols []Symbol, i int) string {
	if x.names != nil {
		return x.names[i]
	}
	return symbols[i].QualifiedName
}

func (s *symbolSlot) position() int { return int(max(s.at, -s.at)) - 1 }

// add adds the last of the symbols. It reports false, and adds nothing, if a
// symbol of that kind and name is there.
func (x *symbolIndex) add(symbols []Symbol) bool {
	if 2*x.used >= len(x.slots) && x.slots != nil {
		x.grow()
	}
	n := int32(len(symbols))
	s := &symbols[n-1]
	slot := x.slot(symbols, s.QualifiedName)
	switch {
	case slot.at == 0:
		slot.at = n
		x.used++
	case x.find(symbols, s.Kind, s.QualifiedName) >= 0:
		return false
	default:
		if x.others == nil {
			x.others = make(map[SymbolRef]int32)
		}
		slot.at = min(slot.at, -slot.at)
		x.others[s.ref()] = n - 1
	}
	if x.names != nil {
		x.names = append(x.names, s.QualifiedName)
	}
	return true
}

func (x *symbolIndex) grow() {
	old := x.slots
	x.slots = make([]symbolSlot, 2*len(old))
	for _, s := range old {
		i := int(s.hash)
		for x.slots[i&(len(x.slots)-1)].at != 0 {
			i++
		}
		if s.at != 0 {
			x.slots[i&(len(x.slots)-1)] = s
		}
	}
}

// noSymbol and manySymbols are what find returns for no symbol and for several.
const (
	noSymbol    = -1
	manySymbols = -2
)

// find returns the position of the symbol with that name, of that kind unless
// kind is empty.
func (x *symbolIndex) find(symbols []Symbol, kind, name string) int {
	slot := x.slot(symbols, name)
	switch at := slot.position(); {
	case slot.at == 0:
		return noSymbol
	case kind == "" && slot.at < 0:
		return manySymbols
	case kind == "" || shortKind(symbols[at].Kind) == shortKind(kind):
		return at
	}
	if other, ok := x.others[SymbolRef{name, shortKind(kind)}]; ok {
		return int(other)
	}
	return noSymbol
}

// isShared reports whether several symbols have that name.
func (x *symbolIndex) isShared(symbols []Symbol, name string) bool {
	return x.others != nil && x.slot(symbols, name).at < 0
}

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
