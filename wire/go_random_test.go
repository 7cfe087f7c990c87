package wire_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// randomTypes makes Go types at random, and values of them.
type randomTypes struct{ *rand.Rand }

// leaves are the types that random ones are made of.
var leaves = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[float64](),
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[any](), reflect.TypeFor[namedString](),
	reflect.TypeFor[json.Number](), reflect.TypeFor[time.Time](), reflect.TypeFor[textInt](), reflect.TypeFor[textKey](),
	reflect.TypeFor[valueJSON](), reflect.TypeFor[pointerJSON](), reflect.TypeFor[pointerText](), reflect.TypeFor[mapJSON](),
	reflect.TypeFor[oddZero](), reflect.TypeFor[pointerZero](), reflect.TypeFor[base](), reflect.TypeFor[Exported](),
	reflect.TypeFor[recursive](), reflect.TypeFor[embedding](), reflect.TypeFor[named](), reflect.TypeFor[omitting](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[struct{}](), reflect.TypeFor[[]byte](), reflect.TypeFor[map[string]string](),
	reflect.TypeFor[map[string]int](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](),
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[namedString](), reflect.TypeFor[int8](), reflect.TypeFor[uint32](),
	reflect.TypeFor[int](), reflect.TypeFor[textKey](),
}

func (r randomTypes) typ(depth int) reflect.Type {
	if depth == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	switch r.IntN(9) {
	case 0, 1:
		return r.structure(depth - 1)
	case 2:
		return reflect.SliceOf(r.typ(depth - 1))
	case 3:
		return reflect.ArrayOf(r.IntN(4), r.typ(depth-1))
	case 4:
		return reflect.PointerTo(r.typ(depth - 1))
	case 5:
		return reflect.MapOf(keyTypes[r.IntN(len(keyTypes))], r.typ(depth-1))
	}
	return leaves[r.IntN(len(leaves))]
}

// structure returns a struct type: mostly a few fields, sometimes more optional
// ones than the plans keep variants of.
func (r randomTypes) structure(depth int) reflect.Type {
	n := r.IntN(6)
	if r.IntN(12) == 0 {
		n = r.IntN(90)
	}
	optional := r.IntN(4)
	fields := make([]reflect.StructField, n)
	for i := range fields {
		f := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: r.typ(depth)}
		name := []string{"", "", fmt.Sprintf("name%d", i), fmt.Sprintf("ñ %d", i)}[r.IntN(4)]
		if r.IntN(4) < optional {
			name += []string{",omitempty", ",omitzero", ",omitempty,omitzero"}[r.IntN(3)]
		}
		if r.IntN(8) == 0 {
			name += ",string"
		}
		f.Tag = reflect.StructTag(`json:"` + name + `"`)
		fields[i] = f
	}
	embedded := []reflect.Type{reflect.TypeFor[Left](), reflect.TypeFor[*Left](), reflect.TypeFor[Exported](), reflect.TypeFor[*Exported]()}
	for _, t := range embedded {
		if r.IntN(8) == 0 {
			name := t.Name()
			if t.Kind() == reflect.Pointer {
				name = t.Elem().Name()
			}
			fields = append(fields, reflect.StructField{Name: name, Type: t, Anonymous: true})
			break
		}
	}
	return reflect.StructOf(fields)
}

var randomStrings = []string{"", "a", "text", "ünïcode 漢字", "with \"quotes\"\n", "12", "true", "null", strings.Repeat("long ", 40)}

func (r randomTypes) text() string { return randomStrings[r.IntN(len(randomStrings))] }

func (r randomTypes) float() float64 {
	switch r.IntN(5) {
	case 0:
		return 0
	case 1:
		return float64(r.IntN(2000)-1000) / 100
	case 2:
		return math.Copysign(0, -1)
	case 3:
		for {
			if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
				return f
			}
		}
	}
	return float64(r.IntN(1000)) / 7
}

// fill sets a variable to a random value; a quarter of all stay as they are.
func (r randomTypes) fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth > 8 || r.IntN(4) == 0 {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(4e9), r.Int64N(1e9)).In(time.FixedZone("", 60*r.IntN(600)))))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString([]string{"0", "1.50", "-1e7", "12345678901234567890"}[r.IntN(4)])
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte([]string{`{"b":1}`, `[]`, `"x"`, `1.0`}[r.IntN(4)]))
		return
	case reflect.TypeFor[zeroInterface]():
		v.Set(reflect.ValueOf(oddZero(r.IntN(3))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()) >> r.IntN(40))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()) >> r.IntN(40))
	case reflect.Float64:
		v.SetFloat(r.float())
	case reflect.Float32:
		v.SetFloat(float64(r.IntN(1000)) / 8)
	case reflect.Struct:
		for i := range v.NumField() {
			r.fill(v.Field(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i), depth+1)
		}
	case reflect.Slice:
		n := r.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n+r.IntN(3)))
		for i := range n {
			r.fill(v.Index(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem(), depth+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.fill(key, depth)
			r.fill(value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return
		}
		held := reflect.New(r.typ(1)).Elem()
		r.fill(held, depth+1)
		if r.IntN(3) == 0 {
			held = held.Addr()
		}
		v.Set(held)
	}
}

// TestGoRandom converts random values of random types as encoding/json does,
// both ways: by value and by pointer, and back into fresh memory and into
// memory that holds something already.
func TestGoRandom(t *testing.T) {
	r := randomTypes{rand.New(rand.NewPCG(7, 7))}
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	failed, stored := 0, 0
	for round := range rounds {
		typ := r.typ(4)
		in, old := reflect.New(typ), reflect.New(typ)
		r.fill(in.Elem(), 0)
		r.fill(old.Elem(), 0)
		var texts [2]string
		for i, v := range []any{in.Elem().Interface(), in.Interface()} {
			want, err := marshalJSON(v)
			value, gotErr := wire.FromGo(v)
			if (err == nil) != (gotErr == nil) {
				t.Fatalf("round %d, %s: encoding/json says %v, wire %v", round, typ, err, gotErr)
			}
			if err != nil {
				failed++
				continue
			}
			texts[i] = string(want)
			require.Equal(t, string(want), string(wire.AppendJSON(nil, value)), "round %d, %s", round, typ)
			// The same keys are one list.
			again, _ := wire.FromGo(v)
			require.True(t, wire.Identical(value, again))
		}
		if texts[1] == "" {
			continue
		}
		value, err := wire.ParseJSON([]byte(texts[1]))
		require.NoError(t, err)
		// Copies of what is there already come from encoding/json itself.
		kept, err := json.Marshal(old.Interface())
		require.NoError(t, err)
		for _, before := range []string{"null", string(kept)} {
			want, got := reflect.New(typ), reflect.New(typ)
			if json.Unmarshal([]byte(before), want.Interface()) != nil || json.Unmarshal([]byte(before), got.Interface()) != nil {
				continue
			}
			if before != "null" && holdsSlices(typ, nil) {
				continue // their elements are zero before they are stored
			}
			if err := json.Unmarshal([]byte(texts[1]), want.Interface()); err != nil {
				failed++
				continue
			}
			require.NoError(t, wire.ToGo(value, got.Interface()), "round %d, %s from %s", round, typ, texts[1])
			stored++
			if lossless(got.Elem()) {
				require.Equal(t, want.Interface(), got.Interface(), "round %d, %s from %s", round, typ, texts[1])
			}
		}
		// A document for another type is stored by both or refused by both.
		other := reflect.New(r.typ(3))
		want, got := other.Interface(), reflect.New(other.Type().Elem()).Interface()
		wantErr, gotErr := json.Unmarshal([]byte(texts[1]), want), wire.ToGo(value, got)
		if wantErr == nil && lossless(reflect.ValueOf(got).Elem()) {
			require.NoError(t, gotErr, "round %d, %s from %s", round, other.Type(), texts[1])
			require.Equal(t, want, got, "round %d, %s from %s", round, other.Type(), texts[1])
		}
	}
	require.Greater(t, stored, rounds/2)
	require.Less(t, failed, rounds)
}

// holdsSlices reports whether values of the type hold slices somewhere.
func holdsSlices(t reflect.Type, seen []reflect.Type) bool {
	for _, s := range seen {
		if s == t {
			return false
		}
	}
	seen = append(seen, t)
	switch t.Kind() {
	case reflect.Slice, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Array, reflect.Map:
		return holdsSlices(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsSlices(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
