package columns

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/internal/split"
	"github.com/wirekit/wirekit/wire"
)

// A Table is where in its rows the columns of a table are.
type Table struct {
	Keys   *wire.Keys // of rows that have all columns in their order; nil if there may be none
	Layout *Layout    // of rows that do not; nil before the first one
}

// Width returns the number of columns.
func (t *Table) Width() int {
	if t.Layout != nil {
		return len(t.Layout.Names)
	}
	return t.Keys.Len()
}

// Name returns the name of column i.
func (t *Table) Name(i int) string {
	if t.Layout != nil {
		return t.Layout.Names[i]
	}
	return t.Keys.At(i)
}

// Places returns for each column the position of its member in the row, -1 for none, and
// nil for a row that has all columns in their order. The result is valid until the next
// call.
func (t *Table) Places(format string, row wire.Value) ([]int32, error) {
	keys := row.Keys()
	if t.Keys != nil && (keys == t.Keys || keys.Same(t.Keys)) {
		t.Keys = keys // which later rows have too, as a rule
		return nil, nil
	}
	if t.Layout == nil {
		t.Layout = new(Layout)
		t.Layout.Add(t.Keys)
	}
	places, found := t.Layout.Plan(keys), 0
	for _, at := range places {
		if at >= 0 {
			found++
		}
	}
	if found == row.Len() {
		return places, nil
	}
	for _, name := range keys.All() {
		if !t.Layout.Has(name) {
			return nil, wire.AtKey(Refused(format, wire.CodeUnknownMember, wire.ErrUnknownMember, "the table has no column of that name",
				"declare all members, or encode the whole value at once"), name)
		}
	}
	return places, nil
}

// Rows makes the text of a stream of records.
type Rows interface {
	// AppendHeader appends what is before the records. It refuses to make a text of more
	// than max bytes.
	AppendHeader(dst []byte, max int) ([]byte, error)
	// AppendRow appends a record, before which there are so many in the stream, -1 if
	// that is not known. It returns false then if the text depends on it.
	AppendRow(dst []byte, max int, record wire.Value, before int) ([]byte, bool, error)
	// Fork returns Rows with memory of their own.
	Fork() Rows
}

// AppendEncode appends an array of records, or one alone, which rows make a text of. t is
// their table, nil for records that are not rows of one.
func AppendEncode(format string, dst []byte, outputBytes int, v wire.Value, t *Table, rows Rows) (text []byte, err error) {
	limit := bound.Add(len(dst), outputBytes)
	if t != nil {
		if t.Keys, t.Layout, err = Find(format, v); err != nil || v.Len() == 0 {
			return dst, err
		}
		if t.Layout != nil {
			defer t.Layout.GiveBack()
		}
	}
	text, err = rows.AppendHeader(dst, limit)
	if err == nil && v.Kind() != wire.KindArray {
		text, _, err = rows.AppendRow(text, limit, v, 0)
	} else {
		for i := 0; err == nil && i < v.Len(); i++ {
			text, _, err = rows.AppendRow(text, limit, v.Index(i), i)
			err = wire.AtIndex(err, i)
		}
	}
	if err == nil && !scan.IsUTF8(text[len(dst):]) {
		err = wire.Internal.InvalidUTF8(v, format)
	}
	if err != nil {
		return dst, err
	}
	return text, nil
}

// A Writer is a [wire.RecordWriter] of Rows.
type Writer struct {
	lineio.Output
	format string
	rows   Rows
	limit  int
}

// NewWriter writes the header of a stream, and returns the writer of its records, which
// refuses those of more than limit bytes.
func NewWriter(format string, w io.Writer, rows Rows, limit int) (*Writer, error) {
	out := &Writer{Output: lineio.NewOutput(w), format: format, rows: rows, limit: limit}
	header, err := rows.AppendHeader(out.Text(), limit)
	if err != nil {
		return nil, err
	}
	out.Put(header)
	return out, nil
}

// CheckColumns refuses keys that a table with a header in front cannot have.
func CheckColumns(format string, keys *wire.Keys) error {
	if keys == nil || keys.Len() == 0 {
		return Refused(format, "no_columns", wire.ErrShape, "a table has columns", "name the members that the records have")
	}
	for _, name := range keys.All() {
		if !utf8.ValidString(name) {
			return Refused(format, wire.CodeInvalidUTF8, wire.ErrUTF8, fmt.Sprintf("the name %.40q is not UTF-8", name), "")
		}
	}
	return nil
}

// Write implements [wire.RecordWriter].
func (w *Writer) Write(record wire.Value) error {
	text, _, err := w.AppendRecord(w.Text(), record, w.Count())
	return w.Take(text, wire.AtIndex(err, w.Count()))
}

// AppendRecord implements [split.Appender].
func (w *Writer) AppendRecord(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	text, ok, err := w.rows.AppendRow(dst, bound.Add(len(dst), w.limit), record, before)
	if err == nil && !scan.IsUTF8(text[len(dst):]) {
		err = wire.Internal.InvalidUTF8(record, w.format)
	}
	if err != nil {
		return dst, true, err
	}
	return text, ok, nil
}

// Fork implements [split.ForkingWriter].
func (w *Writer) Fork() split.Appender {
	return &Writer{format: w.format, rows: w.rows.Fork(), limit: w.limit}
}
