package gcx

import (
	"bytes"
	"io"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// A splitter reads the rows of one section.
type splitter struct{ Codec }

// ReadHeader reports false for a stream that is bounded as a whole, or whose
// section is not a list of rows.
func (t splitter) ReadHeader(in io.Reader) (h records.Header, ok bool) {
	d := t.NewDecoder(in)
	r, err := newRecordReader(d)
	if err != nil || r.alone || t.Limits.InputBytes != 0 {
		return h, false
	}
	rows := lineio.Rows{Plain: plainLine, Most: -1}
	if r.h.allBlanks() {
		rows.Plain = func(line []byte) bool { return line[0] == '\n' || line[0] == '\r' || plainLine(line) }
	}
	if r.h.rows >= 0 {
		rows.Most = r.h.rows
	}
	return records.Header{Len: d.lines.offset, LineBytes: d.lines.limits.LineBytes, Cut: rows.Cut}, true
}

// plainLine reports whether a line can only be a row.
func plainLine(line []byte) bool {
	switch line[0] {
	case '#', '\r', '\n':
		return false
	}
	return !bytes.HasPrefix(line, []byte("GCX"))
}

func (t splitter) ReadRows(rows records.Rows, yield func(wire.Value, error) bool) {
	d := t.NewDecoder(rows.Reader())
	r, err := newRecordReader(d)
	offset, newlines := rows.Skipped()
	d.lines.offset += offset
	d.lines.number += newlines
	d.rows = rows.Before
	d.records(r, err, rows.Most, yield)
}
