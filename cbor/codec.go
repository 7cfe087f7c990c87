package cbor

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

const format = "cbor"

var kit = items.NewKit(format, "item", selfDescribed, short, func() items.Writer { return new(encoder) }, func() items.Reader { return new(decoder) }, headOf)

// Codec is CBOR as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	// Warn, if not nil, is called with the first 64 tags of a document of which only the
	// content is kept, once it has been read; from Records for each item. It must be safe for
	// concurrent use if the codec is used so.
	Warn   func(*wire.Error)
	Limits wire.Limits
}

func (c Codec) options() items.Options { return items.Options{Limits: c.Limits, Warn: c.Warn} }

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

// Sniff reports whether src says of itself that it is CBOR.
func (c Codec) Sniff(src []byte) bool { return bytes.HasPrefix(src, []byte(selfDescribed)) }

// AppendEncode appends v as one item.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	return kit.AppendEncode(dst, v, c.Limits)
}

// Decode reads one item, which must be all of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	return kit.Decode(src, c.options())
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](items.Describe(kit, Codec.options))

// Marshal encodes a Go value.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
