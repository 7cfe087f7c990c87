package wire

import (
	"iter"
	"slices"
	"sync/atomic"
)

// Keys is an ordered list of distinct keys. Objects of one shape share one
// Keys, so "all rows of this array have the same columns" is a comparison of
// pointers, a table's header is ready, and ten thousand rows store their keys
// once. Keys are immutable and safe for concurrent use.
type Keys struct {
	names []string
	// index is built by the first search in a long list; two goroutines may
	// both build it, with the same content.
	index atomic.Pointer[map[string]int]
	// jsonLabels is built by the first object written as JSON, in the same way.
	jsonLabels atomic.Pointer[[]string]
	// hash is that of the names, 0 until it is asked for.
	hash atomic.Uint64
	// fields are those of the structs that objects with these keys were stored in.
	fields atomic.Pointer[keyFields]
}

// linearKeys is the length up to which a list is searched from its start; a
// map is faster above.
const linearKeys = 12

var noKeys = &Keys{}

// NewKeys returns the key list names. Two equal names are an error that wraps
// [ErrDuplicateKey].
func NewKeys(names ...string) (*Keys, error) {
	if len(names) == 0 {
		return noKeys, nil
	}
	k := &Keys{names: slices.Clone(names)}
	for i, name := range names {
		if k.Index(name) != i {
			return nil, goError(CodeDuplicateKey, ErrDuplicateKey, "the key %.40q is given twice", name)
		}
	}
	return k, nil
}

// Len returns the number of keys.
func (k *Keys) Len() int { return len(k.names) }

// At returns key i.
func (k *Keys) At(i int) string { return k.names[i] }

// All iterates over the keys with their positions.
func (k *Keys) All() iter.Seq2[int, string] { return slices.All(k.names) }

// Index returns the position of name, -1 if it is not in the list. It takes
// constant time on average however long the list is.
func (k *Keys) Index(name string) int {
	if len(k.names) <= linearKeys {
		return slices.Index(k.names, name)
	}
	index := k.index.Load()
	if index == nil {
		m := make(map[string]int, len(k.names))
		for i, n := range k.names {
			if _, ok := m[n]; !ok { // NewKeys finds duplicates by the first position
				m[n] = i
			}
		}
		index = &m
		k.index.Store(index)
	}
	if i, ok := (*index)[name]; ok {
		return i
	}
	return -1
}

// same reports whether both lists have the same keys in the same order.
func (k *Keys) same(l *Keys) bool {
	return k == l || slices.Equal(k.names, l.names)
}
