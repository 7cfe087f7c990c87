//go:build !amd64 || purego

package scan

// TextEnd is StringEnd for what is likely to be a long text: it returns the index of
// the first byte at or after i that a JSON string cannot hold as it is, len(b) if
// there is none. beyond is 0 only if all bytes before the end are ASCII; it may not
// be 0 because of bytes that stand up to 32 behind it. i is at most len(b).
func TextEnd(b []byte, i int) (end int, beyond uint64) { return textEnd(b, i) }

// MoveText copies b[i:end] to b[w:] and returns what TextEnd does. w is not behind i,
// and what is not copied to stays as it is.
func MoveText(b []byte, w, i int) (end int, beyond uint64) { return moveText(b, w, i) }
