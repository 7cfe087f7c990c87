package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxBinary is what the stripped command may take.
const maxBinary = 19_500_000 // bytes

// TestBinarySize: the command stays small. What usually makes it jump is a
// dependency that links text/template or calls methods by name, after which the
// linker keeps every method. slices.SortFunc is compiled anew for each struct that is
// sorted; slices.SortStableFunc takes half as much.
func TestBinarySize(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it builds the command")
	}
	exe := filepath.Join(t.TempDir(), "wirekit")
	cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", exe, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	info, err := os.Stat(exe)
	require.NoError(t, err)
	t.Logf("%.2f MB", float64(info.Size())/1e6)
	require.LessOrEqual(t, info.Size(), int64(maxBinary))
}
