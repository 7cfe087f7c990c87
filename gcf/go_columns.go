package gcf

import (
	"slices"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// A goOp writes the cells that a field has in the rows of a table.
type goOp struct {
	gotext.Place                // in the row
	below        bool           // the value is attached to the row
	leaves       int            // the cells of null or of an absent field
	optional     *gotext.Member // nil for a field that is always there
	inner        []goOp         // the cells of a struct, which a pointer may lead to
	field        *goField
	keys         []string  // of a map
	shared       *goLayout // of arrays that declare their fields once (section 7.4.5.3)
}

// op returns the op of a field, as far as its type says what it is.
func (f *goField) op() goOp {
	o := goOp{Place: f.Place, below: f.Node.Form == gotext.List, leaves: 1, field: f}
	if f.Optional {
		o.optional = f.Member
	}
	return o
}

// recordOps returns the ops of the records of a stream, to which all is attached that is no
// scalar.
func (s *goStruct) recordOps() []goOp {
	ops := make([]goOp, len(s.fields))
	for i := range ops {
		ops[i] = s.fields[i].op()
		ops[i].below = s.fields[i].form > goPointer
	}
	return ops
}

// appendOps appends the ops of a field that is plain, see goStruct.
func (f *goField) appendOps(ops []goOp) []goOp {
	o := f.op()
	if f.form != goStructValue {
		return append(ops, o)
	}
	if f.Optional {
		o.leaves, o.inner = f.inner.flat.leaves, f.inner.cells
		return append(ops, o)
	}
	for _, cell := range f.inner.cells {
		cell.Place = cell.Within(&f.Place)
		ops = append(ops, cell)
	}
	return ops
}

// appendColumns appends the names of the columns of a field that is plain.
func (f *goField) appendColumns(dst []byte) []byte {
	if f.form == goStructValue {
		return append(dst, f.paths...)
	}
	return append(append(dst, f.key()...), ',')
}

// A goLayout is the columns of tables of a plain struct type. It is made once for a type
// and an order of fields.
type goLayout struct {
	order  []int32 // the numbers of the fields
	ops    []goOp
	flat   []*goField // those that are path columns
	header string     // the declaration, with the line's end
	next   *goLayout
}

// newLayout returns the layout of rows that have these fields, before those that are known.
func (s *goStruct) newLayout(order []int32, known *goLayout) *goLayout {
	l, b := &goLayout{order: slices.Clone(order), next: known}, []byte("{")
	for _, j := range order {
		f := &s.fields[j]
		l.ops, b = f.appendOps(l.ops), f.appendColumns(b)
		if f.form == goStructValue {
			l.flat = append(l.flat, f)
		}
	}
	b[len(b)-1] = '}' // instead of the last comma
	l.header = string(append(b, '\n'))
	return l
}

// maxGoLayouts bounds the layouts that are kept for a type.
const maxGoLayouts = 16

// layout returns the layout of a table's rows, nil if they have none or there are
// too many of their type.
func (t *goTable) layout() *goLayout {
	known := t.layouts.Load()
	if !t.plain || t.rows.Optional == 0 {
		return known
	}
	var buf [32]int32
	order, n := t.order(buf[:0]), 0
	for l := known; l != nil; l = l.next {
		if slices.Equal(l.order, order) {
			return l
		}
		n++
	}
	if n == maxGoLayouts {
		return nil
	}
	l := t.newLayout(order, known)
	t.layouts.CompareAndSwap(known, l)
	return l
}

// order appends the numbers of the fields in the order in which the rows have
// them first (section 7.4.3).
func (t *goTable) order(order []int32) []int32 {
	for i := 0; i < t.rows.Len && len(order) < len(t.fields); i++ {
		p := t.rows.At(i)
		for j := range t.fields {
			if !t.fields[j].Lacks(p) && !slices.Contains(order, int32(j)) {
				order = append(order, int32(j))
			}
		}
	}
	return order
}

// columns pushes the ops of a table without a layout, and appends its declaration.
func (e *goEncoder) columns(dst []byte, t *goTable) (_ []byte, _ []goOp, ok bool) {
	mark := len(e.ops)
	var buf [32]int32
	dst = append(dst, '{')
	for _, j := range t.order(buf[:0]) {
		if dst, ok = e.column(dst, t, &t.fields[j]); !ok {
			return dst, nil, false
		}
	}
	dst[len(dst)-1] = '}' // instead of the last comma
	return append(dst, '\n'), e.ops[mark:], true
}

// column pushes the ops of a field and appends the names of its columns, once it knows
// what depends on the rows: whether an object is null in all of them, which keys maps
// have, whether arrays share their fields.
func (e *goEncoder) column(dst []byte, t *goTable, f *goField) ([]byte, bool) {
	o := f.op()
	switch f.form {
	case goStructValue:
		if !e.flatten(t, []*goField{f}) {
			return dst, false
		}
		e.ops = f.appendOps(e.ops)
		return f.appendColumns(dst), true
	case goMap:
		return e.mapColumns(dst, t, f)
	case goStructPointer:
		if rows := t.filled(f); rows > 0 {
			if !e.flattens(t, f.Name, f.inner.flat, rows) {
				return dst, false
			}
			o.leaves, o.inner = f.inner.flat.leaves, f.inner.cells
			e.ops = append(e.ops, o)
			return append(dst, f.paths...), true
		}
	case goRows:
		ok := false
		if o.shared, ok = t.shares(f); !ok {
			return dst, false
		}
	}
	e.ops = append(e.ops, o)
	return f.appendColumns(dst), true
}

// filled returns how many rows have a field, and not null if that is a pointer or a map.
func (t *goTable) filled(f *goField) (n int) {
	if !f.Optional && f.form == goStructValue {
		return t.rows.Len
	}
	for i := range t.rows.Len {
		p := t.rows.At(i)
		if !f.Lacks(p) && (f.form == goStructValue || !f.Of(p).HoldsNil()) {
			n++
		}
	}
	return n
}

// flatten is flattens for fields that are structs.
func (e *goEncoder) flatten(t *goTable, fields []*goField) bool {
	for _, f := range fields {
		if !e.flattens(t, f.Name, f.inner.flat, t.filled(f)) {
			return false
		}
	}
	return true
}

// flattens reports whether a field that so many rows have is path columns, as
// encoder.flattens does. f has neither the field's own path nor an indentation.
func (e *goEncoder) flattens(t *goTable, name string, f flattened, rows int) bool {
	f.names += f.leaves * (len(name) + 1)
	f.lines += (f.leaves + f.objects - 1) * (t.indent + 4)
	e.chained += rows * max(0, f.objects-f.leaves)
	return e.chained <= maxChained && f.worthIt(name, t.indent, rows, t.rows.Len)
}

// mapColumns is column for maps, all of which must have the same keys, which can be path
// columns.
func (e *goEncoder) mapColumns(dst []byte, t *goTable, f *goField) ([]byte, bool) {
	o, rows := f.op(), 0
	for i := range t.rows.Len {
		p := t.rows.At(i)
		if f.Lacks(p) {
			continue
		}
		m := f.Of(p)
		switch n := m.Count(); {
		case n < 0:
			continue
		case o.keys == nil:
			o.keys = m.Sorted(nil)
			fallthrough
		default:
			if n == 0 || n != len(o.keys) {
				return dst, false
			}
			rows++
		}
	}
	if rows == 0 {
		e.ops = append(e.ops, o)
		return f.appendColumns(dst), true
	}
	flat := flattened{objects: 1}
	for _, key := range o.keys {
		if key == "" || lex.HoldsPath(key) {
			return dst, false
		}
		flat.leaf(key, 0, 0)
		dst = append(scan.AppendEscaped(append(dst, '"'), f.Name), '>')
		dst = append(scan.AppendEscaped(dst, key), '"', ',')
	}
	o.leaves = len(o.keys)
	e.ops = append(e.ops, o)
	return dst, e.flattens(t, f.Name, flat, rows)
}

// shares returns the layout of the arrays of a column that declare their fields once
// (section 7.4.5.3): a table in the first row, the same fields in the same order wherever
// there is an array, scalar values. It is nil if they do not; ok is false if Values decide.
func (t *goTable) shares(f *goField) (shared *goLayout, ok bool) {
	first := t.arrays(f, 0)
	if first.rows.Len == 0 {
		return nil, true
	}
	if !f.inner.scalar {
		// With a container in the first array's rows nothing is shared.
		return nil, first.holdsContainer()
	}
	var buf [32]int32
	if shared = first.layout(); shared == nil {
		shared = first.newLayout(first.order(buf[:0]), nil)
	}
	for i := 1; i < t.rows.Len; i++ {
		array := t.arrays(f, i)
		if !array.rows.IsNil() && (array.rows.Len == 0 || f.inner.Optional > 0 && !slices.Equal(shared.order, array.order(buf[:0]))) {
			return nil, true
		}
	}
	return shared, true
}

// arrays returns the array of a field in a row, one that is nil if it is null or absent.
func (t *goTable) arrays(f *goField, row int) goTable {
	p := t.rows.At(row)
	if f.Lacks(p) {
		return goTable{}
	}
	list := f.Of(p).Items()
	return goTable{f.inner, list.Rows(), 0}
}

// holdsContainer reports whether any field of any row is an array or an object.
func (t *goTable) holdsContainer() bool {
	for j := range t.fields {
		if f := &t.fields[j]; f.form > goPointer && t.filled(f) > 0 {
			return true
		}
	}
	return false
}
