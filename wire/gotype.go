package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// A ValueMarshaler says itself which value it is. [FromGo] asks it before
// json.Marshaler and encoding.TextMarshaler.
type ValueMarshaler interface {
	MarshalWire() (Value, error)
}

// A ValueUnmarshaler takes a value itself, null included. [ToGo] asks it
// before json.Unmarshaler and encoding.TextUnmarshaler. The value is immutable
// and may be kept.
type ValueUnmarshaler interface {
	UnmarshalWire(Value) error
}

var (
	valueType  = reflect.TypeFor[Value]()
	timeType   = reflect.TypeFor[time.Time]()
	numberType = reflect.TypeFor[json.Number]()

	// In the order in which they are asked.
	marshalers = [...]reflect.Type{
		methodWire: reflect.TypeFor[ValueMarshaler](),
		methodJSON: reflect.TypeFor[json.Marshaler](),
		methodText: reflect.TypeFor[encoding.TextMarshaler](),
	}
	unmarshalers = [...]reflect.Type{
		methodWire: reflect.TypeFor[ValueUnmarshaler](),
		methodJSON: reflect.TypeFor[json.Unmarshaler](),
		methodText: reflect.TypeFor[encoding.TextUnmarshaler](),
	}
	zeroerType = reflect.TypeFor[zeroer]()
)

type zeroer interface{ IsZero() bool }

// method says by which of its methods a type converts itself.
type method uint8

const (
	methodWire method = iota
	methodJSON
	methodText
	methodNone
)

// marshalMethod returns the method of a value of type t; of an addressable
// one, the methods of its pointer count too.
func marshalMethod(t reflect.Type, addressable bool) method {
	return methodIn(t, addressable, marshalers[:])
}

// unmarshalMethod returns the method of a target of type t: targets are always
// addressable.
func unmarshalMethod(t reflect.Type) method { return methodIn(t, true, unmarshalers[:]) }

func methodIn(t reflect.Type, addressable bool, interfaces []reflect.Type) method {
	// What an interface or a pointer leads to is asked itself.
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return methodNone
	}
	for m, i := range interfaces {
		if t.Implements(i) || addressable && reflect.PointerTo(t).Implements(i) {
			return method(m)
		}
	}
	return methodNone
}

// scalar names the types that the loops over fields and elements convert
// themselves, without a call through a function value.
type scalar uint8

const (
	notScalar scalar = iota
	scalarBool
	scalarInt
	scalarUint
	scalarFloat // float64 only
	scalarString
)

func scalarOf(t reflect.Type) scalar {
	switch t.Kind() {
	case reflect.Bool:
		return scalarBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return scalarInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return scalarUint
	case reflect.Float64:
		return scalarFloat
	case reflect.String:
		if t != numberType {
			return scalarString
		}
	}
	return notScalar
}

// goType is what is known of one Go type: how to convert from it, how to
// convert to it and, for a struct, its fields. Each part is built when it is
// first used, so types may refer to themselves; building refers to other types
// by their goType without building those.
type goType struct {
	t    reflect.Type
	from scalar // notScalar if FromGo has to call a method
	to   scalar // notScalar if ToGo has to call a method

	fromOnce   sync.Once
	fromFunc   fromFunc
	toOnce     sync.Once
	toFunc     toFunc
	structOnce sync.Once
	fields     *goStruct
}

// goTypes maps reflect.Type to *goType. It holds the types that a program
// converts, whose number its source bounds.
var goTypes sync.Map

func typeOf(t reflect.Type) *goType {
	if g, ok := goTypes.Load(t); ok {
		return g.(*goType)
	}
	g := &goType{t: t}
	if marshalMethod(t, true) == methodNone {
		g.from = scalarOf(t)
	}
	if unmarshalMethod(t) == methodNone {
		g.to = scalarOf(t)
	}
	actual, _ := goTypes.LoadOrStore(t, g)
	return actual.(*goType)
}

// structure returns the fields of a struct type.
func (g *goType) structure() *goStruct {
	g.structOnce.Do(func() { g.fields = newGoStruct(g.t) })
	return g.fields
}

// goStruct is what is known of a struct type.
type goStruct struct {
	fields []goField
	// keys are the names of all fields. Every value of the type has exactly
	// these members if fixed; else some can be absent.
	keys   *Keys
	fixed  bool
	exact  map[string]*goField
	folded map[string]*goField // by foldName
}

// goField is a field that takes part, perhaps one of an embedded struct.
type goField struct {
	name string
	path []int // as for reflect.Value.FieldByIndex
	// first is path[0]; deep says that the path is longer.
	first int
	deep  bool
	typ   *goType
	from  scalar
	to    scalar
	bits  uint // of an integer

	omitEmpty bool
	omitZero  bool
	isZero    func(reflect.Value) bool // nil: reflect.Value.IsZero
	// The option "string": quoted is for FromGo, unquote for ToGo.
	quoted, unquote bool
}

// fieldTag is a tag taken apart.
type fieldTag struct {
	name                        string // empty: the field's own
	skip                        bool
	omitEmpty, omitZero, quoted bool
}

// parseTag reads the tag wire, which replaces the tag json where both stand.
func parseTag(tag reflect.StructTag) fieldTag {
	text, ok := tag.Lookup("wire")
	if !ok {
		text = tag.Get("json")
	}
	if text == "-" {
		return fieldTag{skip: true}
	}
	name, options, _ := strings.Cut(text, ",")
	f := fieldTag{}
	if validName(name) {
		f.name = name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			f.quoted = true
		}
	}
	return f
}

// validName reports whether encoding/json takes the name from a tag: letters,
// digits and printable ASCII without quotation marks, backslash and comma.
func validName(name string) bool {
	for _, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
		case r < ' ' || r > '~' || strings.ContainsRune("\"'`\\,", r):
			return false
		}
	}
	return name != ""
}

func newGoStruct(t reflect.Type) *goStruct {
	s := &goStruct{
		fields: dominantFields(candidates(t)),
		fixed:  true,
		exact:  make(map[string]*goField),
		folded: make(map[string]*goField),
	}
	names := make([]string, len(s.fields))
	for i := range s.fields {
		f := &s.fields[i]
		names[i] = f.name
		if f.omitEmpty || f.omitZero || throughPointer(t, f.path) {
			s.fixed = false
		}
		s.exact[f.name] = f
		if folded := foldName(f.name); s.folded[folded] == nil {
			s.folded[folded] = f
		}
	}
	s.keys = &Keys{names: names}
	return s
}

// throughPointer reports whether an embedded pointer, which may be nil, stands
// on the way to the field.
func throughPointer(t reflect.Type, path []int) bool {
	for _, i := range path[:len(path)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// field returns the field that the key of a member means: the one of exactly
// that name, else the first whose name differs in case only, else nil.
func (s *goStruct) field(key string) *goField {
	if f := s.exact[key]; f != nil {
		return f
	}
	return s.folded[foldName(key)]
}

// candidate is a field before Go's rules for embedded fields have chosen among
// those of one name.
type candidate struct {
	goField
	tagged bool
}

// candidates returns the fields of t and of the structs embedded in it, level
// by level. A struct type that is embedded twice on one level gives its fields
// twice: neither is then dominant. One that is embedded again on a deeper
// level gives nothing there, because its fields are hidden.
func candidates(t reflect.Type) []candidate {
	type embedded struct {
		t     reflect.Type
		path  []int
		twice bool
	}
	var found []candidate
	seen := map[reflect.Type]bool{t: true}
	for level := []embedded{{t: t}}; len(level) > 0; {
		var next []embedded
		for _, e := range level {
			for i := range e.t.NumField() {
				sf := e.t.Field(i)
				if !takesPart(sf) {
					continue
				}
				tag := parseTag(sf.Tag)
				if tag.skip {
					continue
				}
				path := append(slices.Clone(e.path), i)
				base := pointee(sf.Type)
				// A Value is a struct by chance only.
				if sf.Anonymous && tag.name == "" && base.Kind() == reflect.Struct && base != valueType {
					if j := slices.IndexFunc(next, func(o embedded) bool { return o.t == base }); j >= 0 {
						next[j].twice = true
					} else if !seen[base] {
						next = append(next, embedded{t: base, path: path})
					}
					continue
				}
				c := candidate{newGoField(sf, path, tag), tag.name != ""}
				found = append(found, c)
				if e.twice {
					found = append(found, c)
				}
			}
		}
		for _, e := range next {
			seen[e.t] = true
		}
		level = next
	}
	return found
}

// takesPart reports whether a field or what is embedded in it can be reached:
// an unexported struct that is embedded may have exported fields.
func takesPart(sf reflect.StructField) bool {
	if sf.IsExported() || !sf.Anonymous {
		return sf.IsExported()
	}
	t := sf.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct
}

func newGoField(sf reflect.StructField, path []int, tag fieldTag) goField {
	f := goField{
		name:      tag.name,
		path:      path,
		first:     path[0],
		deep:      len(path) > 1,
		typ:       typeOf(sf.Type),
		omitEmpty: tag.omitEmpty,
		omitZero:  tag.omitZero,
		quoted:    tag.quoted && quotable(sf.Type),
	}
	if f.name == "" {
		f.name = sf.Name
	}
	if tag.omitZero {
		f.isZero = zeroMethod(sf.Type)
	}
	if !f.quoted {
		f.from, f.to = f.typ.from, f.typ.to
	}
	f.unquote = f.quoted && unmarshalMethod(pointee(sf.Type)) == methodNone
	if f.to == scalarInt || f.to == scalarUint {
		f.bits = uint(sf.Type.Bits())
	}
	return f
}

// pointee returns what a pointer type points to, any other type itself.
func pointee(t reflect.Type) reflect.Type {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// quotable reports whether the option "string" applies to a field of type t.
func quotable(t reflect.Type) bool {
	t = pointee(t)
	return scalarOf(t) != notScalar || t.Kind() == reflect.Float32 || t.Kind() == reflect.String
}

// zeroMethod returns the type's own notion of zero, nil if it has none.
func zeroMethod(t reflect.Type) func(reflect.Value) bool {
	call := func(v reflect.Value) bool { return v.Interface().(zeroer).IsZero() }
	switch {
	case t.Kind() == reflect.Interface && t.Implements(zeroerType):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || call(v)
		}
	case t.Kind() == reflect.Pointer && t.Implements(zeroerType):
		return func(v reflect.Value) bool { return v.IsNil() || call(v) }
	case t.Implements(zeroerType):
		return call
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(v reflect.Value) bool {
			if !v.CanAddr() {
				addressable := reflect.New(t).Elem()
				addressable.Set(v)
				v = addressable
			}
			return call(v.Addr())
		}
	}
	return nil
}

// dominantFields chooses among the candidates of each name by Go's rules for
// embedded fields, extended as encoding/json does: the least deep wins, among
// those one with a name from a tag; if more than one is left, none of that name
// takes part. The result is in the order of declaration.
func dominantFields(all []candidate) []goField {
	byName := make(map[string][]candidate)
	for _, c := range all {
		rivals := byName[c.name]
		if len(rivals) > 0 {
			switch winner := rivals[0]; {
			case len(c.path) > len(winner.path) || len(c.path) == len(winner.path) && winner.tagged && !c.tagged:
				continue
			case len(c.path) < len(winner.path) || c.tagged && !winner.tagged:
				rivals = rivals[:0]
			}
		}
		byName[c.name] = append(rivals, c)
	}
	var fields []goField
	for _, rivals := range byName {
		if len(rivals) == 1 {
			fields = append(fields, rivals[0].goField)
		}
	}
	slices.SortFunc(fields, func(a, b goField) int { return slices.Compare(a.path, b.path) })
	return fields
}

// foldName maps names that differ in case only, by Unicode's simple folding,
// to one name.
func foldName(name string) string {
	folded := make([]byte, 0, len(name))
	for _, r := range name {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		} else if r >= utf8.RuneSelf {
			r = smallestFold(r)
		}
		folded = utf8.AppendRune(folded, r)
	}
	return string(folded)
}

// smallestFold returns the smallest of the runes that r folds with. The runes
// of a set form a cycle that ascends but for one step.
func smallestFold(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}

// causes is the kind of an error that someone else's method returned: both the
// kind and that error are found by errors.Is and errors.As.
type causes struct{ kind, cause error }

func (c causes) Error() string   { return c.kind.Error() + ": " + c.cause.Error() }
func (c causes) Unwrap() []error { return []error{c.kind, c.cause} }

// methodError wraps the error of a method of type t. The path in an error of
// this package continues the path to the method's value.
func methodError(t reflect.Type, name string, kind, cause error) error {
	if e, ok := cause.(*Error); ok && e.Format == goFormat {
		own := *e
		own.path = slices.Clone(e.path)
		return &own
	}
	return &Error{
		Format:  goFormat,
		Code:    "method_failed",
		Kind:    causes{kind, cause},
		Message: name + " of " + t.String() + ": " + cause.Error(),
	}
}

// goFormat is the Format of errors of FromGo and ToGo.
const goFormat = "wire"
