// Package examples holds programs that show how the toolkit is used. The test
// runs each one and compares what it prints with its output.txt.
package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// TestExamples runs every program, every third one with -short. UPDATE_EXAMPLES=1 writes the outputs anew.
func TestExamples(t *testing.T) {
	trials.OneGoroutine(t)
	programs, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for i, program := range programs {
		if testing.Short() && i%3 != 0 {
			continue
		}
		dir := filepath.Dir(program)
		t.Run(dir, func(t *testing.T) {
			cmd := exec.Command("go", "run", ".")
			cmd.Dir = dir // an example with a go.mod is a module of its own
			cmd.Env = append(os.Environ(), "GOWORK=off")
			cmd.Stderr = os.Stderr
			got, err := cmd.Output()
			require.NoError(t, err)
			file := filepath.Join(dir, "output.txt")
			if os.Getenv("UPDATE_EXAMPLES") != "" {
				require.NoError(t, os.WriteFile(file, got, 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		})
	}
}
