package gcf

import (
	"io"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// A splitter reads the rows of a table at the root in parts, as long as nothing is attached
// to them. What is attached may refer to what was attached before, so from there on one
// goroutine reads.
type splitter struct{ Codec }

func (t splitter) ReadHeader(r io.Reader) (h records.Header, ok bool) {
	s := t.records(r)
	object, err := s.root()
	if err != nil || object || s.array.rows.plan == nil || s.array.count.keyed || s.d.hasIdentity {
		return h, false
	}
	rows := lineio.Rows{Plain: plainRow, Most: s.array.count.n, Ahead: true}
	return records.Header{Len: s.consumed(), LineBytes: s.limits.LineBytes, Cut: rows.Cut}, true
}

// plainRow reports whether a line can only be a row to which nothing is attached.
func plainRow(line []byte) bool {
	switch line[0] {
	case '@', '.', '#', ' ', '\t', '\r', '\n':
		return false
	}
	return true
}

// consumed returns how much of the stream is before the current line.
func (s *recordDecoder) consumed() int {
	if s.d.Done {
		return s.in.Offset() + s.in.Len()
	}
	return s.in.Offset() + s.d.Base + s.d.Lines.Start - s.d.Indent
}

func (t splitter) ReadRows(rows records.Rows, yield func(wire.Value, error) bool) {
	s := t.records(rows.Reader())
	s.in.Begin(rows.Skipped())
	defer s.in.Free()
	_, err := s.root()
	if err == nil { // about the first row
		s.array.n = rows.Before
		err = s.elements(rows.Most, yield)
	}
	s.end(err, yield)
}
