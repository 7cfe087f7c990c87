package csv

import "github.com/wirekit/wirekit/wire"

// variants are the documented configurations beside the default.
var variants = []struct {
	name  string
	codec Codec
}{
	{"tsv", Codec{Comma: '\t'}},
	{"semicolon", Codec{Comma: ';'}},
	{"text", Codec{Text: true}},
}

// Variants returns csv:tsv, with tabs, csv:semicolon, and csv:text, whose cells
// are strings.
func (c Codec) Variants() []wire.Codec {
	list := make([]wire.Codec, len(variants))
	for i, v := range variants {
		list[i] = v.codec
	}
	return list
}

func (c Codec) variant() string {
	c.Limits = wire.Limits{}
	if c.Comma == ',' {
		c.Comma = 0
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
