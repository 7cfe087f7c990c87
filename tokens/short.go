package tokens

import (
	"encoding/binary"

	"github.com/wirekit/wirekit/internal/scan"
)

// Most pieces are short and ASCII, and most of those were seen before. countKnown
// finds their ends and their counts without leaving its loop.

// longestShort is how many bytes a piece has at most that is held by itself.
const longestShort = 7

// A shortMemo remembers the counts of short pieces. A slot is a piece's key with
// its count in the lowest byte; 0 if it is empty. It keeps nothing of a text but
// these, so what one call has found serves the next one of the same encoding: most
// words of the next document.
type shortMemo [1 << 15]uint64

func (e *encoding) borrowShort() *shortMemo {
	if s, ok := e.short.Get().(*shortMemo); ok {
		return s
	}
	return new(shortMemo)
}

// shortSlot returns the slot of a key.
func shortSlot(key uint64) uint { return uint(mix(key, 0x9e3779b97f4a7c15)) % uint(len(shortMemo{})) }

// key returns a piece of at most longestShort bytes, and not beginning with NUL, as
// a number whose lowest byte is 0.
func key(text []byte, i, length int) uint64 {
	return scan.Load64(text, i) << (8 * uint(8-length))
}

// countKnown counts the pieces from text[i:] on for as long as they are short and
// known. It returns their tokens, where it stopped, and the length of the piece there
// if that is short.
func (p *pattern) countKnown(c *classes, short *shortMemo, digits bool, text []byte, i int) (total, at, length int) {
	for i+8 <= len(text) {
		w := binary.LittleEndian.Uint64(text[i:])
		first, second := c.plain[byte(w)], c.plain[byte(w>>8)]
		n, x, of := 0, w, first
		if first&prefix != 0 && second&letter != 0 {
			n, x, of = 1, w>>8, second
		}
		switch {
		case of&letter != 0:
			if !p.camel {
				n += run(between(x|0x20*ones, 'a', 'z'))
			} else {
				if of == upper {
					capitals := run(between(x, 'A', 'Z'))
					n += capitals
					x >>= uint(8*capitals) & 63
				}
				n += run(between(x, 'a', 'z'))
			}
			if n > longestShort {
				return total, i, 0
			}
			if b := byte(w >> (uint(8*n) & 63)); b >= 0x80 || b == '\'' && p.camel {
				return total, i, 0
			}
		case first == number:
			if n = run(between(w, '0', '9')); n >= p.digits {
				n = p.digits
			} else if byte(w>>(uint(8*n)&63)) >= 0x80 {
				return total, i, 0
			}
			if digits {
				total++
				i += n
				continue
			}
		case first == other || byte(w) == ' ' && second == other:
			n = 1 + run(symbols(w>>8))
			if n > longestShort {
				return total, i, 0
			}
			if b := byte(w >> (uint(8*n) & 63)); b-' ' >= 0x80-' ' {
				return total, i, 0 // line breaks belong to the symbols
			}
		case first&space != 0:
			// The last of several blanks is left to what follows.
			n = run(between(w>>8, ' ', ' '))
			if n >= longestShort {
				return total, i, 0
			}
			if next := c.plain[byte(w>>(uint(8*n+8)&63))]; next == 0 || next&space != 0 {
				return total, i, 0
			}
			if n == 0 || first == newline {
				n = 1
			}
		default:
			return total, i, 0
		}
		if n > 1 {
			k := w << (uint(-8*n) & 63)
			s := short[shortSlot(k)]
			if s&^0xff != k {
				return total, i, n
			}
			total += int(s&0xff) - 1
		}
		total++
		i += n
	}
	return total, i, 0
}

// symbols returns the high bit of each byte of x that is ASCII and neither a letter,
// a digit, a blank nor a control character.
func symbols(x uint64) uint64 {
	low := x &^ highs
	return (low + (0x80-'!')*ones) &^ between(x|0x20*ones, 'a', 'z') &^ between(x, '0', '9') &^ x & highs
}

// countShort returns the number of tokens of a short piece, and remembers it.
func (v *vocabulary) countShort(piece []byte, key uint64, short *shortMemo) int {
	n := 1
	if v.rank(piece, hash(piece)) == unranked {
		var starts shortStarts
		n = v.mergeShort(piece, &starts)
	}
	short[shortSlot(key)] = key | uint64(n)
	return n
}
