package gotype

import "sync"

// A Memo holds what is made for keys, such as types, when it is first asked for. Of what is
// made twice at once one counts. The zero Memo is ready to use.
type Memo[K comparable, V any] struct{ made sync.Map }

// Of returns what the key has, which make makes if that is nothing yet.
func (m *Memo[K, V]) Of(key K, make func(K) V) V {
	known, ok := m.made.Load(key)
	if !ok {
		known, _ = m.made.LoadOrStore(key, make(key))
	}
	return known.(V)
}
