package gotype

import "reflect"

// An Absence tells whether structs lack an optional field.
type Absence struct {
	offset uintptr
	hops   []Hop
	test   absenceTest
	other  func(p Ptr) bool // of absentOther
}

// absenceTest says which look at the field's memory tells.
type absenceTest uint8

const (
	neverAbsent   absenceTest = iota // unless an embedded pointer is nil
	absentNil                        // a nil pointer, also those of maps and slices
	absentNoText                     // a string without bytes
	absentNoItems                    // a slice without elements
	absentZero8                      // so many bits that are 0
	absentZero16
	absentZero32
	absentZero64
	absentZeroFloat // 0 or -0
	absentOther
)

// Absence returns when the field is absent of a struct that is a variable.
func (f *Field) Absence() Absence { return f.absence(f.IsZero) }

// AbsenceInCopy is Absence for a struct that is the copy of one without an address,
// such as what an interface holds. As in encoding/json, an IsZero of the pointer gets a
// copy of its own: what it writes is not seen.
func (f *Field) AbsenceInCopy() Absence {
	if f.IsZero == nil || f.Type.T.Implements(zeroerType) {
		return f.Absence()
	}
	return f.absence(func(v reflect.Value) bool {
		another := reflect.New(v.Type()).Elem()
		another.Set(v)
		return f.IsZero(another)
	})
}

func (f *Field) absence(isZero func(reflect.Value) bool) Absence {
	o := Absence{offset: f.Offset, hops: f.Hops}
	if f.OmitEmpty {
		o.test, o.other = emptiness(f.Type)
	}
	if !f.OmitZero {
		return o
	}
	zero, other := f.zeroness(isZero)
	switch {
	case o.test == neverAbsent || o.test == zero && zero != absentOther:
		o.test, o.other = zero, other
		return o
	case o.test == absentNoItems && zero == absentNil: // a nil slice has no elements
		return o
	}
	either := [2]Absence{{test: o.test, other: o.other}, {test: zero, other: other}}
	o.test = absentOther
	o.other = func(p Ptr) bool { return either[0].Of(p) || either[1].Of(p) }
	return o
}

// emptiness is encoding/json's notion of an empty value: a struct is never one.
func emptiness(t *Type) (absenceTest, func(Ptr) bool) {
	switch t.Op {
	case String, Number:
		return absentNoText, nil
	case List:
		return absentNoItems, nil
	case Pointer:
		return absentNil, nil
	case Array:
		if t.T.Len() > 0 {
			return neverAbsent, nil
		}
		return absentOther, func(Ptr) bool { return true }
	case Map:
		typ := t.T
		return absentOther, func(p Ptr) bool {
			return *At[Ptr](p) == nil || reflect.NewAt(typ, p).Elem().Len() == 0
		}
	case Struct, Time, Value, Other:
		return neverAbsent, nil
	}
	return plainZero(t)
}

// plainZero says when a variable has its zero value.
func plainZero(t *Type) (absenceTest, func(Ptr) bool) {
	switch op := t.Op; {
	case op == String, op == Number:
		return absentNoText, nil
	case op == Pointer, op == Map, op == List:
		return absentNil, nil
	case op == Float64:
		return absentZeroFloat, nil
	case op == Bool:
		return absentZero8, nil
	case op.IsInt(), op.IsUint():
		return [...]absenceTest{8: absentZero8, 16: absentZero16, 32: absentZero32, 64: absentZero64}[op.Bits()], nil
	}
	typ := t.T
	return absentOther, func(p Ptr) bool { return reflect.NewAt(typ, p).Elem().IsZero() }
}

// zeroness is the option omitzero, with the type's own notion of zero if it has one.
func (f *Field) zeroness(isZero func(reflect.Value) bool) (absenceTest, func(Ptr) bool) {
	if isZero == nil || f.Hidden {
		return plainZero(f.Type)
	}
	typ := f.Type.T
	return absentOther, func(p Ptr) bool { return isZero(reflect.NewAt(typ, p).Elem()) }
}

// Of reports whether the struct at p lacks the field.
func (o *Absence) Of(p Ptr) bool {
	for i := range o.hops {
		if p = *At[Ptr](Add(p, o.hops[i].Offset)); p == nil {
			return true
		}
	}
	return o.Is(Add(p, o.offset))
}

// Is reports whether what a field has at p makes it absent.
func (o *Absence) Is(p Ptr) bool {
	switch o.test {
	case absentNil:
		return *At[Ptr](p) == nil
	case absentNoText:
		return *At[string](p) == ""
	case absentNoItems:
		return At[Slice](p).Len == 0
	case absentZero8:
		return *At[uint8](p) == 0
	case absentZero16:
		return *At[uint16](p) == 0
	case absentZero32:
		return *At[uint32](p) == 0
	case absentZero64:
		return *At[uint64](p) == 0
	case absentZeroFloat:
		return *At[float64](p) == 0
	case absentOther:
		return o.other(p)
	}
	return false
}
