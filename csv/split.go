package csv

import (
	"bufio"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/lines"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream behind its header, see [wire.Splitter].
func (c Codec) Split(r io.Reader) wire.Parts {
	return &parts{c: c, recorder: lines.NewRecorder(r)}
}

type parts struct {
	c        Codec
	recorder *lines.Recorder
	parts    *lines.Parts
	comma    byte
	keys     *wire.Keys
}

func (p *parts) Next(buf []byte) (wire.Part, error) {
	if p.parts == nil {
		p.begin()
	}
	return wire.Part(p.parts.Next(buf)), nil
}

// begin reads the header. A stream that has none is one part.
func (p *parts) begin() {
	var err error
	if p.comma, err = p.c.comma(); err != nil {
		p.parts = p.recorder.Whole()
		return
	}
	s := p.c.stream(bufio.NewReader(p.recorder), p.comma)
	if s.read() != nil || s.d.header() != nil {
		p.parts = p.recorder.Whole()
		return
	}
	p.keys = s.d.keys
	_, p.parts = p.recorder.Behind(s.offset+len(s.record), s.d.limits.LineBytes, lines.ByQuotes)
}

func (p *parts) Records(part wire.Part, before int) iter.Seq2[wire.Value, error] {
	of := lines.Part(part)
	if part.Offset == 0 {
		return p.c.Records(of.Behind(nil))
	}
	return func(yield func(wire.Value, error) bool) {
		s := p.c.stream(of.Reader(), p.comma)
		s.d.keys, s.offset, s.lines, s.rows = p.keys, part.Offset, part.Lines, before
		s.records(yield)
		lines.Free(s.in)
	}
}
