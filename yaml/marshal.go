package yaml

import (
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

// Marshal encodes a Go value.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// appendGo appends the document of a Go value. It reports false for what it leaves to Values.
func (c Codec) appendGo(dst []byte, v any) ([]byte, bool) {
	limits := c.Limits.Resolved()
	out, ok := goWays.Append(dst, v, &limits)
	return append(out, '\n'), ok && len(out)-len(dst) < limits.OutputBytes && scan.IsUTF8(out[len(dst):])
}

var goWays = items.NewGoWays(format, items.Short{}, func() items.Writer { return new(encoder) })

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
