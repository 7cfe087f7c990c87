package wire

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/scan"
)

// FromGo converts a Go value by the rules of encoding/json, with these
// differences:
//
//   - A field's wire tag, in the same syntax, replaces its json tag.
//   - A [Value] stands for itself; a [ValueMarshaler] is asked first.
//   - A []byte becomes bytes and a time.Time a time, not strings.
//   - Numbers that a json.Marshaler or json.Number spells keep their spelling.
//   - Strings are taken as they are; codecs refuse those that are not UTF-8.
//   - Two keys of a map with the same text are an error.
//
// Struct fields keep their order, the keys of maps are sorted. Nil pointers,
// interfaces, slices and maps are null.
//
// Errors are [*Error] with Format "wire" and a path. They wrap [ErrRange] for
// NaN, infinities and years outside 0 to 9999, [ErrShape] for channels,
// functions, complex numbers and keys of other types, [ErrLimit] for nesting
// deeper than [MaxDepth], as that of a cycle, and for more than
// [DefaultValues] values, and what a method of the value returned.
//
// The value shares the memory of v's strings, which are immutable, and of
// nothing else. FromGo is safe for concurrent use as long as nobody changes v.
func FromGo(v any) (Value, error) {
	var c fromGo
	return c.any(v)
}

// fromGo is the state of one conversion.
type fromGo struct {
	Builder
	depth   int // of pointers, interfaces, slices and maps around the value
	values  int // of arrays and objects so far
	names   []string
	entries []mapEntry
	present []int // of structs being converted: the fields that take part
	// mapKeys remembers, by length, the keys of the last map[string]any: the
	// next one mostly has the same.
	mapKeys [16]*Keys
}

type mapEntry struct {
	key   string
	value Value
}

type fromFunc func(c *fromGo, v reflect.Value) (Value, error)

// convert converts v, which is of type g.
func (g *goType) convert(c *fromGo, v reflect.Value) (Value, error) {
	g.fromOnce.Do(func() { g.fromFunc = newFromFunc(g.t) })
	return g.fromFunc(c, v)
}

// enter is called where a value leads to others through a reference, the only
// way to a cycle. Who called it takes one from depth where no error ended the
// conversion.
func (c *fromGo) enter() error {
	if c.depth++; c.depth > MaxDepth {
		return &Error{Format: goFormat, Code: "too_deep", Kind: ErrLimit,
			Message: "values nest deeper than the limit of " + strconv.Itoa(MaxDepth), Hint: "is there a cycle of pointers?"}
	}
	return nil
}

// count adds the children of an array or object to the number of values.
func (c *fromGo) count(n int) error {
	if n > DefaultValues-c.values {
		return &Error{Format: goFormat, Code: "too_many_values", Kind: ErrLimit,
			Message: "more than " + strconv.Itoa(DefaultValues) + " values"}
	}
	c.values += n
	return nil
}

// any converts the types that data without a schema is made of without
// reflection, and every other with it.
func (c *fromGo) any(v any) (Value, error) {
	switch v := v.(type) {
	case nil:
		return Value{}, nil
	case string:
		return String(v), nil
	case bool:
		return Bool(v), nil
	case int:
		return Int(int64(v)), nil
	case int64:
		return Int(v), nil
	case float64:
		return fromFloat(v)
	case json.Number:
		return fromNumber(string(v))
	case Value:
		return v, nil
	case []any:
		return c.anySlice(v)
	case map[string]any:
		return c.anyMap(v)
	}
	r := reflect.ValueOf(v)
	return typeOf(r.Type()).convert(c, r)
}

func (c *fromGo) anySlice(s []any) (Value, error) {
	if s == nil {
		return Value{}, nil
	}
	if len(s) == 0 {
		return Array(), nil
	}
	if err := c.enter(); err != nil {
		return Value{}, err
	}
	if err := c.count(len(s)); err != nil {
		return Value{}, err
	}
	slots := c.take(len(s))
	for i, e := range s {
		v, err := c.any(e)
		if err != nil {
			return Value{}, AtIndex(err, i)
		}
		slots[i] = v
	}
	c.depth--
	return childrenValue(KindArray, &slots[0], len(s)), nil
}

func (c *fromGo) anyMap(m map[string]any) (Value, error) {
	if m == nil {
		return Value{}, nil
	}
	if err := c.enter(); err != nil {
		return Value{}, err
	}
	if err := c.count(len(m)); err != nil {
		return Value{}, err
	}
	keys := c.keysOf(m)
	slots := c.take(len(m) + 1)
	for i, name := range keys.names {
		v, err := c.any(m[name])
		if err != nil {
			return Value{}, AtKey(err, name)
		}
		slots[i] = v
	}
	slots[len(m)] = keysValue(keys)
	c.depth--
	return objectOf(keys, slots), nil
}

// keysOf returns the sorted keys of m.
func (c *fromGo) keysOf(m map[string]any) *Keys {
	last := &c.mapKeys[len(m)%len(c.mapKeys)]
	if *last != nil && hasKeys(m, *last) {
		return *last
	}
	c.names = c.names[:0]
	for name := range m {
		c.names = append(c.names, name)
	}
	slices.Sort(c.names)
	*last = c.shared(c.names)
	return *last
}

func hasKeys(m map[string]any, keys *Keys) bool {
	if len(m) != len(keys.names) {
		return false
	}
	for _, name := range keys.names {
		if _, ok := m[name]; !ok {
			return false
		}
	}
	return true
}

// maxSharedKeys is the number of keys up to which maps share their key lists
// through the Builder's shapes; larger ones are rarely alike.
const maxSharedKeys = 64

// shared returns the key list of distinct names.
func (c *fromGo) shared(names []string) *Keys {
	if len(names) > maxSharedKeys {
		return &Keys{names: slices.Clone(names)}
	}
	o := c.Object()
	for _, name := range names {
		c.Key(&o, name)
	}
	return o.keys()
}

// newFromFunc returns the conversion of values of type t.
func newFromFunc(t reflect.Type) fromFunc {
	switch t {
	case valueType:
		return fromValue
	case timeType:
		return fromTime
	}
	plain := newPlainFromFunc(t)
	byValue, byAddress := marshalMethod(t, false), marshalMethod(t, true)
	if byAddress == methodNone {
		return plain
	}
	return func(c *fromGo, v reflect.Value) (Value, error) {
		switch {
		case !v.CanInterface(): // a tagged embedded struct of an unexported type
			return plain(c, v)
		case v.CanAddr():
			return c.call(byAddress, v.Addr())
		case byValue == methodNone:
			return plain(c, v)
		}
		return c.call(byValue, v)
	}
}

func newPlainFromFunc(t reflect.Type) fromFunc {
	switch t.Kind() {
	case reflect.Float32:
		return func(_ *fromGo, v reflect.Value) (Value, error) { return fromFloat32(float32(v.Float())) }
	case reflect.Interface:
		return fromInterface
	case reflect.Pointer:
		return fromPointer(t)
	case reflect.Struct:
		return fromStruct(typeOf(t))
	case reflect.Slice:
		return fromSlice(t)
	case reflect.Array:
		return fromArray(t)
	case reflect.Map:
		return fromMap(t)
	}
	if t == numberType {
		return func(_ *fromGo, v reflect.Value) (Value, error) { return fromNumber(v.String()) }
	}
	kind := scalarOf(t)
	if kind == notScalar {
		return func(*fromGo, reflect.Value) (Value, error) { return Value{}, unsupported(t) }
	}
	return func(_ *fromGo, v reflect.Value) (Value, error) { return fromScalar(kind, v) }
}

func unsupported(t reflect.Type) error {
	return &Error{Format: goFormat, Code: "unsupported_type", Kind: ErrShape,
		Message: "a Go value of type " + t.String() + " has no place in the data model"}
}

// fromScalar converts a value of a type that scalarOf named.
func fromScalar(kind scalar, v reflect.Value) (Value, error) {
	switch kind {
	case scalarString:
		return String(v.String()), nil
	case scalarInt:
		return Int(v.Int()), nil
	case scalarUint:
		return Uint(v.Uint()), nil
	case scalarBool:
		return Bool(v.Bool()), nil
	}
	return fromFloat(v.Float())
}

func fromFloat(f float64) (Value, error) {
	if f-f != 0 {
		return Value{}, notANumber(f)
	}
	return Float(f), nil
}

// notANumber is the error for NaN and the infinities, for which f-f is not 0.
func notANumber(f float64) error {
	return &Error{Format: goFormat, Code: "not_a_number", Kind: ErrRange,
		Message: strconv.FormatFloat(f, 'g', -1, 64) + " is not a number of the data model"}
}

// fromFloat32 makes the number that f's own shortest text spells, 0.1 and not
// 0.10000000149011612. That has at most 9 digits, which a float64 keeps.
func fromFloat32(f float32) (Value, error) {
	if f-f != 0 || f == float32(int32(f)) {
		return fromFloat(float64(f))
	}
	var buf [24]byte
	wide, _ := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], float64(f), 'e', -1, 32)), 64)
	return fromFloat(wide)
}

// fromNumber makes a number of a json.Number, whose zero value is 0.
func fromNumber(text string) (Value, error) {
	if text == "" {
		text = "0"
	}
	if n := scan.Number(text); n == 0 || n != len(text) {
		return Value{}, &Error{Format: goFormat, Code: "invalid_number", Kind: ErrSyntax,
			Message: fmt.Sprintf("json.Number %.40q is not a number in JSON's grammar", text)}
	}
	return numberText(text), nil
}

func fromValue(_ *fromGo, v reflect.Value) (Value, error) {
	w, _ := reflect.TypeAssert[Value](v)
	return w, nil
}

// fromTime refuses the times that RFC 3339 cannot spell.
func fromTime(_ *fromGo, v reflect.Value) (Value, error) {
	t, _ := reflect.TypeAssert[time.Time](v)
	_, offset := t.Zone()
	if year := t.Year(); year < 0 || year > 9999 || offset <= -86400 || offset >= 86400 {
		return Value{}, &Error{Format: goFormat, Code: "invalid_time", Kind: ErrRange,
			Message: "time " + t.String() + " has a year or an offset that RFC 3339 cannot spell"}
	}
	return Time(t), nil
}

// call converts v, a value or a pointer to it, by its method.
func (c *fromGo) call(m method, v reflect.Value) (Value, error) {
	switch m {
	case methodWire:
		i, _ := reflect.TypeAssert[ValueMarshaler](v)
		w, err := i.MarshalWire()
		if err != nil {
			return Value{}, methodError(v.Type(), "MarshalWire", ErrShape, err)
		}
		return w, nil
	case methodJSON:
		i, _ := reflect.TypeAssert[json.Marshaler](v)
		text, err := i.MarshalJSON()
		if err != nil {
			return Value{}, methodError(v.Type(), "MarshalJSON", ErrShape, err)
		}
		w, err := c.parse(text)
		if err != nil {
			return Value{}, methodError(v.Type(), "MarshalJSON", ErrSyntax, err)
		}
		return w, nil
	}
	i, _ := reflect.TypeAssert[encoding.TextMarshaler](v)
	text, err := i.MarshalText()
	if err != nil {
		return Value{}, methodError(v.Type(), "MarshalText", ErrShape, err)
	}
	return String(c.Text(text)), nil
}

// parse parses JSON text, numbers and plain strings in the document's slabs.
func (c *fromGo) parse(text []byte) (Value, error) {
	if n := scan.Number(text); n > 0 && n == len(text) {
		return numberText(c.Text(text)), nil
	}
	if end := len(text) - 1; end > 0 && text[0] == '"' && scan.StringEnd(text, 1) == end && text[end] == '"' && utf8.Valid(text) {
		return String(c.Text(text[1:end])), nil
	}
	return ParseJSON(text)
}

func fromInterface(c *fromGo, v reflect.Value) (Value, error) {
	if v.IsNil() {
		return Value{}, nil
	}
	if err := c.enter(); err != nil {
		return Value{}, err
	}
	w, err := c.any(v.Interface())
	c.depth--
	return w, err
}

func fromPointer(t reflect.Type) fromFunc {
	elem := typeOf(t.Elem())
	return func(c *fromGo, v reflect.Value) (Value, error) {
		if v.IsNil() {
			return Value{}, nil
		}
		if err := c.enter(); err != nil {
			return Value{}, err
		}
		w, err := elem.convert(c, v.Elem())
		c.depth--
		return w, err
	}
}

func fromStruct(g *goType) fromFunc {
	s := g.structure()
	if !s.fixed {
		return func(c *fromGo, v reflect.Value) (Value, error) { return c.sparse(s, v) }
	}
	return func(c *fromGo, v reflect.Value) (Value, error) {
		n := len(s.fields)
		if err := c.count(n); err != nil {
			return Value{}, err
		}
		slots := c.take(n + 1)
		if err := c.row(s, v, slots); err != nil {
			return Value{}, err
		}
		return objectOf(s.keys, slots), nil
	}
}

// row converts a struct all of whose fields are members, into slots: one per
// field and the last for the keys.
func (c *fromGo) row(s *goStruct, v reflect.Value, slots []Value) error {
	for i := range s.fields {
		f := &s.fields[i]
		fv := v.Field(f.first)
		if f.deep {
			for _, j := range f.path[1:] {
				fv = fv.Field(j)
			}
		}
		switch f.from {
		case scalarString:
			slots[i] = String(fv.String())
		case scalarInt:
			slots[i] = Int(fv.Int())
		case scalarBool:
			slots[i] = Bool(fv.Bool())
		case scalarFloat:
			x := fv.Float()
			if x-x != 0 {
				return AtKey(notANumber(x), f.name)
			}
			slots[i] = Float(x)
		default:
			w, err := c.member(f, fv)
			if err != nil {
				return AtKey(err, f.name)
			}
			slots[i] = w
		}
	}
	slots[len(s.fields)] = keysValue(s.keys)
	return nil
}

// member converts the value of a field.
func (c *fromGo) member(f *goField, v reflect.Value) (Value, error) {
	if f.quoted {
		return c.quoted(f, v)
	}
	return f.typ.convert(c, v)
}

// quoted applies the option "string": the value's JSON text becomes a string.
// It has no effect on what a method gave, as in encoding/json.
func (c *fromGo) quoted(f *goField, v reflect.Value) (Value, error) {
	w, err := f.typ.convert(c, v)
	if err != nil || w.IsNull() {
		return w, err
	}
	if marshalMethod(pointee(f.typ.t), v.CanAddr() || v.Kind() == reflect.Pointer) != methodNone {
		return w, nil
	}
	return String(string(AppendJSON(nil, w))), nil
}

// sparse converts a struct some of whose fields may be absent: it notes those
// that are present, whose number says how many slots to take, and then converts
// them.
func (c *fromGo) sparse(s *goStruct, v reflect.Value) (Value, error) {
	if err := c.count(len(s.fields)); err != nil {
		return Value{}, err
	}
	mark := len(c.present)
	o := c.Object()
	for i := range s.fields {
		f := &s.fields[i]
		if fv, ok := f.of(v); ok && !f.omits(fv) {
			c.present = append(c.present, i)
			c.Key(&o, f.name)
		}
	}
	keys := o.keys()
	slots := c.take(keys.Len() + 1)
	for i := range keys.Len() {
		f := &s.fields[c.present[mark+i]]
		fv, _ := f.of(v)
		switch f.from {
		case scalarString:
			slots[i] = String(fv.String())
		case scalarInt:
			slots[i] = Int(fv.Int())
		default:
			w, err := c.member(f, fv)
			if err != nil {
				return Value{}, AtKey(err, f.name)
			}
			slots[i] = w
		}
	}
	c.present = c.present[:mark]
	slots[keys.Len()] = keysValue(keys)
	return objectOf(keys, slots), nil
}

// keys returns the keys of an object that no values were put to.
func (o *ObjectBuilder) keys() *Keys {
	switch {
	case o.at == nil:
		return &Keys{names: o.wide.names}
	case o.at.keys != nil:
		return o.at.keys
	}
	return o.at.list()
}

// of returns the field of a struct, or false if an embedded pointer on the way
// is nil.
func (f *goField) of(v reflect.Value) (reflect.Value, bool) {
	for _, i := range f.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

// omits reports whether the field's options leave the value out.
func (f *goField) omits(v reflect.Value) bool {
	switch {
	case f.omitEmpty && isEmpty(v):
		return true
	case !f.omitZero:
		return false
	case f.isZero != nil && v.CanInterface():
		return f.isZero(v)
	}
	return v.IsZero()
}

// isEmpty is encoding/json's notion of an empty value: a struct is never one.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Interface, reflect.Pointer, reflect.Float32:
		return v.IsZero()
	}
	return scalarOf(v.Type()) != notScalar && v.IsZero()
}

func fromSlice(t reflect.Type) fromFunc {
	if elem := t.Elem(); elem.Kind() == reflect.Uint8 && marshalMethod(elem, true) == methodNone {
		return fromBytes
	}
	elements := fromArray(t)
	return func(c *fromGo, v reflect.Value) (Value, error) {
		if v.IsNil() {
			return Value{}, nil
		}
		if err := c.enter(); err != nil {
			return Value{}, err
		}
		w, err := elements(c, v)
		c.depth--
		return w, err
	}
}

func fromBytes(c *fromGo, v reflect.Value) (Value, error) {
	if v.IsNil() {
		return Value{}, nil
	}
	return stringValue(KindBytes, c.Text(v.Bytes())), nil
}

// fromArray converts the elements of an array or a slice.
func fromArray(t reflect.Type) fromFunc {
	elem := typeOf(t.Elem())
	isStruct := elem.t.Kind() == reflect.Struct && elem.t != valueType && elem.t != timeType &&
		marshalMethod(elem.t, true) == methodNone
	return func(c *fromGo, v reflect.Value) (Value, error) {
		n := v.Len()
		if n == 0 {
			return Array(), nil
		}
		if err := c.count(n); err != nil {
			return Value{}, err
		}
		if isStruct {
			if s := elem.structure(); s.fixed {
				return c.rows(s, v)
			}
		}
		slots := c.take(n)
		for i := range slots {
			var w Value
			var err error
			if elem.from != notScalar {
				w, err = fromScalar(elem.from, v.Index(i))
			} else {
				w, err = elem.convert(c, v.Index(i))
			}
			if err != nil {
				return Value{}, AtIndex(err, i)
			}
			slots[i] = w
		}
		return childrenValue(KindArray, &slots[0], n), nil
	}
}

// rows converts a list of structs all of whose fields are members. Their
// number is known, so the slots of all of them are taken at once.
func (c *fromGo) rows(s *goStruct, v reflect.Value) (Value, error) {
	n, width := v.Len(), len(s.fields)+1
	if err := c.count(n * len(s.fields)); err != nil {
		return Value{}, err
	}
	rows, slots := c.take(n), c.take(n*width)
	for i := range rows {
		row := slots[i*width : (i+1)*width : (i+1)*width]
		if err := c.row(s, v.Index(i), row); err != nil {
			return Value{}, AtIndex(err, i)
		}
		rows[i] = objectOf(s.keys, row)
	}
	return childrenValue(KindArray, &rows[0], n), nil
}

func fromMap(t reflect.Type) fromFunc {
	textKey := t.Key().Kind() != reflect.String && t.Key().Implements(marshalers[methodText])
	switch scalarOf(t.Key()) {
	case scalarInt, scalarUint, scalarString:
	default:
		if !textKey && t.Key() != numberType {
			return func(*fromGo, reflect.Value) (Value, error) { return Value{}, unsupported(t) }
		}
	}
	elem := typeOf(t.Elem())
	// A copy that lives through the iteration is enough for elements that no
	// method with a pointer receiver could be asked for.
	reuse := elem.from != notScalar || t.Elem().Kind() == reflect.Interface || t.Elem().Kind() == reflect.Pointer
	return func(c *fromGo, v reflect.Value) (Value, error) {
		if v.IsNil() {
			return Value{}, nil
		}
		if err := c.enter(); err != nil {
			return Value{}, err
		}
		if err := c.count(v.Len()); err != nil {
			return Value{}, err
		}
		mark := len(c.entries)
		key, value := reflect.New(t.Key()).Elem(), reflect.Value{}
		if reuse {
			value = reflect.New(t.Elem()).Elem()
		}
		for i := v.MapRange(); i.Next(); {
			key.SetIterKey(i)
			name, err := mapKey(key, textKey)
			if err != nil {
				return Value{}, err
			}
			if reuse {
				value.SetIterValue(i)
			} else {
				value = i.Value()
			}
			w, err := elem.convert(c, value)
			if err != nil {
				return Value{}, AtKey(err, name)
			}
			c.entries = append(c.entries, mapEntry{name, w})
		}
		w, err := c.sorted(c.entries[mark:])
		c.entries = c.entries[:mark]
		c.depth--
		return w, err
	}
}

// sorted makes an object of a map's entries.
func (c *fromGo) sorted(entries []mapEntry) (Value, error) {
	slices.SortFunc(entries, func(a, b mapEntry) int { return cmp.Compare(a.key, b.key) })
	c.names = c.names[:0]
	for i, e := range entries {
		if i > 0 && e.key == entries[i-1].key {
			return Value{}, &Error{Format: goFormat, Code: "duplicate_key", Kind: ErrDuplicateKey,
				Message: fmt.Sprintf("two keys of the map have the text %.60q", e.key)}
		}
		c.names = append(c.names, e.key)
	}
	keys := c.shared(c.names)
	slots := c.take(len(entries) + 1)
	for i, e := range entries {
		slots[i] = e.value
	}
	slots[len(entries)] = keysValue(keys)
	return objectOf(keys, slots), nil
}

func mapKey(key reflect.Value, text bool) (string, error) {
	if text {
		if key.Kind() == reflect.Pointer && key.IsNil() {
			return "", nil
		}
		m, ok := reflect.TypeAssert[encoding.TextMarshaler](key)
		if !ok { // a nil interface
			return "", unsupported(key.Type())
		}
		b, err := m.MarshalText()
		if err != nil {
			return "", methodError(key.Type(), "MarshalText", ErrShape, err)
		}
		return string(b), nil
	}
	switch scalarOf(key.Type()) {
	case scalarInt:
		return strconv.FormatInt(key.Int(), 10), nil
	case scalarUint:
		return strconv.FormatUint(key.Uint(), 10), nil
	}
	return key.String(), nil
}
