package tokens

import (
	"encoding/binary"

	"github.com/wirekit/wirekit/internal/scan"
)

// Most pieces are short and ASCII, and most of those were seen before. countKnown
// finds their ends and their counts without leaving its loop.

const (
	// longestShort and longestRemembered are how many bytes a piece has at most that
	// is remembered as a key, and at all.
	longestShort      = 7
	longestRemembered = 16
)

// A memo remembers the counts of pieces. Documents repeat their words, keys and
// indentation, and finding a piece in the memo costs less than merging it, or even
// than finding it in the larger vocabulary. Pieces are held by themselves, so what one
// call has found serves the next one of the same encoding: most words of the next
// document. A piece has one slot and evicts the one that had it before.
type memo struct {
	short [1 << 15]uint64 // keys with the count in the lowest byte; 0 if the slot is empty
	long  [1 << 12]longPiece
}

// A longPiece has more than longestShort bytes.
type longPiece struct {
	first, last    uint64 // eight bytes each
	length, tokens uint8
}

func (e *encoding) borrowMemo() *memo {
	if m, ok := e.memos.Get().(*memo); ok {
		return m
	}
	return new(memo)
}

// spread is an odd number without a pattern in its bits.
const spread = 0x9e3779b97f4a7c15

// keySlot returns the slot of a key.
func keySlot(key uint64) uint { return uint(mix(key, spread)) % uint(len(memo{}.short)) }

// key returns a piece of at most longestShort bytes, and not beginning with NUL, as
// a number whose lowest byte is 0.
func key(text []byte, i, length int) uint64 {
	return scan.Load64(text, i) << (8 * uint(8-length))
}

// countPiece returns the number of tokens of the piece of that length at text[i].
func (v *vocabulary) countPiece(text []byte, i, length int, m *memo) (int, error) {
	piece := text[i : i+length]
	switch {
	case length == 1:
		return 1, nil
	case length > longestRemembered || i+8 > len(text) || piece[0] == 0:
		return v.countNew(piece)
	case length <= longestShort:
		k := key(text, i, length)
		s := &m.short[keySlot(k)]
		if *s&^0xff == k {
			return int(*s & 0xff), nil
		}
		n, err := v.countNew(piece)
		*s = k | uint64(n)
		return n, err
	}
	p := longPiece{first: scan.Load64(text, i), last: scan.Load64(text, i+length-8), length: uint8(length)}
	s := &m.long[uint(mix(p.first^spread, p.last+spread))%uint(len(m.long))]
	if s.first == p.first && s.last == p.last && s.length == p.length {
		return int(s.tokens), nil
	}
	n, err := v.countNew(piece)
	p.tokens = uint8(n)
	*s = p
	return n, err
}

// countNew returns the number of tokens of a piece that is not remembered.
func (v *vocabulary) countNew(piece []byte) (int, error) {
	if len(piece) <= v.longest && v.rank(piece, hash(piece)) != unranked {
		return 1, nil
	}
	return v.merge(piece)
}

// countKnown counts the pieces from text[i:] on for as long as they are short and
// known. It returns their tokens, where it stopped, and the length of the piece there
// if that is short.
func (p *pattern) countKnown(c *classes, m *memo, digits bool, text []byte, i int) (total, at, length int) {
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
			s := m.short[keySlot(k)]
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
