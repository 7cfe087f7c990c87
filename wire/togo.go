package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// ToGo stores v in what dst, a non-nil pointer, points to. It follows
// json.Unmarshal: members find struct fields by name, else by a name that
// differs in case only; unknown members are ignored; null makes pointers,
// interfaces, maps and slices nil and leaves everything else as it is; maps
// keep the entries they have; array elements without a counterpart become
// zero. The differences are:
//
//   - A field's wire tag, in the same syntax, replaces its json tag.
//   - A [Value] takes any value; a type with the method UnmarshalWire(Value) error is
//     asked first, null included. The value may be kept.
//   - A []byte takes bytes or a base64 string, a time.Time a time or an RFC
//     3339 string. Other targets get bytes and times as such strings.
//   - Integers take every spelling of a whole number: 1e3 and 1.0 are.
//   - An empty interface gets a number as float64 if no digit is lost, else as
//     json.Number: a 64-bit id stays what it was; [Options] can make it one
//     type. Bytes arrive as []byte and times as time.Time; nil, bool, string, []any and map[string]any as usual.
//   - A slice's elements are zero before they are stored, also those in
//     memory that the slice had already.
//   - What [Unmarshal] and a [Decoder] read from CSV, YAML and GCX, whose texts do not
//     tell a string from a number, goes into strings, and types with UnmarshalText, by
//     its spelling: the cell 10115 into a string is "10115", and 1.10 is "1.10". A
//     time.Time takes a date there.
//   - From CSV, whose quotation marks say nothing of types in the tables of most programs,
//     numbers and bools take a string that spells one: a number in decimal digits, perhaps
//     with blanks around it, a + or zeros before it, and what [strconv.ParseBool] takes for
//     a bool. An empty string makes a pointer to a number, bool or time nil.
//   - As in [FromGo], the Go release decides whether UnmarshalJSONFrom and the tag option
//     embed mean something.
//   - The option "string" has no effect on types that convert themselves.
//   - The first error ends the conversion.
//
// Errors are [*Error] with Format "wire" and a path. They wrap [ErrRange] for
// numbers that the Go type cannot hold, [ErrType] for values of a kind that it cannot
// and strings that do not spell what it wants, [ErrLimit] for nesting deeper than
// 10,000 levels, and what a method of the target returned. After an error, what precedes the fault in v has been
// stored and nothing else, except that pointers, slices and maps on the way to
// it have been made.
//
// Strings share v's memory, which may be one copy of a whole document, and short
// slices, what pointers point to and strings and numbers in empty interfaces share
// pieces of up to 4 KiB: to keep a few
// of them for long, convert v.Clone() or copy them. ToGo is safe for concurrent
// use with different targets.
func ToGo(v Value, dst any) error { return Options{}.ToGo(v, dst) }

// An origin says what a Value is from.
type origin struct {
	room    int  // bytes that empty interfaces and maps may take
	untyped bool // the text has no types: strings take scalars by their spelling
	cells   bool // and numbers and bools take strings by what they spell
	reused  bool // its memory is reused, but for the texts
}

// toGo is ToGo for a Value from there.
func (o Options) toGo(v Value, dst any, from origin) error {
	switch p := dst.(type) {
	case *Value:
		if p != nil {
			*p = from.kept(&v)
			return nil
		}
	case nil:
		return goError(codeInvalidTarget, ErrType, "the target is nil; it must be a pointer")
	}
	r := reflect.ValueOf(dst)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return goError(codeInvalidTarget, ErrType, "the target is of type %v; it must be a pointer that is not nil", r.Type())
	}
	d := new(toGo)
	if err := d.begin(o, from); err != nil {
		return err
	}
	return d.store(d.plans.toPlan(r.Type().Elem(), false), v, r)
}

// begin makes d ready for Values from there.
func (d *toGo) begin(o Options, from origin) error {
	*d = toGo{plans: o.Marshalers.all(), options: o, origin: from, tally: tally{most: from.room}}
	return o.check()
}

// store stores a Value by the plan of the variable that p points to. What it makes may share
// memory with what the last one got.
func (d *toGo) store(plan *toPlan, v Value, p reflect.Value) error {
	d.root, d.depth = v, 0
	return plan.store(d, &d.root, p.UnsafePointer())
}

// toGo is the state of one conversion.
type toGo struct {
	root    Value
	plans   *plans
	options Options
	origin
	depth  int
	text   []byte // scratch for the text that methods get
	memory gotype.Slabs
	tally
}

// target stores v in the variable at p, a level deeper, by the plan of that.
func (d *toGo) target(plan *toPlan, v *Value, p gotype.Ptr) error {
	if err := d.enter(); err != nil {
		return err
	}
	err := plan.store(d, v, p)
	d.depth--
	return err
}

// enter is called where the conversion goes one level deeper in the value or
// the type; who called it takes one from depth where no error ended it.
func (d *toGo) enter() error {
	if d.depth++; d.depth > bound.MostDepth {
		return goError(CodeTooDeep, ErrLimit, "values or pointers nest deeper than the limit of %d", bound.MostDepth)
	}
	return nil
}

// kept returns a Value that the target may keep.
func (o origin) kept(v *Value) Value {
	if !o.reused || v.kind < KindArray {
		return *v
	}
	slots := make([]Value, v.num, v.num+1)
	for i := range slots {
		slots[i] = o.kept(&v.children()[i])
	}
	if v.kind == KindObject {
		return objectOf(v.keys(), append(slots, keysValue(v.keys())))
	}
	return Array(slots...)
}

// codeInvalidTarget is the code of what is wrong with the pointer, whatever the value is.
const codeInvalidTarget = "invalid_target"

// mismatch is the error for a value of a kind that type t does not hold.
func mismatch(v *Value, t reflect.Type) error {
	return goError(CodeTypeMismatch, ErrType, "a value of kind %v does not go into a Go value of type %v", v.kind, t)
}

// unlessNull is mismatch for what null leaves as it is.
func unlessNull(v *Value, t reflect.Type) error {
	if v.kind == KindNull {
		return nil
	}
	return mismatch(v, t)
}

// outOfRange is the error for a number that type t does not hold.
func outOfRange(v *Value, t reflect.Type) error {
	return goError(CodeNumberRange, ErrRange, "number %.40s does not go into a Go value of type %s", v.Text(), t)
}

// misspelled is the error for a string that does not spell what type t wants.
func misspelled(v *Value, t reflect.Type, what string) error {
	return goError(codeInvalidString, ErrType, "string %.40q is not %s, which a Go value of type %s takes", v.Text(), what, t)
}

// spelling returns the text of a number or bool for a string, if the text that v was read
// from does not tell them apart.
func (d *toGo) spelling(v *Value) (string, bool) {
	switch {
	case !d.untyped || v.nsec == respelled:
		return "", false
	case v.kind == KindNumber:
		return v.spelling(), true // a decoder makes an integer of its shortest text only
	case v.kind == KindBool:
		return strconv.FormatBool(v.num != 0), true
	}
	return "", false
}

// spelled returns the number or bool that v, a string or number in a cell, spells for a
// variable with that op; else v.
func (d *toGo) spelled(v *Value, op gotype.Op) *Value {
	if !d.cells || v.kind != KindString && (v.kind != KindNumber || op != gotype.Bool) {
		return v
	}
	text := strings.Trim(v.Text(), " \t")
	if op == gotype.Bool {
		if b, err := strconv.ParseBool(text); err == nil {
			is := Bool(b)
			return &is
		}
		return v
	}
	text, _ = scan.Respell(text)
	if n, err := Number(text); err == nil {
		return &n
	}
	return v
}

// isNumeric reports whether a variable with that op takes what a cell spells.
func isNumeric(op gotype.Op) bool {
	switch op {
	case gotype.Bool, gotype.Float64, gotype.Float32, gotype.Number:
		return true
	}
	return op.IsInt() || op.IsUint()
}

// originOf is that of the texts of a codec.
func originOf(c Codec, room int) origin {
	d := describe(c)
	return origin{room: room, untyped: d.Untyped, cells: d.Cells}
}

// nearestFloat returns the float64 nearest to a number, and whether it is
// finite. Whether digits are lost does not matter: a caller with a float64
// accepts its precision.
func (v *Value) nearestFloat() (float64, bool) {
	if v.form != formText {
		f, _ := v.Float64()
		return f, true
	}
	return decimal.ParseFloat(v.str())
}

// call gives v to the method of what p points to.
func (d *toGo) call(m gotype.Method, v *Value, p reflect.Value) (err error) {
	name, target := "UnmarshalText", p.Interface()
	switch m {
	case gotype.OwnMethod:
		name, err = "UnmarshalWire", target.(valueUnmarshaler).UnmarshalWire(d.kept(v))
	case gotype.StreamMethod:
		d.text = AppendJSON(d.text[:0], *v)
		name, err = "UnmarshalJSONFrom", json.Unmarshal(d.text, target)
	case gotype.JSONMethod:
		d.text = AppendJSON(d.text[:0], *v)
		name, err = "UnmarshalJSON", target.(json.Unmarshaler).UnmarshalJSON(d.text)
	default:
		switch spelling, ok := d.spelling(v); {
		case ok:
			d.text = append(d.text[:0], spelling...)
		case v.kind == KindString, v.kind == KindBytes, v.kind == KindTime:
			d.text = v.appendText(d.text[:0])
		default:
			return mismatch(v, p.Type().Elem())
		}
		err = target.(encoding.TextUnmarshaler).UnmarshalText(d.text)
	}
	if err != nil {
		return methodError(p.Type(), name, ErrType, err)
	}
	return nil
}

// unexported is the error for an embedded nil pointer to an unexported struct,
// which encoding/json does not set either.
func unexported(t reflect.Type) error {
	return goError("unexported_field", ErrType, "an embedded pointer of the unexported type %v is nil and cannot be set", t)
}

// any returns what an empty interface holds for v.
func (d *toGo) any(v *Value) (any, error) {
	switch v.kind {
	case KindNull:
		return nil, nil
	case KindBool:
		return v.num != 0, nil
	case KindNumber:
		return d.number(v)
	case KindString:
		return d.boxes.String(v.str()), nil
	case KindBytes:
		return v.Bytes(), nil
	case KindTime:
		return v.Time(), nil
	case kindGo:
		return v.held(), nil
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	if v.kind == KindArray {
		list, err := d.anyList(v.children())
		d.depth--
		return list, err
	}
	m, err := d.anyMap(v.keys(), v.children())
	d.depth--
	return m, err
}

func (d *toGo) anyList(elements []Value) ([]any, error) {
	if err := d.addList(len(elements)); err != nil {
		return nil, err
	}
	list := make([]any, len(elements))
	for i := range elements {
		e, err := d.any(&elements[i])
		if err != nil {
			return nil, AtIndex(err, i)
		}
		list[i] = e
	}
	return list, nil
}

func (d *toGo) anyMap(keys *Keys, members []Value) (map[string]any, error) {
	if err := d.addMap(len(members)); err != nil {
		return nil, err
	}
	m := make(map[string]any, len(members))
	for i, name := range keys.names {
		e, err := d.any(&members[i])
		if err != nil {
			return nil, AtKey(err, name)
		}
		m[name] = e
	}
	return m, nil
}
