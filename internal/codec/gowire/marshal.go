package gowire

import "github.com/wirekit/wirekit/wire"

// Marshal is wire.Marshal for what a codec's own Marshal leaves to Values.
func Marshal(c wire.Codec, v any) ([]byte, error) { return wire.Internal.Marshal(c, v) }

// Unmarshal is wire.Unmarshal for what a codec's own Unmarshal leaves to Values.
func Unmarshal(c wire.Codec, src []byte, v any) error { return wire.Internal.Unmarshal(c, src, v) }
