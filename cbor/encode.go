package cbor

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

// Major types (section 3.1), as they are in an initial byte.
const (
	majorUint   = 0 << 5
	majorNegint = 1 << 5
	majorBytes  = 2 << 5
	majorText   = 3 << 5
	majorArray  = 4 << 5
	majorMap    = 5 << 5
	majorTag    = 6 << 5
	majorSimple = 7 << 5
)

// Tags (section 3.4).
const (
	tagTime     = 0
	tagEpoch    = 1
	tagBignum   = 2
	tagNegative = 3
	tagDecimal  = 4

	// Of these only the content is read.
	tagBase64URL     = 21 // what bytes are to become in JSON
	tagBase64        = 22
	tagBase16        = 23
	tagEncoded       = 24 // bytes that are an item
	tagURI           = 32
	tagTextBase64URL = 33
	tagTextBase64    = 34
	tagRegexp        = 35
	tagMIME          = 36
)

// Simple values and floats (section 3.3).
const (
	simpleFalse = majorSimple | 20
	simpleTrue  = majorSimple | 21
	simpleNull  = majorSimple | 22
	float16     = majorSimple | 25
	float32bits = majorSimple | 26
	float64bits = majorSimple | 27
	stop        = majorSimple | 31 // ends what has no length
)

// maxBignum bounds the bytes of a big number: what is longer takes more than
// linear time to spell in decimals.
const maxBignum = 4096

type encoder struct{ items.Encoder }

// head writes a major type with the shortest form of its argument.
func (e *encoder) head(major byte, n uint64) {
	if n < 24 {
		e.Dst = append(e.Dst, major|byte(n))
		return
	}
	size, step := items.Width(n)
	e.Dst = append(e.Dst, major|(24+step))
	e.Uint(n, size)
}

// Item writes a value.
func (e *encoder) Item(v wire.Value) error {
	switch v.Kind() {
	case wire.KindBool:
		simple := byte(simpleFalse)
		if v.Bool() {
			simple = simpleTrue
		}
		e.Dst = append(e.Dst, simple)
	case wire.KindNumber:
		return e.number(v)
	case wire.KindString:
		return e.String(v.Text())
	case wire.KindBytes:
		s := v.Text()
		e.head(majorBytes, uint64(len(s)))
		e.Dst = append(e.Dst, s...)
	case wire.KindTime:
		return e.Time(v.Time())
	case wire.KindArray, wire.KindObject:
		_ = e.Open(v.Kind(), v.Len())
		return e.Children(v, e)
	default:
		e.Dst = append(e.Dst, simpleNull)
	}
	return nil
}

// Open writes the head of an array or a map.
func (e *encoder) Open(k wire.Kind, n int) error {
	major := byte(majorArray)
	if k == wire.KindObject {
		major = majorMap
	}
	e.head(major, uint64(n))
	return nil
}

// Text writes a text. There is none that is too long.
func (e *encoder) Text(s string) error {
	e.head(majorText, uint64(len(s)))
	e.Dst = append(e.Dst, s...)
	return nil
}

// String writes a text that is UTF-8.
func (e *encoder) String(s string) error {
	_ = e.Text(s)
	return e.Check(s)
}

// Time writes a time as tag 0, or as a text alone if RFC 3339 has no form for it,
// as for years beyond 9999.
func (e *encoder) Time(t time.Time) error {
	var buf [64]byte
	_, offset := t.Zone()
	if offset%60 != 0 {
		t = t.UTC() // RFC 3339 has no seconds in its offsets
	}
	text := t.AppendFormat(buf[:0], time.RFC3339Nano)
	known := text[0] != '-' && text[4] == '-' && max(offset, -offset) < 24*60*60
	if !known {
		at, err := time.Parse(time.RFC3339Nano, string(text))
		known = err == nil && at.Equal(t)
	}
	if known {
		e.head(majorTag, tagTime)
	}
	e.head(majorText, uint64(len(text)))
	e.Dst = append(e.Dst, text...)
	return nil
}

func (e *encoder) number(v wire.Value) error {
	switch form, n := items.Number(v); form {
	case items.Unsigned:
		e.head(majorUint, n)
	case items.Negative:
		e.head(majorNegint, ^n)
	case items.Double:
		e.Float(math.Float64frombits(n))
	default:
		return e.exact(v.Text())
	}
	return nil
}

// Float writes the shortest float that is the number (section 4.1).
func (e *encoder) Float(f float64) {
	narrow := float32(f)
	if float64(narrow) != f {
		e.Dst = append(e.Dst, float64bits)
		e.Uint(math.Float64bits(f), 8)
		return
	}
	if half, ok := halfOf(narrow); ok {
		e.Dst = append(e.Dst, float16)
		e.Uint(uint64(half), 2)
		return
	}
	e.Dst = append(e.Dst, float32bits)
	e.Uint(uint64(math.Float32bits(narrow)), 4)
}

// halfOf returns the float16 that is f, which is finite, if there is one.
func halfOf(f float32) (uint16, bool) {
	bits := math.Float32bits(f / halfScale)
	half := uint16(bits>>16)&0x8000 | uint16(bits>>13)&0x7fff
	return half, halfValue(half) == float64(f)
}

// exact writes a number that no float64 is: an integer as a bignum, any other
// as a decimal fraction (section 3.4.4).
func (e *encoder) exact(text string) error {
	whole, fraction, exponent, ok := split(text)
	if !ok || len(whole)+len(fraction) > maxDigits {
		return e.tooLong()
	}
	if exponent != 0 {
		e.head(majorTag, tagDecimal)
		e.head(majorArray, 2)
		e.Int(exponent)
	}
	if n, err := strconv.ParseInt(whole+fraction, 10, 64); err == nil {
		e.Int(n)
		return nil
	}
	mantissa, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return e.tooLong()
	}
	if mantissa.IsUint64() {
		e.head(majorUint, mantissa.Uint64())
		return nil
	}
	tag := uint64(tagBignum)
	if mantissa.Sign() < 0 {
		tag = tagNegative
		mantissa.Not(mantissa) // -1-n
	}
	b := mantissa.Bytes()
	if len(b) > maxBignum {
		return e.tooLong()
	}
	if tag == tagNegative && len(b) <= 8 {
		e.head(majorNegint, mantissa.Uint64())
		return nil
	}
	e.head(majorTag, tag)
	e.head(majorBytes, uint64(len(b)))
	e.Dst = append(e.Dst, b...)
	return nil
}

func (e *encoder) tooLong() error {
	return e.Refuse("number_too_long", wire.ErrRange, "the number has more digits than a bignum of 4096 bytes, or an exponent beyond 64 bits", "make it a string")
}

// Int writes an integer.
func (e *encoder) Int(n int64) {
	if n < 0 {
		e.head(majorNegint, uint64(-1-n))
		return
	}
	e.head(majorUint, uint64(n))
}

// maxDigits are those of the largest bignum.
const maxDigits = 9865

// split returns the number as the digits of whole and fraction, as one integer, times
// ten to the exponent. The exponent of an integer that is spelled as one is 0.
func split(text string) (whole, fraction string, exponent int64, ok bool) {
	digits, scale := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		digits, scale = text[:i], text[i+1:]
	}
	if scale != "" {
		var err error
		if exponent, err = strconv.ParseInt(scale, 10, 64); err != nil {
			return "", "", 0, false
		}
	}
	whole, fraction, _ = strings.Cut(digits, ".")
	fraction = strings.TrimRight(fraction, "0")
	if exponent < math.MinInt64+int64(len(fraction)) {
		return "", "", 0, false
	}
	return whole, fraction, exponent - int64(len(fraction)), true
}
