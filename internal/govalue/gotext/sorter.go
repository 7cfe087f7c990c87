package gotext

import (
	"maps"
	"math/bits"
	"slices"
)

// Sorter is what writers of maps remember: the sorted keys of the last ones, by length,
// as the next map mostly has those of the last.
type Sorter struct {
	slots  [8][]string
	filled uint8  // a bit for each slot that may hold keys
	small  uint16 // and for each size of a small map that was seen
}

// take returns the keys of the last map with n elements; or none, perhaps with capacity
// for them.
func (s *Sorter) take(n int) []string {
	slot := &s.slots[n%len(s.slots)]
	keys := *slot
	if *slot = nil; len(keys) != n {
		keys = keys[:0]
	}
	return keys
}

// Keys returns the keys of the last map with n elements, which are the caller's until
// Put, or those of the map. It reports which they are: if they are not its own and the map
// lacks one, the caller gets its own from Sorted.
func (s *Sorter) Keys(v Var, n int) (keys []string, own bool) {
	if keys = s.take(n); len(keys) == 0 {
		return v.Sorted(keys), true
	}
	return keys, false
}

// AnyKeys returns memory for the sorted keys of a map in an interface. Where the Sorter has
// none left, it returns new memory with the keys in it, and true; or no keys if the map is small
// and the first one of its size, whose members are sorted as Pairs.
func (s *Sorter) AnyKeys(m map[string]any) (keys []string, own bool) {
	if n := len(m); n <= len(Pairs{}) && s.small&(1<<n) == 0 {
		s.small |= 1 << n
		return nil, true
	}
	if keys = s.take(len(m)); len(keys) == 0 {
		return SortedKeys(m, keys), true
	}
	return keys, false
}

// Pairs are the members of a small map. A map that may be the only one of its size leaves
// nothing to remember, and nothing is looked up for it.
type Pairs [8]struct {
	Key   string
	Value any
}

// Sort makes p the members of m, sorted, and returns how many these are.
func (p *Pairs) Sort(m map[string]any) (n int) {
	for key, v := range m {
		i := n
		for ; i > 0 && less(key, p[i-1].Key); i-- {
			p[i] = p[i-1]
		}
		p[i].Key, p[i].Value = key, v
		n++
	}
	return n
}

// less is a < b, which mostly their first bytes say.
func less(a, b string) bool {
	if a != "" && b != "" && a[0] != b[0] {
		return a[0] < b[0]
	}
	return a < b
}

// SortedKeys is [Var.Sorted] for such a map.
func SortedKeys(m map[string]any, keys []string) []string {
	keys = slices.AppendSeq(keys[:0], maps.Keys(m))
	slices.Sort(keys)
	return keys
}

// Put says that the map with these keys is written.
func (s *Sorter) Put(keys []string) {
	i := len(keys) % len(s.slots)
	s.slots[i] = keys
	s.filled |= 1 << i
}

// maxKept is how many keys of a length are kept memory for between documents.
const maxKept = 256

// Clear forgets all keys.
func (s *Sorter) Clear() {
	s.small = 0
	for ; s.filled != 0; s.filled &= s.filled - 1 {
		i := bits.TrailingZeros8(s.filled)
		keys := s.slots[i]
		if cap(keys) > maxKept {
			keys = nil
		}
		clear(keys[:cap(keys)])
		s.slots[i] = keys[:0]
	}
}
