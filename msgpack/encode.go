package msgpack

import (
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

type encoder struct{ items.Encoder }

// sized writes a type byte and a length in 1, 2 or 4 bytes: small is the byte
// for a length of 1 or, where there is none, 2 bytes.
func (e *encoder) sized(small byte, n, least int, what string) error {
	if uint64(n) > math.MaxUint32 {
		return e.Refuse("too_long", wire.ErrRange, what+" has more than 32 bits of length", "")
	}
	for size := least; ; size *= 2 {
		if size == 4 || n < 1<<(8*size) {
			e.Dst = append(e.Dst, small)
			e.Uint(uint64(n), size)
			return nil
		}
		small++
	}
}

// Item writes a value.
func (e *encoder) Item(v wire.Value) error {
	switch v.Kind() {
	case wire.KindBool:
		b := byte(typeFalse)
		if v.Bool() {
			b = typeTrue
		}
		e.Dst = append(e.Dst, b)
	case wire.KindNumber:
		return e.number(v)
	case wire.KindString:
		return e.String(v.Text())
	case wire.KindBytes:
		s := v.Text()
		err := e.sized(bin8, len(s), 1, "a byte string")
		e.Dst = append(e.Dst, s...)
		return err
	case wire.KindTime:
		return e.Time(v.Time())
	case wire.KindArray, wire.KindObject:
		if err := e.Open(v.Kind(), v.Len()); err != nil {
			return err
		}
		return e.Children(v, e)
	default:
		e.Dst = append(e.Dst, typeNil)
	}
	return nil
}

// Open writes what is before the children of an array or a map.
func (e *encoder) Open(k wire.Kind, n int) error {
	fix, sized := byte(fixArray), byte(array16)
	if k == wire.KindObject {
		fix, sized = fixMap, map16
	}
	if n < 16 {
		e.Dst = append(e.Dst, fix|byte(n))
		return nil
	}
	return e.sized(sized, n, 2, "an array or a map")
}

// Text writes a str.
func (e *encoder) Text(s string) error {
	if err := e.str(len(s)); err != nil {
		return err
	}
	e.Dst = append(e.Dst, s...)
	return nil
}

// String writes a text that is UTF-8.
func (e *encoder) String(s string) error {
	if err := e.Text(s); err != nil {
		return err
	}
	return e.Check(s)
}

// str writes what is before a str of n bytes.
func (e *encoder) str(n int) error {
	if n < 32 {
		e.Dst = append(e.Dst, fixStr|byte(n))
		return nil
	}
	return e.sized(str8, n, 1, "a string")
}

func (e *encoder) number(v wire.Value) error {
	switch form, n := items.Number(v); form {
	case items.Unsigned:
		e.uint(n)
	case items.Negative:
		e.negative(int64(n))
	case items.Double:
		e.Float(math.Float64frombits(n))
	default:
		return e.Refuse(wire.CodeNumberRange, wire.ErrRange, "the number is neither an integer of 64 bits nor a float64", "use cbor, which has them, or make it a string")
	}
	return nil
}

// Int writes an integer.
func (e *encoder) Int(n int64) {
	if n < 0 {
		e.negative(n)
		return
	}
	e.uint(uint64(n))
}

func (e *encoder) uint(n uint64) {
	if n < 1<<7 {
		e.Dst = append(e.Dst, byte(n))
		return
	}
	size, step := items.Width(n)
	e.Dst = append(e.Dst, uint8s+step)
	e.Uint(n, size)
}

// negative writes a number below 0.
func (e *encoder) negative(n int64) {
	if n >= -32 {
		e.Dst = append(e.Dst, byte(n))
		return
	}
	size, step := items.Width(uint64(^n) << 1) // with a bit for the sign
	e.Dst = append(e.Dst, int8s+step)
	e.Uint(uint64(n), size)
}

// Float writes the shortest float that is the number.
func (e *encoder) Float(f float64) {
	if narrow := float32(f); float64(narrow) == f {
		e.Dst = append(e.Dst, float32s)
		e.Uint(uint64(math.Float32bits(narrow)), 4)
		return
	}
	e.Dst = append(e.Dst, float64s)
	e.Uint(math.Float64bits(f), 8)
}

// Time writes a timestamp in 4, 8 or 12 bytes. A time with an offset, which no
// timestamp has, and one beyond the years that readers take are their text.
func (e *encoder) Time(at time.Time) error {
	if _, offset := at.Zone(); offset != 0 || at.Year() < 0 || at.Year() > 9999 {
		var buf [64]byte
		text := wire.Internal.AppendText(buf[:0], wire.Time(at))
		err := e.str(len(text))
		e.Dst = append(e.Dst, text...)
		return err
	}
	seconds, nanoseconds := at.Unix(), uint64(at.Nanosecond())
	const minusOne = byte(timestamp & 0xff)
	switch {
	case seconds>>34 != 0:
		e.Dst = append(e.Dst, ext8, 12, minusOne)
		e.Uint(nanoseconds, 4)
		e.Uint(uint64(seconds), 8)
	case nanoseconds == 0 && seconds <= math.MaxUint32:
		e.Dst = append(e.Dst, fixExt4, minusOne)
		e.Uint(uint64(seconds), 4)
	default:
		e.Dst = append(e.Dst, fixExt8, minusOne)
		e.Uint(nanoseconds<<34|uint64(seconds), 8)
	}
	return nil
}
