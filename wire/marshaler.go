package wire

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A valueMarshaler says itself which value it is. [FromGo] asks it before
// json.Marshaler and encoding.TextMarshaler.
type valueMarshaler interface {
	MarshalWire() (Value, error)
}

// A valueUnmarshaler takes a value itself, null included. [ToGo] asks it
// before json.Unmarshaler and encoding.TextUnmarshaler. The value is immutable
// and may be kept.
type valueUnmarshaler interface {
	UnmarshalWire(Value) error
}

// goTypes describes the Go types that a program converts.
var goTypes = gotype.Universe{
	Value:       reflect.TypeFor[Value](),
	Marshaler:   reflect.TypeFor[valueMarshaler](),
	Unmarshaler: reflect.TypeFor[valueUnmarshaler](),
}

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
		Kind:    kind,
		Cause:   cause,
		Message: name + " of " + t.String() + ": " + cause.Error(),
	}
}

// goFormat is the Format of errors of FromGo and ToGo.
const goFormat = "wire"

// goError returns an error of this package with a formatted message.
func goError(code string, kind error, format string, args ...any) *Error {
	return &Error{Format: goFormat, Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}
