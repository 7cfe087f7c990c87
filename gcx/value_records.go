package gcx

import (
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter returns a writer of one section whose rows are the records.
// Since the header comes first, it says rows=*, an array of unknown length, and
// types=m, under which cells carry every value. A payload cut inside a line is
// noticed by its reader, one cut between two lines is not.
//
// With keys the records are objects that have them as members, in this order;
// a record may lack some, and have them in any order with Reorder. One that lacks
// the only member is a blank line, which Interop and Plain refuse. Without keys, or
// if they are just the key "value", records are values of any kind in one column.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if keys != nil && !areFields(keys) {
		keys = nil
	}
	r := c.recordWriter(keys)
	r.rows = newGoRows()
	r.rows.columnLetters = columnLetters{sets: []letterSet{letterM}, flags: []columnFlags{isQuoted}}
	r.flat = gotext.Flat{Cell: r.rows.anyCell, Nested: true, End: '\t'}
	return records.NewWriter(w, r)
}

// A recordWriter makes the rows of a section.
type recordWriter struct {
	records.Base
	e     *valueEncoder
	rows  *goRows
	flat  gotext.Flat
	last  *wire.Keys // of the last record that lacks members
	place []int
}

func (c Codec) recordWriter(keys *wire.Keys) *recordWriter {
	e := new(valueEncoder).begin(&c, nil)
	t := &e.table
	t.list, t.sets = true, []letterSet{letterM}
	if keys != nil {
		t.keys = keys
		t.sets = slices.Repeat(t.sets, keys.Len())
	}
	t.flags = slices.Repeat([]columnFlags{isQuoted}, len(t.sets))
	return &recordWriter{Base: records.Base{Format: name, Limits: c.Limits, Keys: keys}, e: e}
}

// Header implements [records.Form].
func (r *recordWriter) Header(dst []byte) ([]byte, error) {
	e := r.e
	e.dst = dst
	if e.c.Plain && r.Keys != nil {
		e.refuseTwins(r.Keys.Len(), r.Keys.At)
	}
	e.heading(e.baseToken(), nil)
	e.dst = append(e.dst, " "+metaRows+"="+anyRows...)
	if !e.c.Plain {
		e.dst = append(e.dst, " "+metaTypes+"=m"...)
	}
	e.dst = append(e.dst, '\n')
	r.Out.Columns(len(e.table.sets), "", r.Limits.OutputBytes)
	if e.err != nil {
		return dst, e.err
	}
	return e.dst, checkText(e.dst)
}

// AppendGo implements [records.Form].
func (r *recordWriter) AppendGo(dst []byte, v any) (_ []byte, done bool, err error) {
	if c := &r.e.c; r.Keys == nil || c.Plain || c.Interop || c.Limits != (wire.Limits{}) {
		return dst, false, nil
	}
	start := len(dst)
	_, at := gotext.JSON.Root(&gowire.Types, v)
	r.rows.Begin(r.Max)
	dst, done = r.flat.Append(dst, at, r.Keys)
	r.rows.Clear()
	if done {
		dst[len(dst)-1] = '\n' // instead of the last tab
		dst = guardRow(dst, start)
	}
	return dst, done, nil
}

// Record implements [records.Form].
func (r *recordWriter) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	e := r.e
	e.dst, e.max, e.order, e.err = dst, r.Max, e.order[:0], nil
	r.row(record)
	row := e.dst[len(dst):]
	switch {
	case e.err != nil:
		return dst, true, e.err
	case len(row) == len("\n") && e.c.Interop:
		return dst, true, foreign("a row that is a blank line")
	case len(row) == len("\n") && e.c.Plain:
		return dst, true, shape("empty_row", "the record would be a blank line, which readers skip where there are no types=")
	}
	return e.dst, true, e.c.checkLine(row)
}

// Fork implements [records.Forker].
func (r *recordWriter) Fork() records.Form { return r.e.c.recordWriter(r.Keys) }

func (r *recordWriter) row(v wire.Value) {
	e, t := r.e, &r.e.table
	switch {
	case t.keys == nil:
		e.single(v, 1)
	case v.Kind() != wire.KindObject:
		e.fail(shape("not_a_record", "a row is an object, not "+v.Kind().String()))
	case v.Keys() == t.keys || wire.Internal.Same(v.Keys(), t.keys):
		t.keys = v.Keys() // which later records have too, as a rule
		e.object(v, nil, 1)
	default:
		if places := r.places(v.Keys()); e.err == nil {
			e.object(v, places, 1)
		}
	}
}

// places returns where the members of the fields are, and refuses members that
// no field has or that are not in the fields' order.
func (r *recordWriter) places(keys *wire.Keys) []int {
	if r.place != nil && r.last == keys {
		return r.place
	}
	t := &r.e.table
	last := -1
	for _, key := range keys.All() {
		at := t.keys.Index(key)
		if at < 0 {
			bad := &wire.Error{Format: name, Code: wire.CodeUnknownMember, Kind: wire.ErrUnknownMember,
				Message: "a record has the member " + strconv.Quote(key) + ", which is not a field"}
			_ = wire.AtKey(bad, key)
			r.e.fail(bad)
			return nil
		}
		if at < last && !r.e.c.Plain && !r.e.c.Reorder {
			bad := shape("member_order", "a record has the member "+strconv.Quote(key)+" in another place than the fields")
			bad.Hint = "use gcx:reorder, which is Codec.Reorder, to write it in the order of the fields"
			r.e.fail(bad)
			return nil
		}
		last = at
	}
	r.last, r.place = keys, t.appendPlaces(r.place[:0], keys)
	return r.place
}

// Records reads the rows of a payload of one section, holding one at a time.
// Pairs of its header that are not rows=, types= and sections= are passed over.
// A second section is an error, and so is a section that its payload declares
// and does not have. Rows before an error are yielded, and none before its line
// is complete, if the header counts rows or sections; without such a count a
// last line may lack its line feed. A payload that is one value is one record, also
// if that is an array.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return streams{}.ViewRecords(c, inplace.Owned{}, r)
}

func (streams) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		rows, err := newRecordReader(c.(Codec).NewDecoder(r))
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
		if !rows.alone && !rows.bare {
			rows.target = rows.c.newTarget(to, rows.h)
		}
		rows.b.Records(to, func(yield func(wire.Value, error) bool) { rows.records(-1, yield) }, yield)
	}
}

// records yields the rows that are left, most of them at most unless that is negative.
func (r *recordReader) records(most int, yield func(wire.Value, error) bool) {
	for n := 0; n != most; n++ {
		v, err := r.next()
		if err == io.EOF && r.pending {
			err = r.header.errorAt(0, *shape("several_sections", "records are the rows of one section, and here begins a second"))
		}
		if err == io.EOF || !yield(v, err) || err != nil {
			return
		}
	}
}

type recordReader struct {
	rowReader
	alone  bool       // the section is one object, not a list
	target *rowTarget // nil for none
}

func newRecordReader(d *Decoder) (*recordReader, error) {
	v := newValueDecoder(d)
	v.stream = &d.lines.line
	h, err := d.nextSection()
	if err != nil {
		return nil, err
	}
	r := &recordReader{alone: (h.dotted || h.hasMembers()) && h.types != "" && !h.counted()}
	r.begin(v)
	return r, nil
}

func (r *recordReader) next() (wire.Value, error) {
	err := r.rowLine()
	switch n := r.rows; {
	case r.alone && err == nil && n > 1:
		err = r.fail(r.lines.errorAt(0, *notOneRow(n, r.h.Tool)))
	case r.alone && err == io.EOF && n != 1:
		err = r.failAtEnd(*notOneRow(n, r.h.Tool))
	}
	if err != nil {
		return wire.Value{}, err
	}
	r.text = r.lines.text
	if storeRow(r.target, r.text) {
		return wire.Value{}, nil
	}
	r.values, r.array, r.blank = r.lines.limits.Values, r.array[:0], wire.Value{}
	if err := r.line(0); err != nil {
		return wire.Value{}, err
	}
	record := r.array[0]
	r.b.EndRecord()
	return record, nil
}
