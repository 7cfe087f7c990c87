package glyph

import (
	"bufio"
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/lines"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream, see [wire.Splitter]: the rows of a table, as
// long as each is one line.
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

// begin reads the header. What is no table, or is forgiven its faults, is one part.
func (p *parts) begin() {
	br := bufio.NewReaderSize(p.recorder, 16<<10)
	list, err := beginsList(br)
	t := p.c.NewTableReader(br)
	if err != nil || list || p.c.Lenient {
		p.parts = p.recorder.Whole()
		return
	}
	if t.start(); t.err != nil || !t.whole {
		p.parts = p.recorder.Whole()
		return
	}
	rows := lines.Rows{Plain: plainRow, Most: t.head.rows}
	p.header, p.parts = p.recorder.Behind(t.offset+len(t.line), t.limits.LineBytes, rows.Cut)
}

// plainRow reports whether a line is a row with its end: none that goes on.
func plainRow(line []byte) bool {
	n := len(line) - 2
	return n > 1 && line[0] == '|' && line[n] == '|' && line[n-1] != '\\'
}

func (p *parts) Records(part wire.Part, before int) iter.Seq2[wire.Value, error] {
	of := lines.Part(part)
	if part.Offset == 0 {
		return p.c.Records(of.Behind(nil))
	}
	return func(yield func(wire.Value, error) bool) {
		t := p.c.NewTableReader(of.Behind(p.header))
		t.start()
		t.offset += part.Offset - len(p.header)
		t.number += part.Lines - bytes.Count(p.header, []byte{'\n'})
		t.rows = before
		for v, err := range t.Rows() {
			if !yield(v, err) || part.Rest == nil && t.rows-before == part.Records {
				return
			}
		}
	}
}
