// Package records is what formats share that have records: the writing of streams of them,
// whole or not at all, and the reading of streams in parts. What is a format's own is a
// [Form] for the one and [Rows] for the other.
package records

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A Form makes the text of a stream. All implementations embed a [Base], which has every
// method but Record.
type Form interface {
	base() *Base
	// Header appends what is before the records.
	Header(dst []byte) ([]byte, error)
	// Record appends a record, before which there are so many in the stream, -1 if that is
	// not known. It returns false then if the text depends on it.
	Record(dst []byte, record wire.Value, before int) ([]byte, bool, error)
	// Undo forgets a record that is not written after all.
	Undo()
	// End appends what is after n records. An error is that of Close.
	End(dst []byte, n int) ([]byte, error)
	// AppendGo is Record for the Go value that v points to; done is false for what it
	// leaves to Values.
	AppendGo(dst []byte, v any) (text []byte, done bool, err error)
}

// A Forker is a Form for which several goroutines can make the text of records.
type Forker interface {
	Form
	// Fork returns another Form for records of the same stream.
	Fork() Form
}

// A Base is what all Forms have.
type Base struct {
	Format string
	Limits wire.Limits
	Keys   *wire.Keys // the columns; nil if there are none
	Learns bool       // without Keys, the first record's are the columns
	Late   bool       // nothing is written before Close
	Valid  bool       // what Record gives is not looked at again

	Max int            // how long the text may get by a header or record
	Out *lineio.Output // nil in a fork
}

func (b *Base) base() *Base { return b }

var _ interface{ base() *Base } = (*Base)(nil) // formats embed a Base

// Header implements [Form] for none.
func (b *Base) Header(dst []byte) ([]byte, error) { return dst, nil }

// Undo implements [Form] for what keeps nothing of a record.
func (b *Base) Undo() {}

// End implements [Form] for nothing.
func (b *Base) End(dst []byte, _ int) ([]byte, error) { return dst, nil }

// AppendGo implements [Form] for records that all need Values.
func (b *Base) AppendGo(dst []byte, _ any) ([]byte, bool, error) { return dst, false, nil }

// Refused returns an error of writing.
func (b *Base) Refused(code string, kind error, message, hint string) error {
	return &wire.Error{Format: b.Format, Code: code, Kind: kind, Message: message, Hint: hint}
}

// Counted refuses n records where another number of them was announced, if that is not
// negative.
func (b *Base) Counted(announced, n int) error {
	if announced < 0 || n == announced {
		return nil
	}
	return b.Refused(wire.CodeCount, wire.ErrChecksum, fmt.Sprintf("%d records were announced and %d written", announced, n), "")
}

// Columns bounds the empty cells of rows, which hold missing, see [lineio.Output.Columns].
func (b *Base) Columns(missing string) {
	b.Out.Columns(b.Keys.Len(), missing, b.Limits.OutputBytes)
}

// A Writer is the [wire.RecordWriter] of a Form.
type Writer struct {
	lineio.Output
	form  Form
	base  *Base
	limit int
	begun bool  // the header is written
	wrong error // of the end
}

// A ForkingWriter is a Writer that package wire lets several goroutines help.
type ForkingWriter struct {
	*Writer
	form Forker
}

// NewWriter returns a writer of records, whose header it has written if the columns are known.
func NewWriter(w io.Writer, f Form) (wire.RecordWriter, error) {
	out := newWriter(w, f)
	if out.base.Out = &out.Output; out.base.Keys != nil || !out.base.Learns {
		if err := out.begin(); err != nil {
			return nil, err
		}
	}
	if f, ok := f.(Forker); ok {
		return ForkingWriter{out, f}, nil
	}
	return out, nil
}

func newWriter(w io.Writer, f Form) *Writer {
	b := f.base()
	return &Writer{Output: lineio.NewOutput(w), form: f, base: b, limit: b.Limits.Resolved().OutputBytes}
}

// begin writes the header.
func (w *Writer) begin() error {
	b := w.base
	if b.Keys != nil {
		for _, name := range b.Keys.All() {
			if !utf8.ValidString(name) {
				return b.Refused(wire.CodeInvalidUTF8, wire.ErrUTF8, fmt.Sprintf("the name %.40q is not UTF-8", name), "")
			}
		}
	}
	b.Max = w.limit
	text, err := w.form.Header(w.Text())
	if err == nil {
		w.Put(text)
		w.begun = true
	}
	return err
}

// Write implements [wire.RecordWriter].
func (w *Writer) Write(record wire.Value) error {
	if w.Closed() {
		return w.Hold(nil, w.base.Refused("closed", wire.ErrShape, "a record after Close", ""))
	}
	n, learns := w.Count(), !w.begun && record.Kind() == wire.KindObject
	err := error(nil)
	if learns {
		w.base.Keys = record.Keys()
		err = w.begin()
	}
	text := w.Text()
	if err == nil {
		text, _, err = w.AppendRecord(text, record, n)
	}
	if err != nil && learns { // the columns are those of a record that is written
		w.base.Keys, w.begun = nil, false
		w.Reset()
	}
	return w.take(text, wire.AtIndex(err, n))
}

func (w *Writer) take(text []byte, err error) error {
	if w.base.Late {
		return w.Hold(text, err)
	}
	return w.Take(text, err)
}

// WriteGo writes the record of a Go value without a Value.
func (w *Writer) WriteGo(v any) (done bool, err error) {
	if !w.begun || w.Closed() {
		return false, nil
	}
	n := w.Count()
	w.base.Max = bound.Add(len(w.Text()), w.limit)
	text, done, err := w.form.AppendGo(w.Text(), v)
	if !done {
		return false, nil
	}
	return true, w.take(text, wire.AtIndex(err, n))
}

// AppendRecord implements [Appender].
func (w *Writer) AppendRecord(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	b := w.base
	b.Max = bound.Add(len(dst), w.limit)
	text, ok, err := w.form.Record(dst, record, before)
	switch {
	case err != nil:
	case b.Valid:
		return text, ok, nil
	case !scan.IsUTF8(text[len(dst):]):
		err = wire.Internal.InvalidUTF8(record, b.Format)
	case !w.Holds(text[len(dst):]):
		err = b.Refused("sparse_table", wire.ErrLimit, "the rows of the stream are mostly empty cells", "raise Limits.OutputBytes, or use a format without columns")
	default:
		return text, ok, nil
	}
	w.form.Undo()
	return dst, true, err
}

// Flush implements [wire.RecordWriter].
func (w *Writer) Flush() error {
	if w.base.Late && !w.Closed() {
		return nil
	}
	return w.Output.Flush()
}

// Close implements [wire.RecordWriter].
func (w *Writer) Close() error {
	if !w.Closed() {
		var text []byte
		if text, w.wrong = w.form.End(w.Text(), w.Count()); w.wrong == nil {
			w.Put(text)
		}
	}
	if err := w.Output.Close(); err != nil {
		return err
	}
	return w.wrong
}

// Fork returns an appender of records as they are in the writer's stream.
func (w ForkingWriter) Fork() Appender { return newWriter(nil, w.form.Fork()) }
