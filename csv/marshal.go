package csv

import (
	"github.com/wirekit/wirekit/internal/codec/gowire"
)

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if text, ok := c.marshalRows(v); ok {
		return text, nil
	}
	return gowire.Marshal(c, v)
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error {
	if c.unmarshalRows(src, v) {
		return nil
	}
	return gowire.Unmarshal(c, src, v)
}
