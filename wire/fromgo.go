package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// FromGo converts a Go value by the rules of encoding/json, with these
// differences:
//
//   - A field's wire tag, in the same syntax, replaces its json tag.
//   - A [Value] is taken as it is; a type with the method MarshalWire() (Value, error) is
//     asked first.
//   - A []byte becomes bytes and a time.Time a time, not strings.
//   - Numbers that a json.Marshaler or json.Number spells keep their spelling.
//   - Strings are taken as they are; codecs refuse those that are not UTF-8.
//   - Two keys of a map with the same text are an error.
//
// The rules are those of encoding/json in the Go release that builds the program. Since Go
// 1.27, or with GOEXPERIMENT=jsonv2, it is built on encoding/json/v2: types are asked for
// MarshalJSONTo and encoding.TextAppender too, string types that are keys of maps for their
// text, and the members of a field with the tag option embed (Go 1.27) become those of its
// struct. Before, these methods and the option mean nothing to encoding/json, nor do they
// here: a type that must not show what it holds has MarshalJSON, MarshalText or MarshalWire.
//
// Struct fields keep their order, the keys of maps are sorted. Nil pointers,
// interfaces, slices and maps are null.
//
// Errors are [*Error] with Format "wire" and a path. They wrap [ErrRange] for
// NaN, infinities and years outside 0 to 9999, [ErrShape] for channels,
// functions, complex numbers and keys of other types, [ErrLimit] for nesting
// deeper than 10,000 levels, as that of a cycle, and for more than 64 Mi
// values, and what a method of the value returned.
//
// The value shares the memory of v's strings, which are immutable, and of
// nothing else. FromGo is safe for concurrent use as long as no one changes v.
func FromGo(v any) (Value, error) {
	return Options{}.FromGo(v)
}

// fromGo is the state of one conversion.
type fromGo struct {
	Builder
	plans    *plans // nil for common
	depth    int    // of pointers, interfaces, slices and maps around the value
	values   int    // of arrays and objects so far
	names    []string
	entries  []mapEntry
	waiting  []waitingValue // elements of maps being converted
	mapKeys  *mapKeys
	longKeys bool    // some of them are longer than is kept
	kept     []Value // the slab that an idle conversion keeps
	text     []byte  // scratch for the text that methods append
	// result is that of the whole conversion: a variable would be one more
	// allocation.
	result Value
}

// A mapEntry is an element of a map: its key's text, and its place among the copies.
type mapEntry struct {
	key string
	at  int
}

// enter is called where a value leads to n others through a reference, the only
// way to a cycle. Who called it takes one from depth where no error ended the
// conversion.
func (c *fromGo) enter(n int) error {
	if c.depth++; c.depth > bound.MostDepth {
		return &Error{Format: goFormat, Code: CodeTooDeep, Kind: ErrLimit,
			Message: "values nest deeper than the limit of " + strconv.Itoa(bound.MostDepth), Hint: "is there a cycle of pointers?"}
	}
	return c.count(n)
}

// count adds the children of an array or object to the number of values.
func (c *fromGo) count(n int) error {
	if n > bound.Values-c.values {
		return goError(CodeTooManyValues, ErrLimit, "more than %d values", bound.Values)
	}
	c.values += n
	return nil
}

// any converts the types that data without a schema is made of without
// a plan, and every other with it. Like all conversions, it leaves in out a
// whole value or, with an error, nothing of meaning.
func (c *fromGo) any(v any, out *Value) error {
	if c.plans != nil && c.plans != &common && v != nil {
		return c.reflected(reflect.ValueOf(v), out)
	}
	switch v := v.(type) {
	case nil:
		*out = Value{}
	case string:
		*out = String(v)
	case bool:
		*out = Bool(v)
	case int:
		*out = Int(int64(v))
	case int64:
		*out = Int(v)
	case float64:
		return fromFloat(v, out)
	case json.Number:
		return fromNumber(string(v), out)
	case Value:
		*out = v
	case []any:
		return c.anyList(v, out)
	case map[string]any:
		return fromMap(c, v, out, plainAny)
	default:
		return c.reflected(reflect.ValueOf(v), out)
	}
	return nil
}

// reflected converts what an interface holds by the plan of its type.
func (c *fromGo) reflected(v reflect.Value, out *Value) error {
	t, in := v.Type(), c.plans
	if in == nil {
		in = &common
	}
	if t.Kind() == reflect.Pointer {
		return c.target(in.fromPlan(t.Elem(), addressable), v.UnsafePointer(), out)
	}
	plan := in.fromPlan(t, 0)
	switch op := plan.op; {
	case op == gotype.String:
		*out = String(v.String())
		return nil
	case op.IsInt():
		*out = Int(v.Int())
		return nil
	case op.IsUint():
		*out = Uint(v.Uint())
		return nil
	}
	// What an interface holds has no address of its own.
	held := reflect.New(t)
	held.Elem().Set(v)
	return plan.convert(c, held.UnsafePointer(), out)
}

// target converts what a pointer leads to by the plan of that.
func (c *fromGo) target(plan *fromPlan, p gotype.Ptr, out *Value) error {
	if p == nil {
		return fromNil(out)
	}
	if err := c.enter(0); err != nil {
		return err
	}
	err := plan.convert(c, p, out)
	c.depth--
	return err
}

// fromNil makes null of what is nil.
func fromNil(out *Value) error {
	*out = Value{}
	return nil
}

func (c *fromGo) anyList(list []any, out *Value) error {
	if list == nil {
		return fromNil(out)
	}
	if len(list) == 0 {
		*out = Array()
		return nil
	}
	if err := c.enter(len(list)); err != nil {
		return err
	}
	slots := c.take(len(list))
	for i, e := range list {
		if plainAny(e, &slots[i]) {
			continue
		}
		if err := c.any(e, &slots[i]); err != nil {
			return AtIndex(err, i)
		}
	}
	c.depth--
	*out = childrenValue(KindArray, &slots[0], len(list))
	return nil
}

func unsupported(t reflect.Type) error {
	return goError("unsupported_type", ErrShape, "a Go value of type %v has no place in the data model", t)
}

func fromFloat(f float64, out *Value) error {
	if !plainFloat(f, out) {
		return notANumber(f)
	}
	return nil
}

// notANumber is the error for NaN and the infinities, for which f-f is not 0.
func notANumber(f float64) error {
	return goError("not_a_number", ErrRange, "%s is not a number of the data model", strconv.FormatFloat(f, 'g', -1, 64))
}

// exactWhole32 is up to where a whole float32 is its own shortest text.
const exactWhole32 = 1 << 24

// fromFloat32 makes the number that f's own shortest text spells, 0.1 and not
// 0.10000000149011612. That has at most 9 digits, which a float64 keeps.
func fromFloat32(f float32, out *Value) error {
	// What converting a larger one to int32 gives depends on the processor.
	if f-f != 0 || f > -exactWhole32 && f < exactWhole32 && f == float32(int32(f)) {
		return fromFloat(float64(f), out)
	}
	var buf [24]byte
	wide, _ := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], float64(f), 'e', -1, 32)), 64)
	return fromFloat(wide, out)
}

// fromNumber makes a number of a json.Number, whose zero value is 0.
func fromNumber(text string, out *Value) error {
	if text == "" {
		text = "0"
	}
	if n := scan.Number(text); n == 0 || n != len(text) {
		return goError("invalid_number", ErrSyntax, "json.Number %.40q is not a number in JSON's grammar", text)
	}
	*out = numberText(text)
	return nil
}

// fromTime refuses the times that RFC 3339 cannot spell.
func fromTime(t time.Time, out *Value) error {
	if !gotext.HasText(t) {
		return goError("invalid_time", ErrRange, "time %v has a year or an offset that RFC 3339 cannot spell", t)
	}
	*out = Time(t)
	return nil
}

// call converts v, a value or a pointer to it, by its method.
func (c *fromGo) call(m gotype.Method, v reflect.Value, out *Value) error {
	switch m {
	case gotype.OwnMethod:
		i, _ := reflect.TypeAssert[valueMarshaler](v)
		w, err := i.MarshalWire()
		if err != nil {
			return methodError(v.Type(), "MarshalWire", ErrShape, err)
		}
		*out = w
		return nil
	case gotype.StreamMethod:
		text, err := json.Marshal(v.Interface())
		if failed, ok := err.(*json.MarshalerError); ok {
			err = failed.Err
		}
		return c.fromText(text, err, v.Type(), "MarshalJSONTo", out)
	case gotype.JSONMethod:
		i, _ := reflect.TypeAssert[json.Marshaler](v)
		text, err := i.MarshalJSON()
		return c.fromText(text, err, v.Type(), "MarshalJSON", out)
	}
	text, err := c.callText(m, v)
	if err == nil {
		*out = String(c.cloneText(text))
	}
	return err
}

// fromText converts the JSON text that a method returned.
func (c *fromGo) fromText(text []byte, err error, t reflect.Type, method string, out *Value) error {
	if err != nil {
		return methodError(t, method, ErrShape, err)
	}
	w, err := c.parse(text)
	if err != nil {
		return methodError(t, method, ErrSyntax, err)
	}
	*out = w
	return nil
}

// callText returns the text that v's method gives it, valid until the next call.
func (c *fromGo) callText(m gotype.Method, v reflect.Value) ([]byte, error) {
	if m == gotype.AppendMethod {
		i, _ := reflect.TypeAssert[encoding.TextAppender](v)
		text, err := i.AppendText(c.text[:0])
		if err != nil {
			return nil, methodError(v.Type(), "AppendText", ErrShape, err)
		}
		c.text = text
		return text, nil
	}
	i, _ := reflect.TypeAssert[encoding.TextMarshaler](v)
	text, err := i.MarshalText()
	if err != nil {
		return nil, methodError(v.Type(), "MarshalText", ErrShape, err)
	}
	return text, nil
}

// parse parses JSON text, numbers and plain strings in the document's slabs.
func (c *fromGo) parse(text []byte) (Value, error) {
	if n := scan.Number(text); n > 0 && n == len(text) {
		return numberText(c.cloneText(text)), nil
	}
	if n := len(text) - 1; n > 0 && text[0] == '"' && text[n] == '"' {
		if end, _ := scan.TextEnd(text, 1); end == n && utf8.Valid(text) {
			return String(c.cloneText(text[1:end])), nil
		}
	}
	return ParseJSON(text)
}
