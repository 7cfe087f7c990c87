package toon

import (
	"bytes"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

const (
	// maxWhole is the number of digits before the point from which on a number
	// has an exponent: from 1e21 on.
	maxWhole = 21
	// minPoint is the place of the first digit, counted from the point, from
	// which on a number has no exponent: from 1e-6 on.
	minPoint = -5
	// maxExponent is above the exponents that are computed with. A number with another
	// one keeps its spelling.
	maxExponent = 1e17
)

// appendNumber appends a number in its canonical form.
func appendNumber(dst []byte, v wire.Value) []byte {
	if text, ok := wire.Internal.Spelling(v); ok {
		if out, ok := decimal.AppendPlain(dst, text); ok {
			return out // most numbers
		}
		return canonicalNumber(append(dst, text...), len(dst))
	}
	// The text of a Go number is in that form, but for negative zero.
	from := len(dst)
	dst = wire.Internal.AppendText(dst, v)
	if dst[from] == '-' && dst[from+1] == '0' && len(dst) == from+2 {
		return append(dst[:from], '0')
	}
	return dst
}

// canonicalNumber brings the number dst[from:], in JSON's grammar, into the form
// of section 2: plain digits for zero and from 1e-6 to below 1e21, else an
// exponent with its sign; no zeros that say nothing.
func canonicalNumber(dst []byte, from int) []byte {
	text := dst[from:]
	point := bytes.IndexByte(text, '.')
	if point < 0 || point > maxWhole || scan.Digits(text, point+1) < len(text) || bytes.HasPrefix(text[point+1:], []byte("000000")) {
		return respelled(dst, from)
	}
	end := len(bytes.TrimRight(text, "0"))
	if end == point+1 {
		end = point
	}
	if string(text[:end]) == "-0" {
		return append(dst[:from], '0')
	}
	return dst[:from+end]
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
	if len(text) == 0 {
		return 0, true
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil && -maxExponent < n && n < maxExponent
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
