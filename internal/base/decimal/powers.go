package decimal

import "math/bits"

// The first and the last power of ten in powers.
const minPower, maxPower = -292, 324

// powers are 10^k for k from minPower on, times the power of two that makes each a
// number of 128 bits, rounded up.
var powers = newPowers()

// power is a number of 128 bits.
type power struct{ hi, lo uint64 }

// newPowers makes each power from its neighbour, in 192 bits: what is cut off on the way
// from 10^0 to the ends is less than 2^12 in the last word.
func newPowers() (all [maxPower - minPower + 1]power) {
	const one = 1 << 63
	hi, mid, lo := uint64(one), uint64(0), uint64(0)
	for k := -minPower; k < len(all); k++ {
		all[k] = roundedUp(hi, mid, lo)
		// 5/4 of it, or half of that if it takes another bit.
		var carry uint64
		lo, carry = bits.Add64(lo, lo>>2|mid<<62, 0)
		mid, carry = bits.Add64(mid, mid>>2|hi<<62, carry)
		if hi, carry = bits.Add64(hi, hi>>2, carry); carry > 0 {
			hi, mid, lo = one|hi>>1, hi<<63|mid>>1, mid<<63|lo>>1
		}
	}
	hi, mid, lo = one, 0, 0
	for k := -minPower - 1; k >= 0; k-- {
		// A fifth of it, times the power of two that makes its first bit 1.
		var rest uint64
		hi, rest = hi/5, hi%5
		mid, rest = bits.Div64(rest, mid, 5)
		lo, _ = bits.Div64(rest, lo, 5)
		n := bits.LeadingZeros64(hi)
		hi, mid, lo = hi<<n|mid>>(64-n), mid<<n|lo>>(64-n), lo<<n
		all[k] = roundedUp(hi, mid, lo)
	}
	return all
}

func roundedUp(hi, mid, lo uint64) power {
	if lo == 0 {
		return power{hi, mid}
	}
	mid, carry := bits.Add64(mid, 1, 0)
	return power{hi + carry, mid}
}
