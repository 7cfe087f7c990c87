package records

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/wire"
)

// A Reader reads the streams of a codec, which are a header and rows.
type Reader interface {
	// Records reads a whole stream, see [wire.Streamer].
	Records(r io.Reader) iter.Seq2[wire.Value, error]
	// ReadHeader reads a header and says how rows are cut off after it. It reports
	// false if the stream is one part.
	ReadHeader(r io.Reader) (Header, bool)
	// ReadRows reads the rows of a part. It is safe for concurrent use.
	ReadRows(rows Rows, yield func(wire.Value, error) bool)
}

// A Header is what is before the rows.
type Header struct {
	Len       int  // in bytes
	First     bool // it has the first row in it
	LineBytes int  // limit of a row's length
	Cut       func(text []byte, seen int) lineio.Cut
}

// Rows are those of a part.
type Rows struct {
	lineio.Part
	Header []byte // nil if the part is the header and the first row
	Before int    // rows of the stream before these
	Most   int    // how many there are; -1 if all that follow are meant
}

// Reader returns a reader of the header and the rows.
func (r *Rows) Reader() io.Reader { return r.After(r.Header) }

// Skipped returns how many bytes and line feeds are between the header and the rows.
func (r *Rows) Skipped() (offset, newlines int) {
	return r.Offset - len(r.Header), r.Lines - bytes.Count(r.Header, []byte{'\n'})
}

// Parts are those of a stream, and an Appender makes the text of records, for package
// wire.
type (
	Parts    = lineio.Split[wire.Value]
	Appender = lineio.Appender[wire.Value]
)

// Split returns the parts of a stream.
func Split(f Reader, r io.Reader) Parts {
	return &parts{Reader: f, recorder: lineio.NewRecorder(r)}
}

type parts struct {
	Reader
	recorder *lineio.Recorder
	parts    *lineio.Parts
	header   []byte
	first    bool // the header is a part that has not been handed out
}

func (p *parts) Next(buf []byte) (lineio.Part, error) {
	if p.parts == nil {
		p.begin()
	}
	if p.first {
		p.first = false
		return lineio.Part{Text: append(buf[:0], p.header...), Records: 1}, nil
	}
	return p.parts.Next(buf), nil
}

func (p *parts) begin() {
	h, ok := p.ReadHeader(p.recorder)
	if !ok {
		p.parts = p.recorder.Whole()
		return
	}
	p.header, p.parts = p.recorder.After(h.Len, h.LineBytes, h.Cut)
	p.first = h.First
}

func (p *parts) Records(part lineio.Part, before int) iter.Seq2[wire.Value, error] {
	rows := Rows{Part: part, Header: p.header, Before: before, Most: part.Records}
	if part.Rest != nil {
		rows.Most = -1
	}
	if part.Offset == 0 {
		if part.Rest != nil {
			return p.Reader.Records(rows.After(nil))
		}
		rows.Header = nil
	}
	return func(yield func(wire.Value, error) bool) { p.ReadRows(rows, yield) }
}

// Cut returns the parts of a stream that has no header; read reads one of them.
func Cut(parts *lineio.Parts, read func(part lineio.Part, before int, yield func(wire.Value, error) bool)) Parts {
	return cutParts{parts, read}
}

type cutParts struct {
	parts *lineio.Parts
	read  func(part lineio.Part, before int, yield func(wire.Value, error) bool)
}

func (c cutParts) Next(buf []byte) (lineio.Part, error) { return c.parts.Next(buf), nil }

func (c cutParts) Records(part lineio.Part, before int) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) { c.read(part, before, yield) }
}
