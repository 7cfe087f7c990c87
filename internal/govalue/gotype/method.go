package gotype

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
)

// A Method says by which of its methods a type converts itself.
type Method uint8

// The methods, in the order in which they are asked: that of encoding/json.
const (
	OwnMethod    Method = iota // of the Universe's own interface
	StreamMethod               // MarshalJSONTo or UnmarshalJSONFrom of encoding/json/v2
	JSONMethod                 // of encoding/json
	AppendMethod               // encoding.TextAppender
	TextMethod                 // encoding.TextMarshaler or encoding.TextUnmarshaler
	NoMethod
)

var (
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textAppender    = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	errorType       = reflect.TypeFor[error]()
)

func (u *Universe) marshalMethod(t reflect.Type, addressable bool) Method {
	methods := t // those that count
	if addressable {
		methods = reflect.PointerTo(t)
	}
	return method(t, methods, u.Marshaler, isStream(methods.MethodByName("MarshalJSONTo")), jsonMarshaler, TextMarshal(methods))
}

func (u *Universe) unmarshalMethod(t reflect.Type) Method {
	p, text := reflect.PointerTo(t), NoMethod
	if p.Implements(textUnmarshaler) {
		text = TextMethod
	}
	return method(t, p, u.Unmarshaler, isStream(p.MethodByName("UnmarshalJSONFrom")), jsonUnmarshaler, text)
}

// method returns the first of a type's methods that is there, text being the last one. What a
// pointer or an interface leads to is asked itself.
func method(t, methods, own reflect.Type, stream bool, json reflect.Type, text Method) Method {
	switch {
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer:
		return NoMethod
	case methods.Implements(own):
		return OwnMethod
	case stream:
		return StreamMethod
	case methods.Implements(json):
		return JSONMethod
	}
	return text
}

// TextMarshal returns the method that writes a value of the type, a map's key perhaps, as
// a text.
func TextMarshal(t reflect.Type) Method {
	switch {
	case OnV2() && t.Implements(textAppender):
		return AppendMethod
	case t.Implements(textMarshaler):
		return TextMethod
	}
	return NoMethod
}

// isStream reports whether a method that a type has, if ok, is MarshalJSONTo(*jsontext.Encoder)
// error or UnmarshalJSONFrom(*jsontext.Decoder) error. Programs have a package
// encoding/json/jsontext where encoding/json calls these methods, and only there. Callers name
// methods by constants, or the linker would keep those of all names.
func isStream(m reflect.Method, ok bool) bool {
	if !ok || m.Type.NumIn() != 2 || m.Type.NumOut() != 1 || m.Type.Out(0) != errorType || m.Type.In(1).Kind() != reflect.Pointer {
		return false
	}
	arg := m.Type.In(1).Elem()
	return arg.PkgPath() == jsontext && arg.Name() == coders[m.Name]
}

var coders = map[string]string{"MarshalJSONTo": "Encoder", "UnmarshalJSONFrom": "Decoder"}

// jsontext is the path of the package that encoding/json is built on, where it is.
const jsontext = "encoding/json/jsontext"

// OnV2 reports whether encoding/json is built on encoding/json/v2, as it is since Go 1.27 or
// by GOEXPERIMENT=jsonv2: then it asks types for encoding.TextAppender, and keys of kind
// string for their text.
var OnV2 = sync.OnceValue(func() bool {
	text, _ := json.Marshal(appender{})
	return string(text) == `"x"`
})

type appender struct{}

func (appender) AppendText(dst []byte) ([]byte, error) { return append(dst, 'x'), nil }

// Flattens reports whether encoding/json knows the tag option embed, which writes the
// members of a field in the place of the field, as it does since Go 1.27.
var Flattens = sync.OnceValue(func() bool {
	text, _ := json.Marshal(struct {
		In struct{ X int } `json:",embed"`
	}{})
	return string(text) == `{"X":0}`
})
