// Package decimal works on numbers in their JSON spelling without rounding:
// comparison by exact mathematical value, conversion to integers only where
// that is exact, and the shortest spelling of a float64.
//
// Every function needs text that follows JSON's number grammar, takes time
// linear in its length and never expands an exponent.
package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// AppendFloat appends the shortest text that reads back as f, in the form of
// ECMAScript's Number::toString: plain digits for 1e-6 <= |f| < 1e21, else
// with an exponent that has a sign and no leading zero. Negative zero is -0.
// f must be finite.
func AppendFloat(dst []byte, f float64) []byte {
	if math.Signbit(f) {
		dst, f = append(dst, '-'), -f
	}
	// If n/10^4 rounds to f and n has at most 15 digits, no other number of at
	// most 15 digits does, so it is the shortest.
	const scale, most = 1e4, 1e15
	if n := int64(f); float64(n) == f && n < most {
		return AppendInt(dst, n)
	}
	if f < most/scale {
		if n := int64(f*scale + 0.5); float64(n)/scale == f {
			return appendShort(dst, uint64(n))
		}
	}
	return appendShortest(dst, f)
}

// appendShort appends n/10^4, which is not a whole number.
func appendShort(dst []byte, n uint64) []byte {
	const scale = 1e4
	from := len(dst)
	if n < 1e8 && cap(dst)-from >= 9 {
		// Four digits on either side of the point. Zeros at both ends go, but for
		// one before the point.
		digits := eightDigits(uint32(n))
		lead := bits.TrailingZeros32(uint32(digits)^zeros&0xFFFFFFFF|1<<24) / 8
		room := dst[from : from+9]
		binary.LittleEndian.PutUint32(room, uint32(digits)>>(8*lead&31))
		room[4-lead] = '.'
		binary.LittleEndian.PutUint32(room[5-lead:], uint32(digits>>32))
		return dst[:from+9-lead-bits.LeadingZeros64(digits^zeros)/8]
	}
	dst = AppendInt(dst, int64(n/scale))
	rest := n % scale
	dst = append(dst, '.', '0'+byte(rest/1000), '0'+byte(rest/100%10), '0'+byte(rest/10%10), '0'+byte(rest%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// parts is a number taken apart: the value is 0.D × 10^exp, with the sign,
// where D are the digits, which neither begin nor end with a zero. A zero has none.
type parts struct {
	neg    bool
	digits string // may hold one '.'
	exp    int64
	// huge is the exponent, signed and without leading zeros, if it has more
	// than exponentDigits digits; exp is then 0.
	huge string
}

// exponentDigits is how many digits of an exponent are computed with as one
// integer. No text is so long that the place of its point has as many.
const exponentDigits = 18

// split takes a number apart. Of its digits, so many are before the point: none, or one if
// D is to be d.ddd.
func split(s string, before int64) (p parts) {
	mantissa, neg := strings.CutPrefix(s, "-")
	exponent := ""
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], mantissa[i+1:]
	}
	digits := strings.TrimLeft(mantissa, "0.")
	if digits == "" {
		return p // -0 equals 0
	}
	p.neg, p.digits = neg, strings.TrimRight(digits, "0.")
	point, first := strings.IndexByte(mantissa, '.'), len(mantissa)-len(digits)
	if point < 0 {
		point = len(mantissa)
	}
	if p.exp = int64(point-first) - before; point < first {
		p.exp++
	}
	if exponent != "" {
		p.exp, p.huge = addExponent(exponent, p.exp)
	}
	return p
}

// Split takes a number apart: it is ±d.ddd × 10^exp with these digits, which neither begin
// nor end with a zero. Zero has none. huge is the exponent if it has more than 18 digits.
func Split(s string) (negative bool, digits string, exp int64, huge string) {
	p := split(s, 1)
	return p.neg, p.plain(), p.exp, p.huge
}

// plain returns the digits without a point.
func (p *parts) plain() string { return strings.Replace(p.digits, ".", "", 1) }

// appendPlain appends them.
func (p *parts) appendPlain(dst []byte) []byte {
	whole, fraction, _ := strings.Cut(p.digits, ".")
	return append(append(dst, whole...), fraction...)
}

// AppendSplit is Split, whose digits it appends, for exponents of at most 18 digits.
func AppendSplit(dst []byte, s string) (digits []byte, negative bool, exp int64) {
	p := split(s, 1)
	return p.appendPlain(dst), p.neg, p.exp
}

// AppendDigits appends the number d.ddd × 10^exp, of which Split gives the digits, without an
// exponent.
func AppendDigits(dst []byte, digits string, exp int64) []byte {
	switch n, whole := int64(len(digits)), exp+1; {
	case whole <= 0:
		return append(append(append(dst, "0."...), strings.Repeat("0", int(-whole))...), digits...)
	case n <= whole:
		return append(append(dst, digits...), strings.Repeat("0", int(whole-n))...)
	default:
		return append(append(append(dst, digits[:whole]...), '.'), digits[whole:]...)
	}
}

// AppendMantissa appends d.ddd and the letter of an exponent.
func AppendMantissa[T scan.Bytes](dst []byte, digits T) []byte {
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	return append(dst, 'e')
}

// addExponent returns the sum of an exponent's text and n, which is small
// beside 10^exponentDigits: as a number if it has at most exponentDigits
// digits, else as text.
func addExponent(text string, n int64) (int64, string) {
	negative := text[0] == '-'
	if text[0] == '-' || text[0] == '+' {
		text = text[1:]
	}
	for len(text) > 1 && text[0] == '0' {
		text = text[1:]
	}
	if negative {
		n = -n
	}
	// The sum of the text without its sign and n, whose sign follows later.
	low := len(text) - min(len(text), exponentDigits)
	sum, _ := strconv.ParseInt(text[low:], 10, 64)
	sum += n
	head := text[:low]
	const one = 1e18 // 10^exponentDigits, the value of a unit of head
	switch {
	case head == "" && sum >= one:
		head, sum = "1", sum-one
	case head != "" && sum >= one:
		head, sum = addOne(head, '9', '0', 1), sum-one
	case head != "" && sum < 0:
		head, sum = addOne(head, '0', '9', -1), sum+one
	}
	if head == "" {
		if negative {
			sum = -sum
		}
		return sum, ""
	}
	// The leading 1 keeps the zeros.
	huge := head + strconv.FormatInt(one+sum, 10)[1:]
	if negative {
		huge = "-" + huge
	}
	return 0, huge
}

// addOne adds by, 1 or -1, to the digits of a number above 0: a last digit of
// over becomes under and passes it on. A number that gets to 0 is "".
func addOne(digits string, over, under byte, by int) string {
	sum := []byte(digits)
	i := len(sum) - 1
	for ; i >= 0 && sum[i] == over; i-- {
		sum[i] = under
	}
	switch {
	case i < 0:
		return "1" + string(sum)
	case i == 0 && sum[0] == '1' && by < 0:
		return string(sum[1:])
	}
	sum[i] = byte(int(sum[i]) + by)
	return string(sum)
}

// Equal reports whether a and b are the same number.
func Equal(a, b string) bool {
	if a == b {
		return true
	}
	p, q := split(a, 0), split(b, 0)
	return p.neg == q.neg && p.exp == q.exp && p.huge == q.huge && sameDigits(p.digits, q.digits)
}

// sameDigits compares digits but for a point in them.
func sameDigits(a, b string) bool {
	a, afterA, _ := strings.Cut(a, ".")
	b, afterB, _ := strings.Cut(b, ".")
	if len(a) > len(b) {
		a, afterA, b, afterB = b, afterB, a, afterA
	}
	if !strings.HasPrefix(b, a) {
		return false
	}
	rest, ok := strings.CutPrefix(afterA, b[len(a):])
	return ok && rest == afterB
}

// magnitude returns the number without its sign, if it is whole and fits.
func magnitude(p parts) (uint64, bool) {
	const most = 20 // digits of a uint64
	switch {
	case p.digits == "":
		return 0, true
	case p.huge != "" || p.exp < 1 || p.exp > most || len(p.digits) > most+len("."):
		return 0, false
	}
	digits := p.plain()
	zeros := int(p.exp) - len(digits)
	if zeros < 0 { // there is a digit after the point
		return 0, false
	}
	n, err := strconv.ParseUint(digits+strings.Repeat("0", zeros), 10, 64)
	return n, err == nil
}

// Int64 returns the number if it is a whole number in int64's range.
func Int64(s string) (int64, bool) {
	if n, end, whole := scan.Decimal(s, 0); whole && end == len(s) {
		return n, true
	}
	p := split(s, 0)
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
	p := split(s, 0)
	n, ok := magnitude(p)
	if !ok || p.neg {
		return 0, false
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
	const always = 15
	abs := math.Abs(f)
	middle := abs > 1e-290 && abs < 1e290
	if len(s) <= always && middle || s == "0" {
		return f, true
	}
	if n, exp, ok := significant(s); ok && f != 0 {
		return f, n < 1e15 && middle || isShortest(n, exp, abs)
	}
	var buf [longestFloat]byte
	return f, Equal(s, string(AppendFloat(buf[:0], f)))
}

// longestFloat is room for every text of AppendFloat, and for what it writes beside it.
const longestFloat = 80

// significant returns a number without its sign as n × 10^exp, where n has no zeros at
// its end, unless n has more than 18 digits or the exponent is far from 0.
func significant(s string) (n uint64, exp int, ok bool) {
	const most, far = 18, 400
	i := 0
	if s[0] == '-' {
		i++
	}
	point := -1
	for digits := 0; i < len(s); i++ {
		if s[i] == '.' {
			point = i
			continue
		}
		c := s[i] - '0'
		if c > 9 {
			break
		}
		if n = n*10 + uint64(c); n != 0 {
			digits++
		}
		if digits > most {
			return 0, 0, false
		}
	}
	if point >= 0 {
		exp = point + 1 - i
	}
	if i < len(s) {
		if exp, i, ok = scanExponent(exp, s, i+1); !ok || i < len(s) {
			return 0, 0, false
		}
	}
	if n == 0 || exp < -far || exp > far {
		return 0, 0, false
	}
	n, exp = withoutZeros(n, exp)
	return n, exp, true
}

// withoutZeros returns n × 10^exp, which is not 0, with no zeros at the end of n.
func withoutZeros(n uint64, exp int) (uint64, int) {
	for n%10 == 0 {
		n /= 10
		exp++
	}
	return n, exp
}

// isShortest reports whether n × 10^exp, without zeros at the end of n, is the shortest
// decimal that reads back as f, which is above 0.
func isShortest(n uint64, exp int, f float64) bool {
	m, last, e := shortest(f)
	m, e = withoutZeros(10*m+last, e)
	return n == m && exp == e
}

// IsFloat reports whether s is what a program writes that holds f: its shortest
// text, its 17 digits, or all the digits of its exact value.
func IsFloat(s string, f float64) bool {
	const exactDigits = 767 // of the longest float64 there is
	var buf [exactDigits + 16]byte
	for _, digits := range [...]int{-1, 16, exactDigits - 1} {
		if Equal(s, string(strconv.AppendFloat(buf[:0], f, 'e', digits, 64))) {
			return true
		}
	}
	return false
}
