package gcf_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
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
	rounds := uint64(4000)
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
			appended, err := gcf.AppendMarshal([]byte("before "), v)
			require.NoError(t, err)
			require.Equal(t, "before "+string(want), string(appended))
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

// mutate changes a document in a few places.
func mutate(r *rand.Rand, doc []byte) []byte {
	pieces := append([]string{"|", "\n", "-", "~", "^", " ", "  ", "\"", ",", "0", "1", "-1", "1e5", "true", "@0 ", "[2]", "{", "}", ".", "=", "## ", "#", "\r", "a", "[0]\n", "~|", "-|", "^|"}, cells...)
	doc = slices.Clone(doc)
	for range 1 + r.IntN(2) {
		at := r.IntN(len(doc) + 1)
		switch to := min(len(doc), at+r.IntN(4)); r.IntN(4) {
		case 0:
			doc = slices.Delete(doc, at, to)
		case 1:
			doc = slices.Replace(doc, at, to, []byte(pieces[r.IntN(len(pieces))])...)
		case 2: // a line twice, or a line less
			lines := bytes.SplitAfter(doc, []byte("\n"))
			n := r.IntN(len(lines))
			if r.IntN(2) == 0 {
				lines = slices.Delete(lines, n, n+1)
			} else {
				lines = slices.Insert(lines, n, lines[r.IntN(len(lines))])
			}
			doc = bytes.Join(lines, nil)
		default:
			doc = slices.Insert(doc, at, []byte(pieces[r.IntN(len(pieces))])...)
		}
	}
	return doc
}

// TestGoMutated: whatever a document has become, Unmarshal does what the way
// through Values does, errors included.
func TestGoMutated(t *testing.T) {
	rounds := uint64(2000)
	if testing.Short() {
		rounds = 400
	}
	sound := 0
	for seed := range rounds {
		r := simpleTypes(seed)
		typ := r.Struct(r.IntN(3))
		if r.IntN(2) == 0 {
			typ = reflect.SliceOf(typ)
		}
		in := reflect.New(typ)
		for range 3 {
			r.Fill(in.Elem(), 0)
		}
		doc, err := gcf.Marshal(in.Interface())
		if err != nil {
			continue
		}
		for range 12 {
			src := mutate(r.Rand, doc)
			slow, fast := reflect.New(typ), reflect.New(typ)
			wantErr := wire.Unmarshal(gcf.Codec{}, src, slow.Interface())
			err := gcf.Unmarshal(src, fast.Interface())
			if wantErr != nil {
				require.Error(t, err, "seed %d, %s from %s", seed, typ, src)
				require.Equal(t, wantErr.Error(), err.Error())
				continue
			}
			sound++
			require.NoError(t, err, "seed %d, %s from %s", seed, typ, src)
			require.Equal(t, slow.Interface(), fast.Interface(), "seed %d, %s from %s", seed, typ, src)
		}
	}
	require.Greater(t, sound, int(rounds))
}
