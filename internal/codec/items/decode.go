// Package items is what the binary formats of data items share, CBOR and
// MessagePack: values after heads that say what they are and how long.
package items

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A Decoder is the state of a decoder of one document.
type Decoder struct {
	builder.Builder
	Format string
	Src    []byte
	Text   string // Src, copied once; strings point into it
	At     int    // of the next byte

	values, depth int
	warn          func(*wire.Error)
	warned        []*wire.Error
	empty         wire.Value // the empty object, once there is one
	hasEmpty      bool
	claimed       int // children that heads have declared, of all that the bytes can hold
	// like are the keys of the object before, by depth: the rows of a table have the
	// same ones.
	like [8]*wire.Keys
}

// A Reader reads the values and the keys of a format, from the bytes of the Decoder
// that it has.
type Reader interface {
	Item() (wire.Value, error)
	Key() (string, error)
	// Reads reads a key if it is name. It may miss one in another form than the
	// shortest.
	Reads(name string) bool

	decoder() *Decoder
}

func (d *Decoder) decoder() *Decoder { return d }

var _ interface{ decoder() *Decoder } = (*Decoder)(nil) // formats embed a Decoder

// begin checks the document's length and makes d, whose Builder may have borrowed,
// ready to read its item.
func (d *Decoder) begin(k *Kit, src []byte, o Options) error {
	l := o.Limits.Resolved()
	d.Format, d.Src, d.values, d.depth, d.warn = k.format, src, l.Values, l.Depth, o.Warn
	if len(src) > l.InputBytes {
		return d.Fail(l.InputBytes, wire.CodeInputTooLong, wire.ErrLimit, "the document is longer than the limit", "raise Limits.InputBytes")
	}
	d.Text = d.Copy(src, "")
	if strings.HasPrefix(d.Text, k.mark) {
		d.At = len(k.mark)
	}
	return nil
}

// Fail returns an error at an offset. A binary document has no lines, so the message
// tells it.
func (d *Decoder) Fail(at int, code string, kind error, message, hint string) error {
	message += " (at byte " + strconv.Itoa(at) + ")"
	return &wire.Error{Format: d.Format, Code: code, Kind: kind, Message: message, Hint: hint, Offset: at}
}

// mostWarned bounds the warnings of a document.
const mostWarned = 64

// Warns reports whether another Warning is wanted.
func (d *Decoder) Warns() bool { return d.warn != nil && len(d.warned) < mostWarned }

// Warning keeps an error, which Fail returned, until the document has been read.
func (d *Decoder) Warning(err error) { d.warned = append(d.warned, err.(*wire.Error)) }

func (d *Decoder) tell() {
	for _, w := range d.warned {
		d.warn(w)
	}
}

// Cut is the error of a document that ends too early.
func (d *Decoder) Cut() error {
	return d.Fail(len(d.Src), wire.CodeUnexpectedEnd, wire.ErrTruncated, "the document ends within an item", "")
}

// Uint reads a big-endian number of so many bytes, 8 at most.
func (d *Decoder) Uint(n int) (uint64, error) {
	v, ok := Uint(d.Src, d.At, n)
	if !ok {
		return 0, d.Cut()
	}
	d.At += n
	return v, nil
}

// Take returns the next n bytes as a part of Text.
func (d *Decoder) Take(n uint64) (string, error) {
	rest := d.Text[d.At:]
	if n > uint64(len(rest)) {
		return "", d.Cut()
	}
	d.At += int(n)
	return rest[:n], nil
}

// String reads n bytes of text.
func (d *Decoder) String(n uint64) (string, error) {
	at := d.At
	s, err := d.Take(n)
	if err == nil && !isASCII(s) && !scan.IsUTF8(d.Src[at:d.At]) {
		err = d.Fail(at, wire.CodeInvalidUTF8, wire.ErrUTF8, "a string is not UTF-8", "send bytes as a byte string")
	}
	return s, err
}

// Follows reports whether the next bytes are head and name, and reads them if so.
func (d *Decoder) Follows(head byte, name string) bool {
	rest := d.Text[d.At:]
	if len(rest) <= len(name) || rest[0] != head || rest[1:1+len(name)] != name {
		return false
	}
	d.At += 1 + len(name)
	return true
}

// Bytes returns the value of bytes that Take returned.
func (d *Decoder) Bytes(s string) wire.Value { return builder.BytesText(s) }

// Float returns the number f, or the error for NaN and the infinities, with that hint.
func (d *Decoder) Float(at int, f float64, hint string) (wire.Value, error) {
	if f-f != 0 {
		return wire.Value{}, d.Fail(at, "not_finite", wire.ErrRange, "NaN and infinities are no numbers of the model", hint)
	}
	return wire.Float(f), nil
}

// Value counts a value; at is where it begins.
func (d *Decoder) Value(at int) error {
	if d.values--; d.values < 0 {
		return d.tooMany(at)
	}
	return nil
}

func (d *Decoder) tooMany(at int) error {
	return d.Fail(at, wire.CodeTooManyValues, wire.ErrLimit, "the document has more values than the limit", "raise Limits.Values")
}

// enter begins an array or an object of n children, each of which takes at
// least that many bytes. leave ends it.
func (d *Decoder) enter(at int, n uint64, bytes int) error {
	if d.depth--; d.depth < 0 {
		return d.Fail(at, wire.CodeTooDeep, wire.ErrLimit, "arrays and objects are nested deeper than the limit", "raise Limits.Depth")
	}
	// Every child of the document has a byte of its own, so what all heads declare
	// together is no more than the document has.
	if n > uint64((len(d.Src)-d.At)/bytes) || int(n)*bytes > len(d.Src)-d.claimed {
		return d.Cut()
	}
	d.claimed += int(n) * bytes
	if n > uint64(max(d.values, 0)) {
		return d.tooMany(at)
	}
	return nil
}

// Inner reads the item that the one at that position is around.
func (d *Decoder) Inner(at int, r Reader) (wire.Value, error) {
	if err := d.enter(at, 1, 1); err != nil {
		return wire.Value{}, err
	}
	v, err := r.Item()
	d.leave()
	return v, err
}

// leave ends an array or an object.
func (d *Decoder) leave() { d.depth++ }

// Array reads the n elements of an array that begins at that position, which has room for
// them at once.
func (d *Decoder) Array(at int, n uint64, r Reader) (wire.Value, error) {
	if err := d.enter(at, n, 1); err != nil {
		return wire.Value{}, err
	}
	if n == 0 {
		d.leave()
		return wire.Array(), nil
	}
	elements := d.Elements(int(n))
	for i := range elements {
		v, err := r.Item()
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
		elements[i] = v
	}
	d.leave()
	return d.ArrayOf(elements), nil
}

// Object reads the n members of an object that begins at that position.
func (d *Decoder) Object(at int, n uint64, r Reader) (wire.Value, error) {
	if err := d.enter(at, n, 2); err != nil {
		return wire.Value{}, err
	}
	if n == 0 {
		return d.emptyObject(), nil
	}
	values := d.Slots(int(n))
	like := &d.like[d.depth%len(d.like)]
	keys, known := *like, 0
	if keys != nil && keys.Len() == int(n) {
		var err error
		if known, err = row(keys, values, r); err != nil {
			return wire.Value{}, err
		}
		if known == len(values) {
			d.leave()
			return d.RowOf(keys, values), nil
		}
	}
	o := d.Builder.Object()
	for i := range known {
		d.Key(&o, keys.At(i))
	}
	for i := known; i < len(values); i++ {
		v, err := d.member(&o, r)
		if err != nil {
			return wire.Value{}, err
		}
		values[i] = v
	}
	d.leave()
	*like = d.KeysSoFar(&o)
	return d.RowOf(*like, values), nil
}

// row reads the members of an object as long as their keys are those, and returns how
// many that were.
func row(keys *wire.Keys, values []wire.Value, r Reader) (n int, err error) {
	for i := range values {
		if !r.Reads(keys.At(i)) {
			return i, nil
		}
		v, err := r.Item()
		if err != nil {
			return i, wire.AtKey(err, keys.At(i))
		}
		values[i] = v
	}
	return len(values), nil
}

// member reads a member and returns its value.
func (d *Decoder) member(o *wire.ObjectBuilder, r Reader) (wire.Value, error) {
	at := d.At
	name, err := r.Key()
	if err != nil {
		return wire.Value{}, err
	}
	if !d.Key(o, name) {
		return wire.Value{}, wire.AtKey(d.Fail(at, wire.CodeDuplicateKey, wire.ErrDuplicateKey, "a map has the key "+strconv.Quote(name)+" twice", ""), name)
	}
	v, err := r.Item()
	if err != nil {
		return wire.Value{}, wire.AtKey(err, name)
	}
	return v, nil
}

// emptyObject ends an object without members. There is one for all of a document: an
// empty map takes a byte, and an object more.
func (d *Decoder) emptyObject() wire.Value {
	d.leave()
	if d.hasEmpty {
		return d.empty
	}
	o := d.Builder.Object()
	v := d.EndObject(&o)
	d.empty, d.hasEmpty = v, !d.MakesGo() // each map of Go's is one of its own
	return v
}
