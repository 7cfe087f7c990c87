package gcx

import (
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
	r, err := newRecordReader(t.NewDecoder(in))
	if err != nil || r.alone || t.Limits.InputBytes != 0 {
		return h, false
	}
	blanks := r.h.allBlanks()
	rows := lineio.Rows{Most: r.h.rows, Plain: func(line []byte) bool {
		return startsRow(line, 0) || blanks && (line[0] == '\n' || line[0] == '\r')
	}}
	return records.Header{Len: r.lines.offset, LineBytes: r.lines.limits.LineBytes, Cut: rows.Cut}, true
}

func (t splitter) ReadRows(rows records.Rows, yield func(wire.Value, error) bool) {
	d := t.NewDecoder(rows.Reader())
	r, err := newRecordReader(d)
	if err != nil {
		yield(wire.Value{}, err)
		return
	}
	offset, newlines := rows.Skipped()
	d.lines.offset += offset
	d.lines.number += newlines
	d.rows = rows.Before
	r.records(rows.Most, yield)
}
