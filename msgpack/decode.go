package msgpack

import (
	"math"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/items"
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
		return d.object(at, uint64(b&0x0f))
	case b < fixStr:
		return d.array(at, uint64(b&0x0f))
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
	switch b {
	case typeNil:
		return wire.Null(), nil
	case typeFalse, typeTrue:
		return wire.Bool(b == typeTrue), nil
	case float32s:
		n, err := d.Uint(4)
		return d.float(at, float64(math.Float32frombits(uint32(n))), err)
	case float64s:
		n, err := d.Uint(8)
		return d.float(at, math.Float64frombits(n), err)
	case uint8s, uint8s + 1, uint8s + 2, uint8s + 3:
		n, err := d.Uint(1 << (b - uint8s))
		return wire.Uint(n), err
	case int8s, int8s + 1, int8s + 2, int8s + 3:
		size := 1 << (b - int8s)
		n, err := d.Uint(size)
		shift := 64 - 8*size
		return wire.Int(int64(n<<shift) >> shift), err
	case array16, array16 + 1:
		n, err := d.Uint(2 << (b - array16))
		if err != nil {
			return wire.Value{}, err
		}
		return d.array(at, n)
	case map16, map16 + 1:
		n, err := d.Uint(2 << (b - map16))
		if err != nil {
			return wire.Value{}, err
		}
		return d.object(at, n)
	case str8, str8 + 1, str8 + 2:
		n, err := d.Uint(1 << (b - str8))
		if err != nil {
			return wire.Value{}, err
		}
		s, err := d.String(n)
		return wire.String(s), err
	case bin8, bin8 + 1, bin8 + 2:
		n, err := d.Uint(1 << (b - bin8))
		if err != nil {
			return wire.Value{}, err
		}
		s, err := d.Take(n)
		return d.Bytes(s), err
	case ext8, ext8 + 1, ext8 + 2:
		n, err := d.Uint(1 << (b - ext8))
		if err != nil {
			return wire.Value{}, err
		}
		return d.extension(at, n)
	case fixExt1, fixExt1 + 1, fixExt4, fixExt8, fixExt8 + 1:
		return d.extension(at, 1<<(b-fixExt1))
	}
	return wire.Value{}, d.Fail(at, "invalid_type", wire.ErrSyntax, "the byte 0x"+strconv.FormatUint(uint64(b), 16)+" begins no value", "")
}

func (d *decoder) float(at int, f float64, err error) (wire.Value, error) {
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = d.Fail(at, "not_finite", wire.ErrRange, "NaN and infinities are no numbers of the model", "send nil or a string")
	}
	if err != nil {
		return wire.Value{}, err
	}
	return wire.Float(f), nil
}

func (d *decoder) array(at int, n uint64) (wire.Value, error) {
	if err := d.Enter(at, n, 1); err != nil {
		return wire.Value{}, err
	}
	return d.Array(n, d)
}

func (d *decoder) object(at int, n uint64) (wire.Value, error) {
	if err := d.Enter(at, n, 2); err != nil {
		return wire.Value{}, err
	}
	return d.Object(n, d)
}

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
	case 4:
		v, failed := d.Uint(4)
		seconds, err = int64(v), failed
	case 8:
		v, failed := d.Uint(8)
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
