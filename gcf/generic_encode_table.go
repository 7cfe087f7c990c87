package gcf

import (
	"slices"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// tableForm says which of three tables is written.
type tableForm uint8

const (
	tableArray  tableForm = iota // [N]{fields}
	tableShared                  // [N] with the fields of an earlier row's array (section 7.4.5.3)
	tableKeyed                   // [N:]{key,fields} of an object of objects (section 7.2a)
)

// cellForm says how the values of a column are written.
type cellForm uint8

const (
	cellScalar   cellForm = iota // scalars only
	cellFlat                     // objects as path columns (section 7.4.6)
	cellInline                   // objects as positional bodies (section 7.4.5.1)
	cellShared                   // arrays that share their fields (section 7.4.5.3)
	cellAttached                 // containers below the row (section 7.4.4)
	cellPath                     // no cell at all: the name holds ">" (section 7.4.6.1.4)
)

// column is one field of a table's union.
type column struct {
	name   string
	path   bool       // the name holds ">"
	kinds  uint16     // the set of kinds that occur, 1<<kind
	form   cellForm   // set once the union is complete
	leaves int        // of a flat column: how many path columns it has
	model  wire.Value // of a flat or inline column: an object with its keys
}

const (
	hasObject    = 1 << wire.KindObject
	hasArray     = 1 << wire.KindArray
	hasNull      = 1 << wire.KindNull
	hasContainer = hasObject | hasArray
)

// shape is a key list that rows of the table have: member i of such a row
// belongs to column indexes[at+i].
type shape struct {
	keys     *wire.Keys
	at       int
	identity bool // member i belongs to column i, and every column has one
}

// table is a table being written. Its columns, shapes and indexes are the tops
// of the encoder's stacks from the positions noted here.
type table struct {
	rows     wire.Value // an array of objects, or an object of objects
	form     tableForm
	indent   int
	deferred bool // its rows are not known before they are written
	columns  int
	shapes   int
	indexes  int
	last     int            // the shape used last
	full     *wire.Keys     // keys whose member i belongs to column i, if rows have such
	byName   map[string]int // of columns, once there are many

	width    int // the number of columns, once they are known
	from, to int // the columns before and after these have no attachments
}

const (
	// fewColumns is the number up to which a column is searched by comparing.
	fewColumns = 24
	// maxNames is the number of names up to which a map is kept for another table, mostNames
	// that of such maps.
	maxNames, mostNames = 1 << 9, 8
	// maxTableShapes bounds the shapes kept per table; one more replaces the
	// last.
	maxTableShapes = 32
	// maxFlatDepth bounds the levels of a flattened object.
	maxFlatDepth = 16
)

// open begins a table, close ends it.
func (e *encoder) open(rows wire.Value) table {
	return table{rows: rows, columns: len(e.columns), shapes: len(e.shapes), indexes: len(e.indexes), last: -1}
}

func (e *encoder) close(t *table) {
	e.used = max(e.used, len(e.columns), len(e.shapes), len(e.indexes))
	e.columns, e.shapes, e.indexes = e.columns[:t.columns], e.shapes[:t.shapes], e.indexes[:t.indexes]
	if n := len(t.byName); n > 0 && n <= maxNames && len(e.names) < mostNames {
		clear(t.byName)
		e.names = append(e.names, t.byName)
	}
}

// table writes a table from its count on; indent is that of its rows.
func (e *encoder) table(rows wire.Value, form tableForm, indent int) error {
	t := e.open(rows)
	t.form, t.indent = form, indent
	if err := e.enter(2); err != nil {
		return err
	}
	e.union(&t)
	if err := e.checkSize(&t); err != nil {
		return err
	}
	written := e.chooseForms(&t)
	var err error
	if written == 0 {
		// Every name holds ">", so there is no column (section 7.3, rule 3).
		e.leave(1)
		err = e.expanded(rows, indent)
		e.enter(1)
	} else {
		e.tableHeader(&t)
		err = e.tableRows(&t)
	}
	if err != nil {
		return err
	}
	e.close(&t)
	e.leave(2)
	return nil
}

// union gathers the columns and the kinds of their values over all rows
// (section 7.4.3).
func (e *encoder) union(t *table) {
	for i := range t.rows.Len() {
		row := t.rows.Index(i)
		s := e.shape(t, row.Keys())
		if s.identity {
			columns := e.columns[t.columns : t.columns+row.Len()]
			for j := range columns {
				columns[j].kinds |= 1 << row.Index(j).Kind()
			}
			continue
		}
		for j, c := range e.indexes[s.at : s.at+row.Len()] {
			e.columns[t.columns+int(c)].kinds |= 1 << row.Index(j).Kind()
		}
	}
	// A shape made before the last column was found lacks some.
	t.width = len(e.columns) - t.columns
	for i := t.shapes; i < len(e.shapes); i++ {
		s := &e.shapes[i]
		if s.identity = s.identity && s.keys.Len() == t.width; s.identity {
			t.full = s.keys
		}
	}
}

// value returns a row's value for a column and whether it has one.
func (t *table) value(row, column int, name string) (wire.Value, bool) {
	v := t.rows.Index(row)
	if v.Keys() == t.full {
		return v.Index(column), true
	}
	return v.Get(name)
}

// shape returns the shape of rows with those keys. While the union is being
// gathered, it adds columns for names that are new.
func (e *encoder) shape(t *table, keys *wire.Keys) *shape {
	if t.last >= 0 {
		if s := &e.shapes[t.last]; s.keys == keys {
			return s
		}
	}
	for i := t.shapes; i < len(e.shapes); i++ {
		if s := &e.shapes[i]; s.keys == keys {
			t.last = i
			return s
		}
	}
	if len(e.shapes)-t.shapes == maxTableShapes {
		last := len(e.shapes) - 1
		e.indexes, e.shapes = e.indexes[:e.shapes[last].at], e.shapes[:last]
	}
	t.last = len(e.shapes)
	s := shape{keys: keys, at: len(e.indexes), identity: true}
	known, next := len(e.columns)-t.columns, 0
	for i := range keys.Len() {
		name := keys.At(i)
		c := e.column(t, name, next, known)
		if c < 0 {
			c = len(e.columns) - t.columns
			e.columns = append(e.columns, column{name: name, path: lex.HoldsPath(name)})
		}
		s.identity = s.identity && c == i
		e.indexes, next = append(e.indexes, int32(c)), c+1
	}
	s.identity = s.identity && keys.Len() == len(e.columns)-t.columns
	e.shapes = append(e.shapes, s)
	return &e.shapes[t.last]
}

// column returns the number of the column with that name among the first known
// ones, where it is the next one mostly; -1 if there is none.
func (e *encoder) column(t *table, name string, next, known int) int {
	columns := e.columns[t.columns : t.columns+known]
	if next < known && columns[next].name == name {
		return next
	}
	if known <= fewColumns {
		for c := range columns {
			if columns[c].name == name {
				return c
			}
		}
		return -1
	}
	if n := len(e.names) - 1; t.byName == nil && n >= 0 {
		t.byName, e.names = e.names[n], e.names[:n]
	} else if t.byName == nil {
		t.byName = make(map[string]int, 4*fewColumns)
	}
	for c := len(t.byName); c < known; c++ {
		t.byName[columns[c].name] = c
	}
	if c, ok := t.byName[name]; ok {
		return c
	}
	return -1
}

// checkSize refuses a table that is certain to be too long, before a byte of it
// is written: each cell of each column takes at least two bytes in each row.
func (e *encoder) checkSize(t *table) error {
	width := 0
	for _, c := range e.columns[t.columns:] {
		if !c.path {
			width++
		}
	}
	if !e.hasRoom(bound.Times(t.rows.Len(), 2*width)) {
		return lex.Fault(wire.CodeOutputTooLong, wire.ErrLimit, "", "a table of all members of these objects gets longer than the limit"+e.measure.reason(),
			"raise Limits.OutputBytes, or use a format without tables for objects that share few members")
	}
	return nil
}

// hasRoom reports whether n more bytes may be written.
func (e *encoder) hasRoom(n int) bool {
	sum := bound.Add(len(e.dst), n)
	return sum <= e.max || !e.exceeds(sum)
}

// chooseForms sets the form of each column and returns the number of those that
// have cells.
func (e *encoder) chooseForms(t *table) (written int) {
	for i := range t.width {
		form := e.cellForm(t, i, &e.columns[t.columns+i])
		e.columns[t.columns+i].form = form
		if form != cellPath {
			written++
		}
		if form > cellFlat {
			if t.to == 0 {
				t.from = i
			}
			t.to = i + 1
		}
	}
	return written
}

// cellForm decides how the values of a column are written.
func (e *encoder) cellForm(t *table, i int, c *column) cellForm {
	switch {
	case c.path:
		return cellPath
	case c.kinds&hasContainer == 0:
		return cellScalar
	case c.kinds&^(hasObject|hasNull) == 0 && e.flattens(t, i, c):
		return cellFlat
	case c.kinds == hasObject && inlines(t, i, c):
		return cellInline
	case c.kinds&^(hasArray|hasNull) == 0 && e.shares(t, i, c.name):
		return cellShared
	}
	return cellAttached
}

// flattens decides whether an object column becomes path columns (section
// 7.4.6.1): the same keys in the same order in every row, scalar leaves, no
// path segment that is empty or holds ">", and in no row nothing but nulls,
// which would read as null. The names must be worth it, too.
func (e *encoder) flattens(t *table, at int, c *column) bool {
	if e.noFlatten || c.name == "" {
		return false
	}
	var f flattened
	rows := 0
	for i := range t.rows.Len() {
		v, _ := t.value(i, at, c.name)
		if v.Kind() != wire.KindObject {
			continue // null or absent
		}
		if rows == 0 {
			if !f.add(v, min(maxFlatDepth, e.depth), len(c.name)+1, t.indent+4) {
				return false
			}
			c.model = v
		}
		rows++
		if same, filled := e.fitsModel(v, c.model); !same || !filled {
			return false
		}
	}
	if !f.worthIt(c.name, t.indent, rows, t.rows.Len()) || !e.hasRoom(f.names) {
		return false
	}
	chained := bound.Add(e.chained, bound.Times(rows, max(0, f.objects-f.leaves)))
	if chained > maxChained {
		return false
	}
	e.chained, c.leaves = chained, f.leaves
	return true
}

// maxChained bounds the objects that path columns make beyond one for each of
// their cells, of two bytes at least: a decoder may not make more, see
// [decoder.limitGroups].
const maxChained = freeGroups

// flattened is what an object would be as path columns, and as attachments.
type flattened struct {
	leaves  int // path columns
	objects int // that they make
	names   int // bytes of the columns' names, with what is around them
	lines   int // bytes of an attachment's lines, but for the values
	keys    int // bytes of the top level's keys
	nested  bool
}

// add adds an object whose path has that many bytes and whose members are in
// lines with that indentation. It reports false if it cannot be flattened.
func (f *flattened) add(v wire.Value, depth, path, indent int) bool {
	if depth == 0 || v.Len() == 0 {
		return false
	}
	f.objects++
	for i := range v.Len() {
		key := v.Keys().At(i)
		if key == "" || lex.HoldsPath(key) {
			return false
		}
		switch child := v.Index(i); child.Kind() {
		case wire.KindArray:
			return false
		case wire.KindObject:
			f.block(key, indent)
			if !f.add(child, depth-1, bound.Add(path, len(key)+1), indent+2) {
				return false
			}
		default:
			f.leaf(key, path, indent)
		}
	}
	return true
}

// block adds the line of a member that is an object, without its members.
func (f *flattened) block(key string, indent int) {
	f.nested = true
	f.lines = bound.Add(f.lines, indent+len("## \n")+len(key))
}

// leaf adds a member that is a scalar.
func (f *flattened) leaf(key string, path, indent int) {
	f.leaves++
	f.names = bound.Add(f.names, bound.Add(path, len(key)+len(`>"",`)-1))
	f.lines = bound.Add(f.lines, indent+len("=\n")+len(key))
	f.keys = bound.Add(f.keys, len(key)+1)
}

// worthIt reports whether path columns take not much more than the other form
// would, in a table with that indentation of whose rows so many of all have the
// object with that name. Path columns are
// the canonical form (section 7.4.6), but an encoder may leave them; short names
// and many rows always pay.
func (f *flattened) worthIt(name string, indent, rows, all int) bool {
	others := all - rows
	flat := bound.Add(f.names, bound.Times(f.leaves, rows+2*others))
	row := bound.Add(f.lines, indent+len(name)+len(". {}\n")+len("^|")+len("@0 "))
	other := bound.Times(row, rows)
	if others == 0 && !f.nested && f.leaves >= minInlineKeys { // an inline schema
		other = min(other, bound.Add(f.keys, bound.Times(indent+f.leaves+len("^{}|@0 "), rows)))
	}
	const margin = 2
	return flat <= bound.Times(bound.Add(other, len(name)+2*others+1), margin)
}

// fitsModel reports whether v has the keys and the nesting of model, in its order
// unless members may be reordered, and whether any of its leaves is not null.
func (e *encoder) fitsModel(v, model wire.Value) (same, filled bool) {
	ordered := wire.Internal.SameKeys(v, model)
	if !ordered && !(e.reorder && v.Len() == model.Len()) {
		return false, false
	}
	for i := range v.Len() {
		child, other := v.Index(i), model.Index(i)
		if !ordered {
			var ok bool
			if child, ok = v.Get(model.Keys().At(i)); !ok {
				return false, false
			}
		}
		kind := child.Kind()
		if lex.IsContainer(kind) != lex.IsContainer(other.Kind()) {
			return false, false
		}
		if !lex.IsContainer(kind) {
			filled = filled || kind != wire.KindNull
			continue
		}
		ok, some := e.fitsModel(child, other)
		if !ok {
			return false, false
		}
		filled = filled || some
	}
	return true, filled
}

// minInlineKeys is the smallest object that an inline schema is for.
const minInlineKeys = 3

// inlines decides whether an object column uses an inline schema (section
// 7.4.5.1): an object in the first row, the same keys in the same order
// wherever there is one, scalar values.
func inlines(t *table, at int, c *column) bool {
	first, ok := t.value(0, at, c.name)
	if !ok || first.Len() < minInlineKeys {
		return false
	}
	for i := range t.rows.Len() {
		v, ok := t.value(i, at, c.name)
		if ok && (!wire.Internal.SameKeys(v, first) || !allScalar(v)) {
			return false
		}
	}
	c.model = first
	return true
}

func allScalar(v wire.Value) bool {
	for child := range v.Elements() {
		if lex.IsContainer(child.Kind()) {
			return false
		}
	}
	return true
}

// shares decides whether an array column declares its fields once (section
// 7.4.5.3): a table in the first row, the same fields in the same order
// wherever there is an array, scalar values. A name with ">" is not a column, so
// it bars sharing.
func (e *encoder) shares(t *table, at int, name string) bool {
	first, ok := t.value(0, at, name)
	if !ok || first.Kind() != wire.KindArray {
		return false
	}
	fields := e.open(first)
	defer e.close(&fields)
	if !e.isFlat(&fields) || e.dense && e.sparseRows(first) {
		return false
	}
	for i := 1; i < t.rows.Len(); i++ {
		if v, _ := t.value(i, at, name); v.Kind() == wire.KindArray && !e.hasFields(v, &fields) {
			return false
		}
	}
	return true
}

// isFlat gathers the columns of an array, and reports whether all its elements are objects
// of scalars with names that can be columns.
func (e *encoder) isFlat(t *table) bool {
	for i := range t.rows.Len() {
		if t.rows.Index(i).Kind() != wire.KindObject {
			return false
		}
	}
	e.union(t)
	for i := t.columns; i < len(e.columns); i++ {
		if c := &e.columns[i]; c.path || c.kinds&hasContainer != 0 {
			return false
		}
	}
	return t.width > 0
}

// hasFields reports whether an array is flat and its columns are those of a table that is.
func (e *encoder) hasFields(rows wire.Value, fields *table) bool {
	t := e.open(rows)
	defer e.close(&t)
	return e.isFlat(&t) && slices.EqualFunc(e.columns[t.columns:], e.columns[fields.columns:t.columns], func(a, b column) bool { return a.name == b.name })
}

// tableHeader writes the count and the fields.
func (e *encoder) tableHeader(t *table) {
	if t.deferred {
		e.text("[?")
	} else {
		e.count("[", t.rows.Len(), "")
	}
	if t.form == tableShared {
		e.text("]\n")
		return
	}
	if t.form == tableKeyed {
		e.byte(':')
	}
	e.text("]{")
	if t.form == tableKeyed {
		e.keyLabel(t)
	}
	for i := t.columns; i < len(e.columns); i++ {
		switch c := &e.columns[i]; c.form {
		case cellPath:
		case cellFlat:
			e.dst = appendPaths(e.dst, c.name, c.model)
		default:
			e.key(c.name)
			e.byte(',')
		}
	}
	e.dst[len(e.dst)-1] = '}' // instead of the last comma
	e.byte('\n')
}

// keyLabel writes the name of a keyed table's first column, with a comma after it: "key", with
// as many underscores before it as make it unlike every field (section 7.2a.2).
func (e *encoder) keyLabel(t *table) {
	name := "key"
	for e.column(t, name, 0, t.width) >= 0 {
		name = "_" + name
	}
	e.text(name + ",")
}

// appendPaths appends the names of the path columns of a column like model, each with a comma
// after it.
func appendPaths(dst []byte, column string, model wire.Value) []byte {
	var few [96]byte
	return appendPathsBelow(dst, scan.AppendEscaped(append(few[:0], '"'), column), model)
}

// appendPathsBelow is appendPaths below a path, which begins with a quotation mark.
func appendPathsBelow(dst, path []byte, model wire.Value) []byte {
	length := len(path)
	for i := range model.Len() {
		path = scan.AppendEscaped(append(path[:length], '>'), model.Keys().At(i))
		if child := model.Index(i); child.Kind() == wire.KindObject {
			dst = appendPathsBelow(dst, path, child)
		} else {
			dst = append(append(dst, path...), '"', ',')
		}
	}
	return dst
}
