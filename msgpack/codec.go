package msgpack

import (
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/items"
	"github.com/wirekit/wirekit/wire"
)

const format = "msgpack"

// Codec is MessagePack as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	Limits wire.Limits
}

var _ wire.Limiter = Codec{}

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

// WithLimits returns the codec with other limits.
func (c Codec) WithLimits(l wire.Limits) wire.Codec { c.Limits = l; return c }

// AppendEncode appends v as one value.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	e := encoder{items.NewEncoder(format, dst, c.Limits)}
	return e.Done(dst, e.value(v))
}

// Decode reads one value, which must be all of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	var d decoder
	if err := d.Begin(format, src, c.Limits); err != nil {
		return wire.Value{}, err
	}
	v, err := d.value()
	return d.Done(v, err, "value")
}

// Marshal encodes a Go value.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// AppendMarshal is [Marshal] for a document that is appended to dst. On error it
// returns dst as it was given.
func AppendMarshal(dst []byte, v any) ([]byte, error) { return Codec{}.AppendMarshal(dst, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return gowire.Marshal(c, v) }

// AppendMarshal is [AppendMarshal] for the codec as it is configured.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	return gowire.AppendMarshal(dst, c, v)
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
