package msgpack

import (
	"math"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

type decoder struct{ items.Decoder }

func (d *decoder) typeByte() (byte, error) {
	if d.At == len(d.Src) {
		return 0, d.Cut()
	}
	d.At++
	return d.Src[d.At-1], nil
}

// headOf returns what a type byte begins, but for what has to be looked at closely.
func headOf(b byte) items.Head {
	switch {
	case b < fixMap:
		return items.Head{Kind: items.Whole, Mask: 0x7f}
	case b < fixArray:
		return items.Head{Kind: items.Map, Mask: 0x0f}
	case b < fixStr:
		return items.Head{Kind: items.Array, Mask: 0x0f}
	case b < typeNil:
		return items.Head{Kind: items.Text, Mask: 0x1f}
	case b >= fixNeg:
		return items.Head{}
	}
	kinds := [fixNeg - typeNil]items.HeadKind{
		0: items.Null, uint8s - typeNil: items.Whole, items.Whole, items.Whole, items.Whole,
		str8 - typeNil: items.Text, items.Text, items.Text, items.Array, items.Array, items.Map, items.Map,
	}
	return items.Head{Kind: kinds[b-typeNil], Size: byte(arguments[b-typeNil])}
}

// Item reads a value.
func (d *decoder) Item() (wire.Value, error) {
	at := d.At
	b, err := d.typeByte()
	if err == nil {
		err = d.Value(at)
	}
	if err != nil {
		return wire.Value{}, err
	}
	switch {
	case b < fixMap:
		return wire.Int(int64(b)), nil
	case b < fixArray:
		return d.Object(at, uint64(b&0x0f), d)
	case b < fixStr:
		return d.Array(at, uint64(b&0x0f), d)
	case b < typeNil:
		s, err := d.String(uint64(b & 0x1f))
		return wire.String(s), err
	case b >= fixNeg:
		return wire.Int(int64(int8(b))), nil
	}
	return d.typed(at, b)
}

// typed reads what one of the type bytes from 0xc0 to 0xdf begins.
func (d *decoder) typed(at int, b byte) (wire.Value, error) {
	size := arguments[b-typeNil]
	n, err := d.Uint(size)
	if err != nil {
		return wire.Value{}, err
	}
	switch {
	case b == typeNil:
		return wire.Null(), nil
	case b < typeFalse:
		return wire.Value{}, d.Fail(at, "invalid_type", wire.ErrSyntax, "the byte 0x"+strconv.FormatUint(uint64(b), 16)+" begins no value", "")
	case b <= typeTrue:
		return wire.Bool(b == typeTrue), nil
	case b < ext8:
		s, err := d.Take(n)
		return d.Bytes(s), err
	case b < float32s:
		return d.extension(at, n)
	case b == float32s:
		return d.Float(at, float64(math.Float32frombits(uint32(n))), notFinite)
	case b == float64s:
		return d.Float(at, math.Float64frombits(n), notFinite)
	case b < int8s:
		return wire.Uint(n), nil
	case b < fixExt1:
		shift := 64 - 8*size
		return wire.Int(int64(n<<shift) >> shift), nil
	case b < str8:
		return d.extension(at, 1<<(b-fixExt1))
	case b < array16:
		s, err := d.String(n)
		return wire.String(s), err
	case b < map16:
		return d.Array(at, n, d)
	}
	return d.Object(at, n, d)
}

const notFinite = "send nil or a string"

// Reads reads a key that is name as a fixstr.
func (d *decoder) Reads(name string) bool {
	return len(name) < 32 && d.Follows(fixStr|byte(len(name)), name)
}

// Key reads a key.
func (d *decoder) Key() (string, error) {
	at := d.At
	b, err := d.typeByte()
	if err != nil {
		return "", err
	}
	switch {
	case b&0xe0 == fixStr:
		return d.String(uint64(b & 0x1f))
	case b >= str8 && b < str8+3:
		n, err := d.Uint(1 << (b - str8))
		if err != nil {
			return "", err
		}
		return d.String(n)
	}
	return "", d.Fail(at, "key_not_text", wire.ErrShape, "a map has a key that is no str, which no object has", "")
}

// extension reads a timestamp of n bytes, and refuses any other extension.
func (d *decoder) extension(at int, n uint64) (wire.Value, error) {
	kind, err := d.Uint(1)
	if err != nil {
		return wire.Value{}, err
	}
	if int8(kind) != timestamp {
		return wire.Value{}, d.Fail(at, "unsupported_extension", wire.ErrShape, "extension "+strconv.Itoa(int(int8(kind)))+" is more than the model has", "")
	}
	var seconds int64
	var nanoseconds uint64
	switch n {
	case 4, 8:
		v, failed := d.Uint(int(n))
		seconds, nanoseconds, err = int64(v&(1<<34-1)), v>>34, failed
	case 12:
		if nanoseconds, err = d.Uint(4); err == nil {
			var v uint64
			v, err = d.Uint(8)
			seconds = int64(v)
		}
	default:
		err = d.Fail(at, "invalid_timestamp", wire.ErrSyntax, "a timestamp has 4, 8 or 12 bytes", "")
	}
	if err == nil && nanoseconds >= 1e9 {
		err = d.Fail(at, "invalid_timestamp", wire.ErrSyntax, "a timestamp with more than 999,999,999 nanoseconds", "")
	}
	// What JSON has a text for: the years 0 to 9999.
	if t := time.Unix(seconds, 0).UTC(); err == nil && (seconds < -1<<36 || seconds > 1<<38 || t.Year() < 0 || t.Year() > 9999) {
		err = d.Fail(at, "time_out_of_range", wire.ErrRange, "a timestamp beyond the year 9999 or before the year 0", "")
	}
	if err != nil {
		return wire.Value{}, err
	}
	return wire.Time(time.Unix(seconds, int64(nanoseconds)).UTC()), nil
}
