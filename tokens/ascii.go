package tokens

import (
	"encoding/binary"
	"math/bits"
)

// Most text is ASCII. asciiEnd takes the decisions of split on it eight bytes
// at a time, and leaves to split what it does not recognize.

// A pattern is what the vocabularies' expressions differ in.
type pattern struct {
	// camel: a word ends before a capital that follows a small letter, and
	// takes its contraction with it; symbols take slashes after line breaks.
	camel bool
	// digits is how many digits a piece has at most.
	digits int
}

var (
	patternO200k  = pattern{camel: true, digits: 3}
	patternCl100k = pattern{digits: 3}
	patternQwen   = pattern{digits: 1}
)

// lookahead is how many bytes asciiEnd may read after the start of a piece
// without asking where the text ends.
const lookahead = 8

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// between returns the high bit of each byte of x that is ASCII and from lo to
// hi.
func between(x uint64, lo, hi byte) uint64 {
	low := x &^ highs
	return (low + uint64(0x80-lo)*ones) &^ (low + uint64(0x7f-hi)*ones) &^ x & highs
}

// run returns how many bytes at the start of x have their bit in set, up to 8.
func run(set uint64) int { return bits.TrailingZeros64(^set&highs) >> 3 }

// skipLower returns the end of the run of small ASCII letters at i, or of all
// ASCII letters where fold is 0x20.
func skipLower(text []byte, i int, fold byte) int {
	for i+8 <= len(text) {
		n := run(between(binary.LittleEndian.Uint64(text[i:])|uint64(fold)*ones, 'a', 'z'))
		if i += n; n < 8 {
			return i
		}
	}
	for i < len(text) && text[i]|fold-'a' < 26 {
		i++
	}
	return i
}

// pieceEnd returns the end of the piece at i.
func (p *pattern) pieceEnd(c *classes, text []byte, i int) int {
	if i+lookahead < len(text) && text[i] < 0x80 {
		if end := p.asciiEnd(c, text, i); end > 0 {
			return end
		}
	}
	return p.split(c, text, i)
}

// asciiEnd returns the end of the piece that begins with the ASCII character at
// i, or 0 if split has to find it. There are lookahead bytes of text
// after i.
func (p *pattern) asciiEnd(c *classes, text []byte, i int) int {
	b := text[i]
	first := c.ascii[b]
	j := i
	if first == number {
		return p.digitsEnd(text, i)
	}
	if first&letter == 0 {
		if b == '\'' {
			return 0
		}
		next := text[i+1]
		if next >= 0x80 {
			return 0
		}
		second := c.ascii[next]
		switch {
		case first&prefix != 0 && second&letter != 0:
			j, b = i+1, next // a word with something before it
		case first&symbol != 0:
			return p.symbolsEnd(c, text, i+1)
		case b == ' ' && second&symbol != 0:
			return p.symbolsEnd(c, text, i+2)
		case first&space != 0 && second&space == 0:
			return i + 1
		default:
			return 0
		}
	}
	end := j + 1
	if !p.camel {
		end = skipLower(text, end, 0x20)
	} else {
		if b < 'a' {
			for end < len(text) && text[end]-'A' < 26 {
				end++
			}
		}
		end = skipLower(text, end, 0)
	}
	if end < len(text) && (text[end] >= 0x80 || p.camel && text[end] == '\'') {
		return 0
	}
	return end
}

// symbolsEnd returns the end of a run of symbols and of the line breaks after
// it. i is after the first symbol.
func (p *pattern) symbolsEnd(c *classes, text []byte, i int) int {
	for ; i < len(text); i++ {
		b := text[i]
		if b >= 0x80 {
			return 0
		}
		if c.ascii[b]&symbol == 0 {
			break
		}
	}
	for i < len(text) && (text[i] == '\n' || text[i] == '\r' || p.camel && text[i] == '/') {
		i++
	}
	return i
}

// digitsEnd returns the end of the piece of digits at i, or 0 if split
// has to find it. There are lookahead bytes of text after i.
func (p *pattern) digitsEnd(text []byte, i int) int {
	n := run(between(binary.LittleEndian.Uint64(text[i:]), '0', '9'))
	if n < p.digits {
		if text[i+n] >= 0x80 {
			return 0
		}
		return i + n
	}
	return i + p.digits
}
