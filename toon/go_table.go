package toon

import (
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// isTable reports whether rows, none of which is nil, are a table: objects of one layout
// (section 9.3), that of the first.
func isTable(r *gotext.Rows) bool {
	if len(r.Varying) == 0 {
		return len(r.Members) > 0
	}
	first := r.At(0)
	if !isRow(first) {
		return false
	}
	for i := 1; i < r.Len; i++ {
		if !sameLayout(first, r.At(i)) {
			return false
		}
	}
	return true
}

// isRow reports whether an object can be a row, or in one: it is neither empty nor
// holds an array or an empty object.
func isRow(v gotext.Var) bool {
	if !isFilled(v) {
		return false
	}
	for _, m := range v.Varying {
		if m.Op != gotype.Other || m.Lacks(v) {
			continue
		}
		kind, inner := held(m.Of(v))
		if kind == goArray || kind == goObject && !isRow(inner) {
			return false
		}
	}
	return true
}

// sameLayout reports whether the object b has the layout of a, which can be a row.
func sameLayout(a, b gotext.Var) bool {
	if a.Form == gotext.Map {
		return sameKeys(a, b)
	}
	for _, m := range a.Varying {
		absent := m.Lacks(a)
		if absent != m.Lacks(b) || !absent && m.Op == gotype.Other && !sameHeld(m.Of(a), m.Of(b)) {
			return false
		}
	}
	return true
}

// sameHeld is sameLayout for what two members hold.
func sameHeld(a, b gotext.Var) bool {
	kind, p := held(a)
	other, q := held(b)
	return kind == other && (kind != goObject || sameLayout(p, q))
}

func sameKeys(a, b gotext.Var) bool {
	if a.Count() != b.Count() {
		return false
	}
	var scratch gotext.Scratch
	for _, key := range a.AppendKeys(nil) {
		if _, ok := b.Load(key, &scratch); !ok {
			return false
		}
	}
	return true
}

// goLayout is what a table has in its header, and the columns that its rows have.
type goLayout struct {
	// node is the type of the rows, which the next table may have too, and lacks are the
	// members that they lack; nil if these do not tell the layout.
	node    *gotext.Node
	lacks   uint64
	list    []byte // the field list and the colon
	columns []gotext.Member
	groups  int // in a row
}

// layout returns the layout of a table. That of the last one is remembered.
func (e *goEncoder) layout(r *gotext.Rows) (l *goLayout, ok bool) {
	first := r.At(0)
	lacks, known := lacking(first)
	if l = &e.last; known && l.node == r.Node && l.lacks == lacks {
		return l, true
	}
	l.node, l.lacks, l.groups, l.list = nil, lacks, 0, l.list[:0]
	if l.columns, ok = l.add(l.columns[:0], first, nil); !ok {
		return l, false
	}
	if l.list = append(l.list, ':'); known {
		l.node = r.Node
	}
	return l, true
}

// lacking returns which of its varying members a struct lacks, a bit each. It reports false
// where its layout depends on more than these.
func lacking(v gotext.Var) (lacks uint64, ok bool) {
	for i, m := range v.Varying {
		if m.Op == gotype.Other || i == 64 {
			return 0, false
		}
		if m.Lacks(v) {
			lacks |= 1 << i
		}
	}
	return lacks, true
}

// add appends the names of a group to the field list, and its columns. The struct v lies
// at outer in the row, if it is not that. Groups of maps are left to Values.
func (l *goLayout) add(columns []gotext.Member, v gotext.Var, outer *gotext.Place) (_ []gotext.Member, ok bool) {
	if v.Form == gotext.Map {
		return columns, false
	}
	l.groups++
	l.list = append(l.list, '{')
	for i := range v.Members {
		m := &v.Members[i]
		if m.Lacks(v) {
			continue
		}
		l.list = append(l.list, keyOf(m)...)
		c := *m
		if c.Optional = false; outer != nil {
			c.Place = m.Within(outer)
		}
		kind, inner := held(m.Of(v))
		switch {
		case kind != goObject:
			columns = append(columns, c)
		case m.Node.Form == gotext.Pointer:
			if c.Group, ok = l.add(nil, inner, nil); !ok {
				return columns, false
			}
			columns = append(columns, c)
		default:
			if columns, ok = l.add(columns, inner, &c.Place); !ok {
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
func (e *goEncoder) table(dst []byte, r *gotext.Rows, depth int) ([]byte, bool) {
	l, ok := e.layout(r)
	if !ok || !e.indents(dst, depth+1, r.Len) {
		return dst, false
	}
	e.objects += (l.groups - 1) * r.Len
	dst = append(dst, l.list...)
	for i := range r.Len {
		if dst, ok = e.Cells(appendNewline(dst, (depth+1)*defaultIndent), l.columns, r.At(i)); !ok || len(dst) > e.Max {
			return dst, false
		}
		dst = dst[:len(dst)-1] // without the last comma
	}
	return dst, true
}
