package toon

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// Classes of bytes.
const (
	classSpecial  uint8 = 1 << iota // bars a bare string: : " \ [ ] { } and controls
	classKeyStart                   // letters and _
	classKeyPart                    // and digits and .
)

var class = func() (t [256]uint8) {
	for c := range 0x20 {
		t[c] = classSpecial
	}
	for _, c := range `:"\[]{}` {
		t[c] |= classSpecial
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= classKeyStart | classKeyPart
		t[c-'a'+'A'] |= classKeyStart | classKeyPart
	}
	t['_'] |= classKeyStart | classKeyPart
	for c := '0'; c <= '9'; c++ {
		t[c] |= classKeyPart
	}
	t['.'] |= classKeyPart
	return t
}()

// firstPlain holds the bytes that a string can begin with if it need not be
// looked at for what it might mean: all but digits, blanks, signs, # and the
// letters of null, true and false.
var firstPlain = func() (t [256]bool) {
	for c := range t {
		t[c] = !strings.ContainsRune(" +-#0123456789ntf", rune(c))
	}
	return t
}()

// bareString reports whether a string is written without quotes (section 7.2),
// if the document's delimiter is delim.
func bareString(s string, delim byte) bool {
	if s == "" || barredByte(s, delim) || s[len(s)-1] == ' ' {
		return false
	}
	return firstPlain[s[0]] || bareMeaning(s)
}

// bareMeaning is bareString for what a string might mean to a reader.
func bareMeaning(s string) bool {
	switch c := s[0]; {
	case c == ' ' || c == '-' || c == '#':
		return false
	case c-'0' <= 9 || c == '+':
		return !numeric(s)
	case c == 't':
		return s != "true"
	case c == 'f':
		return s != "false"
	case c == 'n':
		return s != "null"
	}
	return true
}

// barredByte reports whether s has a byte that no bare string has: the delimiter,
// a control character, or one of : " \ [ ] { }.
func barredByte(s string, delim byte) bool {
	delims := uint64(delim) * scan.Ones
	for ; len(s) >= 8; s = s[8:] {
		if suspects(scan.Load64(s, 0), delims)&scan.Highs != 0 && barredIn(s[:8], delim) {
			return true
		}
	}
	return barredIn(s, delim)
}

func barredIn(s string, delim byte) bool {
	for i := range len(s) {
		if class[s[i]]&classSpecial != 0 || s[i] == delim {
			return true
		}
	}
	return false
}

// suspects is not zero in the highest bits of words of which a byte is special or the
// delimiter, which is each byte of delims. It takes the pipe for special, too.
func suspects(w, delims uint64) uint64 {
	// Without the bit of 0x20, [ \ ] and { | } are the bytes 5B to 5D. Adding 5
	// and 2 to the low seven bits carries into the highest bit from there on,
	// and from after them on.
	folded := w&(0x7F*scan.Ones) | 0x20*scan.Ones
	brackets := (folded + 5*scan.Ones) &^ (folded + 2*scan.Ones)
	// The bit of 2 takes a quotation mark to 0x20, and control characters to others.
	// A borrow only reaches bytes above a true one.
	low := w ^ 2*scan.Ones
	return (brackets | (low - 0x21*scan.Ones) | (w ^ colons - scan.Ones) | (w ^ delims - scan.Ones)) &^ w
}

// numeric reports whether s, which does not begin with "-", looks like a number:
// digits, with a plus sign, a fraction and an exponent or without.
func numeric(s string) bool {
	i := len(s) - len(strings.TrimPrefix(s, "+"))
	j := scan.Digits(s, i)
	// The last of these digits and what follows it are a number in JSON's grammar.
	return j > i && scan.Number(s[j-1:]) == len(s)-j+1
}

// appendString appends a string, in quotation marks if it needs them. One of 8 to 32
// bytes is looked at as two or four words, which may overlap, whatever its length
// is: branches that depend on that would cost more.
func appendString(dst []byte, s string, delim byte) []byte {
	from, n := len(dst), len(s)
	if uint(n-1) >= fourWords || cap(dst)-from < n {
		return appendAny(dst, s, delim)
	}
	var suspect uint64
	text, delims := dst[from:from+n], uint64(delim)*scan.Ones
	begin, end := s[0], s[n-1]
	switch {
	case n >= 8:
		first, last := scan.Load64(s, 0), scan.Load64(s, n-8)
		binary.LittleEndian.PutUint64(text, first)
		suspect = suspects(first, delims) | suspects(last, delims)
		if n > twoWords {
			second, third := scan.Load64(s, 8), scan.Load64(s, n-16)
			binary.LittleEndian.PutUint64(text[8:], second)
			binary.LittleEndian.PutUint64(text[n-16:], third)
			suspect |= suspects(second, delims) | suspects(third, delims)
		}
		binary.LittleEndian.PutUint64(text[n-8:], last)
	case n >= 4:
		first, last := scan.Load32(s, 0), scan.Load32(s, n-4)
		binary.LittleEndian.PutUint32(text, first)
		binary.LittleEndian.PutUint32(text[n-4:], last)
		suspect = suspects(uint64(first)|uint64(last)<<32, delims)
	default:
		const plain = 'a'<<24 | 'a'<<32 | 'a'<<40 | 'a'<<48 | 'a'<<56
		middle := s[n/2]
		text[0], text[n/2], text[n-1] = begin, middle, end
		suspect = suspects(uint64(begin)|uint64(middle)<<8|uint64(end)<<16|plain, delims)
	}
	if suspect&scan.Highs == 0 && end != ' ' && (firstPlain[begin] || bareMeaning(s)) {
		return dst[:from+n]
	}
	return appendAny(dst, s, delim)
}

// The lengths up to which a string is two words, or four, which may overlap.
const (
	twoWords  = 16
	fourWords = 32
)

// appendAny is appendString for every string.
func appendAny(dst []byte, s string, delim byte) []byte {
	if strings.IndexByte(s, ':') < 0 && bareString(s, delim) { // most need quotes for a colon
		return scan.AppendWords(dst, s)
	}
	return appendQuoted(dst, s)
}

// appendKey appends a key, a name of a field list or an entry's key, without quotes if that
// may be (section 7.3). It copies what it looks at, as keys are a large part of a list.
func appendKey(dst []byte, key string) []byte {
	if key == "" || class[key[0]]&classKeyStart == 0 {
		return appendQuoted(dst, key)
	}
	from := len(dst)
	if cap(dst)-from < len(key) {
		return appendKey(slices.Grow(dst, len(key)), key)
	}
	text := dst[from : from+len(key)]
	for i := range len(key) {
		c := key[i]
		if class[c]&classKeyPart == 0 {
			return appendQuoted(dst, key)
		}
		text[i] = c
	}
	return dst[:from+len(key)]
}

// appendQuoted appends s in quotation marks with the escapes of section 7.1.
func appendQuoted(dst []byte, s string) []byte {
	if out, ok := scan.AppendPlain(dst, s, '"'); ok {
		return out
	}
	return append(scan.AppendFewEscapes(append(dst, '"'), s), '"')
}
