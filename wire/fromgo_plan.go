package wire

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// fromMode says in which position values of a type are; each has its plan.
type fromMode uint8

const (
	// addressable: methods of the pointer count too, as in encoding/json.
	addressable fromMode = 1 << iota
	// hidden: an embedded struct of an unexported type, whose methods are not
	// asked, or a pointer to one.
	hidden
)

// fromFunc converts the variable at p.
type fromFunc func(c *fromGo, p gotype.Ptr, out *Value) error

// A fromPlan is how values of one type become Values. It is made once, and
// compiled when it is first used, so that types may refer to themselves.
type fromPlan struct {
	typ  *gotype.Type
	mode fromMode
	in   *plans
	// op is that of a type that loops over fields and elements convert
	// themselves, with scalarAt; of all others Other.
	op gotype.Op
	// run is what compile returned. Two goroutines may both compile a plan, with
	// the same result.
	run       atomic.Pointer[fromFunc]
	structure func() *fromStruct // of a struct
}

func (in *plans) fromPlan(t reflect.Type, mode fromMode) *fromPlan {
	return in.from[mode].Of(t, func(t reflect.Type) *fromPlan {
		plan := &fromPlan{typ: goTypes.Of(t), mode: mode, in: in}
		plan.structure = sync.OnceValue(plan.newFromStruct)
		if plan.method() == gotype.NoMethod {
			plan.op = scalarOp(plan.typ.Op)
		}
		return plan
	})
}

// scalarOp returns the op if scalarAt knows it, else Other.
func scalarOp(op gotype.Op) gotype.Op {
	if op.IsInt() || op.IsUint() || op == gotype.String || op == gotype.Float64 || op == gotype.Bool {
		return op
	}
	return gotype.Other
}

func (g *fromPlan) method() gotype.Method {
	switch {
	case g.mode&hidden != 0:
		return gotype.NoMethod
	case g.in.own[g.typ.T].from != nil:
		return gotype.OwnMethod
	}
	return g.typ.Marshal(g.mode&addressable != 0)
}

// convert converts the variable at p, which is of the plan's type.
func (g *fromPlan) convert(c *fromGo, p gotype.Ptr, out *Value) error {
	if run := g.run.Load(); run != nil {
		return (*run)(c, p, out)
	}
	run := g.compile()
	g.run.Store(&run)
	return run(c, p, out)
}

func (g *fromPlan) compile() fromFunc {
	t, m := g.typ.T, g.method()
	own := g.in.own[t].from
	switch {
	case m == gotype.NoMethod:
		return g.compilePlain()
	case own != nil:
		return own
	case g.mode&addressable != 0:
		return func(c *fromGo, p gotype.Ptr, out *Value) error { return c.call(m, reflect.NewAt(t, p), out) }
	}
	return func(c *fromGo, p gotype.Ptr, out *Value) error { return c.call(m, reflect.NewAt(t, p).Elem(), out) }
}

// compilePlain is compile for a type without a method that counts.
func (g *fromPlan) compilePlain() fromFunc {
	t := g.typ.T
	switch op := g.typ.Op; op {
	case gotype.Value:
		return func(_ *fromGo, p gotype.Ptr, out *Value) error { *out = *gotype.At[Value](p); return nil }
	case gotype.Time:
		return fromAt(fromTime)
	case gotype.Number:
		return fromAt(fromNumber)
	case gotype.Float32:
		return fromAt(fromFloat32)
	case gotype.Float64:
		return fromAt(fromFloat)
	case gotype.Interface:
		return g.compileInterface()
	case gotype.Pointer:
		return g.compilePointer()
	case gotype.Struct:
		return g.structure().convert
	case gotype.List:
		return g.compileList()
	case gotype.Array:
		return g.compileArray()
	case gotype.Map:
		return g.compileMap()
	case gotype.Other:
		return func(*fromGo, gotype.Ptr, *Value) error { return unsupported(t) }
	default:
		return func(_ *fromGo, p gotype.Ptr, out *Value) error { *out = scalarAt(op, p); return nil }
	}
}

// fromAt returns the conversion of a variable of type T.
func fromAt[T any](convert func(T, *Value) error) fromFunc {
	return func(_ *fromGo, p gotype.Ptr, out *Value) error { return convert(*gotype.At[T](p), out) }
}

// scalarAt returns the value of a variable with an op of scalarOp, but for
// floats that are not numbers.
func scalarAt(op gotype.Op, p gotype.Ptr) Value {
	switch op {
	case gotype.String:
		return String(*gotype.At[string](p))
	case gotype.Uint64:
		return Uint(*gotype.At[uint64](p))
	case gotype.Bool:
		return Bool(*gotype.At[bool](p))
	}
	n, _ := gotype.Int(op, p)
	return Int(n)
}

func (g *fromPlan) compileInterface() fromFunc {
	t := g.typ.T
	held := func(p gotype.Ptr) any { return *gotype.At[any](p) }
	if t.NumMethod() > 0 {
		held = func(p gotype.Ptr) any { return reflect.NewAt(t, p).Elem().Interface() }
	}
	return func(c *fromGo, p gotype.Ptr, out *Value) error {
		v := held(p)
		if v == nil {
			return fromNil(out)
		}
		if err := c.enter(0); err != nil {
			return err
		}
		err := c.any(v, out)
		c.depth--
		return err
	}
}

func (g *fromPlan) compilePointer() fromFunc {
	elem := g.in.fromPlan(g.typ.T.Elem(), addressable|g.mode&hidden)
	return func(c *fromGo, p gotype.Ptr, out *Value) error { return c.target(elem, *gotype.At[gotype.Ptr](p), out) }
}

func (g *fromPlan) compileList() fromFunc {
	if g.typ.IsBytes() && goTypes.Of(g.typ.T.Elem()).MarshalAddress == gotype.NoMethod {
		return fromBytes
	}
	elements := newFromList(g.in.fromPlan(g.typ.T.Elem(), addressable))
	return func(c *fromGo, p gotype.Ptr, out *Value) error {
		list := gotype.At[gotype.Slice](p)
		if list.Data == nil {
			return fromNil(out)
		}
		if err := c.enter(0); err != nil {
			return err
		}
		err := elements.convert(c, list.Data, list.Len, out)
		c.depth--
		return err
	}
}

func fromBytes(c *fromGo, p gotype.Ptr, out *Value) error {
	b := *gotype.At[[]byte](p)
	if b == nil {
		return fromNil(out)
	}
	*out = stringValue(KindBytes, c.cloneText(b))
	return nil
}

func (g *fromPlan) compileArray() fromFunc {
	elements := newFromList(g.in.fromPlan(g.typ.T.Elem(), g.mode&addressable))
	n := g.typ.T.Len()
	return func(c *fromGo, p gotype.Ptr, out *Value) error { return elements.convert(c, p, n, out) }
}

// fromList converts the elements of an array or a slice.
type fromList struct {
	elem    *fromPlan
	size    uintptr
	structs bool // the elements are structs without a method of their own
}

func newFromList(elem *fromPlan) *fromList {
	return &fromList{elem, elem.typ.Size, elem.typ.Op == gotype.Struct && elem.method() == gotype.NoMethod}
}

// convert converts the n elements from first on.
func (l *fromList) convert(c *fromGo, first gotype.Ptr, n int, out *Value) error {
	if n == 0 {
		*out = Array()
		return nil
	}
	if err := c.count(n); err != nil {
		return err
	}
	if l.structs {
		if s := l.elem.structure(); len(s.optional) == 0 && s.rest == nil {
			return s.rows(c, first, n, l.size, out)
		}
	}
	slots := c.take(n)
	for i := range slots {
		p := gotype.Add(first, uintptr(i)*l.size)
		switch op := l.elem.op; op {
		case gotype.Float64:
			x := *gotype.At[float64](p)
			if x-x != 0 {
				return AtIndex(notANumber(x), i)
			}
			slots[i] = Float(x)
		case gotype.Other:
			if err := l.elem.convert(c, p, &slots[i]); err != nil {
				return AtIndex(err, i)
			}
		default:
			slots[i] = scalarAt(op, p)
		}
	}
	*out = childrenValue(KindArray, &slots[0], n)
	return nil
}
