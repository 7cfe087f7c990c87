package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/testkit/payload"
)

// TestCompareIsAuto: of any document compare names the winner that convert -t auto takes,
// has a row for it and for no other configuration, and says where CSV or Markdown takes
// fewer tokens.
func TestCompareIsAuto(t *testing.T) {
	dir := t.TempDir()
	documents, err := filepath.Glob("../../examples/data/*.json")
	require.NoError(t, err)
	for i, p := range payload.All() {
		if file := filepath.Join(dir, fmt.Sprintf("%d.json", i)); len(p.JSON) < 20_000 {
			require.NoError(t, os.WriteFile(file, p.JSON, 0o600))
			documents = append(documents, file)
		}
	}
	said := regexp.MustCompile(`: ([a-z:-]+)(?: saves |, since )`)
	signed := regexp.MustCompile(`[+-]0\.0 %`)
	for _, file := range documents {
		var out, note bytes.Buffer
		c := &cli.Console{Out: &out, Err: &note}
		require.Zero(t, run([]string{"compare", "--json", file}, c), note.String())
		require.Zero(t, run([]string{"convert", "-t", "auto", "--explain", file}, &cli.Console{Out: io.Discard, Err: &note}))
		auto := said.FindStringSubmatch(note.String())[1]
		var reports []comparison
		require.NoError(t, json.Unmarshal(out.Bytes(), &reports))
		r := reports[0]
		require.Equal(t, auto, r.Chosen, file)
		best, ok := r.best()
		require.True(t, ok, file)
		require.LessOrEqual(t, len(r.Formats), len(wirekit.Registry().Codecs())+1)
		first := slices.IndexFunc(r.Formats, func(m measurement) bool { return m.Tokens != nil && *m.Tokens == *best.Tokens })
		require.Equal(t, auto, r.Formats[first].Format, "%s: a tie", file)
		verdict := r.verdict()
		require.Contains(t, verdict, ": "+auto, file)
		for _, m := range r.Formats[:first] {
			if m.Lossless {
				require.Contains(t, verdict, ": say -t "+m.Format+".", file)
				break
			}
		}
		out.Reset()
		require.Zero(t, run([]string{"compare", file}, c))
		require.False(t, signed.Match(out.Bytes()), out.String())
		require.True(t, bytes.HasSuffix(out.Bytes(), []byte("\n"+verdict+"\n")), out.String())
	}
}

// TestVerdict: a format that takes fewer tokens than the chosen one is named with the
// reason, one that loses something is not.
func TestVerdict(t *testing.T) {
	of := func(format string, tokens int, lossless bool) measurement {
		saving := cli.SavedPercent(tokens, 10_000)
		return measurement{Format: format, Tokens: &tokens, Saving: &saving, Lossless: lossless}
	}
	json, gcx := of("json", 10_000, true), of("gcx", 9_000, true)
	for verdict, r := range map[string]comparison{
		"The fewest tokens without loss: gcx, 10.0 % fewer than compact JSON.":          {Chosen: "gcx", Formats: []measurement{of("md", 9, false), gcx, of("md", 9_000, true), json}},
		"The fewest tokens without loss: gcf, less than 0.1 % fewer than compact JSON.": {Chosen: "gcf", Formats: []measurement{of("gcf", 9_999, true), json}},
		"The fewest tokens without loss: json.":                                         {Chosen: "json", Formats: []measurement{json, of("gcx", 10_000, true)}},
		"The fewest tokens without loss, as -t auto takes it: gcx, 10.0 % fewer than compact JSON. md takes 10 fewer, but -t auto does not take it: say -t md.":                  {Chosen: "gcx", Formats: []measurement{of("csv", 9, false), of("md", 8_990, true), gcx, json}},
		"The fewest tokens without loss, as -t auto takes it: json. csv:tsv takes 1 fewer, but only its name tells the format: say -t csv:tsv.":                                  {Chosen: "json", Formats: []measurement{of("csv:tsv", 9_999, true), json}},
		"The fewest tokens without loss, as -t auto takes it: gcx, 10.0 % fewer than compact JSON. csv+fold takes 1 fewer, but only its name tells the format: say -t csv+fold.": {Chosen: "gcx", Formats: []measurement{of("csv+fold", 8_999, true), gcx, json}},
		"No text format carries it without loss.": {Formats: []measurement{of("csv", 9, false)}},
	} {
		require.Equal(t, verdict, r.verdict())
	}
	require.Equal(t, []string{"0.0 %", "0.0 %", "0.0 %", "-0.1 %", "+0.1 %", "-10.0 %"}, []string{cli.Percent(-0.04), cli.Percent(0), cli.Percent(0.04), cli.Percent(-0.06), cli.Percent(0.06), cli.Percent(-10)})
}

// TestCompareMarksTheWinner: on a terminal the best row is coloured.
func TestCompareMarksTheWinner(t *testing.T) {
	n, m := 10, 12
	r := comparison{Formats: []measurement{{Format: "gcx", Tokens: &n, Lossless: true, Saving: new(float64)}, {Format: "json", Tokens: &m, Lossless: true}}}
	plain := compareOptions{}.tables([]comparison{r})
	require.NotContains(t, string(plain), "\x1b")
	coloured := compareOptions{colour: true}.tables([]comparison{r})
	require.Contains(t, string(coloured), "\n\x1b[1;32mgcx ")
	require.Equal(t, 1, strings.Count(string(coloured), "\x1b[0m\n"))
	require.Equal(t, string(plain), strings.NewReplacer("\x1b[1;32m", "", "\x1b[0m", "").Replace(string(coloured)))
	markdown := compareOptions{colour: true, markdown: true}.tables([]comparison{r})
	require.NotContains(t, string(markdown), "\x1b")
}
