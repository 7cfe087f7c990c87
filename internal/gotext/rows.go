package gotext

import "github.com/wirekit/wirekit/internal/gotype"

// Rows are structs in a list, or those that its pointers lead to.
type Rows struct {
	First    gotype.Ptr
	Len      int
	Size     uintptr
	Pointers bool
}

// Rows returns the structs of a list, whose node is n.
func (n *Node) Rows(list *gotype.Slice) Rows {
	return Rows{list.Data, list.Len, n.Size, n.Elem.Form == Pointer}
}

// At returns where the struct of a row is, nil if there is none.
func (r *Rows) At(i int) gotype.Ptr {
	p := gotype.Add(r.First, uintptr(i)*r.Size)
	if r.Pointers {
		p = *gotype.At[gotype.Ptr](p)
	}
	return p
}

// HoldsNil reports whether some row is none.
func (r *Rows) HoldsNil() bool {
	for i := 0; i < r.Len && r.Pointers; i++ {
		if r.At(i) == nil {
			return true
		}
	}
	return false
}
