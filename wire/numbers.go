package wire

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/wirekit/wirekit/internal/enum"
)

// Numbers says what an empty interface gets for a number, see [UnmarshalOptions].
type Numbers uint8

// The values of Numbers.
const (
	// NumbersExact gives a float64 if no digit is lost, else a json.Number: no id and no
	// amount changes, and a program has to expect both types.
	NumbersExact Numbers = iota
	// NumbersFloat64 always gives the nearest float64, as encoding/json does. A number
	// beyond float64's range is an error that wraps [ErrRange].
	NumbersFloat64
	// NumbersText always gives a json.Number, which has the number's spelling.
	NumbersText
)

var numbersNames = enum.New[Numbers]("wire.Numbers", "exact", "float64", "text")

// String returns the name: "exact", "float64" or "text".
func (n Numbers) String() string { return numbersNames.String(n) }

// MarshalText returns the name.
func (n Numbers) MarshalText() ([]byte, error) { return numbersNames.Marshal(n) }

// UnmarshalText takes the name.
func (n *Numbers) UnmarshalText(name []byte) error { return numbersNames.Unmarshal(n, name) }

// check refuses options that have no meaning.
func (o *UnmarshalOptions) check() error {
	if numbersNames.Has(o.Numbers) {
		return nil
	}
	return &Error{Format: goFormat, Code: CodeInvalidOption, Kind: ErrRange,
		Message: fmt.Sprintf("UnmarshalOptions.Numbers is %v", o.Numbers), Hint: "use one of " + numbersNames.Names()}
}

// number returns what an empty interface holds for a number.
func (d *toGo) number(v *Value) (any, error) {
	if d.numbers == NumbersExact {
		if f, ok := v.Float64(); ok {
			return d.boxes.Float(f), nil
		}
	}
	if d.numbers != NumbersFloat64 {
		return json.Number(v.NumberText()), nil
	}
	f, ok := v.nearestFloat()
	if !ok {
		return nil, outOfRange(v, reflect.TypeFor[float64]())
	}
	return d.boxes.Float(f), nil
}
