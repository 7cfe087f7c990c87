//go:build unix

package bcp

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pipe as a content file does not hold the reader for ever.
func TestContentFilesAreRegular(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skipf("runs where named pipes can be made: %v", err)
	}
	manifest := filepath.Join(dir, "manifest.json")
	for _, name := range []string{"pipe", "."} {
		require.NoError(t, os.WriteFile(manifest, []byte(`{"blocks":[{"type":"code","path":"a","content_file":"`+name+`"}]}`), 0o600))
		for _, anywhere := range []bool{false, true} {
			_, _, err := ManifestOptions{Anywhere: anywhere}.ReadFile(manifest)
			require.Error(t, err)
			require.Contains(t, err.Error(), "not a regular file")
		}
	}
	require.NoError(t, os.WriteFile(manifest, []byte(`{"blocks":[{"type":"code","path":"a","content_file":"../x"}]}`), 0o600))
	_, _, err := ManifestOptions{}.ReadFile(manifest)
	require.ErrorContains(t, err, "--anywhere")
}
