package items

import (
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
	Dst    []byte
	Max    int // the length that Dst may get
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

// A Writer writes the values and the texts of a format, to the Encoder that it has.
type Writer interface {
	Item(v wire.Value) error
	// These write what Item writes for such values: an Int, a Float with a fraction, and a
	// Time that has a text in RFC 3339.
	String(s string) error
	Int(n int64)
	Float(f float64)
	Time(t time.Time) error
	// Text writes a text, which [Encoder.Check] has still to look at.
	Text(s string) error
	// Open writes what is before the n children of an array or an object.
	Open(k wire.Kind, n int) error

	encoder() *Encoder
}

func (e *Encoder) encoder() *Encoder { return e }

var _ interface{ encoder() *Encoder } = (*Encoder)(nil) // formats embed an Encoder

// Begin makes e, which is zero, ready to append to dst.
func (e *Encoder) Begin(format string, dst []byte, l wire.Limits) {
	l = l.Resolved()
	e.Format, e.Dst, e.Max, e.Depth = format, dst, bound.Add(len(dst), l.OutputBytes), l.Depth
}

// Refuse returns an error of encoding.
func (e *Encoder) Refuse(code string, kind error, message, hint string) error {
	return &wire.Error{Format: e.Format, Code: code, Kind: kind, Message: message, Hint: hint}
}

// Uint appends the last n bytes of a number, 1, 2, 4 or 8, the highest first.
func (e *Encoder) Uint(v uint64, n int) {
	switch n { // each appends in place, which AppendUint64 does not
	case 1:
		e.Dst = append(e.Dst, byte(v))
	case 2:
		e.Dst = append(e.Dst, byte(v>>8), byte(v))
	case 4:
		e.Dst = append(e.Dst, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	default:
		e.Dst = append(e.Dst, byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32), byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
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

// Children writes the children of an array or an object, and the keys.
func (e *Encoder) Children(v wire.Value, w Writer) error {
	if e.Depth--; e.Depth < 0 {
		return e.Refuse(wire.CodeTooDeep, wire.ErrLimit, "arrays and objects are nested deeper than the limit", "raise Limits.Depth")
	}
	var err error
	if v.Kind() == wire.KindObject {
		err = e.members(v, w)
	} else {
		err = e.elements(v, w)
	}
	e.Depth++
	return err
}

func (e *Encoder) elements(v wire.Value, w Writer) error {
	for i := range v.Len() {
		err := w.Item(v.Index(i))
		if err == nil && len(e.Dst) > e.Max {
			err = e.tooLong()
		}
		if err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return nil
}

func (e *Encoder) members(v wire.Value, w Writer) error {
	keys, checked := v.Keys(), &e.checked[e.Depth%len(e.checked)]
	known := keys == *checked
	for i := range v.Len() {
		key := keys.At(i)
		err := w.Text(key)
		if err == nil && !known {
			err = e.Check(key)
		}
		if err == nil {
			err = w.Item(v.Index(i))
		}
		if err == nil && len(e.Dst) > e.Max {
			err = e.tooLong()
		}
		if err != nil {
			return wire.AtKey(err, key)
		}
	}
	*checked = keys
	return nil
}

// Check refuses a text that is not UTF-8, which has just been written.
func (e *Encoder) Check(s string) error {
	if isASCII(s) || scan.IsUTF8(e.Dst[len(e.Dst)-len(s):]) {
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
	if n, ok := v.Int64(); ok && n != 0 {
		if n < 0 {
			return Negative, uint64(n)
		}
		return Unsigned, uint64(n)
	}
	f, ok := v.Float64()
	if ok && f == 0 && math.Signbit(f) {
		return Double, math.Float64bits(f)
	}
	if n, whole := v.Uint64(); whole {
		return Unsigned, n
	}
	if ok {
		return Double, math.Float64bits(f)
	}
	return Other, 0
}
