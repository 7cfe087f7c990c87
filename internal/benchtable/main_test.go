package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTablesHaveAPlace holds that the page can be written anew.
func TestTablesHaveAPlace(t *testing.T) {
	page, err := os.ReadFile("../../docs/benchmarks.md")
	require.NoError(t, err)
	for _, name := range []string{"documents", "conversions", "values"} {
		once, err := replaceTable(string(page), name, "a table\n")
		require.NoError(t, err, name)
		again, err := replaceTable(once, name, "a table\n")
		require.NoError(t, err, name)
		require.Equal(t, once, again, name)
	}
	_, err = replaceTable(string(page), "other", "")
	require.Error(t, err)
}
