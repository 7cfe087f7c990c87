package csv

import (
	"github.com/wirekit/wirekit/internal/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the default.
var configurations = []variants.Row[Codec]{
	{"tsv", Codec{Comma: '\t'}},
	{"semicolon", Codec{Comma: ';'}},
	{"text", Codec{Text: true}},
}

// Variants returns csv:tsv, with tabs, csv:semicolon, and csv:text, whose cells
// are strings.
func (Codec) Variants() []wire.Codec { return variants.Codecs(configurations) }

func (c Codec) variant() string { return variants.Name(configurations, c, Codec.options) }

// options returns the codec with what makes no variant as in the zero Codec.
func (c Codec) options() Codec {
	c.Limits = wire.Limits{}
	if c.Comma == ',' {
		c.Comma = 0
	}
	return c
}
