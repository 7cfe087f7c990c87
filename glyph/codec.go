package glyph

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/wire"
)

// NullStyle says how null is written. All forms are read.
type NullStyle uint8

// The styles of null.
const (
	NullUnderscore NullStyle = iota // _
	NullSymbol                      // ∅
)

// NumberStyle says how numbers are written.
type NumberStyle uint8

// The styles of numbers. Only the first is the document's canonical form.
const (
	// NumbersFloat64 writes a number as the document does: whole numbers within
	// ±(2^53-1) as digits, all others as the shortest text of the nearest
	// float64. A number beyond float64's range is an error.
	NumbersFloat64 NumberStyle = iota
	// NumbersExact keeps every number's value: whole numbers that are spelled
	// with digits alone keep them, and a number whose nearest float64 is
	// another number keeps its spelling.
	NumbersExact
	// NumbersAsSpelled writes every number as it is spelled.
	NumbersAsSpelled
)

// MissingStyle says what becomes of a key that some rows of a table lack.
type MissingStyle uint8

// The styles of missing keys.
const (
	// MissingNull writes null, so that absent and null look alike.
	MissingNull MissingStyle = iota
	// MissingEmpty writes an empty cell. This package reads it back as an
	// absent key, the reference implementations as null.
	MissingEmpty
	// MissingList makes no table of objects whose keys differ.
	MissingList
)

// Codec is GLYPH-Loose as a [wire.Codec]. The zero Codec writes the document's
// canonical form. Decode reads whatever any option writes, and any JSON text.
type Codec struct {
	NoTabular bool         // write no tables
	MinRows   int          // a table has at least as many rows; default 3
	MaxCols   int          // a table has at most as many columns; default 20
	Missing   MissingStyle // keys that some rows lack
	NullStyle NullStyle
	Numbers   NumberStyle
	// Counts writes rows= and cols= into a table's header, which lets a reader
	// check that it got all rows.
	Counts bool
	// Upstream writes what the reference implementation does since June 2026:
	// bare words of ASCII letters, digits and "_" only, more reserved words,
	// exponents from 1e+06 on for numbers that are not whole, and Counts.
	Upstream bool
	// Lenient reads a document that is one table also if it is cut off: rows
	// after the last complete one and a missing @end are forgiven, and counts
	// in the header are not checked. TableReader tells what was forgiven.
	Lenient bool
	// Schema, if not nil, is written inline before the value, whose keys are
	// replaced by their numbers in it; Decode knows it by its id.
	Schema *SchemaContext
	Limits wire.Limits
}

// Lossless returns the codec that keeps everything but the order of members:
// numbers as they are spelled and absent keys absent.
func Lossless() Codec { return Codec{Numbers: NumbersAsSpelled, Missing: MissingEmpty} }

// Corpus returns the codec whose output the golden files of the document's test
// corpus hold: no tables, and ∅ for null.
func Corpus() Codec { return Codec{NoTabular: true, NullStyle: NullSymbol} }

// Info describes the codec. Members come back in canonical order, and only
// GLYPH's own tag survives; the other losses depend on Numbers and Missing.
func (c Codec) Info() wire.Info {
	loss := wire.LossOrder | wire.LossTag
	accepts := "any value; times before the year 10000"
	switch c.Numbers {
	case NumbersFloat64:
		accepts = "any value; numbers within a double, times before the year 10000"
		loss |= wire.LossNumberText | wire.LossPrecision
	case NumbersExact:
		loss |= wire.LossNumberText
	}
	if c.Missing == MissingNull && !c.NoTabular {
		loss |= wire.LossMissing
	}
	return wire.Info{
		Name:       format,
		Title:      "GLYPH-Loose",
		MediaType:  "text/vnd.glyph",
		Extensions: []string{".glyph"},
		Document:   "GLYPH-Loose Mode Specification",
		Version:    "1.0.0",
		Accepts:    accepts,
		Loss:       loss,
	}
}

// WithLimits returns the codec with other limits.
func (c Codec) WithLimits(l wire.Limits) wire.Codec { c.Limits = l; return c }

// AppendEncode appends v's canonical text, without a final newline.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	limits := c.Limits.Resolved()
	e := borrowEncoder(dst, c.settings())
	defer e.giveBack()
	e.strict, e.maxDepth, e.maxLen = true, limits.Depth, bound.Add(len(dst), limits.OutputBytes)
	e.header(c.Schema)
	e.value(v, 0)
	return e.finish(dst, v)
}

// Decode reads one value: GLYPH text in any form, with or without a schema
// directive, or JSON text.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	p, err := c.parser(src)
	if err != nil {
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
	return v, nil
}

// schema finds the codec's own schema by its id.
func (c Codec) schema(id string) *SchemaContext {
	if c.Schema != nil && c.Schema.ID() == id {
		return c.Schema
	}
	return nil
}

// Fingerprint returns the SHA-256 of v's canonical text as the codec writes it,
// in 64 hexadecimal digits.
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

// Marshal encodes a Go value in canonical form.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the value into what v points to.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }
