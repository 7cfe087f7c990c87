package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

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
	r := &comparison{Formats: []measurement{{Format: "gcx", Tokens: &n, Lossless: true, Saving: new(float64)}, {Format: "json", Tokens: &m, Lossless: true}}}
	plain := options{}.tables([]*comparison{r})
	require.NotContains(t, string(plain), "\x1b")
	coloured := options{colour: true}.tables([]*comparison{r})
	require.Contains(t, string(coloured), "\n\x1b[1;32mgcx ")
	require.Equal(t, 1, strings.Count(string(coloured), "\x1b[0m\n"))
	require.Equal(t, string(plain), strings.NewReplacer("\x1b[1;32m", "", "\x1b[0m", "").Replace(string(coloured)))
	markdown := options{colour: true, markdown: true}.tables([]*comparison{r})
	require.NotContains(t, string(markdown), "\x1b")
}
