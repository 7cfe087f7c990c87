//go:build !amd64 || purego

package scan

// TextEnd is [StringEnd] for bytes, and for what is likely to be a long text. beyond is
// 0 only if all bytes before the end are ASCII; it may not be 0 because of bytes that
// stand up to 32 before i or behind the end. i is at most len(b).
func TextEnd(b []byte, i int) (end int, beyond uint64) { return textEnd(b, i) }

// MoveText copies b[i:end] to b[w:] and returns what TextEnd does. w is not behind i,
// and what is not copied to stays as it is.
func MoveText(b []byte, w, i int) (end int, beyond uint64) { return moveText(b, w, i) }

// longStringEnd is TextEnd for a string.
func longStringEnd(s string, i int) (end int, beyond uint64) { return textEnd(s, i) }
