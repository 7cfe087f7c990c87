package glyph

import (
	"github.com/wirekit/wirekit/internal/codec/gowire"
)

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if c.isDefault() {
		return Marshal(v)
	}
	return gowire.Marshal(c, v)
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error {
	if c.isDefault() {
		return Unmarshal(src, v)
	}
	return gowire.Unmarshal(c, src, v)
}
