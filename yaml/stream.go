package yaml

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/internal/split"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of documents, of any shape; keys are not
// looked at.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return &recordWriter{Output: lineio.NewOutput(w), c: c}, nil
}

type recordWriter struct {
	lineio.Output
	c Codec
}

func (w *recordWriter) Write(record wire.Value) error {
	text, _, err := w.AppendRecord(w.Text(), record, -1)
	return w.Take(text, wire.AtIndex(err, w.Count()))
}

// WriteGo writes the document of a Go value without a Value.
func (w *recordWriter) WriteGo(v any) (done bool, err error) {
	text, done := w.c.appendGo(append(w.Text(), "---\n"...), v)
	if !done {
		return false, nil
	}
	return true, w.Take(text, nil)
}

// AppendRecord makes the writer its own fork: a document depends on no other.
func (w *recordWriter) AppendRecord(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	e := encoder{known: new([flowDepth]labels)}
	e.Begin(format, append(dst, "---\n"...), w.c.Limits)
	if err := e.document(record); err != nil {
		return dst, true, err
	}
	if !scan.IsUTF8(e.Dst[len(dst):]) {
		return dst, true, wire.Internal.InvalidUTF8(record, format)
	}
	return e.Dst, true, nil
}

func (w *recordWriter) Fork() split.Appender { return w }

// Records reads one document after the other, each between lines that begin
// with "---" or "..."; Limits bound one document each, LineBytes its length.
// Anchors and directives do not reach into the next document.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		s := c.stream(bufio.NewReaderSize(r, 64<<10))
		s.documents(0, yield)
	}
}

func (c Codec) stream(in *bufio.Reader) stream {
	return stream{in: in, c: Codec{Limits: c.Limits}, lineBytes: c.Limits.Resolved().LineBytes}
}

// documents yields the documents that are left, the next of which has that number.
func (s *stream) documents(number int, yield func(wire.Value, error) bool) {
	for ; ; number++ {
		v, err := s.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			err = wire.AtIndex(err, number)
		}
		if !yield(v, err) || err != nil {
			return
		}
	}
}

// A stream cuts a text into documents.
type stream struct {
	in        *bufio.Reader
	c         Codec // of one document
	lineBytes int
	doc       []byte
	offset    int
	lines     int
	pending   []byte // the line that ended the document before
	ended     bool
}

// next returns the next document that is not empty.
func (s *stream) next() (wire.Value, error) {
	for {
		s.offset += len(s.doc)
		s.lines += bytes.Count(s.doc, []byte{'\n'})
		marked, err := s.read()
		if err != nil {
			return wire.Value{}, err
		}
		if !marked && blank(s.doc) {
			// Also where nothing is said, a text is UTF-8 and has no control characters.
			if _, err := s.parse(bytes.TrimSuffix(bytes.TrimRight(s.doc, " \t\r\n"), []byte("..."))); err != nil {
				return wire.Value{}, err
			}
			if s.ended && len(s.pending) == 0 {
				return wire.Value{}, io.EOF
			}
			continue
		}
		return s.parse(s.doc)
	}
}

// parse reads a text from the beginning of s.doc.
func (s *stream) parse(text []byte) (wire.Value, error) {
	v, err := s.c.Decode(text)
	if e, ok := err.(*wire.Error); ok {
		err = wire.Internal.Shift(e, s.offset, s.lines)
	}
	return v, err
}

// read reads a document into s.doc: up to the next line that begins one or
// ends this one. marked reports whether it began with "---".
func (s *stream) read() (marked bool, err error) {
	s.doc = append(s.doc[:0], s.pending...)
	s.pending = s.pending[:0]
	marked = isMark(s.doc, "---")
	for !s.ended {
		start := len(s.doc)
		if err := s.line(); err != nil {
			return false, err
		}
		line := s.doc[start:]
		switch {
		case isMark(line, "..."):
			return marked, nil
		case isMark(line, "---"):
			if !marked && headless(s.doc[:start]) {
				marked = true // directives and comments before the document
				continue
			}
			s.pending = append(s.pending, line...)
			s.doc = s.doc[:start]
			return marked, nil
		}
	}
	return marked, nil
}

// line appends a line to s.doc.
func (s *stream) line() error {
	var err error
	s.doc, err = lineio.Append(s.doc, s.in, s.lineBytes)
	switch err {
	case lineio.ErrTooLong:
		e := wire.ErrorAt(s.doc, 0, wire.Error{Format: format, Code: "document_too_long", Kind: wire.ErrLimit,
			Message: fmt.Sprintf("a document longer than %d bytes", s.lineBytes), Hint: "raise Limits.LineBytes"})
		return wire.Internal.Shift(e, s.offset, s.lines)
	case io.EOF:
		s.ended = true
		return nil
	}
	s.ended = err != nil
	return err
}

// isMark reports whether a line begins with the marker, alone or before white
// space.
func isMark(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(scan.TrimBOM(line), []byte(marker))
	return ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r')
}

// headless reports whether text holds nothing but directives, comments and
// blank lines.
func headless(text []byte) bool {
	return allLines(text, func(line []byte) bool { return line[0] == '#' || line[0] == '%' })
}

// blank reports whether text holds nothing but comments, blank lines and the
// end of a document.
func blank(text []byte) bool {
	return allLines(text, func(line []byte) bool { return line[0] == '#' || string(line) == "..." })
}

// allLines reports whether all lines of text are blank, or so.
func allLines(text []byte, so func(line []byte) bool) bool {
	for line := range bytes.SplitSeq(scan.TrimBOM(text), []byte{'\n'}) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !so(line) {
			return false
		}
	}
	return true
}
