package randgo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/wire"
)

// Ways are two ways between Go values and the documents of a format, which must
// not differ: straight between them, and through Values.
type Ways struct {
	Marshal   func(v any) ([]byte, error)
	Append    func(dst []byte, v any) ([]byte, error)
	Unmarshal func(src []byte, v any) error
	// Codec goes through Values in wire.Marshal and wire.Unmarshal.
	Codec wire.Codec
	// Types makes the types of a round.
	Types func(seed uint64) Types
	// Pieces are what documents of the format are made of.
	Pieces []string
	// Respell writes a document in another form, if not nil.
	Respell func(r *rand.Rand, doc []byte) []byte
}

// Simple returns types of what needs no Value on its way, and of a little that
// does, with strings of these.
func Simple(seed uint64, strings []string) Types {
	r := rand.New(rand.NewPCG(seed, 3))
	leaves := slices.Repeat(Scalars(), 8)
	if r.IntN(4) == 0 {
		leaves = append(leaves, reflect.TypeFor[any](), reflect.TypeFor[[]byte](), reflect.TypeFor[float32]())
	}
	return Types{
		Rand:    r,
		Leaves:  append(leaves, reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[[]string](), reflect.TypeFor[[]float64]()),
		Keys:    []reflect.Type{reflect.TypeFor[string]()},
		Strings: strings,
	}
}

// root returns a struct type, or a list of one.
func (r Types) root() reflect.Type {
	typ := r.Struct(r.IntN(3))
	switch r.IntN(4) {
	case 0:
		typ = reflect.SliceOf(reflect.PointerTo(typ))
	case 1, 2:
		typ = reflect.SliceOf(typ)
	}
	return typ
}

// filled returns a variable with a random value.
func (r Types) filled(typ reflect.Type) reflect.Value {
	in := reflect.New(typ)
	for range 3 { // a quarter of all variables stays as it is
		r.Fill(in.Elem(), 0)
	}
	return in
}

// Compare marshals random values of random types, and unmarshals the documents.
func (w Ways) Compare(t *testing.T, rounds uint64) {
	if testing.Short() {
		rounds /= 6
	}
	marshalled := 0
	for seed := range rounds {
		r := w.Types(seed)
		typ := r.root()
		in := r.filled(typ)
		for _, v := range []any{in.Interface(), in.Elem().Interface()} {
			want, wantErr := wire.Marshal(codectest.Values(w.Codec), v)
			got, err := w.Marshal(v)
			require.Equal(t, wantErr, err, "seed %d, %s", seed, typ)
			require.Equal(t, string(want), string(got), "seed %d, %s", seed, typ)
			appended, err := w.Append([]byte("before "), v)
			require.Equal(t, wantErr, err, "seed %d, %s", seed, typ)
			require.Equal(t, "before "+string(want), string(appended))
			if err != nil {
				codectest.Error(t, err)
				continue
			}
			marshalled++
			w.read(t, seed, typ, want)
		}
	}
	require.Greater(t, marshalled, int(rounds)/2)
}

// CompareMutated unmarshals documents that were changed in a few places.
func (w Ways) CompareMutated(t *testing.T, rounds uint64) {
	if testing.Short() {
		rounds /= 5
	}
	sound := 0
	for seed := range rounds {
		r := w.Types(seed)
		typ := r.root()
		doc, err := w.Marshal(r.filled(typ).Interface())
		if err != nil {
			continue
		}
		if w.Respell != nil && r.IntN(2) == 0 {
			doc = w.Respell(r.Rand, doc)
			w.read(t, seed, typ, doc)
		}
		w.read(t, seed, typ, bytes.ReplaceAll(doc, []byte("\n"), []byte("\r\n")))
		for range 12 {
			if w.read(t, seed, typ, faulty.Damaged(r.Rand, doc, doc, w.Pieces)) {
				sound++
			}
		}
	}
	require.Greater(t, sound, int(rounds)/2)
}

// CompareWholes unmarshals whole numbers at the ends of Go's types into all types of numbers.
func (w Ways) CompareWholes(t *testing.T) {
	read := 0
	for bits := range 65 {
		power := uint64(1) << bits
		for _, n := range []uint64{power - 1, power, -power, -power - 1} {
			for _, list := range []any{[]uint64{n}, []int64{int64(n)}} {
				doc, err := w.Marshal(list)
				require.NoError(t, err)
				for _, typ := range Scalars() {
					if w.read(t, n, reflect.SliceOf(typ), doc) {
						read++
					}
				}
			}
		}
	}
	require.Greater(t, read, 65)
}

// CompareTexts unmarshals random texts, which text makes, into type typ. Some of them
// must be documents.
func (w Ways) CompareTexts(t *testing.T, rounds uint64, typ reflect.Type, text func(r *rand.Rand) string) {
	r := rand.New(rand.NewPCG(1, 2))
	sound := 0
	for seed := range rounds {
		if w.read(t, seed, typ, []byte(text(r))) {
			sound++
		}
	}
	require.Greater(t, sound, 500, "enough texts are documents")
}

// Same holds that a value, which needs not be of a simple type, is marshalled both
// ways to the same document, which it returns, or refused for the same reason.
func (w Ways) Same(t *testing.T, v any) []byte {
	want, wantErr := wire.Marshal(codectest.Values(w.Codec), v)
	got, err := w.Marshal(v)
	require.Equal(t, wantErr, err)
	require.Equal(t, string(want), string(got))
	return got
}

// A Flat has all kinds of fields that need no Value.
type Flat struct {
	S  string  `json:"s"`
	T  string  `wire:"t" json:"not"`
	I  int     `json:"i"`
	I8 int8    `json:"i8"`
	U  uint16  `json:"u"`
	V  uint64  `json:"v"`
	F  float64 `json:"f"`
	B  bool
	x  int //lint:ignore U1000 an unexported field is not a column
}

// CompareRows marshals rows of Flat with strings of these, reads them both ways and
// holds that they come back. change takes out what the format has not.
func (w Ways) CompareRows(t *testing.T, rounds uint64, strings []string, change func(*Flat)) {
	for seed := range rounds {
		r := Types{Rand: rand.New(rand.NewPCG(seed, 1)), Strings: strings}
		rows := make([]Flat, r.IntN(5))
		for i := range rows {
			r.Fill(reflect.ValueOf(&rows[i]).Elem(), 0)
			change(&rows[i])
		}
		doc := w.Same(t, rows)
		require.True(t, w.read(t, seed, reflect.TypeOf(rows), doc))
		back := []Flat{}
		require.NoError(t, w.Unmarshal(doc, &back))
		require.Equal(t, rows, back, "%s", doc) // -0 is 0 in some formats, and so here
	}
}

// read unmarshals a document both ways and reports whether it is one.
func (w Ways) read(t *testing.T, seed uint64, typ reflect.Type, src []byte) bool {
	slow, fast := reflect.New(typ), reflect.New(typ)
	wantErr := wire.Unmarshal(codectest.Values(w.Codec), src, slow.Interface())
	err := w.Unmarshal(src, fast.Interface())
	if wantErr != nil {
		require.Error(t, err, "seed %d, %s from %s", seed, typ, src)
		require.Equal(t, Unplaced(wantErr), Unplaced(err), "seed %d, %s from %s", seed, typ, src)
	} else {
		require.NoError(t, err, "seed %d, %s from %s", seed, typ, src)
	}
	require.Equal(t, slow.Interface(), fast.Interface(), "seed %d, %s from %s", seed, typ, src)
	return err == nil
}

// Unplaced returns the text of an error without its position, which only codecs of this
// module have for what a Go value does not take.
func Unplaced(err error) string {
	if e, ok := err.(*wire.Error); ok {
		unplaced := *e
		unplaced.Line = 0
		return unplaced.Error()
	}
	return fmt.Sprint(err)
}
