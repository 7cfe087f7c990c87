package gcx

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations beside the zero Codec.
var variants = [...]struct {
	name  string
	codec Codec
}{
	{"plain", Codec{Plain: true}},      // the document's bytes and no others
	{"interop", Codec{Interop: true}},  // only what the reference decoders read alike
	{"single", Codec{Single: true}},    // one section, whatever the value
	{"reorder", Codec{Reorder: true}},  // a table whatever the order of members
	{"arranged", Codec{Arrange: true}}, // the fullest columns first
	{"text", Codec{Text: true}},        // cells without a type are strings
	{"lenient", Codec{Lenient: true}},  // counts that are wrong are overlooked
}

// Variants returns gcx:plain, gcx:interop, gcx:single, gcx:reorder, gcx:arranged,
// gcx:text and gcx:lenient, each with the option of that name.
func (c Codec) Variants() []wire.Codec {
	codecs := make([]wire.Codec, len(variants))
	for i, v := range variants {
		codecs[i] = v.codec
	}
	return codecs
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	c.Limits = wire.Limits{}
	if c.Tool == DefaultTool {
		c.Tool = ""
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
