package wire

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/scan"
)

// ToGo stores v in what dst, a non-nil pointer, points to. It follows
// json.Unmarshal: members find struct fields by name, else by a name that
// differs in case only; unknown members are ignored; null makes pointers,
// interfaces, maps and slices nil and leaves everything else as it is; maps
// keep the entries they have; array elements without a counterpart become
// zero. The differences are:
//
//   - A field's wire tag, in the same syntax, replaces its json tag.
//   - A [Value] takes any value; a [ValueUnmarshaler] is asked first.
//   - A []byte takes bytes or a base64 string, a time.Time a time or an RFC
//     3339 string. Other targets get bytes and times as such strings.
//   - Integers take every spelling of a whole number: 1e3 and 1.0 are.
//   - An empty interface gets a number as float64 if no digit is lost, else as
//     json.Number: a 64-bit id stays what it was. Bytes arrive as []byte and
//     times as time.Time; nil, bool, string, []any and map[string]any as usual.
//   - A slice's elements are zero before they are stored, also those in
//     memory that the slice had already.
//   - The option "string" has no effect on types that convert themselves.
//   - The first error ends the conversion.
//
// Errors are [*Error] with Format "wire" and a path. They wrap [ErrRange] for
// numbers that the Go type cannot hold, [ErrShape] for values of a kind that
// it cannot, [ErrSyntax] for strings that do not spell what it wants,
// [ErrLimit] for nesting deeper than [MaxDepth], and what a method of the
// target returned. After an error, what precedes the fault in v has been
// stored and nothing else, except that pointers, slices and maps on the way to
// it have been made.
//
// Strings share v's memory, which may be one copy of a whole document: to keep
// a few of them for long, convert v.Clone(). ToGo is safe for concurrent use
// with different targets.
func ToGo(v Value, dst any) error {
	switch p := dst.(type) {
	case *Value:
		if p != nil {
			*p = v
			return nil
		}
	case nil:
		return &Error{Format: goFormat, Code: "invalid_target", Kind: ErrShape, Message: "the target is nil; it must be a pointer"}
	}
	r := reflect.ValueOf(dst)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return &Error{Format: goFormat, Code: "invalid_target", Kind: ErrShape,
			Message: "the target is of type " + r.Type().String() + "; it must be a pointer that is not nil"}
	}
	var d toGo
	return typeOf(r.Type().Elem()).store(&d, &v, r.Elem())
}

// toGo is the state of one conversion.
type toGo struct {
	depth int
	text  []byte // scratch for the text that methods get

	// The fields that the members of objects with these keys mean, for the
	// struct seen last and for all.
	last   shapeOf
	fields []*goField
	shapes map[shapeOf][]*goField
}

type shapeOf struct {
	s    *goStruct
	keys *Keys
}

// maxFieldLists bounds the lists that toGo keeps; documents have few shapes,
// hostile ones may have as many as objects.
const maxFieldLists = 256

type toFunc func(d *toGo, v *Value, dst reflect.Value) error

// store stores v in dst, which is of type g.
func (g *goType) store(d *toGo, v *Value, dst reflect.Value) error {
	g.toOnce.Do(func() { g.toFunc = newToFunc(g.t) })
	return g.toFunc(d, v, dst)
}

// enter is called where the conversion goes one level deeper in the value or
// the type; who called it takes one from depth where no error ended it.
func (d *toGo) enter() error {
	if d.depth++; d.depth > MaxDepth {
		return &Error{Format: goFormat, Code: "too_deep", Kind: ErrLimit,
			Message: "values or pointers nest deeper than the limit of " + strconv.Itoa(MaxDepth)}
	}
	return nil
}

// mismatch is the error for a value of a kind that type t does not hold.
func mismatch(v *Value, t reflect.Type) error {
	return &Error{Format: goFormat, Code: "type_mismatch", Kind: ErrShape,
		Message: "a value of kind " + v.kind.String() + " does not go into a Go value of type " + t.String()}
}

// outOfRange is the error for a number that type t does not hold.
func outOfRange(v *Value, t reflect.Type) error {
	return &Error{Format: goFormat, Code: "number_out_of_range", Kind: ErrRange,
		Message: fmt.Sprintf("number %.40s does not go into a Go value of type %s", v.NumberText(), t)}
}

// misspelled is the error for a string that does not spell what type t wants.
func misspelled(v *Value, t reflect.Type, what string) error {
	return &Error{Format: goFormat, Code: "invalid_string", Kind: ErrSyntax,
		Message: fmt.Sprintf("string %.40q is not %s, which a Go value of type %s takes", v.Text(), what, t)}
}

// newToFunc returns the conversion to type t.
func newToFunc(t reflect.Type) toFunc {
	switch t {
	case valueType:
		return func(_ *toGo, v *Value, dst reflect.Value) error {
			*dst.Addr().Interface().(*Value) = *v
			return nil
		}
	case timeType:
		return toTime
	}
	plain := newPlainToFunc(t)
	m := unmarshalMethod(t)
	if m == methodNone {
		return plain
	}
	return func(d *toGo, v *Value, dst reflect.Value) error {
		if !dst.CanInterface() || m == methodText && v.kind == KindNull {
			return plain(d, v, dst)
		}
		return d.call(m, v, dst.Addr())
	}
}

func newPlainToFunc(t reflect.Type) toFunc {
	switch t.Kind() {
	case reflect.Float32:
		return toFloat32
	case reflect.Interface:
		return toInterface
	case reflect.Pointer:
		return toPointer(t)
	case reflect.Struct:
		return toStruct(typeOf(t))
	case reflect.Slice:
		return toSlice(t)
	case reflect.Array:
		return toArray(t)
	case reflect.Map:
		return toMap(t)
	}
	if t == numberType {
		return toNumber
	}
	kind := scalarOf(t)
	bits := uint(0)
	if kind == scalarInt || kind == scalarUint {
		bits = uint(t.Bits())
	}
	return func(_ *toGo, v *Value, dst reflect.Value) error {
		if storeScalar(kind, bits, v, dst) || v.kind == KindNull {
			return nil
		}
		return scalarError(kind, v, t)
	}
}

// storeScalar stores the plain cases: a value of the kind that the type holds,
// in its range.
func storeScalar(kind scalar, bits uint, v *Value, dst reflect.Value) bool {
	switch kind {
	case scalarString:
		switch v.kind {
		case KindString:
			dst.SetString(v.str())
			return true
		case KindBytes, KindTime:
			dst.SetString(string(v.AppendText(nil)))
			return true
		}
	case scalarInt:
		n, ok := v.Int64()
		// An int64 that shifting cuts is outside the smaller type's range.
		if ok = ok && n<<(64-bits)>>(64-bits) == n; ok {
			dst.SetInt(n)
		}
		return ok
	case scalarUint:
		n, ok := v.Uint64()
		if ok = ok && n<<(64-bits)>>(64-bits) == n; ok {
			dst.SetUint(n)
		}
		return ok
	case scalarFloat:
		if v.kind == KindNumber {
			f, ok := v.nearestFloat()
			if ok {
				dst.SetFloat(f)
			}
			return ok
		}
	case scalarBool:
		if v.kind == KindBool {
			dst.SetBool(v.num != 0)
			return true
		}
	}
	return false
}

// nearestFloat returns the float64 nearest to a number, and whether it is
// finite. Whether digits are lost does not matter: who wants a float64 takes
// its precision.
func (v *Value) nearestFloat() (float64, bool) {
	if v.form != formText {
		f, _ := v.Float64()
		return f, true
	}
	return decimal.ParseFloat(v.str())
}

func scalarError(kind scalar, v *Value, t reflect.Type) error {
	if v.kind == KindNumber && (kind == scalarInt || kind == scalarUint || kind == scalarFloat) {
		return outOfRange(v, t)
	}
	return mismatch(v, t)
}

func toFloat32(_ *toGo, v *Value, dst reflect.Value) error {
	switch v.kind {
	case KindNull:
		return nil
	case KindNumber:
	default:
		return mismatch(v, dst.Type())
	}
	if v.form == formFloat {
		if f := math.Float64frombits(v.num); float64(float32(f)) == f {
			dst.SetFloat(f)
			return nil
		}
	}
	// From the text: rounding twice, by way of float64, can err.
	f, err := strconv.ParseFloat(v.NumberText(), 32)
	if err != nil {
		return outOfRange(v, dst.Type())
	}
	dst.SetFloat(f)
	return nil
}

func toNumber(_ *toGo, v *Value, dst reflect.Value) error {
	switch v.kind {
	case KindNull:
		return nil
	case KindNumber:
		dst.SetString(v.NumberText())
		return nil
	case KindString:
		if n := scan.Number(v.str()); n == 0 || n != len(v.str()) {
			return misspelled(v, dst.Type(), "a number")
		}
		dst.SetString(v.str())
		return nil
	}
	return mismatch(v, dst.Type())
}

func toTime(_ *toGo, v *Value, dst reflect.Value) error {
	p := dst.Addr().Interface().(*time.Time)
	switch v.kind {
	case KindNull:
	case KindTime:
		*p = v.Time()
	case KindString:
		var t time.Time
		if err := t.UnmarshalText([]byte(v.str())); err != nil {
			return misspelled(v, timeType, "a time in RFC 3339")
		}
		*p = t
	default:
		return mismatch(v, timeType)
	}
	return nil
}

// call gives v to the method of what p points to.
func (d *toGo) call(m method, v *Value, p reflect.Value) error {
	switch m {
	case methodWire:
		if err := p.Interface().(ValueUnmarshaler).UnmarshalWire(*v); err != nil {
			return methodError(p.Type(), "UnmarshalWire", ErrShape, err)
		}
		return nil
	case methodJSON:
		d.text = AppendJSON(d.text[:0], *v)
		if err := p.Interface().(json.Unmarshaler).UnmarshalJSON(d.text); err != nil {
			return methodError(p.Type(), "UnmarshalJSON", ErrShape, err)
		}
		return nil
	}
	switch v.kind {
	case KindString, KindBytes, KindTime:
	default:
		return mismatch(v, p.Type().Elem())
	}
	d.text = v.AppendText(d.text[:0])
	if err := p.Interface().(encoding.TextUnmarshaler).UnmarshalText(d.text); err != nil {
		return methodError(p.Type(), "UnmarshalText", ErrShape, err)
	}
	return nil
}

func toPointer(t reflect.Type) toFunc {
	elem := typeOf(t.Elem())
	return func(d *toGo, v *Value, dst reflect.Value) error {
		if v.kind == KindNull && dst.CanSet() {
			dst.SetZero()
			return nil
		}
		if dst.IsNil() {
			if !dst.CanSet() {
				return unexported(t)
			}
			dst.Set(reflect.New(t.Elem()))
		}
		if err := d.enter(); err != nil {
			return err
		}
		err := elem.store(d, v, dst.Elem())
		d.depth--
		return err
	}
}

// unexported is the error for an embedded nil pointer to an unexported struct,
// which reflection cannot set.
func unexported(t reflect.Type) error {
	return &Error{Format: goFormat, Code: "unexported_field", Kind: ErrShape,
		Message: "an embedded pointer of the unexported type " + t.String() + " is nil and cannot be set"}
}

// toInterface stores in the variable that a pointer in the interface points
// to, else, if every type implements the interface, the value itself.
func toInterface(d *toGo, v *Value, dst reflect.Value) error {
	if e := dst.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && (v.kind != KindNull || e.Elem().Kind() == reflect.Pointer) {
		if err := d.enter(); err != nil {
			return err
		}
		err := typeOf(e.Type().Elem()).store(d, v, e.Elem())
		d.depth--
		return err
	}
	switch {
	case v.kind == KindNull:
		dst.SetZero()
	case dst.NumMethod() > 0:
		return mismatch(v, dst.Type())
	default:
		a, err := d.any(v)
		if err != nil {
			return err
		}
		dst.Set(reflect.ValueOf(a))
	}
	return nil
}

// any returns what an empty interface holds for v.
func (d *toGo) any(v *Value) (any, error) {
	switch v.kind {
	case KindNull:
		return nil, nil
	case KindBool:
		return v.num != 0, nil
	case KindNumber:
		if f, ok := v.Float64(); ok {
			return f, nil
		}
		return json.Number(v.NumberText()), nil
	case KindString:
		return v.str(), nil
	case KindBytes:
		return v.Bytes(), nil
	case KindTime:
		return v.Time(), nil
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	children := v.children()
	if v.kind == KindArray {
		list := make([]any, len(children))
		for i := range children {
			e, err := d.any(&children[i])
			if err != nil {
				return nil, AtIndex(err, i)
			}
			list[i] = e
		}
		d.depth--
		return list, nil
	}
	m := make(map[string]any, len(children))
	for i, name := range v.keys().names {
		e, err := d.any(&children[i])
		if err != nil {
			return nil, AtKey(err, name)
		}
		m[name] = e
	}
	d.depth--
	return m, nil
}

func toStruct(g *goType) toFunc {
	s := g.structure()
	return func(d *toGo, v *Value, dst reflect.Value) error {
		switch v.kind {
		case KindNull:
			return nil
		case KindObject:
			return d.object(s, v, dst)
		}
		return mismatch(v, g.t)
	}
}

// fieldsOf returns, by position, the fields that the keys of an object mean;
// nil for those that mean none.
func (d *toGo) fieldsOf(s *goStruct, keys *Keys) []*goField {
	shape := shapeOf{s, keys}
	if d.last == shape {
		return d.fields
	}
	fields, ok := d.shapes[shape]
	if !ok {
		fields = make([]*goField, len(keys.names))
		for i, name := range keys.names {
			fields[i] = s.field(name)
		}
		if d.shapes == nil {
			d.shapes = make(map[shapeOf][]*goField)
		}
		if len(d.shapes) < maxFieldLists {
			d.shapes[shape] = fields
		}
	}
	d.last, d.fields = shape, fields
	return fields
}

func (d *toGo) object(s *goStruct, v *Value, dst reflect.Value) error {
	if err := d.enter(); err != nil {
		return err
	}
	children := v.children()
	for i, f := range d.fieldsOf(s, v.keys()) {
		if f == nil {
			continue
		}
		fv := dst.Field(f.first)
		if f.deep {
			var err error
			if fv, err = f.reach(fv); err != nil {
				return AtKey(err, v.keys().names[i])
			}
		}
		e := &children[i]
		if f.to == scalarString && e.kind == KindString {
			fv.SetString(e.str())
			continue
		}
		if f.to != notScalar && storeScalar(f.to, f.bits, e, fv) {
			continue
		}
		if err := d.member(f, e, fv); err != nil {
			return AtKey(err, v.keys().names[i])
		}
	}
	d.depth--
	return nil
}

// reach goes from the outermost field on the path to the field itself and
// makes the embedded structs that pointers on the way have not yet.
func (f *goField) reach(v reflect.Value) (reflect.Value, error) {
	for _, i := range f.path[1:] {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return v, unexported(v.Type())
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, nil
}

// member stores v in a field.
func (d *toGo) member(f *goField, v *Value, dst reflect.Value) error {
	if !f.unquote || v.kind == KindNull {
		return f.typ.store(d, v, dst)
	}
	// The option "string": the string's text is the JSON text of the value.
	if v.kind != KindString {
		return mismatch(v, dst.Type())
	}
	inner, err := ParseJSON([]byte(v.str()))
	if err != nil || inner.kind >= KindArray || strings.Trim(v.str(), " \t\r\n") != v.str() {
		return misspelled(v, dst.Type(), "the JSON text of a scalar")
	}
	return f.typ.store(d, &inner, dst)
}

func toSlice(t reflect.Type) toFunc {
	elem := typeOf(t.Elem())
	isBytes := elem.t.Kind() == reflect.Uint8
	return func(d *toGo, v *Value, dst reflect.Value) error {
		switch {
		case v.kind == KindNull:
			dst.SetZero()
			return nil
		case v.kind == KindArray:
			return d.elements(elem, v, resized(dst, v.Len()))
		case isBytes && v.kind == KindBytes:
			dst.SetBytes(v.Bytes())
			return nil
		case isBytes && v.kind == KindString:
			b, err := base64.StdEncoding.DecodeString(v.str())
			if err != nil {
				return misspelled(v, t, "base64")
			}
			dst.SetBytes(b)
			return nil
		}
		return mismatch(v, t)
	}
}

// resized makes dst a slice of n zero elements, in its own memory if that is
// large enough.
func resized(dst reflect.Value, n int) reflect.Value {
	if n == 0 || n > dst.Cap() {
		dst.Set(reflect.MakeSlice(dst.Type(), n, n))
		return dst
	}
	dst.SetLen(n)
	dst.Clear()
	return dst
}

// elements stores the elements of v in as many of dst.
func (d *toGo) elements(elem *goType, v *Value, dst reflect.Value) error {
	if err := d.enter(); err != nil {
		return err
	}
	children := v.children()
	bits := uint(0)
	if elem.to == scalarInt || elem.to == scalarUint {
		bits = uint(elem.t.Bits())
	}
	for i := range children {
		e := dst.Index(i)
		if elem.to != notScalar && storeScalar(elem.to, bits, &children[i], e) {
			continue
		}
		if err := elem.store(d, &children[i], e); err != nil {
			return AtIndex(err, i)
		}
	}
	d.depth--
	return nil
}

// toArray ignores the elements that an array has no room for.
func toArray(t reflect.Type) toFunc {
	elem := typeOf(t.Elem())
	return func(d *toGo, v *Value, dst reflect.Value) error {
		switch v.kind {
		case KindNull:
			return nil
		case KindArray:
		default:
			return mismatch(v, t)
		}
		room := *v
		room.num = min(room.num, uint64(t.Len()))
		if err := d.elements(elem, &room, dst); err != nil {
			return err
		}
		for i := int(room.num); i < t.Len(); i++ {
			dst.Index(i).SetZero()
		}
		return nil
	}
}

func toMap(t reflect.Type) toFunc {
	elem := typeOf(t.Elem())
	setKey := newSetKey(t.Key())
	return func(d *toGo, v *Value, dst reflect.Value) error {
		switch {
		case v.kind == KindNull:
			dst.SetZero()
			return nil
		case v.kind != KindObject || setKey == nil:
			return mismatch(v, t)
		}
		if err := d.enter(); err != nil {
			return err
		}
		children := v.children()
		if dst.IsNil() {
			dst.Set(reflect.MakeMapWithSize(t, len(children)))
		}
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		for i, name := range v.keys().names {
			key.SetZero()
			value.SetZero()
			if err := elem.store(d, &children[i], value); err != nil {
				return AtKey(err, name)
			}
			if err := setKey(name, key); err != nil {
				return AtKey(err, name)
			}
			dst.SetMapIndex(key, value)
		}
		d.depth--
		return nil
	}
}

// newSetKey returns the conversion of an object's key to a map's key of type
// t, nil if there is none.
func newSetKey(t reflect.Type) func(name string, key reflect.Value) error {
	if reflect.PointerTo(t).Implements(unmarshalers[methodText]) {
		return func(name string, key reflect.Value) error {
			err := key.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name))
			if err != nil {
				return methodError(t, "UnmarshalText", ErrShape, err)
			}
			return nil
		}
	}
	switch kind := scalarOf(t); {
	case t.Kind() == reflect.String:
		return func(name string, key reflect.Value) error {
			key.SetString(name)
			return nil
		}
	case kind == scalarInt:
		return func(name string, key reflect.Value) error {
			n, err := strconv.ParseInt(name, 10, t.Bits())
			if err != nil {
				return invalidKey(name, t, err)
			}
			key.SetInt(n)
			return nil
		}
	case kind == scalarUint:
		return func(name string, key reflect.Value) error {
			n, err := strconv.ParseUint(name, 10, t.Bits())
			if err != nil {
				return invalidKey(name, t, err)
			}
			key.SetUint(n)
			return nil
		}
	}
	return nil
}

// invalidKey turns an error of strconv, which says ErrRange or ErrSyntax, into
// one of this package.
func invalidKey(name string, t reflect.Type, err error) error {
	e := &Error{Format: goFormat, Code: "invalid_key", Kind: ErrSyntax,
		Message: fmt.Sprintf("key %.40q is not a map key of type %s", name, t)}
	if ne, ok := err.(*strconv.NumError); ok && ne.Err == strconv.ErrRange {
		e.Kind = ErrRange
	}
	return e
}
