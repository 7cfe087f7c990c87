// Package randgo makes Go types at random, and values of them, for tests.
package randgo

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

// Types makes types of others.
type Types struct {
	*rand.Rand
	Leaves   []reflect.Type // what types are made of
	Keys     []reflect.Type // of maps
	Embedded []reflect.Type // in structs: exported ones without methods, or pointers to them
	Strings  []string       // of values; nil for some of every kind
	Longer   int            // by how many elements slices may be longer than three
}

// Scalars are types of strings, numbers, booleans and times.
func Scalars() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[float64](),
		reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
		reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
		reflect.TypeFor[time.Time](),
	}
}

// Type returns a type; structs and lists lie in each other up to that depth.
func (r Types) Type(depth int) reflect.Type {
	if depth == 0 {
		return r.Leaves[r.IntN(len(r.Leaves))]
	}
	switch r.IntN(9) {
	case 0, 1:
		return r.Struct(depth - 1)
	case 2:
		return reflect.SliceOf(r.Type(depth - 1))
	case 3:
		return reflect.ArrayOf(r.IntN(4), r.Type(depth-1))
	case 4:
		return reflect.PointerTo(r.Type(depth - 1))
	case 5:
		return reflect.MapOf(r.Keys[r.IntN(len(r.Keys))], r.Type(depth-1))
	}
	return r.Leaves[r.IntN(len(r.Leaves))]
}

// Struct returns a struct type: mostly a few fields, sometimes more optional
// ones than the plans keep variants of.
func (r Types) Struct(depth int) reflect.Type {
	n := r.IntN(6)
	if r.IntN(12) == 0 {
		n = r.IntN(90)
	}
	optional := r.IntN(4)
	fields := make([]reflect.StructField, n)
	for i := range fields {
		f := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: r.Type(depth)}
		name := []string{"", "", fmt.Sprintf("name%d", i), fmt.Sprintf("ñ %d", i)}[r.IntN(4)]
		if r.IntN(4) < optional {
			name += []string{",omitempty", ",omitzero", ",omitempty,omitzero"}[r.IntN(3)]
		}
		if r.IntN(8) == 0 {
			name += ",string"
		}
		f.Tag = reflect.StructTag(`json:"` + name + `"`)
		fields[i] = f
	}
	for _, t := range r.Embedded {
		if r.IntN(8) == 0 {
			name := t.Name()
			if t.Kind() == reflect.Pointer {
				name = t.Elem().Name()
			}
			fields = append(fields, reflect.StructField{Name: name, Type: t, Anonymous: true})
			break
		}
	}
	return reflect.StructOf(fields)
}

var randomStrings = []string{"", "a", "text", "ünïcode 漢字", "with \"quotes\"\n", "12", "true", "null", strings.Repeat("long ", 40)}

func (r Types) text() string {
	if r.Strings != nil {
		return r.Strings[r.IntN(len(r.Strings))]
	}
	return randomStrings[r.IntN(len(randomStrings))]
}

// oddFloats are where their texts change.
var oddFloats = []float64{1e11, 1e15, 1e16, 9007199254740993, 99999999999.9999, 1e-4, 1e-5, 1e-7, 123456789012.3456, 1e21, 0.1 + 0.2, 5e-324}

func (r Types) float() float64 {
	switch r.IntN(7) {
	case 0:
		return 0
	case 1:
		return float64(r.IntN(2000)-1000) / 100
	case 4:
		return float64(r.Int64N(math.MaxInt64)) / float64(r.IntN(2)*9999+1)
	case 5:
		return oddFloats[r.IntN(len(oddFloats))]
	case 2:
		return math.Copysign(0, -1)
	case 3:
		for {
			if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
				return f
			}
		}
	}
	return float64(r.IntN(1000)) / 7
}

// Fill sets a variable to a random value; a quarter of all stay as they are.
func (r Types) Fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth > 8 || r.IntN(4) == 0 {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(4e9), r.Int64N(1e9)).In(time.FixedZone("", 60*r.IntN(600)))))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString([]string{"0", "1.50", "-1e7", "12345678901234567890"}[r.IntN(4)])
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte([]string{`{"b":1}`, `[]`, `"x"`, `1.0`}[r.IntN(4)]))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()) >> r.IntN(40))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()) >> r.IntN(40))
	case reflect.Float64:
		v.SetFloat(r.float())
	case reflect.Float32:
		v.SetFloat(float64(r.IntN(1000)) / 8)
	case reflect.Struct:
		for i := range v.NumField() {
			r.Fill(v.Field(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.Fill(v.Index(i), depth+1)
		}
	case reflect.Slice:
		n := r.IntN(4 + r.Longer)
		v.Set(reflect.MakeSlice(v.Type(), n, n+r.IntN(3)))
		for i := range n {
			r.Fill(v.Index(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.Fill(v.Elem(), depth+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.Fill(key, depth)
			r.Fill(value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return
		}
		held := reflect.New(r.Type(1)).Elem()
		r.Fill(held, depth+1)
		if r.IntN(3) == 0 {
			held = held.Addr()
		}
		v.Set(held)
	}
}

// Record returns the type of the records of a stream: a struct, a map, a pointer to one of
// these, or any other.
func (r Types) Record() (typ reflect.Type) {
	switch r.IntN(5) {
	case 0, 1:
		typ = r.Struct(r.IntN(3))
	case 2:
		typ = reflect.MapOf(r.Keys[r.IntN(len(r.Keys))], r.Type(r.IntN(2)))
	default:
		typ = r.Type(r.IntN(3))
	}
	if r.IntN(3) == 0 {
		typ = reflect.PointerTo(typ)
	}
	return typ
}
