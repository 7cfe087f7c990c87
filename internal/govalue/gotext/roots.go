package gotext

import (
	"reflect"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// Roots remembers what a program marshals and unmarshals: the plans of the types
// that roots had, under the word that an interface has for its type. That takes no
// reflection and no lock, so a small document costs little more than its text. The
// zero Roots is ready to use. P is a pointer.
type Roots[P any] struct {
	// slots are those that were asked for last; types that share one drive each
	// other out. roots are all.
	slots [rootSlots]atomic.Pointer[Root[P]]
	roots gotype.Memo[reflect.Type, *Root[P]]
}

// rootSlots is a power of two.
const rootSlots = 64

// A Root is the type of a root.
type Root[P any] struct {
	Plan    P    // of what it points to, if it is a pointer
	Pointer bool // it is a pointer

	word gotype.TypeWord
	node *Node // of the same as the plan, nil unless it is read where the interface holds it
}

// Of returns the type of v, and the variable that v points to or holds: none for nil
// pointers, for all that is neither a pointer, a slice nor a struct, and for types without
// a node. What an interface holds is not written to. plan makes the plan and the node of a
// type.
func (r *Roots[P]) Of(v any, plan func(t reflect.Type) (P, *Node)) (*Root[P], Var) {
	word, p := gotype.Held(v)
	slot := &r.slots[word.Hash()%rootSlots]
	known := slot.Load()
	if known == nil || known.word != word {
		if word.IsNil() {
			return new(Root[P]), Var{}
		}
		known = r.roots.Of(reflect.TypeOf(v), func(t reflect.Type) *Root[P] { return newRoot(word, t, plan) })
		slot.Store(known)
	}
	if known.node == nil {
		p = nil
	}
	return known, Var{known.node, p}
}

func newRoot[P any](word gotype.TypeWord, t reflect.Type, plan func(t reflect.Type) (P, *Node)) *Root[P] {
	root := &Root[P]{word: word}
	switch t.Kind() {
	case reflect.Pointer:
		root.Pointer = true
		t = t.Elem()
	case reflect.Slice:
	case reflect.Struct:
		if t.Size() <= gotype.WordSize {
			return root // perhaps a pointer, which an interface holds itself
		}
	default:
		return root
	}
	root.Plan, root.node = plan(t)
	return root
}
