package glyph

import (
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
	return variants.Name(configurations, Codec{}, func(d wire.Codec) bool { return c.options() == d.(Codec).options() })
}

// options are the fields of a Codec but Warn, which has no equality.
type options struct {
	profile                                                            Profile
	noTabular, noMissing, counts, commas, keys, reorder, lenient, warn bool
	minRows, maxCols                                                   int
	null                                                               NullStyle
	schema                                                             *SchemaContext
	limits                                                             wire.Limits
}

func (c Codec) options() options {
	return options{c.Profile, c.NoTabular, c.NoMissing, c.Counts, c.Commas, c.Keys, c.Reorder, c.Lenient, c.Warn != nil,
		c.MinRows, c.MaxCols, c.NullStyle, c.Schema, c.Limits}
}
