package columns

import (
	"bytes"
	"io"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A Format reads the records of a Source.
type Format interface {
	// Whole returns how much of the rest of a stream is whole records, or a header: 0 if
	// more has to be read. It has seen the first bytes of the text before. Mark is set.
	Whole(text []byte, seen int) (int, error)
	// AtEnd passes over blank lines, and reports whether nothing follows.
	AtEnd() bool
	// Header reads what is before the records.
	Header() error
	// Record reads a record, before which there are n.
	Record(n int) (wire.Value, error)
}

// sample is the number of records after which room is made for the rest: for as many as there
// are if their average length stays the same.
const sample = 1 << 10

// Document reads the records of the whole text.
func (s *Source) Document(f Format) (wire.Value, error) {
	if !f.AtEnd() {
		if err := f.Header(); err != nil {
			return wire.Value{}, err
		}
	}
	mark, start := s.Build.Mark(), s.Pos
	for n := 0; !f.AtEnd(); n++ {
		if n == sample {
			rest := ((s.End-s.Pos)/(s.Pos-start) + 1) * n
			s.Build.Reserve(rest + rest/16)
		}
		v, err := f.Record(n)
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n)
		}
		s.Build.Push(v)
	}
	return s.Build.Array(mark), nil
}

// A Stream reads records one after the other. Src is the part of the text at hand that has
// been loaded.
type Stream struct {
	*Source
	Format  Format
	Text    *lineio.Pieces
	At      int  // where Src begins in Text
	Begun   bool // the header has been read
	Records int  // that were read

	fault error // of the line after Src, which is all that can be read before it
}

// NewStream returns the stream of r.
func (s *Source) NewStream(r io.Reader, f Format) *Stream {
	return &Stream{Source: s, Format: f, Text: lineio.NewPieces(r, bound.Add(s.Limits.LineBytes, len("\ufeff")))}
}

// All yields the records that are left.
func (s *Stream) All(yield func(wire.Value, error) bool) {
	for {
		v, err := s.record()
		if e, ok := err.(*wire.Error); ok {
			err = wire.Internal.Shift(e, s.Text.Offset()+s.At, s.Text.Lines()+bytes.Count(s.Text.Text()[:s.At], []byte{'\n'}), 0)
		}
		if err == io.EOF || !yield(v, err) || err != nil {
			return
		}
	}
}

// record reads the next record, or returns io.EOF.
func (s *Stream) record() (wire.Value, error) {
	for s.Format.AtEnd() {
		if err := s.Load(); err != nil {
			return wire.Value{}, err
		}
	}
	s.Values = 0 // the limits are for one record
	v, err := s.Format.Record(s.Records)
	s.Build.EndRecord()
	if err != nil {
		return wire.Value{}, wire.AtIndex(err, s.Records)
	}
	s.Records++
	return v, nil
}

// Load goes on to the records that follow, and before the first ones reads the header.
func (s *Stream) Load() error {
	if s.fault != nil {
		return s.fault
	}
	s.At += len(s.Src)
	for seen := 0; ; {
		text := s.Text.Text()[s.At:]
		s.Mark = 0
		if s.Text.Offset()+s.At == 0 {
			s.Mark = len(text) - len(scan.TrimBOM(text))
		}
		n, err := s.Format.Whole(text, seen)
		if n == 0 && s.Text.Ended() {
			n = len(text)
		}
		switch {
		case err != nil:
			return err
		case n > 0:
			return s.begin(text[:n])
		case s.Text.Ended():
			return io.EOF
		}
		s.Text.Done(s.At)
		s.At, seen = 0, len(text)
		switch _, err := s.Text.More(); err {
		case nil:
		case lineio.ErrUTF8, lineio.ErrTooLong:
			return s.end(err, seen)
		default:
			return err
		}
	}
}

// end is Load for a line that is refused: what the format finds wrong before the fault is
// first. Of a line that is too long the format sees as much as is too much.
func (s *Stream) end(fault error, seen int) error {
	text, at := s.Text.Fault()
	if fault == lineio.ErrTooLong {
		s.Src = text
		s.fault = s.TooLong(s.Text.Len(), "line")
		at++
	}
	if _, err := s.Format.Whole(text[:at], seen); err != nil {
		return err
	}
	if fault == lineio.ErrTooLong {
		return s.begin(text[:at])
	}
	s.Src = text
	return s.CheckUTF8()
}

// begin loads a part of the text.
func (s *Stream) begin(text []byte) error {
	s.Src = text
	s.Source.Load()
	s.Pos = s.Mark
	if s.Begun || s.Format.AtEnd() {
		return nil
	}
	s.Begun = true
	return s.Format.Header()
}
