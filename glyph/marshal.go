package glyph

import (
	"github.com/wirekit/wirekit/internal/gowire"
)

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if c.isDefault() {
		return Marshal(v)
	}
	return gowire.Marshal(c, v)
}

// AppendMarshal is [AppendMarshal] for the codec as it is configured.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if c.isDefault() {
		if out, ok := appendGo(dst, v); ok {
			return out, nil
		}
	}
	return gowire.AppendMarshal(dst, c, v)
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error {
	if c.isDefault() {
		return Unmarshal(src, v)
	}
	return gowire.Unmarshal(c, src, v)
}
