package toon

import (
	"fmt"
	"io"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A TableWriter writes the elements of an array one by one, in the form that the
// array has as a whole. It is not safe for concurrent use.
//
// TOON's header comes first and holds the number of elements. If that is known,
// the writer holds one element at a time: the first one decides whether the array
// is a table, a line or a list, and an element that does not go with that is an
// error. If it is not, the writer gathers the text of all elements in memory, up
// to Limits.OutputBytes, and writes at Close.
type TableWriter struct {
	w      io.Writer
	codec  Codec
	limits wire.Limits
	e      encoder
	keys   *wire.Keys // the order of a table's columns; nil: that of the first row
	want   int        // elements announced; negative: not known
	n      int
	size   int // of the text of the elements
	form   form
	whole  bool // the header is written
	closed bool
}

// form is the form of an array (section 1.4).
type form uint8

const (
	formNone   form = iota // nothing was written yet
	formInline             // primitives, in the header's line
	formTable
	formList
)

// writeAt is how many bytes make the writer flush, if it may.
const writeAt = 16 << 10

// NewTableWriter returns a writer of an array of rows elements, or of any number
// if that is negative. Elements may be any values. If they make a table, its
// columns are in the order of keys, or of the first element if keys is nil.
func (c Codec) NewTableWriter(w io.Writer, keys *wire.Keys, rows int) (*TableWriter, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t := &TableWriter{w: w, codec: c, limits: c.Limits.Resolved(), keys: keys, want: rows}
	t.e.reset(c, nil, t.limits)
	t.e.level = 1 // the array
	return t, nil
}

// NewRecordWriter returns a [TableWriter] with an unknown number of elements.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	return c.NewTableWriter(w, keys, -1)
}

// Write appends one element.
func (t *TableWriter) Write(record wire.Value) error {
	if t.e.err != nil {
		return t.e.err
	}
	if err := t.refuse(); err != nil {
		return wire.AtIndex(err, t.n)
	}
	if !t.suits(record) {
		if err := t.become(record); err != nil {
			return wire.AtIndex(err, t.n)
		}
	}
	t.begin()
	from := len(t.e.dst)
	if t.want >= 0 { // what is written is gone
		t.e.start, t.e.indented, t.e.maxLen = from, 0, bound.Add(from, t.limits.OutputBytes)
	}
	t.e.level = 1
	t.element(record)
	if t.size += len(t.e.dst) - from; t.form == formTable {
		t.e.grouped += len(t.e.tables.groups) - 1
		if t.e.grouped > maxGroups(t.limits, t.size) {
			t.e.fail(tooManyGroups())
		}
	}
	if t.e.err == nil && t.e.fits() && !scan.IsUTF8(t.e.dst[from:]) {
		t.e.err = wire.InvalidUTF8(record, format)
	}
	if t.e.err != nil {
		t.e.dst = t.e.dst[:from]
		return wire.AtIndex(t.e.err, t.n)
	}
	t.n++
	if t.want >= 0 && len(t.e.dst) >= writeAt {
		return t.Flush()
	}
	return nil
}

// element appends the element in the writer's form.
func (t *TableWriter) element(v wire.Value) {
	switch t.form {
	case formInline:
		if t.n > 0 {
			t.e.dst = append(t.e.dst, t.e.delim)
		}
		t.e.scalar(v)
	case formTable:
		if t.e.newline(1) {
			t.e.row(v, 0)
		}
	case formList:
		if t.e.newline(1) {
			t.e.item(v, 1, 0)
		}
	}
}

func (t *TableWriter) failed(e wire.Error) error {
	t.e.fail(e)
	return t.e.err
}

// refuse returns an error if there cannot be one more element.
func (t *TableWriter) refuse() error {
	switch {
	case t.closed:
		return t.failed(wire.Error{Code: "closed", Kind: wire.ErrShape, Message: "an element after Close"})
	case t.want >= 0 && t.n == t.want:
		return t.failed(wire.Error{Code: "count_mismatch", Kind: wire.ErrChecksum,
			Message: fmt.Sprintf("more elements than the %d that were announced", t.want)})
	}
	return nil
}

// suits reports whether the element goes with the form so far.
func (t *TableWriter) suits(v wire.Value) bool {
	switch t.form {
	case formInline:
		return v.Kind() < wire.KindArray
	case formTable:
		return t.e.tables.match(v, 0, t.e.keepOrder)
	}
	return t.form == formList
}

// become changes the form to one that has room for the element too.
func (t *TableWriter) become(v wire.Value) error {
	switch {
	case t.form == formNone:
		t.form = formList
		if v.Kind() < wire.KindArray {
			t.form = formInline
		} else if t.e.tables.first(v, t.keys, &t.e) {
			t.form = formTable
			if !scan.IsUTF8(t.header(nil)) {
				t.e.err = wire.InvalidUTF8(v, format)
			}
		}
		return t.e.err
	case t.want >= 0:
		return t.failed(wire.Error{Code: "not_uniform", Kind: wire.ErrShape,
			Message: "the element does not go with the table or line that those before it have begun",
			Hint:    "a writer that does not know the number of elements gathers them and finds the form at the end"})
	}
	return t.relist()
}

// relist writes the elements gathered so far as a list.
func (t *TableWriter) relist() error {
	unbounded := t.codec
	unbounded.Lenient, unbounded.Legacy = false, LegacyNone
	unbounded.Limits = wire.Limits{Depth: wire.MaxDepth, InputBytes: -1, OutputBytes: -1, Values: -1, LineBytes: -1}
	v, err := unbounded.Decode(append(t.header(nil), t.e.dst...))
	if err != nil {
		t.e.err = err
		return err
	}
	t.form = formList
	t.e.dst, t.e.start, t.e.indented = t.e.dst[:0], 0, 0
	for e := range v.Elements() {
		t.element(e)
	}
	return t.e.err
}

// header appends the array's header to dst.
func (t *TableWriter) header(dst []byte) []byte {
	n := t.want
	if n < 0 {
		n = t.n
	}
	h := encoder{dst: dst, delim: t.e.delim}
	h.bracket(n, false)
	if t.form == formTable {
		h.dst = t.e.tables.appendFields(h.dst, 0, h.delim)
	}
	h.dst = append(h.dst, ':')
	if t.form == formInline {
		h.dst = append(h.dst, ' ')
	}
	return h.dst
}

// begin writes the header before the first of a known number of elements.
func (t *TableWriter) begin() {
	if t.want >= 0 && !t.whole {
		t.whole = true
		t.e.dst = t.header(t.e.dst)
	}
}

// Flush writes what has gathered to the writer below, unless the number of
// elements is not known.
func (t *TableWriter) Flush() error {
	if t.want < 0 && !t.closed {
		return t.e.err
	}
	if t.e.err == nil && len(t.e.dst) > 0 {
		t.e.err = lineio.WriteWhole(t.w, t.e.dst)
		t.e.dst = t.e.dst[:0]
	}
	return t.e.err
}

// Close checks the number of elements and writes what is left. It does not close
// the writer below.
func (t *TableWriter) Close() error {
	if t.closed || t.e.err != nil {
		return t.e.err
	}
	if t.want >= 0 && t.n != t.want {
		return t.failed(wire.Error{Code: "count_mismatch", Kind: wire.ErrChecksum,
			Message: fmt.Sprintf("%d elements were announced and %d written", t.want, t.n)})
	}
	t.closed = true
	switch {
	case t.n == 0:
		t.e.dst = append(t.e.dst, "[]"...)
	case t.want < 0:
		if t.e.err = lineio.WriteWhole(t.w, t.header(nil)); t.e.err != nil {
			return t.e.err
		}
	}
	return t.Flush()
}
