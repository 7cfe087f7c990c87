package gcx

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/lines"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream, see [wire.Splitter]: the rows of its section
// up to the first comment, blank line or further header.
func (c Codec) Split(r io.Reader) wire.Parts {
	return &parts{c: c, recorder: lines.NewRecorder(r)}
}

type parts struct {
	c        Codec
	recorder *lines.Recorder
	parts    *lines.Parts
	header   []byte
}

func (p *parts) Next(buf []byte) (wire.Part, error) {
	if p.parts == nil {
		p.begin()
	}
	return wire.Part(p.parts.Next(buf)), nil
}

// begin reads the header. A stream that is bounded as a whole, or whose section
// is no list of rows, is one part.
func (p *parts) begin() {
	d := p.c.NewDecoder(p.recorder)
	r, err := newRecordReader(d)
	if err != nil || r.alone || p.c.Limits.InputBytes != 0 {
		p.parts = p.recorder.Whole()
		return
	}
	rows := lines.Rows{Plain: plainLine, Most: -1}
	if r.h.rows >= 0 {
		rows.Most = r.h.rows
	}
	p.header, p.parts = p.recorder.Behind(d.lines.offset, d.lines.limits.LineBytes, rows.Cut)
}

// plainLine reports whether a line can only be a row.
func plainLine(line []byte) bool {
	switch line[0] {
	case '#', '\r', '\n':
		return false
	}
	return !bytes.HasPrefix(line, []byte("GCX"))
}

func (p *parts) Records(part wire.Part, before int) iter.Seq2[wire.Value, error] {
	of := lines.Part(part)
	if part.Offset == 0 {
		return p.c.Records(of.Behind(nil))
	}
	return func(yield func(wire.Value, error) bool) {
		d := p.c.NewDecoder(of.Behind(p.header))
		r, err := newRecordReader(d)
		d.lines.offset += part.Offset - len(p.header)
		d.lines.number += part.Lines - bytes.Count(p.header, []byte{'\n'})
		d.rows = before
		most := part.Records
		if part.Rest != nil {
			most = -1
		}
		d.records(r, err, most, yield)
	}
}
