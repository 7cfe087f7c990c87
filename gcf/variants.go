package gcf

import (
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations of [Codec] beside its default.
var configurations = []variants.Row{
	{"3.1", Codec{NoFlatten: true, NoKeyedMaps: true}}, // for readers of version 3.1
	{"no-flatten", Codec{NoFlatten: true}},             // attachments instead of path columns
	{"reorder", Codec{Reorder: true}},                  // rows that begin with a letter
	{"reorder-nested", Codec{ReorderNested: true}},     // path columns whatever the order of members
	{"dense", Codec{Dense: true}},                      // no tables that are mostly empty cells
	{"no-trailer", Codec{NoTrailer: true}},             // streams of nested records for the references
	{"strict", Codec{Strict: true}},                    // refuses what may be cut
}

// variant returns the name of the configuration.
func (c Codec) variant() string {
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return c.options() == d.(Codec).options() })
}

// options are those by which codecs write and read in other ways.
func (c Codec) options() [7]bool {
	return [...]bool{c.NoFlatten, c.NoKeyedMaps, c.ReorderNested, c.Reorder, c.Dense, c.NoTrailer, c.Strict}
}

// variant returns the name of the configuration.
func (c GraphCodec) variant() string {
	switch {
	case c.Omitted != nil, c.LabeledCounts, c.NoTrailer:
		return variants.Custom
	case c.Strict:
		return "strict"
	}
	return ""
}
