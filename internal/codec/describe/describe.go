// Package describe says what codecs can do. Each codec of this module hands over one
// description, and whoever wants to know asks for that.
package describe

import (
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A Codec is the description of a codec.
type Codec = inplace.Description[wire.Codec, wire.Value, wire.Limits]

// Type returns d as that of codecs of type C, for their method Internal.
func Type[C wire.Codec](d Codec) *inplace.Sealed[wire.Codec, wire.Value, wire.Limits] {
	return inplace.Seal[C](d)
}

// Of returns the description of c. That of a codec of another module is empty.
func Of(c wire.Codec) *Codec { return wire.Internal.Describe(inplace.Ours(), c) }
