package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestServeSearch: grep and read see what packs have, below the folder, and say what they
// leave out.
func TestServeSearch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("src/a.go", "package a\n\nfunc Open() {}\r\n")
	write("src/b.py", "def open():\n  pass\n"+strings.Repeat("open()\n", 20))
	write("ignored/c.go", "package c\n\nfunc Open() {}\n")
	write(".gitignore", "ignored/\n")
	write(".env", "open=1\n")
	write("key.txt", "open ghp_"+strings.Repeat("a1B2", 9)+"\n")
	write("long.txt", strings.Repeat("x", 1000)+" open\n"+strings.Repeat("line\n", 30_000))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	box := toolbox{root: root, dir: dir}
	call := func(tool, arguments string) (string, error) {
		run, ok := box.find(tool)
		require.True(t, ok)
		return run(context.Background(), json.RawMessage(arguments))
	}
	got, err := call("grep", `{"pattern": "(?i)open\\(", "limit": "3"}`)
	require.NoError(t, err)
	require.Equal(t, "src/a.go:3: func Open() {}\nsrc/b.py:1: def open():\nsrc/b.py:3: open()\n19 more lines match, in 1 files: narrow the pattern or the paths, or raise limit\n", got)
	got, err = call("grep", `{"pattern": "open", "paths": ["*.txt"]}`)
	require.NoError(t, err)
	require.Equal(t, "key.txt:1: open [secret: github-token]\nlong.txt:1: "+strings.Repeat("x", 400)+"…\n", got)
	got, err = call("grep", `{"pattern": "nowhere"}`)
	require.NoError(t, err)
	require.Equal(t, "no line of 5 files matches", got)
	got, err = call("read", `{"path": "src/b.py", "from": 2, "lines": 2.0}`)
	require.NoError(t, err)
	require.Equal(t, "src/b.py, lines 2 to 3 of 22\n  pass\nopen()\n", got)
	got, err = call("read", fmt.Sprintf(`{"path": %q, "lines": 10000}`, filepath.Join(dir, "long.txt")))
	require.NoError(t, err)
	require.Less(t, len(got), mostRead+100)
	require.Regexp(t, `^long.txt, lines 1 to \d+ of 30001\n`, got)
	for arguments, want := range map[string]string{
		`{"path": "src"}`: "src is not one file; pack and grep take folders", `{"path": "../x"}`: "is not below", `{"path": "none"}`: "no such file",
		`{"path": ".env"}`: "no file to show", `{"path": "src/a.go", "from": 9}`: "has 3 lines, none from 9 on", `{}`: "wants the path",
	} {
		_, err := call("read", arguments)
		require.ErrorContains(t, err, want, arguments)
	}
	for arguments, want := range map[string]string{`{"pattern": "("}`: "not RE2", `{}`: "wants a pattern", `{"pattern": "x", "paths": ["/etc"]}`: "is not below"} {
		_, err := call("grep", arguments)
		require.ErrorContains(t, err, want, arguments)
	}
}
