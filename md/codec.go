package md

import (
	"bytes"
	"slices"
	"sync"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

const format = "md"

// Codec is Markdown as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	// KV writes records as headings and lists of keys and values, not as a table.
	// Both are read in any case.
	KV     bool
	Limits wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	info := wire.Info{
		Name:       format,
		Title:      "Markdown",
		Prompt:     "Markdown: a table has a record in each row, and a cell in quotation marks is a string.",
		MediaType:  "text/markdown",
		Extensions: extensions,
		Document:   "GitHub Flavored Markdown",
		Version:    "0.29",
		Accepts:    "arrays of objects whose members are scalars",
		Loss:       wire.LossOrder | variants.LossKinds,
	}
	if c.KV {
		info.Prompt = "Markdown: each numbered heading is a record, whose members follow as a list of keys and values."
		info.Variant, info.Accepts, info.Loss = "kv", "arrays of objects, and objects", variants.LossKinds
	}
	return info
}

var extensions = []string{".md", ".markdown"}

// AppendEncode appends v as a table or, with KV, as records. Tables that are nearly
// empty, with fewer than one cell in 64, are refused with an error that wraps
// wire.ErrLimit.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	e := encoders.Get().(*encoder)
	*e = *c.encoder(nil)
	e.lone = v.Kind() != wire.KindArray
	text, err := columns.AppendEncode(dst, v, e)
	*e = encoder{}
	encoders.Put(e)
	return text, err
}

// encoders are idle and empty.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// Decode reads a table or records. The value's strings point into one copy of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	d := c.decoder()
	return d.document(src)
}

// Internal is for package wire.
func (c Codec) Internal() any {
	if c.KV {
		return withRecords
	}
	return withTables
}

// withTables and withRecords are what package wire can ask of a Codec beside its methods.
var withTables, withRecords = description(inplace.FixedColumns), description(inplace.NoColumns)

func description(columns inplace.Columns) any {
	return describe.Type[Codec](describe.Codec{
		Variants: []wire.Codec{Codec{KV: true}}, // headings and lists of keys and values
		View: func(c wire.Codec, to inplace.Target, src []byte, f func(wire.Value) error) error {
			d := c.(Codec).decoder()
			return d.Build.View(to, func() (wire.Value, error) { return d.document(src) }, f)
		},
		Columns: columns,
	})
}

// Sniff reports whether every line of src belongs to one table, or to numbered records.
// A table with other text around it is not claimed.
func (c Codec) Sniff(src []byte) bool {
	src = bytes.TrimLeft(scan.TrimBOM(src), "\r\n")
	first, rest, _ := bytes.Cut(src, []byte{'\n'})
	first = bytes.TrimRight(first, " \t\r")
	starts := []string{"## ", "- "}
	if string(first) != "## 1" && string(first) != "## record" {
		starts = []string{"|"}
		delimiter, _, _ := bytes.Cut(rest, []byte{'\n'})
		head := src[:min(len(src), len(first)+1+len(delimiter))]
		if _, err := (Codec{}).Decode(head); err != nil || !bytes.HasPrefix(src, []byte{'|'}) {
			return false
		}
	}
	for line := range bytes.Lines(rest) {
		line = bytes.TrimRight(line, "\r\n")
		if !slices.ContainsFunc(starts, func(start string) bool {
			return len(line) < len(start) || string(line[:len(start)]) == start
		}) {
			return false
		}
	}
	return true
}

// Marshal encodes a Go value, a slice of structs or maps.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the rows into what v points to.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }
