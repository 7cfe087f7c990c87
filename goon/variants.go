package goon

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations beside the zero Codec.
var variants = [...]struct {
	name  string
	codec Codec
}{
	{"uncut", Codec{Uncut: true}},     // every text whole
	{"strict", Codec{Strict: true}},   // what servers do against the document is refused
	{"lenient", Codec{Lenient: true}}, // what models do to a text is overlooked
}

// Variants returns goon:uncut, goon:strict and goon:lenient, each with the option
// of that name.
func (c Codec) Variants() []wire.Codec {
	codecs := make([]wire.Codec, len(variants))
	for i, v := range variants {
		codecs[i] = v.codec
	}
	return codecs
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	if c.version() != DefaultVersion || len(c.Expand) > 0 {
		return wire.CustomVariant
	}
	if c.switches() == (Codec{}).switches() {
		return ""
	}
	for _, v := range variants {
		if c.switches() == v.codec.switches() {
			return v.name
		}
	}
	return wire.CustomVariant
}

// switches are the options that are on or off.
func (c Codec) switches() [3]bool { return [...]bool{c.Uncut, c.Strict, c.Lenient} }
