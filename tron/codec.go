package tron

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

const format = "tron"

// Codec is TRON as a [wire.Codec]. It is safe for concurrent use.
type Codec struct {
	Limits wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	return wire.Info{
		Name:       format,
		Title:      "Token Reduced Object Notation",
		Prompt:     `TRON: JSON in which "class A: x,y" names members once and A(1,2) then stands for {"x":1,"y":2}.`,
		MediaType:  "application/tron", // not registered; the specification names none
		Extensions: []string{".tron"},
		Document:   "TRON Specification",
		Version:    "2025-12",
		Loss:       variants.LossKinds,
	}
}

// AppendEncode appends v, which is as JSON where classes would not make it shorter.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	s := idle.Get().(*shapes)
	text, err := s.document(dst, v, &c.Limits)
	s.reset()
	idle.Put(s)
	return text, err
}

// Decode reads one document. The value's strings and numbers point into one copy of src.
func (c Codec) Decode(src []byte) (v wire.Value, err error) {
	err = c.view(inplace.Owned{}, src, func(decoded wire.Value) error { v = decoded; return nil })
	return v, err
}

// Sniff reports whether src begins, after comments, with classes and a value that may have
// instances of them.
func (c Codec) Sniff(src []byte) bool {
	text := scan.TrimBOM(src[:min(len(src), sniffed)])
	start := bytes.TrimLeft(text, "; \t\r\n")
	if !bytes.HasPrefix(start, []byte("class")) && !bytes.HasPrefix(start, []byte("#")) {
		return false
	}
	text, _ = plain(text)
	return wire.Internal.SniffClassed(text)
}

// sniffed is how much Sniff looks at.
const sniffed = 1 << 20

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	BuildsGo: true,
	Columns:  inplace.FirstColumns,
	View:     describe.View(Codec.view),
	Views:    streams{},
})

// view decodes into memory that is reused. A text that could not be read may have comments, or
// lists that end in commas: then it is read again without these.
func (c Codec) view(to inplace.Target, src []byte, f func(wire.Value) error) error {
	text := scan.TrimBOM(src)
	decoded, err := wire.Internal.ViewClassed(to, &c.Limits, src, text, f)
	if err == nil || decoded || len(src) > c.Limits.Resolved().InputBytes {
		return err
	}
	if plain, changed := plain(text); changed {
		_, err = wire.Internal.ViewClassed(to, &c.Limits, src, plain, f)
	}
	return err
}

// isName reports whether a key needs no quotation marks in a class.
func isName(key string) bool {
	for i := range len(key) {
		if c := key[i]; c|0x20-'a' > 'z'-'a' && c != '_' && (i == 0 || c-'0' > 9) {
			return false
		}
	}
	return key != "" && key != "class" && key != "true" && key != "false" && key != "null"
}
