package glyph

import (
	"reflect"

	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// configurations are the documented configurations beside the zero Codec.
var configurations = []variants.Row{
	{"canonical", Codec{Profile: ProfileCanonical}},                                      // the document's CanonicalizeLoose
	{"no-tabular", Codec{Profile: ProfileCanonical, NoTabular: true}},                    // its CanonicalizeLooseNoTabular
	{"corpus", Codec{Profile: ProfileCanonical, NoTabular: true, NullStyle: NullSymbol}}, // its golden files
	{"upstream", Codec{Profile: ProfileUpstream}},                                        // the reference since June 2026
	{"exact", Codec{Profile: ProfileExact}},                                              // canonical, of the exact value
	{"commas", Codec{Commas: true}},                                                      // separators for models
	{"keys", Codec{Commas: true, Keys: true}},                                            // and numbers for keys
	{"reorder", Codec{Commas: true, Keys: true, Reorder: true}},                          // and brackets that close together
}

// variant returns the name of the codec's configuration.
func (c Codec) variant() string {
	c.Limits, c.Warn = wire.Limits{}, nil
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return reflect.DeepEqual(c, d) })
}
