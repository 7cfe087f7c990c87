package bcp

import (
	"encoding/hex"

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
