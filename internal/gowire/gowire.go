// Package gowire describes Go types as package wire sees them, to formats that
// read and write Go values without a wire.Value in between.
package gowire

import (
	"encoding"
	"encoding/json"
	"reflect"

	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/wire"
)

// Types describes types by wire's interfaces and tags.
var Types = gotype.Universe{
	Value: reflect.TypeFor[wire.Value](),
	Marshalers: [...]reflect.Type{
		gotype.OwnMethod:  reflect.TypeFor[interface{ MarshalWire() (wire.Value, error) }](),
		gotype.JSONMethod: reflect.TypeFor[json.Marshaler](),
		gotype.TextMethod: reflect.TypeFor[encoding.TextMarshaler](),
	},
	Unmarshalers: [...]reflect.Type{
		gotype.OwnMethod:  reflect.TypeFor[interface{ UnmarshalWire(wire.Value) error }](),
		gotype.JSONMethod: reflect.TypeFor[json.Unmarshaler](),
		gotype.TextMethod: reflect.TypeFor[encoding.TextUnmarshaler](),
	},
}
