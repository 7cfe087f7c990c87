package scan

import "encoding/binary"

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
	if n < 4 || n > most || cap(dst)-from < n+marks {
		return dst, false
	}
	room := dst[from : from+n+marks]
	room[0], room[n+1] = '"', '"'
	text, pattern := room[1:n+1], uint64(other)*Ones
	var special uint64
	if n < 8 {
		first, last := Load32(s, 0), Load32(s, n-4)
		special = specials(uint64(first)|uint64(last)<<32, pattern)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
	} else {
		first, last := Load64(s, 0), Load64(s, n-8)
		binary.LittleEndian.PutUint64(text, first)
		binary.LittleEndian.PutUint64(text[n-8:], last)
		special = specials(first, pattern) | specials(last, pattern)
		for i := 8; i < n-8; i += 8 {
			w := Load64(s, i)
			binary.LittleEndian.PutUint64(text[i:], w)
			special |= specials(w, pattern)
		}
	}
	if special != 0 {
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
// some stand twice. It reports false for a shorter one.
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

// specials is not zero if any byte of the word has an escape in a JSON string, or
// is that of the pattern.
func specials(w, pattern uint64) uint64 {
	// The bit of 2 takes a quotation mark to 0x20, and control characters to
	// others.
	low, slash, other := w^2*Ones, w^'\\'*Ones, w^pattern
	return ((low - 0x21*Ones) | (slash - Ones) | (other - Ones)) &^ w & Highs
}

// AppendEscaped is AppendQuote without the quotation marks.
func AppendEscaped(dst []byte, s string) []byte {
	for {
		i := StringEnd(s, 0)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		c := s[i]
		if short := shortEscape[c]; short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		s = s[i+1:]
	}
}
