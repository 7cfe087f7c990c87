package toon

import (
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the default.
var configurations = []variants.Row{
	{"tab", Codec{Delimiter: '\t'}},
	{"pipe", Codec{Delimiter: '|'}},
	{"exact", Codec{KeepOrder: true, KeepNumbers: true}},
	{"lenient", Codec{Lenient: true}},
	{"v3", Codec{V3: true}},
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	c.Limits = wire.Limits{}
	if c.unit() == defaultIndent {
		c.Indent = 0
	}
	if c.delimiter() == ',' {
		c.Delimiter = 0
	}
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return c == d.(Codec) })
}
