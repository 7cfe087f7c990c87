package toon

import (
	"bytes"
	"math/bits"
	"strconv"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

const (
	// maxWhole is the number of digits before the point from which on a number
	// has an exponent: from 1e21 on.
	maxWhole = 21
	// minPoint is the place of the first digit, counted from the point, from
	// which on a number has no exponent: from 1e-6 on.
	minPoint = -5
	// maxExponent is the number of digits of an exponent that is computed with.
	// A number with a longer one keeps its spelling.
	maxExponent = 17
)

// appendNumber appends a number in its canonical form.
func appendNumber(dst []byte, v wire.Value) []byte {
	from := len(dst)
	if text, ok := v.Spelling(); ok {
		dst = append(dst, text...)
		if isCanonical(text) {
			return dst
		}
		return canonicalNumber(dst, from)
	}
	// The text of a Go number is in that form, but for negative zero.
	dst = v.AppendNumber(dst)
	if dst[from] == '-' && dst[from+1] == '0' && len(dst) == from+2 {
		return append(dst[:from], '0')
	}
	return dst
}

// isCanonical reports whether a number is in its canonical form for certain: a
// whole number, or one whose last digit behind the point is none that says
// nothing.
func isCanonical(text string) bool {
	if text[0] == '-' {
		text = text[1:]
	}
	n := len(text)
	var low, high uint64 // the characters, and zeros behind them
	switch {
	case n < 4:
		for i := range n {
			low |= uint64(text[i]) << (8 * i)
		}
	case n < 8:
		low = uint64(scan.Load32(text, 0)) | uint64(scan.Load32(text, n-4))>>(8*(8-n))<<32
	case n <= 16:
		low, high = scan.Load64(text, 0), scan.Load64(text, n-8)>>(8*(16-n))
	default:
		point := digitsEnd(text, 0)
		if point == n {
			return text[0] != '0' && n <= maxWhole
		}
		return text[point] == '.' && point <= maxWhole && text[0] != '0' && text[n-1] != '0' && digitsEnd(text, point+1) == n
	}
	others, behind := nonDigits(low, n), nonDigits(high, max(n-8, 0))
	switch {
	case others|behind == 0:
		return text[0] != '0'
	case text[n-1] == '0' || n > 8 && text[0] == '0':
		return false
	case behind == 0:
		return others&(others-1) == 0 && text[bits.TrailingZeros64(others)/8] == '.'
	}
	return others == 0 && behind&(behind-1) == 0 && text[8+bits.TrailingZeros64(behind)/8] == '.'
}

// nonDigits marks the first n bytes of w that are no digits, with their highest
// bits.
func nonDigits(w uint64, n int) uint64 {
	// A byte is a digit if it differs from '0' by 9 at most. Adding 0x76 sets the
	// highest bit above that.
	w ^= '0' * scan.Ones
	return (w | (w + 0x76*scan.Ones)) & scan.Highs & (1<<(8*n) - 1)
}

// canonicalNumber brings the number dst[from:], in JSON's grammar, into the form
// of section 2: plain digits for zero and from 1e-6 to below 1e21, else an
// exponent with its sign; no zeros that say nothing.
func canonicalNumber(dst []byte, from int) []byte {
	text := dst[from:]
	first := 0
	if text[0] == '-' {
		first = 1
	}
	point := scan.Digits(text, first)
	switch {
	case point == len(text):
		if text[first] == '0' {
			return append(dst[:from], '0')
		}
		if point-first <= maxWhole {
			return dst
		}
	case text[point] == '.' && point-first <= maxWhole && scan.Digits(text, point+1) == len(text):
		end := len(text)
		for text[end-1] == '0' {
			end--
		}
		if end == point+1 {
			end = point
			if text[first] == '0' { // no whole number but zero begins with it
				return append(dst[:from], '0')
			}
		}
		if text[first] != '0' || !bytes.HasPrefix(text[point+1:], []byte("000000")) {
			return dst[:from+end]
		}
	}
	return respelled(dst, from)
}

// respelled is canonicalNumber for any number.
func respelled(dst []byte, from int) []byte {
	text := dst[from:]
	negative := text[0] == '-'
	mantissa := text
	if negative {
		mantissa = text[1:]
	}
	var exponent []byte
	if i := bytes.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], mantissa[i+1:]
	}
	var buf [64]byte
	digits := buf[:0]
	point := len(mantissa)
	for i, c := range mantissa {
		if c == '.' {
			point = i
		} else {
			digits = append(digits, c)
		}
	}
	significant := bytes.TrimLeft(digits, "0")
	point -= len(digits) - len(significant)
	significant = bytes.TrimRight(significant, "0")
	if len(significant) == 0 {
		return append(dst[:from], '0')
	}
	shift, ok := exponentOf(exponent)
	if !ok {
		return dst
	}
	dst = dst[:from]
	if negative {
		dst = append(dst, '-')
	}
	return appendDecimal(dst, significant, int64(point)+shift)
}

// exponentOf returns an exponent's number, unless it is too long.
func exponentOf(text []byte) (int64, bool) {
	sign, digits := "", text
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		sign, digits = string(text[:1]), text[1:]
	}
	digits = bytes.TrimLeft(digits, "0")
	if len(digits) == 0 {
		return 0, true
	}
	if len(digits) > maxExponent {
		return 0, false
	}
	n, err := strconv.ParseInt(sign+string(digits), 10, 64)
	return n, err == nil
}

// appendDecimal appends 0.digits × 10^point, which is not zero.
func appendDecimal(dst, digits []byte, point int64) []byte {
	n := int64(len(digits))
	switch {
	case point > maxWhole || point < minPoint:
		dst = append(dst, digits[0])
		if n > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		dst = append(dst, 'e')
		if point > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, point-1, 10)
	case point <= 0:
		dst = append(dst, "0."...)
		dst = append(dst, "000000"[:-point]...)
		return append(dst, digits...)
	case n <= point:
		dst = append(dst, digits...)
		return append(dst, "000000000000000000000"[:point-n]...)
	}
	dst = append(dst, digits[:point]...)
	return append(append(dst, '.'), digits[point:]...)
}
