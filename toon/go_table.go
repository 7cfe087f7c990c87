package toon

import (
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
)

// goRows is a list of structs, or of pointers to them, none of which is nil.
type goRows struct {
	*gotext.Node // of the structs
	list         *gotype.Slice
	size         uintptr
	pointers     bool
	uniform      bool // see isUniform; isTable finds out
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
	if r.uniform = r.isUniform(); r.uniform {
		return true
	}
	first := r.at(0)
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

// isUniform reports whether all structs of the type are rows of one layout, that
// of the type.
func (r *goRows) isUniform() bool { return len(r.Varying) == 0 && len(r.Members) > 0 }

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
	if r.uniform {
		dst = e.uniformList(dst, r.Node)
	} else {
		groups := 0
		if dst, ok = e.fieldList(dst, r.Node, r.at(0), &groups); !ok {
			return dst, false
		}
		e.objects += (groups - 1) * r.list.Len
	}
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

// uniformList is fieldList for structs that isUniform found. It is remembered for
// those of the last type.
func (e *goEncoder) uniformList(dst []byte, n *gotext.Node) []byte {
	if e.listed != n {
		groups := 0
		e.list, _ = e.fieldList(e.list[:0], n, nil, &groups)
		e.listed = n
	}
	return append(dst, e.list...)
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
			dst, ok = primitive(dst, inner, q)
		} else {
			dst, ok = appendScalar(dst, m.Op, q)
		}
		if !ok {
			return dst, false
		}
		dst = append(dst, ',')
	}
	return dst, true
}
