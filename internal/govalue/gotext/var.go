package gotext

import (
	"reflect"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A Var is a variable of a Go program: its address, and the node of its type. The first
// one comes from [Roots.Of], and all others from it along the nodes, so that a syntax has
// no address to be wrong about. A variable that is used as one of another type panics
// where memory is checked: in builds with the race detector or the tag wirekitdebug.
type Var struct {
	*Node
	p gotype.Ptr // nil if there is no variable
}

// is panics if the op of the variable's type is another, where memory is checked.
func (v Var) is(op gotype.Op) {
	if checked && v.Type.Op != op {
		panic("gotext: " + v.Type.T.String() + " is used as another type")
	}
}

// isInteger is is for all ops of integers.
func (v Var) isInteger() {
	if checked && !v.Op.IsInt() && !v.Op.IsUint() {
		v.is(gotype.Int64)
	}
}

// IsNil reports whether there is no variable.
func (v Var) IsNil() bool { return v.p == nil }

// IsZero reports whether all bytes of the variable are 0.
func (v Var) IsZero() bool { return gotype.IsZero(v.p, v.Type.Size) }

// HoldsNil reports whether a pointer, a list or a map is nil.
func (v Var) HoldsNil() bool {
	if checked && v.Type.Op != gotype.Pointer && v.Type.Op != gotype.List {
		v.is(gotype.Map)
	}
	return *gotype.At[gotype.Ptr](v.p) == nil
}

// Text returns the string.
func (v Var) Text() string { v.is(gotype.String); return *gotype.At[string](v.p) }

// Int64 returns the number of the op Int64.
func (v Var) Int64() int64 { v.is(gotype.Int64); return *gotype.At[int64](v.p) }

// Int returns the integer, and whether it is an int64; (0, false) for any other variable.
func (v Var) Int() (int64, bool) { v.isInteger(); return gotype.Int(v.Op, v.p) }

// Float returns the number of the op Float64.
func (v Var) Float() float64 { v.is(gotype.Float64); return *gotype.At[float64](v.p) }

// Bool returns the boolean.
func (v Var) Bool() bool { v.is(gotype.Bool); return *gotype.At[bool](v.p) }

// Time returns the time.
func (v Var) Time() time.Time { v.is(gotype.Time); return *gotype.At[time.Time](v.p) }

// Held returns what the empty interface holds.
func (v Var) Held() any { v.is(gotype.Interface); return *gotype.At[any](v.p) }

// Target returns what the pointer leads to.
func (v Var) Target() Var { v.is(gotype.Pointer); return Var{v.Elem, *gotype.At[gotype.Ptr](v.p)} }

// Reflect returns the variable.
func (v Var) Reflect() reflect.Value { return reflect.NewAt(v.Type.T, v.p).Elem() }

// Copy returns a copy of the variable, and a pointer to that.
func (v Var) Copy() (Var, reflect.Value) {
	p := reflect.New(v.Type.T)
	p.Elem().Set(v.Reflect())
	return Var{v.Node, p.UnsafePointer()}, p
}

// SetText stores a string.
func (v Var) SetText(s string) { v.is(gotype.String); *gotype.At[string](v.p) = s }

// SetInt64 stores a number of the op Int64.
func (v Var) SetInt64(n int64) { v.is(gotype.Int64); *gotype.At[int64](v.p) = n }

// SetInt stores an integer, if the variable can hold it.
func (v Var) SetInt(n int64) bool { v.isInteger(); return gotype.SetInt(v.Op, v.p, n) }

// SetUint is SetInt for an unsigned integer.
func (v Var) SetUint(n uint64) bool { v.isInteger(); return gotype.SetUint(v.Op, v.p, n) }

// SetFloat stores a number of the op Float64.
func (v Var) SetFloat(f float64) { v.is(gotype.Float64); *gotype.At[float64](v.p) = f }

// SetBool stores a boolean.
func (v Var) SetBool(b bool) { v.is(gotype.Bool); *gotype.At[bool](v.p) = b }

// SetTime stores a time.
func (v Var) SetTime(t time.Time) { v.is(gotype.Time); *gotype.At[time.Time](v.p) = t }

// ParseTime stores the time in RFC 3339 that s is, and reports whether it is one.
func (v Var) ParseTime(s string) bool {
	var t time.Time
	err := t.UnmarshalText([]byte(s))
	v.SetTime(t)
	return err == nil
}

// SetHeld stores x in the empty interface.
func (v Var) SetHeld(x any) { v.is(gotype.Interface); *gotype.At[any](v.p) = x }

// Point makes the pointer lead to a variable that is zero, and returns that.
func (v Var) Point(memory *gotype.Slabs) Var {
	v.is(gotype.Pointer)
	return Var{v.Elem, memory.Point(v.p, v.Elem.Type)}
}

// ReadWhole reads the number at i, which is whole in whatever spelling, as 1.0, and returns
// where it ends; -1 if the variable does not hold it.
func (v Var) ReadWhole(text string, i int) int {
	n, end := ScanInt(text, i)
	switch {
	case end < 0 || text[end] == '.' || text[end]|0x20 == 'e':
		return v.readSpelled(text, i)
	case v.Op == gotype.Int64: // most are
		v.SetInt64(n)
	case !v.SetInt(n):
		return -1
	}
	return end
}

// readSpelled is ReadWhole for a number with a fraction or an exponent, or beyond int64.
func (v Var) readSpelled(text string, i int) int {
	end := i + scan.Number(text[i:])
	if end == i {
		return -1
	}
	if n, ok := decimal.Int64(text[i:end]); ok && v.SetInt(n) {
		return end
	}
	if n, ok := decimal.Uint64(text[i:end]); ok && v.Op.IsUint() && v.SetUint(n) {
		return end
	}
	return -1
}

// ReadFloat reads the number at i, see [decimal.ScanFloat], and returns where it ends.
func (v Var) ReadFloat(text string, i int) int {
	f, end := decimal.ScanFloat(text, i)
	if end >= 0 {
		v.SetFloat(f)
	}
	return end
}

// AppendNumber appends a number or a boolean as JSON has it. It reports false for an
// infinity or a NaN, which JSON does not have, and for any other variable.
func (v Var) AppendNumber(dst []byte) ([]byte, bool) {
	switch v.Op {
	case gotype.Int64: // most are
		return decimal.AppendInt(dst, v.Int64()), true
	case gotype.Float64:
		f := v.Float()
		if f-f != 0 {
			return dst, false
		}
		return decimal.AppendFloat(dst, f), true
	case gotype.Bool:
		return AppendBool(dst, v.Bool()), true
	}
	switch n, ok := v.Int(); {
	case ok:
		return decimal.AppendInt(dst, n), true
	case v.Op == gotype.Uint64:
		return strconv.AppendUint(dst, uint64(n), 10), true
	}
	return dst, false
}

// A Place is where a variable lies in a struct.
type Place struct {
	Op     gotype.Op // of a scalar; of all others Other
	Node   *Node
	offset uintptr
}

// NewPlace returns the place of a variable of that node, that many bytes after the start
// of a struct.
func NewPlace(n *Node, offset uintptr) Place {
	c := Place{gotype.Other, n, offset}
	if n.Form == Scalar {
		c.Op = n.Op
	}
	return c
}

// Leaf returns a node of its own for any type, whose variables are used whole or by their
// ops; those of lists are lists of such.
func Leaf(t *gotype.Type) *Node {
	n := &Node{Type: t, Op: t.Op}
	if t.Op == gotype.List {
		n.Elem, n.Size = &Node{Type: t.Elem(), Op: t.Elem().Op}, t.Elem().Size
	}
	return n
}

// NewVar returns the variable of that node which r points to.
func NewVar(n *Node, r reflect.Value) Var {
	if checked && r.Type().Elem() != n.Type.T {
		panic("gotext: " + r.Type().String() + " is used as another type")
	}
	return Var{n, r.UnsafePointer()}
}

// As returns the variable, which is a T.
func As[T any](v Var) *T {
	if v.Type.T != reflect.TypeFor[T]() {
		panic("gotext: " + v.Type.T.String() + " is used as another type")
	}
	return gotype.At[T](v.p)
}

// Of returns the variable at that place of a struct.
func (c *Place) Of(v Var) Var {
	if checked && c.offset+c.Node.Type.Size > v.Type.Size {
		panic("gotext: no place in " + v.Type.T.String())
	}
	return Var{c.Node, gotype.Add(v.p, c.offset)}
}

// Within returns the place in the struct in which outer is that of a struct.
func (c Place) Within(outer *Place) Place {
	c.offset += outer.offset
	return c
}

// Items are the elements of a list.
type Items struct {
	*Node    // of the list
	Len, cap int
	first    gotype.Ptr
}

// Items returns the elements of the list.
func (v Var) Items() Items {
	v.is(gotype.List)
	list := gotype.At[gotype.Slice](v.p)
	return Items{v.Node, list.Len, list.Cap, list.Data}
}

// Len returns the number of elements of the list, 0 if it is nil.
func (v Var) Len() int { v.is(gotype.List); return gotype.At[gotype.Slice](v.p).Len }

// SetItems makes the list one of these elements.
func (v Var) SetItems(t Items) {
	v.is(gotype.List)
	*gotype.At[gotype.Slice](v.p) = gotype.Slice{Data: t.first, Len: t.Len, Cap: t.cap}
}

// SetEmpty makes the list one without elements, but not nil.
func (v Var) SetEmpty() { v.SetItems(Items{first: gotype.Empty}) }

// NewItems returns n elements for a list of that node, all zero.
func NewItems(list *Node, n int, memory *gotype.Slabs) Items {
	return Items{list, n, n, memory.Make(list.Elem.Type, n)}
}

// ItemsOf returns the elements of the slice r, which is of that node.
func ItemsOf(list *Node, r reflect.Value) Items {
	return Items{list, r.Len(), r.Cap(), r.UnsafePointer()}
}

// IsNil reports whether the list is nil.
func (t Items) IsNil() bool { return t.first == nil }

// At returns an element.
func (t Items) At(i int) Var {
	if checked && uint(i) >= uint(t.cap) {
		panic("gotext: no such element")
	}
	return Var{t.Elem, gotype.Add(t.first, uintptr(i)*t.Size)}
}

// Rows are structs in a list, or those that its pointers lead to.
type Rows struct {
	*Node    // of the structs
	Len      int
	first    gotype.Ptr
	size     uintptr
	pointers bool
}

// Rows returns the structs of a list of structs or of pointers to them.
func (t Items) Rows() Rows {
	row, pointers := t.Row()
	return Rows{row, t.Len, t.first, t.Size, pointers}
}

// IsNil reports whether the list is nil.
func (r *Rows) IsNil() bool { return r.first == nil }

// At returns the struct of a row, which may be none.
func (r *Rows) At(i int) Var {
	if checked && uint(i) >= uint(r.Len) {
		panic("gotext: no such row")
	}
	p := gotype.Add(r.first, uintptr(i)*r.size)
	if r.pointers {
		p = *gotype.At[gotype.Ptr](p)
	}
	return Var{r.Node, p}
}

// HoldsNil reports whether some row is none.
func (r *Rows) HoldsNil() bool {
	for i := 0; i < r.Len && r.pointers; i++ {
		if r.At(i).p == nil {
			return true
		}
	}
	return false
}
