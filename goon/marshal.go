package goon

import (
	"github.com/wirekit/wirekit/wire"
)

// Marshal returns the GOON text of v: a Response, or a Go value whose JSON
// form is that of a response.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal reads a GOON text into what v points to: a Response, or a Go value
// that the response's JSON form fits.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
