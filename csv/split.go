package csv

import (
	"bufio"
	"io"

	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/split"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream after its header.
func (internals) Split(c wire.Codec, r io.Reader) split.Parts {
	return split.Split(&splitter{Codec: c.(Codec)}, r)
}

// A splitter reads the rows after the header that it has read.
type splitter struct {
	Codec
	separator byte
	keys      *wire.Keys
}

func (t *splitter) ReadHeader(r io.Reader) (h split.Header, ok bool) {
	var err error
	if t.separator, err = t.comma(); err != nil {
		return h, false
	}
	s := t.stream(bufio.NewReader(r), t.separator)
	if s.read() != nil || s.d.header() != nil {
		return h, false
	}
	t.keys = s.d.Keys
	return split.Header{Len: s.offset + len(s.record), LineBytes: s.d.Limits.LineBytes, Cut: lineio.ByQuotes}, true
}

func (t *splitter) ReadRows(rows split.Rows, yield func(wire.Value, error) bool) {
	s := stream{in: rows.Part.Reader(), d: t.borrowed(nil, t.separator), offset: rows.Offset, lines: rows.Lines, rows: rows.Before}
	s.d.Keys = t.keys
	s.records(yield)
	s.d.giveBack(nil)
	lineio.Free(s.in)
}
