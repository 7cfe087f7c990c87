package bcp

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations beside the zero Codec.
var variants = []struct {
	name  string
	codec Codec
}{
	{"zstd", Codec{Compress: true}},
	{"bcp", Codec{Magic: BCP}}, // what readers of the crate "bcp" want
	{"bcp-zstd", Codec{Magic: BCP, Compress: true}},
}

// Variants returns bcp:zstd, bcp:bcp and bcp:bcp-zstd.
func (Codec) Variants() []wire.Codec {
	list := make([]wire.Codec, len(variants))
	for i, v := range variants {
		list[i] = v.codec
	}
	return list
}

// variant returns the name of the codec's configuration. Limits make no
// variant; a store does.
func (c Codec) variant() string {
	magic := c.Magic
	if magic == LCP {
		magic = ""
	}
	switch {
	case c.Store != nil:
		return wire.CustomVariant
	case magic == "" && !c.Compress:
		return ""
	}
	for _, v := range variants {
		if magic == v.codec.Magic && c.Compress == v.codec.Compress {
			return v.name
		}
	}
	return wire.CustomVariant
}
