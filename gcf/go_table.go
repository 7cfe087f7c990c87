package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// maxGoLists bounds the arrays attached to a row.
const maxGoLists = 8

// declaration adds the columns that the declaration at i, from its opening brace to the end
// of the line, means for structs, to a table.
func (r *goReader) declaration(row *gotext.Node, t *gotext.Table, i int) int {
	d := r.values()
	d.End = r.lineEnd(i)
	p, next, err := d.fields(i, planTable)
	if err != nil || next != d.End {
		return -1
	}
	m := goTableMaker{Table: t}
	for k, name := range p.keys.All() {
		f := &node{name: name, column: k}
		if p.fields != nil {
			f = p.fields[k]
		}
		if !m.field(row, f) {
			return -1
		}
	}
	t.EndWith('\n')
	return next + 1
}

// A goTableMaker makes a table of the fields of a row.
type goTableMaker struct {
	*gotext.Table
	cells int
	lists int
}

// field adds the columns of a field. It reports false for what needs Values.
func (m *goTableMaker) field(row *gotext.Node, f *node) bool {
	of := row.Member(f.name)
	if of == nil {
		return false
	}
	c := of.Column('|')
	switch form := of.Node.Form; {
	case f.column < 0 && form == gotext.Struct:
		return m.leaves(&m.Columns, of.Node, f, &of.Place)
	case f.column < 0 && form == gotext.Pointer:
		if !m.leaves(&c.Group, of.Node.Elem, f, nil) {
			return false
		}
	case f.column < 0 && form == gotext.Map:
		m.Groups++
		for _, child := range f.children {
			if !m.next(child) {
				return false
			}
			c.Group = append(c.Group, gotext.Column{Key: strings.Clone(child.name), End: '|'})
		}
	case !m.next(f):
		return false
	case form == gotext.List:
		c.List = m.lists
		if m.lists++; m.lists > maxGoLists {
			return false
		}
	}
	m.Columns = append(m.Columns, c)
	return true
}

// next reports whether a field is that of the next cell.
func (m *goTableMaker) next(f *node) bool {
	m.cells++
	return f.column == m.cells-1
}

// leaves adds the columns of a group, to which nothing is attached: scalars in a struct
// that is at outer in the row, if it is not what a pointer leads to.
func (m *goTableMaker) leaves(columns *[]gotext.Column, n *gotext.Node, f *node, outer *gotext.Place) bool {
	m.Groups++
	for _, child := range f.children {
		var of *gotext.Member
		if n.Form == gotext.Struct {
			of = n.Member(child.name)
		}
		if of == nil {
			return false
		}
		c := of.Column('|')
		if outer != nil {
			c.Place = c.Within(outer)
		}
		switch {
		case child.column < 0:
			if !m.leaves(columns, of.Node, child, &c.Place) {
				return false
			}
		case of.Node.Form > gotext.Pointer || !m.next(child):
			return false
		default:
			*columns = append(*columns, c)
		}
	}
	return true
}
