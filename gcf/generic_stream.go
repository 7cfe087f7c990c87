package gcf

import (
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

var _ wire.Streamer = Codec{}

// NewRecordWriter returns a writer of records: the elements of one array at the
// root of a document with deferred counts (section 8). It holds one record at a
// time.
//
// With keys, the records are objects and become the rows of a table: its columns
// are keys, of which a record may lack some; a record with others is refused,
// and so are keys that hold ">". Nested values are attached to their rows, which
// the specification does not expect in a stream (section 8.3): the reference
// implementations count the lines of attachments as rows and refuse the trailer,
// so that only this package reads such a stream, unless it is written with
// NoTrailer. Flat records give a stream that every decoder knows.
//
// A key with ">" in it is a path column (section 7.4.6): of the keys "id", "user>id" and
// "user>name" the last two have the members of the member user, in its place. Such a member
// is an object with just these members in their order, of which not all are null, or it is
// null or missing; a record with another one is refused.
//
// Without keys (nil, or none) records may be of any shape and become the items
// of an expanded array, which is longer; for objects among them the same holds.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	if keys != nil && keys.Len() == 0 {
		keys = nil
	}
	r, err := newRecordWriter(c, keys)
	if err != nil {
		return nil, err
	}
	return records.NewWriter(w, r)
}

func unsupportedColumn(name string) error {
	return lex.Fault("unsupported_field", wire.ErrShape, "",
		"the name "+lex.Quoted(name)+` holds ">", which stands for nested objects and cannot be a column of a stream`, "encode the whole value at once")
}

// A recordWriter makes the rows of a table, or the items of an expanded array.
type recordWriter struct {
	records.Base
	codec Codec
	e     encoder
	model wire.Value // an object with the columns, and with objects where these are paths
	table table      // with the columns, if there are any

	direct *goEncoder // of structs, nil if all need Values
	node   *gotext.Node
	ops    []goOp // of the fields of that, none if they are not the columns
}

func newRecordWriter(c Codec, keys *wire.Keys) (*recordWriter, error) {
	r := &recordWriter{Base: records.Base{Format: lex.FormatName, Limits: c.Limits, Keys: keys}, codec: c}
	if keys == nil {
		return r, nil
	}
	var names []string
	for _, name := range keys.All() {
		names = append(names, name)
	}
	var ok bool
	if r.model, ok = nest(names); !ok {
		return nil, unsupportedColumn(names[slices.IndexFunc(names, lex.HoldsPath)])
	}
	if variants.IsZero[Codec](c) && keys.Len() == r.model.Len() { // without paths
		r.direct = new(goEncoder)
	}
	return r, r.open()
}

// nest returns an object that has a null for each path, and an object where paths go on.
// It reports false where those of one object are not next to each other.
func nest(paths []string) (v wire.Value, ok bool) {
	var members []wire.Member
	for len(paths) > 0 {
		head, _, deep := strings.Cut(paths[0], ">")
		var inner []string
		for _, path := range paths {
			name, rest, more := strings.Cut(path, ">")
			if name != head || more != deep {
				break
			}
			inner = append(inner, rest)
		}
		if deep {
			if v, ok = nest(inner); !ok {
				return v, false
			}
		}
		members, paths = append(members, wire.Member{Key: head, Value: v}), paths[len(inner):]
		v = wire.Null()
	}
	v, err := wire.Object(members...)
	return v, err == nil
}

// open begins the table.
func (w *recordWriter) open() error {
	w.table = w.e.openStream(w.model.Keys())
	var f flattened
	for i, depth := 0, min(maxFlatDepth, w.Limits.Resolved().Depth-2); i < w.model.Len(); i++ {
		c, model, before := &w.e.columns[w.table.columns+i], w.model.Index(i), f.leaves
		if model.Kind() != wire.KindObject {
			continue
		}
		if c.name == "" || w.codec.NoFlatten || !f.add(model, depth, 0, 0) || f.objects-f.leaves > maxChained {
			return unsupportedColumn(c.name + ">")
		}
		c.form, c.model, c.leaves = cellFlat, model, f.leaves-before
	}
	return nil
}

// AppendGo implements [records.Form] for structs.
func (w *recordWriter) AppendGo(dst []byte, v any) ([]byte, bool, error) {
	if w.direct == nil {
		return dst, false, nil
	}
	root, at := goRoots.Of(v, newGoRoot)
	if w.node != at.Node {
		if w.node, w.ops = at.Node, nil; at.Node != nil && at.Has(w.Keys) {
			w.ops = root.Plan.recordOps()
		}
	}
	if at.IsNil() || w.ops == nil {
		return dst, false, nil
	}
	e, from := w.direct, len(dst)
	e.cut(0) // what a record for the general path has left
	e.max, e.free = from+freeOutput, from+freeOutput
	e.values, e.chained = bound.Values/2, w.e.chained
	dst, ok := e.record(dst, w.ops, at, w.Out.Count(), 0)
	if ok = ok && len(dst) <= e.max && scan.IsUTF8(dst[from:]) && w.Out.Holds(dst[from:]); ok {
		w.e.chained = e.chained
	}
	return dst, ok, nil
}

// Header implements [records.Form].
func (w *recordWriter) Header(dst []byte) ([]byte, error) {
	w.e.dst = append(dst, lex.GenericHeader+"## "...)
	if w.Keys == nil {
		return append(w.e.dst, "[?]\n"...), nil
	}
	w.e.tableHeader(&w.table)
	w.Columns("~")
	return w.e.dst, nil
}

// Record implements [records.Form]. Where something is attached to a record, and in an
// expanded array, its text begins with its number.
func (w *recordWriter) Record(dst []byte, record wire.Value, before int) ([]byte, bool, error) {
	w.e.dst = dst
	w.e.reset(w.codec, len(dst), w.Limits.Resolved())
	w.e.limit(&w.Limits, len(dst), record)
	err := w.e.within(w.record(record, before))
	if err == nil && before < 0 && w.e.dst[len(dst)] == '@' {
		return dst, false, nil
	}
	return w.e.dst, true, err
}

func (w *recordWriter) record(v wire.Value, n int) error {
	if w.Keys == nil {
		if err := w.e.enter(1); err != nil {
			return err
		}
		w.e.count("@", n, " ")
		return w.e.item(v, 2)
	}
	if err := w.e.enter(2); err != nil {
		return err
	}
	if err := w.e.checkStreamed(&w.table, v); err != nil {
		return err
	}
	return w.e.row(&w.table, n, "", v)
}

// Undo implements [records.Form]: it takes what the record left off the encoder's stacks.
func (w *recordWriter) Undo() {
	w.e.close(&w.table)
	if w.Keys != nil {
		_ = w.open() // as it was
	}
}

// Fork implements [records.Forker].
func (w *recordWriter) Fork() records.Form {
	fork, _ := newRecordWriter(w.codec, w.Keys) // as this one was made
	return fork
}

// End implements [records.Form].
func (w *recordWriter) End(dst []byte, n int) ([]byte, error) {
	if w.codec.NoTrailer {
		return dst, nil
	}
	return append(strconv.AppendInt(append(dst, "##! summary counts="...), int64(n), 10), '\n'), nil
}

// reset makes e ready to write a part of a document after the first n bytes of
// its buffer.
func (e *encoder) reset(c Codec, n int, limits wire.Limits) {
	e.dst, e.max, e.depth = e.dst[:n], bound.Add(n, limits.OutputBytes), limits.Depth
	e.measure = measure{}
	e.noFlatten, e.noKeyed, e.dense, e.reorder = c.NoFlatten, c.NoKeyedMaps, c.Dense, c.ReorderNested || c.Reorder
}

// openStream begins a table of an array, with the columns keys, whose rows are not known yet.
func (e *encoder) openStream(keys *wire.Keys) table {
	t := e.open(wire.Null())
	t.form, t.deferred = tableArray, true
	e.shape(&t, keys)
	t.width = keys.Len()
	return t
}

// checkStreamed reports why a value cannot be a row of a table that openStream began. The
// columns in which it has containers are for what is attached from now on.
func (e *encoder) checkStreamed(t *table, v wire.Value) error {
	if v.Kind() != wire.KindObject {
		return lex.Fault("not_an_object", wire.ErrShape, "", "a row is an object, not "+v.Kind().String(), "")
	}
	s := e.shape(t, v.Keys())
	if added := e.columns[t.columns+t.width:]; len(added) > 0 && added[0].path {
		return wire.AtKey(unsupportedColumn(added[0].name), added[0].name)
	} else if len(added) > 0 {
		return wire.AtKey(lex.Fault(wire.CodeUnknownMember, wire.ErrUnknownMember, "", "the member is not among the columns that the stream declared", "declare all members, or encode the whole value at once"), added[0].name)
	}
	for i, column := range e.indexes[s.at : s.at+v.Len()] {
		c, child := &e.columns[t.columns+int(column)], v.Index(i)
		switch {
		case c.form == cellFlat && !e.fitsPaths(child, c.model):
			return wire.AtKey(lex.Fault("path_mismatch", wire.ErrShape, "", "the member is no object with the members that the columns are paths of",
				"name the member itself as a column, or encode the whole value at once"), c.name)
		case c.form != cellFlat && lex.IsContainer(child.Kind()):
			c.form, t.to = cellAttached, t.width
		}
	}
	return nil
}

// fitsPaths reports whether a value can be in path columns: an object like model in which not
// all is null, or null.
func (e *encoder) fitsPaths(v, model wire.Value) bool {
	if v.Kind() != wire.KindObject {
		return v.Kind() == wire.KindNull
	}
	same, filled := e.fitsModel(v, model)
	return same && filled
}

// Records reads the elements of a document that is one array, streamed or not,
// one at a time; an object whose only member is an array is read too. Limits
// bound one element each, LineBytes its length with all that belongs to it.
//
// An element is yielded once the line after it was read, which tells that it is
// complete. A document with deferred counts and without a summary may have been
// cut after a line: Warn is told of it after the last element, and with Strict
// it is an error.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return streams{}.ViewRecords(c, inplace.Owned{}, r)
}

func (streams) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		s := c.(Codec).records(r)
		_, owned := to.(inplace.Owned)
		if s.d.lent = !owned; variants.IsZero[Codec](c) {
			s.to = to
		}
		s.in.Begin(0, 0)
		defer s.in.Free()
		s.d.Records(to, s.all, yield)
	}
}

// A GenericStreamEncoder writes an object in the generic profile while its
// content is being found (section 8): members, and tables whose rows are not
// counted before. Every call writes whole lines with one call of the writer's
// Write and holds nothing back. It keeps the names of members, to refuse what
// could not be decoded again. [Codec.NewStreamEncoder] makes one.
//
// After an error it writes nothing more. It is not safe for concurrent use.
type GenericStreamEncoder struct {
	sink
	codec Codec
	tool  string
	e     encoder
	names map[string]bool // of members
	// afterRows says that the last lines were rows without a declared count: a
	// line that begins with a key would read as one more row.
	afterRows bool
	table     *streamTable
	counts    []int // of the tables
	begun     bool
}

// streamTable is a table whose rows are being written.
type streamTable struct {
	table
	fields *wire.Keys
	n      int
}

// NewStreamEncoder returns an encoder that writes to w. The header names the tool,
// unless that is empty. The codec's options apply to whole values.
func (c Codec) NewStreamEncoder(w io.Writer, tool string) *GenericStreamEncoder {
	return &GenericStreamEncoder{sink: sink{w: w}, codec: c, tool: tool, names: make(map[string]bool)}
}

// begin makes e ready for a line.
func (e *GenericStreamEncoder) begin() {
	e.checkOpen()
	e.e.reset(e.codec, 0, e.codec.Limits.Resolved())
	if !e.begun {
		e.stop(lex.CheckHeaderValue("tool", e.tool))
		e.begun = true
		e.e.dst = append(lex.AppendTextField(append(e.e.dst, "GCF profile=generic"...), "tool", e.tool), '\n')
	}
}

// flush writes the lines, unless there was an error.
func (e *GenericStreamEncoder) flush() error {
	switch {
	case e.e.over():
		e.stop(e.e.tooLong())
	case !scan.IsUTF8(e.e.dst):
		e.stop(lex.Fault(wire.CodeInvalidUTF8, wire.ErrUTF8, "", "a name or a string is not UTF-8", ""))
	}
	return e.write(e.e.dst)
}

// name checks that a member of that name can be written now. isLine says that
// its line begins with the name.
func (e *GenericStreamEncoder) name(name string, isLine bool) {
	switch {
	case e.table != nil:
		e.stop(lex.Fault("table_open", wire.ErrShape, "", "a member between the rows of a table", "call EndTable first"))
	case e.names[name]:
		e.stop(lex.Fault(wire.CodeDuplicateKey, wire.ErrDuplicateKey, "", "the member "+lex.Quoted(name)+" was written before", ""))
	case isLine && e.afterRows:
		e.stop(lex.Fault("member_after_rows", wire.ErrShape, "",
			"the member "+lex.Quoted(name)+" would read as a row of the table before it, whose rows are not counted", "write it before the table"))
	}
	e.names[strings.Clone(name)] = true
	e.afterRows = false
}

// Member writes a member with its whole value. After a table only arrays that
// are no list of scalars, and objects, can follow: see EndTable.
func (e *GenericStreamEncoder) Member(name string, v wire.Value) error {
	isLine := !lex.IsContainer(v.Kind()) || v.Kind() == wire.KindArray && e.e.arrayForm(v) == arrayInline
	e.begin()
	e.name(name, isLine)
	if e.stop(e.e.enter(1)) == nil {
		e.e.limit(&e.codec.Limits, 0, v)
		e.stop(wire.AtKey(e.e.member(name, v, 0), name))
	}
	return e.flush()
}

// BeginTable begins a member that is an array of objects with those fields,
// whose rows follow.
func (e *GenericStreamEncoder) BeginTable(name string, fields ...string) error {
	e.begin()
	keys, err := wire.NewKeys(fields...)
	if err != nil {
		e.stop(lex.Fault(wire.CodeDuplicateField, wire.ErrDuplicateKey, "", "a field is declared twice", ""))
	}
	if len(fields) == 0 {
		e.stop(lex.Fault("missing_fields", wire.ErrShape, "", "a table needs a field", ""))
	}
	if at := slices.IndexFunc(fields, lex.HoldsPath); at >= 0 {
		e.stop(unsupportedColumn(fields[at]))
	}
	e.stop(e.e.enter(2))
	if e.name(name, false); e.err == nil {
		e.e.blockName(name)
		e.e.byte(' ')
		e.table = &streamTable{table: e.e.openStream(keys), fields: keys}
		e.e.tableHeader(&e.table.table)
	}
	return e.flush()
}

// Row writes a row of the open table, with a scalar for each of its fields.
func (e *GenericStreamEncoder) Row(cells ...wire.Value) error {
	if e.table == nil {
		return e.Record(wire.Value{}) // which says so
	}
	if fields := e.table.fields; len(cells) != fields.Len() {
		return e.stop(lex.Fault(wire.CodeRowWidth, wire.ErrShape, "",
			"the table has "+itoa(fields.Len())+" fields, the row has "+itoa(len(cells))+" values", ""))
	}
	return e.Record(wire.ObjectOf(e.table.fields, cells...))
}

// Record writes an object of scalars as a row of the open table; members that
// it lacks are absent.
func (e *GenericStreamEncoder) Record(v wire.Value) error {
	t := e.table
	if e.begin(); t == nil {
		return e.stop(lex.Fault("no_table", wire.ErrShape, "", "a row without a table", "call BeginTable first"))
	}
	e.stop(e.e.checkStreamed(&t.table, v))
	for name, cell := range v.Members() {
		if lex.IsContainer(cell.Kind()) {
			e.stop(wire.AtKey(lex.Fault("nested_value", wire.ErrShape, "", "a row of a stream holds scalars only (section 8.3)",
				"write the value as a member, or use Codec.NewRecordWriter"), name))
		}
	}
	if e.err == nil {
		e.stop(e.e.row(&t.table, t.n, "", v))
		t.n++
	}
	return e.flush()
}

// EndTable ends the open table. Since its rows are not counted, the next member
// must begin a block of its own: a table, or a member that is neither a scalar nor
// a list of scalars.
func (e *GenericStreamEncoder) EndTable() error {
	if e.table == nil {
		e.stop(lex.Fault("no_table", wire.ErrShape, "", "no table is open", ""))
	}
	if e.err != nil {
		return e.err
	}
	e.counts = append(e.counts, e.table.n)
	e.e.close(&e.table.table)
	e.table = nil
	e.afterRows = true
	return nil
}

// Close ends what is open and writes the trailer, if there were tables. It does
// not close the writer.
func (e *GenericStreamEncoder) Close() error {
	if e.closed || e.err != nil {
		return e.err
	}
	if e.table != nil {
		_ = e.EndTable() // which is possible
	}
	e.begin()
	e.closed = true
	if len(e.counts) > 0 && !e.codec.NoTrailer {
		e.e.text("##! summary counts=")
		for _, n := range e.counts {
			e.e.count("", n, ",")
		}
		e.e.dst[len(e.e.dst)-1] = '\n' // instead of the last comma
	}
	return e.flush()
}
