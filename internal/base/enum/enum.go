// Package enum gives the constants of a type their names, in both directions, and
// refuses values that have none.
//
//	var names = enum.New[Mode]("mcp.Mode", "default", "replace", "off")
//
//	func (m Mode) String() string                { return names.String(m) }
//	func (m Mode) MarshalText() ([]byte, error)  { return names.Marshal(m) }
//	func (m *Mode) UnmarshalText(b []byte) error { return names.Unmarshal(m, b) }
package enum

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnknown is wrapped by the errors for values and names that an enumeration lacks.
var ErrUnknown = errors.New("unknown")

// An Enum is the names of a type's values.
type Enum[T ~uint8 | ~uint16 | ~uint32] struct {
	typ   string
	names []string
}

// New returns the enumeration of a type, "package.Type", whose values have these names,
// from 0 on. A value whose name is empty does not exist.
func New[T ~uint8 | ~uint16 | ~uint32](typ string, names ...string) Enum[T] {
	return Enum[T]{typ: typ, names: names}
}

// Has reports whether v is a value of the enumeration.
func (e Enum[T]) Has(v T) bool { return uint64(v) < uint64(len(e.names)) && e.names[v] != "" }

// String returns the name of v, or for a value without one its type and number:
// "Mode(255)".
func (e Enum[T]) String(v T) string {
	if e.Has(v) {
		return e.names[v]
	}
	return fmt.Sprintf("%s(%d)", e.typ[strings.LastIndexByte(e.typ, '.')+1:], uint64(v))
}

// Names returns the names, as a hint lists them: "default, replace, off".
func (e Enum[T]) Names() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(e.names), func(name string) bool { return name == "" }), ", ")
}

// Check returns an error that wraps ErrUnknown and names the field if v is not a value
// of the enumeration.
func (e Enum[T]) Check(field string, v T) error {
	if e.Has(v) {
		return nil
	}
	pkg, name := e.name()
	return fmt.Errorf("%s: %w %s: %s is %s; known are %s", pkg, ErrUnknown, name, field, e.String(v), e.Names())
}

// Marshal returns the name of v, or an error that wraps ErrUnknown.
func (e Enum[T]) Marshal(v T) ([]byte, error) {
	if err := e.Check("the "+e.typ, v); err != nil {
		return nil, err
	}
	return []byte(e.names[v]), nil
}

// Unmarshal sets v to the value of a name. The error for any other text wraps ErrUnknown
// and lists the names.
func (e Enum[T]) Unmarshal(v *T, text []byte) error {
	if i := slices.Index(e.names, string(text)); i >= 0 && len(text) > 0 {
		*v = T(i)
		return nil
	}
	pkg, name := e.name()
	return fmt.Errorf("%s: %w %s %.40q; known are %s", pkg, ErrUnknown, name, text, e.Names())
}

// name returns the package and what errors call a value of the type: "mode".
func (e Enum[T]) name() (pkg, name string) {
	pkg, name, _ = strings.Cut(e.typ, ".")
	return pkg, strings.ToLower(name)
}
