// Package decimal works on numbers in their JSON spelling without rounding:
// comparison by exact mathematical value, conversion to integers only where
// that is exact, and the shortest spelling of a float64.
//
// Every function needs text that follows JSON's number grammar, takes time
// linear in its length and never expands an exponent.
package decimal

import (
	"math"
	"strconv"
)

// AppendFloat appends the shortest text that reads back as f, in the form of
// ECMAScript's Number::toString: plain digits for 1e-6 <= |f| < 1e21, else
// with an exponent that has a sign and no leading zero. Negative zero is -0.
// f must be finite.
func AppendFloat(dst []byte, f float64) []byte {
	// If n/10^4 rounds to f and n has at most 15 digits, no other number of at
	// most 15 digits does, so it is the shortest.
	const scale, most = 1e4, 1e15
	if n := math.Round(f * scale); f != 0 && math.Abs(n) < most && n/scale == f {
		return appendShort(dst, int64(n), scale)
	}
	if f == 0 {
		if math.Signbit(f) {
			dst = append(dst, '-')
		}
		return append(dst, '0')
	}
	return appendShortest(dst, f)
}

// appendShort appends n/scale, where scale is 10^4.
func appendShort(dst []byte, n, scale int64) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/scale, 10)
	rest := n % scale
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.', '0'+byte(rest/1000), '0'+byte(rest/100%10), '0'+byte(rest/10%10), '0'+byte(rest%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// parts is a number taken apart: the value is 0.D × 10^exp, with the sign,
// where D are the digits of digits from its first to its last that is not
// zero. A zero has no digits.
type parts struct {
	neg    bool
	digits string // may hold one '.', no leading or trailing zeros around it
	exp    int64
	// expText is set instead of exp being right when the exponent's text does
	// not fit: two such numbers are equal only if their texts are.
	huge string
}

// maxExponentDigits bounds the exponents that are computed with; a text would
// have to be longer than memory for its digit count to matter beyond that.
const maxExponentDigits = 17

func split(s string) parts {
	var p parts
	if s[0] == '-' {
		p.neg, s = true, s[1:]
	}
	mantissa, exponent := s, ""
	for i := range len(s) {
		if s[i] == 'e' || s[i] == 'E' {
			mantissa, exponent = s[:i], s[i+1:]
			break
		}
	}
	point := len(mantissa)
	for i := range len(mantissa) {
		if mantissa[i] == '.' {
			point = i
			break
		}
	}
	first, last := -1, -1
	for i := range len(mantissa) {
		if c := mantissa[i]; c != '0' && c != '.' {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		p.neg = false // -0 equals 0
		return p
	}
	p.digits = mantissa[first : last+1]
	if first < point {
		p.exp = int64(point - first)
	} else {
		p.exp = int64(point - first + 1)
	}
	if exponent == "" {
		return p
	}
	negative := exponent[0] == '-'
	if exponent[0] == '-' || exponent[0] == '+' {
		exponent = exponent[1:]
	}
	for len(exponent) > 1 && exponent[0] == '0' {
		exponent = exponent[1:]
	}
	if len(exponent) > maxExponentDigits {
		p.huge = exponent
		if negative {
			p.huge = "-" + exponent
		}
		return p
	}
	e, _ := strconv.ParseInt(exponent, 10, 64)
	if negative {
		e = -e
	}
	p.exp += e
	return p
}

// Equal reports whether a and b are the same number.
func Equal(a, b string) bool {
	if a == b {
		return true
	}
	p, q := split(a), split(b)
	return p.neg == q.neg && p.exp == q.exp && p.huge == q.huge && sameDigits(p.digits, q.digits)
}

func sameDigits(a, b string) bool {
	i, j := 0, 0
	for {
		if i < len(a) && a[i] == '.' {
			i++
		}
		if j < len(b) && b[j] == '.' {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		i++
		j++
	}
}

// magnitude returns the number without its sign, if it is whole and fits.
func magnitude(p parts) (uint64, bool) {
	if p.digits == "" {
		return 0, true
	}
	if p.huge != "" || p.exp < 1 || p.exp > 20 {
		return 0, false
	}
	var n uint64
	count := int64(0)
	for i := range len(p.digits) {
		c := p.digits[i]
		if c == '.' {
			continue
		}
		count++
		if count > p.exp {
			return 0, false // a digit behind the point
		}
		d := uint64(c - '0')
		if n > (math.MaxUint64-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	for ; count < p.exp; count++ {
		if n > math.MaxUint64/10 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// Int64 returns the number if it is a whole number in int64's range.
func Int64(s string) (int64, bool) {
	if n, ok := shortInt(s); ok {
		return n, true
	}
	p := split(s)
	n, ok := magnitude(p)
	switch {
	case !ok:
		return 0, false
	case p.neg && n <= 1<<63:
		return -int64(n), true
	case !p.neg && n <= math.MaxInt64:
		return int64(n), true
	}
	return 0, false
}

// Uint64 returns the number if it is a whole number in uint64's range.
func Uint64(s string) (uint64, bool) {
	p := split(s)
	n, ok := magnitude(p)
	if !ok || p.neg {
		return 0, false
	}
	return n, true
}

// shortInt reads the common case: plain digits, too few to overflow.
func shortInt(s string) (int64, bool) {
	digits := s
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 18 {
		return 0, false
	}
	var n int64
	for i := range len(digits) {
		d := digits[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int64(d)
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, true
}

// Float64 returns the nearest float64 and whether its shortest text is the
// same number; an infinity and false if the number is too large.
func Float64(s string) (float64, bool) {
	f, ok := ParseFloat(s)
	if !ok {
		return f, false
	}
	// Up to 15 digits always survive, with an exponent far from the ends.
	if len(s) <= 15 && f != 0 || s == "0" {
		if abs := math.Abs(f); abs == 0 || abs > 1e-290 && abs < 1e290 {
			return f, true
		}
	}
	var buf [32]byte
	return f, Equal(s, string(strconv.AppendFloat(buf[:0], f, 'e', -1, 64)))
}
