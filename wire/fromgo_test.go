//lint:file-ignore SA5008 some tags are wrong on purpose

package wire_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// Types with every kind of field, tag and method.

type allKinds struct {
	Bool   bool
	Int    int
	I8     int8
	I16    int16
	I32    int32
	I64    int64
	Uint   uint
	U8     uint8
	U16    uint16
	U32    uint32
	U64    uint64
	Ptr    uintptr
	F32    float32
	F64    float64
	String string
	Any    any
	Slice  []int
	Array  [3]bool
	Map    map[string]int
	IntMap map[int]string
	Point  *int
	Struct struct{ X, Y int }
}

type tags struct {
	Renamed  int `json:"other"`
	Skipped  int `json:"-"`
	Dash     int `json:"-,"`
	Punct    int `json:"a.b/c$%-"`
	Invalid  int `json:"a\"b"`
	NoName   int `json:",omitempty"`
	Spaced   int `json:"with space"`
	Unicode  int `json:"größe"`
	Unknown  int `json:"unknown,nosuchoption"`
	hidden   int
	Exported int
}

type omitting struct {
	S  string          `json:"s,omitempty"`
	I  int             `json:"i,omitempty"`
	U  uint8           `json:"u,omitempty"`
	F  float64         `json:"f,omitempty"`
	F2 float32         `json:"f2,omitempty"`
	B  bool            `json:"b,omitempty"`
	P  *int            `json:"p,omitempty"`
	A  any             `json:"a,omitempty"`
	L  []int           `json:"l,omitempty"`
	M  map[string]int  `json:"m,omitempty"`
	R  [2]int          `json:"r,omitempty"`
	R0 [0]int          `json:"r0,omitempty"`
	T  struct{ X int } `json:"t,omitempty"`
	Z  struct{ X int } `json:"z,omitzero"`
	ZA [2]int          `json:"za,omitzero"`
	W  time.Time       `json:"w,omitzero"`
	WP *time.Time      `json:"wp,omitzero"`
	O  oddZero         `json:"o,omitzero"`
	OP pointerZero     `json:"op,omitzero"`
	OI zeroInterface   `json:"oi,omitzero"`
	E  string          `json:"e,omitempty,omitzero"`
}

type oddZero int

func (o oddZero) IsZero() bool { return o%2 == 1 }

type pointerZero struct{ N int }

func (p *pointerZero) IsZero() bool { return p.N == 7 }

type zeroInterface interface{ IsZero() bool }

type quoting struct {
	I  int         `json:"i,string"`
	U  uint8       `json:",string"`
	F  float64     `json:"f,string"`
	F2 float32     `json:"f2,string"`
	B  bool        `json:"b,string"`
	S  string      `json:"s,string"`
	P  *int        `json:"p,string"`
	N  json.Number `json:"n,string"`
	PP **int       `json:"pp,string"`
	L  []int       `json:"l,string"`
	A  any         `json:"a,string"`
}

type quotedMethod struct {
	T textInt `json:"t,string"`
}

type textInt int

func (t textInt) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "int-%d", int(t)), nil }
func (t *textInt) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "int-%d", (*int)(t))
	return err
}

type base struct {
	ID   int
	Name string
}
type Exported struct {
	Name  string
	Extra string `json:"extra"`
}
type Left struct{ Both, OnlyLeft int }
type Right struct{ Both, OnlyRight int }
type TaggedBoth struct {
	Another int `json:"Both"`
}
type nonStruct int
type ExportedInt int

type embedding struct {
	base
	*Exported
	Name  string
	Outer int
}
type conflict struct {
	Left
	Right
}
type tagWins struct {
	Left
	Right
	TaggedBoth
}
type named struct {
	base     `json:"base"`
	Exported `json:"exported"`
}
type ignored struct {
	nonStruct
	ExportedInt
	N int
}
type twiceA struct{ base }
type twiceB struct{ base }
type twice struct {
	twiceA
	twiceB
}
type recursive struct {
	Value int
	*recursive
	Next []recursive
}
type hiddenDeep struct {
	twiceA
	ID string
}
type embeddedTime struct {
	time.Time
	N int
}
type embeddedAny struct {
	fmt.Stringer
	N int
}

type valueJSON struct{ N int }

func (v valueJSON) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"n" : %d, "a":[1, 2.50]}`, v.N), nil
}

type pointerJSON struct{ N int }

func (p *pointerJSON) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"json-%d"`, p.N), nil }

type pointerText struct{ N int }

func (p *pointerText) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "text-%d", p.N), nil }

type mapJSON map[string]int

func (m mapJSON) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", len(m)), nil }

type bothMethods struct{}

func (bothMethods) MarshalJSON() ([]byte, error) { return []byte(`1e2`), nil }
func (bothMethods) MarshalText() ([]byte, error) { return []byte("text"), nil }

type textKey struct{ A, B int }

func (k textKey) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d-%d", k.A, k.B), nil }
func (k *textKey) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%d-%d", &k.A, &k.B)
	return err
}

type stringKey string

func (stringKey) MarshalText() ([]byte, error) { return []byte("asked since Go 1.27"), nil }

type (
	namedString string
	namedBytes  []byte
	namedAny    any
	byteText    byte
)

func (b byteText) MarshalText() ([]byte, error) { return []byte{'b', byte(b)}, nil }

func ptr[T any](v T) *T { return &v }

// sameAsJSON are values that FromGo converts to what json.Marshal writes.
func sameAsJSON() map[string]any {
	seven := 7
	large, largeTyped := map[string]any{}, map[int]string{}
	for i := range 300 {
		large[strings.Repeat("k", i)], largeTyped[i] = i, "v"
	}
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	when := time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.FixedZone("", 5400))
	return map[string]any{
		"nil":             nil,
		"bool":            true,
		"int":             -5,
		"int64 min":       int64(math.MinInt64),
		"uint64 max":      uint64(math.MaxUint64),
		"float":           1.5,
		"float small":     1e-7,
		"float large":     1e21,
		"float max":       math.MaxFloat64,
		"negative zero":   math.Copysign(0, -1),
		"float32":         float32(0.1),
		"float32s":        []float32{1e-6, 1e-7, 1e21, 3.4028235e38, 16777216, -0.5, 1e20, 1.0000001},
		"string":          "a\"b\\c\n\t\x01é😀",
		"named":           namedString("n"),
		"kinds zero":      allKinds{},
		"kinds":           allKinds{true, -1, -8, -16, -32, -64, 1, 8, 16, 32, 64, 9, 0.25, 1e300, "s", []any{1, "x", nil}, []int{1}, [3]bool{true}, map[string]int{"b": 1, "a": 2}, map[int]string{10: "x", 9: "y", -1: "z"}, &seven, struct{ X, Y int }{1, 2}},
		"kinds pointer":   &allKinds{Int: 1},
		"tags":            tags{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		"omitting zero":   omitting{},
		"omitting zero p": &omitting{},
		"omitting": omitting{"s", 1, 2, 3, 4, true, &seven, 0, []int{0}, map[string]int{"": 0}, [2]int{}, [0]int{}, struct{ X int }{1},
			struct{ X int }{1}, [2]int{0, 1}, when, &when, 2, pointerZero{1}, oddZero(2), "e"},
		"omitting odd":    []omitting{{O: 1, OP: pointerZero{7}, OI: oddZero(1)}, {O: 0, OP: pointerZero{8}, OI: &pointerZero{7}}, {OI: (*pointerZero)(nil)}},
		"omitting neg 0":  omitting{F: math.Copysign(0, -1)},
		"quoting":         quoting{1, 2, 1.5, 0.1, true, `a"b`, &seven, "1.50", ptr(&seven), []int{1}, "any"},
		"quoted method":   []any{quotedMethod{3}, &quotedMethod{4}},
		"quoting zero":    quoting{},
		"embedding":       embedding{base{1, "hidden"}, &Exported{"x", "y"}, "n", 2},
		"embedding nil":   embedding{Name: "n"},
		"conflict":        conflict{Left{1, 2}, Right{3, 4}},
		"tag wins":        tagWins{Left{1, 2}, Right{3, 4}, TaggedBoth{5}},
		"named embedded":  named{base{1, "x"}, Exported{"y", "z"}},
		"ignored":         ignored{1, 2, 3},
		"twice":           twice{},
		"hidden deep":     hiddenDeep{twiceA{base{1, "n"}}, "id"},
		"recursive":       recursive{1, &recursive{Value: 2}, []recursive{{Value: 3}}},
		"embedded time":   embeddedTime{when, 1},
		"embedded any":    embeddedAny{bytes.NewBufferString("x"), 1},
		"value json":      []any{valueJSON{1}, &valueJSON{2}, []valueJSON{{3}}, map[string]valueJSON{"k": {4}}},
		"pointer json":    []any{pointerJSON{1}, &pointerJSON{2}, []pointerJSON{{3}}, map[string]pointerJSON{"k": {4}}, struct{ P pointerJSON }{}, &struct{ P pointerJSON }{}},
		"pointer text":    []any{pointerText{1}, &pointerText{2}, []pointerText{{3}}, map[string]pointerText{"k": {4}}, [1]pointerText{}},
		"nil pointers":    []any{(*valueJSON)(nil), (*pointerJSON)(nil), (*pointerText)(nil), (*int)(nil), []int(nil), map[string]int(nil), (*big.Int)(nil)},
		"nil map method":  []mapJSON{nil, {"a": 1}},
		"both methods":    bothMethods{},
		"big int":         []any{big1, *big1, []big.Int{*big1}},
		"big float":       big.NewFloat(1.25),
		"json number":     []any{json.Number("1.50"), json.Number(""), json.Number("-0"), []json.Number{"1e400"}},
		"raw message":     []any{json.RawMessage(`{"b":1,"a":[ ]}`), json.RawMessage(nil), struct{ R json.RawMessage }{json.RawMessage(`2.0`)}},
		"map keys":        []any{map[textKey]int{{2, 1}: 1, {1, 2}: 2}, map[uint8]int{200: 1, 30: 2}, map[stringKey]int{"b": 1}, map[namedString]bool{"x": true}, map[*textKey]int{nil: 1, {3, 4}: 2}, map[textInt]int{5: 1, 40: 2}},
		"maps":            []any{map[string]any{}, map[string]any{"z": 1, "a": map[string]any{"y": nil}}, map[string]any{"z": 2, "a": 3}, map[string][]string{"k": {"v"}}, map[string]map[int]bool{"k": {1: true}}},
		"large maps":      []any{large, largeTyped, large, []any(nil), map[string]any(nil)},
		"map sizes":       []any{map[string]any{"a": 1}, large, map[string]any{"b": 1}, map[string]any{"a": 1, "b": 2}, map[string]any{"a": 1, "c": 2}},
		"pointers":        []any{ptr(ptr(ptr(3))), ptr[any](ptr("s")), ptr([]int{1})},
		"byte array":      [4]byte{1, 2, 3, 4},
		"byte text slice": []byteText{'x', 'y'},
		"empty":           []any{[]int{}, [0]int{}, struct{}{}, map[int]int{}, []struct{}{{}, {}}},
		"interface slice": []fmt.Stringer{when.Location(), nil},
		"named any":       []namedAny{1, nil, "x"},
		"anonymous":       struct{ A struct{ B []struct{ C int } } }{},
	}
}

func TestFromGoLikeJSON(t *testing.T) {
	for name, v := range sameAsJSON() {
		t.Run(name, func(t *testing.T) {
			want, err := marshalJSON(v)
			require.NoError(t, err)
			got, err := wire.FromGo(v)
			require.NoError(t, err)
			require.Equal(t, string(want), string(wire.AppendJSON(nil, got)))
		})
	}
}

// marshalJSON is json.Marshal without escaping for HTML.
func marshalJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func TestFromGoKinds(t *testing.T) {
	when := time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC)
	member := wire.String("kept")
	for name, c := range map[string]struct {
		in   any
		want wire.Value
	}{
		"bytes":           {[]byte{0, 1, 255}, wire.Bytes([]byte{0, 1, 255})},
		"no bytes":        {[]byte{}, wire.Bytes(nil)},
		"nil bytes":       {[]byte(nil), wire.Null()},
		"named bytes":     {namedBytes("x"), wire.Bytes([]byte("x"))},
		"time":            {when, wire.Time(when)},
		"time pointer":    {&when, wire.Time(when)},
		"value":           {member, member},
		"value pointer":   {&member, member},
		"nil value":       {(*wire.Value)(nil), wire.Null()},
		"values":          {[]wire.Value{member, {}}, wire.Array(member, wire.Null())},
		"value as member": {struct{ V wire.Value }{member}, objectWith(t, "V", member)},
		"value in map":    {map[string]wire.Value{"b": wire.Int(1), "a": member}, objectWith(t, "a", member, "b", wire.Int(1))},
		"embedded value":  {struct{ wire.Value }{member}, member}, // its methods are the struct's, as in encoding/json
		"omitted value": {struct {
			V wire.Value `json:",omitzero"`
		}{}, objectWith(t)},
		"MarshalWire":     {wireMethods{when}, wire.Array(wire.Time(when))},
		"wire tag":        {wireTags{1, 2, 3, 0}, objectWith(t, "w", wire.Int(1), "C", wire.Int(3))},
		"number spelling": {json.Number("1.50"), spelled(t, "1.50")},
		"method number":   {bothMethods{}, spelled(t, "1e2")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := wire.FromGo(c.in)
			require.NoError(t, err)
			require.True(t, wire.Identical(c.want, got), "%v", got)
		})
	}
}

// TestFloat32 holds that a float32 has encoding/json's text: that of its fewest digits,
// also where it is whole and too large for them, and the same on every processor.
func TestFloat32(t *testing.T) {
	for exponent := -149; exponent < 128; exponent++ {
		power := float32(math.Ldexp(1, exponent))
		for _, f := range []float32{power, -power, power * 1.1, power * 1.3, math.Nextafter32(power, 0), math.Nextafter32(power, math.MaxFloat32)} {
			want, err := json.Marshal(f)
			require.NoError(t, err)
			got, err := wire.Marshal(wire.JSON{}, f)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		}
	}
}

type failingKey int

func (k failingKey) MarshalText() ([]byte, error) { return nil, fmt.Errorf("key %02d", int(k)) }

// TestFromGoFirstFault holds that of several faults in a map the first by key is
// reported, whatever order Go gives the map.
func TestFromGoFirstFault(t *testing.T) {
	type element struct {
		F float64
		N json.Number
	}
	elements, keys := map[string]element{}, map[failingKey]element{}
	for i := range 64 {
		elements[fmt.Sprintf("k%02d", i)] = element{F: math.NaN()}
		keys[failingKey(i)] = element{N: "x"}
	}
	elements["k00"] = element{N: "x"}
	var wrong *wire.Error
	_, err := wire.FromGo(elements)
	require.ErrorIs(t, err, wire.ErrSyntax)
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "/k00/N", wrong.Path())
	_, err = wire.FromGo(keys)
	require.ErrorContains(t, err, "key 00", "of keys without a text, the first by its error")
	_, err = wire.FromGo(map[string]any{"a": elements, "b": math.NaN()})
	require.ErrorIs(t, err, wire.ErrSyntax)
}

type wireTags struct {
	A int `json:"j,omitempty" wire:"w"`
	B int `json:"b" wire:"-"`
	C int `json:"-" wire:","`
	D int `json:"d" wire:"d,omitempty"`
}

type wireMethods struct{ t time.Time }

func (w wireMethods) MarshalWire() (wire.Value, error) { return wire.Array(wire.Time(w.t)), nil }
func (w wireMethods) MarshalJSON() ([]byte, error)     { return nil, errors.New("not asked") }
func (w *wireMethods) UnmarshalWire(v wire.Value) error {
	if v.Len() != 1 {
		return wire.AtIndex(wire.ToGo(v, &[]int{}), 3)
	}
	w.t = v.Index(0).Time()
	return nil
}
func (w *wireMethods) UnmarshalJSON([]byte) error { return errors.New("not asked") }

func objectWith(t testing.TB, pairs ...any) wire.Value {
	var members []wire.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, wire.Member{Key: pairs[i].(string), Value: pairs[i+1].(wire.Value)})
	}
	v, err := wire.Object(members...)
	require.NoError(t, err)
	return v
}

func spelled(t testing.TB, text string) wire.Value {
	v, err := wire.Number(text)
	require.NoError(t, err)
	return v
}

var errOwn = errors.New("own error")

type failing struct{ how string }

func (f failing) MarshalJSON() ([]byte, error) {
	if f.how == "error" {
		return nil, errOwn
	}
	return []byte(f.how), nil
}

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, errOwn }

type failingWire struct{}

func (failingWire) MarshalWire() (wire.Value, error) { return wire.FromGo([]any{1, math.NaN()}) }

type sameText int

func (sameText) MarshalText() ([]byte, error) { return []byte("same"), nil }

func TestFromGoErrors(t *testing.T) {
	cyclicMap := map[string]any{}
	cyclicMap["self"] = cyclicMap
	cyclicSlice := []any{nil}
	cyclicSlice[0] = cyclicSlice
	type pointer *pointer
	var p pointer
	p = &p
	type node struct{ Next *node }
	ring := &node{}
	ring.Next = ring
	var self any
	self = &self
	typedMap := map[string]cyclic{}
	typedMap["x"] = typedMap
	for name, c := range map[string]struct {
		in   any
		kind error
		path string
	}{
		"NaN":               {math.NaN(), wire.ErrRange, ""},
		"infinity":          {map[string]any{"a/b": []any{1, math.Inf(-1)}}, wire.ErrRange, "/a~1b/1"},
		"NaN in a row":      {[]tableRow{{}, {Score: math.NaN()}}, wire.ErrRange, "/1/score"},
		"NaN omitempty":     {&omitting{F: math.NaN()}, wire.ErrRange, "/f"},
		"NaN float32":       {[2]float32{0, float32(math.NaN())}, wire.ErrRange, "/1"},
		"NaN quoted":        {quoting{F: math.NaN()}, wire.ErrRange, "/f"},
		"NaN in typed map":  {map[int]float64{3: math.NaN()}, wire.ErrRange, "/3"},
		"channel":           {struct{ C chan int }{}, wire.ErrShape, "/C"},
		"function":          {[]any{func() {}}, wire.ErrShape, "/0"},
		"complex":           {map[string]complex128{"z": 1}, wire.ErrShape, "/z"},
		"map key":           {[]any{map[bool]int{}}, wire.ErrShape, "/0"},
		"float map key":     {map[float64]int{1: 1}, wire.ErrShape, ""},
		"nil text key":      {map[encoding.TextMarshaler]int{nil: 1}, wire.ErrShape, ""},
		"same key twice":    {struct{ M map[sameText]int }{map[sameText]int{1: 1, 2: 2}}, wire.ErrDuplicateKey, "/M"},
		"year":              {struct{ T time.Time }{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, wire.ErrRange, "/T"},
		"zone":              {time.Date(2000, 1, 1, 0, 0, 0, 0, time.FixedZone("", 90000)), wire.ErrRange, ""},
		"json.Number":       {struct{ N json.Number }{"0x1"}, wire.ErrSyntax, "/N"},
		"method":            {[]any{0, failing{"error"}}, errOwn, "/1"},
		"method's text":     {[]any{failing{`{"a":}`}}, wire.ErrSyntax, "/0"},
		"method's nothing":  {failing{""}, wire.ErrTruncated, ""},
		"text method":       {struct{ T *failingText }{&failingText{}}, errOwn, "/T"},
		"text method shape": {failingText{}, wire.ErrShape, ""},
		"key method":        {map[string]any{"k": map[failingText]int{{}: 1}}, errOwn, "/k"},
		"wire method":       {map[string]any{"k": failingWire{}}, wire.ErrRange, "/k/1"},
		"cyclic pointer":    {p, wire.ErrLimit, ""},
		"cyclic interface":  {self, wire.ErrLimit, ""},
		"cyclic map":        {cyclicMap, wire.ErrLimit, strings.Repeat("/self", bound.MostDepth)},
		"cyclic typed map":  {typedMap, wire.ErrLimit, "-"},
		"cyclic slice":      {cyclicSlice, wire.ErrLimit, strings.Repeat("/0", bound.MostDepth)},
		"ring":              {ring, wire.ErrLimit, "-"},
		"too many values":   {make([]struct{}, bound.Values+1), wire.ErrLimit, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := wire.FromGo(c.in)
			require.ErrorIs(t, err, c.kind)
			require.True(t, got.Kind() == wire.KindNull)
			e := codectest.Error(t, err)
			require.Equal(t, "wire", e.Format)
			if c.path != "-" {
				require.Equal(t, c.path, e.Path())
			}
			require.Less(t, len(err.Error()), 1000)
		})
	}
}

type cyclic interface{}

func TestFromGoSharesKeys(t *testing.T) {
	rows, _ := tableRows(t, 100)
	for name, in := range map[string]any{
		"structs":  rows,
		"pointers": []*tableRow{&rows[0], &rows[1]},
		"maps":     []any{map[string]any{"a": 1, "b": 2}, map[string]any{"b": 3, "a": 4}},
		"typed":    []map[string]int{{"a": 1, "b": 2}, {"b": 3, "a": 4}},
		"sparse":   []omitting{{S: "x", R: [2]int{}}, {S: "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := wire.FromGo(in)
			require.NoError(t, err)
			require.Same(t, v.Index(0).Keys(), v.Index(1).Keys())
		})
	}
}

// TestFromGoMapsOfOneLength: the keys of earlier maps are no more than a guess.
func TestFromGoMapsOfOneLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var list []any
	var typed []map[string]int
	for range 600 {
		first, n := r.IntN(7), 1+r.IntN(3)
		m, ints := map[string]any{}, map[string]int{}
		for i := range n {
			key := string(rune('a' + (first+i*(1+first%3))%11))
			ints[key] = r.IntN(100)
			m[key] = []any{float64(i), "text", true, nil, map[string]any{key: 1.5, "z": []any{key}}, 7, json.Number("1.50")}[r.IntN(7)]
		}
		list, typed = append(list, m), append(typed, ints)
	}
	for _, in := range []any{list, typed} {
		want, err := json.Marshal(in)
		require.NoError(t, err)
		for range 2 { // with what is kept from before, too
			v, err := wire.FromGo(in)
			require.NoError(t, err)
			require.Equal(t, string(want), string(wire.AppendJSON(nil, v)))
			require.NoError(t, wire.Internal.ViewGo(in, func(v wire.Value) error {
				require.Equal(t, string(want), string(wire.AppendJSON(nil, v)))
				return nil
			}))
		}
	}
	// The first error is that of the first key at fault, known keys or not.
	fault := map[string]any{"a": 1.0, "b": map[string]any{"x": func() {}}, "c": math.NaN()}
	sound := map[string]any{"a": 1.0, "b": 2.0, "c": 3.0}
	for _, in := range []any{fault, []any{sound, fault}} {
		_, err := wire.FromGo(in)
		require.ErrorIs(t, err, wire.ErrShape)
	}
	_, err := wire.FromGo([]any{sound, map[string]any{"a": 1.0, "b": math.Inf(1), "c": func() {}}})
	require.ErrorIs(t, err, wire.ErrRange)
	e := codectest.Error(t, err)
	require.Equal(t, "/1/b", e.Path())
}

func TestFromGoDoesNotAliasMemory(t *testing.T) {
	data := struct {
		B []byte
		A [2]int
		M map[string][1]int
	}{[]byte("abc"), [2]int{1, 2}, map[string][1]int{"k": {1}}}
	v, err := wire.FromGo(&data)
	require.NoError(t, err)
	before := v.String()
	data.B[0], data.A[0], data.M["k"] = 'x', 9, [1]int{9}
	require.Equal(t, before, v.String())
}

type optionalRow struct {
	ID   int     `json:"id"`
	Name string  `json:"name,omitempty"`
	Note *string `json:"note,omitempty"`
	Base *base   `json:"base,omitzero"`
	Tags []string
}

func TestFromGoAllocations(t *testing.T) {
	rows, _ := tableRows(t, 10_000)
	_, err := wire.FromGo(rows)
	require.NoError(t, err)
	growth.Allocs(t, 6, func() {
		if _, err := wire.FromGo(rows); err != nil {
			t.Fatal(err)
		}
	})
	// Through pointers and with optional members, only slabs are added.
	pointers := make([]*tableRow, len(rows))
	sparse := make([]optionalRow, len(rows))
	for i := range rows {
		pointers[i] = &rows[i]
		sparse[i] = optionalRow{ID: i + 1, Name: rows[i].Name, Base: &base{ID: i}}
	}
	for _, in := range []any{pointers, sparse} {
		growth.Allocs(t, 100, func() {
			if _, err := wire.FromGo(in); err != nil {
				t.Fatal(err)
			}
		})
	}
	// The state of the conversion, and one slab.
	row := rows[0]
	growth.Allocs(t, 2, func() {
		if _, err := wire.FromGo(&row); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFromGoDeepButFinite(t *testing.T) {
	var v any
	for range bound.MostDepth {
		v = []any{v}
	}
	got, err := wire.FromGo(v)
	require.NoError(t, err)
	require.Equal(t, 2*bound.MostDepth+4, len(wire.AppendJSON(nil, got)))
	_, err = wire.FromGo([]any{v})
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestConcurrentFirstUse lets goroutines build the plans of new types at the
// same time; it is for the race detector.
func TestConcurrentFirstUse(t *testing.T) {
	for n := range 20 {
		field := reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int]()},
			{Name: "B" + strings.Repeat("x", n), Type: reflect.TypeFor[[]embedding](), Tag: `json:",omitempty"`},
		})
		typ := reflect.SliceOf(field)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				in := reflect.MakeSlice(typ, 3, 3)
				in.Index(1).Field(0).SetInt(7)
				in.Index(2).Field(1).Set(reflect.ValueOf([]embedding{{Outer: 1}}))
				v, err := wire.FromGo(in.Interface())
				out := reflect.New(typ)
				if err == nil {
					err = wire.ToGo(v, out.Interface())
				}
				if err != nil || !reflect.DeepEqual(in.Interface(), out.Elem().Interface()) {
					t.Errorf("%v: %v", err, v)
				}
			})
		}
		group.Wait()
	}
}
