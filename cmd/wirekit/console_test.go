package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// TestGlobs: where the shell leaves patterns to programs, they are expanded.
func TestGlobs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.json", "b.json", "c.txt", "[x].json"} {
		if err := os.WriteFile(name, []byte("1\n"), 0o644); err != nil {
			t.Skip("runs where files can have such names: ", err)
		}
	}
	check := func(args ...string) (int, string, string) {
		var out, errs strings.Builder
		code := run(append([]string{"check"}, args...), &cli.Console{In: strings.NewReader(""), Out: &out, Err: &errs, Globs: true})
		return code, out.String(), errs.String()
	}
	code, out, _ := check("?.json")
	require.Zero(t, code)
	require.Equal(t, "a.json: json, canonical, 1 values, depth 0\nb.json: json, canonical, 1 values, depth 0\n", out)
	code, out, _ = check("[x].json")
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(out, "[x].json: "), out)
	code, _, errs := check("*.gcf")
	require.Equal(t, cli.ExitInput, code)
	require.Equal(t, "wirekit: no file matches *.gcf\n", errs)
	code, _, errs = check("a[")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, errs, "a[ is not a pattern")

	var errOut strings.Builder
	require.Zero(t, run([]string{"convert", "-t", "yaml", "--out-dir", "out", "?.json"}, &cli.Console{Err: &errOut, Globs: true}), errOut.String())
	require.FileExists(t, "out/b.yaml")
}

// TestExclusiveFlags: flags that exclude each other are a wrong call, not a difference.
func TestExclusiveFlags(t *testing.T) {
	for _, line := range []string{"diff --quiet --text a b", "convert -t json --limit 1 --sample 1", "gcx encode --plain --single", "goon decode --lenient --strict"} {
		var errs strings.Builder
		require.Equal(t, cli.ExitUsage, run(strings.Fields(line), &cli.Console{In: strings.NewReader(""), Err: &errs}), line)
		require.Contains(t, errs.String(), "none of the others can be", line)
	}
}
