package csv_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

var goTexts = []string{"", "a", "id", "007", "-1.5e3", "true", "null", "x,y", "a;b", "say \"hi\"", "line\nbreak", "a\rb", "tab\there", " lead", "é", "\xff", "\ufeffmark", strings.Repeat("long, ", 20)}

// goCodecs are the codecs whose ways of Go values are compared.
var goCodecs = []csv.Codec{
	{}, {Comma: '\t'}, {Comma: ';'}, {Comma: 'x'}, {AllStrings: true}, {Limits: wire.Limits{OutputBytes: 60}}, {Limits: wire.Limits{OutputBytes: 60, Values: 3, Depth: 1}, AllStrings: true},
}

func goWays(c csv.Codec) randgo.Ways { return randgo.Ways{Codec: c, Marshal: c.Marshal} }

// TestGoRandom: Marshal writes what the way through Values writes, and refuses what that
// refuses.
func TestGoRandom(t *testing.T) {
	rounds := uint64(3000)
	if testing.Short() {
		rounds /= 5
	}
	tables := 0
	for seed := range rounds {
		r := randgo.Simple(seed, goTexts)
		r.Leaves = append(randgo.Scalars(), reflect.TypeFor[string](), reflect.TypeFor[any](), reflect.TypeFor[*string](), reflect.TypeFor[*float64](), reflect.TypeFor[*time.Time](), reflect.TypeFor[**int](), reflect.TypeFor[float32](), reflect.TypeFor[[]byte]())
		switch seed % 4 {
		case 0:
			r.Leaves = []reflect.Type{reflect.TypeFor[string]()}
		case 1:
			r.Leaves = r.Leaves[:len(r.Leaves)-3]
		}
		if seed%8 == 1 {
			r.Leaves = append(r.Leaves, reflect.TypeFor[[]string](), reflect.TypeFor[map[string]int]())
		}
		row := r.Struct(0)
		if seed%3 == 0 {
			row = reflect.PointerTo(row)
		}
		in := reflect.New(reflect.SliceOf(row))
		for range 3 {
			r.Fill(in.Elem(), 0)
		}
		for _, c := range goCodecs {
			ways := goWays(c)
			ways.Same(t, in.Interface())
			if len(ways.Same(t, in.Elem().Interface())) > 0 {
				tables++
			}
		}
	}
	require.Greater(t, tables, int(rounds))
}

// TestGoMutated: whatever a document has become, Unmarshal does what the way through Values
// does, errors included.
func TestGoMutated(t *testing.T) {
	for _, c := range append(slices.Clone(goCodecs[:3]), csv.Codec{Limits: wire.Limits{Values: 40}}, csv.Codec{Limits: wire.Limits{LineBytes: 80}}, csv.Codec{Limits: wire.Limits{InputBytes: 200}}) {
		w := goWays(c)
		w.Unmarshal = c.Unmarshal
		w.Types = func(seed uint64) randgo.Types {
			r := randgo.Simple(seed, goTexts)
			r.Leaves = append(randgo.Scalars(), reflect.TypeFor[*string](), reflect.TypeFor[*int](), reflect.TypeFor[*time.Time](), reflect.TypeFor[float32]())
			return r
		}
		w.Pieces = append([]string{",", "\n", "\r\n", "\"", "\"\"", "null", "1.50", "1e3", "9223372036854775808", "-", "2026-01-02", "2026-01-02T03:04:05Z", "A", "F0", ",null,", ",,,"}, goTexts...)
		w.CompareMutated(t, 2000)
	}
}

type (
	goSparse struct {
		A string `json:"a,omitempty"`
		B int    `json:"b,omitempty"`
		C *int   `json:"c,omitempty"`
	}
	goCycle *goCycle
)

// TestGoColumns: columns are in the order in which rows first have them, and what is no
// table is refused as through Values.
func TestGoColumns(t *testing.T) {
	n := 7
	cycle := new(goCycle)
	*cycle = cycle
	sparse := make([]goSparse, 10_000)
	for i := range sparse {
		sparse[i].A = "x"
	}
	sparse[5000] = goSparse{B: 1, C: &n}
	wide := reflect.New(reflect.SliceOf(goWide(70)))
	wide.Elem().Set(reflect.MakeSlice(wide.Elem().Type(), 900, 900))
	for i := range 900 {
		wide.Elem().Index(i).Field(i % 70).SetString("x")
	}
	for _, v := range []any{
		[]goSparse{{C: &n}, {A: "x"}, {B: 1, A: "y"}}, []goSparse{{A: "x"}, {}}, []goSparse{{A: "x"}, {A: ""}}, []goSparse{}, []goSparse(nil), &[]goSparse{{B: 1}},
		[]*goSparse{{A: "x"}, nil}, []*goSparse{{C: &n}, {A: "x"}}, goSparse{A: "x"}, [1]goSparse{{A: "x"}}, []struct{}{{}}, (*[]goSparse)(nil), nil,
		sparse, sparse[:5000], wide.Interface(), [][]goSparse{{{A: "x"}}},
		[]struct{ P goCycle }{{cycle}}, []struct{ V any }{{[]int{1}}}, []struct{ V any }{{"x"}, {nil}, {1.5}, {time.Unix(0, 0)}},
		[]struct {
			A string `wire:"\xff"`
		}{{"x"}},
		[]struct {
			A string `wire:"a;b"`
			B string `wire:"\ufeffb"`
		}{{"x", ""}},
	} {
		for _, c := range goCodecs {
			goWays(c).Same(t, v)
		}
	}
	text, err := csv.Marshal([]goSparse{{C: &n}, {A: "x"}, {B: 1, A: "y"}})
	require.NoError(t, err)
	require.Equal(t, "c,a,b\n7,,\n,x,\n,y,1\n", string(text))
}

// goWide returns a struct of so many optional strings.
func goWide(n int) reflect.Type {
	fields := make([]reflect.StructField, n)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string](), Tag: `json:",omitempty"`}
	}
	return reflect.StructOf(fields)
}

// TestGoLimits: the limit of the text holds to the byte.
func TestGoLimits(t *testing.T) {
	rows := []struct{ A, B string }{{"one", "two"}, {"three", ""}, {"4", "x,y"}}
	whole, err := csv.Marshal(rows)
	require.NoError(t, err)
	for n := 1; n <= len(whole); n++ {
		text := goWays(csv.Codec{Limits: wire.Limits{OutputBytes: n}}).Same(t, rows)
		require.Equal(t, n == len(whole), text != nil)
	}
}

// TestGoTooManyValues: there are no more values than FromGo takes.
func TestGoTooManyValues(t *testing.T) {
	_, err := csv.Marshal(make([]struct{ A bool }, bound.Values/2+1))
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestGoConcurrent: goroutines share what is kept between tables.
func TestGoConcurrent(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 200 {
				text, err := csv.Marshal([]struct{ A, B int }{{i, 2 * i}})
				if want := fmt.Sprintf("A,B\n%d,%d\n", i, 2*i); err != nil || string(text) != want {
					t.Errorf("%q, %v, want %q", text, err, want)
				}
			}
		})
	}
	all.Wait()
}
