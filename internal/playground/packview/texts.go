package packview

import (
	"bytes"
	"errors"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A textCodec carries what a tool has printed, a string as a Value: as it is, or as
// package lines has it.
type textCodec struct {
	lines, noLegend bool
	counter         tokens.Counter // decides what saves tokens
}

// texts are the forms of a text, in the order of their cards.
var texts = []wire.Codec{textCodec{}, textCodec{lines: true}, textCodec{lines: true, noLegend: true}}

func (c textCodec) Info() wire.Info {
	info := wire.Info{Name: "text", Title: "Text as it is", MediaType: "text/plain", Extensions: []string{".txt"}, Accepts: "texts"}
	if c.lines {
		info.Name, info.Title = "lines", "What repeats, said once"
	}
	if c.noLegend {
		info.Variant, info.Title = "plain", "Headings and repeats"
	}
	return info
}

func (c textCodec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if v.Kind() != wire.KindString {
		return dst, errors.New("this is for texts that tools print")
	}
	text := []byte(v.Text())
	if !c.lines {
		return append(dst, text...), nil
	}
	out, report := lines.Encode(text, lines.Options{Counter: c.counter, NoLegend: c.noLegend, MinSaving: -1})
	if !report.Encoded {
		return dst, errors.New(report.Why)
	}
	return append(dst, out...), nil
}

func (c textCodec) Decode(src []byte) (wire.Value, error) {
	if c.lines {
		var err error
		if src, err = lines.Decode(src); err != nil {
			return wire.Value{}, err
		}
	}
	if !scan.IsUTF8(src) {
		return wire.Value{}, errors.New("the text is not UTF-8")
	}
	return wire.String(string(src)), nil
}

// detect takes what is in no format for a text.
func detect(src []byte) (wire.Codec, error) {
	if lines.Sniff(src) {
		return texts[1], nil
	}
	c, err := wirekit.Detect(src)
	if errors.Is(err, wire.ErrUnknownFormat) && scan.IsUTF8(src) && bytes.IndexByte(src, 0) < 0 {
		return texts[0], nil
	}
	return c, err
}
