package toon

import (
	"math/bits"

	"github.com/wirekit/wirekit/internal/inplace"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// The functions here search a text that ends with a line end and padding, in
// words. What they search for is ASCII: of a byte below 0x80, the differences to
// such bytes have the highest bit clear, and taking 1 away sets it where the
// difference is zero. A borrow only reaches bytes above a true one.

const (
	quotes   = '"' * scan.Ones
	slashes  = '\\' * scan.Ones
	colons   = ':' * scan.Ones
	commas   = ',' * scan.Ones
	lineEnds = '\n' * scan.Ones
	controls = 0x20 * scan.Ones
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

// quoteEnd returns the position of the first byte at or after i that is a
// quotation mark, a backslash or a control character.
func quoteEnd(s string, i int) int {
	for {
		pair := s[i : i+16]
		w := scan.Load64(pair, 0)
		stop := escapes(w) & scan.Highs
		if stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		w = scan.Load64(pair, 8)
		if stop = escapes(w) & scan.Highs; stop != 0 {
			return i + 8 + bits.TrailingZeros64(stop)/8
		}
		i += 16
	}
}

// plainNumber parses a number without an exponent and returns where it ends; 0 if
// there is none. What it takes for a number goes on as one, or is something else.
func plainNumber(s string, i int) (wire.Value, int) {
	minus := int((uint64(s[i]^'-') - 1) >> 63) // 1 or 0: half of the numbers may have one
	first := i + minus
	window := s[first : first+16]
	digits := scan.Load64(window, 0) ^ '0'*scan.Ones
	others := scan.NonDigits(scan.Load64(window, 0))
	n := bits.TrailingZeros64(others) / 8 // 8 if there are no others
	if n == 0 || window[0] == '0' && n > 1 {
		return wire.Value{}, 0
	}
	end := first + n
	if n == 8 {
		end = digitsEnd(s, end)
	}
	if s[end] == '.' {
		point := end
		if others &= others - 1; others != 0 {
			end = first + bits.TrailingZeros64(others)/8
		} else if others = scan.NonDigits(scan.Load64(window, 8)); others != 0 && n < 8 {
			end = first + 8 + bits.TrailingZeros64(others)/8
		} else {
			end = digitsEnd(s, point+1)
		}
		if end == point+1 {
			return wire.Value{}, 0
		}
		return wire.NumberText(inplace.Permit(), s[i:end]), end
	}
	if n == 8 || minus != 0 && window[0] == '0' {
		return wire.NumberText(inplace.Permit(), s[i:end]), end // -0, too
	}
	// The digits move to the upper end of the word, zeros take their place; then
	// pairs of digits, of pairs and of those become one number each.
	w := digits << (64 - 8*n)
	w = w * (1 + 10<<8) >> 8 & 0x00FF00FF00FF00FF
	w = w * (1 + 100<<16) >> 16 & 0x0000FFFF0000FFFF
	w = w * (1 + 10000<<32) >> 32
	return wire.Int((int64(w) ^ -int64(minus)) + int64(minus)), end
}

// digitsEnd returns the position of the first byte at or after i that is no digit.
func digitsEnd(s string, i int) int {
	for {
		if others := scan.NonDigits(scan.Load64(s, i)); others != 0 {
			return i + bits.TrailingZeros64(others)/8
		}
		i += 8
	}
}
