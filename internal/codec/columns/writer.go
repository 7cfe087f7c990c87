package columns

import (
	"io"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// An Encoder is what the encoders of formats have in common: the text, and where in its
// rows the columns of a table are.
type Encoder struct {
	records.Base
	Noun   string  // what errors call the text
	Nested string  // the hint for a row with an array or object in it
	Lists  bool    // records are not rows of a table
	Layout *Layout // of rows whose keys are not Keys; nil before the first one
}

func (e *Encoder) encoder() *Encoder { return e }

var _ interface{ encoder() *Encoder } = (*Encoder)(nil) // formats embed an Encoder

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

// Row appends a row, cell by cell.
func (e *Encoder) Row(dst []byte, row wire.Value, cells Cells) ([]byte, error) {
	if err := e.checkRow(row); err != nil {
		return dst, err
	}
	places, err := []int32(nil), error(nil)
	if row.Keys() != e.Keys { // most rows have the last one's
		if places, err = e.places(row); err != nil {
			return dst, err
		}
	}
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
			err = e.Refused("nested_cell", wire.ErrShape, "a cell cannot hold "+wire.Internal.WithArticle(v.Kind()), e.Nested)
		}
		if err != nil {
			return dst, wire.AtKey(err, e.Name(i))
		}
	}
	return dst, nil
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
	records.Form
	encoder() *Encoder
}

// AppendEncode appends an array of records, or one alone.
func AppendEncode(dst []byte, v wire.Value, rows Rows) (text []byte, err error) {
	e := rows.encoder()
	e.Max = bound.Add(len(dst), e.Limits.Resolved().OutputBytes)
	if !e.Lists {
		if err = e.find(v); err != nil || v.Len() == 0 {
			return dst, err
		}
		if e.Layout != nil {
			defer e.Layout.GiveBack()
		}
	}
	text, err = rows.Header(dst)
	if err == nil && v.Kind() != wire.KindArray {
		text, _, err = rows.Record(text, v, 0)
	} else {
		for i := 0; err == nil && i < v.Len(); i++ {
			text, _, err = rows.Record(text, v.Index(i), i)
			err = wire.AtIndex(err, i)
		}
	}
	if err == nil && !scan.IsUTF8(text[len(dst):]) {
		err = wire.Internal.InvalidUTF8(v, e.Format)
	}
	if err != nil {
		return dst, err
	}
	return text, nil
}

// NewWriter returns the writer of a stream.
func NewWriter(w io.Writer, rows Rows) (wire.RecordWriter, error) {
	if e := rows.encoder(); !e.Lists && (e.Keys == nil || e.Keys.Len() == 0) {
		return nil, e.Refused("no_columns", wire.ErrShape, "a table has columns", "name the members that the records have")
	}
	return records.NewWriter(w, rows)
}
