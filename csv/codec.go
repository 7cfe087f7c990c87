package csv

import (
	"cmp"
	"io"
	"strconv"
	"sync"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

const format = "csv"

// Codec is CSV as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	// Comma parts the cells; 0 means ','. It is an ASCII character that is no
	// letter, digit, quotation mark, line end, or one of + - .
	Comma byte
	// AllStrings takes every cell for the string it is, an empty one for the empty
	// string. Such tables have strings only, and no absent members.
	AllStrings bool
	Limits     wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	info := wire.Info{
		Name:       format,
		Variant:    c.variant(),
		Title:      "Comma-separated values",
		Prompt:     "CSV: the first line has the names of the columns, each further line is a record.",
		MediaType:  "text/csv",
		Extensions: csvExtensions,
		Document:   "RFC 4180",
		Version:    "2005",
		Accepts:    "arrays of objects whose members are scalars",
		Loss:       wire.LossOrder | variants.LossKinds,
	}
	if c.Comma == '\t' {
		info.Title = "Tab-separated values"
		info.MediaType, info.Extensions = "text/tab-separated-values", tsvExtensions
	}
	if c.AllStrings {
		info.Accepts = "arrays of objects of the same members, all strings"
	}
	return info
}

var (
	csvExtensions = []string{".csv"}
	tsvExtensions = []string{".tsv", ".tab"}
)

func (c Codec) comma() (byte, error) {
	switch b := c.Comma; {
	case b == 0:
		return ',', nil
	case b == '\t' || b > ' ' && b < 0x7f && b != '"' && b != '+' && b != '-' && b != '.' && !scan.IsDigit(b) && !scan.IsLetter(b):
		return b, nil
	}
	return 0, variants.Invalid(format, "Comma", strconv.QuoteRune(rune(c.Comma)), "a punctuation mark or a tab")
}

// AppendEncode appends the table. Tables that are nearly empty, with fewer
// than one cell in 64, are refused with an error that wraps wire.ErrLimit.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	comma, err := c.comma()
	if err != nil {
		return dst, err
	}
	e := encoders.Get().(*encoder)
	*e = *c.encoder(comma, nil)
	text, err := columns.AppendEncode(dst, v, e)
	*e = encoder{}
	encoders.Put(e)
	return text, err
}

// encoders are idle and empty.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// Decode reads one table. The value's strings point into one copy of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	var v wire.Value
	err := c.view(inplace.Owned{}, src, func(table wire.Value) error { v = table; return nil })
	return v, err
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: variants.Codecs(configurations),
	BuildsGo: true,
	View:     describe.View(Codec.view),
	Go:       new(goWays),
	Untyped:  true,
	Cells:    true,
	Views:    streams{},
	Columns:  inplace.FixedColumns,
	Cut: func(c wire.Codec, text []byte) (n int, ended bool) {
		return lineio.Table{Comma: cmp.Or(c.(Codec).Comma, ',')}.First(text)
	},
	Parts: streams{},
})

// streams are what a codec does with streams.
type streams struct{}

func (streams) Split(c wire.Codec, r io.Reader) records.Parts {
	return records.Split(&splitter{Codec: c.(Codec)}, r)
}

// goWays are the direct ways between Go values and text.
type goWays struct{}

// view decodes into memory that is reused.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	return c.useDecoder(to, func(d *decoder) error {
		if err := d.Begin(src); err != nil {
			return err
		}
		v, err := d.Document(d)
		if err != nil {
			return err
		}
		return f(v)
	})
}

// Marshal encodes a Go value, a slice of structs or maps.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the rows into what v points to.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
