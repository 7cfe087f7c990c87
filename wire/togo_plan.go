package wire

import (
	"encoding/base64"
	"math"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// toFunc stores v in the variable at p.
type toFunc func(d *toGo, v *Value, p gotype.Ptr) error

// A toPlan is how Values become values of one type. It is made once, and
// compiled when it is first used, so that types may refer to themselves.
type toPlan struct {
	typ *gotype.Type
	in  *plans
	// hidden says that the variable is an embedded struct of an unexported type,
	// whose methods are not asked, or a pointer to one, which cannot be set.
	hidden bool
	// op is that of a type that storeAt stores in; of all others Other.
	op gotype.Op

	// run is what compile returned. Two goroutines may both compile a plan, with
	// the same result.
	run       atomic.Pointer[toFunc]
	structure func() *toStruct // of a struct
}

func (in *plans) toPlan(t reflect.Type, hidden bool) *toPlan {
	plans := &in.to[0]
	if hidden {
		plans = &in.to[1]
	}
	return plans.Of(t, func(t reflect.Type) *toPlan {
		plan := &toPlan{typ: goTypes.Of(t), in: in, hidden: hidden}
		plan.structure = sync.OnceValue(plan.newToStruct)
		if plan.typ.Unmarshal == gotype.NoMethod && in.own[t].to == nil {
			plan.op = scalarOp(plan.typ.Op)
		}
		return plan
	})
}

// store stores v in the variable at p, which is of the plan's type.
func (g *toPlan) store(d *toGo, v *Value, p gotype.Ptr) error {
	if run := g.run.Load(); run != nil {
		return (*run)(d, v, p)
	}
	run := g.compile()
	g.run.Store(&run)
	return run(d, v, p)
}

func (g *toPlan) compile() toFunc {
	plain := g.compilePlain()
	t, m := g.typ.T, g.typ.Unmarshal
	if own := g.in.own[t].to; own != nil && !g.hidden {
		return own
	}
	if m == gotype.NoMethod || g.hidden {
		return plain
	}
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		if m == gotype.TextMethod && v.kind == KindNull {
			return plain(d, v, p)
		}
		return d.call(m, v, reflect.NewAt(t, p))
	}
}

// compilePlain is compile without regard to methods.
func (g *toPlan) compilePlain() toFunc {
	t := g.typ.T
	switch op := g.typ.Op; op {
	case gotype.Value:
		return func(d *toGo, v *Value, p gotype.Ptr) error { *gotype.At[Value](p) = d.kept(v); return nil }
	case gotype.Time:
		return func(d *toGo, v *Value, p gotype.Ptr) error { return d.time(v, gotype.At[time.Time](p)) }
	case gotype.Number:
		return func(d *toGo, v *Value, p gotype.Ptr) error {
			return toNumber(d.spelled(v, op), gotype.At[string](p), t)
		}
	case gotype.Float32:
		return func(d *toGo, v *Value, p gotype.Ptr) error {
			return toFloat32(d.spelled(v, op), gotype.At[float32](p), t)
		}
	case gotype.Interface:
		return g.compileInterface()
	case gotype.Pointer:
		return g.compilePointer()
	case gotype.Struct:
		return g.structure().store
	case gotype.List:
		return g.compileList()
	case gotype.Array:
		return g.compileArray()
	case gotype.Map:
		return g.compileMap()
	default:
		return func(d *toGo, v *Value, p gotype.Ptr) error {
			if storeAt(op, v, p) || v.kind == KindNull {
				return nil
			}
			if op == gotype.String {
				if text, ok := d.spelling(v); ok {
					*gotype.At[string](p) = text
					return nil
				}
			}
			if isNumeric(op) {
				if v = d.spelled(v, op); storeAt(op, v, p) {
					return nil
				}
			}
			if v.kind == KindNumber && op != gotype.String && op != gotype.Bool && op != gotype.Other {
				return outOfRange(v, t)
			}
			return mismatch(v, t)
		}
	}
}

// storeAt stores the plain cases: a value of the kind that a variable with an op
// of scalarOp holds, in its range.
func storeAt(op gotype.Op, v *Value, p gotype.Ptr) bool {
	switch {
	case op == gotype.String:
		switch v.kind {
		case KindString:
			*gotype.At[string](p) = v.str()
			return true
		case KindBytes, KindTime:
			*gotype.At[string](p) = string(v.appendText(nil))
			return true
		}
	case op.IsInt():
		if n, ok := v.Int64(); ok {
			return gotype.SetInt(op, p, n)
		}
	case op.IsUint():
		if n, ok := v.Uint64(); ok {
			return gotype.SetUint(op, p, n)
		}
	case op == gotype.Float64:
		if v.kind == KindNumber {
			f, ok := v.nearestFloat()
			if ok {
				*gotype.At[float64](p) = f
			}
			return ok
		}
	case op == gotype.Bool:
		if v.kind == KindBool {
			*gotype.At[bool](p) = v.num != 0
			return true
		}
	}
	return false
}

func toFloat32(v *Value, dst *float32, t reflect.Type) error {
	if v.kind != KindNumber {
		return unlessNull(v, t)
	}
	if v.form == formFloat {
		if f := math.Float64frombits(v.num); float64(float32(f)) == f {
			*dst = float32(f)
			return nil
		}
	}
	// From the text: rounding twice, by way of float64, can err.
	f, err := strconv.ParseFloat(v.Text(), 32)
	if err != nil {
		return outOfRange(v, t)
	}
	*dst = float32(f)
	return nil
}

// toNumber stores in a json.Number, a string by its kind.
func toNumber(v *Value, dst *string, t reflect.Type) error {
	switch v.kind {
	case KindNumber:
		*dst = v.Text()
		return nil
	case KindString:
		if n := scan.Number(v.str()); n == 0 || n != len(v.str()) {
			return misspelled(v, t, "a number")
		}
		*dst = v.str()
		return nil
	}
	return unlessNull(v, t)
}

func (d *toGo) time(v *Value, dst *time.Time) error {
	switch v.kind {
	case KindTime:
		*dst = v.Time()
	case KindString:
		var t time.Time
		err := t.UnmarshalText([]byte(v.str()))
		if err != nil && d.untyped {
			t, err = time.Parse(time.DateOnly, v.str())
		}
		if err != nil {
			return misspelled(v, reflect.TypeFor[time.Time](), "a time in RFC 3339")
		}
		*dst = t
	default:
		return unlessNull(v, reflect.TypeFor[time.Time]())
	}
	return nil
}

func (g *toPlan) compilePointer() toFunc {
	t := g.typ.T
	elem := g.in.toPlan(t.Elem(), g.hidden)
	// No empty text spells what these hold.
	filled := (isNumeric(elem.typ.Op) || elem.typ.Op == gotype.Time) && elem.typ.Unmarshal == gotype.NoMethod && g.in.own[elem.typ.T].to == nil
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		target := gotype.At[gotype.Ptr](p)
		if (v.kind == KindNull || d.cells && filled && v.kind == KindString && v.str() == "") && !g.hidden {
			*target = nil
			return nil
		}
		if *target == nil {
			if g.hidden {
				return unexported(t)
			}
			*target = d.memory.Make(elem.typ, 1)
		}
		return d.target(elem, v, *target)
	}
}

// compileInterface returns the conversion to an interface: it stores in the
// variable that a pointer in the interface points to, else, if every type
// implements the interface, the value itself.
func (g *toPlan) compileInterface() toFunc {
	t := g.typ.T
	if t.NumMethod() > 0 {
		return func(d *toGo, v *Value, p gotype.Ptr) error {
			dst := reflect.NewAt(t, p).Elem()
			if done, err := d.throughInterface(v, dst.Elem()); done {
				return err
			}
			if v.kind != KindNull {
				return mismatch(v, t)
			}
			dst.SetZero()
			return nil
		}
	}
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		dst := gotype.At[any](p)
		if *dst != nil {
			if done, err := d.throughInterface(v, reflect.ValueOf(*dst)); done {
				return err
			}
		}
		x, err := d.any(v)
		if err == nil {
			*dst = x
		}
		return err
	}
}

// throughInterface stores v in what held, the pointer in an interface, points
// to, and reports whether it is such a pointer.
func (d *toGo) throughInterface(v *Value, held reflect.Value) (bool, error) {
	if held.Kind() != reflect.Pointer || held.IsNil() || v.kind == KindNull && held.Type().Elem().Kind() != reflect.Pointer {
		return false, nil
	}
	return true, d.target(d.plans.toPlan(held.Type().Elem(), false), v, held.UnsafePointer())
}

func (g *toPlan) compileList() toFunc {
	t := g.typ.T
	elem := g.in.toPlan(t.Elem(), false)
	isBytes := g.typ.IsBytes()
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		switch {
		case v.kind == KindArray:
			return d.elements(elem, v.children(), d.resized(elem, t, v.Len(), p))
		case v.kind == KindNull:
			*gotype.At[gotype.Slice](p) = gotype.Slice{}
			return nil
		case isBytes && v.kind == KindBytes:
			*gotype.At[[]byte](p) = v.Bytes()
			return nil
		case isBytes && v.kind == KindString:
			b, err := base64.StdEncoding.DecodeString(v.str())
			if err != nil {
				return misspelled(v, t, "base64")
			}
			*gotype.At[[]byte](p) = b
			return nil
		}
		return mismatch(v, t)
	}
}

// resized makes the slice at p one of n zero elements, in its own memory if that
// is large enough, and returns the address of the first.
func (d *toGo) resized(elem *toPlan, t reflect.Type, n int, p gotype.Ptr) gotype.Ptr {
	list := gotype.At[gotype.Slice](p)
	if n > 0 && n <= list.Cap {
		list.Len = n
		reflect.NewAt(t, p).Elem().Clear()
	} else {
		*list = gotype.Slice{Data: d.memory.Make(elem.typ, n), Len: n, Cap: n}
	}
	return list.Data
}

// elements stores values in as many variables in a row.
func (d *toGo) elements(elem *toPlan, values []Value, first gotype.Ptr) error {
	if err := d.enter(); err != nil {
		return err
	}
	size := elem.typ.Size
	for i := range values {
		p := gotype.Add(first, uintptr(i)*size)
		if elem.op != gotype.Other && storeAt(elem.op, &values[i], p) {
			continue
		}
		if err := elem.store(d, &values[i], p); err != nil {
			return AtIndex(err, i)
		}
	}
	d.depth--
	return nil
}

// compileArray returns the conversion to an array, which ignores the elements
// that there is no room for.
func (g *toPlan) compileArray() toFunc {
	t := g.typ.T
	elem, n := g.in.toPlan(t.Elem(), false), t.Len()
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		if v.kind != KindArray {
			return unlessNull(v, t)
		}
		values := v.children()
		if len(values) > n {
			values = values[:n]
		}
		if err := d.elements(elem, values, p); err != nil {
			return err
		}
		for i := len(values); i < n; i++ {
			reflect.NewAt(t.Elem(), gotype.Add(p, uintptr(i)*elem.typ.Size)).Elem().SetZero()
		}
		return nil
	}
}
