package toon

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/lines"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream, see [wire.Splitter]: the rows of a table
// behind the first, which says how far they are indented.
func (c Codec) Split(r io.Reader) wire.Parts {
	return &parts{c: c, recorder: lines.NewRecorder(r)}
}

type parts struct {
	c        Codec
	recorder *lines.Recorder
	parts    *lines.Parts
	header   []byte // with the first row, which is a part of its own
	first    bool   // that has not been handed out
}

func (p *parts) Next(buf []byte) (wire.Part, error) {
	if p.parts == nil {
		p.begin()
	}
	if p.first {
		p.first = false
		return wire.Part{Text: append(buf[:0], p.header...), Records: 1}, nil
	}
	return wire.Part(p.parts.Next(buf)), nil
}

// begin reads the header and the first row. A document that is no table of several
// rows is one part.
func (p *parts) begin() {
	d := p.c.records(p.recorder)
	table, err := d.open()
	if !table || err != nil || d.head.list == nil || d.head.n < 2 || d.next() != nil || d.p.ended() {
		p.parts = p.recorder.Whole()
		return
	}
	row := d.chunk
	indent := row[:len(row)-len(bytes.TrimLeft(row, " "))]
	if _, ok := d.element(); !ok || !plainRow(row, indent) {
		p.parts = p.recorder.Whole()
		return
	}
	rows := lines.Rows{Plain: func(line []byte) bool { return plainRow(line, indent) }, Most: d.head.n - 1}
	p.header, p.parts = p.recorder.Behind(d.offset+len(d.chunk), d.limits.LineBytes, rows.Cut)
	p.first = true
}

// plainRow reports whether a line is neither blank nor a comment and indented so
// far.
func plainRow(line, indent []byte) bool {
	rest, ok := bytes.CutPrefix(line, indent)
	return ok && rest[0] > ' ' && rest[0] != '#' && rest[len(rest)-1] == '\n'
}

func (p *parts) Records(part wire.Part, before int) iter.Seq2[wire.Value, error] {
	of := lines.Part(part)
	if part.Offset == 0 && part.Rest != nil {
		return p.c.Records(of.Behind(nil))
	}
	return func(yield func(wire.Value, error) bool) {
		d := p.c.records(of.Behind(p.header))
		if part.Offset == 0 {
			d = p.c.records(of.Behind(nil))
		}
		if _, err := d.open(); err != nil {
			yield(wire.Value{}, err)
			return
		}
		if part.Offset > 0 {
			if !d.skipRow() {
				return
			}
			d.offset += part.Offset - len(p.header)
			d.number += part.Lines - bytes.Count(p.header, []byte{'\n'})
			d.n = max(before, 1)
		}
		most := part.Records
		if part.Rest != nil {
			most = -1
		}
		if err := d.elements(most, yield); err != nil && err != errStopped {
			yield(wire.Value{}, err)
		}
	}
}

// skipRow reads the first row once more.
func (d *recordReader) skipRow() bool {
	if d.next() != nil {
		return false
	}
	_, ok := d.element()
	d.n++
	d.p.EndRecord()
	return ok
}
