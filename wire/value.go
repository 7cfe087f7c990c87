package wire

import (
	"encoding/base64"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// Kind says which of the eight kinds a [Value] is.
type Kind uint8

// The kinds, in the order of RFC 8259 with bytes and time added.
// The zero Kind is null, so the zero Value is null.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindBytes
	KindTime
	KindArray
	KindObject
)

var kinds = enum.New[Kind]("wire.Kind", "null", "bool", "number", "string", "bytes", "time", "array", "object")

// String returns the kind's name in lower case.
func (k Kind) String() string { return kinds.String(k) }

// MarshalText returns the name that String returns.
func (k Kind) MarshalText() ([]byte, error) { return kinds.Marshal(k) }

// UnmarshalText takes a name.
func (k *Kind) UnmarshalText(name []byte) error { return kinds.Unmarshal(k, name) }

// form says how a number is held and what is known of a string.
type form uint8

const (
	formText  form = iota // literal text: ptr and num are data and length
	formInt               // num is an int64
	formUint              // num is a uint64 above math.MaxInt64
	formFloat             // num is the bits of a finite float64

	formPlain // a string without any character that JSON escapes
)

// exactWhole is the largest number up to which every whole number is the
// shortest text of a float64.
const exactWhole = 1 << 53

// A Value is one value of the data model: JSON's, with exact numbers and kept
// member order, plus bytes and time. It is immutable, 24 bytes long and safe
// to copy and to share between goroutines. The zero Value is null.
//
// Strings, numbers and keys may point into one private copy of the text they
// were decoded from, which stays in memory as long as any of them does;
// [Value.Clone] cuts a value loose.
//
// Values do not compare with ==; use [Equal] or [Identical].
type Value struct {
	_ [0]func() // not comparable: == would compare pointers

	// ptr, num and nsec hold, by kind:
	//
	//	null            nothing
	//	bool            num 0 or 1
	//	number          by form, see there
	//	string, bytes   ptr data, num length
	//	time            ptr *time.Location, num Unix seconds, nsec nanoseconds
	//	array           ptr first element, num length
	//	object          ptr first member's value, num length; one further Value
	//	                follows the last and its ptr is the *Keys, nsec Values later
	ptr unsafe.Pointer
	num uint64
	meta
}

// meta is a struct of its own because the compiler keeps a struct in registers
// only if neither it nor a struct in it has more than four fields.
type meta struct {
	nsec uint32 // of a time; of an object see keys; of others respelled or 0
	kind Kind
	form form
	tag  uint8
}

// respelled is the nsec of a number or bool that has another spelling in its text than in
// JSON: 0x1F, True. A greater one is that of a number with so many zeros more before its
// first digit.
const respelled = 1

// spelling is the text of a number with the zeros that its nsec counts.
func (v *Value) spelling() string {
	text := v.Text()
	if v.nsec <= respelled {
		return text
	}
	digits := strings.TrimPrefix(text, "-")
	return text[:len(text)-len(digits)] + strings.Repeat("0", int(v.nsec-respelled)) + digits
}

// The package's only unsafe code is in the functions below: a string or
// a slice is taken apart into pointer and length, and put together again.
// They hold because the parts always come from the same string or slice,
// which is not written to any more. A Builder's address, and where a string lies in a
// buffer, are only compared.

// offsetWithin returns where in buf the memory of s begins, -1 if it does not.
func offsetWithin(buf []byte, s string) int {
	at := uintptr(unsafe.Pointer(unsafe.StringData(s))) - uintptr(unsafe.Pointer(unsafe.SliceData(buf)))
	if at >= uintptr(len(buf)) {
		return -1
	}
	return int(at)
}

func stringValue(k Kind, s string) Value {
	return Value{ptr: unsafe.Pointer(unsafe.StringData(s)), num: uint64(len(s)), meta: meta{kind: k}}
}

// spanValue is the value of the text buf[start:end]; start is before the end of
// buf, and end is not after it.
func spanValue(k Kind, f form, buf []byte, start, end int) Value {
	return Value{ptr: unsafe.Pointer(&buf[start]), num: uint64(end - start), meta: meta{kind: k, form: f}}
}

func (v Value) str() string {
	if poison {
		v.live()
	}
	return unsafe.String((*byte)(v.ptr), int(v.num))
}

func childrenValue(k Kind, first *Value, n int) Value {
	return Value{ptr: unsafe.Pointer(first), num: uint64(n), meta: meta{kind: k}}
}

func (v Value) children() []Value {
	v.live()
	return unsafe.Slice((*Value)(v.ptr), int(v.num))
}

// elements returns the elements of an array or the values of an object, none of any
// other value.
func (v *Value) elements() []Value {
	if v.kind == KindArray || v.kind == KindObject {
		return v.children()
	}
	return nil
}

// keys needs v to be an object.
func (v Value) keys() *Keys {
	if poison {
		v.live()
		v.end().live()
	}
	return (*Keys)(v.end().ptr)
}

// end returns the Value that holds an object's keys: the one after its last child, or one further
// on if the object grows.
func (v Value) end() *Value {
	return (*Value)(unsafe.Add(v.ptr, (v.num+uint64(v.nsec))*valueSize))
}

const valueSize = uint64(unsafe.Sizeof(Value{}))

// aliasString returns a string that shares b's memory. The caller owns b and
// never writes to the part of it that a Value can see.
func aliasString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (b *Builder) here() uintptr { return uintptr(unsafe.Pointer(b)) }

func keysValue(k *Keys) Value { return Value{ptr: unsafe.Pointer(k)} }

// Null returns null, the zero Value.
func Null() Value { return Value{} }

// Bool returns a bool.
func Bool(b bool) Value {
	if b {
		return Value{num: 1, meta: meta{kind: KindBool}}
	}
	return Value{meta: meta{kind: KindBool}}
}

// Int returns a number.
func Int(n int64) Value { return Value{num: uint64(n), meta: meta{kind: KindNumber, form: formInt}} }

// Uint returns a number.
func Uint(n uint64) Value {
	if n <= math.MaxInt64 {
		return Int(int64(n))
	}
	return Value{num: n, meta: meta{kind: KindNumber, form: formUint}}
}

// Float returns a number. Its text is the shortest that reads back as f, in
// ECMAScript's form. NaN and the infinities are not numbers of the data model:
// Float panics on them, [FromGo] returns an error.
func Float(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		panic("wire: Float of " + strconv.FormatFloat(f, 'g', -1, 64))
	}
	return Value{num: math.Float64bits(f), meta: meta{kind: KindNumber, form: formFloat}}
}

// Number returns the number that text spells in JSON's grammar, and keeps the
// spelling: of any size, any number of digits.
func Number(text string) (Value, error) {
	if n := scan.Number(text); n == 0 || n != len(text) {
		return Value{}, goError("invalid_number", ErrSyntax, "%.40q is not a number in JSON's grammar", text)
	}
	return numberText(text), nil
}

// numberText makes a number of text that is known to follow JSON's grammar.
func numberText(text string) Value { return stringValue(KindNumber, text) }

// String returns a string. Invalid UTF-8 is accepted here and refused by
// every codec that writes text.
func String(s string) Value { return stringValue(KindString, s) }

// Bytes returns a byte string with a copy of b.
func Bytes(b []byte) Value { return stringValue(KindBytes, string(b)) }

// Time returns an instant with its zone; a monotonic clock reading is left out.
func Time(t time.Time) Value {
	return Value{ptr: unsafe.Pointer(t.Location()), num: uint64(t.Unix()), meta: meta{kind: KindTime, nsec: uint32(t.Nanosecond())}}
}

// Array returns an array of elems. The caller must not change elems afterwards.
func Array(elems ...Value) Value {
	if len(elems) == 0 {
		return Value{meta: meta{kind: KindArray}}
	}
	return childrenValue(KindArray, &elems[0], len(elems))
}

// A Member is one key and value of an object.
type Member struct {
	Key   string
	Value Value
}

// Object returns an object with the members in the order given. Two members
// with one key are an error that wraps [ErrDuplicateKey].
func Object(members ...Member) (Value, error) {
	names := make([]string, len(members))
	values := make([]Value, len(members), len(members)+1)
	for i, m := range members {
		names[i], values[i] = m.Key, m.Value
	}
	keys, err := NewKeys(names...)
	if err != nil {
		return Value{}, err
	}
	return objectOf(keys, append(values, keysValue(keys))), nil
}

// ObjectOf returns an object that has values as the members of keys, in their
// order. Objects that are made with one Keys share it, as the rows of a table
// do. It panics unless there are as many values as keys.
func ObjectOf(keys *Keys, values ...Value) Value {
	if len(values) != keys.Len() {
		panic("wire: ObjectOf with a number of values other than that of keys")
	}
	return objectOf(keys, append(append(make([]Value, 0, len(values)+1), values...), keysValue(keys)))
}

// objectOf makes an object of slots: keys.Len() values and the keys' own slot.
func objectOf(keys *Keys, slots []Value) Value {
	return childrenValue(KindObject, &slots[0], keys.Len())
}

// Kind returns the value's kind.
func (v Value) Kind() Kind {
	v.live()
	return v.kind
}

// Bool returns the bool; false for any other kind.
func (v Value) Bool() bool { return v.Kind() == KindBool && v.num != 0 }

// Text returns a string's text, a byte string's bytes as a string, a number's text in
// JSON's grammar, and "" for any other kind. A number has the text that it was spelled as,
// one made of Go's the canonical spelling. It does not allocate for values that came from
// text.
func (v Value) Text() string {
	if poison {
		v.live()
	}
	if v.kind-KindString > 1 { // neither a string nor bytes
		return v.number()
	}
	return v.str()
}

// number is Text for what is neither a string nor bytes.
func (v Value) number() string {
	if v.kind != KindNumber {
		return ""
	}
	if v.form == formText {
		return v.str()
	}
	var buf [32]byte
	return string(v.appendText(buf[:0]))
}

// Int64 returns the number as an int64 and whether that is exact: 1e3 and 1.0
// are, 1.5 and 9223372036854775808 are not, nor is any other kind. Without
// exactness the result is 0.
func (v Value) Int64() (int64, bool) {
	v.live()
	if v.kind != KindNumber {
		return 0, false
	}
	switch v.form {
	case formText:
		return decimal.Int64(v.str())
	case formInt:
		return int64(v.num), true
	case formFloat:
		f := math.Float64frombits(v.num)
		switch n := int64(f); {
		case f < -exactWhole || f > exactWhole:
		case float64(n) == f:
			return n, true
		default:
			return 0, false
		}
	}
	var buf [32]byte
	return decimal.Int64(aliasString(v.appendText(buf[:0])))
}

// Uint64 is Int64 for uint64.
func (v Value) Uint64() (uint64, bool) {
	v.live()
	if v.kind != KindNumber {
		return 0, false
	}
	switch {
	case v.form == formText:
		return decimal.Uint64(v.str())
	case v.form == formUint, v.form == formInt && int64(v.num) >= 0:
		return v.num, true
	}
	var buf [32]byte
	return decimal.Uint64(aliasString(v.appendText(buf[:0])))
}

// Float64 returns the float64 nearest to the number and whether the number
// survives the conversion, which it does if the float64's shortest text is the
// same number: 0.1 does; 9007199254740993 and 1e400 (which gives an infinity)
// do not. That depends on the number alone, not on how it is spelled or where
// it came from. Any other kind gives 0 and false.
func (v Value) Float64() (float64, bool) {
	v.live()
	if v.kind != KindNumber {
		return 0, false
	}
	switch n := int64(v.num); {
	case v.form == formText:
		return decimal.Float64(v.str())
	case v.form == formFloat:
		return math.Float64frombits(v.num), true
	case v.form == formInt && n >= -exactWhole && n <= exactWhole:
		return float64(n), true
	}
	var buf [32]byte
	return decimal.Float64(aliasString(v.appendText(buf[:0])))
}

// Time returns the instant; the zero time for any other kind.
func (v Value) Time() time.Time {
	v.live()
	if v.kind != KindTime {
		return time.Time{}
	}
	return time.Unix(int64(v.num), int64(v.nsec)).In((*time.Location)(v.ptr))
}

// Bytes returns a copy of a byte string's bytes; nil for any other kind.
func (v Value) Bytes() []byte {
	v.live()
	if v.kind != KindBytes {
		return nil
	}
	return []byte(v.str())
}

// appendText is [internal.AppendText].
func (v Value) appendText(dst []byte) []byte {
	v.live()
	if v.kind != KindNumber {
		return v.appendOther(dst)
	}
	switch v.form {
	case formInt:
		return decimal.AppendInt(dst, int64(v.num))
	case formUint:
		return strconv.AppendUint(dst, v.num, 10)
	case formFloat:
		return decimal.AppendFloat(dst, math.Float64frombits(v.num))
	}
	return append(dst, v.str()...)
}

// appendOther is appendText for values of other kinds than numbers.
func (v Value) appendOther(dst []byte) []byte {
	switch v.kind {
	case KindString:
		return append(dst, v.str()...)
	case KindBytes:
		return base64.StdEncoding.AppendEncode(dst, []byte(v.str()))
	case KindTime:
		t := v.Time()
		if _, offset := t.Zone(); offset%60 != 0 {
			t = t.UTC() // RFC 3339 has no seconds in its offsets
		}
		return t.AppendFormat(dst, time.RFC3339Nano)
	}
	return dst
}

// Len returns the number of elements of an array, of members of an object, of
// bytes of a string or byte string; 0 for any other kind.
func (v Value) Len() int {
	v.live()
	switch v.kind {
	case KindString, KindBytes, KindArray, KindObject:
		return int(v.num)
	}
	return 0
}

// Index returns element i of an array or the value of member i of an object.
// It panics if i is out of range or the value is neither.
func (v Value) Index(i int) Value {
	if v.kind < KindArray || uint64(i) >= v.num {
		v.noElement(i)
	}
	return *(*Value)(unsafe.Add(v.ptr, i*int(unsafe.Sizeof(v))))
}

// Keys returns an object's keys, in order. It panics if the value is not an
// object.
func (v Value) Keys() *Keys {
	if v.kind != KindObject {
		v.notObject()
	}
	if poison {
		return v.keys()
	}
	return *(**Keys)(unsafe.Add(v.ptr, (v.num+uint64(v.nsec))*valueSize)) // keys, which costs more to inline
}

// The panics are functions of their own so that their callers are small enough
// to be inlined.

//go:noinline
func (v Value) noElement(i int) {
	if v.kind < KindArray {
		panic("wire: Index of " + v.kind.String())
	}
	_ = v.children()[i]
}

//go:noinline
func (v Value) notObject() {
	v.live()
	panic("wire: Keys of " + v.kind.String())
}

// Get returns the value of the member with that key and whether there is one;
// null and false for any other kind.
func (v Value) Get(key string) (Value, bool) {
	if v.kind != KindObject {
		return Value{}, false
	}
	if i := v.keys().Index(key); i >= 0 {
		return v.children()[i], true
	}
	return Value{}, false
}

// Elements iterates over an array's elements or an object's member values;
// over nothing for any other kind.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, e := range v.elements() {
			if !yield(e) {
				return
			}
		}
	}
}

// Members iterates over an object's keys and values; over nothing for any
// other kind.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != KindObject {
			return
		}
		names := v.keys().names
		for i, e := range v.children() {
			if !yield(names[i], e) {
				return
			}
		}
	}
}

// sameKeys reports whether v and w are objects with the same keys in the same
// order. It takes constant time when they share their [Keys], as the objects
// of one table do.
func (v Value) sameKeys(w Value) bool {
	return v.kind == KindObject && w.kind == KindObject && v.keys().same(w.keys())
}

// Clone returns a copy that shares no memory with the text or the buffers v
// was decoded from.
func (v Value) Clone() Value {
	c := cloner{shared: make(map[*Keys]*Keys)}
	return c.clone(v)
}

// A cloner copies values and keeps the sharing of their keys.
type cloner struct{ shared map[*Keys]*Keys }

func (c *cloner) clone(v Value) Value {
	v.live()
	switch v.kind {
	case KindNumber:
		if v.form != formText {
			return v
		}
		return numberText(strings.Clone(v.str()))
	case KindString, KindBytes:
		w := stringValue(v.kind, strings.Clone(v.str()))
		w.tag = v.tag
		return w
	case KindArray, KindObject:
		n := int(v.num)
		slots := make([]Value, n, n+1)
		for i, e := range v.children() {
			slots[i] = c.clone(e)
		}
		if v.kind == KindArray {
			return Array(slots...)
		}
		keys := c.keys(v.keys())
		return objectOf(keys, append(slots, keysValue(keys)))
	}
	return v
}

func (c *cloner) keys(k *Keys) *Keys {
	if own, ok := c.shared[k]; ok {
		return own
	}
	names := make([]string, len(k.names))
	for i, name := range k.names {
		names[i] = strings.Clone(name)
	}
	own := &Keys{names: names}
	c.shared[k] = own
	return own
}

// GoString returns the value's JSON text in "wire.Value(…)", for %#v in test failures
// and debugging. A string is in quotation marks there, so String("1") and Int(1) differ.
func (v Value) GoString() string { return "wire.Value(" + string(AppendJSON(nil, v)) + ")" }

// String returns the text of a string as it is, and every other value as compact JSON
// text, for messages and debugging. Programs that write JSON use [AppendJSON].
func (v Value) String() string {
	if v.kind == KindString {
		return v.str()
	}
	return string(AppendJSON(nil, v))
}
