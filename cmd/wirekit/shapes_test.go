package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// TestTooManyShapes: records that have no shape in common are not tables; nothing
// is left of the files that were begun.
func TestTooManyShapes(t *testing.T) {
	var log strings.Builder
	for i := range 101 {
		fmt.Fprintf(&log, "{\"k%d\":1}\n", i)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "log.jsonl")
	convert := func(args ...string) (int, string) {
		var out, errs strings.Builder
		code := run(append([]string{"convert", "-t", "jsonl", "--by-shape"}, args...), &cli.Console{In: strings.NewReader(""), Out: &out, Err: &errs})
		return code, errs.String()
	}
	require.NoError(t, os.WriteFile(name, []byte(log.String()), 0o644))
	code, errs := convert("--stream", "--out-dir", filepath.Join(dir, "out"), name)
	require.Equal(t, cli.ExitInput, code)
	require.Contains(t, errs, "log.jsonl: record 101: the records have more than 100 shapes; leave --by-shape out")
	files, err := os.ReadDir(filepath.Join(dir, "out"))
	require.NoError(t, err)
	require.Empty(t, files)
	code, errs = convert(name)
	require.Equal(t, cli.ExitInput, code)
	require.Contains(t, errs, "log.jsonl: the records have more than 100 shapes")
}
