package decimal

import (
	"encoding/binary"
	"math/bits"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// maxPlain is the length of a number that AppendPlain copies.
const maxPlain = 24

// AppendPlain appends text, a number in JSON's grammar, if it is in the form that
// formats call canonical for certain: no exponent, no zeros after the point that
// say nothing, not -0, not closer to zero than 0.000001, and at most 16 characters
// before the point. It reports false, and has appended nothing, for all else, and
// where dst has no room. The text is copied in words, which are looked at on the way.
func AppendPlain(dst []byte, text string) ([]byte, bool) {
	from, n := len(dst), len(text)
	if n > maxPlain || cap(dst)-from < maxPlain {
		return dst, false
	}
	room := dst[from : from+maxPlain]
	var plain bool
	switch {
	case n > 16:
		low, middle, high := scan.Load64(text, 0), scan.Load64(text, 8), scan.Load64(text, n-8)
		binary.LittleEndian.PutUint64(room, low)
		binary.LittleEndian.PutUint64(room[8:], middle)
		binary.LittleEndian.PutUint64(room[n-8:n], high)
		plain = scan.NonDigits(middle)|scan.NonDigits(high) == 0 && text[n-1] != '0' && isFraction(low)
	case n > 8:
		low, high := scan.Load64(text, 0), scan.Load64(text, n-8)
		binary.LittleEndian.PutUint64(room, low)
		binary.LittleEndian.PutUint64(room[n-8:n], high)
		high >>= 8 * (16 - n) // what low does not have
		high |= '0' * scan.Ones << (8 * (n - 8))
		plain = isPlain(low, high, text[n-1])
	default:
		var low uint64
		if n >= 4 {
			low = uint64(scan.Load32(text, 0)) | uint64(scan.Load32(text, n-4))>>(8*(8-n))<<32
		} else {
			half := n >> 1
			low = uint64(text[0]) | uint64(text[half])<<(8*half) | uint64(text[n-1])<<(8*(n-1))
		}
		binary.LittleEndian.PutUint64(room, low)
		low |= '0' * scan.Ones << (8 * n)
		others := scan.NonDigits(low)
		if others == 0 || others&(others-1) == 0 && byte(low>>(bits.TrailingZeros64(others)-7)) == '.' && text[n-1] != '0' && low != lowZeros {
			return dst[:from+n], true // a number without a sign
		}
		plain = isPlain(low, '0'*scan.Ones, text[n-1])
	}
	if !plain {
		return dst, false
	}
	return dst[:from+n], true
}

// lowZeros and lowNegative are 0.000000 and -0.00000, which the numbers begin with
// that are very small.
const (
	lowZeros    = '0'*scan.Ones ^ ('0'^'.')<<8
	lowNegative = '0'*scan.Ones ^ ('0' ^ '-') ^ ('0'^'.')<<16
)

// isPlain looks at a number of at least two characters: low and high are these,
// and zeros after them; last is the last one.
func isPlain(low, high uint64, last byte) bool {
	zero := false
	if byte(low) == '-' {
		zero = low>>8&0xFF == '0'
		if low == lowNegative {
			return false
		}
		low ^= '-' ^ '1' // as good as any number without a sign
	}
	others, behind := scan.NonDigits(low), scan.NonDigits(high)
	switch {
	case others|behind == 0:
		return !zero // a number with a leading zero has a point, or is -0
	case last == '0' || low == lowZeros:
		return false
	case behind == 0:
		return others&(others-1) == 0 && byte(low>>(bits.TrailingZeros64(others)-7)) == '.'
	}
	return others == 0 && behind&(behind-1) == 0 && byte(high>>(bits.TrailingZeros64(behind)-7)) == '.'
}

// isFraction reports whether the eight characters that a number begins with are
// digits, a point and perhaps a sign, and not the beginning of a very small one.
func isFraction(low uint64) bool {
	if low == lowZeros || low == lowNegative {
		return false
	}
	if byte(low) == '-' {
		low ^= '-' ^ '1'
	}
	others := scan.NonDigits(low)
	return others != 0 && others&(others-1) == 0 && byte(low>>(bits.TrailingZeros64(others)-7)) == '.'
}
