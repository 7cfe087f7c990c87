package gcf_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/randgo"
	"github.com/wirekit/wirekit/wire"
)

// simpleTypes are made of what needs no Value on its way, and a little that does.
func simpleTypes(seed uint64) randgo.Types {
	r := rand.New(rand.NewPCG(seed, 3))
	leaves := randgo.Scalars()
	for range 3 {
		leaves = append(leaves, leaves...)
	}
	if r.IntN(4) == 0 {
		leaves = append(leaves, reflect.TypeFor[any](), reflect.TypeFor[[]byte](), reflect.TypeFor[float32]())
	}
	return randgo.Types{
		Rand:    r,
		Leaves:  append(leaves, reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[[]string](), reflect.TypeFor[[]float64]()),
		Keys:    []reflect.Type{reflect.TypeFor[string]()},
		Strings: cells,
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses
// what that refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) {
	rounds := uint64(6000)
	if testing.Short() {
		rounds = 600
	}
	marshalled := 0
	for seed := range rounds {
		r := simpleTypes(seed)
		typ := r.Struct(r.IntN(3))
		switch r.IntN(4) {
		case 0:
			typ = reflect.SliceOf(reflect.PointerTo(typ))
		case 1, 2:
			typ = reflect.SliceOf(typ)
		}
		in := reflect.New(typ)
		for range 3 { // a quarter of all variables stays as it is
			r.Fill(in.Elem(), 0)
		}
		for _, v := range []any{in.Interface(), in.Elem().Interface()} {
			want, wantErr := wire.Marshal(gcf.Codec{}, v)
			got, err := gcf.Marshal(v)
			require.Equal(t, wantErr, err, "seed %d, %s", seed, typ)
			require.Equal(t, string(want), string(got), "seed %d, %s", seed, typ)
			if err != nil {
				var e *wire.Error
				require.True(t, errors.As(err, &e))
				continue
			}
			marshalled++
			slow, fast := reflect.New(typ), reflect.New(typ)
			wantErr = wire.Unmarshal(gcf.Codec{}, want, slow.Interface())
			err = gcf.Unmarshal(want, fast.Interface())
			if wantErr != nil {
				require.Error(t, err)
				require.Equal(t, wantErr.Error(), err.Error(), "seed %d, %s from %s", seed, typ, want)
				continue
			}
			require.NoError(t, err, "seed %d, %s from %s", seed, typ, want)
			require.Equal(t, slow.Interface(), fast.Interface(), "seed %d, %s from %s", seed, typ, want)
		}
	}
	require.Greater(t, marshalled, int(rounds)/2)
}
