package glyph

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/wire"
)

// An exact is a number taken apart by [decimal.Split].
type exact struct {
	neg    bool
	digits string
	exp    int64
	huge   string
}

// splitNumber takes a number in JSON's grammar apart.
func splitNumber(s string) (x exact) {
	x.neg, x.digits, x.exp, x.huge = decimal.Split(s)
	return x
}

// isWhole reports whether the number has no fraction.
func (x exact) isWhole() bool {
	if x.huge != "" {
		return x.huge[0] != '-'
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
	if x.huge == "" && x.exp >= minExp && x.exp < exactThreshold {
		return decimal.AppendDigits(dst, x.digits, x.exp)
	}
	dst = append(decimal.AppendMantissa(dst, x.digits), '+')
	if x.exp < 0 || strings.HasPrefix(x.huge, "-") {
		dst[len(dst)-1] = '-'
	}
	if x.huge != "" {
		return append(dst, strings.TrimPrefix(x.huge, "-")...)
	}
	e := max(x.exp, -x.exp)
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
	x, y := splitNumber(a.Text()), splitNumber(b.Text())
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
	sum := make([]int, high-low+2) // the first is what is carried
	for _, n := range [...]exact{x, y} {
		for i := range len(n.digits) {
			d := int(n.digits[i] - '0')
			if n.neg {
				d = -d
			}
			sum[high+1-n.exp+int64(i)] += d
		}
	}
	carry(sum)
	neg := sum[0] < 0
	if neg {
		for i := range sum {
			sum[i] = -sum[i]
		}
		carry(sum)
	}
	digits := make([]byte, len(sum))
	for i, d := range sum {
		digits[i] = '0' + byte(d)
	}
	first := strings.TrimLeft(string(digits), "0")
	if first == "" {
		return exact{}
	}
	return exact{neg: neg, digits: strings.TrimRight(first, "0"), exp: low + int64(len(first)) - 1}
}

// carry makes all digits but the first those of a decimal number.
func carry(digits []int) {
	for i := len(digits) - 1; i > 0; i-- {
		for ; digits[i] < 0; digits[i] += 10 {
			digits[i-1]--
		}
		for ; digits[i] > 9; digits[i] -= 10 {
			digits[i-1]++
		}
	}
}
