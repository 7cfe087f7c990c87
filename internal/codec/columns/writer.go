package columns

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/codec/split"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// An Encoder is what the encoders of formats have in common: the text, and where in its
// rows the columns of a table are.
type Encoder struct {
	Format string
	Noun   string // what errors call the text
	Nested string // the hint for a row with an array or object in it
	Lists  bool   // records are not rows of a table
	Limits wire.Limits

	Keys   *wire.Keys // of rows that have all columns in their order; nil if there may be none
	Layout *Layout    // of rows that do not; nil before the first one

	Dst []byte
	Max int // the length that Dst may get
}

// Base implements [Rows].
func (e *Encoder) Base() *Encoder { return e }

// Width returns the number of columns.
func (e *Encoder) Width() int {
	if e.Layout != nil {
		return len(e.Layout.Names)
	}
	return e.Keys.Len()
}

// Name returns the name of column i.
func (e *Encoder) Name(i int) string {
	if e.Layout != nil {
		return e.Layout.Names[i]
	}
	return e.Keys.At(i)
}

// Refused is an error of encoding.
func (e *Encoder) Refused(code string, kind error, message, hint string) error {
	return &wire.Error{Format: e.Format, Code: code, Kind: kind, Message: message, Hint: hint}
}

// Fits refuses a text that is longer than it may be.
func (e *Encoder) Fits(dst []byte) error {
	if len(dst) > e.Max {
		return e.Refused(wire.CodeOutputTooLong, wire.ErrLimit, "the "+e.Noun+" gets longer than the limit", "raise Limits.OutputBytes")
	}
	return nil
}

// Cells appends the cells of rows.
type Cells interface {
	// Cell appends a scalar.
	Cell(dst []byte, v wire.Value) ([]byte, error)
	// Absent is Cell for a member that the row does not have.
	Absent(dst []byte) ([]byte, error)
}

// Row writes a row, cell by cell.
func (e *Encoder) Row(row wire.Value, cells Cells) error {
	if err := e.checkRow(row); err != nil {
		return err
	}
	places, err := []int32(nil), error(nil)
	if row.Keys() != e.Keys { // most rows have the last one's
		if places, err = e.places(row); err != nil {
			return err
		}
	}
	dst := e.Dst // a field would be stored with a write barrier for each cell
	for i := range max(len(places), row.Len()) {
		at := i
		if places != nil {
			at = int(places[i])
		}
		if at < 0 {
			dst, err = cells.Absent(dst)
		} else if v := row.Index(at); v.Kind() < wire.KindArray {
			dst, err = cells.Cell(dst, v)
		} else {
			err = e.Refused("nested_cell", wire.ErrShape, "a cell cannot hold "+WithArticle(v.Kind()), e.Nested)
		}
		if err != nil {
			return wire.AtKey(err, e.Name(i))
		}
	}
	e.Dst = dst
	return nil
}

// places returns for each column the position of its member in the row, -1 for none, and
// nil for a row that has all columns in their order. The result is valid until the next
// call.
func (e *Encoder) places(row wire.Value) ([]int32, error) {
	keys := row.Keys()
	if e.Keys != nil && wire.Internal.Same(keys, e.Keys) {
		e.Keys = keys // which later rows have too, as a rule
		return nil, nil
	}
	if e.Layout == nil {
		e.Layout = new(Layout)
		e.Layout.Add(e.Keys)
	}
	places, found := e.Layout.Plan(keys), 0
	for _, at := range places {
		if at >= 0 {
			found++
		}
	}
	if found == row.Len() {
		return places, nil
	}
	for _, name := range keys.All() {
		if _, known := e.Layout.columns[name]; !known {
			return nil, wire.AtKey(e.Refused(wire.CodeUnknownMember, wire.ErrUnknownMember, "the table has no column of that name",
				"declare all members, or encode the whole value at once"), name)
		}
	}
	return places, nil
}

// Rows makes the text of records. All implementations embed an [Encoder].
type Rows interface {
	// Base returns the embedded Encoder.
	Base() *Encoder
	// Header writes what is before the records.
	Header() error
	// Record writes a record, before which there are so many in the stream, -1 if that is
	// not known. It returns false then if the text depends on it.
	Record(record wire.Value, before int) (bool, error)
}

// AppendEncode appends an array of records, or one alone.
func AppendEncode(dst []byte, v wire.Value, rows Rows) (text []byte, err error) {
	e := rows.Base()
	e.Dst, e.Max = dst, bound.Add(len(dst), e.Limits.Resolved().OutputBytes)
	if !e.Lists {
		if err = e.find(v); err != nil || v.Len() == 0 {
			return dst, err
		}
		if e.Layout != nil {
			defer e.Layout.GiveBack()
		}
	}
	err = rows.Header()
	if err == nil && v.Kind() != wire.KindArray {
		_, err = rows.Record(v, 0)
	} else {
		for i := 0; err == nil && i < v.Len(); i++ {
			_, err = rows.Record(v.Index(i), i)
			err = wire.AtIndex(err, i)
		}
	}
	if err == nil && !scan.IsUTF8(e.Dst[len(dst):]) {
		err = wire.Internal.InvalidUTF8(v, e.Format)
	}
	if err != nil {
		return dst, err
	}
	return e.Dst, nil
}

// A Writer is a [wire.RecordWriter] of Rows.
type Writer struct {
	lineio.Output
	newRows func() Rows
	rows    Rows
	limit   int // bytes of a record
	flat    gotext.Flat
}

// GoRows are Rows that have a direct way from Go values.
type GoRows interface {
	Rows
	// GoCell appends the cell of a variable, with what follows it. It reports false for what
	// it leaves to Values.
	GoCell(dst []byte, v gotext.Var) ([]byte, bool)
}

// NewWriter writes the header of a stream, and returns the writer of its records.
func NewWriter(w io.Writer, newRows func() Rows) (wire.RecordWriter, error) {
	out := &Writer{Output: lineio.NewOutput(w), newRows: newRows, rows: newRows()}
	e := out.rows.Base()
	out.limit = e.Limits.Resolved().OutputBytes
	if !e.Lists {
		if err := e.checkColumns(); err != nil {
			return nil, err
		}
	}
	e.Dst, e.Max = out.Text(), out.limit
	if err := out.rows.Header(); err != nil {
		return nil, err
	}
	out.Put(e.Dst)
	if g, ok := out.rows.(GoRows); ok {
		out.flat = gotext.Flat{Cell: g.GoCell, Nested: true}
	}
	return out, nil
}

// checkColumns refuses keys that a table with a header in front cannot have.
func (e *Encoder) checkColumns() error {
	if e.Keys == nil || e.Keys.Len() == 0 {
		return e.Refused("no_columns", wire.ErrShape, "a table has columns", "name the members that the records have")
	}
	for _, name := range e.Keys.All() {
		if !utf8.ValidString(name) {
			return e.Refused(wire.CodeInvalidUTF8, wire.ErrUTF8, fmt.Sprintf("the name %.40q is not UTF-8", name), "")
		}
	}
	return nil
}

// Write implements [wire.RecordWriter].
func (w *Writer) Write(record wire.Value) error {
	text, _, err := w.AppendRecord(w.Text(), record, w.Count())
	return w.Take(text, wire.AtIndex(err, w.Count()))
}

// WriteGo writes a row without a Value.
func (w *Writer) WriteGo(v any) (done bool, err error) {
	if w.flat.Cell == nil {
		return false, nil
	}
	e, from := w.rows.Base(), len(w.Text())
	e.Max = bound.Add(from, w.limit)
	_, at := gotext.JSON.Root(&gowire.Types, v)
	dst, done := w.flat.Append(w.Text(), at, e.Keys)
	if !done || len(dst) > e.Max {
		return false, nil
	}
	dst[len(dst)-1] = '\n' // instead of the last separator
	return true, w.Take(dst, nil)
}

// AppendRecord implements [split.Appender].
func (w *Writer) AppendRecord(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	e := w.rows.Base()
	e.Dst, e.Max = dst, bound.Add(len(dst), w.limit)
	ok, err := w.rows.Record(record, before)
	if err == nil && !scan.IsUTF8(e.Dst[len(dst):]) {
		err = wire.Internal.InvalidUTF8(record, e.Format)
	}
	if err != nil {
		return dst, true, err
	}
	return e.Dst, ok, nil
}

// Fork implements [split.ForkingWriter].
func (w *Writer) Fork() split.Appender {
	return &Writer{newRows: w.newRows, rows: w.newRows(), limit: w.limit}
}
