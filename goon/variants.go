package goon

import (
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the zero Codec.
var configurations = []variants.Row{
	{"no-truncate", Codec{NoTruncate: true}}, // every text whole
	{"strict", Codec{Strict: true}},          // what servers do against the document is refused
	{"lenient", Codec{Lenient: true}},        // what models do to a text is overlooked
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	if c.writtenVersion() != version || len(c.Expand) > 0 {
		return variants.Custom
	}
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return c.options() == d.(Codec).options() })
}

// options are those that are on or off.
func (c Codec) options() [3]bool { return [...]bool{c.NoTruncate, c.Strict, c.Lenient} }
