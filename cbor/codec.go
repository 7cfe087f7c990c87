package cbor

import (
	"bytes"
	"sync"

	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/inplace"
	"github.com/wirekit/wirekit/wire"
)

const format = "cbor"

// Codec is CBOR as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	Limits wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	return wire.Info{
		Name:       format,
		Title:      "Concise Binary Object Representation",
		MediaType:  "application/cbor",
		Extensions: []string{".cbor"},
		Document:   "RFC 8949",
		Version:    "2020",
		Accepts:    "any value whose numbers have at most 9,800 digits and an exponent of 64 bits",
		Binary:     true,
		Loss:       wire.LossNumberText | wire.LossTime | wire.LossTag,
	}
}

// selfDescribed is tag 55799, which begins a document that says of itself that
// it is CBOR (section 3.4.6).
const selfDescribed = "\xd9\xd9\xf7"

// AppendEncode appends v as one item.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.Begin(format, dst, c.Limits)
	dst, err := e.Done(dst, e.Item(v))
	*e = encoder{}
	encoders.Put(e)
	return dst, err
}

// Decode reads one item, which must be all of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	d := decoders.Get().(*decoder)
	d.BorrowTree()
	v, err := d.document(c, src)
	d.giveBack(err)
	return v, err
}

// Internal is for package wire.
func (Codec) Internal() any { return internals{} }

// internals are what package wire calls beside the methods of Codec, see internal/inplace.
type internals struct{ inplace.Of[Codec] }

// With returns the codec with other limits.
func (internals) With(c wire.Codec, l wire.Limits) wire.Codec { d := c.(Codec); d.Limits = l; return d }

// BuildsGo makes package wire ask View for Go values too.
func (internals) BuildsGo() {}

// View decodes into memory that is reused.
func (internals) View(c wire.Codec, to inplace.Target, src []byte, f func(wire.Value) error) error {
	return c.(Codec).view(to, src, f)
}

// view calls f with what Decode returns, in memory that is reused.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	d := decoders.Get().(*decoder)
	d.Borrow(to)
	v, err := d.document(c, src)
	if err == nil {
		err = f(v)
	}
	d.giveBack(err)
	return err
}

// Idle ones have no memory of a document.
var (
	encoders = sync.Pool{New: func() any { return new(encoder) }}
	decoders = sync.Pool{New: func() any { return new(decoder) }}
)

// document reads the whole of src.
func (d *decoder) document(c Codec, src []byte) (wire.Value, error) {
	if err := d.Begin(format, src, c.Limits); err != nil {
		return wire.Value{}, err
	}
	if bytes.HasPrefix(src, []byte(selfDescribed)) {
		d.At = len(selfDescribed)
	}
	v, err := d.Item()
	return d.Done(v, err, "item")
}

// giveBack ends the time of the decoder, and of what it made in borrowed memory.
func (d *decoder) giveBack(err error) {
	d.GiveBack(err)
	*d = decoder{}
	decoders.Put(d)
}

// Marshal encodes a Go value.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return gowire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return gowire.Unmarshal(c, src, v) }
