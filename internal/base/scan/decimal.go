package scan

import "math/bits"

// maxWhole is the number of digits that every whole number of int64 can have.
const maxWhole = 18

// Decimal returns where the number without an exponent ends that s has at i, and
// its value if it is whole: digits and perhaps a sign. The end is -1 if there is
// none in JSON's grammar, and for -0 and whole numbers of more than 18 digits. What
// comes after may make it something else.
func Decimal(s string, i int) (n int64, end int, whole bool) {
	minus := int((uint64(s[i]^'-') - 1) >> 63) // 1 or 0: half of the numbers may have one
	first := i + minus
	if first+16 > len(s) {
		return bytewise(s, i, first, first, 0)
	}
	window := s[first : first+16]
	low := Load64(window, 0)
	others := NonDigits(low)
	digits := bits.TrailingZeros64(others) / 8 // 8 if there are no others
	switch {
	case digits == 8:
		return bytewise(s, i, first, first+8, int64(EightDigits(low^'0'*Ones)))
	case digits == 0 || window[0] == '0' && (digits > 1 || minus > 0 && window[1] != '.'):
		return 0, -1, false
	case window[digits] != '.':
		n = int64(EightDigits((low ^ '0'*Ones) << (64 - 8*digits))) // zeros take the place of what is past
		return (n ^ -int64(minus)) + int64(minus), first + digits, true
	}
	if others &= others - 1; others != 0 {
		end = first + bits.TrailingZeros64(others)/8
	} else if others = NonDigits(Load64(window, 8)); others != 0 {
		end = first + 8 + bits.TrailingZeros64(others)/8
	} else {
		end = Digits(s, first+16)
	}
	if end == first+digits+1 {
		return 0, -1, false
	}
	return 0, end, false
}

// EightDigits returns the number that the values of eight digits make, the first one lowest.
// Each step joins neighbours: digits to two-digit numbers, and so on.
func EightDigits(w uint64) uint64 {
	const pairs = 0x000000FF000000FF
	w = w*10 + w>>8
	return (w&pairs*(100+1000000<<32) + w>>16&pairs*(1+10000<<32)) >> 32
}

// bytewise is Decimal for a number whose digits begin at first; those before end
// make n.
func bytewise(s string, i, first, end int, n int64) (int64, int, bool) {
	for ; end < len(s) && s[end]-'0' <= 9; end++ {
		n = n*10 + int64(s[end]-'0')
	}
	digits := end - first
	switch {
	case digits == 0 || digits > 1 && s[first] == '0':
		return 0, -1, false
	case end < len(s) && s[end] == '.':
		from := end + 1
		if end = Digits(s, from); end == from {
			return 0, -1, false
		}
		return 0, end, false
	case digits > maxWhole || first > i && n == 0:
		return 0, -1, false
	case first > i:
		n = -n
	}
	return n, end, true
}
