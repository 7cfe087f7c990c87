//go:build upstream

package scorecard

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

// publishedTokens has the counts of cl100k_base in upstream's scorecard, JSON
// and GCX1.
var publishedTokens = map[string]Measure{
	"01_search_symbols_small": {181, 125}, "02_search_symbols_large": {1068, 742}, "03_get_symbol_source_small": {257, 255},
	"04_get_symbol_source_large": {534, 532}, "05_batch_symbols": {335, 241}, "06_find_usages_small": {335, 255},
	"07_find_usages_large": {569, 351}, "08_get_file_summary": {567, 431}, "09_analyze_hotspots": {506, 318},
	"10_analyze_dead_code": {288, 198}, "11_contracts_list": {580, 463}, "12_get_callers_medium": {750, 532},
	"13_smart_context": {471, 299}, "14_get_dependents_small": {329, 239}, "15_get_test_targets": {311, 262},
	"16_find_implementations": {224, 157}, "17_find_cycles": {87, 90}, "18_graph_stats": {162, 174},
	"19_get_editing_context": {233, 171}, "20_get_repo_outline": {237, 224},
}

func TestUpstream(t *testing.T) {
	dir := codectest.Upstream(t, "gcx", "wire-format")
	cases, err := Load(os.DirFS(dir))
	require.NoError(t, err)
	require.Len(t, cases, len(publishedTokens))
	s, err := Run(cases, Options{Tokenizer: TokenizerCl100k})
	require.NoError(t, err)
	require.Equal(t, len(cases), s.Lossless)
	published, err := Run(cases, Options{Tokenizer: TokenizerCl100k, Published: true})
	require.NoError(t, err)
	for i, r := range published.Results {
		want := publishedTokens[r.Name]
		require.Equal(t, want.JSON, r.Tokens[0].JSON, r.Name)
		if r.Name != "13_smart_context" { // whose published payload leaves a text out
			require.Equal(t, want.GCX, r.Tokens[0].GCX, r.Name)
		}
		t.Logf("%s: plain %d, lossless %d, published %d", r.Name, r.Tokens[0].GCX, s.Results[i].Tokens[0].GCX, want.GCX)
	}
	t.Log("\n" + s.String())
}
