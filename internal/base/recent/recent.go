// Package recent remembers values by keys, and forgets those that were not asked for.
package recent

import "sync"

// A Memory holds values of two generations. When the young ones fill half of it, they
// become the old ones, and the old ones that were not asked for since are gone. Its zero
// value is ready for use. It is safe for concurrent use.
type Memory[K comparable, V any] struct {
	mu         sync.Mutex
	young, old map[K]entry[V]
	size       int // of the young ones
	most       int
}

type entry[V any] struct {
	value V
	size  int
}

// Get returns what is remembered for a key.
func (m *Memory[K, V]) Get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.young[k]
	if !ok {
		if e, ok = m.old[k]; ok {
			m.add(k, e)
		}
	}
	return e.value, ok
}

// Put remembers a value of a size in a memory of at most most of it. One that takes more
// than half of it is not remembered, nor is what its key had before.
func (m *Memory[K, V]) Put(k K, v V, size, most int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.most = most; size <= most/2 {
		m.add(k, entry[V]{v, size})
		return
	}
	m.size -= m.young[k].size
	delete(m.young, k)
	delete(m.old, k)
}

func (m *Memory[K, V]) add(k K, e entry[V]) {
	more := e.size - m.young[k].size
	if m.young == nil || m.size+more > m.most/2 {
		m.young, m.old, m.size, more = make(map[K]entry[V]), m.young, 0, e.size
	}
	m.size += more
	m.young[k] = e
}
