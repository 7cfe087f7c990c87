package glyph

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// An exact is a number taken apart: ±d.ddd × 10^exp with the digits d, which
// neither begin nor end with a zero. Zero has no digits.
type exact struct {
	neg    bool
	digits string
	exp    int64
	huge   string // the exponent in digits, with its sign, if exp cannot hold it
}

// maxExponent is the number of digits up to which an exponent is computed with.
const maxExponent = 17

// splitNumber takes a number in JSON's grammar apart. It takes time in
// proportion to the text and never expands an exponent.
func splitNumber(s string) exact {
	var x exact
	if x.neg = s[0] == '-'; x.neg {
		s = s[1:]
	}
	exponent := ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exponent = s[:i], s[i+1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return exact{}
	}
	shift := int64(len(digits) - len(fraction) - 1)
	x.digits = strings.TrimRight(digits, "0")
	x.exponent(exponent, shift)
	return x
}

// exponent sets the exponent to the number in the text, "" for zero, plus shift.
func (x *exact) exponent(text string, shift int64) {
	neg := strings.HasPrefix(text, "-")
	digits := strings.TrimLeft(strings.TrimLeft(text, "+-"), "0")
	if len(digits) <= maxExponent {
		x.exp, _ = strconv.ParseInt(digits, 10, 64)
		if neg {
			x.exp = -x.exp
		}
		x.exp += shift
		return
	}
	if neg {
		shift = -shift
	}
	// The last digits take the shift, and what they carry changes the others.
	const low, base = maxExponent, int64(1e17)
	head := []byte(digits[:len(digits)-low])
	tail, _ := strconv.ParseInt(digits[len(head):], 10, 64)
	tail += shift
	switch {
	case tail < 0:
		tail += base
		i := len(head) - 1
		for ; head[i] == '0'; i-- { // the first is none
			head[i] = '9'
		}
		head[i]--
	case tail >= base:
		tail -= base
		i := len(head) - 1
		for ; i >= 0 && head[i] == '9'; i-- {
			head[i] = '0'
		}
		if i < 0 {
			head = append([]byte{'1'}, head...)
		} else {
			head[i]++
		}
	}
	rest := strconv.FormatInt(tail+base, 10)[1:] // with its leading zeros
	huge := strings.TrimLeft(string(head)+rest, "0")
	if len(huge) <= maxExponent {
		x.exp, _ = strconv.ParseInt(huge, 10, 64)
		if neg {
			x.exp = -x.exp
		}
		return
	}
	x.huge = "+" + huge
	if neg {
		x.huge = "-" + huge
	}
}

// isWhole reports whether the number has no fraction.
func (x exact) isWhole() bool {
	if x.huge != "" {
		return x.huge[0] == '+'
	}
	return x.digits == "" || x.exp >= int64(len(x.digits)-1)
}

// exactThreshold is the exponent from which a number is written with one: all
// 64-bit integers are written with digits alone.
const exactThreshold = 21

// append appends the number in the one spelling that the profile ProfileExact has for
// it: with digits from 1e-4 to below 1e21, else with an exponent of two digits
// or more, and no zeros that say nothing.
func (x exact) append(dst []byte) []byte {
	if x.digits == "" {
		return append(dst, '0')
	}
	if x.neg {
		dst = append(dst, '-')
	}
	d := x.digits
	switch {
	case x.huge != "" || x.exp < minExp || x.exp >= exactThreshold:
		return x.appendScientific(dst)
	case x.exp < 0:
		dst = append(append(dst, "0."...), "000"[:-x.exp-1]...)
		return append(dst, d...)
	case int(x.exp) >= len(d)-1:
		dst = append(dst, d...)
		return append(dst, "00000000000000000000"[:int(x.exp)+1-len(d)]...)
	}
	dst = append(append(dst, d[:x.exp+1]...), '.')
	return append(dst, d[x.exp+1:]...)
}

func (x exact) appendScientific(dst []byte) []byte {
	dst = append(dst, x.digits[0])
	if len(x.digits) > 1 {
		dst = append(append(dst, '.'), x.digits[1:]...)
	}
	dst = append(dst, 'e')
	if x.huge != "" {
		return append(dst, x.huge...)
	}
	e := x.exp
	if dst = append(dst, '+'); e < 0 {
		dst[len(dst)-1], e = '-', -e
	}
	if e < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, e, 10)
}

// maxSum bounds the digits of a sum, so that many additions to one number take
// time in proportion to their text.
const maxSum = 1024

// addNumbers returns the exact sum of two numbers, false if it would have more
// than about maxSum digits.
func addNumbers(a, b wire.Value) (wire.Value, bool) {
	if m, ok := a.Int64(); ok {
		if n, ok := b.Int64(); ok {
			if sum := m + n; (sum > m) == (n > 0) {
				return wire.Int(sum), true
			}
		}
	}
	x, y := splitNumber(a.NumberText()), splitNumber(b.NumberText())
	switch {
	case y.digits == "":
		return a, true
	case x.digits == "":
		return b, true
	case x.huge != "" || y.huge != "":
		return wire.Value{}, false
	}
	high := max(x.exp, y.exp)
	low := min(x.exp-int64(len(x.digits)), y.exp-int64(len(y.digits))) + 1
	if high-low >= maxSum {
		return wire.Value{}, false
	}
	sum, err := wire.Number(string(x.plus(y, high, low).append(nil)))
	return sum, err == nil
}

// plus adds digit by digit, from the one worth 10^low to that worth 10^high.
func (x exact) plus(y exact, high, low int64) exact {
	p, q := x.column(high, low), y.column(high, low)
	sum := exact{neg: x.neg}
	if x.neg != y.neg {
		if string(p) < string(q) {
			p, q, sum.neg = q, p, y.neg
		}
		for i := range q {
			q[i] = 9 - q[i] // the complement, and one more
		}
	}
	carry := byte(0)
	if x.neg != y.neg {
		carry = 1
	}
	for i := len(p) - 1; i >= 0; i-- {
		p[i] += q[i] + carry
		if carry = 0; p[i] > 9 {
			p[i], carry = p[i]-10, 1
		}
	}
	for i := range p {
		p[i] += '0'
	}
	digits := string(p)
	if carry == 1 && x.neg == y.neg {
		digits, high = "1"+digits, high+1
	}
	first := strings.TrimLeft(digits, "0")
	if first == "" {
		return exact{}
	}
	sum.exp = high - int64(len(digits)-len(first))
	sum.digits = strings.TrimRight(first, "0")
	return sum
}

// column returns the number's digits, as numbers, from 10^high to 10^low.
func (x exact) column(high, low int64) []byte {
	c := make([]byte, high-low+1)
	at := c[high-x.exp:]
	for i := range len(x.digits) {
		at[i] = x.digits[i] - '0'
	}
	return c
}
