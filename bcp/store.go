package bcp

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/wirekit/wirekit/wire"
	"github.com/zeebo/blake3"
)

// Hash is the unkeyed BLAKE3-256 hash of a block's body, with its summary and
// before compression. It is what a reference holds in place of the body.
type Hash [32]byte

// HashOf returns the hash of a body.
func HashOf(body []byte) Hash { return blake3.Sum256(body) }

// String returns the hash in lower-case hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads a hash from 64 hexadecimal digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if len(s) != 2*len(h) {
		return Hash{}, failure("invalid_hash", wire.ErrSyntax, "a hash has 64 hexadecimal digits, not %d", len(s))
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil {
		return Hash{}, failure("invalid_hash", wire.ErrSyntax, "%v", err)
	}
	return h, nil
}

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
