// Package gowire describes Go types as package wire sees them, to formats that
// read and write Go values without a wire.Value in between.
package gowire

import (
	"reflect"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// Types describes types by wire's interfaces and tags.
var Types = gotype.Universe{
	Value:       reflect.TypeFor[wire.Value](),
	Marshaler:   reflect.TypeFor[interface{ MarshalWire() (wire.Value, error) }](),
	Unmarshaler: reflect.TypeFor[interface{ UnmarshalWire(wire.Value) error }](),
}
