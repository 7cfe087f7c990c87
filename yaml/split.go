package yaml

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/split"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream.
func (internals) Split(codec wire.Codec, r io.Reader) split.Parts {
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

// cutDocuments cuts where a stream ends a document: after a line that begins with
// "...", and in front of one that begins with "---" and has a document before it.
func cutDocuments(text []byte, _ int) lineio.Cut {
	var c lineio.Cut
	marked, empty := false, true // of the document at hand
	n := 0
	for at := 0; ; {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return c
		}
		line := text[at : at+end+1]
		ends, begins := isMark(line, "..."), isMark(line, "---")
		if ends || begins && (marked || !empty) {
			if marked || !empty {
				n++
			}
			c.Records, c.End = n, at
			if ends {
				c.End += len(line)
			}
			marked, empty = false, true
		}
		marked = marked || begins
		empty = empty && headless(line)
		at += len(line)
		if ends {
			empty = true
		}
	}
}
