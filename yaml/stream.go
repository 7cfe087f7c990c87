package yaml

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of documents, of any shape; keys are not
// looked at.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	return records.NewWriter(w, &recordWriter{records.Base{Format: format}, c})
}

type recordWriter struct {
	records.Base
	c Codec
}

// Record implements [records.Form].
func (w *recordWriter) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	e := encoder{known: new([flowDepth]labels)}
	dst = append(dst, "---\n"...)
	limits := w.c.Limits.Resolved()
	e.Begin(format, dst, &limits)
	dst, err := e.document(dst, record)
	return dst, true, err
}

// AppendGo implements [records.Form].
func (w *recordWriter) AppendGo(dst []byte, v any) ([]byte, bool, error) {
	text, done := w.c.appendGo(append(dst, "---\n"...), v)
	return text, done, nil
}

// Fork implements [records.Forker].
func (w *recordWriter) Fork() records.Form {
	f := *w
	return &f
}

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
		if !yield(v, wire.AtIndex(err, number)) || err != nil {
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
	rest      []byte // what was read after the document
	ended     bool   // all is read
}

// next returns the next document.
func (s *stream) next() (wire.Value, error) {
	for {
		s.offset += len(s.doc)
		s.lines += bytes.Count(s.doc, []byte{'\n'})
		exists, err := s.read()
		if err != nil {
			return wire.Value{}, err
		}
		v, err := s.c.Decode(s.doc) // of comments, too, which may be wrong
		if e, ok := err.(*wire.Error); ok {
			err = wire.Internal.Shift(e, s.offset, s.lines, 0)
		}
		switch {
		case exists || err != nil:
			return v, err
		case s.ended && len(s.rest) == 0:
			return wire.Value{}, io.EOF
		}
	}
}

// read reads a piece into s.doc, with the line that ends its document. It reports whether
// there is one.
func (s *stream) read() (exists bool, err error) {
	s.doc = s.doc[:0]
	var d document
	for !s.ended || len(s.rest) > 0 {
		start := len(s.doc)
		if err := s.line(); err != nil {
			return false, err
		}
		if line := s.doc[start:]; d.ends(line) {
			if !isMark(line, "...") {
				s.rest = append(bytes.Clone(line), s.rest...)
				s.doc = s.doc[:start]
			}
			break
		}
	}
	return d.exists(), nil
}

// line appends a line to s.doc.
func (s *stream) line() error {
	if len(s.rest) == 0 {
		start := len(s.doc)
		var err error
		s.doc, err = lineio.Append(s.doc, s.in, s.lineBytes)
		switch {
		case err == lineio.ErrTooLong:
			e := wire.ErrorAt(s.doc, 0, wire.Error{Format: format, Code: "document_too_long", Kind: wire.ErrLimit,
				Message: fmt.Sprintf("a document longer than %d bytes", s.lineBytes), Hint: "raise Limits.LineBytes"})
			return wire.Internal.Shift(e, s.offset, s.lines, 0)
		case err == io.EOF:
			s.ended = true
		case err != nil:
			s.ended = true
			return err
		}
		n := start + len(firstLine(s.doc[start:]))
		s.rest = append(s.rest, s.doc[n:]...) // of lines that end with CR
		s.doc = s.doc[:n]
		return nil
	}
	line := firstLine(s.rest)
	s.doc = append(s.doc, line...)
	s.rest = s.rest[len(line):]
	return nil
}
