// Package flat describes the struct types whose slices are tables already: all
// their fields are strings, integers, float64s and booleans. A format writes and
// reads rows of them without Values on the way; everything else goes through
// [wire.FromGo] and [wire.ToGo], whose results are the same.
package flat

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// A Type is what is known of a flat struct type.
type Type struct {
	Keys   *wire.Keys // of the fields, at least two
	Fields []Field
}

// A Field is a field of a flat struct.
type Field struct {
	Index int // in the struct
	Kind  Kind
	Bits  int // of a number
}

// Kind says what a field holds.
type Kind uint8

// The kinds of fields.
const (
	String Kind = iota
	Int
	Uint
	Float
	Bool
)

// Rows returns v as a slice of flat structs, and their type. The type is nil if
// v is something else, or empty.
func Rows(v any) (*Type, reflect.Value) {
	rows := reflect.ValueOf(v)
	if rows.Kind() != reflect.Slice || rows.Len() == 0 || ConvertsItself(rows.Type()) {
		return nil, rows
	}
	t := typeOf(rows.Type().Elem())
	if t != nil && rows.Len() > wire.DefaultValues/(len(t.Fields)+1) {
		return nil, rows // too many for FromGo, which says so
	}
	return t, rows
}

// Target returns the slice of flat structs that v points to, and their type. The
// type is nil if v is something else, or if the slice has room for elements,
// which would keep what a row does not have.
func Target(v any) (*Type, reflect.Value) {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return nil, target
	}
	slice := target.Elem()
	if slice.Kind() != reflect.Slice || slice.Cap() > 0 || ConvertsItself(slice.Type()) {
		return nil, slice
	}
	return typeOf(slice.Type().Elem()), slice
}

// Set stores a row's value for the field and reports whether it fits. Null
// leaves the field as it is.
func (f *Field) Set(row reflect.Value, v wire.Value) bool {
	if v.IsNull() {
		return true
	}
	switch f.Kind {
	case String:
		if v.Kind() == wire.KindString {
			row.Field(f.Index).SetString(v.Text())
			return true
		}
	case Int:
		if n, ok := v.Int64(); ok && f.FitsInt(n) {
			row.Field(f.Index).SetInt(n)
			return true
		}
	case Uint:
		if n, ok := v.Uint64(); ok && n<<(64-f.Bits)>>(64-f.Bits) == n {
			row.Field(f.Index).SetUint(n)
			return true
		}
	case Float:
		// Who wants a float64 takes its precision.
		if x, _ := v.Float64(); v.Kind() == wire.KindNumber && !math.IsInf(x, 0) {
			row.Field(f.Index).SetFloat(x)
			return true
		}
	case Bool:
		if v.Kind() == wire.KindBool {
			row.Field(f.Index).SetBool(v.Bool())
			return true
		}
	}
	return false
}

// Columns returns the field for each key, nil where there is none. It reports
// false if a key differs from a field's name in case only: ToGo would take it.
func (t *Type) Columns(keys *wire.Keys) ([]*Field, bool) {
	fields := make([]*Field, keys.Len())
	for col, name := range keys.All() {
		if i := t.Keys.Index(name); i >= 0 {
			fields[col] = &t.Fields[i]
			continue
		}
		for _, label := range t.Keys.All() {
			if strings.EqualFold(label, name) {
				return nil, false
			}
		}
	}
	return fields, true
}

// FitsInt reports whether the field, an Int, can hold n.
func (f *Field) FitsInt(n int64) bool { return n<<(64-f.Bits)>>(64-f.Bits) == n }

// types caches, by reflect.Type, the *Type; nil for types that are not flat.
var types sync.Map

func typeOf(t reflect.Type) *Type {
	if known, ok := types.Load(t); ok {
		return known.(*Type)
	}
	known, _ := types.LoadOrStore(t, newType(t))
	return known.(*Type)
}

// ownMethods are the interfaces by which a type converts itself.
var ownMethods = []reflect.Type{
	reflect.TypeFor[wire.ValueMarshaler](), reflect.TypeFor[wire.ValueUnmarshaler](),
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
	reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

// ConvertsItself reports whether a type has a method that converts it to or from
// a Value, JSON or text.
func ConvertsItself(t reflect.Type) bool {
	return slices.ContainsFunc(ownMethods, func(i reflect.Type) bool {
		return t.Implements(i) || reflect.PointerTo(t).Implements(i)
	})
}

func newType(t reflect.Type) *Type {
	if t.Kind() != reflect.Struct || ConvertsItself(t) {
		return nil
	}
	row := &Type{}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			return nil
		}
		if !f.IsExported() {
			continue
		}
		label, skip, ok := plainTag(f)
		if skip {
			continue
		}
		kind, bits := kindOf(f.Type)
		if !ok || bits == 0 || ConvertsItself(f.Type) {
			return nil
		}
		row.Fields = append(row.Fields, Field{i, kind, bits})
		names = append(names, label)
	}
	keys, err := wire.NewKeys(names...)
	if err != nil || keys.Len() < 2 {
		return nil
	}
	row.Keys = keys
	return row
}

// plainTag returns a field's name and whether its tag is a name and no more.
func plainTag(f reflect.StructField) (label string, skip, ok bool) {
	text, found := f.Tag.Lookup("wire")
	if !found {
		text = f.Tag.Get("json")
	}
	if text == "-" {
		return "", true, true
	}
	if text == "" {
		return f.Name, false, true
	}
	for i := range len(text) {
		if c := text[i] | 0x20; (c < 'a' || c > 'z') && text[i]-'0' > 9 && text[i] != '_' {
			return "", false, false
		}
	}
	return text, false, true
}

// kindOf returns the kind and the size of a type; size 0 for others.
func kindOf(t reflect.Type) (Kind, int) {
	switch t.Kind() {
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			return 0, 0
		}
		return String, 64
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int, t.Bits()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Uint, t.Bits()
	case reflect.Float64:
		return Float, 64
	case reflect.Bool:
		return Bool, 8
	}
	return 0, 0
}
