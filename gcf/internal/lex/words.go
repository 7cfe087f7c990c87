package lex

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// This file looks at text in words of eight bytes. In the comments, a byte's
// flag is its highest bit in a word.

// FirstFlag returns the number of the lowest byte whose flag is set, 8 if none
// is. w holds flags only.
func FirstFlag(w uint64) int { return bits.TrailingZeros64(w) / 8 }

// SpacesEnd returns the position of the first byte of s at or after i that is no
// space.
func SpacesEnd(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// BareKeyEnd returns the position after the bare key that begins at s[i], i if
// none does (section 2a.1).
func BareKeyEnd(s string, i int) int {
	if i >= len(s) || Class[s[i]]&KeyFirst == 0 {
		return i
	}
	i++
	for i < len(s) && Class[s[i]]&KeyRest != 0 {
		i++
	}
	return i
}

// Delimiter returns the position of the first delim in line at or after i, or
// the line's end.
func Delimiter(line string, i int, delim byte) int {
	// Cells are short: eight bytes at a time beat a call.
	pattern := uint64(delim) * scan.Ones
	for ; i+8 <= len(line); i += 8 {
		// A difference of zero borrows into the flag; what a borrow reaches lies
		// above the first zero.
		w := scan.Load64(line, i) ^ pattern
		if n := FirstFlag((w - scan.Ones) &^ w & scan.Highs); n < 8 {
			return i + n
		}
	}
	for i < len(line) && line[i] != delim {
		i++
	}
	return i
}

// PlainPrefix returns a position up to which no byte of s from i on is of class
// quoteAlways, quoteBracket or quoteLead.
func PlainPrefix(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if n := FirstFlag(notPlain(scan.Load64(s, i))); n < 8 {
			return i + n
		}
	}
	if w, ok := scan.EndWord(s); ok && notPlain(w) == 0 {
		return len(s)
	}
	for i < len(s) && Class[s[i]]&(QuoteAlways|QuoteBracket|QuoteLead) == 0 {
		i++
	}
	return i
}

// notPlain flags the bytes of a word that plainPrefix stops at, and those beyond
// ASCII.
func notPlain(w uint64) uint64 {
	low := w ^ 2*scan.Ones // a quotation mark becomes 0x20, control characters others
	comma := w ^ ','*scan.Ones
	bracket := w ^ '['*scan.Ones
	bar := (w | 0x20*scan.Ones) ^ '|'*scan.Ones // 0x20 makes a bar of a backslash
	// A difference of zero borrows into the flag, as does a control character;
	// bytes beyond ASCII have theirs set.
	return (w | (low - 0x21*scan.Ones) | (comma - scan.Ones) | (bracket - scan.Ones) | (bar - scan.Ones)) & scan.Highs
}

// appendBare appends a string of a few words that needs no quotation marks for
// certain: it is copied while it is looked at. It reports false, and has appended
// nothing, for all else, and where dst has no room.
func appendBare(dst []byte, s string) ([]byte, bool) {
	const most = 64
	from, n := len(dst), len(s)
	if uint(n-1) >= most || cap(dst)-from < n || s[n-1] == ' ' {
		return dst, false
	}
	if first := Class[s[0]]; first&(quoteFirst|LookFirst) != 0 && (first&quoteFirst != 0 || ReadsOtherwise(s)) {
		return dst, false
	}
	out := dst[:from+n]
	text := out[from:]
	switch {
	case n >= 8:
		first, last := scan.Load64(s, 0), scan.Load64(s, n-8)
		binary.LittleEndian.PutUint64(text, first)
		binary.LittleEndian.PutUint64(text[n-8:], last)
		found := notPlain(first) | notPlain(last)
		for i := 8; i < n-8; i += 8 {
			w := scan.Load64(s, i)
			binary.LittleEndian.PutUint64(text[i:], w)
			found |= notPlain(w)
		}
		return out, found == 0
	case n >= 4:
		first, last := scan.Load32(s, 0), scan.Load32(s, n-4)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
		return out, notPlain(uint64(first)|uint64(last)<<32) == 0
	}
	first, middle, last := s[0], s[n/2], s[n-1]
	text[0], text[n/2], text[n-1] = first, middle, last
	return out, notPlain(uint64(first)|uint64(middle)<<8|uint64(last)<<16|0x7878787878000000) == 0
}

func IsContainer(k wire.Kind) bool { return k >= wire.KindArray }

// HoldsPath reports whether a field's name holds the separator of path columns
// (section 7.4.6).
func HoldsPath(name string) bool { return strings.IndexByte(name, '>') >= 0 }
