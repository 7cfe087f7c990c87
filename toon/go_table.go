package toon

import (
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
)

// goRows is a list of structs, or of pointers to them, none of which is nil.
type goRows struct {
	*gotext.Node // of the structs
	gotext.Rows
}

// isTable reports whether the rows are a table: objects of one layout (section
// 9.3), that of the first.
func (r *goRows) isTable() bool {
	if len(r.Varying) == 0 {
		return len(r.Members) > 0
	}
	first := r.At(0)
	if !isRow(r.Node, first) {
		return false
	}
	for i := 1; i < r.Len; i++ {
		if !sameLayout(r.Node, first, r.At(i)) {
			return false
		}
	}
	return true
}

// isRow reports whether an object can be a row, or in one: it is neither empty nor
// holds an array or an empty object.
func isRow(n *gotext.Node, p gotype.Ptr) bool {
	if !isFilled(n, p) {
		return false
	}
	for _, m := range n.Varying {
		if m.Op != gotype.Other || m.Optional && m.Absence.Of(p) {
			continue
		}
		kind, inner, q := held(m.Node, gotype.Add(p, m.Offset))
		if kind == goArray || kind == goObject && !isRow(inner, q) {
			return false
		}
	}
	return true
}

// sameLayout reports whether the object at b has the layout of that at a, which
// can be a row.
func sameLayout(n *gotext.Node, a, b gotype.Ptr) bool {
	if n.Form == gotext.Map {
		return sameKeys(n, a, b)
	}
	for _, m := range n.Varying {
		if m.Optional {
			absent := m.Absence.Of(a)
			if absent != m.Absence.Of(b) {
				return false
			}
			if absent {
				continue
			}
		}
		if m.Op == gotype.Other && !sameHeld(m, a, b) {
			return false
		}
	}
	return true
}

// sameHeld is sameLayout for what a member holds.
func sameHeld(m *gotext.Member, a, b gotype.Ptr) bool {
	kind, inner, p := held(m.Node, gotype.Add(a, m.Offset))
	other, _, q := held(m.Node, gotype.Add(b, m.Offset))
	return kind == other && (kind != goObject || sameLayout(inner, p, q))
}

func sameKeys(n *gotext.Node, a, b gotype.Ptr) bool {
	if n.Maps.Len(a) != n.Maps.Len(b) {
		return false
	}
	var scratch gotext.Scratch
	for _, key := range n.Maps.Keys(a, nil) {
		if !n.Maps.Load(b, key, scratch.At(n.Elem)) {
			return false
		}
	}
	return true
}

// goLayout is what a table has in its header, and the columns that its rows have.
type goLayout struct {
	// node and first are the type of the rows, which the next table may have too, and the first
	// of them; nil if all values of the type have one layout.
	node    *gotext.Node
	first   gotype.Ptr
	list    []byte // the field list and the colon
	columns []goCell
	groups  int // in a row
}

// goCell writes the cell of a member, or those of an object that a pointer leads to.
type goCell struct {
	op     gotype.Op // of a scalar; of all others Other
	offset uintptr   // in the row
	node   *gotext.Node
	inner  []goCell
}

// layout returns the layout of a table. That of the last one is remembered.
func (e *goEncoder) layout(r *goRows) (l *goLayout, ok bool) {
	if l = &e.last; l.node == r.Node && (l.first == nil || sameLayout(r.Node, l.first, r.At(0))) {
		return l, true
	}
	l.node, l.first, l.groups, l.list = nil, nil, 0, l.list[:0]
	if l.columns, ok = l.add(l.columns[:0], r.Node, r.At(0), 0); !ok {
		return l, false
	}
	l.list = append(l.list, ':')
	if l.node = r.Node; len(r.Varying) > 0 {
		l.first = r.At(0)
	}
	return l, true
}

// add appends the names of a group to the field list, and its columns. The struct at p
// lies at the offset in the row. Groups of maps are left to Values.
func (l *goLayout) add(columns []goCell, n *gotext.Node, p gotype.Ptr, offset uintptr) (_ []goCell, ok bool) {
	if n.Form == gotext.Map {
		return columns, false
	}
	l.groups++
	l.list = append(l.list, '{')
	for i := range n.Members {
		m := &n.Members[i]
		if m.Lacks(p) {
			continue
		}
		l.list = append(l.list, keyOf(m)...)
		c := goCell{op: m.Op, offset: offset + m.Offset, node: m.Node}
		kind, inner, q := held(m.Node, gotype.Add(p, m.Offset))
		switch {
		case kind != goObject:
			columns = append(columns, c)
		case m.Node.Form == gotext.Pointer:
			if c.inner, ok = l.add(nil, inner, q, 0); !ok {
				return columns, false
			}
			columns = append(columns, c)
		default:
			if columns, ok = l.add(columns, inner, q, c.offset); !ok {
				return columns, false
			}
		}
		l.list = append(l.list, ',')
	}
	l.list[len(l.list)-1] = '}' // instead of the last comma
	return columns, true
}

// keyOf returns the key of a member as it is in the text.
func keyOf(m *gotext.Member) string { return m.Label.Text[:len(m.Label.Text)-len(scalarMark)] }

// table appends a table from its field list on.
func (e *goEncoder) table(dst []byte, r *goRows, depth int) ([]byte, bool) {
	l, ok := e.layout(r)
	if !ok {
		return dst, false
	}
	e.objects += (l.groups - 1) * r.Len
	dst = append(dst, l.list...)
	for i := range r.Len {
		if dst, ok = e.newline(dst, depth+1); !ok {
			return dst, false
		}
		if dst, ok = e.row(dst, l.columns, r.At(i)); !ok {
			return dst, false
		}
	}
	return dst, true
}

// row appends the cells of the struct at p, with commas between them.
func (e *goEncoder) row(dst []byte, columns []goCell, p gotype.Ptr) (_ []byte, ok bool) {
	for i := range columns {
		c := &columns[i]
		q := gotype.Add(p, c.offset)
		switch c.op {
		case gotype.String:
			dst = e.text(dst, *gotype.At[string](q))
		case gotype.Int64:
			dst = decimal.AppendInt(dst, *gotype.At[int64](q))
		case gotype.Float64:
			if dst, ok = appendFloat(dst, *gotype.At[float64](q)); !ok {
				return dst, false
			}
		default:
			if dst, ok = e.cell(dst, c, q); !ok {
				return dst, false
			}
		}
		dst = append(dst, ',')
	}
	return dst[:len(dst)-1], true // the last comma
}

// cell appends the cell at p, or those of an object that a pointer leads to.
func (e *goEncoder) cell(dst []byte, c *goCell, p gotype.Ptr) ([]byte, bool) {
	if c.op != gotype.Other {
		return e.scalar(dst, c.op, p)
	}
	switch kind, n, p := held(c.node, p); {
	case kind == goPrimitive:
		return e.primitive(dst, n, p)
	case c.inner != nil && kind == goObject:
		return e.row(dst, c.inner, p)
	}
	return dst, false // it changes meanwhile
}
