// Package repo checks the repository: that what is public has documentation and readers,
// that imports follow the table of floors, that commands and figures in the pages are true,
// and that its modules can be installed.
package repo

import (
	"os"
	"testing"
)

// TestMain runs the tests in the root of the module.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
