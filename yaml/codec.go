package yaml

import (
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
	"io"
)

const format = "yaml"

// Codec is YAML as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	// MultiDocument makes each element of an array a document of its own.
	MultiDocument bool
	Limits        wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	info := wire.Info{
		Name:       format,
		Title:      "YAML",
		Prompt:     "YAML.",
		MediaType:  "application/yaml",
		Extensions: extensions,
		Document:   "YAML Ain't Markup Language, core schema",
		Version:    "1.2.2",
		Loss:       variants.LossKinds,
	}
	if c.MultiDocument {
		info.Variant, info.Accepts = "multi-document", "arrays"
	}
	return info
}

var extensions = []string{".yaml", ".yml"}

// AppendEncode appends v as one document, or with MultiDocument its elements as
// one each.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	e := encoder{known: new([flowDepth]labels)}
	limits := c.Limits.Resolved()
	e.Begin(format, dst, &limits)
	write := e.document
	if c.MultiDocument {
		write = e.documents
	}
	text, err := write(dst, v)
	if err == nil && !scan.IsUTF8(text[len(dst):]) {
		err = wire.Internal.InvalidUTF8(v, format)
	}
	if err != nil {
		return dst, err
	}
	return text, nil
}

// Decode reads one document, or with MultiDocument all of a text.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	d := c.decoder(src)
	if c.MultiDocument {
		return d.documents()
	}
	return d.single()
}

func (c Codec) decoder(src []byte) *decoder {
	return &decoder{limits: c.Limits.Resolved(), nodes: nodeLimit(c.Limits, len(src)), text: copyLimit(c.Limits, len(src)), src: src}
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: []wire.Codec{Codec{MultiDocument: true}}, // whose arrays are texts of several documents
	View:     describe.View(Codec.view),
	Go:       direct{},
	Untyped:  true,
	Refusal: func(src []byte) error {
		_, err := sniff(src)
		return err
	},
	Comment: comment,
	Locate:  streams{},
	Cut:     func(_ wire.Codec, text []byte) (n int, ended bool) { return first(text) },
	Parts:   streams{},
})

// streams are what a codec does with streams.
type streams struct{}

func (streams) Locate(c wire.Codec, src []byte, path []string, key bool) int {
	return c.(Codec).locate(src, path, key)
}

func (streams) Split(c wire.Codec, r io.Reader) records.Parts {
	return c.(Codec).split(r)
}

// direct is the direct way from Go values to text; all are read by their Values.
type direct struct{}

func (direct) AppendGo(c wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	if !c.(Codec).MultiDocument {
		out, done = c.(Codec).appendGo(dst, v)
	}
	return out, done, nil
}

func (direct) StoreGo(wire.Codec, []byte, any) (done bool, err error) { return false, nil }

// view calls f with what Decode returns, in memory that is reused. That is all of a JSON
// text, and of others what is not the parser's.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	d := c.decoder(src)
	if !c.MultiDocument && scan.InBrackets(d.src) {
		isJSON := false
		err := wire.Internal.ViewJSON(to, d.strictJSON(), src, func(v wire.Value) error {
			isJSON = true
			return f(v)
		})
		if isJSON {
			return err
		}
	}
	if c.MultiDocument {
		return d.build.View(to, d.documents, f)
	}
	return d.build.View(to, d.parsed, f)
}
