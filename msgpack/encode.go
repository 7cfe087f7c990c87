package msgpack

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

// The type bytes of the specification.
const (
	fixMap    = 0x80
	fixArray  = 0x90
	fixStr    = 0xa0
	typeNil   = 0xc0
	typeFalse = 0xc2
	typeTrue  = 0xc3
	bin8      = 0xc4
	ext8      = 0xc7
	float32s  = 0xca
	float64s  = 0xcb
	uint8s    = 0xcc
	int8s     = 0xd0
	fixExt1   = 0xd4
	fixExt4   = 0xd6
	fixExt8   = 0xd7
	str8      = 0xd9
	array16   = 0xdc
	map16     = 0xde
	fixNeg    = 0xe0
)

// arguments has for each type byte from typeNil to fixNeg the length of the number after
// it: of the value, or of the length of what follows.
var arguments = [fixNeg - typeNil]int{
	bin8 - typeNil: 1, 2, 4, 1, 2, 4,
	float32s - typeNil: 4, 8, 1, 2, 4, 8, 1, 2, 4, 8,
	str8 - typeNil: 1, 2, 4, 2, 4, 2, 4,
}

// timestamp is the extension of times.
const timestamp = -1

// short are the forms of values whose type byte has all but a text.
var short = items.Short{
	Null: typeNil, False: typeFalse, True: typeTrue,
	Ints: 1 << 7, Int8: uint8s, Int16: uint8s + 1, Texts: 32, Text: fixStr, Counts: 16, Array: fixArray, Object: fixMap,
}

type encoder struct{ items.Encoder }

// sized appends a type byte and a length in 1, 2 or 4 bytes: small is the byte
// for a length of 1 or, where there is none, 2 bytes.
func (e *encoder) sized(dst []byte, small byte, n, least int, what string) ([]byte, error) {
	if uint64(n) > math.MaxUint32 {
		return dst, e.Refuse("too_long", wire.ErrRange, what+" has more than 32 bits of length", "")
	}
	size := least
	for ; size < 4 && n >= 1<<(8*size); size *= 2 {
		small++
	}
	return items.AppendUint(append(dst, small), uint64(n), size), nil
}

// Item implements [items.Writer].
func (e *encoder) Item(dst []byte, v wire.Value) ([]byte, error) {
	switch v.Kind() {
	case wire.KindBool:
		if v.Bool() {
			return append(dst, typeTrue), nil
		}
		return append(dst, typeFalse), nil
	case wire.KindNumber:
		return e.number(dst, v)
	case wire.KindString:
		return e.String(dst, v.Text())
	case wire.KindBytes:
		s := v.Text()
		dst, err := e.sized(dst, bin8, len(s), 1, "a byte string")
		return append(dst, s...), err
	case wire.KindTime:
		return e.Time(dst, v.Time())
	case wire.KindArray, wire.KindObject:
		dst, err := e.Open(dst, v.Kind(), v.Len())
		if err != nil {
			return dst, err
		}
		return e.Children(dst, v, e)
	}
	return append(dst, typeNil), nil
}

// Open implements [items.Writer].
func (e *encoder) Open(dst []byte, k wire.Kind, n int) ([]byte, error) {
	fix, sized := byte(fixArray), byte(array16)
	if k == wire.KindObject {
		fix, sized = fixMap, map16
	}
	if n < 16 {
		return append(dst, fix|byte(n)), nil
	}
	return e.sized(dst, sized, n, 2, "an array or a map")
}

// Text implements [items.Writer].
func (e *encoder) Text(dst []byte, s string) ([]byte, error) {
	dst, err := e.str(dst, len(s))
	return append(dst, s...), err
}

// str appends what is before a str of n bytes.
func (e *encoder) str(dst []byte, n int) ([]byte, error) {
	if n < 32 {
		return append(dst, fixStr|byte(n)), nil
	}
	return e.sized(dst, str8, n, 1, "a string")
}

// String implements [items.Writer].
func (e *encoder) String(dst []byte, s string) ([]byte, error) {
	dst, err := e.Text(dst, s)
	if err == nil {
		err = e.Check(dst, s)
	}
	return dst, err
}

func (e *encoder) number(dst []byte, v wire.Value) ([]byte, error) {
	switch form, n := items.Number(v); form {
	case items.Unsigned:
		return appendUint(dst, n), nil
	case items.Negative:
		return appendNegative(dst, int64(n)), nil
	case items.Double:
		return e.Float(dst, math.Float64frombits(n)), nil
	}
	return dst, e.Refuse(wire.CodeNumberRange, wire.ErrRange, "the number is neither an integer of 64 bits nor a float64", "use cbor, which has them, or make it a string")
}

// Int implements [items.Writer].
func (e *encoder) Int(dst []byte, n int64) []byte {
	if n < 0 {
		return appendNegative(dst, n)
	}
	return appendUint(dst, uint64(n))
}

func appendUint(dst []byte, n uint64) []byte {
	if n < 1<<7 {
		return append(dst, byte(n))
	}
	size, step := items.Width(n)
	return items.AppendUint(append(dst, uint8s+step), n, size)
}

// appendNegative appends a number below 0.
func appendNegative(dst []byte, n int64) []byte {
	if n >= -32 {
		return append(dst, byte(n))
	}
	size, step := items.Width(uint64(^n) << 1) // with a bit for the sign
	return items.AppendUint(append(dst, int8s+step), uint64(n), size)
}

// Float implements [items.Writer] with the shortest float that is the number.
func (e *encoder) Float(dst []byte, f float64) []byte {
	if narrow := float32(f); float64(narrow) == f {
		return binary.BigEndian.AppendUint32(append(dst, float32s), math.Float32bits(narrow))
	}
	return binary.BigEndian.AppendUint64(append(dst, float64s), math.Float64bits(f))
}

// Time implements [items.Writer] with a timestamp in 4, 8 or 12 bytes. A time with an offset,
// which no timestamp has, and one beyond the years that readers take are their text.
func (e *encoder) Time(dst []byte, at time.Time) ([]byte, error) {
	if _, offset := at.Zone(); offset != 0 || at.Year() < 0 || at.Year() > 9999 {
		var buf [64]byte
		text := wire.Internal.AppendText(buf[:0], wire.Time(at))
		dst, err := e.str(dst, len(text))
		return append(dst, text...), err
	}
	seconds, nanoseconds := at.Unix(), uint64(at.Nanosecond())
	const minusOne = byte(timestamp & 0xff)
	switch {
	case seconds>>34 != 0:
		dst = binary.BigEndian.AppendUint32(append(dst, ext8, 12, minusOne), uint32(nanoseconds))
		dst = binary.BigEndian.AppendUint64(dst, uint64(seconds))
	case nanoseconds == 0 && seconds <= math.MaxUint32:
		dst = binary.BigEndian.AppendUint32(append(dst, fixExt4, minusOne), uint32(seconds))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, fixExt8, minusOne), nanoseconds<<34|uint64(seconds))
	}
	return dst, nil
}
