//go:build !purego

package scan

// TextEnd is [StringEnd] for bytes, and for what is likely to be a long text. beyond is
// 0 only if all bytes before the end are ASCII; it may not be 0 because of bytes that
// are up to 32 before i or after the end. i is at most len(b).
//
//go:noescape
func TextEnd(b []byte, i int) (end int, beyond uint64)

// moveText copies s[i:end] to dst and returns what TextEnd does. dst has room for all of
// s[i:]; it may be the memory of s, from i or before it. What is not copied to stays as it
// is.
//
//go:noescape
func moveText(dst []byte, s string, i int) (end int, beyond uint64)

// longStringEnd is TextEnd for a string.
//
//go:noescape
func longStringEnd(s string, i int) (end int, beyond uint64)
