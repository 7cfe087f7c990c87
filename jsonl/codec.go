package jsonl

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// Codec is JSON Lines as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	RejectDuplicates bool // as in [wire.JSON]
	Limits           wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	info := wire.Info{
		Name:       "jsonl",
		Title:      "JSON Lines",
		Prompt:     "JSON Lines: each line is a value in JSON.",
		MediaType:  "application/jsonl",
		Extensions: []string{".jsonl", ".ndjson"},
		Document:   "jsonlines.org",
		Accepts:    "arrays",
		Loss:       variants.LossKinds,
	}
	if c.RejectDuplicates {
		info.Variant = "strict"
	}
	return info
}

// Sniff reports whether the first two lines of src that are not blank each begin
// with a brace or a bracket, and the first of them is JSON; or else whether all
// lines are JSON, of which the first sniffedLines are looked at. A single line is
// JSON.
func (c Codec) Sniff(src []byte) bool {
	n, before := 0, false // whether the line before begins an object or array
	for ; n < sniffedLines; n++ {
		if src = scan.TrimBOM(bytes.TrimLeft(src, " \t\r\n")); len(src) == 0 {
			break
		}
		container := src[0] == '{' || src[0] == '['
		if n == 1 && container && before {
			return true
		}
		line, rest, _ := bytes.Cut(src, []byte{'\n'})
		if _, err := (wire.JSON{Limits: c.Limits}).Decode(line); err != nil {
			return false
		}
		src, before = rest, container
	}
	return n > 1
}

// sniffedLines is how many lines Sniff looks at.
const sniffedLines = 100

// AppendEncode appends the elements of v, which must be an array.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	return wire.Internal.AppendLines(dst, v, &c.Limits)
}

// Decode returns the array of the values on the lines of src.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	var v wire.Value
	err := c.view(inplace.Owned{}, src, func(lines wire.Value) error { v = lines; return nil })
	return v, err
}

// view calls f with what Decode returns.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	return wire.Internal.ViewLines(to, &c.Limits, c.RejectDuplicates, src, f)
}

// Marshal encodes a Go value, a slice.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src and stores the list into what v points to.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: []wire.Codec{Codec{RejectDuplicates: true}},
	View:     describe.View(Codec.view),
	Locate:   streams{},
	Views:    streams{},
	Lines:    streams{},
	Cut: func(_ wire.Codec, text []byte) (n int, ended bool) {
		if n = bytes.IndexByte(text, '\n') + 1; n == 0 {
			return len(text), false
		}
		return n, true
	},
	Parts: streams{},
})

// streams are what a codec does with streams.
type streams struct{}

func (streams) Locate(_ wire.Codec, src []byte, path []string, key bool) int {
	return wire.Internal.LinesOffset(src, path, key)
}

func (streams) ViewLines(c wire.Codec, to inplace.Target, in *lineio.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		codec := c.(Codec)
		wire.Internal.LineRecords(to, &codec.Limits, codec.RejectDuplicates, in, yield)
	}
}

func (s streams) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		s.ViewLines(c, to, lineio.NewReader(r, c.(Codec).Limits.Resolved().LineBytes))(yield)
	}
}

func (s streams) Split(c wire.Codec, r io.Reader) records.Parts {
	max := c.(Codec).Limits.Resolved().LineBytes
	return records.Cut(lineio.NewParts(nil, r, max, lineio.ByLines), func(part lineio.Part, _ int, yield func(wire.Value, error) bool) {
		in := lineio.NewPartReader(part, max)
		s.ViewLines(c, nil, in)(yield)
		in.Free()
	})
}

// NewRecordWriter returns a writer of one line a record. It takes records of
// any kind; keys may be nil and are not used.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return records.NewWriter(w, &writer{records.Base{Format: "jsonl", Valid: true}, wire.JSON{Limits: c.Limits}})
}

type writer struct {
	records.Base
	codec wire.Codec // JSON
}

// Record implements [records.Form].
func (w *writer) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	line, err := endLine(w.codec.AppendEncode(dst, record))
	return line, true, err
}

// AppendGo implements [records.Form].
func (w *writer) AppendGo(dst []byte, v any) ([]byte, bool, error) {
	line, err := endLine(wire.Internal.AppendMarshal(dst, w.codec, v))
	return line, true, err
}

// Fork implements [records.Forker].
func (w *writer) Fork() records.Form {
	f := *w
	return &f
}

// endLine ends the line of a record, unless it could not be made.
func endLine(line []byte, err error) ([]byte, error) {
	if err == nil {
		return append(line, '\n'), nil
	}
	if e, ok := err.(*wire.Error); ok && e.Format == "json" {
		e.Format = "jsonl"
	}
	return line, err
}

// Records reads one value a line. Limits bound one line each.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return streams{}.ViewRecords(c, inplace.Owned{}, r)
}
