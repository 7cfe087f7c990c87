package wire_test

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// Pairs is a codec of a format that says little: an object of scalars, a member a
// line, as key=JSON.
type Pairs struct {
	Limits wire.Limits
}

// Info declares what the codec takes and what it loses: nothing but what JSON does
// not know.
func (c Pairs) Info() wire.Info {
	return wire.Info{
		Name:       "pairs",
		Title:      "Lines of keys and JSON",
		MediaType:  "text/x-pairs",
		Extensions: []string{".pairs"},
		Document:   "none",
		Version:    "1",
		Accepts:    "objects of scalars whose keys hold no = and no line end",
		Loss:       wire.LossBytes | wire.LossTime | wire.LossTag,
	}
}

// WithLimits returns the codec with other limits.
func (c Pairs) WithLimits(l wire.Limits) wire.Codec { c.Limits = l; return c }

// AppendEncode refuses what the format cannot say, with the path of the value, and
// returns dst as it was.
func (c Pairs) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if v.Kind() != wire.KindObject {
		return dst, &wire.Error{Format: "pairs", Code: "not_an_object", Kind: wire.ErrShape,
			Message: "the value is of kind " + v.Kind().String(), Hint: "put it into an object"}
	}
	limits := c.Limits.Resolved()
	out := dst
	var err error
	for key, member := range v.Members() {
		if key == "" || strings.ContainsAny(key, "=\r\n") || !utf8.ValidString(key) {
			return dst, wire.AtKey(&wire.Error{Format: "pairs", Code: "bad_key", Kind: wire.ErrShape, Message: "the key cannot stand before ="}, key)
		}
		if member.Kind() >= wire.KindArray {
			return dst, wire.AtKey(&wire.Error{Format: "pairs", Code: "not_a_scalar", Kind: wire.ErrShape, Message: "a member of kind " + member.Kind().String()}, key)
		}
		out = append(append(out, key...), '=')
		if out, err = (wire.JSON{}).AppendEncode(out, member); err != nil {
			return dst, inPairs(wire.AtKey(err, key))
		}
		out = append(out, '\n')
		if len(out)-len(dst) > limits.OutputBytes {
			return dst, &wire.Error{Format: "pairs", Code: "output_too_long", Kind: wire.ErrLimit,
				Message: fmt.Sprintf("the text is longer than %d bytes", limits.OutputBytes), Hint: "raise Limits.OutputBytes"}
		}
	}
	return out, nil
}

// Decode bounds what it reads before it makes anything of it, and says where it
// stopped.
func (c Pairs) Decode(src []byte) (wire.Value, error) {
	limits := c.Limits.Resolved()
	if len(src) > limits.InputBytes {
		return wire.Value{}, &wire.Error{Format: "pairs", Code: "input_too_long", Kind: wire.ErrLimit,
			Message: fmt.Sprintf("the input is longer than %d bytes", limits.InputBytes), Hint: "raise Limits.InputBytes"}
	}
	var b wire.Builder
	object := b.Object()
	rest := bytes.TrimPrefix(src, []byte("\ufeff"))
	for members := 0; len(rest) > 0; {
		at := len(src) - len(rest)
		text, more, _ := bytes.Cut(rest, []byte("\n"))
		key, value, ok := bytes.Cut(text, []byte("="))
		if !ok || len(key) == 0 || !utf8.Valid(key) {
			return wire.Value{}, wire.ErrorAt(src, at, wire.Error{Format: "pairs", Code: "no_key", Kind: wire.ErrSyntax, Message: "a line without a key and ="})
		}
		v, err := wire.JSON{}.Decode(value)
		if e, ok := err.(*wire.Error); ok { // its place is one in value
			e.Format = "pairs"
			return wire.Value{}, wire.ErrorAt(src, at+len(key)+1+e.Offset, *e)
		}
		if v.Kind() >= wire.KindArray {
			return wire.Value{}, wire.ErrorAt(src, at+len(key)+1, wire.Error{Format: "pairs", Code: "not_a_scalar", Kind: wire.ErrSyntax, Message: "a member is not a scalar"})
		}
		if !b.Key(&object, string(key)) {
			return wire.Value{}, wire.ErrorAt(src, at, wire.Error{Format: "pairs", Code: "duplicate_key", Kind: wire.ErrDuplicateKey, Message: "a key for the second time"})
		}
		if members++; members >= limits.Values { // the object is one as well
			return wire.Value{}, wire.ErrorAt(src, at, wire.Error{Format: "pairs", Code: "too_many_values", Kind: wire.ErrLimit,
				Message: fmt.Sprintf("more than %d values", limits.Values), Hint: "raise Limits.Values"})
		}
		b.Put(&object, v)
		rest = more
	}
	return b.EndObject(&object), nil
}

// inPairs gives an error of a part in another format the name of this one.
func inPairs(err error) error {
	if e, ok := err.(*wire.Error); ok {
		e.Format = "pairs"
	}
	return err
}

// A codec is a struct with three methods; the rest is optional.
func ExampleCodec() {
	v, _ := wire.ParseJSON([]byte(`{"name":"web-1","cpu":0.50}`))
	text, err := Pairs{}.AppendEncode(nil, v)
	fmt.Printf("%s%v\n", text, err)
	back, err := Pairs{}.Decode(text)
	fmt.Println(back, wire.Identical(v, back), err)
	_, err = Pairs{}.Decode([]byte("name=\"a\"\ncpu=01\n"))
	fmt.Println(err)
	// Output:
	// name="web-1"
	// cpu=0.50
	// <nil>
	// {"name":"web-1","cpu":0.50} true <nil>
	// pairs: line 2, column 5: leading_zero: a number with a leading zero
}
