package toon

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations beside the default.
var variants = []struct {
	name  string
	codec Codec
}{
	{"tab", Codec{Delimiter: Tab}},
	{"pipe", Codec{Delimiter: Pipe}},
	{"exact", Codec{KeepOrder: true, KeepNumbers: true}},
	{"lenient", Codec{Lenient: true}},
	{"v3", Codec{Legacy: LegacyV3}},
}

// Variants returns the codecs toon:tab, toon:pipe, toon:exact, toon:lenient and
// toon:v3.
func (c Codec) Variants() []wire.Codec {
	list := make([]wire.Codec, len(variants))
	for i, v := range variants {
		list[i] = v.codec
	}
	return list
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	c.Limits = wire.Limits{}
	if c.unit() == defaultIndent {
		c.Indent = 0
	}
	if c == (Codec{}) {
		return ""
	}
	for _, v := range variants {
		if c == v.codec {
			return v.name
		}
	}
	return wire.CustomVariant
}
