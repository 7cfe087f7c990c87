package toon

import (
	"bytes"
	"encoding/binary"
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
	if text, ok := v.Spelling(); ok {
		return appendSpelled(dst, text)
	}
	// The text of a Go number is in that form, but for negative zero.
	from := len(dst)
	dst = v.AppendNumber(dst)
	if dst[from] == '-' && dst[from+1] == '0' && len(dst) == from+2 {
		return append(dst[:from], '0')
	}
	return dst
}

// maxWords is the length of a number that is copied in words of eight bytes.
const maxWords = 24

// appendSpelled appends the number that text spells in its canonical form. Most
// are in that form: they are copied in words, which are looked at on the way.
func appendSpelled(dst []byte, text string) []byte {
	from, n := len(dst), len(text)
	if n > maxWords || cap(dst)-from < maxWords {
		return canonicalNumber(append(dst, text...), from)
	}
	room := dst[from : from+maxWords]
	var canonical bool
	switch {
	case n > 16:
		low, middle, high := scan.Load64(text, 0), scan.Load64(text, 8), scan.Load64(text, n-8)
		binary.LittleEndian.PutUint64(room, low)
		binary.LittleEndian.PutUint64(room[8:], middle)
		binary.LittleEndian.PutUint64(room[n-8:n], high)
		canonical = nonDigits(middle)|nonDigits(high) == 0 && text[n-1] != '0' && isFraction(low)
	case n > 8:
		low, high := scan.Load64(text, 0), scan.Load64(text, n-8)
		binary.LittleEndian.PutUint64(room, low)
		binary.LittleEndian.PutUint64(room[n-8:n], high)
		high >>= 8 * (16 - n) // what low does not have
		high |= '0' * scan.Ones << (8 * (n - 8))
		canonical = isCanonical(low, high, text[n-1])
	default:
		var low uint64
		if n >= 4 {
			low = uint64(scan.Load32(text, 0)) | uint64(scan.Load32(text, n-4))>>(8*(8-n))<<32
		} else {
			for i := range n {
				low |= uint64(text[i]) << (8 * i)
			}
		}
		binary.LittleEndian.PutUint64(room, low)
		if n == 1 {
			return dst[:from+1]
		}
		if n < 8 {
			low |= '0' * scan.Ones << (8 * n)
		}
		canonical = isCanonical(low, '0'*scan.Ones, text[n-1])
	}
	if dst = dst[:from+n]; canonical {
		return dst
	}
	return canonicalNumber(dst, from)
}

// lowZeros and lowNegative are 0.000000 and -0.00000, which the numbers begin with
// that have an exponent because they are small.
const (
	lowZeros    = '0'*scan.Ones ^ ('0'^'.')<<8
	lowNegative = '0'*scan.Ones ^ ('0' ^ '-') ^ ('0'^'.')<<16
)

// isCanonical reports whether a number of at least two characters is in its
// canonical form for certain: a whole number, or one whose last digit behind the
// point is none that says nothing. low and high are its characters, and zeros
// behind them; last is the last one.
func isCanonical(low, high uint64, last byte) bool {
	zero := false
	if byte(low) == '-' {
		zero = low>>8&0xFF == '0'
		if low == lowNegative {
			return false
		}
		low ^= '-' ^ '1' // as good as any number without a sign
	}
	others, behind := nonDigits(low), nonDigits(high)
	switch {
	case others|behind == 0:
		return !zero // a number with a leading zero has a point, or is -0
	case last == '0' || low == lowZeros:
		return false
	case behind == 0:
		return others&(others-1) == 0 && byte(low>>(bits.TrailingZeros64(others)-7)) == '.'
	}
	return others == 0 && behind&(behind-1) == 0 && byte(high>>(bits.TrailingZeros64(behind)-7)) == '.'
}

// isFraction reports whether the eight characters that a number begins with are
// digits, a point and perhaps a sign, and not the beginning of a very small one.
func isFraction(low uint64) bool {
	if low == lowZeros || low == lowNegative {
		return false
	}
	if byte(low) == '-' {
		low ^= '-' ^ '1'
	}
	others := nonDigits(low)
	return others != 0 && others&(others-1) == 0 && byte(low>>(bits.TrailingZeros64(others)-7)) == '.'
}

// nonDigits marks the bytes of w that are no digits, with their highest bits.
func nonDigits(w uint64) uint64 {
	// A byte is a digit if it differs from '0' by 9 at most. Adding 0x76 sets the
	// highest bit above that.
	w ^= '0' * scan.Ones
	return (w | (w + 0x76*scan.Ones)) & scan.Highs
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
