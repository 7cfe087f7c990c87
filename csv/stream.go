package csv

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter writes the header, which keys are, and returns a writer of
// rows. Rows may lack members, but have none that keys have not.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	if err := columns.CheckColumns(format, keys); err != nil {
		return nil, err
	}
	comma, err := c.comma()
	if err != nil {
		return nil, err
	}
	e := &encoder{c: c, comma: comma, Table: columns.Table{Keys: keys}}
	return columns.NewWriter(format, w, e, c.Limits.Resolved().OutputBytes)
}

// AppendHeader implements [columns.Rows].
func (e *encoder) AppendHeader(dst []byte, max int) ([]byte, error) {
	e.dst, e.max = dst, max
	err := e.header()
	return e.dst, err
}

// AppendRow implements [columns.Rows].
func (e *encoder) AppendRow(dst []byte, max int, record wire.Value, _ int) ([]byte, bool, error) {
	e.dst, e.max = dst, max
	err := columns.CheckRow(format, record)
	if err == nil {
		err = e.row(record)
	}
	return e.dst, true, err
}

// Fork implements [columns.Rows].
func (e *encoder) Fork() columns.Rows {
	fork := *e
	fork.dst, fork.Layout = nil, nil
	return &fork
}

// Records reads one row after the other. Limits.LineBytes bounds a row, which
// may be on several lines.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		comma, err := c.comma()
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
		s := c.stream(bufio.NewReaderSize(r, 64<<10), comma)
		s.records(yield)
	}
}

// ViewRecords reads into memory that is reused.
func (internals) ViewRecords(codec wire.Codec, m *wire.Memory, r io.Reader) iter.Seq2[wire.Value, error] {
	c := codec.(Codec)
	return func(yield func(wire.Value, error) bool) {
		comma, err := c.comma()
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
		s := &stream{in: bufio.NewReaderSize(r, 64<<10), d: c.borrowed(m, comma)}
		s.records(yield)
		s.d.giveBack(nil)
	}
}

func (c Codec) stream(in *bufio.Reader, comma byte) *stream {
	return &stream{in: in, d: &decoder{Source: c.source(), comma: comma, text: c.AllStrings}}
}

// records yields the rows that are left.
func (s *stream) records(yield func(wire.Value, error) bool) {
	for {
		row, err := s.next()
		if err == io.EOF || !yield(row, err) || err != nil {
			return
		}
	}
}

// A stream reads records.
type stream struct {
	in     *bufio.Reader
	d      *decoder
	record []byte
	offset int // of the record
	lines  int // before the record
	rows   int
	failed error // of the reader, after what was read before it
	ended  bool
}

// next returns the next row, or io.EOF.
func (s *stream) next() (wire.Value, error) {
	for {
		if err := s.read(); err != nil {
			return wire.Value{}, err
		}
		if s.d.Keys != nil {
			break
		}
		if err := s.d.header(); err != nil {
			return wire.Value{}, s.moved(err)
		}
	}
	row, err := s.d.row()
	s.d.Build.EndRecord()
	s.d.Values = 0 // the limits are for one record
	if err != nil {
		return wire.Value{}, s.moved(wire.AtIndex(err, s.rows))
	}
	s.rows++
	return row, nil
}

func (s *stream) moved(err error) error {
	if e, ok := err.(*wire.Error); ok {
		return e.Shift(s.offset, s.lines)
	}
	return err
}

// read reads the next record into s.d. Blank lines at the end of the text are
// passed over, so one is held back until it is known what follows.
func (s *stream) read() error {
	s.offset += len(s.record)
	s.lines += bytes.Count(s.record, []byte{'\n'})
	s.record = s.record[:0]
	blank := 0 // length of the blank lines before
	for {
		start := len(s.record)
		if err := s.line(start); err != nil {
			return err
		}
		if len(s.record) == start {
			return io.EOF
		}
		if len(bytes.TrimRight(s.record[start:], "\r\n")) > 0 {
			break
		}
		blank = len(s.record)
		if blank > s.d.Limits.LineBytes {
			break
		}
	}
	if blank > 0 && s.d.Keys != nil {
		return s.moved(s.blankLine())
	}
	s.d.Src = s.record
	if len(s.d.Src) > s.d.Limits.LineBytes {
		return s.moved(s.d.TooLong(0, "row"))
	}
	if err := s.d.CheckUTF8(); err != nil {
		return s.moved(err)
	}
	s.d.Load()
	return nil
}

func (s *stream) blankLine() error {
	s.d.Src = s.record
	s.d.Load()
	return s.d.fault()
}

// line appends a line, or as many as a quoted cell spans: up to a line end
// after an even number of quotation marks. It appends nothing at the end.
func (s *stream) line(start int) error {
	if s.failed != nil {
		return s.failed
	}
	quotes := 0
	for !s.ended {
		from := len(s.record)
		var err error
		s.record, err = lineio.Append(s.record, s.in, bound.Add(s.d.Limits.LineBytes, len("\uFEFF")))
		if s.offset == 0 && from == 0 {
			trimmed := scan.TrimBOM(s.record)
			s.offset += len(s.record) - len(trimmed)
			s.record = trimmed
		}
		quotes += bytes.Count(s.record[from:], []byte{'"'})
		switch {
		case err == io.EOF:
			s.ended = true
		case err != nil && err != lineio.ErrTooLong:
			// What was read before is whole lines, which are handed out first.
			s.ended, s.failed = true, err
			s.record = slices.Delete(s.record, start, len(s.record))
			return err
		case err == nil && quotes%2 == 0:
			return nil
		}
		if len(s.record) > s.d.Limits.LineBytes {
			s.ended = true
			return nil
		}
	}
	return nil
}
