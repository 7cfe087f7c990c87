package scorecard

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func TestBuiltin(t *testing.T) {
	cases, err := Builtin()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(cases), 12)
	s, err := Run(cases, Options{})
	require.NoError(t, err)
	require.Equal(t, len(cases), s.Lossless)
	require.Equal(t, []string{TokenizerCl100k, TokenizerOpus47}, []string{s.Columns[0].Tokenizer, s.Columns[1].Tokenizer})
	require.Zero(t, s.Columns[0].Estimated)
	require.Equal(t, len(cases), s.Columns[1].Estimated)
	require.Less(t, s.Columns[0].Median, -15.0)
	for _, r := range s.Results {
		n, err := tokens.Estimate{Base: tokens.Cl100k{}, Factor: 1.35}.Count([]byte(wire.AppendJSON(nil, valueOf(cases, r.Name))))
		require.NoError(t, err)
		require.Equal(t, n, r.Tokens[1].JSON)
	}
	for _, name := range []string{TokenizerCl100k, TokenizerO200k, TokenizerOpus47} {
		one, err := Run(cases, Options{Tokenizer: name})
		require.NoError(t, err)
		require.Len(t, one.Columns, 1)
	}
}

func valueOf(cases []Case, name string) wire.Value {
	for _, c := range cases {
		if c.Name == name {
			return c.Value
		}
	}
	return wire.Value{}
}

func TestLoad(t *testing.T) {
	cases, err := Load(fstest.MapFS{
		"b.yaml":     {Data: []byte("tool: search\ndescription: two\ninput: |\n  [{\"a\":1},\n   {\"a\":2}]\n")},
		"a.yml":      {Data: []byte("tool: t\ninput: '{}'\n")},
		"c.json":     {Data: []byte(`{"tool":"x","description":"d","input":[1]}`)},
		"d.json":     {Data: []byte(`{"input":1,"other":2,"tool":"x"}`)},
		"e.json":     {Data: []byte(`[true]`)},
		"README.md":  {Data: []byte("no case")},
		"sub/f.json": {Data: []byte(`1`)},
	})
	require.NoError(t, err)
	var got []string
	for _, c := range cases {
		got = append(got, c.Name+" "+c.Tool+" "+c.Description+" "+c.Value.String())
	}
	require.Equal(t, []string{`a t  {}`, `b search two [{"a":1},{"a":2}]`, `c x d [1]`, `d d  {"input":1,"other":2,"tool":"x"}`, `e e  [true]`}, got)
	for name, text := range map[string]string{
		"a.json": "{", "b.yaml": "tool: x\ninput: '{'\n", "c.yaml": "input: '1'\n", "d.yaml": "tool: [", "e.yaml": "tool: x\ninput: '1'\nmore: 1\n",
		"f.yaml": "tool: x\ninput: {a: 1}\n",
	} {
		_, err := Load(fstest.MapFS{name: {Data: []byte(text)}})
		require.ErrorContains(t, err, name)
	}
	_, err = Load(fstest.MapFS{"x.txt": {}})
	require.ErrorIs(t, err, ErrNoCases)
	_, err = Load(os.DirFS(filepath.Join(t.TempDir(), "none")))
	require.Error(t, err)
}

func TestMedian(t *testing.T) {
	require.Equal(t, 2.0, median([]float64{3, 1, 2}))
	require.Equal(t, 2.5, median([]float64{4, 1, 3, 2}))
	require.Equal(t, 7.0, median([]float64{7}))
}

func TestRender(t *testing.T) {
	s := &Scorecard{
		Columns: []Column{{Tokenizer: TokenizerCl100k}, {Tokenizer: TokenizerOpus47}},
		Results: []Result{
			{Name: "a|b\n", Bytes: Measure{200, 100}, Gzip: Measure{90, 99}, Tokens: []Count{{Measure: Measure{50, 40}}, {Measure{68, 54}, true}}, Lossless: true},
			{Name: "c", Bytes: Measure{100, 110}, Gzip: Measure{80, 80}, Tokens: []Count{{Measure: Measure{30, 30}}, {Measure: Measure{45, 44}}}, Loss: "content at /x"},
		},
	}
	s.summarize()
	require.Equal(t, -20.0, s.MedianBytes)
	require.Equal(t, -10.0, s.Columns[0].Median)
	require.Equal(t, 1, s.Columns[1].Estimated)
	for _, want := range []string{"cl100k_base", "Claude Opus 4.7", "a|b·", "-50.0%", "~68", "differs: content at /x", "1 of 2 identical", "~ estimated: 1.35 times", "1 of 2 cases have exact counts"} {
		require.Contains(t, s.String(), want)
	}
	require.Contains(t, s.Markdown(), "| a\\|b· | 200 | 100 | -50.0% | 50 | 40 | -20.0% | 90 | 99 | identical |\n")
	require.Contains(t, s.Markdown(), "### Claude Opus 4.7\n\n| case |")
	var back Scorecard
	object, err := wire.Marshal(wire.JSON{}, s)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(object, &back))
	require.Equal(t, *s, back)
}

func testCases(t *testing.T) []Case {
	cases, err := Load(fstest.MapFS{"a.json": {Data: []byte(`[1,2]`)}, "b.json": {Data: []byte(`[{"x":1,"y":2},{"x":3,"y":4}]`)}})
	require.NoError(t, err)
	return cases
}

// TestExactCounts: the counts of a file are taken where both of a case are known.
func TestExactCounts(t *testing.T) {
	cases := testCases(t)
	counts := make(map[string]int)
	keep := func(c Case) {
		text, payload, err := texts(c, false)
		require.NoError(t, err)
		for _, text := range [][]byte{text, payload} {
			counts[fmt.Sprintf("%x", sha256.Sum256(text))] = len(text)
		}
	}
	file := filepath.Join(t.TempDir(), "counts.json")
	run := func() *Scorecard {
		text, err := json.Marshal(map[string]any{"counts": counts})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o600))
		s, err := Run(cases, Options{Tokenizer: TokenizerOpus47, Counts: file})
		require.NoError(t, err)
		return s
	}
	keep(cases[0])
	s := run()
	require.False(t, s.Results[0].Tokens[0].Estimated)
	require.True(t, s.Results[1].Tokens[0].Estimated)
	require.Contains(t, s.note(0), "1 of 2 cases have exact counts")
	text, _, err := texts(cases[1], false)
	require.NoError(t, err)
	counts[fmt.Sprintf("%x", sha256.Sum256(text))] = 7
	require.True(t, run().Results[1].Tokens[0].Estimated, "both counts of a case are of one kind")
	keep(cases[1])
	s = run()
	require.Zero(t, s.Columns[0].Estimated)
	for _, r := range s.Results {
		require.Equal(t, r.Bytes, r.Tokens[0].Measure)
	}
	require.Contains(t, s.note(0), "Exact counts")

	require.NoError(t, os.WriteFile(file, []byte("no json"), 0o600))
	_, err = Run(cases, Options{Tokenizer: TokenizerOpus47, Counts: file})
	require.ErrorContains(t, err, "not a file of token counts")
	_, err = Run(cases, Options{Counts: filepath.Join(filepath.Dir(file), "none", "counts.json")})
	require.ErrorContains(t, err, "scorecard: counts: ")
}
