package cbor

import (
	"encoding/binary"
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

// short are the forms of items that are a head, and of texts after one.
var short = items.Short{
	Null: simpleNull, False: simpleFalse, True: simpleTrue,
	Ints: 24, Int8: majorUint | 24, Int16: majorUint | 25, Texts: 24, Text: majorText, Counts: 24, Array: majorArray, Object: majorMap,
}

type encoder struct{ items.Encoder }

// appendHead appends a major type with the shortest form of its argument.
func appendHead(dst []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(dst, major|byte(n))
	case n < 1<<8:
		return append(dst, major|24, byte(n))
	case n < 1<<16:
		return append(dst, major|25, byte(n>>8), byte(n))
	}
	size, step := items.Width(n)
	return items.AppendUint(append(dst, major|(24+step)), n, size)
}

// Item implements [items.Writer].
func (e *encoder) Item(dst []byte, v wire.Value) ([]byte, error) {
	switch v.Kind() {
	case wire.KindBool:
		if v.Bool() {
			return append(dst, simpleTrue), nil
		}
		return append(dst, simpleFalse), nil
	case wire.KindNumber:
		return e.number(dst, v)
	case wire.KindString:
		return e.String(dst, v.Text())
	case wire.KindBytes:
		s := v.Text()
		return append(appendHead(dst, majorBytes, uint64(len(s))), s...), nil
	case wire.KindTime:
		return e.Time(dst, v.Time())
	case wire.KindArray, wire.KindObject:
		dst, _ = e.Open(dst, v.Kind(), v.Len())
		return e.Children(dst, v, e)
	}
	return append(dst, simpleNull), nil
}

// Open implements [items.Writer] with the head of an array or a map.
func (e *encoder) Open(dst []byte, k wire.Kind, n int) ([]byte, error) {
	major := byte(majorArray)
	if k == wire.KindObject {
		major = majorMap
	}
	return appendHead(dst, major, uint64(n)), nil
}

// Text implements [items.Writer]. CBOR has a head for any length.
func (e *encoder) Text(dst []byte, s string) ([]byte, error) {
	return append(appendHead(dst, majorText, uint64(len(s))), s...), nil
}

// String implements [items.Writer].
func (e *encoder) String(dst []byte, s string) ([]byte, error) {
	dst, _ = e.Text(dst, s)
	return dst, e.Check(dst, s)
}

// Time implements [items.Writer] with tag 0, or a text alone if RFC 3339 has no form for it,
// as for years beyond 9999.
func (e *encoder) Time(dst []byte, t time.Time) ([]byte, error) {
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
		dst = appendHead(dst, majorTag, tagTime)
	}
	return append(appendHead(dst, majorText, uint64(len(text))), text...), nil
}

func (e *encoder) number(dst []byte, v wire.Value) ([]byte, error) {
	switch form, n := items.Number(v); form {
	case items.Unsigned:
		return appendHead(dst, majorUint, n), nil
	case items.Negative:
		return appendHead(dst, majorNegint, ^n), nil
	case items.Double:
		return e.Float(dst, math.Float64frombits(n)), nil
	}
	return e.exact(dst, v.Text())
}

// Float implements [items.Writer] with the shortest float that is the number (section 4.1).
func (e *encoder) Float(dst []byte, f float64) []byte {
	narrow := float32(f)
	if float64(narrow) != f {
		return binary.BigEndian.AppendUint64(append(dst, float64bits), math.Float64bits(f))
	}
	if half, ok := halfOf(narrow); ok {
		return binary.BigEndian.AppendUint16(append(dst, float16), half)
	}
	return binary.BigEndian.AppendUint32(append(dst, float32bits), math.Float32bits(narrow))
}

// halfOf returns the float16 that is f, which is finite, if there is one.
func halfOf(f float32) (uint16, bool) {
	bits := math.Float32bits(f / halfScale)
	half := uint16(bits>>16)&0x8000 | uint16(bits>>13)&0x7fff
	return half, halfValue(half) == float64(f)
}

// exact appends a number that no float64 is: an integer as a bignum, any other
// as a decimal fraction (section 3.4.4).
func (e *encoder) exact(dst []byte, text string) ([]byte, error) {
	whole, fraction, exponent, ok := split(text)
	if !ok || len(whole)+len(fraction) > maxDigits {
		return dst, e.tooLong()
	}
	if exponent != 0 {
		dst = appendHead(appendHead(dst, majorTag, tagDecimal), majorArray, 2)
		dst = e.Int(dst, exponent)
	}
	if n, err := strconv.ParseInt(whole+fraction, 10, 64); err == nil {
		return e.Int(dst, n), nil
	}
	mantissa, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return dst, e.tooLong()
	}
	if mantissa.IsUint64() {
		return appendHead(dst, majorUint, mantissa.Uint64()), nil
	}
	tag := uint64(tagBignum)
	if mantissa.Sign() < 0 {
		tag = tagNegative
		mantissa.Not(mantissa) // -1-n
	}
	b := mantissa.Bytes()
	if len(b) > maxBignum {
		return dst, e.tooLong()
	}
	if tag == tagNegative && len(b) <= 8 {
		return appendHead(dst, majorNegint, mantissa.Uint64()), nil
	}
	dst = appendHead(appendHead(dst, majorTag, tag), majorBytes, uint64(len(b)))
	return append(dst, b...), nil
}

func (e *encoder) tooLong() error {
	return e.Refuse("number_too_long", wire.ErrRange, "the number has more digits than a bignum of 4096 bytes, or an exponent beyond 64 bits", "make it a string")
}

// Int implements [items.Writer].
func (e *encoder) Int(dst []byte, n int64) []byte {
	if n < 0 {
		return appendHead(dst, majorNegint, uint64(-1-n))
	}
	return appendHead(dst, majorUint, uint64(n))
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
