package msgpack

import (
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

const format = "msgpack"

var kit = items.NewKit(format, "value", "", short, func() items.Writer { return new(encoder) }, func() items.Reader { return new(decoder) }, headOf)

// Codec is MessagePack as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	Limits wire.Limits
}

func (c Codec) options() items.Options { return items.Options{Limits: c.Limits} }

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	return wire.Info{
		Name:       format,
		Title:      "MessagePack",
		MediaType:  "application/vnd.msgpack",
		Extensions: []string{".msgpack"},
		Document:   "MessagePack specification",
		Version:    "2.0",
		Accepts:    "any value whose numbers are integers of 64 bits or float64s",
		Binary:     true,
		Loss:       wire.LossNumberText | wire.LossTime | wire.LossTag,
	}
}

// AppendEncode appends v as one value.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	return kit.AppendEncode(dst, v, c.Limits)
}

// Decode reads one value, which must be all of src.
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
