package glyph

import (
	"math/big"
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
	low := min(x.last(), y.last())
	if max(x.exp, y.exp)-low >= maxSum {
		return wire.Value{}, false
	}
	sum := x.scaled(low)
	text := sum.Add(sum, y.scaled(low)).String() + "e" + strconv.FormatInt(low, 10)
	v, err := wire.Number(string(splitNumber(text).append(nil)))
	return v, err == nil
}

// last is the power of ten that the last digit is worth.
func (x exact) last() int64 { return x.exp - int64(len(x.digits)) + 1 }

// scaled returns the number divided by 10^low, which leaves no fraction.
func (x exact) scaled(low int64) *big.Int {
	n, _ := new(big.Int).SetString(x.digits+strings.Repeat("0", int(x.last()-low)), 10)
	if x.neg {
		n.Neg(n)
	}
	return n
}
