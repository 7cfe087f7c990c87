package wire

import (
	"reflect"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// Marshalers are functions that convert types which have no methods for that, because
// they belong to another package or mean something else elsewhere. [Options]
// take them. They are immutable, safe for concurrent use, and best made
// once: each set compiles every Go type for itself. A nil *Marshalers has no functions.
type Marshalers struct{ plans plans }

// MarshalersOf returns functions for variables of type T, wherever they are in a Go value:
// in fields, elements, pointers and interfaces, but for keys of maps and for embedded
// structs, which are their fields. A function takes the place of the methods of T; one that
// is nil leaves its direction as it is. Only *T is T's variable: a type that is made of T
// has another. Unmarshal gets null too. Its Value may be kept.
//
// The set has the functions of more as well, which are sets for other types. Of two for one
// type and direction the first counts. MarshalersOf panics if T is an interface.
func MarshalersOf[T any](marshal func(T) (Value, error), unmarshal func(Value) (T, error), more ...*Marshalers) *Marshalers {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Interface {
		panic("wire: MarshalersOf an interface, " + t.String())
	}
	var f functions
	if marshal != nil {
		f.from = func(_ *fromGo, p gotype.Ptr, out *Value) (err error) {
			if *out, err = marshal(*gotype.At[T](p)); err != nil {
				err = methodError(t, "the function", ErrShape, err)
			}
			return err
		}
	}
	if unmarshal != nil {
		f.to = func(d *toGo, v *Value, p gotype.Ptr) error {
			x, err := unmarshal(d.kept(v))
			if err != nil {
				return methodError(t, "the function", ErrType, err)
			}
			*gotype.At[T](p) = x
			return nil
		}
	}
	joined := map[reflect.Type]functions{t: f}
	for _, m := range more {
		for t, f := range m.all().own {
			known := joined[t]
			if known.from != nil {
				f.from = known.from
			}
			if known.to != nil {
				f.to = known.to
			}
			joined[t] = f
		}
	}
	return &Marshalers{plans{own: joined}}
}

// FromGo is [FromGo] with these options.
func (o Options) FromGo(v any) (Value, error) {
	c := fromGo{plans: o.Marshalers.all()}
	if err := c.any(v, &c.result); err != nil {
		return Value{}, err
	}
	return c.result, nil
}

// functions are those of one type; one that is nil is not there.
type functions struct {
	from fromFunc
	to   toFunc
}

// plans are what is known of the types that a program converts, with functions of its own
// or without.
type plans struct {
	own  map[reflect.Type]functions
	from [4]gotype.Memo[reflect.Type, *fromPlan] // by mode
	to   [2]gotype.Memo[reflect.Type, *toPlan]   // of variables that are hidden in [1]
}

// common are the plans without functions.
var common plans

func (m *Marshalers) all() *plans {
	if m == nil {
		return &common
	}
	return &m.plans
}
