// Package repo checks the repository: that what is public has documentation and readers,
// that imports follow the table of floors, that commands and figures in the pages are true,
// and that its modules can be installed.
package repo

import (
	"os"
	"sync"
	"testing"
)

// TestMain runs the tests in the root of the module.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// recorded has go test know the folder that TestMain has left its own for, which it
// records within tests only: a cached result is then not of files that have changed.
var recorded = sync.OnceFunc(func() { _ = os.Chdir(".") })
