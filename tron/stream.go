package tron

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of records of any kind. The classes are that of objects
// with these keys, which may be nil, and those of the objects in the first record, of two
// members at least where they are within it.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	if keys != nil {
		for _, key := range keys.All() {
			if !utf8.ValidString(key) {
				return nil, &wire.Error{Format: format, Code: wire.CodeInvalidUTF8, Kind: wire.ErrUTF8, Message: fmt.Sprintf("key %.60q is not valid UTF-8", key)}
			}
		}
	}
	return &writer{Output: lineio.NewOutput(w), keys: keys, limits: c.Limits}, nil
}

type writer struct {
	lineio.Output
	keys   *wire.Keys
	limits wire.Limits
	shapes *shapes // once the header is written
}

func (w *writer) Write(record wire.Value) error {
	s, text := w.shapes, w.Text()
	start := len(text)
	if s == nil {
		s = w.classes(record)
		text = append(s.header(text, (*shape).wanted), '[')
	} else {
		text = append(text, ',')
	}
	text, _, err := wire.Internal.AppendClassed(text, start, record, &w.limits, 1, s.labels)
	err = w.Take(text, wire.AtIndex(err, w.Count()))
	if err == nil {
		w.shapes = s
	}
	return err
}

// classes returns the shapes that are to be classes of the stream.
func (w *writer) classes(first wire.Value) *shapes {
	s := newShapes()
	own := w.keys
	if own == nil && first.Kind() == wire.KindObject {
		own = first.Keys()
	}
	if own != nil && own.Len() > 0 {
		s.add(own).count = leastOfOne
	}
	limits := w.limits.Resolved()
	eachObject(first, limits.Depth, &limits.OutputBytes, func(keys *wire.Keys) { s.add(keys) })
	return s
}

// wanted reports whether objects of the shape are to be instances in a stream.
func (s *shape) wanted(string) bool { return s.count > 0 || s.keys.Len() > 1 }

// Close ends the array.
func (w *writer) Close() error {
	if !w.Closed() {
		text := w.Text()
		if w.shapes == nil {
			text = append(text, '[')
		}
		w.Put(append(text, ']'))
	}
	return w.Output.Close()
}

// Records reads the elements of an array. Limits bound one record each, LineBytes the length
// of its text and that of the classes.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return c.viewRecords(inplace.Owned{}, r)
}

func (c Codec) viewRecords(to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		s := stream{c: c, r: r, sweep: sweep{header: true, comma: -1}}
		d, err := s.header()
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
		wire.Internal.ClassedRecords(to, &c.Limits, d.all, s.record, yield)
	}
}

// A stream cuts a text into its header and the elements of the array.
type stream struct {
	c Codec
	r io.Reader
	sweep
	buf     []byte
	from    int   // in buf, of the text that is cut
	after   int   // in buf, what follows it
	err     error // of the reader, after buf
	offset  int   // of buf in the stream
	lines   int   // before buf
	columns int   // before buf on its line
	n       int   // elements cut
	ended   bool  // the array has
}

// firstBuffer is how much is read at first.
const firstBuffer = 16 << 10

// cut reads until sweep has found where a text ends. The error is that of the reader, or of
// the limit.
func (s *stream) cut() (end int, err error) {
	max := s.c.Limits.Resolved().LineBytes
	for {
		end = s.next(s.buf)
		if s.at-s.from > max {
			return -1, s.place(wire.ErrorAt(s.buf[s.from:], max, wire.Error{Format: format, Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
				Message: "the classes or a record are longer than the limit", Hint: "raise Limits.LineBytes"}))
		}
		if end >= 0 {
			return end, nil
		}
		if err = s.fill(); err != nil {
			return -1, err
		}
	}
}

// fill reads on.
func (s *stream) fill() error {
	if s.err != nil {
		return s.err
	}
	if s.from > 0 {
		s.lines, s.columns = s.position()
		s.offset += s.from
		s.buf = s.buf[:copy(s.buf, s.buf[s.from:])]
		s.at, s.comment, s.comma = s.at-s.from, s.comment-s.from, max(s.comma-s.from, -1)
		s.from, s.after = 0, 0
	}
	if len(s.buf) == cap(s.buf) {
		s.buf = slices.Grow(s.buf, max(len(s.buf), firstBuffer))
	}
	for range lineio.MaxEmptyReads {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf, s.err = s.buf[:len(s.buf)+n], err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	s.err = io.ErrNoProgress
	return s.err
}

// position returns how many lines are before buf[from], and characters on its own.
func (s *stream) position() (lines, columns int) {
	before := s.buf[:s.from]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 {
		return s.lines + bytes.Count(before, []byte{'\n'}), utf8.RuneCount(before[line+1:])
	}
	return s.lines, s.columns + utf8.RuneCount(before)
}

// place puts an error in buf[from:] where it is in the stream.
func (s *stream) place(e *wire.Error) error {
	lines, columns := s.position()
	return wire.Internal.Shift(e, s.offset+s.from, lines, columns)
}

// header reads up to the bracket of the array.
func (s *stream) header() (*document, error) {
	end, err := s.cut()
	text := s.buf
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case err == nil:
		text = s.buf[:end+1]
	}
	s.sweep.end(s.buf)
	d := s.c.document(text, bytes.TrimPrefix(text, []byte("\ufeff")))
	if err := d.header(); err != nil {
		return nil, err
	}
	if d.peek() != '[' {
		if d.at == len(d.text) {
			return nil, d.expected("an array", "")
		}
		return nil, d.fail(d.at, "not_an_array", wire.ErrShape, "the document is not an array, so it has no records", "decode it as a whole")
	}
	s.after = len(text)
	s.sweep = sweep{at: s.after, comma: -1}
	return d, nil
}

// record returns the text of the next element, nil after the last. With an error it is what
// there is of the element.
func (s *stream) record() (text []byte, place func(*wire.Error) error, err error) {
	s.from = s.after
	if s.ended {
		return nil, nil, s.rest()
	}
	number := s.n
	place = func(e *wire.Error) error { return wire.AtIndex(s.place(e), number) }
	end, err := s.cut()
	switch {
	case err == nil:
	case err == s.err && s.complete():
		s.after, s.n, s.last = len(s.buf), s.n+1, 0
		return s.buf[s.from:], place, nil
	case err == io.EOF:
		s.sweep.end(s.buf)
		if text = s.buf[s.from:]; len(text) == 0 && s.n > 0 {
			return nil, nil, s.unended(text)
		}
		return text, place, s.unended(text)
	case err == s.err:
		return nil, nil, err
	default:
		return nil, nil, wire.AtIndex(err, number)
	}
	text, s.at, s.after = s.buf[s.from:end], end+1, end+1
	isLast, empty := s.buf[end] == ']', len(bytes.TrimLeft(text, space)) == 0
	switch {
	case isLast && empty:
		s.from, s.ended = s.after, true
		return nil, nil, s.rest()
	case empty || !isLast && s.buf[end] != ',':
		text = s.buf[s.from:s.after] // for an error
	}
	s.n, s.ended = s.n+1, isLast
	s.sweep.last, s.sweep.comma = 0, -1
	return text, place, nil
}

// unended returns the error of a stream that ends after text.
func (s *stream) unended(text []byte) error {
	return s.place(wire.ErrorAt(text, len(text), wire.Error{Format: format, Code: wire.CodeUnexpectedEnd, Kind: wire.ErrTruncated,
		Message: "the text ends where ',' or ']' after an element was expected"}))
}

// complete reports whether there is an element that nothing could make longer, which a writer
// may have flushed.
func (s *stream) complete() bool {
	return s.depth == 0 && s.in == 0 && s.last != 0 && bytes.IndexByte([]byte("]})\""), s.last) >= 0
}

// rest reads what follows the array.
func (s *stream) rest() error {
	s.sweep = sweep{at: s.from, comma: -1, depth: 1 << 30}
	if _, err := s.cut(); err != io.EOF {
		return err
	}
	s.sweep.end(s.buf)
	text := s.buf[s.from:]
	if n := len(text) - len(bytes.TrimLeft(text, separated)); n < len(text) {
		return s.place(wire.ErrorAt(text, n, wire.Error{Format: format, Code: wire.CodeTrailingData, Kind: wire.ErrSyntax, Message: "expected the end after the array"}))
	}
	return nil
}
