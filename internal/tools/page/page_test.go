package page_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/tools/page"
)

func TestReplace(t *testing.T) {
	got, err := page.Replace("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n", got)
	for _, without := range []string{"", "<!-- x -->\n", "<!-- /x -->\n", "<!-- y -->\n<!-- /y -->\n"} {
		_, err = page.Replace(without, "x", "new\n")
		require.Error(t, err)
	}
}

// TestBenchmarks holds that the tables of speed can be written anew.
func TestBenchmarks(t *testing.T) {
	text, err := os.ReadFile("../../../docs/benchmarks.md")
	require.NoError(t, err)
	for _, name := range []string{"documents", "conversions", "values"} {
		once, err := page.Replace(string(text), "table "+name, "a table\n")
		require.NoError(t, err, name)
		again, err := page.Replace(once, "table "+name, "a table\n")
		require.NoError(t, err, name)
		require.Equal(t, once, again, name)
	}
}
