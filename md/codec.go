package md

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/inplace"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/internal/variants"
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

var _ interface {
	wire.Sniffer
	wire.Varied
	wire.Limiter
} = Codec{}

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
		Loss:       wire.LossOrder | wire.LossKinds,
	}
	if c.KV {
		info.Prompt = "Markdown: each numbered heading is a record, whose members follow as a list of keys and values."
		info.Variant, info.Accepts, info.Loss = "kv", "arrays of objects, and objects", wire.LossKinds
	}
	return info
}

var extensions = []string{".md", ".markdown"}

// WithLimits returns the codec with other limits.
func (c Codec) WithLimits(l wire.Limits) wire.Codec { c.Limits = l; return c }

// Variants returns md:kv, headings and lists of keys and values.
func (Codec) Variants() []wire.Codec {
	return variants.Codecs([]variants.Row{{Name: "kv", Codec: Codec{KV: true}}})
}

// AppendEncode appends v as a table or, with KV, as records. Tables that are nearly
// empty, with fewer than one cell in 64, are refused with an error that wraps
// wire.ErrLimit.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	limits := c.Limits.Resolved()
	e := encoder{dst: dst, max: bound.Add(len(dst), limits.OutputBytes), limits: limits}
	var err error
	if c.KV {
		err = e.records(v)
	} else {
		err = e.table(v)
	}
	if e.layout != nil {
		e.layout.GiveBack()
	}
	if err == nil && !scan.IsUTF8(e.dst[len(dst):]) {
		err = wire.InvalidUTF8(v, format)
	}
	if err != nil {
		return dst, err
	}
	return e.dst, nil
}

// Decode reads a table or records. The value's strings point into one copy of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	d := decoder{limits: c.Limits.Resolved(), src: src}
	return d.document()
}

// Internal is for package wire.
func (Codec) Internal() any { return internals{} }

// internals are what package wire calls beside the methods of Codec, see internal/inplace.
type internals struct{ inplace.Of[Codec] }

// View decodes into memory that is reused.
func (internals) View(c wire.Codec, m *wire.Memory, src []byte, f func(wire.Value) error) error {
	return c.(Codec).view(m, src, f)
}

// view calls f with what Decode returns, in memory that is reused.
func (c Codec) view(m *wire.Memory, src []byte, f func(wire.Value) error) error {
	d := decoder{limits: c.Limits.Resolved(), src: src}
	d.build.Borrow(m)
	v, err := d.document()
	if err == nil {
		err = f(v)
	}
	d.build.GiveBack(err)
	return err
}

// Sniff reports whether every line of src belongs to one table, or to numbered records.
// A table with other text around it is not claimed.
func (c Codec) Sniff(src []byte) bool {
	src = bytes.TrimLeft(scan.TrimBOM(src), "\r\n")
	first, rest, _ := bytes.Cut(src, []byte{'\n'})
	first = bytes.TrimRight(first, " \t\r")
	starts := []string{"## ", "- "}
	switch string(first) {
	case "## 1", "## record":
	default:
		delimiter, after, _ := bytes.Cut(rest, []byte{'\n'})
		head := src[:len(src)-len(after)]
		if !bytes.HasPrefix(first, []byte{'|'}) || !bytes.HasPrefix(delimiter, []byte{'|'}) {
			return false
		}
		if _, err := (Codec{}).Decode(head); err != nil {
			return false
		}
		starts, rest = []string{"|"}, after
	}
	for line := range bytes.Lines(rest) {
		begun := len(bytes.TrimRight(line, "\r\n")) == 0
		for _, start := range starts {
			begun = begun || len(line) < len(start) || string(line[:len(start)]) == start
		}
		if !begun {
			return false
		}
	}
	return true
}

// Marshal encodes a Go value, a slice of structs or maps.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal decodes src and stores the rows into what v points to.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// AppendMarshal is [Marshal] for a text that is appended to dst. On error it returns dst
// as it was given.
func AppendMarshal(dst []byte, v any) ([]byte, error) { return Codec{}.AppendMarshal(dst, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return gowire.Marshal(c, v) }

// AppendMarshal is [AppendMarshal] for the codec as it is configured.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	return gowire.AppendMarshal(dst, c, v)
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return gowire.Unmarshal(c, src, v) }
