package bcp

import (
	"bytes"
	"context"
	"fmt"
	"sync"
)

// A Store keeps the bodies of blocks under their hashes. Implementations are
// safe for concurrent use. Package store has one on disk.
type Store interface {
	// Get returns the body with that hash. The caller does not change it, also
	// not as the Content of a decoded block: it may be the store's own. The
	// error for a hash that is not there wraps [ErrNotFound].
	Get(ctx context.Context, h Hash) ([]byte, error)
	// Put keeps a copy of body and returns its hash.
	Put(ctx context.Context, body []byte) (Hash, error)
	// Has reports whether Get would find the hash.
	Has(ctx context.Context, h Hash) (bool, error)
}

// NewMemoryStore returns a [Store] in memory.
func NewMemoryStore() Store { return &memoryStore{bodies: make(map[Hash][]byte)} }

type memoryStore struct {
	mu     sync.RWMutex
	bodies map[Hash][]byte
}

func (s *memoryStore) Get(_ context.Context, h Hash) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	body, ok := s.bodies[h]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, h)
	}
	return bytes.Clone(body), nil
}

func (s *memoryStore) Put(_ context.Context, body []byte) (Hash, error) {
	h := HashOf(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.bodies[h]; !ok {
		s.bodies[h] = append([]byte{}, body...)
	}
	return h, nil
}

func (s *memoryStore) Has(_ context.Context, h Hash) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.bodies[h]
	return ok, nil
}
