package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// A key is the hash of a text as it is written, and of the plan for it.
type key [sha256.Size]byte

func keyOf(plan int, raw []byte) (k key) {
	h := sha256.New()
	h.Write(binary.AppendUvarint(nil, uint64(plan)))
	h.Write(raw)
	h.Sum(k[:0])
	return k
}

// A memory holds outcomes of two generations. When the young ones fill half of it, they
// become the old ones, and the old ones that were not asked for since are gone.
type memory struct {
	most int // bytes; none if not positive

	mu         sync.Mutex
	young, old map[key]outcome
	size       int // of the young ones
}

// overhead is what an outcome takes beside its text.
const overhead = 256

func (m *memory) get(k key) (outcome, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.young[k]
	if !ok {
		if o, ok = m.old[k]; ok {
			m.add(k, o)
		}
	}
	return o, ok
}

func (m *memory) put(k key, o outcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(k, o)
}

func (m *memory) add(k key, o outcome) {
	size := len(o.quoted) + overhead
	if size > m.most/2 {
		return
	}
	if m.size+size > m.most/2 {
		m.young, m.old, m.size = nil, m.young, 0
	}
	if m.young == nil {
		m.young = make(map[key]outcome)
	}
	if _, has := m.young[k]; !has {
		m.size += size
	}
	m.young[k] = o
}
