package glyph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// typeKind says which of the forms a Type has.
type typeKind uint8

const (
	typePrimitive typeKind = iota
	typeList
	typeMap
	typeRef
)

// A Type is the type of a field.
type Type struct {
	kind typeKind
	name string // of a primitive or a reference
	key  *Type  // of a map
	elem *Type  // of a map or a list
}

// primitives are the names of the primitive types, in the document's spelling.
var primitives = []string{"null", "bool", "int", "float", "str", "bytes", "time", "id", "any"}

// PrimitiveType returns the type of that name: null, bool, int (a whole
// number), float (any number), str, bytes, time, id or any. Another name is
// a mistake, see [SchemaBuilder.Build].
func PrimitiveType(name string) Type { return Type{kind: typePrimitive, name: name} }

// ListType returns the type of lists of elem.
func ListType(elem Type) Type { return Type{kind: typeList, elem: &elem} }

// MapType returns the type of maps from key, whose text every key must be, to
// elem.
func MapType(key, elem Type) Type { return Type{kind: typeMap, key: &key, elem: &elem} }

// RefType returns the struct type of that name.
func RefType(name string) Type { return Type{kind: typeRef, name: name} }

func (t Type) text() string { return string(t.append(nil)) }

func (t Type) append(dst []byte) []byte {
	switch t.kind {
	case typeList:
		return append(t.elem.append(append(dst, "list<"...)), '>')
	case typeMap:
		dst = append(t.key.append(append(dst, "map<"...)), ',')
		return append(t.elem.append(dst), '>')
	}
	return append(dst, t.name...)
}

// A FieldDef is a field of a struct type.
type FieldDef struct {
	name     string
	typ      Type
	optional bool
}

// Field returns a field that must be there.
func Field(name string, t Type) FieldDef { return FieldDef{name: name, typ: t} }

// Optional returns the field as one that may be absent or null.
func (f FieldDef) Optional() FieldDef {
	f.optional = true
	return f
}

// structDef is a struct type.
type structDef struct {
	name, version string
	open          bool
	fields        []FieldDef
	byName        map[string]int
}

// A Schema is a set of struct types. It is immutable and safe for concurrent
// use.
type Schema struct {
	structs []*structDef
	byName  map[string]*structDef
	root    string // the type that values are to have
}

// A SchemaBuilder builds a schema.
type SchemaBuilder struct{ structs []*structDef }

// NewSchemaBuilder returns a builder without types.
func NewSchemaBuilder() *SchemaBuilder { return &SchemaBuilder{} }

// AddStruct adds a struct type that has these fields and no others. The version
// may be empty.
func (b *SchemaBuilder) AddStruct(name, version string, fields ...FieldDef) *SchemaBuilder {
	return b.add(name, version, false, fields)
}

// AddOpenStruct adds a struct type that accepts further fields ("@open").
func (b *SchemaBuilder) AddOpenStruct(name, version string, fields ...FieldDef) *SchemaBuilder {
	return b.add(name, version, true, fields)
}

func (b *SchemaBuilder) add(name, version string, open bool, fields []FieldDef) *SchemaBuilder {
	d := &structDef{name: name, version: version, open: open, fields: slices.Clone(fields), byName: make(map[string]int, len(fields))}
	for i, f := range d.fields {
		d.byName[f.name] = i
	}
	b.structs = append(b.structs, d)
	return b
}

// Build returns the schema. A mistake in it is two types or two fields of one name, a
// name that cannot be written, or an unknown type: no value is valid under such a schema.
func (b *SchemaBuilder) Build() *Schema {
	s := &Schema{structs: slices.Clone(b.structs), byName: make(map[string]*structDef, len(b.structs))}
	for _, d := range s.structs {
		s.byName[d.name] = d
		s.root = d.name
	}
	return s
}

// As returns the schema for values of that type. Without it they have the type that was
// added last, after those that it refers to.
func (s *Schema) As(name string) *Schema {
	as := *s
	as.root = name
	return &as
}

// check returns the first mistake in the schema: two types or two fields of one
// name, a name that cannot be written, an unknown type.
func (s *Schema) check() error {
	if len(s.structs) == 0 {
		return fault("empty_schema", wire.ErrShape, "a schema without types")
	}
	seen := make(map[string]bool)
	for _, d := range s.structs {
		switch {
		case !bareWord(d.name) || slices.Contains(primitives, d.name):
			return fault("invalid_name", wire.ErrSyntax, fmt.Sprintf("%.40q cannot name a type", d.name))
		case d.version != "" && wordEnd(d.version, 0) < len(d.version):
			return fault("invalid_name", wire.ErrSyntax, fmt.Sprintf("%.40q cannot be a version", d.version))
		case seen[d.name]:
			return fault("duplicate_type", wire.ErrDuplicateKey, "two types are named "+d.name)
		case len(d.byName) < len(d.fields):
			return fault(wire.CodeDuplicateField, wire.ErrDuplicateKey, "two fields of "+d.name+" have one name")
		}
		seen[d.name] = true
		for _, f := range d.fields {
			if err := s.checkType(f.typ, 0); err != nil {
				return wire.AtKey(wire.AtKey(err, f.name), d.name)
			}
		}
	}
	return nil
}

// maxTypeDepth bounds how deep types nest.
const maxTypeDepth = 64

func (s *Schema) checkType(t Type, depth int) error {
	if depth > maxTypeDepth {
		return fault(wire.CodeTooDeep, wire.ErrLimit, fmt.Sprintf("types nest deeper than %d", maxTypeDepth))
	}
	switch t.kind {
	case typeList:
		return s.checkType(*t.elem, depth+1)
	case typeMap:
		if t.key.kind != typePrimitive {
			return fault("invalid_key_type", wire.ErrShape, "a map's keys must have a primitive type, not "+t.key.text())
		}
		if err := s.checkType(*t.key, depth+1); err != nil {
			return err
		}
		return s.checkType(*t.elem, depth+1)
	case typeRef:
		if s.byName[t.name] == nil {
			return fault("type_not_found", wire.ErrShape, fmt.Sprintf("no type is named %.40q", t.name))
		}
	default:
		if !slices.Contains(primitives, t.name) {
			return fault("type_not_found", wire.ErrShape, fmt.Sprintf("no primitive type is named %.40q", t.name))
		}
	}
	return nil
}

// String returns the schema's canonical text ("Canonical Schema Text"), one
// type after the other, without a final newline:
//
//	Config:v1 @open struct{
//	    name: str
//	    port: int?
//	}
//
// A question mark follows the type of an optional field.
func (s *Schema) String() string {
	var b strings.Builder
	for i, d := range s.structs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.name)
		if d.version != "" {
			b.WriteString(":" + d.version)
		}
		if d.open {
			b.WriteString(" @open")
		}
		b.WriteString(" struct{\n")
		for _, f := range d.fields {
			b.WriteString("    ")
			b.Write(appendKey(nil, f.name, false))
			b.WriteString(": " + f.typ.text())
			if f.optional {
				b.WriteByte('?')
			}
			b.WriteByte('\n')
		}
		b.WriteByte('}')
	}
	return b.String()
}
