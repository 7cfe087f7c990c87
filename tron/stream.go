package tron

import (
	"fmt"
	"io"
	"iter"
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
	return streams{}.ViewRecords(c, inplace.Owned{}, r)
}

// streams are what a codec does with streams.
type streams struct{}

func (streams) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		limits := c.(Codec).Limits
		plain := &reader{Window: lineio.NewWindow(r), sweep: sweep{comma: -1}, max: limits.Resolved().LineBytes}
		wire.Internal.ClassedRecords(to, &limits, plain, yield)
	}
}

// A reader reads a text in which blanks are in the places of comments and of commas at the
// end of lists.
type reader struct {
	*lineio.Window
	sweep
	max int // bytes of a comment, or between a comma and what follows it
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	for {
		text := r.Text()
		r.next(text)
		if n := copy(p, text[:r.decided()]); n > 0 {
			r.Drop(n)
			r.at, r.comment, r.comma = r.at-n, r.comment-n, max(r.comma-n, -1)
			return n, nil
		}
		if len(text) > r.max {
			offset, lines, columns := r.At()
			return 0, wire.Internal.Shift(wire.ErrorAt(text, r.max, wire.Error{Format: format, Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
				Message: "a comment, or the space after a comma, is longer than the limit", Hint: "raise Limits.LineBytes"}), offset, lines, columns)
		}
		if err := r.More(); err != nil {
			if len(text) == 0 {
				return 0, err
			}
			r.end(r.Text())
			r.comma = -1
		}
	}
}
