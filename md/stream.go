package md

import (
	"bytes"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of rows, whose header it writes, or with KV of
// records, which need no keys. Rows may lack members, but have none that keys have not.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	e := c.encoder()
	if e.Keys = keys; !c.KV {
		if err := columns.CheckColumns(format, keys); err != nil {
			return nil, err
		}
	}
	return columns.NewWriter(format, w, &e, e.Limits.OutputBytes)
}

// AppendHeader implements [columns.Rows].
func (e *encoder) AppendHeader(dst []byte, max int) ([]byte, error) {
	e.dst, e.max = dst, max
	if e.KV {
		return dst, nil
	}
	e.header()
	return e.dst, e.fits()
}

// AppendRow implements [columns.Rows].
func (e *encoder) AppendRow(dst []byte, max int, record wire.Value, before int) (text []byte, ok bool, err error) {
	e.dst, e.max = dst, max
	switch {
	case !e.KV:
		if err = columns.CheckRow(format, record); err == nil {
			err = e.row(record)
		}
	case before < 0:
		return dst, false, nil
	default:
		err = e.record(record, before)
	}
	return e.dst, true, err
}

// Fork implements [columns.Rows].
func (e *encoder) Fork() columns.Rows {
	fork := *e
	fork.dst, fork.Layout = nil, nil
	return &fork
}

// Records reads one row of a table after the other, or one record of md:kv.
// Limits.LineBytes bounds a line, and Limits.InputBytes a record of many lines.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		s := stream{Pieces: lineio.NewPieces(r, c.Limits.Resolved().LineBytes), decoder: c.decoder()}
		for n := 0; ; n++ {
			v, err := s.record(n)
			if e, ok := err.(*wire.Error); ok {
				err = e.Shift(s.Offset(), s.Lines())
			}
			if err == io.EOF || !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// A stream reads records. The source of its decoder is a part of the piece at hand.
type stream struct {
	*lineio.Pieces
	decoder
	seen int // how much of the text has no end of a record in it
}

// record reads record n, or returns io.EOF.
func (s *stream) record(n int) (wire.Value, error) {
	for s.skipBlank(); s.Pos == s.End; s.skipBlank() {
		if err := s.read(); err != nil {
			return wire.Value{}, err
		}
	}
	s.Values = 0 // the limits are for one record
	v, err := s.next(n)
	s.Build.EndRecord()
	return v, wire.AtIndex(err, n)
}

// read goes on to the records that follow, and before the first one reads the header.
func (s *stream) read() error {
	s.Done(len(s.Src))
	for s.Src = nil; len(s.Src) == 0; s.Src = s.Text()[:s.whole()] {
		if s.Len() > s.Limits.InputBytes {
			return s.Source.Begin(s.Text())
		}
		more, err := s.More()
		switch err {
		case nil:
		case lineio.ErrTooLong:
			s.Src, _ = s.Fault()
			return s.TooLong(s.Len(), "line")
		case lineio.ErrUTF8:
			s.Src, _ = s.Fault()
			return s.CheckUTF8()
		default:
			return err
		}
		if !more && s.Len() == 0 {
			return io.EOF
		}
	}
	s.seen = 0
	s.Load()
	if s.Offset() == 0 {
		s.Pos = len(s.Src) - len(scan.TrimBOM(s.Src))
	}
	if s.Keys != nil || s.kv {
		return nil
	}
	s.skipBlank()
	return s.begin()
}

// whole returns how much of the text is whole records, with a header if there is one.
func (s *stream) whole() int {
	text := s.Text()
	rest := bytes.TrimLeft(scan.TrimBOM(text), " \t\r\n")
	switch {
	case s.Ended() || len(rest) == 0:
	case s.Keys == nil && (s.kv || rest[0] == '#'):
		from := max(0, s.seen-len("\n##"))
		s.seen = len(text)
		if i := bytes.LastIndex(text[from:], []byte("\n## ")); i >= 0 {
			return from + i + 1
		}
		return 0
	case s.Keys == nil && bytes.Count(rest, []byte{'\n'}) < 2:
		return 0
	}
	return len(text)
}
