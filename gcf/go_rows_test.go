package gcf_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

var cells = []string{"", "-", "~", "^", "^{a}", "@0 x", "# x", ".a", "true", "false", "null", "1", "-1", "1.50", "1e3", "007", "9223372036854775808",
	"a|b", "a,b", `say "hi"`, "a\nb", "a\r", " a", "a ", "[2]: x", "a\\b", "é", "日本語", "\u00a0", "\ufeff", "👍", "a=b", "## x", "\x00", "plain text", "x"}

// TestStructRows: the short way writes the same bytes as the way through Values
// and reads the same structs.
func TestStructRows(t *testing.T) {
	goWays().CompareRows(t, 4000, cells, func(f *randgo.Flat) {
		// Whole numbers outside int64 are not numbers of the format.
		f.V >>= 1
		if abs := math.Abs(f.F); abs >= 1<<63 && abs < 1e21 {
			f.F = 0
		}
	})
}

// TestUnmarshalTheSame: on whatever document, Unmarshal does what wire.Unmarshal
// does, errors included.
func TestUnmarshalTheSame(t *testing.T) {
	headers := []string{"## [2]{s,i}\n", "## [1]{s,i,f,B}\n", "## [2]{S,u}\n", "## [3]{s,extra}\n", "## [?]{s,i}\n", "## [2:]{key,s}\n", "## [1]{\"a>b\",s}\n", "## [2]{i8}\n",
		"## [2]{s,s}\n", "## [0]\n", "## [2]\n"}
	pieces := append([]string{"|", "|", "|", "\n", "\n", "\n", "@0 ", "  ", ".s =1", "##! summary counts=2", "a", "b", "12", "300", "-129", "70000", "1.5", "true", "-", "~", `"q"`, `"\n"`, "\r\n", "# c\n", "^"}, cells...)
	goWays().CompareTexts(t, 60_000, reflect.TypeFor[[]randgo.Flat](), func(r *rand.Rand) string {
		text := "GCF profile=generic" + []string{"", "", "", " tool=x", " key=s"}[r.IntN(5)] + "\n" + headers[r.IntN(len(headers))]
		for range r.IntN(12) {
			text += pieces[r.IntN(len(pieces))]
		}
		return text
	})
}

// What the short way must leave to the long one.
func TestMarshalTheSame(t *testing.T) {
	type odd struct {
		A json.Number `json:"a"`
		B *int        `json:"b"`
		C []string    `json:"c"`
	}
	type big struct {
		A uint64 `json:"a"`
		B int    `json:"b"`
	}
	type odder struct {
		F float64 `json:"f"`
		S string  `json:"s"`
	}
	type renamed struct {
		A string `json:"a>b"`
		B string `json:"ключ"`
	}
	type unicode struct {
		Ключ, Ä string
	}
	for _, v := range []any{
		[]odd{{"1.50", nil, []string{"x"}}}, []big{{1, 1}}, []big{{math.MaxUint64, 1}}, []odder{{5e20, ""}}, []odder{{math.Inf(1), ""}}, []odder{{1, "\xff"}},
		[]renamed{{"1", "2"}}, []unicode{{"a", "b"}}, []randgo.Flat{}, []randgo.Flat(nil), randgo.Flat{}, &[]randgo.Flat{{}}, [2]randgo.Flat{}, nil,
	} {
		goWays().Same(t, v)
	}
	// A codec that is configured otherwise has its own form.
	type nested struct {
		ID   int
		User struct{ Name, Team string }
	}
	c := gcf.Codec{NoFlatten: true}
	want, err := wire.Marshal(codectest.Values(c), []nested{{ID: 1}})
	require.NoError(t, err)
	got, err := c.Marshal([]nested{{ID: 1}})
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.NotContains(t, string(got), ">")
	var back []nested
	require.NoError(t, c.Unmarshal(got, &back))
	require.Equal(t, []nested{{ID: 1}}, back)
	require.Error(t, gcf.Unmarshal([]byte("GCF profile=generic\n## [1]{a,b}\n1|2\n"), nil))
	full := make([]randgo.Flat, 1, 4)
	require.NoError(t, gcf.Unmarshal([]byte("GCF profile=generic\n## [2]{s,i}\nx|1\ny|2\n"), &full))
	require.Equal(t, []randgo.Flat{{S: "x", I: 1}, {S: "y", I: 2}}, full)
}

// TestPathsThatPay: objects become path columns where these take not much more than
// attachments do, straight as through Values.
func TestPathsThatPay(t *testing.T) {
	type point struct{ A, B, C, D, E int }
	type row struct {
		ID   int
		P    *point
		O    point `json:",omitzero"`
		Long point `json:"aVeryLongNameOfAnAddressThatIsWrittenBeforeEachColumn"`
		Map  map[string]int
		Deep *struct {
			In struct{ Deep struct{ X, Y int } }
		}
	}
	fill := []func(r *row){
		func(r *row) { r.P = &point{1, 2, 3, 4, 5} },
		func(r *row) { r.O.C = 7 },
		func(r *row) { r.Map = map[string]int{"one": 1, "two": 2, "three": 3} },
		func(r *row) {
			r.Deep = new(struct {
				In struct{ Deep struct{ X, Y int } }
			})
		},
	}
	paths, attached := 0, 0
	for _, n := range []int{1, 2, 10, 1000} {
		for i, f := range fill {
			for _, filled := range []int{1, n} {
				rows := make([]row, n)
				for j := range filled {
					f(&rows[j])
				}
				doc := string(goWays().Same(t, rows))
				goWays().Same(t, struct{ Rows []row }{rows})
				paths += strings.Count(doc, `>`)
				attached += strings.Count(doc, "|^")
				if i == 0 && n == 1000 {
					require.Equal(t, filled == n, strings.Contains(doc, `"P>A"`))
				}
			}
		}
	}
	require.NotZero(t, paths)
	require.NotZero(t, attached)
}

// TestManyLayouts: rows of a type have more layouts than are remembered, and the
// first ones of each list say which columns come first.
func TestManyLayouts(t *testing.T) {
	type row struct {
		A int     `json:"a,omitempty"`
		B string  `json:"b,omitempty"`
		C float64 `json:"c,omitempty"`
		D *int    `json:"d,omitempty"`
		E bool    `json:"e,omitempty"`
		F string  `json:"f"`
		G int     `json:"g,omitempty"`
	}
	type holder struct {
		ID   int   `json:"id"`
		Rows []row `json:"rows"`
	}
	r := rand.New(rand.NewPCG(7, 8))
	one := 1
	make1 := func() row {
		bits := r.IntN(64)
		if r.IntN(3) > 0 {
			bits = 5
		}
		x := row{A: bits & 1, B: []string{"", "b"}[bits>>1&1], C: float64(bits >> 2 & 1), E: bits>>3&1 > 0, F: "f", G: bits >> 4 & 1}
		if bits>>5 > 0 {
			x.D = &one
		}
		return x
	}
	var wait sync.WaitGroup
	for range 4 { // layouts are made while others are looked for
		var lists []holder
		for i := range 200 {
			h := holder{ID: i}
			for range r.IntN(5) {
				h.Rows = append(h.Rows, make1())
			}
			lists = append(lists, h)
		}
		wait.Go(func() {
			for n := 0; n < len(lists); n += 1 + n/2 {
				in := lists[n/2 : n+1]
				want, err := wire.Marshal(codectest.Values(gcf.Codec{}), in)
				assert.NoError(t, err)
				got, err := gcf.Marshal(in)
				assert.NoError(t, err)
				assert.Equal(t, string(want), string(got))
				var back []holder
				assert.NoError(t, gcf.Unmarshal(got, &back))
				for _, h := range in {
					want, wantErr := wire.Marshal(codectest.Values(gcf.Codec{}), h.Rows)
					got, err := gcf.Marshal(h.Rows)
					assert.Equal(t, wantErr, err)
					assert.Equal(t, string(want), string(got))
				}
			}
		})
	}
	wait.Wait()
}

// A tree holds itself.
type tree struct {
	Name  string `json:"name"`
	Kids  []tree `json:"kids,omitempty"`
	Twin  *tree  `json:"twin,omitempty"`
	Extra *struct {
		In struct{ Twins []*tree }
	} `json:"extra,omitempty"`
}

// TestTypesThatHoldThemselves: trees are written straight as through Values.
func TestTypesThatHoldThemselves(t *testing.T) {
	in := tree{Name: "a", Kids: []tree{{Name: "b"}, {Name: "c", Kids: []tree{{Name: "d", Twin: &tree{Name: "e"}}}}}}
	for _, v := range []any{in, &in, []tree{in, in}, []*tree{&in, nil}, map[string]tree{"x": in}} {
		goWays().Same(t, v)
	}
}
