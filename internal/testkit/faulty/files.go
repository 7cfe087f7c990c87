package faulty

import (
	"os"
	"path/filepath"
	"testing"
)

// Files makes, in the folder dir, what no small regular file is, and returns the names by
// what they are.
func Files(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(what string) string {
		files[what] = filepath.Join(dir, what)
		return files[what]
	}
	check(os.Mkdir(add("folder"), 0o700))
	check(os.WriteFile(add("large"), nil, 0o600))
	check(os.Truncate(files["large"], 1<<34)) // which takes nothing on the disk
	special(check, add)
	return files
}
