package wire

import (
	"encoding/json"
	"reflect"
)

// check refuses options that have no meaning.
func (o *Options) check() error {
	if o.UseNumber && o.UseFloat64 {
		return &Error{Format: goFormat, Code: CodeInvalidOption, Kind: ErrRange,
			Message: "Options.UseNumber and UseFloat64 are both set", Hint: "set one of them"}
	}
	return nil
}

// number returns what an empty interface holds for a number.
func (d *toGo) number(v *Value) (any, error) {
	if !d.options.UseNumber && !d.options.UseFloat64 {
		if f, ok := v.Float64(); ok {
			return d.boxes.Float(f), nil
		}
	}
	if !d.options.UseFloat64 {
		return json.Number(v.Text()), nil
	}
	f, ok := v.nearestFloat()
	if !ok {
		return nil, outOfRange(v, reflect.TypeFor[float64]())
	}
	return d.boxes.Float(f), nil
}
