package gcx

import (
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the zero Codec.
var configurations = []variants.Row{
	{"plain", Codec{Plain: true}},            // the document's bytes and no others
	{"interop", Codec{Interop: true}},        // only what the reference decoders read alike
	{"single", Codec{Single: true}},          // one section, whatever the value
	{"reorder", Codec{Reorder: true}},        // a table whatever the order of members, the fullest columns first
	{"all-strings", Codec{AllStrings: true}}, // cells without a type are strings
	{"lenient", Codec{Lenient: true}},        // counts that are wrong are overlooked
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	c.Limits = wire.Limits{}
	if c.Tool == defaultTool {
		c.Tool = ""
	}
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return c == d.(Codec) })
}
