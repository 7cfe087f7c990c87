package gcx

import (
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
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
	r := &recordWriter{Output: lineio.NewOutput(w), c: c, limit: c.Limits.Resolved().OutputBytes, keys: keys}
	r.rows = goRows{columnLetters: columnLetters{sets: []letterSet{letterM}, flags: []columnFlags{isQuoted}}, max: r.limit, json: new(*gotext.JSONWriter)}
	r.flat = gotext.Flat{Cell: r.rows.anyCell, Nested: true, End: '\t'}
	e := r.newEncoder()
	e.dst = r.Text()
	t := &e.table
	if c.Plain && t.keys != nil {
		e.plainNames(keyNames(t.keys)) // refuses what it must
	}
	e.dst = append(append(e.dst, tag+" tool="...), e.baseToken()...)
	e.fields()
	e.dst = append(e.dst, " "+metaRows+"="+anyRows...)
	if !c.Plain {
		e.dst = append(e.dst, " "+metaTypes+"=m"...)
	}
	e.dst = append(e.dst, '\n')
	if e.err != nil {
		return nil, e.err
	}
	if err := checkText(e.dst); err != nil {
		return nil, err
	}
	r.e = e
	r.Put(e.dst)
	r.Columns(len(t.sets), "", c.Limits.OutputBytes)
	return r, nil
}

// newEncoder returns an encoder of rows.
func (r *recordWriter) newEncoder() *valueEncoder {
	e := new(valueEncoder).begin(&r.c, nil)
	t := &e.table
	t.list, t.sets = true, []letterSet{letterM}
	if r.keys != nil {
		t.keys = r.keys
		t.sets = slices.Repeat(t.sets, r.keys.Len())
	}
	t.flags = slices.Repeat([]columnFlags{isQuoted}, len(t.sets))
	return e
}

type recordWriter struct {
	lineio.Output
	c     Codec
	e     *valueEncoder
	limit int
	keys  *wire.Keys // the fields; nil for one column of values
	rows  goRows
	flat  gotext.Flat
	last  *wire.Keys // of the last record that lacks members
	place []int
}

// Write writes a record.
func (r *recordWriter) Write(record wire.Value) error {
	r.e.dst = r.Text()
	err := r.append(record)
	return r.Take(r.e.dst, wire.AtIndex(err, r.Count()))
}

// WriteGo writes a row without a Value.
func (r *recordWriter) WriteGo(v any) (done bool, err error) {
	if r.keys == nil || r.c.Plain || r.c.Interop || r.c.Limits != (wire.Limits{}) {
		return false, nil
	}
	start := len(r.Text())
	_, at := gotext.JSON.Root(&gowire.Types, v)
	dst, done := r.flat.Append(r.Text(), at, r.keys)
	r.rows.giveBack()
	if !done {
		return false, nil
	}
	dst[len(dst)-1] = '\n' // instead of the last tab
	return true, r.Take(guardRow(dst, start), nil)
}

// append appends a row to the encoder's text.
func (r *recordWriter) append(record wire.Value) error {
	e := r.e
	start := len(e.dst)
	e.max = bound.Add(start, r.limit)
	e.order, e.err = e.order[:0], nil
	r.record(record)
	if e.err == nil && len(e.dst) == start+len("\n") {
		e.err = r.c.blankRecord()
	}
	if e.err == nil && !scan.IsUTF8(e.dst[start:]) {
		e.err = wire.Internal.InvalidUTF8(record, name)
	}
	if e.err == nil {
		e.err = r.c.checkLine(e.dst[start:])
	}
	if e.err == nil && !r.Holds(e.dst[start:]) {
		e.err = &wire.Error{Format: name, Code: "sparse_table", Kind: wire.ErrLimit,
			Message: "the rows of the stream are mostly empty cells", Hint: "raise Limits.OutputBytes, or use a format without columns"}
	}
	if e.err != nil {
		e.dst = e.dst[:start]
	}
	return e.err
}

// blankRecord returns the error for a record that is a blank line, nil if that is a
// row.
func (c Codec) blankRecord() error {
	switch {
	case c.Interop:
		return foreign("a row that is a blank line")
	case c.Plain:
		return shape("empty_row", "the record would be a blank line, which readers skip where there are no types=")
	}
	return nil
}

// Fork returns a writer of rows only.
func (r *recordWriter) Fork() records.Appender {
	f := &recordWriter{c: r.c, limit: r.limit, keys: r.keys}
	f.e = f.newEncoder()
	return f
}

// AppendRecord is what a fork makes of a record.
func (r *recordWriter) AppendRecord(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	r.e.dst = dst
	err := r.append(record)
	return r.e.dst, true, err
}

func (r *recordWriter) record(v wire.Value) {
	e, t := r.e, &r.e.table
	switch {
	case t.keys == nil && r.c.Plain:
		e.plainRow(v, nil, 1)
	case t.keys == nil:
		e.single(v, 1)
	case v.Kind() != wire.KindObject:
		e.fail(shape("not_a_record", "a row is an object, not "+v.Kind().String()))
	case r.c.Plain:
		e.plainRow(v, r.names(v), 1)
	case v.Keys() == t.keys:
		e.object(v, 1)
	case wire.Internal.Same(v.Keys(), t.keys):
		t.keys = v.Keys() // which later records have too, as a rule
		e.object(v, 1)
	default:
		if places := r.places(v.Keys()); e.err == nil {
			e.sparse(v, places, 1)
		}
	}
}

// names returns the fields, all of which v's members must be among.
func (r *recordWriter) names(v wire.Value) []string {
	r.places(v.Keys())
	return keyNames(r.e.table.keys)
}

func keyNames(keys *wire.Keys) []string {
	names := make([]string, 0, keys.Len())
	for _, key := range keys.All() {
		names = append(names, key)
	}
	return names
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
		if at < last && !r.c.Plain && !r.c.Reorder {
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
	return func(yield func(wire.Value, error) bool) {
		d := c.NewDecoder(r)
		rows, err := newRecordReader(d)
		d.records(rows, err, -1, yield)
	}
}

// ViewRecords reads into memory that is reused.
func (internals) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		d := c.(Codec).NewDecoder(r)
		rows, err := newRecordReader(d)
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
		rows.reused = true
		if !rows.alone && !rows.bare {
			rows.target = rows.d.c.newTarget(to, rows.h)
		}
		rows.b.Records(to, func(yield func(wire.Value, error) bool) { d.records(rows, nil, -1, yield) }, yield)
	}
}

// records yields the rows that are left, most of them at most unless that is
// negative, or the error of their header.
func (d *Decoder) records(rows *recordReader, err error, most int, yield func(wire.Value, error) bool) {
	for n := 0; err == nil; n++ {
		if n == most {
			return
		}
		var v wire.Value
		if v, err = rows.next(); err == nil && !yield(v, nil) {
			return
		}
	}
	if err == io.EOF {
		if d.next == nil {
			return
		}
		e := shape("several_sections", "records are the rows of one section, and here begins a second")
		err = d.header.errorAt(0, *e)
	}
	yield(wire.Value{}, err)
}

type recordReader struct {
	rowReader
	d     *Decoder
	alone bool // the section is one object, not a list
	// reused says that a record is valid until the next one only.
	reused bool
	target *rowTarget // nil for none
}

func newRecordReader(d *Decoder) (*recordReader, error) {
	d.unnamed = true // values may be of the field without a name
	h, err := d.nextSection()
	if err != nil {
		return nil, err
	}
	keys, bad := h.check(wire.NewKeys)
	if bad != nil {
		return nil, d.header.errorAt(bad.at, bad.Error)
	}
	v := &valueDecoder{cellReader: cellReader{b: builder.NewCells()}, payload: payload{c: d.c, limits: d.c.Limits.Resolved(), stream: &line{}}}
	r := &recordReader{d: d, alone: (h.dotted || h.hasMembers()) && h.types != "" && !h.counted()}
	h.setLetters(keys, d.c.AllStrings)
	r.valueDecoder, r.h, r.keys, r.types = v, h, keys, h.letters
	r.begin()
	return r, nil
}

// blankRow reports whether the section's only blank line is its row, which is
// how the generic fallback writes a single empty cell.
func (r *recordReader) blankRow() bool {
	return len(r.types) == 1 && r.h.rows < 0 && r.d.rows == 0 && r.d.blanks == 1
}

func (r *recordReader) next() (wire.Value, error) {
	l, err := r.d.rowLine()
	if err == io.EOF && r.blankRow() {
		r.d.rows++
		l, err = line{}, nil
	}
	if n := r.d.rows; r.alone && (err == nil && n > 1 || err == io.EOF && n != 1) {
		if err != nil {
			l = r.d.end()
		}
		return wire.Value{}, r.d.fail(l.errorAt(0, notOneRow(n, r.h.Tool)))
	}
	if err != nil {
		return wire.Value{}, err
	}
	if r.target.store(l.whole) {
		return wire.Value{}, nil
	}
	r.text, *r.stream = l.text, l // row ends before a CR LF, once
	if r.values, r.array = r.limits.Values, r.array[:0]; r.reused {
		r.blank = wire.Value{}
	}
	if cutCR(l.text) == "" {
		err = r.empty(0)
	} else {
		_, err = r.row(0)
	}
	if err != nil {
		return wire.Value{}, err
	}
	record := r.array[0]
	r.b.EndRecord()
	return record, nil
}
