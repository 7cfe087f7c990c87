//go:build interop

package interop

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/repo/outline"
)

//go:embed outline
var compiler embed.FS

// TestInteropOutline holds the outlines of modules of two packages against the compiler
// of TypeScript: the same names are exported, and every method that is not private is there.
func TestInteropOutline(t *testing.T) {
	dir := installed(t, compiler, "outline")
	var paths []string
	for _, name := range []string{"rxjs", "zod"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(dir, "node_modules", name, "src"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".ts") && !strings.Contains(path, "/tests/") {
				paths = append(paths, path)
			}
			return err
		}))
	}
	require.Greater(t, len(paths), 200)
	input, err := json.Marshal(paths)
	require.NoError(t, err)
	node := exec.Command("node", "exports.mjs")
	node.Dir, node.Stdin, node.Stderr = dir, bytes.NewReader(input), os.Stderr
	out, err := node.Output()
	require.NoError(t, err)
	var modules map[string]struct{ Names, Methods []string }
	require.NoError(t, json.Unmarshal(out, &modules))
	names, methods := 0, 0
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		var exported, all []string
		for _, h := range outline.Public(".ts", src, outline.Heads(".ts", src)) {
			switch {
			case strings.HasPrefix(h.Text, "export default "): // it has no name for others
			case h.Exports != nil:
				exported = append(exported, h.Exports...)
			case h.Depth == 0 && strings.HasPrefix(h.Text, "export "):
				exported = append(exported, h.Name)
			}
			all = append(all, h.Name)
		}
		want := modules[path]
		names, methods = names+len(want.Names), methods+len(want.Methods)
		require.Equal(t, sorted(want.Names), sorted(exported), path)
		for _, name := range want.Methods {
			require.Contains(t, all, name, path)
		}
	}
	t.Logf("%d modules export %d names; %d methods", len(paths), names, methods)
	require.Greater(t, names, 1000)
	require.Greater(t, methods, 200)
}

// sorted are names without what has none of its own.
func sorted(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "default" })
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}
