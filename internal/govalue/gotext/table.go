package gotext

import (
	"slices"
	"strings"
	"sync/atomic"
)

// A Table is what the text that declares the columns of a table means for structs of one
// type. A node remembers those that were read: their texts are names of its members.
type Table struct {
	// Declared is that text, up to what ends it.
	Declared string
	Columns  []Column
	// Groups is the number of objects that a row needs beside its own, or a few more.
	Groups int

	next  *Table
	count int // of this and those after it
}

// A Column says where the cells of a column go, or those of all the columns of a Group:
// what a pointer leads to, or a map.
type Column struct {
	Member *Member // of the row, which the column is or belongs to
	Place          // in the row, or in what the pointer leads to; of what the cells hold
	Key    string  // in a map
	List   int     // of a list, its number among those of the row
	End    byte    // what is after the cell, or after the last one of the group
	Group  []Column
}

// tables are those that a node knows.
type tables struct{ first atomic.Pointer[Table] }

// maxTables and maxDeclared bound the tables that a node remembers, and their texts. One
// more table makes it forget the others.
const (
	maxTables   = 16
	maxDeclared = 1 << 12
)

// Table returns what the declaration that text begins with means, if that is remembered.
func (n *Node) Table(text string) *Table {
	t := n.tables.first.Load()
	for t != nil && !strings.HasPrefix(text, t.Declared) {
		t = t.next
	}
	return t
}

// Remember makes Table return t, which is declared by that text, until others have
// taken its place.
func (n *Node) Remember(t *Table, declared string) {
	if t.Declared = declared; len(declared) > maxDeclared {
		return
	}
	t.Declared = strings.Clone(declared)
	known := n.tables.first.Load()
	if t.count = 1; known != nil && known.count < maxTables {
		t.next, t.count = known, known.count+1
	}
	n.tables.first.CompareAndSwap(known, t)
}

// EndWith has a byte of its own end the last cell of a row.
func (t *Table) EndWith(end byte) {
	for columns := t.Columns; columns != nil; {
		last := &columns[len(columns)-1]
		last.End, columns = end, last.Group
	}
}

// Has reports whether a column is that of the member.
func Has(columns []Column, m *Member) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Member == m })
}

// Column returns the member as a column, whose cells end with that byte.
func (m *Member) Column(end byte) Column {
	return Column{Member: m, Place: m.Place, End: end}
}

// Member returns the member with that very name, nil if there is none.
func (n *Node) Member(name string) *Member {
	if i := slices.Index(n.Type.Fields().Names, name); i >= 0 {
		return &n.Members[i]
	}
	return nil
}

// Row returns the struct that the elements of a list are or point to, nil if they are
// something else, and whether they are pointers.
func (n *Node) Row() (row *Node, pointers bool) {
	row = n.Elem
	if pointers = row.Form == Pointer; pointers {
		row = row.Elem
	}
	if row.Form != Struct {
		row = nil
	}
	return row, pointers
}

// Fresh reports whether v, which [Roots.Of] returned for a pointer to it, is there and
// zero.
func (r *Root[P]) Fresh(v Var) bool {
	return r.Pointer && !v.IsNil() && v.IsZero()
}
