package gotext

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/gotype"
)

// Roots remembers what a program marshals and unmarshals: the plans of the types
// that roots had, under the word that an interface has for its type. That takes no
// reflection and no lock, so a small document costs little more than its text. The
// zero Roots is ready to use. P is a pointer.
type Roots[P any] struct {
	// slots are those that were asked for last; types that share one drive each
	// other out. roots maps reflect.Type to all *Root[P].
	slots [rootSlots]atomic.Pointer[Root[P]]
	roots sync.Map
}

// rootSlots is a power of two.
const rootSlots = 64

// A Root is the type of a root.
type Root[P any] struct {
	Plan P // of what it points to, if it is a pointer
	// Pointer says that the root is a pointer, whose variable has that size.
	Pointer bool
	Size    uintptr

	word gotype.TypeWord
	// Plain says that the root is read where the interface holds it.
	plain bool
}

// Of returns the type of v, and the address of the variable that v points to or
// holds; nil for nil pointers and for all that is neither a pointer, a slice nor
// a struct. What an interface holds is not written to. plan makes the plan of a
// type.
func (r *Roots[P]) Of(v any, plan func(t reflect.Type) P) (*Root[P], gotype.Ptr) {
	word, p := gotype.Held(v)
	slot := &r.slots[word.Hash()%rootSlots]
	known := slot.Load()
	if known == nil || known.word != word {
		if word.IsNil() {
			return new(Root[P]), nil
		}
		known = r.find(word, reflect.TypeOf(v), plan)
		slot.Store(known)
	}
	if !known.plain {
		return known, nil
	}
	return known, p
}

func (r *Roots[P]) find(word gotype.TypeWord, t reflect.Type, plan func(t reflect.Type) P) *Root[P] {
	known, ok := r.roots.Load(t)
	if !ok {
		known, _ = r.roots.LoadOrStore(t, newRoot(word, t, plan))
	}
	return known.(*Root[P])
}

func newRoot[P any](word gotype.TypeWord, t reflect.Type, plan func(t reflect.Type) P) *Root[P] {
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
	root.plain, root.Size, root.Plan = true, t.Size(), plan(t)
	return root
}
