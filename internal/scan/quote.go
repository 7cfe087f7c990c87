package scan

import "encoding/binary"

const hexDigits = "0123456789abcdef"

// shortEscape holds the letter of JSON's two-character escapes.
var shortEscape = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendQuote appends s as a JSON string: in quotation marks, with the escapes
// that RFC 8259 demands and no others, in their shortest form.
func AppendQuote(dst []byte, s string) []byte {
	from, n := len(dst), len(s)
	if n < 4 || n > copiedWords || cap(dst)-from < n+len(`""`) {
		return append(AppendEscaped(append(dst, '"'), s), '"')
	}
	// A text of a few words is copied while it is looked at.
	room := dst[from : from+n+len(`""`)]
	room[0], room[n+1] = '"', '"'
	text := room[1 : n+1]
	var special uint64
	if n < 8 {
		first, last := load32(s, 0), load32(s, n-4)
		special = specials(uint64(first) | uint64(last)<<32)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
	} else {
		for i := 0; i+8 < n; i += 8 {
			w := Load64(s, i)
			special |= specials(w)
			binary.LittleEndian.PutUint64(text[i:], w)
		}
		w := Load64(s, n-8)
		special |= specials(w)
		binary.LittleEndian.PutUint64(text[n-8:], w)
	}
	if special != 0 {
		return append(AppendEscaped(dst[:from+1], s), '"')
	}
	return dst[:from+n+len(`""`)]
}

// copiedWords is the length of the strings that are copied in words.
const copiedWords = 64

// specials is not zero if any byte of the word has an escape in a JSON string.
func specials(w uint64) uint64 {
	quote, slash := w^'"'*Ones, w^'\\'*Ones
	return ((w-0x20*Ones)&^w | (quote-Ones)&^quote | (slash-Ones)&^slash) & Highs
}

func load32(s string, i int) uint32 {
	s = s[i : i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
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
