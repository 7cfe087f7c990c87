package glyph

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations beside the zero Codec.
var variants = []struct {
	name  string
	codec Codec
}{
	{"canonical", Codec{Profile: Canonical}},                                      // the document's CanonicalizeLoose
	{"no-tabular", Codec{Profile: Canonical, NoTabular: true}},                    // its CanonicalizeLooseNoTabular
	{"corpus", Codec{Profile: Canonical, NoTabular: true, NullStyle: NullSymbol}}, // its golden files
	{"upstream", Codec{Profile: Upstream}},                                        // the reference since June 2026
	{"exact", Codec{Profile: Exact}},                                              // canonical, of the exact value
	{"commas", Codec{Commas: true}},                                               // separators for models
	{"keys", Codec{Commas: true, Keys: true}},                                     // and numbers for keys
	{"arranged", Codec{Commas: true, Keys: true, Arrange: true}},                  // and brackets that close together
}

// Variants returns glyph:canonical, glyph:no-tabular, glyph:corpus,
// glyph:upstream, glyph:exact, glyph:commas, glyph:keys and glyph:arranged.
func (Codec) Variants() []wire.Codec {
	list := make([]wire.Codec, len(variants))
	for i, v := range variants {
		list[i] = v.codec
	}
	return list
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	c.Limits = wire.Limits{}
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
