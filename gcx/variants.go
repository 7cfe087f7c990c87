package gcx

import (
	"github.com/wirekit/wirekit/internal/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the zero Codec.
var configurations = []variants.Row[Codec]{
	{"plain", Codec{Plain: true}},     // the document's bytes and no others
	{"interop", Codec{Interop: true}}, // only what the reference decoders read alike
	{"single", Codec{Single: true}},   // one section, whatever the value
	{"reorder", Codec{Reorder: true}}, // a table whatever the order of members
	{"text", Codec{Text: true}},       // cells without a type are strings
	{"lenient", Codec{Lenient: true}}, // counts that are wrong are overlooked
}

// Variants returns gcx:plain, gcx:interop, gcx:single, gcx:reorder, gcx:text and
// gcx:lenient, each with the option of that name.
func (Codec) Variants() []wire.Codec { return variants.Codecs(configurations) }

// variant returns the name of the codec's configuration.
func (c Codec) variant() string { return variants.Name(configurations, c, Codec.options) }

// options returns the codec with what makes no variant as in the zero Codec.
func (c Codec) options() Codec {
	c.Limits = wire.Limits{}
	if c.Tool == DefaultTool {
		c.Tool = ""
	}
	return c
}
