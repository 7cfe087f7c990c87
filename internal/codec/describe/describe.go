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

// All returns the codecs in a registry's order, each followed by its variants.
func All(r *wire.Registry) (all []wire.Codec) {
	for _, c := range r.Codecs() {
		all = append(append(all, c), Of(c).Variants...)
	}
	return all
}

// Names returns the names of a registry's formats.
func Names(r *wire.Registry) (names []string) {
	for _, c := range r.Codecs() {
		names = append(names, c.Info().Name)
	}
	return names
}

// View returns the field View for the method of a codec.
func View[C wire.Codec](view func(C, inplace.Target, []byte, func(wire.Value) error) error) func(wire.Codec, inplace.Target, []byte, func(wire.Value) error) error {
	return func(c wire.Codec, to inplace.Target, src []byte, f func(wire.Value) error) error {
		return view(c.(C), to, src, f)
	}
}
