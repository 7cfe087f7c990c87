package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplace(t *testing.T) {
	got, err := replace("a\n<!-- table x -->\nold\n<!-- /table x -->\nb\n", "x", "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- table x -->\nnew\n<!-- /table x -->\nb\n", got)
	for _, without := range []string{"", "<!-- table x -->\n", "<!-- /table x -->\n", "<!-- table y -->\n<!-- /table y -->\n"} {
		_, err = replace(without, "x", "new\n")
		require.Error(t, err)
	}
}

// TestBenchmarks holds that the tables of speed can be written anew.
func TestBenchmarks(t *testing.T) {
	text, err := os.ReadFile("../../../docs/benchmarks.md")
	require.NoError(t, err)
	for _, name := range []string{"documents", "conversions", "values"} {
		once, err := replace(string(text), name, "a table\n")
		require.NoError(t, err, name)
		again, err := replace(once, name, "a table\n")
		require.NoError(t, err, name)
		require.Equal(t, once, again, name)
	}
}
