package gcf

import (
	"strconv"
	"sync"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// goEncoder appends one document. Its methods report false for what they leave
// to Values; what was written by then does not count.
type goEncoder struct {
	max     int // the document's end must not be beyond
	free    int // what max becomes once a cell is absent: see freeOutput
	values  int // values left
	chained int // see encoder
	// The stack of the tables being written, innermost on top.
	ops     []goOp
	used    int      // the length of the stack so far
	names   []string // scratch for the keys of a map
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
	e.cut(0) // what a value for the general path has left
	empty(&e.ops, e.used, kept)
	empty(&e.names, cap(e.names), kept)
	e.used = 0
	e.scratch.Clear()
	goEncoders.Put(e)
}

// cut pops the ops above that length.
func (e *goEncoder) cut(ops int) {
	e.used = max(e.used, len(e.ops))
	e.ops = e.ops[:ops]
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
	e.names = v.Sorted(e.names)
	for _, key := range e.names {
		dst = append(lex.AppendKey(appendSpaces(dst, indent), key), '=')
		if dst, ok = e.element(dst, v, key); !ok {
			return dst, false
		}
		dst = append(dst, '\n')
	}
	return dst, e.fits(dst, len(e.names))
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
	mark := len(e.ops)
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
		if dst, ok = e.record(dst, ops, row, i, t.indent); !ok {
			return dst, false
		}
	}
	e.cut(mark)
	return dst, true
}

// record appends a row with that number and what is attached to it.
func (e *goEncoder) record(dst []byte, ops []goOp, row gotext.Var, n, indent int) (_ []byte, ok bool) {
	hasAttachments := hasGoAttachments(ops, row)
	if hasAttachments {
		dst = append(strconv.AppendInt(append(dst, '@'), int64(n), 10), ' ')
	}
	if dst, ok = e.row(dst, ops, row); !ok || !e.fits(dst, len(ops)+1) {
		return dst, false
	}
	dst[len(dst)-1] = '\n' // instead of the last separator
	for i := 0; hasAttachments && i < len(ops); i++ {
		if !ops[i].below {
			continue
		}
		if dst, ok = e.attach(dst, &ops[i], n, row, indent); !ok {
			return dst, false
		}
	}
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
			dst = strconv.AppendBool(dst, o.Of(v).Bool())
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
	case v.Form != gotext.Struct && v.HoldsNil():
		return appendCells(dst, lex.Null, o.leaves), true
	case o.below:
		return append(dst, lex.Attachment+"|"...), true
	case v.Form == gotext.Struct:
		return e.row(dst, o.inner, v)
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

// attached returns what an op that is below writes below a row, and whether there is anything.
func (o *goOp) attached(row gotext.Var) (v gotext.Var, ok bool) {
	if o.optional != nil && o.optional.Lacks(row) {
		return v, false
	}
	v = o.Of(row)
	return v, v.Form == gotext.Struct || !v.HoldsNil()
}

// hasGoAttachments reports whether anything of the row goes below it.
func hasGoAttachments(ops []goOp, row gotext.Var) bool {
	for i := range ops {
		if o := &ops[i]; o.below {
			if _, ok := o.attached(row); ok {
				return true
			}
		}
	}
	return false
}

// attach appends what an op has below its row, whose number is n, if it has anything.
func (e *goEncoder) attach(dst []byte, o *goOp, n int, row gotext.Var, indent int) ([]byte, bool) {
	v, ok := o.attached(row)
	if !ok {
		return dst, true
	}
	dst = append(append(append(appendSpaces(dst, indent), '.'), o.field.key()...), ' ')
	if v.Form != gotext.List {
		return e.content(append(dst, "{}\n"...), o.field, v, indent+4)
	}
	var shared *goLayout
	if n > 0 {
		shared = o.shared
	}
	return e.array(dst, o.field, v, indent+4, shared)
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
		return strconv.AppendBool(dst, v.Bool()), true
	case gotype.Time:
		var buf [48]byte
		text, ok := gotext.AppendTime(buf[:0], v.Time())
		return lex.AppendString(dst, string(text)), ok
	}
	n, ok := v.Int()
	return lex.AppendInt(dst, n), ok
}
