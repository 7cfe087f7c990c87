package yaml

import (
	"bytes"
	"io"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// split returns the parts of a stream.
func (c Codec) split(r io.Reader) records.Parts {
	parts := lineio.NewParts(nil, r, c.Limits.Resolved().LineBytes, cutDocuments)
	return records.Cut(parts, func(part lineio.Part, before int, yield func(wire.Value, error) bool) {
		s := c.stream(part.Reader())
		s.offset, s.lines = part.Offset, part.Lines
		s.documents(before, yield)
		lineio.Free(s.in)
	})
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

// first returns the length of the first document of a text, with what is before it, and
// whether a mark ends it.
func first(text []byte) (n int, ended bool) {
	p := cut(text, 0)
	if p.to < p.next {
		return p.next, text[p.next-1] == '\n'
	}
	return p.next, len(text)-p.next > len("\ufeff---") // or the line may go on
}
