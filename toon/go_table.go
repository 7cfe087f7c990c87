package toon

import (
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
)

// goRows is a list of structs, or of pointers to them, none of which is nil.
type goRows struct {
	*gotext.Node // of the structs
	list         *gotype.Slice
	size         uintptr
	pointers     bool
	scalars      bool   // see presence; isTable finds out
	present      uint64 // if scalars
}

func (r *goRows) at(i int) gotype.Ptr {
	p := gotype.Add(r.list.Data, uintptr(i)*r.size)
	if r.pointers {
		p = *gotype.At[gotype.Ptr](p)
	}
	return p
}

// isTable reports whether the rows are a table: objects of one layout (section
// 9.3), that of the first.
func (r *goRows) isTable() bool {
	first := r.at(0)
	if r.present, r.scalars = presence(r.Node, first); r.scalars {
		if r.present == 0 && r.Optional == len(r.Members) {
			return false
		}
		if r.Optional == 0 {
			return true
		}
		for i := 1; i < r.list.Len; i++ {
			if present, _ := presence(r.Node, r.at(i)); present != r.present {
				return false
			}
		}
		return true
	}
	if !isRow(r.Node, first) {
		return false
	}
	for i := 1; i < r.list.Len; i++ {
		if !sameLayout(r.Node, first, r.at(i)) {
			return false
		}
	}
	return true
}

// maxOptional is the number of optional members up to which presence knows them.
const maxOptional = 64

// presence returns which of a struct's optional members are there, a bit for each. It
// reports false if there are too many, or members that are no scalars.
func presence(n *gotext.Node, p gotype.Ptr) (present uint64, ok bool) {
	if len(n.Varying) != n.Optional || n.Optional > maxOptional {
		return 0, false
	}
	for k, m := range n.Varying {
		if m.Op == gotype.Other {
			return 0, false
		}
		if !m.Absence.Of(p) {
			present |= 1 << k
		}
	}
	return present, true
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

// table appends a table from its field list on.
func (e *goEncoder) table(dst []byte, r *goRows, depth int) (_ []byte, ok bool) {
	if r.scalars {
		return e.scalarTable(dst, r, depth)
	}
	groups := 0
	if dst, ok = e.fieldList(dst, r.Node, r.at(0), &groups); !ok {
		return dst, false
	}
	e.objects += (groups - 1) * r.list.Len
	dst = append(dst, ':')
	for i := range r.list.Len {
		if dst, ok = e.newline(dst, depth+1); !ok {
			return dst, false
		}
		if dst, ok = e.row(dst, r.Node, r.at(i)); !ok {
			return dst, false
		}
		dst = dst[:len(dst)-1] // the last comma
	}
	return dst, true
}

// goLayout is what a table of scalars has in its header, and whose cells are in its
// rows.
type goLayout struct {
	node    *gotext.Node
	present uint64
	list    []byte // the field list and the colon
	columns []*gotext.Member
}

// layout returns the layout of rows of scalars. That of the last table is remembered.
func (e *goEncoder) layout(r *goRows) *goLayout {
	l := &e.last
	if l.node == r.Node && l.present == r.present {
		return l
	}
	groups, first := 0, r.at(0)
	l.list, _ = e.fieldList(l.list[:0], r.Node, first, &groups)
	l.list = append(l.list, ':')
	l.columns = l.columns[:0]
	for i := range r.Members {
		if m := &r.Members[i]; !m.Optional || !m.Absence.Of(first) {
			l.columns = append(l.columns, m)
		}
	}
	l.node, l.present = r.Node, r.present
	return l
}

// scalarTable is table for rows of scalars.
func (e *goEncoder) scalarTable(dst []byte, r *goRows, depth int) (_ []byte, ok bool) {
	l := e.layout(r)
	dst = append(dst, l.list...)
	for i := range r.list.Len {
		if dst, ok = e.newline(dst, depth+1); !ok {
			return dst, false
		}
		p := r.at(i)
		for _, m := range l.columns {
			q := gotype.Add(p, m.Offset)
			switch m.Op {
			case gotype.String:
				dst = e.text(dst, *gotype.At[string](q))
			case gotype.Int64:
				dst = decimal.AppendInt(dst, *gotype.At[int64](q))
			case gotype.Float64:
				if dst, ok = appendFloat(dst, *gotype.At[float64](q)); !ok {
					return dst, false
				}
			default:
				if dst, ok = e.scalar(dst, m.Op, q); !ok {
					return dst, false
				}
			}
			dst = append(dst, ',')
		}
		dst = dst[:len(dst)-1] // the last comma
	}
	return dst, true
}

// fieldList appends the names of a group, and counts it and those in it. Groups of
// maps are left to Values.
func (e *goEncoder) fieldList(dst []byte, n *gotext.Node, p gotype.Ptr, groups *int) (_ []byte, ok bool) {
	if n.Form == gotext.Map {
		return dst, false
	}
	*groups++
	dst = append(dst, '{')
	for i := range n.Members {
		m := &n.Members[i]
		if m.Optional && m.Absence.Of(p) {
			continue
		}
		dst = append(dst, keyOf(m)...)
		if m.Op == gotype.Other {
			if kind, inner, q := held(m.Node, gotype.Add(p, m.Offset)); kind == goObject {
				if dst, ok = e.fieldList(dst, inner, q, groups); !ok {
					return dst, false
				}
			}
		}
		dst = append(dst, ',')
	}
	dst[len(dst)-1] = '}' // instead of the last comma
	return dst, true
}

// keyOf returns the key of a member as it stands in the text.
func keyOf(m *gotext.Member) string { return m.Label.Text[:len(m.Label.Text)-len(scalarMark)] }

// row appends the cells of an object, each with a comma behind it.
func (e *goEncoder) row(dst []byte, n *gotext.Node, p gotype.Ptr) (_ []byte, ok bool) {
	for i := range n.Members {
		m := &n.Members[i]
		if m.Optional && m.Absence.Of(p) {
			continue
		}
		q := gotype.Add(p, m.Offset)
		if m.Op == gotype.Other {
			kind, inner, q := held(m.Node, q)
			if kind == goObject {
				if dst, ok = e.row(dst, inner, q); !ok {
					return dst, false
				}
				continue
			}
			dst, ok = e.primitive(dst, inner, q)
		} else {
			dst, ok = e.scalar(dst, m.Op, q)
		}
		if !ok {
			return dst, false
		}
		dst = append(dst, ',')
	}
	return dst, true
}
