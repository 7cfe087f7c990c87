package pack

import (
	"context"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAbove: the .gitignore files above the packed folder hold as git has them hold.
func TestAbove(t *testing.T) {
	tree := text(".gitignore", "*.log\n/d/top\nd/e/deep\n!keep.log\n", ".git/info/exclude", "secret*\n", "d/.gitignore", "!debug.log\n", "d/e/.gitignore", "*.tmp\n",
		"d/e/a.go", "package a\n", "d/e/debug.log", "x", "d/e/other.log", "x", "d/e/keep.log", "x", "d/e/x.tmp", "x", "d/e/deep/a.txt", "x", "d/e/secret.txt", "x", "d/top/a.txt", "x")
	for within, want := range map[string][]string{
		"d/e": {".gitignore", "a.go", "debug.log", "keep.log"},
		"d":   {".gitignore", "e/.gitignore", "e/a.go", "e/debug.log", "e/keep.log"},
	} {
		below, err := fs.Sub(tree, within)
		require.NoError(t, err)
		_, report, err := Options{Above: tree, Within: within}.Pack(context.Background(), below)
		require.NoError(t, err)
		require.Equal(t, want, paths(report), within)
	}
	_, _, err := Options{Above: tree, Within: "../d"}.Pack(context.Background(), tree)
	require.ErrorContains(t, err, "not the path")
}
