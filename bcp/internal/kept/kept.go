// Package kept has what stores of content have in common: how much they keep, where it
// lies, and how it is read.
package kept

import (
	"errors"
	"fmt"
	"io"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// MaxBytes is the largest content that a store takes or returns. It has the value of
// store.MaxBytes, whose documentation spells it out.
const MaxBytes = 1 << 30

// Name returns where content lies under its hash: ab/cdef….
func Name(h bcp.Hash) string {
	name := h.String()
	return name[:2] + "/" + name[2:]
}

// Read reads content. More than MaxBytes is an error.
func Read(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil {
		err = Fits(int64(len(body)))
	}
	return body, err
}

// Fits returns an error for content of more than MaxBytes.
func Fits(size int64) error {
	if size <= MaxBytes {
		return nil
	}
	return &wire.Error{Format: "bcp", Code: "content_too_large", Kind: wire.ErrLimit, Message: "content of more than 1 GiB, the most that a store keeps (store.MaxBytes)"}
}

// Verify returns an error for content that does not have the hash that it is kept under.
func Verify(want bcp.Hash, body []byte) error {
	got := bcp.HashOf(body)
	if got == want {
		return nil
	}
	return &wire.Error{Format: "bcp", Code: "hash_mismatch", Kind: wire.ErrChecksum, Message: fmt.Sprintf("content kept under hash %s has the hash %s", want, got)}
}

// Failure returns an error of what a store keeps its content in as one of the store.
func Failure(err error) error {
	var own *wire.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return &wire.Error{Format: "bcp", Code: "io", Kind: err, Message: err.Error()}
}
