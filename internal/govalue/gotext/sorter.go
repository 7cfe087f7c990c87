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
	filled uint8 // a bit for each slot that may hold keys
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
// none left, it returns new memory with the keys in it, and true; or none of them if they are
// at most Few, which Pairs sorts.
func (s *Sorter) AnyKeys(m map[string]any) (keys []string, own bool) {
	if keys = s.take(len(m)); len(keys) > 0 || len(m) <= Few {
		return keys, len(keys) == 0
	}
	return SortedKeys(m, keys), true
}

// Few is how many keys are sorted with their values sooner than each is looked up.
const Few = 8

// Pairs appends the sorted keys of a small map to keys, and their values to few.
func Pairs(m map[string]any, keys []string, few *[Few]any) ([]string, []any) {
	values := few[:0]
	for key, v := range m {
		i := len(keys)
		for keys, values = append(keys, key), append(values, v); i > 0 && keys[i-1] > key; i-- {
			keys[i], values[i] = keys[i-1], values[i-1]
		}
		keys[i], values[i] = key, v
	}
	return keys, values
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
