package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDrawing: the page shows the imports as they are.
func TestDrawing(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	chart, err := draw("../..")
	require.NoError(t, err)
	want, err := replace(string(page), chart)
	require.NoError(t, err)
	require.Equal(t, want, string(page), "regenerate with: go run ./internal/importmap -write")
}

func TestReduce(t *testing.T) {
	imports := map[string][]string{"a": {"b", "c", "d"}, "b": {"c"}, "c": nil, "d": nil}
	require.Equal(t, []string{"b", "d"}, reduce(imports, "a"))
	require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 0, "d": 0}, rank(imports))
}

func TestReplace(t *testing.T) {
	got, err := replace("a\n"+begin+"old\n"+end+"b\n", "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n"+begin+"new\n"+end+"b\n", got)
	_, err = replace("a page without a place\n", "new\n")
	require.Error(t, err)
}
