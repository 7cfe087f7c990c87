package bcp

import (
	"bytes"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// A Store keeps the bodies of blocks under their hashes. Implementations are
// safe for concurrent use. Package store has one on disk.
type Store interface {
	// Get returns the body with that hash. The caller does not change it, also
	// not as the Content of a decoded block: it may be the store's own. The
	// error for a hash that is not there wraps [ErrNotFound].
	Get(Hash) ([]byte, error)
	// Put keeps a copy of body and returns its hash.
	Put(body []byte) (Hash, error)
	// Has reports whether Get would find the hash.
	Has(Hash) (bool, error)
}

// MemoryStore is a [Store] in memory. The zero MemoryStore is empty and ready.
type MemoryStore struct {
	mu     sync.RWMutex
	bodies map[Hash][]byte
}

// Get implements [Store].
func (s *MemoryStore) Get(h Hash) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	body, ok := s.bodies[h]
	if !ok {
		return nil, NotFound(h)
	}
	return bytes.Clone(body), nil
}

// Put implements [Store].
func (s *MemoryStore) Put(body []byte) (Hash, error) {
	h := HashOf(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bodies == nil {
		s.bodies = make(map[Hash][]byte)
	}
	if _, ok := s.bodies[h]; !ok {
		s.bodies[h] = append([]byte{}, body...)
	}
	return h, nil
}

// Has implements [Store].
func (s *MemoryStore) Has(h Hash) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.bodies[h]
	return ok, nil
}

// NotFound returns a store's error for a hash that it does not have.
func NotFound(h Hash) error {
	return failure("not_found", ErrNotFound, "no content with hash %s", h)
}

// Mismatch returns a store's error for content that does not have the hash it
// is kept under.
func Mismatch(want, got Hash) error {
	return failure("hash_mismatch", wire.ErrChecksum, "content kept under hash %s has the hash %s", want, got)
}
