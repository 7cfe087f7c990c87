package glyph

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// BridgeOpts are the options of the bridge to JSON. The zero BridgeOpts is the
// document's strict mode.
type BridgeOpts struct {
	// Extended writes and reads times, ids and bytes as the objects that the
	// document shows, {"$glyph":"time","value":"…"} and so on, which makes the
	// bridge lossless. An object that has a key $glyph of its own is written as
	// {"$glyph":"map","value":{…}}.
	Extended bool
}

// FromJSONLoose reads JSON text. Of two members with one key the last wins.
// Whatever a float64 would turn into an infinity is an error.
func FromJSONLoose(src []byte) (wire.Value, error) {
	return BridgeOpts{}.FromJSON(src)
}

// FromJSON is [FromJSONLoose] with options.
func (opts BridgeOpts) FromJSON(src []byte) (wire.Value, error) {
	v, err := wire.ParseJSON(src)
	if err != nil {
		return wire.Value{}, err
	}
	if _, err := checkRange(v); err != nil {
		return wire.Value{}, err
	}
	if !opts.Extended {
		return v, nil
	}
	return unwrap(v)
}

// ToJSONLoose writes v as compact JSON text: ids as "^prefix:value", times as
// RFC 3339 and bytes as base64 strings.
func ToJSONLoose(v wire.Value) ([]byte, error) { return BridgeOpts{}.ToJSON(v) }

// ToJSON is [ToJSONLoose] with options.
func (opts BridgeOpts) ToJSON(v wire.Value) ([]byte, error) {
	if opts.Extended {
		v, _ = wrap(v)
	}
	return wire.JSON{}.AppendEncode(nil, v)
}

// checkRange refuses numbers beyond float64's range ("Rejects NaN/Infinity").
func checkRange(v wire.Value) (wire.Value, error) {
	switch v.Kind() {
	case wire.KindNumber:
		if f, _ := v.Float64(); math.IsInf(f, 0) {
			return v, &wire.Error{Format: format, Code: wire.CodeNumberRange, Kind: wire.ErrRange,
				Message: fmt.Sprintf("%.40s is beyond float64's range", v.Text()), Hint: "wire.ParseJSON and the zero Codec keep it"}
		}
	case wire.KindArray, wire.KindObject:
		return mapChildren(v, checkRange)
	}
	return v, nil
}

// The keys and kinds of the extended bridge's wrappers.
const (
	wrapperKey   = "$glyph"
	wrapperValue = "value"
	wrapperBytes = "base64"
	kindTime     = "time"
	kindID       = "id"
	kindBytes    = "bytes"
	kindMap      = "map"
)

// mapChildren returns an array or an object with what f makes of its elements or members.
func mapChildren(v wire.Value, f func(wire.Value) (wire.Value, error)) (wire.Value, error) {
	children := make([]wire.Value, v.Len())
	for i := range children {
		var err error
		children[i], err = f(v.Index(i))
		switch {
		case err != nil && v.Kind() == wire.KindArray:
			return wire.Value{}, wire.AtIndex(err, i)
		case err != nil:
			return wire.Value{}, wire.AtKey(err, v.Keys().At(i))
		}
	}
	if v.Kind() == wire.KindArray {
		return wire.Array(children...), nil
	}
	return wire.ObjectOf(v.Keys(), children...), nil
}

// wrap returns v with wrappers. Its error is always nil.
func wrap(v wire.Value) (wire.Value, error) {
	switch {
	case v.Kind() >= wire.KindArray:
		m, _ := mapChildren(v, wrap)
		if _, ok := v.Get(wrapperKey); ok {
			return wrapper(kindMap, wrapperValue, m), nil
		}
		return m, nil
	case wire.Internal.Tag(v) == tagID:
		return wrapper(kindID, wrapperValue, wire.String(v.Text())), nil
	case v.Kind() == wire.KindTime:
		return wrapper(kindTime, wrapperValue, wire.String(string(appendTime(nil, v.Time())))), nil
	case v.Kind() == wire.KindBytes:
		return wrapper(kindBytes, wrapperBytes, wire.String(string(wire.Internal.AppendText(nil, v)))), nil
	}
	return v, nil
}

func wrapper(kind, key string, v wire.Value) wire.Value {
	return Map(MapEntry{wrapperKey, wire.String(kind)}, MapEntry{key, v})
}

// unwrap returns v with the wrappers replaced by what they stand for.
func unwrap(v wire.Value) (wire.Value, error) {
	if v.Kind() < wire.KindArray {
		return v, nil
	}
	if kind, ok := v.Get(wrapperKey); ok {
		return unwrapOne(v, kind)
	}
	return mapChildren(v, unwrap)
}

func unwrapOne(v, kind wire.Value) (wire.Value, error) {
	key := wrapperValue
	if kind.Text() == kindBytes {
		key = wrapperBytes
	}
	content, ok := v.Get(key)
	if !ok || v.Len() != 2 || kind.Kind() != wire.KindString {
		return wire.Value{}, badWrapper("an object with the key $glyph must have a kind and a value, and nothing else")
	}
	if kind.Text() == kindMap {
		if content.Kind() != wire.KindObject {
			return wire.Value{}, badWrapper("a $glyph map needs an object")
		}
		m, err := mapChildren(content, unwrap)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, key)
		}
		return m, nil
	}
	text := content.Text()
	if content.Kind() != wire.KindString {
		return wire.Value{}, badWrapper("the value of a $glyph wrapper must be a string")
	}
	switch kind.Text() {
	case kindTime:
		if t, ok := parseTime(text); ok {
			return wire.Time(t), nil
		}
		return wire.Value{}, badWrapper(fmt.Sprintf("%.40q is not an RFC 3339 time", text))
	case kindID:
		if strings.HasPrefix(text, "^") {
			return wire.Internal.TaggedString(text, tagID), nil
		}
		return wire.Value{}, badWrapper(fmt.Sprintf("the id %.40q does not begin with ^", text))
	case kindBytes:
		if b, ok := readBase64(text); ok {
			return wire.Bytes(b), nil
		}
		return wire.Value{}, badWrapper("bytes that are not standard base64 with padding")
	}
	return wire.Value{}, badWrapper(fmt.Sprintf("no kind of wrapper is named %.40q", kind.Text()))
}

func badWrapper(message string) error { return fault("invalid_wrapper", wire.ErrShape, message) }

// plain returns v as the Go values that ParseTabularLoose documents.
func plain(v wire.Value) any {
	switch v.Kind() {
	case wire.KindBool:
		return v.Bool()
	case wire.KindNumber:
		return plainGoNumber(v)
	case wire.KindString:
		return v.Text()
	case wire.KindBytes:
		return v.Bytes()
	case wire.KindTime:
		return v.Time()
	case wire.KindArray:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case wire.KindObject:
		m := make(map[string]any, v.Len())
		for key, e := range v.Members() {
			m[key] = plain(e)
		}
		return m
	}
	return nil
}

func plainGoNumber(v wire.Value) any {
	text := v.Text()
	if scan.Digits(strings.TrimPrefix(text, "-"), 0) == len(strings.TrimPrefix(text, "-")) && text != "-0" {
		if n, ok := v.Int64(); ok {
			return n
		}
	}
	if f, exact := v.Float64(); exact {
		return f
	}
	return json.Number(text)
}
