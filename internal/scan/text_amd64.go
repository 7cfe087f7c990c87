//go:build !purego

package scan

// TextEnd is [StringEnd] for bytes, and for what is likely to be a long text. beyond is
// 0 only if all bytes before the end are ASCII; it may not be 0 because of bytes that
// stand up to 32 before i or behind the end. i is at most len(b).
//
//go:noescape
func TextEnd(b []byte, i int) (end int, beyond uint64)

// MoveText copies b[i:end] to b[w:] and returns what TextEnd does. w is not behind i,
// and what is not copied to stays as it is.
//
//go:noescape
func MoveText(b []byte, w, i int) (end int, beyond uint64)

// longStringEnd is TextEnd for a string.
//
//go:noescape
func longStringEnd(s string, i int) (end int, beyond uint64)
