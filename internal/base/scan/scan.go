// Package scan holds the byte-level primitives of the text formats: functions
// without state that look at bytes and say where something ends.
package scan

import (
	"math/bits"
)

// Bytes is text in either of Go's two forms.
type Bytes interface{ ~[]byte | ~string }

// SameStart reports whether a slice begins where a buffer does: then it is the buffer,
// and not memory that somebody else may have.
func SameStart(a, buffer []byte) bool {
	return cap(a) > 0 && cap(buffer) > 0 && &a[:1][0] == &buffer[:1][0]
}

// Number returns the length of the number in JSON's grammar (RFC 8259,
// section 6) that b starts with, 0 if it starts with none. It takes the
// longest one: of "1.x" that is "1", of "01" it is "0".
func Number[T Bytes](b T) int {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i == len(b) || b[i]-'0' > 9:
		return 0
	case b[i] == '0':
		i++
	default:
		i = Digits(b, i)
	}
	if i+1 < len(b) && b[i] == '.' && b[i+1]-'0' <= 9 {
		i = Digits(b, i+1)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		j := i + 1
		if j < len(b) && (b[j] == '+' || b[j] == '-') {
			j++
		}
		if j < len(b) && b[j]-'0' <= 9 {
			i = Digits(b, j)
		}
	}
	return i
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c-'0' <= 9 }

// IsLetter reports whether c is an ASCII letter, or part of a character beyond ASCII.
func IsLetter(c byte) bool { return c|0x20-'a' <= 'z'-'a' || c >= 0x80 }

// CommonPrefix returns how many bytes two texts begin with alike.
func CommonPrefix[T Bytes](a, b T) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// Digits returns the index of the first byte at or after i that is not a digit.
func Digits[T Bytes](b T, i int) int {
	for i+8 <= len(b) {
		if other := NonDigits(Load64(b, i)); other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
		i += 8
	}
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// NonDigits marks the first byte of w that is not a digit with its highest bit, and
// those after it, with others perhaps if w holds more than ASCII.
func NonDigits(w uint64) uint64 {
	// A byte is a digit if it differs from '0' by 9 at most. Adding 0x76 sets the
	// highest bit above that; a carry, from a byte beyond ASCII, only reaches bytes
	// above one that has it.
	w ^= '0' * Ones
	return (w | (w + 0x76*Ones)) & Highs
}

// Ones and Highs are words of eight bytes: 1 in each, and the highest bit of
// each. c*Ones is a word of eight bytes c.
const (
	Ones  = 0x0101010101010101
	Highs = 0x8080808080808080
)

// StringEnd returns the index of the first byte at or after i that a JSON
// string cannot hold as it is: a quotation mark, a backslash or a control
// character below 0x20. It returns len(s) if there is none.
func StringEnd(s string, i int) int {
	for short := i + 16; i+8 <= len(s); i += 8 {
		if i >= short {
			end, _ := longStringEnd(s, i)
			return end
		}
		if stop := StringStops(Load64(s, i)); stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= 0x20 {
		i++
	}
	return i
}

// StringStops has the highest bit of the first byte of a word that StringEnd stops
// at, and perhaps of others after it.
func StringStops(w uint64) uint64 {
	// The bit of 2 takes a quotation mark to 0x20, and control characters to others.
	// A byte's high bit is set where it is below 0x21 then, or where a difference is
	// zero; a borrow can only reach bytes above the first true one, so the lowest set
	// bit is exact.
	low, slash := w^2*Ones, w^'\\'*Ones
	return ((low - 0x21*Ones) | (slash - Ones)) &^ w & Highs
}

// Load64 returns the eight bytes at i, the first one lowest. The compiler makes
// one load of it.
func Load64[T Bytes](b T, i int) uint64 {
	b = b[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Load32 is Load64 for four bytes.
func Load32[T Bytes](b T, i int) uint32 {
	b = b[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// TrimBOM returns b without a byte order mark at its start.
func TrimBOM(b []byte) []byte {
	if len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF {
		return b[3:]
	}
	return b
}

// IsSpace reports whether c is white space of JSON.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// SkipSpace returns the index of the first byte at or after i that is not white space.
func SkipSpace[T Bytes](b T, i int) int {
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}

// InBrackets reports whether a text begins, after a byte order mark and white space, with a
// bracket or a brace.
func InBrackets(text []byte) bool {
	text = TrimBOM(text)
	i := SkipSpace(text, 0)
	return i < len(text) && (text[i] == '[' || text[i] == '{')
}

// Hex4 reads the four hexadecimal digits that b starts with.
func Hex4[T Bytes](b T) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	r := rune(hexDigit[b[0]])<<12 | rune(hexDigit[b[1]])<<8 | rune(hexDigit[b[2]])<<4 | rune(hexDigit[b[3]])
	return r, r >= 0
}

// hexDigit holds a hexadecimal digit's value; -1 for all else.
var hexDigit = func() (t [256]int8) {
	for c := range t {
		t[c] = -1
	}
	for c := range byte(10) {
		t['0'+c] = int8(c)
	}
	for c := range byte(6) {
		t['a'+c], t['A'+c] = int8(c)+10, int8(c)+10
	}
	return t
}()
