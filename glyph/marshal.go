package glyph

import (
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/wire"
)

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if c.isDefault() {
		return Marshal(v)
	}
	return gowire.Marshal(c, v)
}

// AppendGo is for package wire.
func (internals) AppendGo(codec wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	if c := codec.(Codec); c.isDefault() {
		out, done = appendGo(dst, v)
	}
	return out, done, nil
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error {
	if c.isDefault() {
		return Unmarshal(src, v)
	}
	return gowire.Unmarshal(c, src, v)
}
