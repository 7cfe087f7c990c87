package bcp

import (
	"cmp"

	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the zero Codec.
var configurations = []variants.Row{
	{"zstd", Codec{Compress: true}},
	{"bcp", Codec{Magic: magicBCP}}, // what readers of the crate "bcp" want
	{"bcp-zstd", Codec{Magic: magicBCP, Compress: true}},
}

// variant returns the name of the codec's configuration. Limits make no
// variant; a store does.
func (c Codec) variant() string {
	if c.Store != nil {
		return variants.Custom
	}
	return variants.Name(configurations, Codec{}, func(other wire.Codec) bool {
		d := other.(Codec)
		return cmp.Or(c.Magic, magicLCP) == cmp.Or(d.Magic, magicLCP) && c.Compress == d.Compress
	})
}
