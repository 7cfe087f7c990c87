package jsonl

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/inplace"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of one line a record. It takes records of
// any kind; keys may be nil and are not used.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return &writer{Output: lineio.NewOutput(w), codec: wire.JSON{Limits: c.Limits}}, nil
}

type writer struct {
	lineio.Output
	codec wire.JSON
}

func (w *writer) Write(record wire.Value) error {
	text, _, err := w.AppendRecord(w.Text(), record, -1)
	return w.Take(text, wire.AtIndex(err, w.Count()))
}

// AppendRecord makes the writer its own fork: it keeps nothing of a record.
func (w *writer) AppendRecord(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	line, err := w.codec.AppendEncode(dst, record)
	if err != nil {
		if e, ok := err.(*wire.Error); ok {
			e.Format = "jsonl"
		}
		return dst, true, err
	}
	return append(line, '\n'), true, nil
}

func (w *writer) Fork() lineio.Appender[wire.Value] { return w }

// Records reads one value a line. Limits bound one line each.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		internals{}.LineRecords(c, lineio.NewReader(r, c.Limits.Resolved().LineBytes))(yield)
	}
}

// LineRecords is Records of lines.
func (internals) LineRecords(codec wire.Codec, in *lineio.Reader) iter.Seq2[wire.Value, error] {
	c := codec.(Codec)
	return func(yield func(wire.Value, error) bool) {
		p := wire.Internal.LinesParser(&c.Limits, c.RejectDuplicates)
		p.Records(in, yield)
		p.GiveBack(nil)
	}
}

// ViewRecords reads into memory that is reused.
func (internals) ViewRecords(codec wire.Codec, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		c := codec.(Codec)
		c.viewRecords(lineio.NewReader(r, c.Limits.Resolved().LineBytes), yield)
	}
}

func (c Codec) viewRecords(in *lineio.Reader, yield func(wire.Value, error) bool) {
	p := wire.Internal.BorrowLinesParser(inplace.Ours(), nil, &c.Limits, c.RejectDuplicates)
	p.Records(in, yield)
	p.GiveBack(nil)
}

// Split returns the parts of a stream.
func (internals) Split(codec wire.Codec, r io.Reader) lineio.Split[wire.Value] {
	c := codec.(Codec)
	return &parts{codec: c, parts: lineio.NewParts(nil, r, c.Limits.Resolved().LineBytes, lineio.ByLines)}
}

type parts struct {
	codec Codec
	parts *lineio.Parts
}

func (p *parts) Next(buf []byte) (lineio.Part, error) { return p.parts.Next(buf), nil }

func (p *parts) Records(part lineio.Part, _ int) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		in := lineio.NewPartReader(part, p.codec.Limits.Resolved().LineBytes)
		p.codec.viewRecords(in, yield)
		in.Free()
	}
}
