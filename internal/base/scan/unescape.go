package scan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Escapes are the escapes of a format's strings: a backslash with a letter, or with u and
// the four hexadecimal digits of a character.
type Escapes struct {
	// Letters holds what a backslash and a byte mean, 0 if they are not an escape.
	Letters [256]byte
	// Pairs makes one character of two escapes that are the halves of a surrogate pair;
	// otherwise a half is not an escape.
	Pairs bool
	// Doubled says that all is within another text, where each backslash is two. Then
	// Letters is empty, and JSON's are meant.
	Doubled bool
	// Controls says that control characters but the line feed are taken as they are.
	Controls bool
}

// JSONEscapes are those of RFC 8259, section 7.
var JSONEscapes = Escapes{
	Letters: [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'},
	Pairs:   true,
}

// FewEscapes are those of TOON and GOON.
var FewEscapes = Escapes{Letters: [256]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t'}}

// FewLetters is FewEscapes the other way round: the letter that each character is escaped with.
var FewLetters = [256]byte{'"': '"', '\\': '\\', '\n': 'n', '\r': 'r', '\t': 't'}

// Unescape appends the text that s has from i on, with its escapes decoded, up to what
// ends it: a quotation mark, the end of s, a control character, or the backslash of what
// is not an escape. It returns where that is, and what [TextEnd] returns for the text.
//
// dst may be the beginning of the memory of s, up to i or before it: an escape is longer
// than what it means.
func (e *Escapes) Unescape(dst []byte, s string, i int) (out []byte, end int, beyond uint64) {
	w, last := len(dst), len(s)-1
	out = dst[:cap(dst)]
	for {
		if w+Ahead > len(out) {
			out = grow(out[:w], s, i)
		}
		if i < last && s[i] == '\\' {
			if c := e.Letters[s[i+1]]; c != 0 {
				out[w] = c
				i, w = i+2, w+1
			} else {
				from := i
				if i, w = e.unicode(out, w, s, i); i == from {
					return out[:w], i, beyond
				}
			}
		}
		if i+8 > len(s) {
			end := StringEnd(s, i)
			w += copy(out[w:], s[i:end])
			i, beyond = end, Highs
		} else if word := Load64(s, i); StringStops(word) == 0 {
			end, more := moveText(out[w:], s[:min(len(s), i+len(out)-w)], i)
			beyond |= more
			w += end - i
			i = end
		} else if n := bits.TrailingZeros64(StringStops(word)) / 8; n > 0 {
			// If dst is the memory of s, what follows the text stays as it is.
			text := uint64(1)<<(8*n) - 1
			binary.LittleEndian.PutUint64(out[w:w+8], word&text|word<<(8*uint(i-w))&^text)
			beyond |= word
			i, w = i+n, w+n
		}
		if i < last && s[i] == '\\' {
			continue
		}
		if i > last || s[i] == '"' || s[i] == '\\' {
			return out[:w], i, beyond
		}
		if s[i] < 0x20 { // else there was no more room
			if !e.Controls || s[i] == '\n' {
				return out[:w], i, beyond
			}
			out = append(out[:w], s[i]) // perhaps where the room ends
			i, w, out = i+1, w+1, out[:cap(out)]
		}
	}
}

// Ahead is the room that Unescape makes for the next few bytes. A text that is decoded in
// its own memory is copied to elsewhere if that does not go on for so long.
const Ahead = 16

// unicode writes the characters of the escapes with u at i to out[w:], as far as there is
// room, and returns the positions after both.
func (e *Escapes) unicode(out []byte, w int, s string, i int) (int, int) {
	if e.Doubled {
		return doubled(out, w, s, i)
	}
	const length = len(`\u0000`)
	for w+12 <= len(out) && i+length <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
		r, ok := Hex4(s[i+2:])
		to := out[w : w+4 : w+4]
		switch {
		case !ok:
			return i, w
		case r < 0x80:
			to[0] = byte(r)
			w++
		case r < 0x800:
			to[0], to[1] = 0xC0|byte(r>>6), 0x80|byte(r)&0xBF
			w += 2
		case r&0xF800 != 0xD800:
			to[0], to[1], to[2] = 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF
			w += 3
		case r >= 0xDC00 || !e.Pairs || i+2*length > len(s) || s[i+length] != '\\' || s[i+length+1] != 'u':
			return i, w
		default:
			low, ok := Hex4(s[i+length+2:])
			if !ok || low&0xFC00 != 0xDC00 {
				return i, w
			}
			r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
			to[0], to[1], to[2], to[3] = 0xF0|byte(r>>18), 0x80|byte(r>>12)&0xBF, 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF
			w += 4
			i += length
		}
		i += length
	}
	return i, w
}

// doubled is unicode for one or two of JSON's escapes, with letters as well, whose
// backslashes are two each.
func doubled(out []byte, w int, s string, i int) (int, int) {
	if i+2 >= len(s) || s[i+1] != '\\' {
		return i, w
	}
	switch c := JSONEscapes.Letters[s[i+2]]; {
	case c == '\\' && (i+3 == len(s) || s[i+3] != c):
		return i, w
	case c == '\\':
		out[w] = c
		return i + 4, w + 1
	case c != 0:
		out[w] = c
		return i + 3, w + 1
	}
	var single [2 * len(`\u0000`)]byte
	n := 0
	for at := i; n < len(single) && at < len(s); at++ {
		if s[at] == '\\' {
			if at++; at == len(s) || s[at] != '\\' {
				break
			}
		}
		single[n] = s[at]
		n++
	}
	end, w := JSONEscapes.unicode(out, w, string(single[:n]), 0)
	return i + end + bytes.Count(single[:end], []byte{'\\'}), w
}

// grow makes room for the text that s has from i on, with its escapes.
func grow(out []byte, s string, i int) []byte {
	end := i
	for {
		if end = StringEnd(s, end); end+1 >= len(s) || s[end] != '\\' {
			break
		}
		end += 2
	}
	out = slices.Grow(out, end-i+Ahead)
	return out[:cap(out)]
}
