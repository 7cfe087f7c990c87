package yaml

import (
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// Marshal encodes a Go value.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if !c.MultiDocument {
		if text, ok := outputs.Write(v, func(dst []byte) ([]byte, bool) { return c.appendGo(dst, v) }); ok {
			return text, nil
		}
	}
	return gowire.Marshal(c, v)
}

// appendGo appends the document of a Go value. It reports false for what it leaves to Values.
func (c Codec) appendGo(dst []byte, v any) ([]byte, bool) {
	out, ok := goWays.Append(dst, v, c.Limits)
	return append(out, '\n'), ok && len(out)-len(dst) < c.Limits.Resolved().OutputBytes && scan.IsUTF8(out[len(dst):])
}

var (
	goWays  = items.NewGoWays(format, func() items.Writer { return new(encoder) })
	outputs gotext.Outputs
)

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return gowire.Unmarshal(c, src, v) }
