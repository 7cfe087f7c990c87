package glyph

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"sync"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/codec/arrange"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// fault returns an error of the format.
func fault(code string, kind error, message string) *wire.Error {
	return &wire.Error{Format: format, Code: code, Kind: kind, Message: message}
}

// NullStyle says how null is written. All forms are read.
type NullStyle uint8

// The styles of null.
const (
	NullUnderscore NullStyle = iota // _
	NullSymbol                      // ∅
)

var nullStyles = enum.New[NullStyle]("glyph.NullStyle", "underscore", "symbol")

// String returns the style's name in the document: "underscore", "symbol".
func (s NullStyle) String() string { return nullStyles.String(s) }

// MarshalText returns the style's name.
func (s NullStyle) MarshalText() ([]byte, error) { return nullStyles.Marshal(s) }

// UnmarshalText sets the style of that name.
func (s *NullStyle) UnmarshalText(name []byte) error { return nullStyles.Unmarshal(s, name) }

// Codec is GLYPH-Loose as a [wire.Codec]. The zero Codec changes nothing: what
// it writes is read back identical. Decode reads whatever any option writes, and
// any JSON text.
type Codec struct {
	// Profile is the text that a value gets; the document's canonical form is
	// ProfileCanonical.
	Profile   Profile
	NoTabular bool // write no tables
	// NoMissing makes no table of objects whose keys differ.
	NoMissing bool
	MinRows   int // a table has at least as many rows; default 3
	// MaxCols is how many columns a table has at most. The default is 20, the
	// document's, but under ProfileLossless there is no bound.
	MaxCols   int
	NullStyle NullStyle
	// Counts writes rows= and cols= into a table's header, which lets a reader
	// check that it got all rows. ProfileUpstream always does.
	Counts bool
	// Commas writes the separators that take fewer tokens than blanks and equals
	// signs: a comma after a quoted string and before a number, a list, an
	// object or a quoted key, a colon after a quoted key and between a first key
	// and a word, a blank before the words of a table's cells. They are read by
	// this package and by models, but misread by the reference implementation
	// in Go.
	Commas bool
	// Keys writes keys as their numbers in a schema before the value where that
	// takes fewer tokens: those that are long and are in many objects. Schema,
	// if there is one, is used instead.
	Keys bool
	// Reorder puts a member last in objects whose value ends in a quotation mark
	// or a bracket, which takes one token less. They come back in that order.
	Reorder bool
	// Lenient reads a document that is one table also if it is cut off: rows
	// after the last complete one and a missing @end are forgiven, and counts
	// in the header are not checked. Warn gets what was forgiven.
	Lenient bool
	// Warn, if set, gets what Lenient forgives: from Decode the first fault of a
	// document, from Records each. It must be safe for concurrent use if the codec is
	// used so.
	Warn func(*wire.Error)
	// Schema, if not nil, is written inline before the value, whose keys are
	// replaced by their numbers in it; Decode knows it by its id.
	Schema *SchemaContext
	Limits wire.Limits
}

// Info describes the codec. The zero Codec may lose nothing but other formats'
// kinds of scalar; what the other profiles may lose is told at [Profile].
func (c Codec) Info() wire.Info {
	accepts := "any value; times before the year 10000"
	if c.Profile.rounds() {
		accepts = "any value; numbers within a double, times before the year 10000"
	}
	return wire.Info{
		Name:       format,
		Variant:    c.variant(),
		Title:      "GLYPH-Loose",
		Prompt:     "GLYPH: {a=1 b=t} is an object, [1 2] a list, _ is null, t and f are true and false; after \"@tab _ [a b]\" each |1|2| is a record, until @end.",
		MediaType:  "text/vnd.glyph",
		Extensions: []string{".glyph"},
		Document:   "GLYPH-Loose Mode Specification",
		Version:    "1.0.0",
		Accepts:    accepts,
		Loss:       c.loss(),
	}
}

// AppendEncode appends v's text, without a final newline.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if !c.Reorder {
		return c.appendOrdered(dst, v)
	}
	var arranged builder.Builder
	text, err := c.appendOrdered(dst, arrange.ClosedLast(&arranged, v, c.Limits.Resolved().Depth))
	arranged.GiveBack(err)
	return text, err
}

// appendOrdered is AppendEncode for a value whose members have their order.
func (c Codec) appendOrdered(dst []byte, v wire.Value) ([]byte, error) {
	if err := c.check(); err != nil {
		return dst, err
	}
	limits := c.Limits.Resolved()
	e := borrowEncoder(dst, c.settings())
	e.strict, e.maxDepth, e.maxLen = true, limits.Depth, bound.Add(len(dst), limits.OutputBytes)
	e.header(c.Schema)
	e.value(v, 0)
	text, err := e.finish(dst, v)
	shorter := err == nil && c.Keys && c.Schema == nil
	if shorter {
		c.Schema = e.shapes.worthNumbers()
	}
	e.giveBack()
	if shorter && c.Schema != nil {
		return c.appendOrdered(dst, v)
	}
	return text, err
}

// check returns an error for a field outside of its range.
func (c Codec) check() error {
	switch {
	case !profiles.Has(c.Profile):
		return variants.Invalid(format, "Profile", c.Profile, profiles.Names())
	case !nullStyles.Has(c.NullStyle):
		return variants.Invalid(format, "NullStyle", c.NullStyle, nullStyles.Names())
	case c.MinRows < 0:
		return variants.Invalid(format, "MinRows", c.MinRows, "0 or more")
	case c.MaxCols < 0:
		return variants.Invalid(format, "MaxCols", c.MaxCols, "0 or more")
	}
	return nil
}

// Decode reads one value: GLYPH text in any form, with or without a schema
// directive, or JSON text.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	return new(parser).document(c, src)
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: variants.Codecs(configurations),
	BuildsGo: true,
	View:     describe.View(Codec.view),
	Go:       new(goWays),
	Views:    streams{},
	Columns:  inplace.FixedColumns,
	Parts:    streams{},
})

// streams are what a codec does with streams.
type streams struct{}

func (streams) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return c.(Codec).viewRecords(to, r)
}

func (streams) Split(c wire.Codec, r io.Reader) records.Parts {
	return records.Split(splitter{c.(Codec)}, r)
}

// goWays are the direct ways between Go values and text.
type goWays struct{}

func (*goWays) AppendGo(c wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	if variants.IsZero[Codec](c) {
		out, done = appendGo(dst, v)
	}
	return out, done, nil
}

func (*goWays) StoreGo(c wire.Codec, src []byte, v any) (bool, error) {
	return variants.IsZero[Codec](c) && goTexts.Store(src, v), nil
}

// view decodes into memory that is reused.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	p := parsers.Get().(*parser)
	err := p.View(to, func() (wire.Value, error) { return p.document(c, src) }, f)
	p.idle()
	parsers.Put(p)
	return err
}

// maxKeptColumns is the number of columns that an idle parser has room for.
const maxKeptColumns = 256

// idle makes the parser ready for another text.
func (p *parser) idle() {
	columns, gaps := p.columns, p.gaps
	*p = parser{}
	if max(cap(columns), cap(gaps)) <= maxKeptColumns {
		clear(columns[:cap(columns)])
		p.columns, p.gaps = columns[:0], gaps[:0]
	}
}

// parsers are idle, without memory of a text.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// document reads the whole of src.
func (p *parser) document(c Codec, src []byte) (wire.Value, error) {
	if err := p.begin(c, src); err != nil {
		return wire.Value{}, err
	}
	v, d, ok := p.payload(nil, c.schema)
	if ok && !d.valued {
		p.expected(p.end, "a value after the schema directive")
		ok = false
	}
	if !ok {
		return wire.Value{}, p.failure(src)
	}
	if c.Lenient && c.Warn != nil { // of what a strict reader finds
		c.Lenient = false
		var e *wire.Error
		if _, err := c.Decode(src); errors.As(err, &e) {
			c.Warn(e)
		}
	}
	return v, nil
}

// schema finds the codec's own schema by its id.
func (c Codec) schema(id string) *SchemaContext {
	if c.Schema != nil && c.Schema.ID() == id {
		return c.Schema
	}
	return nil
}

// Fingerprint returns the SHA-256 of v's text as the codec writes it, in 64
// hexadecimal digits. Equal values have one fingerprint if the profile is
// sorted; under ProfileLossless the order of members and the spelling of numbers count.
//
// The document's fingerprint is that of [ProfileCanonical]; a patch's base is its first 16
// digits. Values that the canonical form does not tell apart have one: numbers with one
// nearest float64 (9007199254740992 and 9007199254740993), and rows of a table with and
// without a member that is null.
//
// [ProfileExact] with NoTabular tells them apart; it is the one to cache by. Equal values
// have one, however their numbers are spelled, whatever the offset of their times and the
// order of their members; values that differ in any digit, or in a member that is absent
// here and null there, have different ones. Only an id and a string with its text are Equal
// and have two.
func (c Codec) Fingerprint(v wire.Value) (string, error) {
	text, err := c.AppendEncode(nil, v)
	if err != nil {
		return "", err
	}
	return fingerprint(text), nil
}

func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Marshal encodes a Go value without loss, as the zero Codec does: 64-bit
// integers keep their digits, and members the order of the fields. Structs,
// slices and maps of strings, numbers, booleans and times take a shorter way.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the value into what v points to, as
// [wire.ToGo] does. Targets that are zero take a shorter way where Marshal does.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
