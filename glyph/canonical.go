package glyph

import "github.com/wirekit/wirekit/wire"

// LooseCanonOpts are the options that the document names ("Options Reference").
// [Codec] has these and more.
type LooseCanonOpts struct {
	AutoTabular    bool // write lists of records as tables
	MinRows        int  // 0 means 3
	MaxCols        int  // 0 means 20
	AllowMissing   bool // make tables of rows with missing keys
	NullStyle      NullStyle
	SchemaRef      string   // id of the @schema header; "" with a KeyDict means the hash of its keys
	KeyDict        []string // the schema's keys
	UseCompactKeys bool     // write #N for the keys in KeyDict
}

// DefaultLooseCanonOpts returns the document's defaults.
func DefaultLooseCanonOpts() LooseCanonOpts {
	return LooseCanonOpts{AutoTabular: true, MinRows: defaultMinRows, MaxCols: defaultMaxCols, AllowMissing: true}
}

// SchemaLooseCanonOpts returns the defaults with compact keys of the schema.
func SchemaLooseCanonOpts(schema *SchemaContext) LooseCanonOpts {
	o := DefaultLooseCanonOpts()
	o.SchemaRef, o.KeyDict, o.UseCompactKeys = schema.ID(), schema.Keys(), true
	return o
}

// schema returns the schema that the options describe; nil if none.
func (o LooseCanonOpts) schema() *SchemaContext {
	switch {
	case o.SchemaRef != "":
		return NewSchemaContextWithID(o.SchemaRef, o.KeyDict)
	case len(o.KeyDict) > 0:
		return NewSchemaContext(o.KeyDict)
	}
	return nil
}

func (o LooseCanonOpts) codec(schema *SchemaContext) Codec {
	c := Codec{Profile: ProfileCanonical, NoTabular: !o.AutoTabular, NoMissing: !o.AllowMissing,
		MinRows: o.MinRows, MaxCols: o.MaxCols, NullStyle: o.NullStyle}
	if o.UseCompactKeys {
		c.Schema = schema
	}
	return c
}

// CanonicalizeLoose returns v's canonical text.
//
// It and its siblings cannot fail: a string that is not valid UTF-8 is written
// with the bytes it has, a number beyond float64's range as it is spelled, a
// year of five digits with all of them, and nesting is not limited.
// [Codec.AppendEncode] refuses these.
func CanonicalizeLoose(v wire.Value) string {
	return canonicalize(v, Codec{Profile: ProfileCanonical}, nil, false)
}

// CanonicalizeLooseNoTabular returns v's canonical text without tables.
func CanonicalizeLooseNoTabular(v wire.Value) string {
	return canonicalize(v, Codec{Profile: ProfileCanonical, NoTabular: true}, nil, false)
}

// CanonicalizeLooseWithOpts returns v's canonical text with the options, and
// without a schema header: a reader must have the schema active to understand
// compact keys.
func CanonicalizeLooseWithOpts(v wire.Value, opts LooseCanonOpts) string {
	return canonicalize(v, opts.codec(opts.schema()), nil, false)
}

// CanonicalizeLooseWithSchema returns the schema header that the options
// describe, if any, and v's canonical text on the line after it. A receiver that has the schema
// needs no list of its keys: "@schema#", the id, and the text of [CanonicalizeLooseWithOpts].
func CanonicalizeLooseWithSchema(v wire.Value, opts LooseCanonOpts) string {
	schema := opts.schema()
	return canonicalize(v, opts.codec(schema), schema, len(opts.KeyDict) > 0)
}

func canonicalize(v wire.Value, c Codec, header *SchemaContext, keys bool) string {
	e := borrowEncoder(nil, c.settings())
	defer e.giveBack()
	if header != nil {
		e.dst = append(header.appendDirective(e.dst, keys, false), '\n')
	}
	e.value(v, 0)
	return string(e.dst)
}

// fingerprintExact is the SHA-256 of v's text by exactText, in 64 hexadecimal digits.
func fingerprintExact(v wire.Value) string {
	return fingerprint([]byte(canonicalize(v, exactText, nil, false)))
}

// exactText is the codec whose text fingerprintExact is of.
var exactText = Codec{Profile: ProfileExact, NoTabular: true}
