package gotext

import (
	"reflect"

	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// A Target is the struct that a Decoder has the records of a stream stored in. It is zero
// before each.
type Target[P any] struct {
	*inplace.Record
	Var
	Plan P
}

// Target returns the Target that to is, nil for any other and for structs that need Values;
// plan is that of [Roots.Of].
func (r *Roots[P]) Target(to inplace.Target, plan func(t reflect.Type) (P, *Node)) *Target[P] {
	record, ok := to.(*inplace.Record)
	if !ok || record.V == nil {
		return nil
	}
	root, at := r.Of(record.V, plan)
	if !root.Fresh(at) || at.Form != Struct {
		return nil
	}
	return &Target[P]{record, at, root.Plan}
}
