package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/tools/page"
)

// TestDrawing: the page shows the imports as they are.
func TestDrawing(t *testing.T) {
	have, err := os.ReadFile("../../../docs/architecture.md")
	require.NoError(t, err)
	chart, err := draw("../../..")
	require.NoError(t, err)
	want, err := page.Replace(string(have), name, chart)
	require.NoError(t, err)
	require.Equal(t, want, string(have), "regenerate with: go run ./internal/tools/importmap -write")
}

func TestReduce(t *testing.T) {
	imports := map[string][]string{"a": {"b", "c", "d"}, "b": {"c"}, "c": nil, "d": nil}
	require.Equal(t, []string{"b", "d"}, reduce(imports, "a"))
	require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 0, "d": 0}, rank(imports))
}
