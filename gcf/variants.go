package gcf

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations of [Codec] beside its default.
var variants = []struct {
	name  string
	codec Codec
}{
	{"3.1", Codec{NoFlatten: true, NoKeyedMaps: true}}, // for readers of version 3.1
	{"noflatten", Codec{NoFlatten: true}},              // attachments instead of path columns
	{"reorder", Codec{Reorder: true}},                  // path columns whatever the order of members
	{"arranged", Codec{Arrange: true}},                 // rows that begin with a letter
	{"dense", Codec{Dense: true}},                      // no tables that are mostly empty cells
	{"notrailer", Codec{NoTrailer: true}},              // streams of nested records for the references
	{"strict", Codec{Strict: true}},                    // refuses what may be cut
}

// Variants returns the codec's documented configurations: 3.1 for readers of
// that version (NoFlatten and NoKeyedMaps), noflatten, reorder, arranged, dense,
// notrailer and strict, each with the option of its name.
func (Codec) Variants() []wire.Codec {
	codecs := make([]wire.Codec, len(variants))
	for i, v := range variants {
		codecs[i] = v.codec
	}
	return codecs
}

// variant returns the name of the configuration.
func (c Codec) variant() string {
	if c.sameOptions(Codec{}) {
		return ""
	}
	for _, v := range variants {
		if c.sameOptions(v.codec) {
			return v.name
		}
	}
	return wire.CustomVariant
}

// sameOptions reports whether two codecs write and read alike.
func (c Codec) sameOptions(d Codec) bool {
	return c.NoFlatten == d.NoFlatten && c.NoKeyedMaps == d.NoKeyedMaps && c.Reorder == d.Reorder && c.Arrange == d.Arrange && c.Dense == d.Dense &&
		c.NoTrailer == d.NoTrailer && c.Strict == d.Strict
}

// isDefault reports whether the codec is the zero Codec.
func (c Codec) isDefault() bool {
	return c.sameOptions(Codec{}) && c.Limits == wire.Limits{} && c.Warn == nil
}

// Variants returns the codec's documented configurations: strict, with the
// option of that name.
func (GraphCodec) Variants() []wire.Codec { return []wire.Codec{GraphCodec{Strict: true}} }

// variant returns the name of the configuration.
func (c GraphCodec) variant() string {
	switch {
	case c.Omitted != nil:
		return wire.CustomVariant
	case c.Strict:
		return "strict"
	}
	return ""
}
