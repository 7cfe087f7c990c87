package glyph

import (
	"bufio"
	"io"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// A splitter reads the rows of a table in parts, as long as each is one line.
type splitter struct{ Codec }

// ReadHeader reports false for what is not a table, or is forgiven its faults.
func (t splitter) ReadHeader(in io.Reader) (h records.Header, ok bool) {
	br := bufio.NewReaderSize(in, 16<<10)
	list, err := beginsList(br)
	r := t.newTableReader(br)
	if err != nil || list || t.Lenient {
		return h, false
	}
	if r.start(); r.err != nil || !r.whole {
		return h, false
	}
	rows := lineio.Rows{Plain: plainRow, Most: r.head.rows}
	return records.Header{Len: r.offset + len(r.line), LineBytes: r.limits.LineBytes, Cut: rows.Cut}, true
}

// plainRow reports whether a line is a row with its end: none that goes on.
func plainRow(line []byte) bool {
	n := len(line) - 2
	return n > 1 && line[0] == '|' && line[n] == '|' && line[n-1] != '\\'
}

func (t splitter) ReadRows(rows records.Rows, yield func(wire.Value, error) bool) {
	r := t.newTableReader(rows.Reader())
	r.start()
	offset, newlines := rows.Skipped()
	r.offset += offset
	r.number += newlines
	r.rows = rows.Before
	for v, err := range r.remaining {
		if !yield(v, err) || r.rows-rows.Before == rows.Most {
			return
		}
	}
}
