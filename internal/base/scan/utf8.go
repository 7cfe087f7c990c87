package scan

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsUTF8 is utf8.Valid, faster for text beyond ASCII: characters are checked
// in words, with their bits in the order of their bytes (RFC 3629, section 4).
func IsUTF8(b []byte) bool {
	i := 0
	for i+8 <= len(b) {
		w := Load64(b, i)
		switch {
		case w&Highs == 0:
			for i += 8; i+32 <= len(b); i += 32 {
				c := b[i : i+32 : i+32]
				if (Load64(c, 0)|Load64(c, 8)|Load64(c, 16)|Load64(c, 24))&Highs != 0 {
					break
				}
			}
		case w&0x80 == 0:
			i += bits.TrailingZeros64(w&Highs) / 8
		case w&0xC0C0F0 == 0x8080E0:
			// E0 wants A0 or more after it, ED less than A0.
			if start := w & 0x200F; start == 0 || start == 0x200D {
				return false
			}
			i += 3
			if w>>24&0xC0C0F0 == 0x8080E0 {
				if start := w >> 24 & 0x200F; start == 0 || start == 0x200D {
					return false
				}
				i += 3
			}
		case w&0xC0E0 == 0x80C0:
			if w&0x1E == 0 { // C0 and C1
				return false
			}
			i += 2
			// The rest of a word, four characters at a time. A lead's bits are not
			// all zero where adding 0x7FFF sets the highest bit of its half word.
			for i+8 <= len(b) {
				w := Load64(b, i)
				if w&0xC0E0C0E0C0E0C0E0 != 0x80C080C080C080C0 || (w&0x001E001E001E001E+0x7FFF7FFF7FFF7FFF)&0x8000800080008000 != 0x8000800080008000 {
					break
				}
				i += 8
			}
		case w&0xC0C0C0F8 == 0x808080F0:
			// F0 wants 90 or more after it, F4 less than 90.
			switch lead, high := w&7, w&0x3000 != 0; {
			case lead > 4, lead == 0 && !high, lead == 4 && high:
				return false
			}
			i += 4
		default:
			return false
		}
	}
	if n := len(b); n >= 8 && Load64(b, n-8)&Highs == 0 {
		return true
	}
	return utf8.Valid(b[i:])
}

// ValidUTF8 returns the length of the longest prefix of b that is valid UTF-8.
func ValidUTF8(b []byte) int {
	if IsUTF8(b) {
		return len(b)
	}
	i := 0
	for i < len(b) {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

// Printable returns s on one line and without what a terminal would obey.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, s)
}
