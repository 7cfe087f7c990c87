package gcx

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/wire"
)

// oddResult has a field of every sort, and a section of every sort.
type oddResult struct {
	Total  int      `gcx:"total"`
	Rows   []oddRow `gcx:"t.rows"`
	HasOne bool     `gcx:",section"`
	One    struct {
		Path string `json:"path"`
	} `gcx:"t.one"`
	Labelled bool       `gcx:"k,column"`
	List     []onePath  `gcx:"t.list"`
	Value    wire.Value `gcx:"t.value,list"`
	Name     string     `gcx:"*"`
	Noted    string     `gcx:"note"`
	Other    []onePath  `gcx:"*.other=u"`
	Others   wire.Value `gcx:"*.other"`
	Seen     int        `gcx:"-"`
	Extras
}

type oddRow struct {
	S    string         `json:"s"`
	I    int            `json:"i"`
	U    uint8          `json:"u"`
	F    float64        `json:"f"`
	B    bool           `json:"b"`
	P    *int           `json:"p"`
	C    []string       `json:"c" gcx:"comma"`
	At   time.Time      `json:"at"`
	Map  map[string]int `json:"map"`
	Raw  wire.Value     `json:"raw"`
	Name namedText      `json:"name"`
}

type namedText string

type onePath struct {
	Path string            `json:"path"`
	More map[string]string `gcx:"unknown"`
}

// requireResult decodes a payload, and if that is sound, what is encoded of the result. It
// reports whether it is.
func requireResult(t testing.TB, c Codec, src []byte) bool {
	fresh, used := oddResult{Seen: -1}, oddResult{Total: 7, One: struct {
		Path string `json:"path"`
	}{"x"}, Noted: "n", Seen: -1}
	before := used
	err := c.DecodeResult(src, &fresh)
	require.Equal(t, err, c.DecodeResult(src, &used), "%q", src)
	if err != nil {
		require.Equal(t, oddResult{Seen: -1}, fresh, "%q", src)
		require.Equal(t, before, used, "%q", src)
		return false
	}
	text, err := c.AppendResult(nil, &fresh)
	require.Equal(t, fresh.takeValues(), used.takeValues(), "%q", src)
	require.Equal(t, fresh, used, "%q", src)
	if err != nil {
		return true
	}
	var again oddResult
	require.NoError(t, Codec{Lenient: true}.DecodeResult(text, &again), "%q\n%q", src, text)
	return true
}

// takeValues returns the text of the result's values, which are null then:
// values that are equal need not be the same memory.
func (r *oddResult) takeValues() string {
	values := []wire.Value{r.Value, r.Others}
	for i := range r.Rows {
		values = append(values, r.Rows[i].Raw)
		r.Rows[i].Raw = wire.Value{}
	}
	r.Value, r.Others = wire.Value{}, wire.Value{}
	return string(wire.AppendJSON(nil, wire.Array(values...)))
}

var oddPieces = []string{
	"GCX1 tool=t.rows fields=s,i\n", "GCX1 tool=t.rows fields=s,i,u,f,b,p,c,at,map,raw,name total=3\n", "GCX1 tool=t.rows fields=f,c,new,i rows=2\n",
	"GCX1 tool=t.one fields=path\n", "GCX1 tool=t.one fields=path,x\n", "GCX1 tool=t.list fields=path\n", "GCX1 tool=t.list fields=path rows=2\n", "GCX1 tool=t.list fields=path,unknown k=v\n",
	"GCX1 tool=t.value fields=value rows=1\n", "GCX1 tool=t.value fields=a,b types=m\n", "GCX1 tool=u.other fields=path note=n\n", "GCX1 tool=v.other fields=a,b note=1\n", "GCX1 tool=other fields=a,b rows=*\n",
	"GCX1 tool=x fields=a sections=2\n", "GCX2 tool=x fields=a\n", "GCX1 tool=t.rows fields=s,s\n",
	"a\t1\n", "x\t-7\n", "0.5\tp,q\t\t3\n", "1\t[\"a\",\"\"]\tz\t4\n", "s\t1\t2\t0.25\ttrue\t7\tx,y\t2026-01-02T03:04:05Z\t{\"k\":1}\t[1,2]\tn\n", "\t\t\t\t\t\t\t\t\t\t\n",
	"s\t1\t256\t1e400\tTrue\n", "\n", "\t\n", "path\n", "# note\n", "# truncated_by_budget=true\n", "# a\tb\n", "\\#x\ty\n", "a\\tb\t1\n", "a\\\\\t-0\n", "a\t1\r\n", "a\\\r\n", "b\t01\n", "b\t99999999999999999999\n",
	"GCX1\n", "GCX1x\t1\n", "\\GCX1 \t1\n", "a\x01\t5\n", "ä\t5\n", "\xff\t1\n", "a", "X", "\r", "\t",
}

// TestResults: whatever a payload is, a result is replaced as a whole or not at all, and
// what is encoded of it is sound.
func TestResults(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sound := 0
	for n := range 10_000 {
		var b strings.Builder
		b.WriteString(oddPieces[r.IntN(13)])
		for range r.IntN(7) {
			b.WriteString(oddPieces[r.IntN(len(oddPieces))])
		}
		if requireResult(t, Codec{Lenient: n%5 == 0}, []byte(b.String())) {
			sound++
		}
	}
	require.Greater(t, sound, 700, "enough payloads are sound")
	require.False(t, requireResult(t, Codec{Limits: wire.Limits{InputBytes: 10}}, []byte("GCX1 tool=t.rows fields=s,i\na\t1\n")))
}

func FuzzResults(f *testing.F) {
	for _, piece := range oddPieces[:13] {
		f.Add([]byte(piece + oddPieces[20]))
	}
	f.Fuzz(func(t *testing.T, src []byte) { requireResult(t, Codec{}, src) })
}

// TestExtraSectionOfATool: a further section of a tool that the layout has keeps its own
// pairs, and does not get those of the section that the layout has.
func TestExtraSectionOfATool(t *testing.T) {
	type result struct {
		Hosts []onePath `gcx:"hosts"`
		Extras
	}
	for _, text := range []string{
		"GCX1 tool=hosts fields=path k=1\na\nGCX1 tool=hosts fields=path l=2\nb\n",
		"GCX1 tool=hosts fields=path k=1\na\nGCX1 tool=hosts fields=path k=2\nb\n",
	} {
		var r result
		require.NoError(t, Codec{}.DecodeResult([]byte(text), &r))
		again, err := Codec{}.AppendResult(nil, &r)
		require.NoError(t, err)
		require.Equal(t, text, string(again))
	}
}
