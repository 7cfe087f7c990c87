package toon

import (
	"bytes"
	"io"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// A splitter reads the rows of a table in parts. The first, which says how far they are
// indented, is a part of its own, with the header.
type splitter struct{ Codec }

// ReadHeader reports false for what is not a table of several rows.
func (t splitter) ReadHeader(r io.Reader) (h records.Header, ok bool) {
	d := t.records(r)
	table, err := d.open()
	if !table || err != nil || d.head.list == nil || d.head.n < 2 || d.load(d.next()) != nil || d.p.ended() {
		return h, false
	}
	row := d.chunk
	indent := row[:len(row)-len(bytes.TrimLeft(row, " "))]
	if _, ok := d.element(); !ok || !plainRow(row, indent) {
		return h, false
	}
	rows := lineio.Rows{Plain: func(line []byte) bool { return plainRow(line, indent) }, Most: d.head.n - 1}
	return records.Header{Len: d.offset + len(d.chunk), First: true, LineBytes: d.limits.LineBytes, Cut: rows.Cut}, true
}

// plainRow reports whether a line is neither blank nor a comment and indented so
// far.
func plainRow(line, indent []byte) bool {
	rest, ok := bytes.CutPrefix(line, indent)
	return ok && rest[0] > ' ' && rest[0] != '#' && rest[len(rest)-1] == '\n'
}

func (t splitter) ReadRows(rows records.Rows, yield func(wire.Value, error) bool) {
	d := t.records(rows.Reader())
	if _, err := d.open(); err != nil {
		yield(wire.Value{}, err)
		return
	}
	if rows.Header != nil {
		if !d.skipRow() {
			return
		}
		offset, newlines := rows.Skipped()
		d.offset += offset
		d.number += newlines
		d.n = max(rows.Before, 1)
	}
	d.elements(rows.Most, yield)
}

// skipRow reads the first row once more.
func (d *recordReader) skipRow() bool {
	if d.load(d.next()) != nil {
		return false
	}
	_, ok := d.element()
	d.n++
	d.p.EndRecord()
	return ok
}
