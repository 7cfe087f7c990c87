package items

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// An Encoder is the state of an encoder of one value.
type Encoder struct {
	Format string
	Max    int // the length that the text may get
	Depth  int // how many levels there may still be

	// Level is that of the value that is written. A Writer of lines has Open set what is
	// before all children but the first, so many bytes of a line's end and blanks, and what
	// begins an element.
	Level, Line int
	Mark        *gotext.Label

	// checked are key lists whose texts are UTF-8, by the depth of their objects: the
	// rows of a table have the same one.
	checked [8]*wire.Keys
}

// A Writer appends the values and the texts of a format, with the Encoder that it has.
type Writer interface {
	Item(dst []byte, v wire.Value) ([]byte, error)
	// These append what Item appends for such values: an Int, a Float with a fraction, and a
	// Time that has a text in RFC 3339.
	String(dst []byte, s string) ([]byte, error)
	Int(dst []byte, n int64) []byte
	Float(dst []byte, f float64) []byte
	Time(dst []byte, t time.Time) ([]byte, error)
	// Text appends a text, which [Encoder.Check] has still to look at.
	Text(dst []byte, s string) ([]byte, error)
	// Open appends what is before the n children of an array or an object.
	Open(dst []byte, k wire.Kind, n int) ([]byte, error)

	encoder() *Encoder
}

func (e *Encoder) encoder() *Encoder { return e }

var _ interface{ encoder() *Encoder } = (*Encoder)(nil) // formats embed an Encoder

// Begin makes e, which is zero, ready to append to dst, within limits that are resolved.
func (e *Encoder) Begin(format string, dst []byte, l *wire.Limits) {
	e.Format, e.Max, e.Depth = format, bound.Add(len(dst), l.OutputBytes), l.Depth
}

// Refuse returns an error of encoding.
func (e *Encoder) Refuse(code string, kind error, message, hint string) error {
	return &wire.Error{Format: e.Format, Code: code, Kind: kind, Message: message, Hint: hint}
}

// AppendUint appends the last n bytes of a number, 1, 2, 4 or 8, the highest first.
func AppendUint(dst []byte, v uint64, n int) []byte {
	switch n {
	case 1:
		return append(dst, byte(v))
	case 2:
		return binary.BigEndian.AppendUint16(dst, uint16(v))
	case 4:
		return binary.BigEndian.AppendUint32(dst, uint32(v))
	}
	return binary.BigEndian.AppendUint64(dst, v)
}

// Width returns how many bytes a number takes, 1, 2, 4 or 8, and how many of these
// steps that is from 1.
func Width(n uint64) (size int, step byte) {
	last := (bits.Len64(n|1) - 1) / 8 // of as many bytes as it has at least
	step = byte(bits.Len(uint(last)))
	return 1 << step, step
}

// tooLong is the error of output beyond the limit.
func (e *Encoder) tooLong() error {
	return e.Refuse(wire.CodeOutputTooLong, wire.ErrLimit, "the document gets longer than the limit", "raise Limits.OutputBytes")
}

// Children appends the children of an array or an object, and the keys.
func (e *Encoder) Children(dst []byte, v wire.Value, w Writer) (_ []byte, err error) {
	if e.Depth--; e.Depth < 0 {
		return dst, e.Refuse(wire.CodeTooDeep, wire.ErrLimit, "arrays and objects are nested deeper than the limit", "raise Limits.Depth")
	}
	if v.Kind() == wire.KindObject {
		dst, err = e.members(dst, v, w)
	} else {
		dst, err = e.elements(dst, v, w)
	}
	e.Depth++
	return dst, err
}

func (e *Encoder) elements(dst []byte, v wire.Value, w Writer) (_ []byte, err error) {
	for i := range v.Len() {
		dst, err = w.Item(dst, v.Index(i))
		if err == nil && len(dst) > e.Max {
			err = e.tooLong()
		}
		if err != nil {
			return dst, wire.AtIndex(err, i)
		}
	}
	return dst, nil
}

func (e *Encoder) members(dst []byte, v wire.Value, w Writer) (_ []byte, err error) {
	keys, checked := v.Keys(), &e.checked[e.Depth%len(e.checked)]
	known := keys == *checked
	for i := range v.Len() {
		key := keys.At(i)
		dst, err = w.Text(dst, key)
		if err == nil && !known {
			err = e.Check(dst, key)
		}
		if err == nil {
			dst, err = w.Item(dst, v.Index(i))
		}
		if err == nil && len(dst) > e.Max {
			err = e.tooLong()
		}
		if err != nil {
			return dst, wire.AtKey(err, key)
		}
	}
	*checked = keys
	return dst, nil
}

// Check refuses a text that is not UTF-8, which has just been appended.
func (e *Encoder) Check(dst []byte, s string) error {
	if isASCII(s) || scan.IsUTF8(dst[len(dst)-len(s):]) {
		return nil
	}
	return e.Refuse(wire.CodeInvalidUTF8, wire.ErrUTF8, "a string is not UTF-8", "make it a byte string")
}

// A NumberForm is what a number is written as.
type NumberForm uint8

const (
	Other    NumberForm = iota // what none of the others holds
	Unsigned                   // a whole number of 64 bits
	Negative                   // a whole number below 0 of 64 bits
	Double                     // a float64, or the zero below 0
)

// Number returns what a number is, with its bits: two's complement, or those of the
// float64.
func Number(v wire.Value) (form NumberForm, bits uint64) {
	if text, spelled := wire.Internal.Spelling(v); wire.Internal.IsFloat(v) || spelled && strings.IndexByte(text, '.') > 0 {
		// A whole number is no nearer to a float64 that is none.
		if f, ok := v.Float64(); ok && f != math.Trunc(f) {
			return Double, math.Float64bits(f)
		}
	}
	if n, ok := v.Int64(); ok {
		if n < 0 {
			return Negative, uint64(n)
		}
		if n == 0 {
			if f, _ := v.Float64(); math.Signbit(f) {
				return Double, math.Float64bits(f)
			}
		}
		return Unsigned, uint64(n)
	}
	if n, whole := v.Uint64(); whole {
		return Unsigned, n
	}
	if f, ok := v.Float64(); ok {
		return Double, math.Float64bits(f)
	}
	return Other, 0
}
