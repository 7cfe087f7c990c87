package gcf

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
)

// symbolIndex finds the symbols of one graph by name, or by kind and name. It
// is an open hash table over positions in a slice of symbols that grows with
// it.
type symbolIndex struct {
	seed  maphash.Seed
	slots []symbolSlot // a power of two, at most half full
	used  int

	// names are the symbols', closer together than in the symbols; nil where that is not
	// needed.
	names []string

	// Of symbols that share a name, the slots hold the first and others the
	// rest, by abbreviated kind and name; shared holds the names. Both are nil
	// if there are none.
	shared map[string]bool
	others map[SymbolRef]int32
}

// symbolSlot is a symbol's hash and its position, counted from 1; 0 is free.
type symbolSlot struct {
	hash uint32
	at   int32
}

// minIndexSlots is the size of the smallest index.
const minIndexSlots = 16

func newSymbolIndex(symbols int, seed maphash.Seed) symbolIndex {
	return symbolIndex{
		seed:  seed,
		slots: make([]symbolSlot, 1<<bits.Len(uint(max(2*symbols, minIndexSlots)-1))),
	}
}

// add adds the last of the symbols. It reports false, and adds nothing, if a
// symbol of that kind and name is there.
func (x *symbolIndex) add(symbols []Symbol) bool {
	if 2*x.used >= len(x.slots) {
		x.grow()
	}
	s := &symbols[len(symbols)-1]
	hash := x.hash(s.QualifiedName)
	mask := len(x.slots) - 1
	at, first := int(hash)&mask, true
	for ; x.slots[at].at != 0; at = (at + 1) & mask {
		if x.slots[at].hash != hash {
			continue
		}
		if t := &symbols[x.slots[at].at-1]; t.QualifiedName == s.QualifiedName {
			if shortKind(t.Kind) == shortKind(s.Kind) || !x.addOther(s, len(symbols)-1) {
				return false
			}
			first = false
			break
		}
	}
	if first {
		x.used++
		x.slots[at] = symbolSlot{hash: hash, at: int32(len(symbols))}
	}
	if x.names != nil {
		x.names = append(x.names, s.QualifiedName)
	}
	return true
}

// addOther is add for a symbol whose name another has.
func (x *symbolIndex) addOther(s *Symbol, at int) bool {
	if x.shared == nil {
		x.shared = make(map[string]bool)
		x.others = make(map[SymbolRef]int32)
	}
	if _, ok := x.others[s.ref()]; ok {
		return false
	}
	x.shared[s.QualifiedName] = true
	x.others[s.ref()] = int32(at)
	return true
}

func (x *symbolIndex) grow() {
	old := x.slots
	x.slots = make([]symbolSlot, 2*len(old))
	mask := len(x.slots) - 1
	for _, s := range old {
		if s.at == 0 {
			continue
		}
		at := int(s.hash) & mask
		for x.slots[at].at != 0 {
			at = (at + 1) & mask
		}
		x.slots[at] = s
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
	return x.findHash(x.hash(name), symbols, kind, name)
}

func (x *symbolIndex) hash(name string) uint32 { return uint32(maphash.String(x.seed, name)) }

// findHash is find for a name whose hash is known.
func (x *symbolIndex) findHash(hash uint32, symbols []Symbol, kind, name string) int {
	mask := len(x.slots) - 1
	for at := int(hash) & mask; x.slots[at].at != 0; at = (at + 1) & mask {
		if x.slots[at].hash != hash {
			continue
		}
		i := int(x.slots[at].at - 1)
		if x.names != nil && x.names[i] != name || x.names == nil && symbols[i].QualifiedName != name {
			continue
		}
		if kind == "" {
			if x.shared != nil && x.shared[name] {
				return manySymbols
			}
			return i
		}
		if shortKind(symbols[i].Kind) == shortKind(kind) {
			return i
		}
		if other, ok := x.others[SymbolRef{name, shortKind(kind)}]; ok {
			return int(other)
		}
		return noSymbol
	}
	return noSymbol
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
