package gotext

import "github.com/wirekit/wirekit/internal/base/scan"

// A Flat writes structs of scalars that are always there as the rows of a stream.
type Flat struct {
	// Cell appends a scalar, or with Nested any variable. End follows it, unless that is 0.
	Cell   func(dst []byte, v Var) ([]byte, bool)
	Nested bool
	End    byte

	node *Node // of the last row
	flat bool  // its type is
}

// Columns are the names of a stream's columns.
type Columns interface {
	Len() int
	At(i int) string
}

// maxFlat bounds the text of a row, within the limits of all formats.
const maxFlat = 1 << 20

// Append appends the cells of v, a struct. It reports false for what it leaves to Values, errors included.
func (f *Flat) Append(dst []byte, v Var, columns Columns) (_ []byte, ok bool) {
	from := len(dst)
	if v.IsNil() {
		return dst, false
	}
	if f.node != v.Node {
		f.node, f.flat = v.Node, v.Has(columns) && (v.Optional == 0 && f.Nested || len(v.Varying) == 0)
	}
	if !f.flat {
		return dst, false
	}
	for i := range v.Members {
		if dst, ok = f.Cell(dst, v.Members[i].Of(v)); !ok {
			return dst[:from], false
		}
		if f.End != 0 {
			dst = append(dst, f.End)
		}
	}
	if len(dst)-from > maxFlat || !scan.IsUTF8(dst[from:]) {
		return dst[:from], false
	}
	return dst, ok
}

// Has reports whether the members of a struct are these columns, in their order.
func (n *Node) Has(columns Columns) bool {
	if n.Form != Struct || len(n.Members) != columns.Len() {
		return false
	}
	for i := range n.Members {
		if n.Members[i].Name != columns.At(i) {
			return false
		}
	}
	return true
}
