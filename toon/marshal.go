package toon

import "github.com/wirekit/wirekit/wire"

// Marshal encodes a Go value in canonical form. Structs, slices and maps of
// strings, numbers, booleans and times take a shorter way, with the same bytes.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src, strictly, and stores the value into what v points to, as
// [wire.ToGo] does. Targets that are zero take a shorter way where Marshal does.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
