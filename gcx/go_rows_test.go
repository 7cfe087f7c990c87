package gcx_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// TestStructRows: the short way writes the same bytes as the way through
// Values, and reads the same structs.
func TestStructRows(t *testing.T) { goWays().CompareRows(t, 4000, nasty, func(*randgo.Flat) {}) }

// TestUnmarshalTheSame: on whatever payload, Unmarshal does what wire.Unmarshal
// does, errors included.
func TestUnmarshalTheSame(t *testing.T) {
	pieces := append([]string{"GCX1 tool=t fields=s,i,f,B rows=2\n", "GCX1 tool=t fields=s,i,extra rows=2 types=mmn\n", "GCX1 tool=t fields=S,u,i8 rows=1\n",
		"GCX1 tool=t fields=s,i8,u,v rows=*\n", "GCX1 tool=t fields=s,t rows=3 types=s\n", "GCX1 tool=t fields=i,s rows=1\n", "\n", "\t", "\t", "\t", "\n", "\t\r\n", "1", "-5", "300", "-129", "70000", "1.5", "true", "\\n", "# c\n", "{}", "[1"}, nasty...)
	goWays().CompareTexts(t, 30_000, reflect.TypeFor[[]randgo.Flat](), func(r *rand.Rand) string {
		text := pieces[r.IntN(6)]
		for range r.IntN(14) {
			text += pieces[r.IntN(len(pieces))]
		}
		return text
	})
}

type withMethod struct {
	A custom `json:"a"`
	B string `json:"b"`
}

type custom string

func (c custom) MarshalText() ([]byte, error) { return []byte("<" + string(c) + ">"), nil }

func TestStructsThatAreNotFlat(t *testing.T) {
	type base struct{ X int }
	type embedding struct {
		base
		A int `json:"a"`
	}
	type omitting struct {
		A int    `json:"a,omitempty"`
		B string `json:"b,omitempty"`
	}
	type odd struct {
		A json.Number `json:"a"`
		B *int        `json:"b"`
		C []string    `json:"c"`
		D float32     `json:"d"`
	}
	seven := 7
	for _, rows := range []any{
		[]withMethod{{"x", "y"}}, []embedding{{base{1}, 2}}, []omitting{{}, {1, ""}, {0, "x"}}, []odd{{"1.0", &seven, []string{"a"}, 0.1}, {A: "2"}},
		[]struct{ A int }{{1}, {2}}, []struct{}{{}}, []*randgo.Flat{{S: "x"}, nil}, []randgo.Flat(nil), [2]randgo.Flat{}, randgo.Flat{S: "x"}, map[string]int{"a": 1}, nil, 5,
	} {
		goWays().Same(t, rows)
	}
	_, err := gcx.Marshal([]randgo.Flat{{F: math.NaN()}})
	require.ErrorIs(t, err, wire.ErrRange)
	kept := []randgo.Flat{{S: "old", I: 3}}
	require.NoError(t, gcx.Unmarshal([]byte("GCX1 tool=t fields=s,t rows=1\nnew\tx\n"), &kept))
	same := []randgo.Flat{{S: "old", I: 3}}
	require.NoError(t, wire.Unmarshal(codectest.Values(gcx.Codec{}), []byte("GCX1 tool=t fields=s,t rows=1\nnew\tx\n"), &same))
	require.Equal(t, same, kept)
}

func TestFloatText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 40_000 {
		f := math.Float64frombits(r.Uint64())
		switch i % 4 {
		case 1:
			f = float64(r.Int64N(1e15)) / 1e4
		case 2:
			f = float64(r.Int64N(1e12)) / math.Pow10(r.IntN(12))
		case 3:
			f = math.Nextafter(float64(r.Int64N(1e9))/100, float64(i))
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		got, err := gcx.Marshal([]randgo.Flat{{S: "x", T: "y", F: f}})
		require.NoError(t, err)
		cells := strings.Split(string(got), "\t")
		text := cells[len(cells)-2]
		back, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(f), math.Float64bits(back), text)
		require.Equal(t, wire.Float(f).Text(), text)
	}
}

// TestFloatCells reads number texts as ToGo does, and refuses what is not a number.
func TestFloatCells(t *testing.T) {
	type pair struct {
		F float64 `json:"f"`
		S string  `json:"s"`
	}
	r := rand.New(rand.NewPCG(5, 6))
	texts := []string{"0", "-0", "0.0", "-0.10", "1.", ".5", "-", "-.5", "01", "00", "-01.5", "1e5", "1E-7", "1e400", "-1e400", "1e-400", "999999999999999", "9999999999999999",
		"123456789012345.6", "0.000000000000001", "0.0000000000000012", "1.2.3", "--1", "+1", "1-", "0x1", "1_0", "12345678901234", "1.23456789012345", "x", "1 "}
	for range 20_000 {
		b := []byte("")
		for range r.IntN(18) + 1 {
			b = append(b, "0123456789012345678900..-e"[r.IntN(26)])
		}
		texts = append(texts, string(b))
	}
	for _, text := range texts {
		src := []byte("GCX1 tool=t fields=f,s rows=1\n" + text + "\tx\n")
		var got, want []pair
		gotErr, wantErr := gcx.Unmarshal(src, &got), wire.Unmarshal(codectest.Values(gcx.Codec{}), src, &want)
		require.Equal(t, wantErr == nil, gotErr == nil, text)
		if wantErr == nil {
			require.Equal(t, math.Float64bits(want[0].F), math.Float64bits(got[0].F), text)
		}
	}
}

type user struct {
	ID     int     `json:"id"`
	Name   string  `json:"name"`
	Email  string  `json:"email"`
	Team   string  `json:"team"`
	Score  float64 `json:"score"`
	Active bool    `json:"active"`
}

func users(b testing.TB) []user {
	var rows []user
	if err := json.Unmarshal(sample.Rows(10_000), &rows); err != nil {
		b.Fatal(err)
	}
	return rows
}

func TestMarshalAllocations(t *testing.T) {
	rows := users(t)
	growth.Allocs(t, 10, func() {
		if _, err := gcx.Marshal(rows); err != nil {
			t.Fatal(err)
		}
	})
}

// Limits hold on the short way, too.
func TestStructRowsLimits(t *testing.T) {
	type inner struct{ A, B int }
	type outer struct {
		ID    int
		Inner []inner
	}
	rows := []outer{{1, []inner{{1, 2}}}}
	for _, limits := range []wire.Limits{{Depth: 1}, {Depth: 2}, {Depth: 3}, {Depth: 4}, {OutputBytes: 20}} {
		c := gcx.Codec{Limits: limits}
		want, wantErr := wire.Marshal(codectest.Values(c), rows)
		got, err := c.Marshal(rows)
		require.Equal(t, wantErr, err)
		require.Equal(t, string(want), string(got))
	}
}
