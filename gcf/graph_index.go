package gcf

import (
	"cmp"
	"hash/maphash"
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

	// The symbols' names, closer together than in the symbols; and the hashes
	// of the names. nil where that is not needed.
	names  []string
	hashes []uint32

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
		slots: make([]symbolSlot, nextPowerOfTwo(max(2*symbols, minIndexSlots))),
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
	if x.hashes != nil {
		x.hashes = append(x.hashes, hash)
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

// linked is an edge by the numbers of its ends: ids, positions or ranks of
// symbols. what says what follows the ends on the edge's line: the number of its
// type among the edgeWords, or if it is negative the complement of the edge's
// position.
type linked struct{ source, target, what int32 }

// edgeWords are the types of the edges of one graph that have no status: there
// are few, and looking at every edge once more takes longer than finding its
// type again.
type edgeWords struct {
	words [16]string
	lines [16]string // what follows the ends on a line: a space, the word, a line end
	n     int
	last  int
}

// what returns what a linked edge keeps of the edge at that position, and
// whether its words were seen before.
func (w *edgeWords) what(e *Edge, at int) (what int32, seen bool) {
	if e.status() != "" {
		return ^int32(at), false
	}
	if w.n > 0 && w.words[w.last] == e.Type {
		return int32(w.last), true
	}
	for i := range w.n {
		if w.words[i] == e.Type {
			w.last = i
			return int32(i), true
		}
	}
	if w.n == len(w.words) {
		return ^int32(at), false
	}
	w.words[w.n] = e.Type
	w.lines[w.n] = " " + e.Type + "\n"
	w.last = w.n
	w.n++
	return int32(w.last), false
}

// edgeWords returns an edge's type and status.
func (e *graphEncoder) edgeWords(l linked) (edgeType, status string) {
	if l.what >= 0 {
		return e.words.words[l.what], ""
	}
	edge := &e.graph.Edges[^l.what]
	return edge.Type, edge.status()
}

// sortLinks sorts the edges by source, target, type and position. The numbers of
// their ends are below numbers.
func (e *graphEncoder) sortLinks(numbers int) {
	links := e.links
	switch {
	case slices.IsSortedFunc(links, compareLinked):
	case numbers <= 8*len(links):
		scratch := make([]linked, len(links))
		counts := make([]int32, numbers+1)
		for _, l := range links {
			counts[l.target+1]++
		}
		accumulate(counts)
		for _, l := range links {
			scratch[counts[l.target]] = l
			counts[l.target]++
		}
		clear(counts)
		for _, l := range links {
			counts[l.source+1]++
		}
		accumulate(counts)
		for _, l := range scratch {
			links[counts[l.source]] = l
			counts[l.source]++
		}
	default:
		slices.SortStableFunc(links, compareLinked)
	}
	for from := 0; from < len(links); {
		to := from + 1
		for to < len(links) && links[to].source == links[from].source && links[to].target == links[from].target {
			to++
		}
		if to-from > 1 {
			slices.SortStableFunc(links[from:to], e.compareTypes)
		}
		from = to
	}
}

func (e *graphEncoder) compareTypes(a, b linked) int {
	s, _ := e.edgeWords(a)
	t, _ := e.edgeWords(b)
	return strings.Compare(s, t)
}

func compareLinked(a, b linked) int {
	if a.source != b.source {
		return int(a.source) - int(b.source)
	}
	return int(a.target) - int(b.target)
}

func accumulate(counts []int32) {
	sum := int32(0)
	for i := range counts {
		sum += counts[i]
		counts[i] = sum
	}
}

// sortKey is a position with a number that sorts as it does, as far as it goes.
type sortKey struct {
	key uint64
	at  int32
}

// minRadix is the number of keys from which sorting by digits pays.
const minRadix = 64

// sortByKey returns the positions in the order of their keys. Positions of equal
// keys are in the order of compare, then in their own.
func sortByKey(keys []sortKey, compare func(a, b int32) int) []int32 {
	if len(keys) < minRadix {
		slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	} else {
		keys = radixSort(keys)
	}
	order := make([]int32, len(keys))
	for i, k := range keys {
		order[i] = k.at
	}
	for from := 0; from < len(keys); {
		to, inOrder := from+1, true
		for ; to < len(keys) && keys[to].key == keys[from].key; to++ {
			inOrder = inOrder && compare(order[to-1], order[to]) <= 0
		}
		if !inOrder {
			slices.SortFunc(order[from:to], func(a, b int32) int { return cmp.Or(compare(a, b), cmp.Compare(a, b)) })
		}
		from = to
	}
	return order
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
