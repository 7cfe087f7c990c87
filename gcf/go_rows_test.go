package gcf_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// flat has all kinds of fields that need no Value.
type flat struct {
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

var cells = []string{"", "-", "~", "^", "^{a}", "@0 x", "# x", ".a", "true", "false", "null", "1", "-1", "1.50", "1e3", "007", "9223372036854775808",
	"a|b", "a,b", `say "hi"`, "a\nb", "a\r", " a", "a ", "[2]: x", "a\\b", "é", "日本語", "\u00a0", "\ufeff", "👍", "a=b", "## x", "\x00", "plain text", "x"}

func randomFlat(r *rand.Rand) flat {
	text := func() string { return cells[r.IntN(len(cells))] }
	f := flat{S: text(), T: text(), I: int(r.Uint64()), I8: int8(r.Uint64()), U: uint16(r.Uint64()), V: r.Uint64() >> 1, B: r.IntN(2) == 0}
	switch r.IntN(5) {
	case 0:
		f.F = math.Float64frombits(r.Uint64())
		// Whole numbers outside int64 are no numbers of the format.
		if abs := math.Abs(f.F); math.IsNaN(f.F) || abs >= 1<<63 && abs < 1e21 || math.IsInf(f.F, 0) {
			f.F = 0
		}
	case 1:
		f.F = float64(r.IntN(100000)) / 100
	case 2:
		f.F = -float64(r.IntN(1000)) / 1e4
	case 3:
		f.F = []float64{0, math.Copysign(0, -1), 1e15, 1e16, 9007199254740993, 1e-4, 1e-7, 123456789012.3456, 1e21, 0.1 + 0.2, 5e-324}[r.IntN(11)]
	}
	if r.IntN(2) == 0 {
		f.I, f.V = r.IntN(100), r.Uint64N(100)
	}
	return f
}

// TestStructRows: the short way writes the same bytes as the way through Values
// and reads the same structs.
func TestStructRows(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		rows := make([]flat, r.IntN(5))
		for i := range rows {
			rows[i] = randomFlat(r)
		}
		want, err := wire.Marshal(gcf.Codec{}, rows)
		require.NoError(t, err)
		got, err := gcf.Marshal(rows)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		var back, slow []flat
		require.NoError(t, gcf.Unmarshal(got, &back), "%s", got)
		require.NoError(t, wire.Unmarshal(gcf.Codec{}, got, &slow))
		require.Equal(t, slow, back, "%s", got)
		require.ElementsMatch(t, rows, back) // -0 is 0 on the wire, and so here
	}
}

// TestUnmarshalTheSame: on whatever document, Unmarshal does what wire.Unmarshal
// does, errors included.
func TestUnmarshalTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	headers := []string{"## [2]{s,i}\n", "## [1]{s,i,f,B}\n", "## [2]{S,u}\n", "## [3]{s,extra}\n", "## [?]{s,i}\n", "## [2:]{key,s}\n", "## [1]{\"a>b\",s}\n", "## [2]{i8}\n",
		"## [2]{s,s}\n", "## [0]\n", "## [2]\n"}
	pieces := append([]string{"|", "|", "|", "\n", "\n", "\n", "@0 ", "  ", ".s =1", "##! summary counts=2", "a", "b", "12", "300", "-129", "70000", "1.5", "true", "-", "~", `"q"`, `"\n"`, "\r\n", "# c\n", "^"}, cells...)
	agreed := 0
	for range 60_000 {
		var b strings.Builder
		b.WriteString("GCF profile=generic" + []string{"", "", "", " tool=x", " key=s"}[r.IntN(5)] + "\n")
		b.WriteString(headers[r.IntN(len(headers))])
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src := []byte(b.String())
		var got, want []flat
		gotErr := gcf.Unmarshal(src, &got)
		wantErr := wire.Unmarshal(gcf.Codec{}, src, &want)
		if wantErr != nil {
			require.Error(t, gotErr, "%q", src)
			require.Equal(t, wantErr.Error(), gotErr.Error())
			continue
		}
		agreed++
		require.NoError(t, gotErr, "%q", src)
		require.Equal(t, want, got, "%q", src)
	}
	require.Greater(t, agreed, 500, "enough documents are sound")
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
		[]renamed{{"1", "2"}}, []unicode{{"a", "b"}}, []flat{}, []flat(nil), flat{}, &[]flat{{}}, [2]flat{}, nil,
	} {
		want, wantErr := wire.Marshal(gcf.Codec{}, v)
		got, err := gcf.Marshal(v)
		require.Equal(t, wantErr, err)
		require.Equal(t, string(want), string(got))
	}
	// A codec that is configured otherwise has its own form.
	type nested struct {
		ID   int
		User struct{ Name, Team string }
	}
	c := gcf.Codec{NoFlatten: true}
	want, err := wire.Marshal(c, []nested{{ID: 1}})
	require.NoError(t, err)
	got, err := c.Marshal([]nested{{ID: 1}})
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.NotContains(t, string(got), ">")
	var back []nested
	require.NoError(t, c.Unmarshal(got, &back))
	require.Equal(t, []nested{{ID: 1}}, back)
	require.Error(t, gcf.Unmarshal([]byte("GCF profile=generic\n## [1]{a,b}\n1|2\n"), nil))
	full := make([]flat, 1, 4)
	require.NoError(t, gcf.Unmarshal([]byte("GCF profile=generic\n## [2]{s,i}\nx|1\ny|2\n"), &full))
	require.Equal(t, []flat{{S: "x", I: 1}, {S: "y", I: 2}}, full)
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
				want, err := wire.Marshal(gcf.Codec{}, in)
				assert.NoError(t, err)
				got, err := gcf.Marshal(in)
				assert.NoError(t, err)
				assert.Equal(t, string(want), string(got))
				var back []holder
				assert.NoError(t, gcf.Unmarshal(got, &back))
				for _, h := range in {
					want, wantErr := wire.Marshal(gcf.Codec{}, h.Rows)
					got, err := gcf.Marshal(h.Rows)
					assert.Equal(t, wantErr, err)
					assert.Equal(t, string(want), string(got))
				}
			}
		})
	}
	wait.Wait()
}
