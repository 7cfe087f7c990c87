package tokens

import (
	"encoding/binary"
	"math/bits"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// Most pieces are short and ASCII, and most of those were seen before. countBlocks
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
// document. A piece has one slot or the one beside it, and evicts what was there before
// the piece that it displaces.
type memo struct {
	short [1 << 15]uint64 // keys with the count in the lowest byte; 0 if the slot is empty
	long  [1 << 12]longPiece
	parts parts // memory for the next piece that is new
}

// A longPiece has more than longestShort bytes.
type longPiece struct {
	first, last    uint64 // eight bytes each
	length, tokens uint8
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
	case length > longestRemembered || piece[0] == 0:
		return v.countNew(piece, &m.parts)
	case length <= longestShort:
		if i+8 > len(text) {
			var tail [8]byte
			copy(tail[:], piece)
			text, i = tail[:], 0
		}
		k := key(text, i, length)
		at := keySlot(k)
		s, second := &m.short[at], &m.short[at^1]
		if *s&^0xff == k {
			return int(*s & 0xff), nil
		}
		if *second&^0xff == k {
			*s, *second = *second, *s
			return int(*s & 0xff), nil
		}
		n, err := v.countNew(piece, &m.parts)
		*s, *second = k|uint64(n), *s
		return n, err
	}
	p := longPiece{first: scan.Load64(text, i), last: scan.Load64(text, i+length-8), length: uint8(length)}
	at := uint(mix(p.first^spread, p.last+spread)) % uint(len(m.long))
	s, second := &m.long[at], &m.long[at^1]
	if s.first == p.first && s.last == p.last && s.length == p.length {
		return int(s.tokens), nil
	}
	if second.first == p.first && second.last == p.last && second.length == p.length {
		*s, *second = *second, *s
		return int(s.tokens), nil
	}
	n, err := v.countNew(piece, &m.parts)
	p.tokens = uint8(n)
	*s, *second = p, *s
	return n, err
}

// countBlocks counts the pieces from text[i:] on, block by block, up to one whose end
// the marks of a block do not tell, or up to stop or a block more. It returns their
// tokens and where the next one begins.
func (e *encoding) countBlocks(v *vocabulary, m *memo, text []byte, i, stop int) (total, at int, err error) {
	var tail block
	for i < stop && i+8 <= len(text) {
		// Where the next bytes are unsure already, a block is not worth looking at.
		w := binary.LittleEndian.Uint64(text[i:])
		if apostrophes := w ^ '\''*scan.Ones; (w|(apostrophes-scan.Ones)&^apostrophes)&scan.Highs != 0 {
			break
		}
		b := &tail
		if rest := text[i:]; len(rest) >= len(b) {
			b = (*block)(rest)
		} else {
			clear(b[copy(b[:], rest):])
		}
		begins, digit, unsure := e.marks(b)
		begins = (begins | 1) & sureBits(unsure)
		last := bits.Len64(begins) - 1
		if last <= 0 {
			break
		}
		total += bits.OnesCount64(begins) - 1
		// A single byte is a token, as are the digits of most vocabularies.
		long := begins &^ (begins >> 1) &^ (1 << last)
		if v.digits {
			long &^= digit
		}
		for ; long != 0; long &= long - 1 {
			start := bits.TrailingZeros64(long)
			length := 1 + bits.TrailingZeros64(begins>>uint(start+1))
			if length <= longestShort {
				k := key(b[:], start, length)
				if s := m.short[keySlot(k)]; s&^0xff == k {
					total += int(s&0xff) - 1
					continue
				}
			}
			n, err := v.countPiece(text, i+start, length, m)
			if err != nil {
				return 0, 0, err
			}
			total += n - 1
		}
		i += last
	}
	return total, i, nil
}
