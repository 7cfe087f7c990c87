package wire_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

type textPointers struct {
	T *textInt
	V textInt
	M map[textKey]*textInt
}

// jsonRecorder keeps what UnmarshalJSON was called with, apart from spelling.
type jsonRecorder struct{ Text string }

func (j *jsonRecorder) UnmarshalJSON(b []byte) error {
	v, err := wire.ParseJSON(b)
	j.Text += v.GoString()
	return err
}

type caseFields struct {
	Name  string
	NAME  int `json:"NAME"`
	Other int `json:"oTHER"`
	Long  int `json:"ſtreet"`
}

type loose struct {
	A *struct{ B **int }
	C []struct{ D [2]string }
	E map[string]*loose
	F any
}

// decodeCases are JSON texts and targets that ToGo treats as json.Unmarshal
// does. A target is a function so that both start from the same.
func decodeCases() map[string]struct {
	text   string
	target func() any
} {
	type c = struct {
		text   string
		target func() any
	}
	return map[string]c{
		"kinds": {`{"Bool":true,"Int":-1,"I8":-128,"I16":32767,"I32":-2147483648,"I64":9223372036854775807,"Uint":1,"U8":255,"U16":65535,"U32":4294967295,"U64":18446744073709551615,"Ptr":3,"F32":0.1,"F64":1e300,"String":"é\n","Any":{"a":[1,"x",null,true]},"Slice":[1,2],"Array":[true,false,true,true],"Map":{"a":1},"IntMap":{"-3":"x"},"Point":5,"Struct":{"X":1}}`, func() any { return new(allKinds) }},
		"kinds null": {`{"Bool":null,"Int":null,"F32":null,"F64":null,"String":null,"Any":null,"Slice":null,"Array":null,"Map":null,"Point":null,"Struct":null,"U8":null}`, func() any {
			return &allKinds{Bool: true, Int: 1, F32: 2, String: "s", Any: 3, Slice: []int{1}, Array: [3]bool{true}, Map: map[string]int{"a": 1}, Point: ptr(3), U8: 9}
		}},
		"kinds kept": {`{"Slice":[],"Map":{"b":2},"Array":[false],"Point":9,"Struct":{"Y":2}}`, func() any {
			return &allKinds{Slice: []int{1}, Map: map[string]int{"a": 1}, Array: [3]bool{true, true, true}, Point: ptr(1), Struct: struct{ X, Y int }{1, 1}}
		}},
		"tags":            {`{"other":1,"-":3,"a.b/c$%-":4,"Invalid":5,"noname":6,"with space":7,"größe":8,"unknown":9,"hidden":10,"Exported":11,"Skipped":12,"Renamed":13}`, func() any { return new(tags) }},
		"tags folded":     {`{"OTHER":1,"GRÖßE":8,"With Space":7,"EXPORTED":3}`, func() any { return new(tags) }},
		"case":            {`{"name":"first","NAME":2,"other":3,"Other":4,"STREET":5,"oTHER":6,"Street":8}`, func() any { return new(caseFields) }},
		"quoting":         {`{"i":"1","U":"2","f":"1.5","f2":"0.1","b":"true","s":"\"a\\nb\"","p":"7","n":"1.50","pp":8,"l":[1],"a":"x"}`, func() any { return new(quoting) }},
		"quoting null":    {`{"i":null,"p":"null","b":null}`, func() any { return &quoting{I: 1, S: "x", P: ptr(1), B: true} }},
		"embedding":       {`{"ID":1,"Name":"n","extra":"e","Outer":2}`, func() any { return new(embedding) }},
		"conflict":        {`{"Both":1,"OnlyLeft":2,"onlyright":3}`, func() any { return new(conflict) }},
		"tag wins":        {`{"Both":1,"Another":2}`, func() any { return new(tagWins) }},
		"named":           {`{"base":{"ID":1,"Name":"n"},"exported":{"Name":"m","extra":"x"}}`, func() any { return new(named) }},
		"ignored":         {`{"nonStruct":1,"ExportedInt":2,"N":3}`, func() any { return new(ignored) }},
		"twice":           {`{"ID":1,"Name":"n"}`, func() any { return new(twice) }},
		"recursive":       {`{"Value":1,"Next":[{"Value":2,"Next":[{"Value":3}]},{"Next":[]}]}`, func() any { return new(recursive) }},
		"slice longer":    {`[1,2,3]`, func() any { return &[]int{9} }},
		"slice shorter":   {`[1]`, func() any { return &[]int{9, 8, 7} }},
		"slice empty":     {`[]`, func() any { return new([]int) }},
		"slice null":      {`null`, func() any { return &[]int{1} }},
		"array":           {`[1,2]`, func() any { return &[3]int{9, 9, 9} }},
		"array short":     {`[1,2,"ignored"]`, func() any { return &[2]int{} }},
		"bytes":           {`["AAH/","",null,[1,2]]`, func() any { return new([][]byte) }},
		"byte array":      {`[1,2]`, func() any { return new([2]byte) }},
		"named bytes":     {`"YWJj"`, func() any { return new(namedBytes) }},
		"time":            {`["2024-02-29T23:59:59.123456+01:30",null,"0001-01-01T00:00:00Z"]`, func() any { return new([]time.Time) }},
		"embedded time":   {`"2024-02-29T23:59:59Z"`, func() any { return new(embeddedTime) }},
		"any":             {`{"a":[1,2.5,-0,1e3,true,false,null,"x",{}],"b":[]}`, func() any { return new(any) }},
		"any kept":        {`1`, func() any { return ptr[any]("x") }},
		"any pointer":     {`{"Outer":1}`, func() any { return ptr[any](&embedding{Name: "kept"}) }},
		"any ptr null":    {`null`, func() any { return ptr[any](&embedding{}) }},
		"any ptr ptr":     {`null`, func() any { return ptr[any](ptr(ptr(3))) }},
		"pointers":        {`[3,null]`, func() any { return new([]***int) }},
		"pointer kept":    {`{"A":{"B":4}}`, func() any { return &loose{F: 1} }},
		"nested":          {`{"A":{"B":1},"C":[{"D":["x"]},{}],"E":{"k":{"F":{"z":1}},"n":null},"unknown":{"deep":[1]}}`, func() any { return new(loose) }},
		"map kept":        {`{"b":2,"a":null}`, func() any { return &map[string]int{"a": 1, "c": 3} }},
		"map of any":      {`{"b":{"c":[1]},"a":null}`, func() any { return &map[string]any{"a": 1} }},
		"map struct new":  {`{"k":{"ID":2}}`, func() any { return &map[string]base{"k": {1, "gone"}} }},
		"map keys":        {`{"1-2":1,"3-4":2}`, func() any { return new(map[textKey]int) }},
		"map int keys":    {`{"-128":1,"127":2}`, func() any { return new(map[int8]int) }},
		"map uint keys":   {`{"18446744073709551615":1}`, func() any { return new(map[uint64]int) }},
		"map string keys": {`{"a":1}`, func() any { return new(map[stringKey]int) }},
		"text":            {`{"T":"int-1","V":"int-2","M":{"1-2":"int-3","5-6":null}}`, func() any { return new(textPointers) }},
		"text null":       {`{"T":null,"V":null}`, func() any { return &textPointers{T: ptr(textInt(1)), V: 2} }},
		"json method":     {`[{"a":[1,2.50,"x"]},null,"s",1e5]`, func() any { return new([]jsonRecorder) }},
		"json ptr method": {`[{"a":1},null]`, func() any { return new([]*jsonRecorder) }},
		"raw message":     {`{"R":{"z":1,"a":[1.50]},"P":null}`, func() any { return new(struct{ R, P json.RawMessage }) }},
		"json.Number":     {`[1.50,"2e3",null]`, func() any { return new([]json.Number) }},
		"big":             {`[123456789012345678901234567890,-1]`, func() any { return new([]*big.Int) }},
		"big value":       {`123456789012345678901234567890`, func() any { return new(big.Int) }},
		"big float":       {`"1.25"`, func() any { return new(big.Float) }},
		"float32":         {`[0.1,16777217,3.4028235e38,1e-50,0.50000001490116119384765625]`, func() any { return new([]float32) }},
		"float64":         {`[0.1,1e-400,123456789012345678901234567890,-0]`, func() any { return new([]float64) }},
		"empty struct":    {`{"a":1}`, func() any { return new(struct{}) }},
	}
}

func TestToGoLikeJSON(t *testing.T) {
	for name, c := range decodeCases() {
		t.Run(name, func(t *testing.T) {
			want, got := c.target(), c.target()
			require.NoError(t, json.Unmarshal([]byte(c.text), want))
			v := codectest.JSON(t, c.text)
			require.NoError(t, wire.ToGo(v, got))
			require.Equal(t, want, got)
		})
	}
}

// TestGoRoundTrip sends every value that FromGo takes through ToGo into its
// own type and back.
func TestGoRoundTrip(t *testing.T) {
	for name, in := range sameAsJSON() {
		switch name {
		case "nil", "interface slice", "embedded any", "omitting", "omitting odd":
			continue // nothing says which type an interface with methods holds
		case "big int", "json number":
			continue // encoding/json loses digits in an empty interface
		}
		t.Run(name, func(t *testing.T) {
			v, err := wire.FromGo(in)
			require.NoError(t, err)
			text, err := marshalJSON(in)
			require.NoError(t, err)
			want, got := reflect.New(reflect.TypeOf(in)), reflect.New(reflect.TypeOf(in))
			wantErr := json.Unmarshal(text, want.Interface())
			gotErr := wire.ToGo(v, got.Interface())
			if wantErr != nil {
				require.Error(t, gotErr)
				return
			}
			require.NoError(t, gotErr)
			again, err := wire.FromGo(got.Interface())
			require.NoError(t, err)
			text, err = marshalJSON(want.Interface())
			require.NoError(t, err)
			require.Equal(t, string(text), string(wire.AppendJSON(nil, again)))
		})
	}
}

func TestToGoKinds(t *testing.T) {
	when := time.Date(2024, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		in     wire.Value
		target any
		want   any
	}{
		"value":            {wire.Int(1), new(wire.Value), nil},
		"bytes":            {wire.Bytes([]byte{1, 255}), new([]byte), []byte{1, 255}},
		"bytes to string":  {wire.Bytes([]byte{1, 255}), new(string), "Af8="},
		"bytes to any":     {wire.Bytes([]byte{1, 255}), new(any), []byte{1, 255}},
		"bytes to json":    {wire.Bytes([]byte{1, 255}), new(jsonRecorder), jsonRecorder{`wire.Value("Af8=")`}},
		"time":             {wire.Time(when), new(time.Time), when},
		"time pointer":     {wire.Time(when), new(*time.Time), &when},
		"time to string":   {wire.Time(when), new(string), "2024-01-02T03:04:05.000000006+01:00"},
		"time to any":      {wire.Time(when), new(any), when},
		"time to embedded": {wire.Time(when), new(embeddedTime), embeddedTime{Time: when}},
		"UnmarshalWire":    {wire.Array(wire.Time(when)), new(wireMethods), wireMethods{when}},
		"wire tags":        {objectWith(t, "w", wire.Int(1), "b", wire.Int(2), "C", wire.Int(3)), new(wireTags), wireTags{A: 1, C: 3}},
		"int from 1e3":     {spelled(t, "1e3"), new(int16), int16(1000)},
		"int from 1.0":     {spelled(t, "-1.0"), new(int), -1},
		"int from float":   {wire.Float(4), new(uint8), uint8(4)},
		"uint from -0":     {spelled(t, "-0"), new(uint8), uint8(0)},
		"int from uint":    {wire.Uint(math.MaxUint64), new(uint64), uint64(math.MaxUint64)},
		"float from int":   {wire.Int(math.MaxInt64), new(float64), float64(math.MaxInt64)},
		"float32 twice":    {wire.Float(float64(float32(0.1))), new(float32), float32(0.1)},
		"number from int":  {wire.Int(-5), new(json.Number), json.Number("-5")},
		"any id":           {wire.Int(9007199254740993), new(any), json.Number("9007199254740993")},
		"any small int":    {wire.Int(9007199254740992), new(any), float64(9007199254740992)},
		"any digits":       {spelled(t, "0.1000000000000000055511151231257827"), new(any), json.Number("0.1000000000000000055511151231257827")},
		"any huge":         {spelled(t, "1e400"), new(any), json.Number("1e400")},
		"any 0.10":         {spelled(t, "0.10"), new(any), 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, wire.ToGo(c.in, c.target))
			if v, ok := c.target.(*wire.Value); ok {
				require.True(t, wire.Identical(c.in, *v))
				return
			}
			require.Equal(t, c.want, reflect.ValueOf(c.target).Elem().Interface())
		})
	}
	var nested struct {
		V wire.Value
		L []wire.Value
		M map[string]wire.Value
	}
	in := objectWith(t, "V", wire.Null(), "L", wire.Array(wire.Int(1)), "M", objectWith(t, "k", spelled(t, "1.50")))
	require.NoError(t, wire.ToGo(in, &nested))
	require.Equal(t, "1.50", nested.M["k"].Text())
	require.True(t, nested.V.Kind() == wire.KindNull)
	require.Len(t, nested.L, 1)
}

type failingTarget struct{}

func (*failingTarget) UnmarshalJSON([]byte) error { return errOwn }

type failingTextTarget struct{ N int }

func (*failingTextTarget) UnmarshalText([]byte) error { return errOwn }

type hiddenPointer struct {
	*base
	N int
}

type hiddenNamed struct {
	*base `json:"b"`
}

func TestToGoErrors(t *testing.T) {
	type pointer *pointer
	var self any
	self = &self
	deep := wire.Null()
	for range bound.MostDepth + 1 {
		deep = wire.Array(deep)
	}
	for name, c := range map[string]struct {
		text   string
		target any
		kind   error
		path   string
	}{
		"nil":             {`1`, nil, wire.ErrType, ""},
		"no pointer":      {`1`, 5, wire.ErrType, ""},
		"nil pointer":     {`1`, (*int)(nil), wire.ErrType, ""},
		"nil value":       {`1`, (*wire.Value)(nil), wire.ErrType, ""},
		"int8":            {`[1,128]`, new([]int8), wire.ErrRange, "/1"},
		"int8 low":        {`-129`, new(int8), wire.ErrRange, ""},
		"uint8":           {`{"a/b":256}`, new(map[string]uint8), wire.ErrRange, "/a~1b"},
		"negative uint":   {`{"U64":-1}`, new(allKinds), wire.ErrRange, "/U64"},
		"int64":           {`{"I64":9223372036854775808}`, new(allKinds), wire.ErrRange, "/I64"},
		"uint64":          {`18446744073709551616`, new(uint64), wire.ErrRange, ""},
		"fraction":        {`[{"id":1},{"id":1.5}]`, new([]tableRow), wire.ErrRange, "/1/id"},
		"float64":         {`1e400`, new(float64), wire.ErrRange, ""},
		"float32":         {`[3.5e38]`, new([]float32), wire.ErrRange, "/0"},
		"string in int":   {`{"Int":"1"}`, new(allKinds), wire.ErrType, "/Int"},
		"number in text":  {`{"String":1}`, new(allKinds), wire.ErrType, "/String"},
		"bool in number":  {`[true]`, new([]json.Number), wire.ErrType, "/0"},
		"array in struct": {`{"Struct":[]}`, new(allKinds), wire.ErrType, "/Struct"},
		"object in slice": {`{"Slice":{}}`, new(allKinds), wire.ErrType, "/Slice"},
		"string in array": {`"AAA="`, new([3]byte), wire.ErrType, ""},
		"number in bool":  {`{"active":0}`, new(tableRow), wire.ErrType, "/active"},
		"number in map":   {`1`, new(map[string]int), wire.ErrType, ""},
		"bool map key":    {`{}`, new(map[bool]int), wire.ErrType, ""},
		"channel":         {`{"a":1}`, new(map[string]chan int), wire.ErrType, "/a"},
		"interface":       {`1`, new(error), wire.ErrType, ""},
		"map key":         {`{"x":1}`, new(map[int]int), wire.ErrType, "/x"},
		"map key range":   {`{"128":1}`, new(map[int8]int), wire.ErrRange, "/128"},
		"map key uint":    {`{"-1":1}`, new(map[uint]int), wire.ErrType, "/-1"},
		"map key text":    {`{"x":1}`, new(map[textKey]int), wire.ErrType, "/x"},
		"base64":          {`["!"]`, new([][]byte), wire.ErrType, "/0"},
		"time":            {`["yesterday"]`, new([]time.Time), wire.ErrType, "/0"},
		"time number":     {`1`, new(time.Time), wire.ErrType, ""},
		"json.Number":     {`"x"`, new(json.Number), wire.ErrType, ""},
		"quoted bare":     {`{"i":1}`, new(quoting), wire.ErrType, "/i"},
		"quoted text":     {`{"i":"x"}`, new(quoting), wire.ErrType, "/i"},
		"quoted array":    {`{"i":"[1]"}`, new(quoting), wire.ErrType, "/i"},
		"quoted kind":     {`{"i":"true"}`, new(quoting), wire.ErrType, "/i"},
		"quoted space":    {`{"i":" 1"}`, new(quoting), wire.ErrType, "/i"},
		"json method":     {`[{}]`, new([]failingTarget), errOwn, "/0"},
		"text method":     {`{"k":""}`, new(map[string]failingTextTarget), errOwn, "/k"},
		"text not text":   {`{"k":{}}`, new(map[string]failingTextTarget), wire.ErrType, "/k"},
		"wire method":     {`{"k":[true,2]}`, new(map[string]wireMethods), wire.ErrType, "/k/3/0"},
		"hidden pointer":  {`{"N":1,"ID":2}`, new(hiddenPointer), wire.ErrType, "/ID"},
		"hidden named":    {`{"b":{}}`, new(hiddenNamed), wire.ErrType, "/b"},
		"float32 string":  {`"1"`, new(float32), wire.ErrType, ""},
		"array element":   {`[[1,"x"]]`, new([1][2]int), wire.ErrType, "/0/1"},
		"endless pointer": {`1`, new(pointer), wire.ErrLimit, ""},
		"cyclic target":   {`1`, &self, wire.ErrLimit, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := codectest.JSON(t, c.text)
			requireGoError(t, wire.ToGo(v, c.target), c.kind, c.path)
		})
	}
	t.Run("deep any", func(t *testing.T) {
		requireGoError(t, wire.ToGo(deep, new(any)), wire.ErrLimit, strings.Repeat("/0", bound.MostDepth))
	})
	t.Run("deep type", func(t *testing.T) {
		type list []list
		requireGoError(t, wire.ToGo(deep, new(list)), wire.ErrLimit, strings.Repeat("/0", bound.MostDepth))
	})
}

func requireGoError(t *testing.T, err, kind error, path string) {
	t.Helper()
	require.ErrorIs(t, err, kind)
	e := codectest.Error(t, err)
	require.Equal(t, "wire", e.Format)
	require.Equal(t, path, e.Path())
	require.Less(t, len(err.Error()), 1000)
}

// TestToGoStopsAtTheFault holds what ToGo promises of a target after an error.
func TestToGoStopsAtTheFault(t *testing.T) {
	v := codectest.JSON(t, `{"Int":1,"Slice":[1,"x",3],"String":"not reached"}`)
	got := allKinds{Slice: []int{7, 8, 9, 10}, String: "old"}
	require.ErrorIs(t, wire.ToGo(v, &got), wire.ErrType)
	require.Equal(t, allKinds{Int: 1, Slice: []int{1, 0, 0}, String: "old"}, got)
}

// TestToGoManyShapes has more shapes than ToGo remembers, twice in turn.
func TestToGoManyShapes(t *testing.T) {
	var rows []wire.Value
	for i := range 2000 {
		rows = append(rows, objectWith(t, "unknown"+strings.Repeat("x", i%1000), wire.Int(0), "ID", wire.Int(int64(i))))
	}
	var got []base
	require.NoError(t, wire.ToGo(wire.Array(rows...), &got))
	for i, b := range got {
		require.Equal(t, i, b.ID)
	}
}

func TestToGoAllocations(t *testing.T) {
	rows, text := tableRows(t, 10_000)
	v := codectest.JSON(t, text)
	var got []tableRow
	require.NoError(t, wire.ToGo(v, &got))
	require.Equal(t, rows, got)
	growth.Allocs(t, 10, func() {
		var fresh []tableRow
		if err := wire.ToGo(v, &fresh); err != nil {
			t.Fatal(err)
		}
	})
}

// TestGoDifferences is the list of what FromGo and ToGo do differently from
// encoding/json on the same input, each with its reason. What bytes, times,
// values and wire tags become is in TestFromGoKinds and TestToGoKinds.
func TestGoDifferences(t *testing.T) {
	t.Run("invalid UTF-8 is kept for the codec to refuse, not replaced silently", func(t *testing.T) {
		v, err := wire.FromGo("a\xff")
		require.NoError(t, err)
		require.Equal(t, "a\xff", v.Text())
		_, err = wire.Marshal(wire.JSON{}, "a\xff")
		require.ErrorIs(t, err, wire.ErrUTF8)
	})
	t.Run("two map keys with one text are an error, because objects have unique keys", func(t *testing.T) {
		m := map[sameText]int{1: 1, 2: 2}
		text, err := json.Marshal(m)
		require.NoError(t, err)
		require.Equal(t, 2, strings.Count(string(text), "same"))
		_, err = wire.FromGo(m)
		require.ErrorIs(t, err, wire.ErrDuplicateKey)
	})
	t.Run("the last of two equal keys in a method's JSON wins, for the same reason", func(t *testing.T) {
		v, err := wire.FromGo(json.RawMessage(`{"a":1,"a":2}`))
		require.NoError(t, err)
		require.Equal(t, `{"a":2}`, v.String())
	})
	t.Run("a cycle that leads nowhere is an error in both, a deep list is one only here, before Go 1.27", func(t *testing.T) {
		var v any
		for range bound.MostDepth + 1 {
			v = []any{v}
		}
		_, err := json.Marshal(v)
		require.Equal(t, gotype.OnV2(), err != nil)
		_, err = wire.FromGo(v)
		require.ErrorIs(t, err, wire.ErrLimit)
	})
	t.Run("whole numbers go into integers in every spelling, because formats may respell them", func(t *testing.T) {
		var n int
		require.Error(t, json.Unmarshal([]byte(`1e3`), &n))
		require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(`1e3`), &n))
		require.Equal(t, 1000, n)
	})
	t.Run("the text in a field of the option string escapes what JSON demands, not what HTML does, too", func(t *testing.T) {
		v := struct {
			S string `json:",string"`
		}{"\u2028<"}
		text, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, `{"S":"\"\\u2028\\u003c\""}`, string(text))
		text, err = wire.Marshal(wire.JSON{}, v)
		require.NoError(t, err)
		require.Equal(t, "{\"S\":\"\\\"\u2028<\\\"\"}", string(text))
	})
	t.Run("no digit is lost in an empty interface", func(t *testing.T) {
		var a, b any
		require.NoError(t, json.Unmarshal([]byte(`9007199254740993`), &a))
		require.Equal(t, 9007199254740992.0, a)
		require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(`9007199254740993`), &b))
		require.Equal(t, json.Number("9007199254740993"), b)
	})
	t.Run("elements of a slice do not inherit what its memory held, as encoding/json's documentation says too", func(t *testing.T) {
		a, b := []base{{1, "old"}}, []base{{1, "old"}}
		require.NoError(t, json.Unmarshal([]byte(`[{"ID":2}]`), &a))
		require.Equal(t, "old", a[0].Name)
		require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(`[{"ID":2}]`), &b))
		require.Empty(t, b[0].Name)
	})
	t.Run("the first error ends the conversion, so that what was stored is a prefix", func(t *testing.T) {
		var a, b []int
		require.Error(t, json.Unmarshal([]byte(`[1,"x",3]`), &a))
		require.Equal(t, []int{1, 0, 3}, a)
		require.Error(t, wire.Unmarshal(wire.JSON{}, []byte(`[1,"x",3]`), &b))
		require.Equal(t, []int{1, 0, 0}, b)
	})
	t.Run("the option string wants JSON's grammar inside the string, not strconv's", func(t *testing.T) {
		var q quoting
		require.NoError(t, json.Unmarshal([]byte(`{"i":"007"}`), &q))
		require.ErrorIs(t, wire.Unmarshal(wire.JSON{}, []byte(`{"i":"007"}`), &q), wire.ErrType)
	})
	t.Run("the option string has no effect on types with methods, whose text encoding/json writes as it is and could not read before Go 1.27", func(t *testing.T) {
		text, err := json.Marshal(quotedMethod{3})
		require.NoError(t, err)
		require.Contains(t, string(text), `"t":"int-3"`)
		var q quotedMethod
		require.Equal(t, gotype.OnV2(), json.Unmarshal([]byte(`{"t":"int-3"}`), &q) == nil)
		require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte(`{"t":"int-3"}`), &q))
		require.Equal(t, textInt(3), q.T)
	})
	t.Run("lone surrogates in JSON are refused, not replaced", func(t *testing.T) {
		var s string
		require.NoError(t, json.Unmarshal([]byte(`"\ud800"`), &s))
		require.ErrorIs(t, wire.Unmarshal(wire.JSON{}, []byte(`"\ud800"`), &s), wire.ErrUTF8)
	})
	t.Run("errors of methods are found by errors.Is", func(t *testing.T) {
		err := wire.ToGo(wire.Int(1), new(failingTarget))
		require.True(t, errors.Is(err, errOwn) && errors.Is(err, wire.ErrType))
	})
}
