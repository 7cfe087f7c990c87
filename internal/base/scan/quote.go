package scan

import (
	"bytes"
	"encoding/binary"
	"slices"
)

const hexDigits = "0123456789abcdef"

// shortEscape holds the letter of JSON's two-character escapes.
var shortEscape = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendQuote appends s as a JSON string: in quotation marks, with the escapes
// that RFC 8259 demands and no others, in their shortest form.
func AppendQuote(dst []byte, s string) []byte {
	if out, ok := AppendPlain(dst, s, '"'); ok {
		return out
	}
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// AppendPlain appends s in quotation marks if it is a text of a few words without
// any byte that a JSON string cannot hold as it is, and without the byte other:
// it is copied while it is looked at. It reports false, and has appended nothing,
// for all else, and where dst has no room.
func AppendPlain(dst []byte, s string, other byte) ([]byte, bool) {
	const marks, most = len(`""`), 64
	from, n := len(dst), len(s)
	if uint(n-1) >= most || cap(dst)-from < n+marks {
		return dst, false
	}
	room, pattern := dst[from:from+n+marks], uint64(other)*Ones
	room[0], room[n+1] = '"', '"'
	var special uint64
	switch {
	case n >= 8:
		first, last := Load64(s, 0), Load64(s, n-8)
		store64(room, 1, first)
		store64(room, n-7, last)
		special = specials(first, pattern) | specials(last, pattern)
		for i := 8; i < n-8; i += 8 {
			w := Load64(s, i)
			store64(room, 1+i, w)
			special |= specials(w, pattern)
		}
	case n >= 4:
		first, last := Load32(s, 0), Load32(s, n-4)
		store32(room, 1, first)
		store32(room, n-3, last)
		special = specials(uint64(first)|uint64(last)<<32, pattern)
	default:
		first, middle, last := s[0], s[n/2], s[n-1]
		room[1], room[1+n/2], room[n] = first, middle, last
		special = specials(uint64(first)|uint64(middle)<<8|uint64(last)*(Ones>>16<<16), pattern)
	}
	if special&Highs != 0 {
		return dst, false
	}
	return dst[:from+n+marks], true
}

// AppendWords appends s, in words if it is short.
func AppendWords(dst []byte, s string) []byte {
	const most = 64
	from, n := len(dst), len(s)
	if n < 4 || n > most || cap(dst)-from < n {
		return append(dst, s...)
	}
	dst = dst[:from+n]
	text := dst[from:]
	if n < 8 {
		first, last := Load32(s, 0), Load32(s, n-4)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
		return dst
	}
	for i := 0; i+8 < n; i += 8 {
		binary.LittleEndian.PutUint64(text[i:], Load64(s, i))
	}
	binary.LittleEndian.PutUint64(text[n-8:], Load64(s, n-8))
	return dst
}

// EndWord returns the last eight bytes of s, or its four to seven bytes, of which
// some are twice. It reports false for a shorter one.
func EndWord(s string) (uint64, bool) {
	n := len(s)
	switch {
	case n >= 8:
		return Load64(s, n-8), true
	case n >= 4:
		return uint64(Load32(s, 0)) | uint64(Load32(s, n-4))<<32, true
	}
	return 0, false
}

// specials has the highest bit of some byte of the word set if any has an escape in a
// JSON string, or is that of the pattern. Its other bits say nothing.
func specials(w, pattern uint64) uint64 {
	// The bit of 2 takes a quotation mark to 0x20, and control characters to
	// others.
	low, slash, other := w^2*Ones, w^'\\'*Ones, w^pattern
	return ((low - 0x21*Ones) | (slash - Ones) | (other - Ones)) &^ w
}

// AppendEscaped is AppendQuote without the quotation marks.
func AppendEscaped(dst []byte, s string) []byte { return appendEscaped(dst, s, &shortEscape) }

// AppendFewEscapes is AppendEscaped with those escapes in short form that [FewEscapes] reads.
func AppendFewEscapes(dst []byte, s string) []byte { return appendEscaped(dst, s, &FewLetters) }

func appendEscaped(dst []byte, s string, letters *[256]byte) []byte {
	for {
		i := StringEnd(s, 0)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		c := s[i]
		if short := letters[c]; short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		s = s[i+1:]
	}
}

// store64 and store32 are the counterparts of Load64 and Load32.
func store64(b []byte, i int, w uint64) { binary.LittleEndian.PutUint64(b[i:i+8:i+8], w) }
func store32(b []byte, i int, w uint32) { binary.LittleEndian.PutUint32(b[i:i+4:i+4], w) }

// EscapeByte puts a backslash before every c of dst[from:].
func EscapeByte(dst []byte, from int, c byte) []byte {
	if bytes.IndexByte(dst[from:], c) < 0 {
		return dst
	}
	n := bytes.Count(dst[from:], []byte{c})
	rest := len(dst) // what is before it is still to be moved
	dst = slices.Grow(dst, n)[:rest+n]
	for to := len(dst); n > 0; n-- {
		i := from + bytes.LastIndexByte(dst[from:rest], c)
		to -= rest - i
		copy(dst[to:], dst[i:rest])
		to--
		dst[to] = '\\'
		rest = i
	}
	return dst
}
