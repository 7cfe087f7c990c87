package toon

import (
	"cmp"
	"io"
	"iter"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// format is the codec's name, in errors too.
const format = "toon"

// Codec is TOON as a [wire.Codec]. The zero Codec writes the canonical form of
// version 4.4 and reads strictly.
type Codec struct {
	// Indent is the number of spaces a level, for encoding and decoding, from 1
	// to 64; 0 means 2.
	Indent int
	// Delimiter separates the cells of rows, the elements of arrays in a line and
	// the names of a field list in what is written: ',', '\t' or '|'; 0 means ','.
	// Headers declare theirs, so all are read.
	Delimiter byte
	// Lenient reads with the five recoveries of section 14.4, which the
	// specification calls strict=false.
	Lenient bool
	// KeepOrder writes no table of objects that have their keys in another
	// order than the first one, whose members would come back in that.
	KeepOrder bool
	// KeepNumbers writes numbers as they are spelled: 1.10, 1E5, -0.
	KeepNumbers bool
	// V3 reads documents of version 3 of the specification, which have no comments: a
	// line that begins with # is content.
	V3     bool
	Limits wire.Limits
}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	loss := variants.LossKinds
	if !c.KeepOrder {
		loss |= wire.LossOrder
	}
	if !c.KeepNumbers {
		loss |= wire.LossNumberText
	}
	return wire.Info{
		Name:       format,
		Variant:    c.variant(),
		Title:      "Token-Oriented Object Notation",
		Prompt:     "TOON: indentation nests as in YAML; \"key[N]{a,b}:\" heads N records, of which each line has the values of a and b in that order.",
		MediaType:  "text/toon",
		Extensions: extensions,
		Document:   "TOON Specification",
		Version:    "4.4",
		Loss:       loss,
	}
}

var extensions = []string{".toon"}

const (
	defaultIndent = 2
	maxIndent     = 64
)

// unit returns the number of spaces a level.
func (c Codec) unit() int { return cmp.Or(c.Indent, defaultIndent) }

// delimiter returns what separates cells.
func (c Codec) delimiter() byte { return cmp.Or(c.Delimiter, ',') }

// check returns an error for a field outside of its range.
func (c Codec) check() error {
	switch {
	case c.Indent < 0 || c.Indent > maxIndent:
		return variants.Invalid(format, "Indent", c.Indent, "0 to 64")
	case strings.IndexByte(",\t|", c.delimiter()) < 0:
		return variants.Invalid(format, "Delimiter", strconv.QuoteRune(rune(c.Delimiter)), `',', '\t' or '|'`)
	}
	return nil
}

// AppendEncode appends v's text, without a final newline. The empty object is
// the empty text.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if err := c.check(); err != nil {
		return dst, err
	}
	e := encoders.Get().(*encoder)
	defer e.giveBack()
	e.reset(c, dst, c.Limits.Resolved())
	e.root(v)
	return e.finish(dst, v)
}

// Decode reads one document. A byte order mark at its start is skipped, lines
// may end with CR LF. A document without content is the empty object.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	return new(parser).decode(c, src)
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
	Columns:  inplace.FirstColumns,
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

// goWays are the direct ways of the default configuration.
type goWays struct{}

func (*goWays) AppendGo(c wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	if variants.IsZero[Codec](c) {
		out, done = appendGo(dst, v)
	}
	return out, done, nil
}

func (*goWays) StoreGo(c wire.Codec, src []byte, v any) (done bool, err error) {
	return variants.IsZero[Codec](c) && goTexts.Store(src, v), nil
}

// view calls f with what Decode returns, in memory that is reused.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	p := parsers.Get().(*parser)
	err := p.View(to, func() (wire.Value, error) { return p.decode(c, src) }, f)
	p.forget()
	*p = parser{idle: p.idle}
	parsers.Put(p)
	return err
}

// parsers are idle.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// decode reads the whole of src.
func (p *parser) decode(c Codec, src []byte) (wire.Value, error) {
	if err := p.begin(c, src); err != nil {
		return wire.Value{}, err
	}
	v, ok := p.document()
	if !ok {
		return wire.Value{}, p.failure(src)
	}
	return v, nil
}
