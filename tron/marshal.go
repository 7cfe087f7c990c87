package tron

import "github.com/wirekit/wirekit/internal/codec/gowire"

// Marshal encodes a Go value.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return gowire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return gowire.Unmarshal(c, src, v) }
