package gcf

import (
	"bytes"
	"io"
	"iter"
	"sync"

	lineparts "github.com/wirekit/wirekit/internal/lines"
	"github.com/wirekit/wirekit/wire"
)

// Split returns the parts of a stream, see [wire.Splitter]: the rows of a table at
// the root, as long as nothing is attached to them. What is attached may refer to
// what was attached before, so from there on one goroutine reads.
func (c Codec) Split(r io.Reader) wire.Parts {
	return &parts{c: c, recorder: lineparts.NewRecorder(r)}
}

type parts struct {
	c        Codec
	recorder *lineparts.Recorder
	parts    *lineparts.Parts
	header   []byte
}

func (p *parts) Next(buf []byte) (wire.Part, error) {
	if p.parts == nil {
		p.begin()
	}
	return wire.Part(p.parts.Next(buf)), nil
}

// begin reads the header. A document that is no such table is one part.
func (p *parts) begin() {
	s := p.c.NewStreamDecoder(p.recorder)
	part, err := s.Next()
	if err != nil || part.Kind != StreamArray || part.Member || s.block.rows.plan == nil || s.d.hasIdentity {
		p.parts = p.recorder.Whole()
		return
	}
	rows := lineparts.Rows{Plain: plainRow, Most: s.block.count.n, Ahead: true}
	p.header, p.parts = p.recorder.Behind(s.consumed(), s.limits.LineBytes, rows.Cut)
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
func (s *GenericStreamDecoder) consumed() int {
	if s.d.done {
		return s.in.Offset() + s.in.Len()
	}
	return s.in.Offset() + s.d.base + s.d.lines.start - s.d.indent
}

// partBuffers hold the bytes of a part while it is read.
var partBuffers = sync.Pool{New: func() any {
	buf := make([]byte, 0, 3*chunkSize)
	return &buf
}}

// maxPartBuffer is the length up to which one is kept.
const maxPartBuffer = 1 << 20

func (p *parts) Records(part wire.Part, before int) iter.Seq2[wire.Value, error] {
	of := lineparts.Part(part)
	if part.Offset == 0 {
		return p.c.Records(of.Behind(nil))
	}
	return func(yield func(wire.Value, error) bool) {
		s := p.c.NewStreamDecoder(of.Behind(p.header))
		buf := partBuffers.Get().(*[]byte)
		s.in.Begin(*buf, part.Offset-len(p.header), part.Lines-bytes.Count(p.header, []byte{'\n'}))
		defer func() {
			if memory := s.in.Memory(); cap(memory) <= maxPartBuffer {
				*buf = memory
			}
			partBuffers.Put(buf)
		}()
		if _, err := s.Next(); err != nil { // about the first row
			yield(wire.Value{}, err)
			return
		}
		s.block.n = before
		rows := part.Records
		if part.Rest != nil {
			rows = -1
		}
		s.elements(1, rows, yield)
	}
}
