// Package items is what the binary formats of data items share, CBOR and
// MessagePack: values behind heads that say what they are and how long.
package items

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/wire"
)

// A Decoder is the state of a decoder of one document.
type Decoder struct {
	wire.Builder
	Format string
	Src    []byte
	Text   string // Src, copied once; strings point into it
	At     int    // of the next byte

	values, depth int
	empty         wire.Value // the empty object, once there is one
	hasEmpty      bool
	claimed       int // children that heads have declared, of all that the bytes can hold
}

// Begin checks the document's length and makes d ready to read it.
func (d *Decoder) Begin(format string, src []byte, l wire.Limits) error {
	l = l.Resolved()
	d.Format, d.Src, d.values, d.depth = format, src, l.Values, l.Depth
	if len(src) > l.InputBytes {
		return d.Fail(l.InputBytes, "input_too_long", wire.ErrLimit, "the document is longer than the limit", "raise Limits.InputBytes")
	}
	d.Text = string(src)
	return nil
}

// Fail returns an error at an offset. A binary document has no lines, so the message
// tells it.
func (d *Decoder) Fail(at int, code string, kind error, message, hint string) error {
	message += " (at byte " + strconv.Itoa(at) + ")"
	return &wire.Error{Format: d.Format, Code: code, Kind: kind, Message: message, Hint: hint, Offset: at}
}

// Done returns what Decode does of the one value that was read: v if nothing
// follows it.
func (d *Decoder) Done(v wire.Value, err error, what string) (wire.Value, error) {
	if err == nil && d.At < len(d.Src) {
		err = d.Fail(d.At, "trailing_data", wire.ErrSyntax, "something follows the "+what, "")
	}
	if err != nil {
		return wire.Value{}, err
	}
	return v, nil
}

// Cut is the error of a document that ends too early.
func (d *Decoder) Cut() error {
	return d.Fail(len(d.Src), "unexpected_end", wire.ErrTruncated, "the document ends within an item", "")
}

// Uint reads a big-endian number of 1, 2, 4 or 8 bytes.
func (d *Decoder) Uint(n int) (uint64, error) {
	if len(d.Src)-d.At < n {
		return 0, d.Cut()
	}
	var v uint64
	for _, b := range d.Src[d.At : d.At+n] {
		v = v<<8 | uint64(b)
	}
	d.At += n
	return v, nil
}

// Take returns the next n bytes as a part of Text.
func (d *Decoder) Take(n uint64) (string, error) {
	if n > uint64(len(d.Src)-d.At) {
		return "", d.Cut()
	}
	at := d.At
	d.At += int(n)
	return d.Text[at:d.At], nil
}

// String reads n bytes of text.
func (d *Decoder) String(n uint64) (string, error) {
	at := d.At
	s, err := d.Take(n)
	if err == nil && !utf8.ValidString(s) {
		err = d.Fail(at, "invalid_utf8", wire.ErrUTF8, "a string is not UTF-8", "send bytes as a byte string")
	}
	return s, err
}

// Value counts a value; at is where it begins.
func (d *Decoder) Value(at int) error {
	if d.values--; d.values < 0 {
		return d.Fail(at, "too_many_values", wire.ErrLimit, "the document has more values than the limit", "raise Limits.Values")
	}
	return nil
}

// Enter begins an array or an object of n children, each of which takes at
// least that many bytes. Leave ends it.
func (d *Decoder) Enter(at int, n uint64, bytes int) error {
	if d.depth--; d.depth < 0 {
		return d.Fail(at, "too_deep", wire.ErrLimit, "arrays and objects are nested deeper than the limit", "raise Limits.Depth")
	}
	// Every child of the document has a byte of its own, so what all heads declare
	// together is no more than the document has.
	if n > uint64((len(d.Src)-d.At)/bytes) || int(n)*bytes > len(d.Src)-d.claimed {
		return d.Cut()
	}
	d.claimed += int(n) * bytes
	if n > uint64(max(d.values, 0)) {
		return d.Fail(at, "too_many_values", wire.ErrLimit, "the document has more values than the limit", "raise Limits.Values")
	}
	return nil
}

// Leave ends an array or an object.
func (d *Decoder) Leave() { d.depth++ }

// large is the declared length from which an array has memory of its own, of
// exactly that size: its elements wait on no stack.
const large = 64

// Sized reads the n elements of an array that was entered.
func (d *Decoder) Sized(n uint64, value func() (wire.Value, error)) (wire.Value, error) {
	if n < large {
		return d.Array(Times(n), value)
	}
	elements := make([]wire.Value, n)
	for i := range elements {
		v, err := value()
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
		elements[i] = v
	}
	d.Leave()
	return wire.Array(elements...), nil
}

// part is how many elements of an array without a declared length wait on the
// stack: a longer one grows by parts, not by copies of itself.
const part = 4096

// Array reads the elements of an array that was entered, while more says that
// there is one.
func (d *Decoder) Array(more func(i int) (bool, error), value func() (wire.Value, error)) (wire.Value, error) {
	mark := d.Mark()
	var parts []wire.Value
	for i := 0; ; i++ {
		ok, err := more(i)
		if err == nil && ok {
			if i > 0 && i%part == 0 {
				parts = append(parts, d.Builder.Array(mark))
			}
			var v wire.Value
			if v, err = value(); err == nil {
				d.Push(v)
				continue
			}
		}
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
		d.Leave()
		last := d.Builder.Array(mark)
		if parts == nil {
			return last, nil
		}
		elements := make([]wire.Value, 0, i)
		for _, p := range append(parts, last) {
			elements = slices.AppendSeq(elements, p.Elements())
		}
		return wire.Array(elements...), nil
	}
}

// Map reads the members of an object that was entered, while more says that
// there is one.
func (d *Decoder) Map(more func(i int) (bool, error), key func() (string, error), value func() (wire.Value, error)) (wire.Value, error) {
	o := d.Object()
	for i := 0; ; i++ {
		ok, err := more(i)
		if err != nil {
			return wire.Value{}, err
		}
		if !ok {
			d.Leave()
			if i > 0 {
				return d.EndObject(&o), nil
			}
			if !d.hasEmpty { // one for all: an empty map takes a byte, and an object more
				d.empty, d.hasEmpty = d.EndObject(&o), true
			}
			return d.empty, nil
		}
		at := d.At
		name, err := key()
		if err != nil {
			return wire.Value{}, err
		}
		if !d.Key(&o, name) {
			return wire.Value{}, wire.AtKey(d.Fail(at, "duplicate_key", wire.ErrDuplicateKey, "a map has the key "+strconv.Quote(name)+" twice", ""), name)
		}
		v, err := value()
		if err != nil {
			return wire.Value{}, wire.AtKey(err, name)
		}
		d.Put(&o, v)
	}
}

// Times returns a more for a known number of children.
func Times(n uint64) func(int) (bool, error) {
	return func(i int) (bool, error) { return uint64(i) < n, nil }
}

// An Encoder is the state of an encoder of one value.
type Encoder struct {
	Format string
	Dst    []byte

	max, depth int
}

// NewEncoder returns an encoder that appends to dst.
func NewEncoder(format string, dst []byte, l wire.Limits) *Encoder {
	l = l.Resolved()
	return &Encoder{Format: format, Dst: dst, max: bound.Add(len(dst), l.OutputBytes), depth: l.Depth}
}

// Refuse returns an error of encoding.
func (e *Encoder) Refuse(code string, kind error, message, hint string) error {
	return &wire.Error{Format: e.Format, Code: code, Kind: kind, Message: message, Hint: hint}
}

// Uint appends the last n bytes of a number, the highest first.
func (e *Encoder) Uint(v uint64, n int) {
	for i := n - 1; i >= 0; i-- {
		e.Dst = append(e.Dst, byte(v>>(8*i)))
	}
}

// Width returns how many bytes a number takes, 1, 2, 4 or 8, and how many of these
// steps that is from 1.
func Width(n uint64) (size int, step byte) {
	switch {
	case n <= math.MaxUint8:
		return 1, 0
	case n <= math.MaxUint16:
		return 2, 1
	case n <= math.MaxUint32:
		return 4, 2
	}
	return 8, 3
}

// Fits is an error if the output has grown beyond the limit.
func (e *Encoder) Fits() error {
	if len(e.Dst) > e.max {
		return e.Refuse("output_too_long", wire.ErrLimit, "the document gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

// Done returns what AppendEncode does: dst with the document, or dst and an error.
func (e *Encoder) Done(dst []byte, err error) ([]byte, error) {
	if err == nil {
		err = e.Fits()
	}
	if err != nil {
		return dst, err
	}
	return e.Dst, nil
}

// Children encodes the children of an array or an object with value, and the
// keys with text.
func (e *Encoder) Children(v wire.Value, text func(string) error, value func(wire.Value) error) error {
	if e.depth--; e.depth < 0 {
		return e.Refuse("too_deep", wire.ErrLimit, "arrays and objects are nested deeper than the limit", "raise Limits.Depth")
	}
	for i := range v.Len() {
		var err error
		if v.Kind() == wire.KindObject {
			err = text(v.Key(i))
		}
		if err == nil {
			err = value(v.Index(i))
		}
		if err == nil {
			err = e.Fits()
		}
		if err == nil {
			continue
		}
		if v.Kind() == wire.KindObject {
			return wire.AtKey(err, v.Key(i))
		}
		return wire.AtIndex(err, i)
	}
	e.depth++
	return nil
}

// CheckText refuses what is not UTF-8.
func (e *Encoder) CheckText(s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	return e.Refuse("invalid_utf8", wire.ErrUTF8, "a string is not UTF-8", "make it a byte string")
}
