package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// shortest returns the decimal (10 × n + last) × 10^exp with the fewest digits that
// reads back as f, of those the nearest to f. It may end in zeros. f must be finite
// and not 0; its sign does not count.
//
// The interval of numbers that round to f, scaled by a power of ten so that half its
// width is between 1/2 and 5, holds a multiple of ten or not: then the whole number
// nearest to f is in it. One product of f and the power says which in all but the
// few cases that are too close to tell.
func shortest(f float64) (n, last uint64, exp int) {
	b := math.Float64bits(f)
	c, q := b&(1<<mantissaBits-1), int(b>>mantissaBits&0x7FF)
	if c == 0 || q == 0 {
		return shortestSlow(f)
	}
	q -= bias
	exp = q * log10of2 >> 22
	g := &powers[-exp-minPower]
	shift := uint(q+(-exp*1741647)>>19+1) & 7 // 1 to 4
	// whole.part is f in the unit 10^exp, less than 2^-64 off.
	x := (c | 1<<mantissaBits) << shift
	low, _ := bits.Mul64(g.lo, x)
	whole, part := bits.Mul64(g.hi, x)
	part, carry := bits.Add64(part, low, 0)
	whole += carry
	n = whole / 10
	last = whole - 10*n
	// The distances from the multiples of ten below and above, and half of the
	// interval's width, less than 2^-60 off.
	const one = 1 << 60
	below := last*one | part>>4
	above := 10*one - below
	half := g.hi >> (5 - shift)
	switch {
	case below-half+1 <= 2 || above-half+1 <= 2 || part == 1<<63:
		return shortestSlow(f)
	case below < half:
		return n, 0, exp
	case above < half:
		return n + 1, 0, exp
	}
	return n, last + part>>63, exp
}

const (
	mantissaBits, bias = 52, 1023 + 52
	log10of2           = 1262611 // times 2^22
)

// shortestSlow is shortest for any f.
func shortestSlow(f float64) (n, last uint64, exp int) {
	var buf [32]byte
	n, exp, _ = significant(string(strconv.AppendFloat(buf[:0], f, 'e', -1, 64)))
	return n / 10, n % 10, exp
}

// appendShortest appends f in the form of AppendFloat. f is finite and above 0.
//
// Most numbers that were computed have 16 or 17 digits, and the point among the
// first eight or before them. Their text is made here, in words that are not read
// again.
func appendShortest(dst []byte, f float64) []byte {
	const most, sixteenDigits = 32, 1e15
	n, last, exp := shortest(f)
	// 16 digits and the last one, which is 0 if there are 16 in all.
	_, fewer := bits.Sub64(n, sixteenDigits, 0)
	n += (9*n + last) & -fewer
	last &= fewer - 1
	exp -= int(fewer)
	upper, lower := eightDigits(uint32(n/1e8)), eightDigits(uint32(n%1e8))
	point := 17 + exp // how many digits are before the point
	from := len(dst)
	if n < sixteenDigits || uint(point+5) > 12 || cap(dst)-from < most {
		return appendDecimal(dst, n, last, exp)
	}
	room := dst[from : from+most]
	end := 18
	if point > 0 {
		// The digits from the second byte on, then over the first bytes those
		// before the point, the point, and those after it.
		binary.LittleEndian.PutUint64(room[1:], upper)
		before := uint64(1)<<(8*point&63) - 1
		binary.LittleEndian.PutUint64(room, upper&before|'.'<<(8*point&63)|(upper&^before)<<8)
	} else {
		binary.LittleEndian.PutUint64(room, zeros^('0'^'.')<<8)
		end = 19 - point
		binary.LittleEndian.PutUint64(room[2-point:], upper)
	}
	binary.LittleEndian.PutUint64(room[end-9:], lower)
	room[end-1] = '0' + byte(last)
	if last == 0 {
		if lower == zeros {
			return appendDecimal(dst, n, last, exp)
		}
		end -= 1 + bits.LeadingZeros64(lower^zeros)/8
	}
	return dst[:from+end]
}

// appendDecimal appends (10 × n + last) × 10^exp, which is not 0.
func appendDecimal(dst []byte, n, last uint64, exp int) []byte {
	// The digits, with zeros before and after them, in a buffer from anywhere of
	// which as many can be copied.
	const most = 24
	var buf [2 * most]byte
	n = 10*n + last
	rest := n % 1e16
	words := [3]uint64{eightDigits(uint32(n / 1e16)), eightDigits(uint32(rest / 1e8)), eightDigits(uint32(rest % 1e8))}
	for k, w := range words {
		binary.LittleEndian.PutUint64(buf[8*k:], w)
	}
	from, to := 0, len(words)-1
	for words[from] == zeros {
		from++
	}
	for words[to] == zeros {
		to--
	}
	i := 8*from + bits.TrailingZeros64(words[from]^zeros)/8
	end := 8*to + 8 - bits.LeadingZeros64(words[to]^zeros)/8
	exp += most - end
	digits := buf[i:end]
	point := len(digits) + exp // how many digits are before the point
	switch {
	case 0 < point && point < len(digits):
		from := len(dst)
		dst = slices.Grow(dst, 2*most)
		room := dst[from : from+2*most]
		*(*[most]byte)(room) = [most]byte(buf[i:])
		*(*[most]byte)(room[point+1:]) = [most]byte(buf[i+point:])
		room[point] = '.'
		dst = dst[:from+len(digits)+1]
	case 0 < point && point <= 21:
		dst = append(dst, digits...)
		for range exp {
			dst = append(dst, '0')
		}
	case -6 < point && point <= 0:
		dst = append(append(dst, "0.00000"[:2-point]...), digits...)
	default:
		dst = AppendMantissa(dst, digits)
		if point > 0 {
			dst = append(dst, '+')
		}
		dst = AppendInt(dst, int64(point-1))
	}
	return dst
}

// zeros are eight digits 0.
const zeros = 0x3030303030303030

// eightDigits returns the digits of a number below 10^8, the first one lowest. They
// are computed side by side: two numbers of four digits, four of two, eight. Each
// step has x/y + x%y·z as x·z - x/y·(y·z - 1).
func eightDigits(n uint32) uint64 {
	fours := uint64(n)<<32 - uint64(n/1e4)*(1e4<<32-1)
	hundreds := fours * 10486 >> 20 & 0x7F0000007F
	twos := fours<<16 - hundreds*(100<<16-1)
	tens := twos * 103 >> 10 & 0x000F000F000F000F
	return twos<<8 - tens*(10<<8-1) | zeros
}

const digitPairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" + "30313233343536373839" + "40414243444546474849" +
	"50515253545556575859" + "60616263646566676869" + "70717273747576777879" + "80818283848586878889" + "90919293949596979899"

// AppendInt appends n's digits, those of numbers below 10^8 faster than strconv
// does.
func AppendInt(dst []byte, n int64) []byte {
	switch u := uint64(n); {
	case u < 10:
		return append(dst, '0'+byte(u))
	case u < 100:
		return append(dst, digitPairs[2*u], digitPairs[2*u+1])
	case u < 1000:
		low := u % 100
		return append(dst, '0'+byte(u/100), digitPairs[2*low], digitPairs[2*low+1])
	case u < 10000:
		high, low := u/100, u%100
		return append(dst, digitPairs[2*high], digitPairs[2*high+1], digitPairs[2*low], digitPairs[2*low+1])
	case u < 1e8 && cap(dst)-len(dst) >= 8:
		digits := eightDigits(uint32(u))
		lead := bits.TrailingZeros64(digits^zeros) / 8
		from := len(dst)
		binary.LittleEndian.PutUint64(dst[from:from+8], digits>>(8*lead&63))
		return dst[:from+8-lead]
	}
	return strconv.AppendInt(dst, n, 10)
}
