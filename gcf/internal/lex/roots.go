package lex

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// RootPrefix names the algorithm's hash (section 10.2).
const RootPrefix = "sha256:"

// A RootWriter hashes records, which are appended to Buf.
type RootWriter struct {
	Buf  []byte
	hash hash.Hash
}

func NewRootWriter() *RootWriter {
	return &RootWriter{make([]byte, 0, 10<<10), sha256.New()}
}

// Flush hashes what has been appended, once that is much.
func (w *RootWriter) Flush() {
	if len(w.Buf) >= 8<<10 {
		w.hash.Write(w.Buf)
		w.Buf = w.Buf[:0]
	}
}

// Sum returns the root of the records.
func (w *RootWriter) Sum() string {
	w.hash.Write(w.Buf)
	return RootPrefix + hex.EncodeToString(w.hash.Sum(nil))
}

// IsRoot reports whether s is a root of the algorithm that this package knows:
// others are unknown roots (section 10.2).
func IsRoot(s string) bool {
	digits, ok := strings.CutPrefix(s, RootPrefix)
	return ok && len(digits) == 2*sha256.Size && strings.Trim(digits, "0123456789abcdef") == ""
}

// CheckBase compares roots before a delta is applied. Roots of another
// algorithm are unknown roots (section 10.2).
func CheckBase(base, baseRoot string) error {
	switch {
	case !IsRoot(baseRoot):
		return Fault("unknown_root", wire.ErrVersion, "", "the base root "+Quoted(baseRoot)+" is not of the algorithm gcf-pack-root-v1", "ask for a full payload")
	case base != baseRoot:
		return Fault("base_mismatch", wire.ErrChecksum, "",
			fmt.Sprintf("the delta is for the root %s, not for %s", Abbreviated(baseRoot), base), "ask for a full payload")
	}
	return nil
}

func RootMismatch(root, want string) error {
	return Fault("root_mismatch", wire.ErrChecksum, "",
		fmt.Sprintf("the content has the root %s, the document gives %s", root, Quoted(want)), "ask for a full payload")
}
