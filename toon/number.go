package toon

import (
	"bytes"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// From 10^maxWhole on a number has an exponent, and below 10^minExponent. One with an
// exponent of as many digits as maxExponent keeps its spelling.
const (
	maxWhole    = 21
	minExponent = -6
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
	end := len(text)
	for text[end-1] == '0' {
		end--
	}
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
	negative, digits, exp, huge := decimal.Split(string(dst[from:]))
	switch {
	case digits == "":
		return append(dst[:from], '0')
	case huge != "" || exp <= -maxExponent || exp >= maxExponent:
		return dst
	}
	dst = dst[:from]
	if negative {
		dst = append(dst, '-')
	}
	if exp >= minExponent && exp < maxWhole {
		return decimal.AppendDigits(dst, digits, exp)
	}
	if dst = decimal.AppendMantissa(dst, digits); exp > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, exp, 10)
}
