package tokens

import (
	"bytes"
	"math/bits"
)

// Most text is ASCII, and what begins a piece there shows in the two characters before
// and the one after. So a block of text is taken apart at once: its characters' classes
// become bits of a few words, a bit for each character, and some operations on these
// words give the places where pieces begin.

// A block is three thirds, which are looked at side by side.
const (
	third    = 21
	blockLen = 3 * third
)

// A block is text, with what the key of a piece may take from after it.
type block [blockLen + 8]byte

// marks tell of each byte of a block, the first in the lowest bit, whether a piece
// begins there and whether it is a digit. They hold for bytes in front of the first one
// that is unsure, but for that before it, if a piece begins with the block.
//
// Unsure are characters that are not ASCII, apostrophes, control characters but for the
// tab and the newline, and beside a newline or what is unsure the white space before and
// the slashes after.
func (p *pattern) marks(b *block) (begins, digit, unsure uint64) {
	x, y, z := uint64(0), uint64(0), uint64(0)
	for i := 0; i < third; i += 3 {
		x = x>>1 | roles[b[i]]
		y = y>>1 | roles[b[i+third]]
		z = z>>1 | roles[b[i+2*third]]
		x = x>>1 | roles[b[i+1]]
		y = y>>1 | roles[b[i+1+third]]
		z = z>>1 | roles[b[i+1+2*third]]
		x = x>>1 | roles[b[i+2]]
		y = y>>1 | roles[b[i+2+third]]
		z = z>>1 | roles[b[i+2+2*third]]
	}
	const ofThird = 1<<third - 1
	low := x&ofThird | y&ofThird<<third | z&ofThird<<(2*third)
	middle := x>>third&ofThird | y&(ofThird<<third) | z&(ofThird<<third)<<third
	high := x>>(2*third) | y>>(2*third)<<third | z>>(2*third)<<(2*third)
	symbol := ^(low | middle | high)
	small := low &^ middle &^ high
	capital := middle &^ low &^ high
	digit = low & middle &^ high
	blank := high &^ low &^ middle
	line := high & low &^ middle
	tab := high & middle &^ low
	unsure = high&middle&low | 1<<blockLen // what comes after the block

	letter, space := small|capital, blank|tab
	before := func(x uint64) uint64 { return x << 1 }
	begins = letter & (before(digit|line) | before(symbol)&(symbol<<2|blank<<2))
	if p.camel {
		begins |= capital & before(small)
	}
	begins |= symbol &^ before(symbol|blank)
	if p.scripts { // white space before a number is one piece
		begins |= space &^ (before(space) & ((space | digit) >> 1))
	} else {
		begins |= space &^ (before(space) & (space >> 1))
	}
	begins |= line &^ before(symbol|space|line)
	if p.digits == 1 {
		begins |= digit
	} else {
		every := digit &^ before(digit|unsure)
		for inner := digit & (digit << 1) & (digit << 2) & (digit << 3); every != 0; every = every << 3 & inner {
			begins |= every
		}
	}
	if ended := space & ((line | unsure) >> 1); ended != 0 {
		for more := ended; more != 0; more = more >> 1 & space &^ ended {
			ended |= more
		}
		unsure |= ended
	}
	for behind := before(line|unsure) & symbol; behind != 0; behind &= behind - 1 {
		at := bits.TrailingZeros64(behind)
		after := blockLen - len(bytes.TrimLeft(b[at:blockLen], "/"))
		unsure |= 1<<after - 1<<at
	}
	return begins, digit, unsure
}

// roles has three bits for each byte, the number of its class, in the places of a third's
// last byte.
var roles = func() (r [256]uint64) {
	for _, set := range [][3]int{ // a class with its first and its last byte; later ones take from earlier ones
		{7, 0, 0xff}, {0, '!', 0x7f}, {1, 'a', 'z'}, {2, 'A', 'Z'}, {3, '0', '9'}, {4, ' ', ' '}, {5, '\n', '\n'}, {6, '\t', '\t'}, {7, '\'', '\''},
	} {
		of := uint64(set[0])
		for b := set[1]; b <= set[2]; b++ {
			r[b] = (of&1 | of>>1&1<<third | of>>2<<(2*third)) << (third - 1)
		}
	}
	return r
}()

// sureBits returns the bits in front of the first that is unsure, but for the one before
// it.
func sureBits(unsure uint64) uint64 {
	first := unsure & -unsure // 0 if there is none
	return (first - 1) >> 1
}
