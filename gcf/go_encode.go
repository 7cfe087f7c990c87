package gcf

import (
	"slices"
	"strconv"
	"sync"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// goEncoder appends one document. Its methods report false for what they leave
// to Values; what was written by then does not count.
type goEncoder struct {
	max     int // the document's end must not be beyond
	free    int // what max becomes once a cell is absent: see freeOutput
	values  int // values left
	chained int // see encoder
	// The stacks of the tables being written, innermost on top.
	ops     []goOp
	names   []string // keys of maps
	used    int      // the length of the longer one so far
	scratch gotext.Scratch
}

// goTable is a list of structs: one after the other, or pointers to them.
type goTable struct {
	*goStruct
	rows   gotext.Rows
	indent int // of its rows
}

var goEncoders = sync.Pool{New: func() any { return new(goEncoder) }}

// appendGo appends the document of a Go value, the same that AppendEncode gives for its
// Value, unless it needs Values.
func appendGo(dst []byte, v any) ([]byte, bool) {
	e := goEncoders.Get().(*goEncoder)
	out, ok := e.document(dst, v)
	e.giveBack()
	return out, ok
}

// giveBack makes the encoder free for another document, without what belongs to
// this one.
func (e *goEncoder) giveBack() {
	const kept = 1 << 10
	e.cut(0, 0) // what a value for the general path has left
	empty(&e.ops, e.used, kept)
	empty(&e.names, e.used, kept)
	e.used = 0
	e.scratch.Clear()
	goEncoders.Put(e)
}

// cut pops what is above these lengths.
func (e *goEncoder) cut(ops, names int) {
	e.used = max(e.used, len(e.ops), len(e.names))
	e.ops, e.names = e.ops[:ops], e.names[:names]
}

// document appends the document of v to dst.
func (e *goEncoder) document(dst []byte, v any) ([]byte, bool) {
	root, at := goRoots.Of(v, newGoRoot)
	if at.IsNil() {
		return dst, false
	}
	e.max, e.free = len(dst)+bound.OutputBytes, len(dst)+freeOutput
	e.values, e.chained = bound.Values/2, 0
	out, ok := e.root(append(dst, lex.GenericHeader...), root.Plan, at)
	if !ok || len(out) > e.max || !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

func (e *goEncoder) root(dst []byte, s *goStruct, v gotext.Var) ([]byte, bool) {
	if v.Form != gotext.List {
		return e.object(dst, s, v, 0)
	}
	list := v.Items()
	if !s.tabular || list.Len == 0 {
		return dst, false
	}
	table := &goTable{s, list.Rows(), 0}
	if table.rows.HoldsNil() {
		return dst, false
	}
	return e.table(append(dst, "## "...), table, nil)
}

// fits counts n values more and reports whether they and the document so far are
// within the limits.
func (e *goEncoder) fits(dst []byte, n int) bool {
	e.values -= n
	return e.values >= 0 && len(dst) <= e.max
}

// object appends the members of a struct.
func (e *goEncoder) object(dst []byte, s *goStruct, v gotext.Var, indent int) (_ []byte, ok bool) {
	if !e.fits(dst, len(s.fields)) || s.isKeyed(v) {
		return dst, false
	}
	for i := range s.fields {
		f := &s.fields[i]
		if f.Lacks(v) {
			continue
		}
		if dst, ok = e.member(dst, f, f.Of(v), indent); !ok {
			return dst, false
		}
	}
	return dst, true
}

// record appends a struct as the row of a stream with that number. Its objects, maps and
// lists are all attached.
func (e *goEncoder) record(dst []byte, s *goStruct, v gotext.Var, n int) (_ []byte, ok bool) {
	const indent = 4 // of the text below the row
	for i := range s.fields {
		if _, ok := s.fields[i].below(v); ok {
			dst = append(strconv.AppendInt(append(dst, '@'), int64(n), 10), ' ')
			break
		}
	}
	for i := range s.fields {
		if dst, ok = s.fields[i].appendCell(dst, v); !ok {
			return dst, false
		}
		dst = append(dst, '|')
	}
	dst[len(dst)-1] = '\n' // instead of the last separator
	for i := range s.fields {
		f := &s.fields[i]
		m, ok := f.below(v)
		if !ok {
			continue
		}
		dst = append(append(append(dst, '.'), f.key()...), ' ')
		if f.form != goRows && f.form != goList {
			dst = append(dst, "{}\n"...)
		}
		dst, ok = e.content(dst, f, m, indent)
		if !ok {
			return dst, false
		}
	}
	return dst, e.fits(dst, len(s.fields)+1)
}

// below returns the field of a struct, and whether it is attached to the row of a stream.
func (f *goField) below(v gotext.Var) (m gotext.Var, ok bool) {
	if f.form <= goPointer || f.Lacks(v) {
		return m, false
	}
	if m = f.Of(v); f.form != goStructValue && m.HoldsNil() {
		return m, false
	}
	_, ok = f.container(m)
	return m, ok
}

// container returns what [lex.Container] does of the field's list or object.
func (f *goField) container(m gotext.Var) (cell string, below bool) {
	if f.form == goRows || f.form == goList {
		return lex.Container(wire.KindArray, m.Len() == 0)
	}
	return lex.Container(wire.KindObject, f.form == goMap && m.Count() == 0)
}

// appendCell appends the cell of a field in the row of a stream.
func (f *goField) appendCell(dst []byte, v gotext.Var) ([]byte, bool) {
	if f.Lacks(v) {
		return append(dst, lex.Absent...), true
	}
	m := f.Of(v)
	switch {
	case f.form == goScalar:
		return appendGoScalar(dst, m)
	case f.form != goStructValue && m.HoldsNil():
		return append(dst, lex.Null...), true
	case f.form == goPointer:
		return appendGoScalar(dst, m.Target())
	}
	cell, _ := f.container(m)
	return append(dst, cell...), true
}

// isKeyed reports whether an object may be one that is written as a keyed table:
// all its members, and more than one, are objects.
func (s *goStruct) isKeyed(v gotext.Var) bool {
	n := 0
	for i := range s.fields {
		f := &s.fields[i]
		if f.Lacks(v) {
			continue
		}
		switch f.form {
		case goStructValue:
		case goStructPointer, goMap:
			if f.Of(v).HoldsNil() {
				return false
			}
		default:
			return false
		}
		n++
	}
	return n > 1
}

func (e *goEncoder) member(dst []byte, f *goField, v gotext.Var, indent int) (_ []byte, ok bool) {
	dst = appendSpaces(dst, indent)
	if f.form != goScalar && f.form != goStructValue && v.HoldsNil() {
		return append(f.Label.Append(dst), lex.Null+"\n"...), true
	}
	switch f.form {
	case goPointer:
		v = v.Target()
		fallthrough
	case goScalar:
		dst, ok = appendGoScalar(f.Label.Append(dst), v)
		return append(dst, '\n'), ok
	case goList:
		if v.Len() > 0 {
			return e.array(append(dst, f.key()...), f, v, indent, nil)
		}
		fallthrough
	case goRows:
		dst = append(append(append(dst, "## "...), f.key()...), ' ')
		return e.array(dst, f, v, indent, nil)
	}
	dst = append(append(append(dst, "## "...), f.key()...), '\n')
	return e.content(dst, f, v, indent+2)
}

// content appends what is below the heading of an object, with that indentation, or an array
// from its count on.
func (e *goEncoder) content(dst []byte, f *goField, v gotext.Var, indent int) ([]byte, bool) {
	switch f.form {
	case goStructPointer:
		v = v.Target()
		fallthrough
	case goStructValue:
		return e.object(dst, f.inner, v, indent)
	case goMap:
		return e.mapMembers(dst, v, indent)
	}
	return e.array(dst, f, v, indent, nil)
}

// mapMembers appends a map as the members of an object.
func (e *goEncoder) mapMembers(dst []byte, v gotext.Var, indent int) (_ []byte, ok bool) {
	mark := len(e.names)
	keys := e.keys(v)
	for _, key := range keys {
		dst = append(lex.AppendKey(appendSpaces(dst, indent), key), '=')
		if dst, ok = e.element(dst, v, key); !ok {
			return dst, false
		}
		dst = append(dst, '\n')
	}
	e.cut(len(e.ops), mark)
	return dst, e.fits(dst, len(keys))
}

// keys pushes the keys of a map in their order.
func (e *goEncoder) keys(v gotext.Var) []string {
	mark := len(e.names)
	e.names = v.AppendKeys(e.names)
	keys := slices.Clip(e.names[mark:])
	slices.Sort(keys)
	return keys
}

// element appends the element of a map. It reports false if there is none.
func (e *goEncoder) element(dst []byte, v gotext.Var, key string) ([]byte, bool) {
	elem, ok := v.Load(key, &e.scratch)
	if !ok {
		return dst, false
	}
	return appendGoScalar(dst, elem)
}

// array appends a slice from its count on; indent is that of its rows, shared as for table.
func (e *goEncoder) array(dst []byte, f *goField, v gotext.Var, indent int, shared *goLayout) (_ []byte, ok bool) {
	list := v.Items()
	if list.Len == 0 {
		return append(dst, "[0]\n"...), true
	}
	if f.form == goRows {
		return e.table(dst, &goTable{f.inner, list.Rows(), indent}, shared)
	}
	dst = append(strconv.AppendInt(append(dst, '['), int64(list.Len), 10), "]: "...)
	for i := range list.Len {
		if dst, ok = appendGoScalar(dst, list.At(i)); !ok {
			return dst, false
		}
		dst = append(dst, ',')
	}
	dst[len(dst)-1] = '\n' // instead of the last comma
	return dst, e.fits(dst, list.Len)
}

// table appends a table from its count on. If an earlier row's array has declared the
// fields, shared is its layout.
func (e *goEncoder) table(dst []byte, t *goTable, shared *goLayout) (_ []byte, ok bool) {
	mark, names := len(e.ops), len(e.names)
	dst = append(strconv.AppendInt(append(dst, '['), int64(t.rows.Len), 10), ']')
	header := len(dst)
	var ops []goOp
	l := shared
	if l == nil {
		l = t.layout()
	}
	if l != nil {
		dst, ops, ok = append(dst, l.header...), l.ops, e.flatten(t, l.flat)
	} else {
		dst, ops, ok = e.columns(dst, t)
	}
	if !ok {
		return dst, false
	}
	if shared != nil {
		dst = append(dst[:header], '\n')
	}
	for i := range t.rows.Len {
		row := t.rows.At(i)
		if t.indent > 0 {
			dst = appendSpaces(dst, t.indent)
		}
		hasAttachments := hasGoAttachments(ops, row)
		if hasAttachments {
			dst = append(strconv.AppendInt(append(dst, '@'), int64(i), 10), ' ')
		}
		if dst, ok = e.row(dst, ops, row); !ok || !e.fits(dst, len(t.fields)+1) {
			return dst, false
		}
		dst[len(dst)-1] = '\n' // instead of the last separator
		for j := 0; hasAttachments && j < len(ops); j++ {
			if !ops[j].isList {
				continue
			}
			if dst, ok = e.attach(dst, &ops[j], i, row, t.indent); !ok {
				return dst, false
			}
		}
	}
	e.cut(mark, names)
	return dst, true
}

// row appends the cells of a struct, each with a separator after it.
func (e *goEncoder) row(dst []byte, ops []goOp, v gotext.Var) (_ []byte, ok bool) {
	for i := range ops {
		o := &ops[i]
		if o.optional != nil && o.optional.Lacks(v) {
			dst = appendCells(dst, lex.Absent, o.leaves)
			e.max = e.free // beyond it the general path decides, whose limit is in proportion to the value
			continue
		}
		switch ok = true; o.Op {
		case gotype.String:
			dst = lex.AppendString(dst, o.Of(v).Text())
		case gotype.Int64:
			dst = lex.AppendInt(dst, o.Of(v).Int64())
		case gotype.Float64:
			dst, ok = lex.AppendFloat(dst, o.Of(v).Float())
		case gotype.Bool:
			dst = lex.AppendBool(dst, o.Of(v).Bool())
		case gotype.Other:
			if dst, ok = e.cells(dst, o, o.Of(v)); !ok {
				return dst, false
			}
			continue
		default:
			dst, ok = appendGoScalar(dst, o.Of(v))
		}
		if !ok {
			return dst, false
		}
		dst = append(dst, '|')
	}
	return dst, true
}

// cells appends the cells of what is not just a scalar.
func (e *goEncoder) cells(dst []byte, o *goOp, v gotext.Var) (_ []byte, ok bool) {
	switch {
	case v.Form == gotext.Struct:
		return e.row(dst, o.inner, v)
	case v.HoldsNil():
		return appendCells(dst, lex.Null, o.leaves), true
	case v.Form == gotext.List:
		cell, _ := lex.Container(wire.KindArray, v.Len() == 0)
		return append(append(dst, cell...), '|'), true
	case v.Form == gotext.Map:
		for _, key := range o.keys {
			if dst, ok = e.element(dst, v, key); !ok {
				return dst, false
			}
			dst = append(dst, '|')
		}
		return dst, true
	case o.inner != nil:
		return e.row(dst, o.inner, v.Target())
	}
	dst, ok = appendGoScalar(dst, v.Target())
	return append(dst, '|'), ok
}

// appendCells appends a cell for each leaf of a column.
func appendCells(dst []byte, cell string, leaves int) []byte {
	for range leaves {
		dst = append(append(dst, cell...), '|')
	}
	return dst
}

// list returns the list of an op of one, and whether it goes below the row.
func (o *goOp) list(row gotext.Var) (list gotext.Var, below bool) {
	if o.optional != nil && o.optional.Lacks(row) {
		return list, false
	}
	list = o.Of(row)
	_, below = lex.Container(wire.KindArray, list.Len() == 0)
	return list, below && !list.HoldsNil()
}

// hasGoAttachments reports whether anything of the row goes below it.
func hasGoAttachments(ops []goOp, row gotext.Var) bool {
	for i := range ops {
		if o := &ops[i]; o.isList {
			if _, ok := o.list(row); ok {
				return true
			}
		}
	}
	return false
}

// attach appends an array below its row, whose number is n.
func (e *goEncoder) attach(dst []byte, o *goOp, n int, row gotext.Var, indent int) ([]byte, bool) {
	list, ok := o.list(row)
	if !ok {
		return dst, true
	}
	dst = append(append(append(appendSpaces(dst, indent), '.'), o.field.key()...), ' ')
	var shared *goLayout
	if n > 0 {
		shared = o.shared
	}
	return e.array(dst, o.field, list, indent+4, shared)
}

// appendGoScalar appends a scalar token. It reports false for a number or a time
// that FromGo or the format refuses.
func appendGoScalar(dst []byte, v gotext.Var) ([]byte, bool) {
	switch v.Op {
	case gotype.String:
		return lex.AppendString(dst, v.Text()), true
	case gotype.Float64:
		return lex.AppendFloat(dst, v.Float())
	case gotype.Bool:
		return lex.AppendBool(dst, v.Bool()), true
	case gotype.Time:
		var buf [48]byte
		text, ok := gotext.AppendTime(buf[:0], v.Time())
		return lex.AppendString(dst, string(text)), ok
	}
	n, ok := v.Int()
	return lex.AppendInt(dst, n), ok
}
