// Package gotype describes Go types to those who convert their values: which
// fields take part under which names, by the rules of encoding/json, where they
// lie, and which methods a type converts itself with. Its file memory.go reads
// and writes the values.
package gotype

import (
	"encoding/json"
	"reflect"
	"sync"
	"time"
)

// An Op says how the values of a type lie in memory.
type Op uint8

// The ops. A number's is chosen by its size, so int is Int64 or Int32.
const (
	Other  Op = iota // not data: channels, functions, complex numbers
	String           // any type of kind string but json.Number
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float64
	Float32
	Bool
	Number // json.Number
	Time   // time.Time
	Value  // the Value of the Universe
	Struct
	List // a slice
	Array
	Pointer
	Map
	Interface
)

// IsInt reports whether the op is a signed integer's.
func (o Op) IsInt() bool { return Int8 <= o && o <= Int64 }

// IsUint reports whether the op is an unsigned integer's.
func (o Op) IsUint() bool { return Uint8 <= o && o <= Uint64 }

// Bits returns the size of an integer's op.
func (o Op) Bits() uint {
	if o.IsUint() {
		o -= Uint8 - Int8
	}
	return 8 << (o - Int8)
}

// A Universe describes types as seen by those who have Values.
type Universe struct {
	Value       reflect.Type // a struct type that is taken as it is
	Marshaler   reflect.Type // the interface of types that make themselves a Value
	Unmarshaler reflect.Type // and of those that take one

	// types holds the types that a program converts, whose number its source bounds.
	types Memo[reflect.Type, *Type]
}

// A Type is what is known of a Go type. Descriptions of other types hang on it,
// which are made when they are first asked for: types may refer to themselves.
type Type struct {
	T    reflect.Type
	Op   Op
	Size uintptr

	// The method that a value is converted from by: any value, and one that has
	// an address, whose pointer's methods count too.
	MarshalValue, MarshalAddress Method
	// The method that a value is converted to by.
	Unmarshal Method

	slice  reflect.Type // of such values
	elem   func() *Type
	fields func() *Fields
}

// Of returns the description of t.
func (u *Universe) Of(t reflect.Type) *Type { return u.types.Of(t, u.describe) }

func (u *Universe) describe(t reflect.Type) *Type {
	made := &Type{
		T:              t,
		Op:             u.op(t),
		Size:           t.Size(),
		MarshalValue:   u.marshalMethod(t, false),
		MarshalAddress: u.marshalMethod(t, true),
		Unmarshal:      u.unmarshalMethod(t),
		slice:          reflect.SliceOf(t),
		elem:           sync.OnceValue(func() *Type { return u.Of(t.Elem()) }),
		fields:         sync.OnceValue(func() *Fields { return u.newFields(t) }),
	}
	if made.Op == Value || made.Op == Time || made.Op == Number {
		made.MarshalValue, made.MarshalAddress, made.Unmarshal = NoMethod, NoMethod, NoMethod
	}
	return made
}

// Elem returns the type of the elements of a slice, an array or a map, or of
// what a pointer points to.
func (t *Type) Elem() *Type { return t.elem() }

// Fields returns the fields of a struct.
func (t *Type) Fields() *Fields { return t.fields() }

// Marshal returns the method that a value of the type is converted from by.
func (t *Type) Marshal(addressable bool) Method {
	if addressable {
		return t.MarshalAddress
	}
	return t.MarshalValue
}

// ConvertsItself reports whether the type has a method that converts its values.
func (t *Type) ConvertsItself() bool { return t.MarshalAddress != NoMethod || t.Unmarshal != NoMethod }

// Pointee returns what a pointer type points to, any other type itself.
func (t *Type) Pointee() *Type {
	if t.Op == Pointer && t.T.Name() == "" {
		return t.Elem()
	}
	return t
}

// IsBytes reports whether values of the type are slices of bytes.
func (t *Type) IsBytes() bool { return t.Op == List && t.T.Elem().Kind() == reflect.Uint8 }

var (
	timeType   = reflect.TypeFor[time.Time]()
	numberType = reflect.TypeFor[json.Number]()
)

func (u *Universe) op(t reflect.Type) Op {
	switch t {
	case u.Value:
		return Value
	case timeType:
		return Time
	case numberType:
		return Number
	}
	switch t.Kind() {
	case reflect.String:
		return String
	case reflect.Bool:
		return Bool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return bySize(Int8, t.Size())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return bySize(Uint8, t.Size())
	case reflect.Float32:
		return Float32
	case reflect.Float64:
		return Float64
	case reflect.Struct:
		return Struct
	case reflect.Slice:
		return List
	case reflect.Array:
		return Array
	case reflect.Pointer:
		return Pointer
	case reflect.Map:
		return Map
	case reflect.Interface:
		return Interface
	}
	return Other
}

// bySize returns the op of an integer type, of which first is the smallest.
func bySize(first Op, size uintptr) Op {
	for ; size > 1; size /= 2 {
		first++
	}
	return first
}
