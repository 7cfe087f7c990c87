package decimal

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// ParseFloat returns the float64 nearest to a number in JSON's grammar, and
// whether there is one: an infinity and false if the number is too large.
func ParseFloat(s string) (float64, bool) {
	if f, end := ScanFloat(s, 0); end == len(s) {
		return f, true
	}
	return parseSlow(s)
}

// ScanFloat returns the float64 nearest to the number in JSON's grammar that
// begins at s[i], and where the number ends. It returns -1 if none begins there,
// and for the few numbers that need more than a quick look.
func ScanFloat(s string, i int) (f float64, end int) {
	// The first 19 digits are one integer, the rest and the exponent a power of
	// ten.
	const most = 19
	start := i
	negative := i < len(s) && s[i] == '-'
	if negative {
		i++
	}
	first := i
	var n uint64
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		n = n*10 + uint64(s[i]-'0')
	}
	digits, exp := i-first, 0
	if digits == 0 || s[first] == '0' && digits > 1 {
		return 0, -1
	}
	if i+1 < len(s) && s[i] == '.' && s[i+1]-'0' <= 9 {
		i++
		from := i
		for i+8 <= len(s) && s[i+4]-'0' <= 9 { // a few digits are read one by one
			eight, count := digitRun(scan.Load64(s, i))
			n = n*wholeTenTo[count] + eight
			if i += count; count < 8 {
				break
			}
		}
		for ; i < len(s) && s[i]-'0' <= 9; i++ {
			n = n*10 + uint64(s[i]-'0')
		}
		exp = from - i
		digits -= exp
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		var ok bool
		if exp, i, ok = scanExponent(exp, s, i+1); !ok {
			return 0, -1
		}
	}
	if digits > most && !leadingZeros(s[start:i], digits-most) {
		return 0, -1
	}
	switch {
	case n == 0:
	case n < 1<<53 && exp == 0:
		f = float64(n)
	case n < 1<<53 && -22 <= exp && exp < 0:
		f = float64(n) / tenTo[-exp] // of two exact numbers: rounded once
	case n < 1<<53 && 0 < exp && exp <= 22:
		f = float64(n) * tenTo[exp]
	default:
		var ok bool
		if f, ok = nearest(n, exp); !ok {
			return 0, -1
		}
	}
	if negative {
		f = -f
		if n == 0 {
			f = math.Copysign(0, -1)
		}
	}
	return f, i
}

// digitRun returns the number that the digits at the start of a word make, the first
// byte lowest, and how many they are.
func digitRun(w uint64) (n uint64, count int) {
	count = bits.TrailingZeros64(scan.NonDigits(w)) / 8
	return scan.EightDigits((w ^ '0'*scan.Ones) << (64 - 8*count)), count // with zeros before them
}

var wholeTenTo = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// parseSlow leaves the number to strconv, which reads five digits of an
// exponent: enough for a text whose point is not further away than that.
func parseSlow(s string) (float64, bool) {
	const most = 50_000
	if len(s) > most {
		s = respell(split(s, 0))
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// respell returns the number with its point before the first digit and an
// exponent that is right, or as far from zero as matters.
func respell(p parts) string {
	const far = 10_000
	if p.digits == "" {
		return "0"
	}
	exp := max(-far, min(p.exp, far))
	switch {
	case p.huge == "":
	case p.huge[0] == '-':
		exp = -far
	default:
		exp = far
	}
	b := make([]byte, 0, len(p.digits)+16)
	if p.neg {
		b = append(b, '-')
	}
	b = append(p.appendPlain(append(b, "0."...)), 'e')
	return string(strconv.AppendInt(b, exp, 10))
}

// scanExponent adds the exponent at s[i] to exp, if it is one and small, and
// returns where it ends.
func scanExponent(exp int, s string, i int) (int, int, bool) {
	const most = 4 // digits
	sign := 1
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		if s[i] == '-' {
			sign = -1
		}
		i++
	}
	from, e := i, 0
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if i-from == most {
			return 0, i, false
		}
		e = e*10 + int(s[i]-'0')
	}
	return exp + sign*e, i, i > from
}

// leadingZeros reports whether the first n digits of a number are zeros.
func leadingZeros(s string, n int) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case n == 0:
			return true
		case c == '0':
			n--
		case c != '-' && c != '.':
			return false
		}
	}
	return n == 0
}

var tenTo = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// nearest returns the float64 nearest to n × 10^exp, where n is not 0, unless it
// cannot be told from the 128 bits of the power of ten that are known, or is no
// normal number.
//
// This is the algorithm of Michael Eisel and Daniel Lemire: n, shifted to 64
// bits, times the power's first 64 bits gives the mantissa and nine bits more,
// which are right but for an error of one in the last; the next 64 bits of the
// power are needed only if a carry from there could reach the mantissa.
func nearest(n uint64, exp int) (float64, bool) {
	if exp < minPower || exp > maxPower {
		return 0, false
	}
	g := powers[exp-minPower]
	if exp < 0 || exp > 55 { // not exact: rounded up, and wanted rounded down
		var borrow uint64
		g.lo, borrow = bits.Sub64(g.lo, 1, 0)
		g.hi -= borrow
	}
	zeros := bits.LeadingZeros64(n)
	n <<= zeros
	// 217706/2^16 is log2(10) closely enough for every exponent.
	exp2 := 217706*exp>>16 + 64 + 1023 - zeros
	const cut = 1<<9 - 1 // bits below the mantissa and its rounding bit
	hi, lo := bits.Mul64(n, g.hi)
	if hi&cut == cut && lo+n < n {
		hi2, lo2 := bits.Mul64(n, g.lo)
		sum, carry := bits.Add64(lo, hi2, 0)
		hi += carry
		if hi&cut == cut && sum+1 == 0 && lo2+n < n {
			return 0, false
		}
		lo = sum
	}
	top := int(hi >> 63)
	mantissa := hi >> (top + 9)
	exp2 -= 1 - top
	if lo == 0 && hi&cut == 0 && mantissa&3 == 1 {
		return 0, false // perhaps exactly between two
	}
	mantissa = (mantissa + mantissa&1) >> 1
	if mantissa == 1<<53 {
		mantissa >>= 1
		exp2++
	}
	if exp2 < 1 || exp2 >= 0x7FF {
		return 0, false
	}
	return math.Float64frombits(uint64(exp2)<<52 | mantissa&(1<<52-1)), true
}
