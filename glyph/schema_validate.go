package glyph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A ValidationIssue is one error or warning.
type ValidationIssue struct {
	// Code is "type_mismatch", "unknown_field" of a closed struct, "required_field", that is
	// missing, "type_not_found" or "invalid_schema"; of a warning "unknown_field_captured".
	Code    string
	Path    string // as in a patch: services.a.port, list[2]; "" for the value itself
	Message string
}

// A ValidationResult holds what a validation found, by path.
type ValidationResult struct {
	Errors   []ValidationIssue
	Warnings []ValidationIssue
	// Omitted counts the errors and warnings beyond the first 10,000 of each, or
	// the first whose paths and messages make a mebibyte. So long paths, which a
	// stranger's value can have in any number, take no memory out of proportion.
	Omitted int
}

const (
	maxIssues     = 10_000
	maxIssueBytes = 1 << 20
)

// Valid reports whether there are no errors.
func (r ValidationResult) Valid() bool { return len(r.Errors) == 0 }

// ValidateWithSchema checks a value, which is not changed. Fields that an @open struct does
// not define are warnings.
func ValidateWithSchema(v wire.Value, s *Schema) ValidationResult { return s.validate(v, false) }

// ValidateStrict is [ValidateWithSchema], but fields that an @open struct does not define
// are errors.
func ValidateStrict(v wire.Value, s *Schema) ValidationResult { return s.validate(v, true) }

func (s *Schema) validate(v wire.Value, strict bool) ValidationResult {
	c := validator{schema: s, strict: strict}
	if err := s.check(); err != nil {
		c.error("invalid_schema", err.Error())
	} else {
		c.value(v, RefType(s.root))
	}
	c.result.Errors, c.result.Warnings = c.errors.list, c.warnings.list
	byPath := func(a, b ValidationIssue) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Code, b.Code))
	}
	slices.SortStableFunc(c.result.Errors, byPath)
	slices.SortStableFunc(c.result.Warnings, byPath)
	return c.result
}

type validator struct {
	schema           *Schema
	strict           bool
	path             []pathStep
	errors, warnings issues
	result           ValidationResult
}

// issues are the errors or the warnings so far.
type issues struct {
	list  []ValidationIssue
	bytes int
}

func (c *validator) error(code, message string) { c.note(&c.errors, code, message) }
func (c *validator) warn(code, message string)  { c.note(&c.warnings, code, message) }

func (c *validator) note(to *issues, code, message string) {
	if len(to.list) == maxIssues || to.bytes >= maxIssueBytes {
		c.result.Omitted++
		return
	}
	path := ""
	if len(c.path) > 0 {
		path = pathText(c.path)
	}
	to.bytes += len(path) + len(message)
	to.list = append(to.list, ValidationIssue{Code: code, Path: path, Message: message})
}

func (c *validator) within(step pathStep, f func()) {
	c.path = append(c.path, step)
	f()
	c.path = c.path[:len(c.path)-1]
}

func (c *validator) mismatch(want string, v wire.Value) {
	c.error(wire.CodeTypeMismatch, "expected "+want+", got "+typeOf(v))
}

// typeOf names a value's type in the document's words.
func typeOf(v wire.Value) string {
	switch v.Kind() {
	case wire.KindNumber:
		if whole(v) {
			return "int"
		}
		return "float"
	case wire.KindString:
		if wire.Internal.Tag(v) == tagID {
			return "id"
		}
		return "str"
	case wire.KindArray:
		return "list"
	case wire.KindObject:
		return "map"
	}
	return v.Kind().String()
}

// whole reports whether a number is whole, of any size and in any spelling.
func whole(v wire.Value) bool {
	if _, ok := v.Int64(); ok {
		return true
	}
	return splitNumber(v.Text()).isWhole()
}

func (c *validator) value(v wire.Value, t Type) {
	switch t.kind {
	case typeList:
		if v.Kind() != wire.KindArray {
			c.mismatch(t.text(), v)
			return
		}
		for i := range v.Len() {
			c.within(pathStep{index: i, isIndex: true}, func() { c.value(v.Index(i), *t.elem) })
		}
	case typeMap:
		c.mapValue(v, t)
	case typeRef:
		c.structValue(v, t.name)
	default:
		if t.name != "any" && t.name != typeOf(v) && !(t.name == "float" && v.Kind() == wire.KindNumber) {
			c.mismatch(t.name, v)
		}
	}
}

func (c *validator) mapValue(v wire.Value, t Type) {
	if v.Kind() != wire.KindObject {
		c.mismatch(t.text(), v)
		return
	}
	for key, e := range v.Members() {
		c.within(pathStep{key: key}, func() {
			if !keyIs(key, t.key.name) {
				c.error(wire.CodeTypeMismatch, fmt.Sprintf("expected a key of type %s, got %.40q", t.key.name, key))
			}
			c.value(e, *t.elem)
		})
	}
}

// keyIs reports whether a key is the text of a value of the primitive type.
func keyIs(key, primitive string) bool {
	switch primitive {
	case "str", "any":
		return true
	case "bytes":
		_, ok := readBase64(key)
		return ok
	}
	v, err := Codec{}.Decode([]byte(key))
	if err != nil || strings.TrimSpace(key) != key {
		return false
	}
	t := typeOf(v)
	return t == primitive || primitive == "float" && t == "int"
}

func (c *validator) structValue(v wire.Value, name string) {
	d := c.schema.byName[name]
	if d == nil {
		c.error("type_not_found", fmt.Sprintf("no type is named %.40q", name))
		return
	}
	if v.Kind() != wire.KindObject {
		c.mismatch(name, v)
		return
	}
	for _, f := range d.fields {
		e, ok := v.Get(f.name)
		c.within(pathStep{key: f.name}, func() {
			switch {
			case !ok && !f.optional:
				c.error("required_field", "the field is missing")
			case ok && !(f.optional && e.Kind() == wire.KindNull):
				c.value(e, f.typ)
			}
		})
	}
	for _, key := range v.Keys().All() {
		if _, ok := d.byName[key]; ok {
			continue
		}
		c.within(pathStep{key: key}, func() {
			if d.open && !c.strict {
				c.warn("unknown_field_captured", "the field is not defined by "+name)
			} else {
				c.error("unknown_field", "the field is not defined by "+name)
			}
		})
	}
}
