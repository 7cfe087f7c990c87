package yaml

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream.
func (internals) Split(codec wire.Codec, r io.Reader) records.Parts {
	c := codec.(Codec)
	return parts{c, lineio.NewParts(nil, r, c.Limits.Resolved().LineBytes, cutDocuments)}
}

type parts struct {
	c     Codec
	parts *lineio.Parts
}

func (p parts) Next(buf []byte) (lineio.Part, error) { return p.parts.Next(buf), nil }

func (p parts) Records(part lineio.Part, before int) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		s := p.c.stream(part.Reader())
		s.offset, s.lines = part.Offset, part.Lines
		s.documents(before, yield)
		lineio.Free(s.in)
	}
}

// cutDocuments cuts where a stream ends a document.
func cutDocuments(text []byte, _ int) lineio.Cut {
	var c lineio.Cut
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	for n := 0; ; {
		p := cut(text, c.End)
		if p.next == len(text) && p.to == p.next {
			return c
		}
		if p.exists() {
			n++
		}
		c.Records, c.End = n, p.next
	}
}

// Cut returns the length of the first document of a text, with what is before it, and
// whether a mark ends it.
func (internals) Cut(text []byte) (n int, ended bool) {
	p := cut(text, 0)
	if p.to < p.next {
		return p.next, text[p.next-1] == '\n'
	}
	return p.next, len(text)-p.next > len("\ufeff---") // or the line may go on
}
