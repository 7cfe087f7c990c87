package glyph_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

var goTexts = []string{"", " ", "a", "word", "plain text", "_", "t", "f", "true", "null", "nil", "none", "b64", "1", "-1", "2025-01-31", "2025-01-31T00:00:00Z",
	"a|b", "|", "quote \" and \\", "\n", "\t", "\x00", "ünïcode", "漢字", "ña|b", "∅", "^id", "@tab", "a/b.c-d", "-a", "é", "9a", "{", "]", "seven b", "invalid \xff"}

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   glyph.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, glyph.Codec{}, v) },
		Unmarshal: glyph.Unmarshal,
		Codec:     glyph.Codec{},
		Types: func(seed uint64) randgo.Types {
			types := randgo.Simple(seed, goTexts[:len(goTexts)-1+int(seed%3)/2])
			types.Longer = int(seed%4) * 2 // tables have three rows at least
			return types
		},
		Pieces: append([]string{"|", "\n", " ", "  ", "\t", "\"", ",", ":", "=", "0", "01", "1.0", "-0", "1e5", "1E400", "123456789012345678901", "_", "t", "f", "[", "]", "{", "}", "[]", "{}",
			"@tab", "@end", "@tab _ [a]\n", "\\", "\\|", "\\n", `\u00e9`, `\ud800`, "b64\"\"", "^x", "#1", " F0=1", " name0=_", "F1=", "\xff", "\x00", "\r\n"}, goTexts...),
	}
}

// TestGoRandom: what needs no Values on its way gives what Values give.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }

// TestGoTablesWithin: whether a list or those within it become tables depends on
// the lengths of their keys, the numbers of their rows and what is absent.
func TestGoTablesWithin(t *testing.T) {
	type long struct {
		A int    `json:"a_member_with_a_long_name"`
		B string `json:"another_long_name,omitempty"`
		C int    `json:"c,omitempty"`
	}
	type short struct {
		X int  `json:"x"`
		Y *int `json:"y,omitempty"`
	}
	type outer struct {
		L []long   `json:"l,omitempty"`
		S []*short `json:"s"`
		N []struct {
			In []long `json:"in"`
		} `json:"numbers"`
	}
	type wide struct {
		L []short `json:"a_list_with_a_long_name"`
		I int     `json:"an_identifier"`
		N string  `json:"name_of_it"`
	}
	r := rand.New(rand.NewPCG(5, 6))
	one := 1
	longs := func() []long {
		list := make([]long, r.IntN(6))
		for i := range list {
			list[i] = long{i, []string{"", "b"}[r.IntN(2)], r.IntN(2)}
		}
		return list
	}
	tables := map[int]int{}
	for range 3000 {
		outers, wides := make([]outer, r.IntN(6)), make([]wide, r.IntN(6))
		for i := range outers {
			o := &outers[i]
			o.L = longs()
			for range r.IntN(5) {
				o.S = append(o.S, []*short{{X: 1}, {X: 2, Y: &one}, nil}[min(r.IntN(9)/4, 2)])
			}
			for range r.IntN(4) {
				o.N = append(o.N, struct {
					In []long `json:"in"`
				}{longs()})
			}
		}
		for i := range wides {
			wides[i].L = make([]short, r.IntN(5))
		}
		for _, in := range []any{outers, wides} {
			want, err := wire.Marshal(codectest.Values(glyph.Codec{}), in)
			require.NoError(t, err)
			got, err := glyph.Marshal(in)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
			switch text := string(got); {
			case strings.HasPrefix(text, "@tab"):
				tables[0]++
			case strings.Contains(text, "@tab"):
				tables[1]++
			}
		}
	}
	require.Greater(t, tables[0], 500)
	require.Greater(t, tables[1], 500)
}

// TestMarshalNotANumber: a float without a text is an error wherever it is.
func TestMarshalNotANumber(t *testing.T) {
	type sample struct {
		Value float64 `json:"value"`
		Name  string  `json:"name"`
	}
	for _, f := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		bad, good := sample{f, "a"}, sample{1, "b"}
		for _, v := range []any{bad, &bad, []sample{bad}, []sample{good, good, bad, good}, []float64{f}, map[string]float64{"a": f}} {
			_, err := glyph.Marshal(v)
			require.ErrorIs(t, err, wire.ErrRange)
		}
	}
}
