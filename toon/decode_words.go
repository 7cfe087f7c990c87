package toon

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// The functions here search a text that ends with a line end and padding, in
// words. What they search for is ASCII: of a byte below 0x80, the differences to
// such bytes have the highest bit clear, and taking 1 away sets it where the
// difference is zero. A borrow only reaches bytes above a true one.

const (
	quotes   = '"' * scan.Ones
	colons   = ':' * scan.Ones
	commas   = ',' * scan.Ones
	lineEnds = '\n' * scan.Ones
	brackets = '[' * scan.Ones
)

// lineStop returns the position of the first byte at or after i that is one of
// first or second, a quotation mark or a line end.
func lineStop(s string, i int, first, second uint64) int {
	for {
		w := scan.Load64(s, i)
		stop := (w ^ first - scan.Ones) | (w ^ second - scan.Ones) | (w ^ quotes - scan.Ones) | (w ^ lineEnds - scan.Ones)
		if stop &= scan.Highs &^ w; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		i += 8
	}
}

// lineEnd returns where the line at i ends. Most lines are short, and a call would take
// longer than they do.
func lineEnd(s string, i int) int {
	for range 4 {
		w := scan.Load64(s, i) ^ lineEnds
		if stop := (w - scan.Ones) & scan.Highs &^ w; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		i += 8
	}
	return i + strings.IndexByte(s[i:], '\n')
}
