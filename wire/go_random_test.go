package wire_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

// randomTypes are made of types of every kind.
func randomTypes(seed uint64) randgo.Types {
	return randgo.Types{
		Rand: rand.New(rand.NewPCG(seed, 7)),
		Leaves: append(append(randgo.Scalars(), v2Types...),
			reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[any](), reflect.TypeFor[namedString](),
			reflect.TypeFor[json.Number](), reflect.TypeFor[textInt](), reflect.TypeFor[textKey](),
			reflect.TypeFor[valueJSON](), reflect.TypeFor[pointerJSON](), reflect.TypeFor[pointerText](), reflect.TypeFor[mapJSON](),
			reflect.TypeFor[oddZero](), reflect.TypeFor[pointerZero](), reflect.TypeFor[base](), reflect.TypeFor[Exported](),
			reflect.TypeFor[recursive](), reflect.TypeFor[embedding](), reflect.TypeFor[named](), reflect.TypeFor[omitting](),
			reflect.TypeFor[json.RawMessage](), reflect.TypeFor[struct{}](), reflect.TypeFor[[]byte](), reflect.TypeFor[map[string]string](),
			reflect.TypeFor[map[string]int](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any]()),
		Keys: []reflect.Type{
			reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[namedString](), reflect.TypeFor[int8](), reflect.TypeFor[uint32](),
			reflect.TypeFor[int](), reflect.TypeFor[textKey](),
		},
		Embedded: []reflect.Type{reflect.TypeFor[Left](), reflect.TypeFor[*Left](), reflect.TypeFor[Exported](), reflect.TypeFor[*Exported]()},
	}
}

// TestGoRandom converts random values of random types as encoding/json does,
// both ways: by value and by pointer, and back into fresh memory and into
// memory that holds something already.
func TestGoRandom(t *testing.T) {
	r := randomTypes(7)
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	failed, stored := 0, 0
	for round := range rounds {
		typ := r.Type(4)
		in, old := reflect.New(typ), reflect.New(typ)
		r.Fill(in.Elem(), 0)
		r.Fill(old.Elem(), 0)
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
		value := codectest.JSON(t, texts[1])
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
		other := reflect.New(r.Type(3))
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
