// Package positions holds that errors of every format have their code, their path and the
// position of what is wrong.
package positions

import (
	"os"
	"testing"
)

// TestMain runs the tests in the root of the module, where the pages are.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
