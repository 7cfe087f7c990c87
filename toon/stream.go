package toon

import (
	"fmt"
	"io"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// A tableWriter makes the text of the elements of an array, in the form that the
// array has as a whole.
//
// TOON's header comes first and holds the number of elements. If that is known,
// the first one decides whether the array is a table, a line or a list, and an element
// that does not go with that is an error. If it is not, the text of all elements is
// gathered in memory, up to Limits.OutputBytes, and written at Close.
type tableWriter struct {
	records.Base
	codec  Codec
	limits wire.Limits
	e      encoder
	want   int // elements announced; negative: not known
	n      int
	size   int // of the text of the elements
	form   form
	whole  bool        // the header is written
	g      *goEncoder  // of Go values
	flat   gotext.Flat // of those that are rows of a table
}

// form is the form of an array (section 1.4).
type form uint8

const (
	formNone   form = iota // nothing was written yet
	formInline             // primitives, in the header's line
	formTable
	formList
)

// NewTableWriter returns a writer of an array of rows elements, or of any number
// if that is negative. Elements may be any values. If they make a table, its
// columns are in the order of keys, or of the first element if keys is nil.
func (c Codec) NewTableWriter(w io.Writer, keys *wire.Keys, rows int) (wire.RecordWriter, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return records.NewWriter(w, c.tableWriter(keys, rows))
}

func (c Codec) tableWriter(keys *wire.Keys, rows int) *tableWriter {
	g := newGoEncoder()
	t := &tableWriter{Base: records.Base{Format: format, Limits: c.Limits, Keys: keys, Late: rows < 0, Valid: true},
		codec: c, limits: c.Limits.Resolved(), want: rows, g: g, flat: gotext.Flat{Cell: g.Scalar, End: ','}}
	t.e.reset(c, nil, t.limits)
	return t
}

// NewRecordWriter returns a table writer with an unknown number of elements.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	return c.NewTableWriter(w, keys, -1)
}

// AppendGo implements [records.Form] for rows of scalars and the elements of a list, once the
// first one has made a table or a list.
func (t *tableWriter) AppendGo(dst []byte, v any) (_ []byte, done bool, err error) {
	if t.Keys == nil || t.want >= 0 || t.codec != (Codec{}) {
		return dst, false, nil
	}
	from := len(dst)
	switch t.form {
	case formTable:
		_, at := goPlans.Root(&gowire.Types, v)
		if dst, done = t.flat.Append(appendNewline(dst, t.e.unit), at, t.Keys); done {
			dst = dst[:len(dst)-1] // the last comma
		}
		t.g.indented = t.e.unit
	case formList:
		if _, at := goRoots.Of(v, newGoTree); !at.IsNil() {
			dst, done = t.g.bounded(dst, at, (*goEncoder).element)
		}
	}
	if !done || len(dst) > t.e.maxLen || t.e.indented+t.g.indented > t.e.freeIndent || t.e.grouped+t.g.objects > sparseGroups {
		return dst, false, nil
	}
	t.e.indented += t.g.indented
	t.e.grouped += t.g.objects
	t.size += len(dst) - from
	return dst, true, nil
}

// Record implements [records.Form]. On error the writer is as it was.
func (t *tableWriter) Record(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	if t.want >= 0 && before == t.want {
		return dst, true, t.Refused(wire.CodeCount, wire.ErrChecksum, fmt.Sprintf("more elements than the %d that were announced", t.want), "")
	}
	t.n, t.e.dst = before, dst
	if t.form != formNone && !t.suits(record) {
		err := t.become(record)
		return t.e.dst, true, err
	}
	size, grouped, indented := t.size, t.e.grouped, t.e.indented
	if t.form == formNone {
		t.e.level = 1 // the array
		t.choose(record)
	}
	t.add(record)
	err := t.e.err
	if err != nil {
		t.size, t.e.grouped, t.e.indented = size, grouped, indented
		t.e.err = nil
		if t.n == 0 {
			t.form, t.whole = formNone, false
		}
	}
	return t.e.dst, true, err
}

// add appends the element in the writer's form, and the header before the first of a
// known number.
func (t *tableWriter) add(v wire.Value) {
	if t.want >= 0 && !t.whole {
		t.whole = true
		t.e.dst = t.header(t.e.dst)
	}
	from := len(t.e.dst)
	if t.want >= 0 { // what is written is gone
		t.e.start, t.e.indented, t.e.maxLen = from, 0, bound.Add(from, t.limits.OutputBytes)
	}
	t.e.level = 1 // the array
	t.element(v)
	if t.size += len(t.e.dst) - from; t.form == formTable {
		t.e.grouped += len(t.e.tables.groups) - 1
	}
	t.e.boundGroups(t.size)
	if t.e.err == nil && t.e.fits() && !scan.IsUTF8(t.e.dst[from:]) {
		t.e.err = wire.Internal.InvalidUTF8(v, format)
	}
}

// element appends the element in the writer's form.
func (t *tableWriter) element(v wire.Value) {
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
			t.e.item(v, 1)
		}
	}
}

// suits reports whether the element goes with the form so far.
func (t *tableWriter) suits(v wire.Value) bool {
	switch t.form {
	case formInline:
		return v.Kind() < wire.KindArray
	case formTable:
		return t.e.tables.match(v, 0, t.e.keepOrder)
	}
	return t.form == formList
}

// choose finds the form that the first element asks for.
func (t *tableWriter) choose(first wire.Value) {
	t.form = formList
	if first.Kind() < wire.KindArray {
		t.form = formInline
	} else if t.e.tables.first(first, t.Keys, &t.e) {
		t.form = formTable
		if !scan.IsUTF8(t.header(nil)) {
			t.e.err = wire.Internal.InvalidUTF8(first, format)
		}
	}
}

// become makes a list of the elements gathered so far and the one that does not go
// with their form.
func (t *tableWriter) become(v wire.Value) error {
	if t.want >= 0 {
		return &wire.Error{Format: format, Code: "not_uniform", Kind: wire.ErrShape,
			Message: "the element does not go with the table or line that those before it have begun",
			Hint:    "a writer that does not know the number of elements gathers them and finds the form at the end"}
	}
	unbounded := t.codec
	unbounded.Lenient, unbounded.V3 = false, false
	unbounded.Limits = wire.Limits{Depth: bound.MostDepth, InputBytes: -1, OutputBytes: -1, Values: -1, LineBytes: -1}
	before, err := unbounded.Decode(append(t.header(nil), t.e.dst...))
	if err != nil {
		return err
	}
	list := t.codec.tableWriter(t.Keys, t.want)
	list.form = formList
	var ends []int
	for e := range before.Elements() {
		list.add(e)
		ends = append(ends, len(list.e.dst))
	}
	if list.add(v); list.e.err == nil {
		list.Base = t.Base
		*t = *list
		t.Out.Reset()
		for _, end := range ends {
			_ = t.Out.Hold(t.e.dst[:end], nil)
		}
	}
	return list.e.err
}

// header appends the array's header to dst.
func (t *tableWriter) header(dst []byte) []byte {
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

// End implements [records.Form]: of an unknown number, the header is written now.
func (t *tableWriter) End(dst []byte, n int) ([]byte, error) {
	t.n = n
	switch err := t.Counted(t.want, n); {
	case err != nil:
		return dst, err
	case n == 0:
		dst = append(dst, "[]"...)
	case t.want < 0:
		t.Out.Ahead(t.header(nil))
	}
	return dst, nil
}
