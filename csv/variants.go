package csv

import (
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the default.
var configurations = []variants.Row{
	{"tsv", Codec{Comma: '\t'}},
	{"semicolon", Codec{Comma: ';'}},
	{"all-strings", Codec{AllStrings: true}},
}

func (c Codec) variant() string {
	c.Limits = wire.Limits{}
	if c.Comma == ',' {
		c.Comma = 0
	}
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return c == d.(Codec) })
}
