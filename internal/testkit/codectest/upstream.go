package codectest

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// Upstream returns a folder of the reference projects' test data, below
// WIREKIT_UPSTREAM, which is absolute or relative to a format's folder, or below
// shared/upstream beside the repository. It skips the test where there is none.
func Upstream(t testing.TB, parts ...string) string {
	t.Helper()
	module, err := os.Getwd()
	for ; err == nil; module = filepath.Dir(module) {
		if _, missing := os.Stat(filepath.Join(module, "go.mod")); missing == nil || module == filepath.Dir(module) {
			break
		}
	}
	root := cmp.Or(os.Getenv("WIREKIT_UPSTREAM"), filepath.Join("..", "..", "shared", "upstream"))
	if !filepath.IsAbs(root) {
		root = filepath.Join(module, "format", root)
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("runs where the reference's data are: there is no folder %s; set WIREKIT_UPSTREAM to the folder above it", dir)
	}
	return dir
}
