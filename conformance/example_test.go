package conformance_test

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/wire"
)

// Span is the codec of a small format that is not part of this module. A
// value is written as
//
//	null ~   true +   false -   number #1.50;   string 5:hello
//	array [value value …]   object {string value string value …}
//
// without blanks between. Strings are preceded by their length in bytes, so
// nothing is ever escaped.
type Span struct {
	Limits wire.Limits
}

func (c Span) Info() wire.Info {
	return wire.Info{
		Name:       "span",
		Title:      "Length-prefixed spans",
		MediaType:  "application/x-span",
		Extensions: []string{".span"},
		Document:   "the comment on type Span",
		Version:    "1",
		// Bytes and times are written as strings, and tags are left out.
		Loss: wire.LossBytes | wire.LossTime | wire.LossTag,
	}
}

func (c Span) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	limits := c.Limits.Resolved()
	e := spanEncoder{dst: dst, limit: limits.OutputBytes, start: len(dst)}
	err := e.value(v, limits.Depth)
	if err == nil && len(e.dst)-e.start > limits.OutputBytes {
		err = spanError("output_too_long", wire.ErrLimit, "the encoding is longer than the limit")
	}
	if err != nil {
		return dst, err
	}
	return e.dst, nil
}

func spanError(code string, kind error, message string) *wire.Error {
	return &wire.Error{Format: "span", Code: code, Kind: kind, Message: message}
}

type spanEncoder struct {
	dst          []byte
	start, limit int
}

// value writes v. The path of an error is put together on the way out.
func (e *spanEncoder) value(v wire.Value, depth int) error {
	if len(e.dst)-e.start > e.limit {
		return nil // AppendEncode reports it
	}
	switch v.Kind() {
	case wire.KindNull:
		e.dst = append(e.dst, '~')
	case wire.KindBool:
		if v.Bool() {
			e.dst = append(e.dst, '+')
		} else {
			e.dst = append(e.dst, '-')
		}
	case wire.KindNumber:
		e.dst = append(append(append(e.dst, '#'), v.Text()...), ';')
	case wire.KindArray, wire.KindObject:
		if depth == 0 {
			return spanError("too_deep", wire.ErrLimit, "the value is nested deeper than the limit")
		}
		return e.container(v, depth-1)
	default:
		return e.text(string(wire.Internal.AppendText(nil, v)))
	}
	return nil
}

func (e *spanEncoder) container(v wire.Value, depth int) error {
	if v.Kind() == wire.KindArray {
		e.dst = append(e.dst, '[')
		for i := range v.Len() {
			if err := e.value(v.Index(i), depth); err != nil {
				return wire.AtIndex(err, i)
			}
		}
		e.dst = append(e.dst, ']')
		return nil
	}
	e.dst = append(e.dst, '{')
	for key, member := range v.Members() {
		if err := e.text(key); err != nil {
			return err
		}
		if err := e.value(member, depth); err != nil {
			return wire.AtKey(err, key)
		}
	}
	e.dst = append(e.dst, '}')
	return nil
}

func (e *spanEncoder) text(s string) error {
	if !utf8.ValidString(s) {
		return spanError("invalid_utf8", wire.ErrUTF8, "a string or key is not UTF-8")
	}
	e.dst = append(strconv.AppendInt(e.dst, int64(len(s)), 10), ':')
	e.dst = append(e.dst, s...)
	return nil
}

func (c Span) Decode(src []byte) (wire.Value, error) {
	limits := c.Limits.Resolved()
	d := spanDecoder{src: src, values: limits.Values}
	var v wire.Value
	switch {
	case len(src) > limits.InputBytes:
		d.fail("input_too_long", wire.ErrLimit, "the document is longer than the limit")
	case !utf8.Valid(src):
		for d.at < len(src) {
			r, size := utf8.DecodeRune(src[d.at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			d.at += size
		}
		d.fail("invalid_utf8", wire.ErrUTF8, "bytes that are not UTF-8")
	default:
		v = d.value(limits.Depth)
		if d.err == nil && d.at < len(src) {
			d.fail("trailing_data", wire.ErrSyntax, "something follows the value")
		}
	}
	if d.err != nil {
		return wire.Null(), d.err
	}
	return v, nil
}

type spanDecoder struct {
	wire.Builder
	src    []byte
	at     int
	values int
	err    error
}

// fail records the first error, at the byte that is read next.
func (d *spanDecoder) fail(code string, kind error, message string) wire.Value {
	if d.err == nil {
		d.err = wire.ErrorAt(d.src, d.at, *spanError(code, kind, message))
	}
	return wire.Null()
}

// more reports whether there is another child before the bracket.
func (d *spanDecoder) more(closing byte) bool {
	if d.err != nil {
		return false
	}
	if d.at == len(d.src) {
		d.fail("unexpected_end", wire.ErrTruncated, "the document ends inside a container")
		return false
	}
	if d.src[d.at] == closing {
		d.at++
		return false
	}
	return true
}

func (d *spanDecoder) value(depth int) wire.Value {
	if d.values--; d.values < 0 {
		return d.fail("too_many_values", wire.ErrLimit, "the document has more values than the limit")
	}
	if d.at == len(d.src) {
		return d.fail("unexpected_end", wire.ErrTruncated, "the document ends where a value was expected")
	}
	switch c := d.src[d.at]; c {
	case '~', '+', '-':
		d.at++
		if c == '~' {
			return wire.Null()
		}
		return wire.Bool(c == '+')
	case '#':
		end := bytes.IndexByte(d.src[d.at:], ';')
		if end < 0 {
			return d.fail("unexpected_end", wire.ErrTruncated, "the document ends inside a number")
		}
		v, err := wire.Number(string(d.src[d.at+1 : d.at+end]))
		if err != nil {
			return d.fail("bad_number", wire.ErrSyntax, "this is no number")
		}
		d.at += end + 1
		return v
	case '[', '{':
		if depth == 0 {
			return d.fail("too_deep", wire.ErrLimit, "the document is nested deeper than the limit")
		}
		d.at++
		if c == '[' {
			return d.array(depth - 1)
		}
		return d.object(depth - 1)
	}
	return wire.String(d.text())
}

func (d *spanDecoder) array(depth int) wire.Value {
	var elements []wire.Value
	for i := 0; d.more(']'); i++ {
		elements = append(elements, d.value(depth))
		d.err = wire.AtIndex(d.err, i)
	}
	return wire.Array(elements...)
}

func (d *spanDecoder) object(depth int) wire.Value {
	o := d.Object()
	for d.more('}') {
		before := d.at
		key := d.text()
		if d.err == nil && !d.Key(&o, key) {
			d.at = before
			d.fail("duplicate_key", wire.ErrDuplicateKey, "the object has this key already")
		}
		if d.err != nil {
			break
		}
		d.Put(&o, d.value(depth))
		d.err = wire.AtKey(d.err, key)
	}
	if d.err != nil {
		return wire.Null()
	}
	return d.EndObject(&o)
}

// text reads a length, a colon and that many bytes. A length without leading
// zeros and no longer than the document keeps one value to one spelling.
func (d *spanDecoder) text() string {
	rest := d.src[d.at:]
	colon := bytes.IndexByte(rest[:min(len(rest), 20)], ':')
	if colon < 0 {
		d.fail("bad_length", wire.ErrSyntax, "expected a value, or a string's length and a colon")
		return ""
	}
	n, err := strconv.ParseUint(string(rest[:colon]), 10, 32)
	if err != nil || colon > 1 && rest[0] == '0' {
		d.fail("bad_length", wire.ErrSyntax, "expected a value, or a string's length and a colon")
		return ""
	}
	if rest = rest[colon+1:]; n > uint64(len(rest)) {
		d.fail("unexpected_end", wire.ErrTruncated, "the document ends inside a string")
		return ""
	}
	if !utf8.Valid(rest[:n]) {
		d.fail("bad_length", wire.ErrUTF8, "the length ends inside a character")
		return ""
	}
	d.at += colon + 1 + int(n)
	return string(rest[:n])
}

// A codec of one's own needs three methods. Its test is one line:
//
//	func TestSpan(t *testing.T) { conformance.Run(t, Span{}) }
//
// [conformance.Check] applies the same rules to one value.
func Example() {
	v, err := wire.ParseJSON([]byte(`{"id":7,"tags":["a","b|c"],"price":1.50,"note":null}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := conformance.Check(Span{}, v)
	if err != nil {
		fmt.Println("broken promise:", err)
		return
	}
	fmt.Printf("%s\nlost: %v\n", outcome.Encoded, outcome.Loss)

	_, err = Span{}.Decode([]byte("{2:id#7;4:tags[1:a3:b|"))
	fmt.Println(err)
	// Output:
	// {2:id#7;4:tags[1:a3:b|c]5:price#1.50;4:note~}
	// lost: none
	// span: line 1, column 19: unexpected_end: the document ends inside a string (at /tags/1)
}
