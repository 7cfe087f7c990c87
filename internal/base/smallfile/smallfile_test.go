package smallfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/smallfile"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	const most = 1000
	for name, size := range map[string]int{"empty": 0, "full": most, "large": most + 1} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("x", size)), 0o600))
		text, err := smallfile.Read(filepath.Join(dir, name), most)
		require.Equal(t, size > most, err != nil, name)
		if err == nil {
			require.Len(t, text, size)
		}
	}
	text, err := smallfile.Read(filepath.Join(dir, "none"), most)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Nil(t, text)
	for what, name := range faulty.Files(t, dir) {
		text, err := smallfile.Read(name, most)
		require.Error(t, err, what)
		require.NotErrorIs(t, err, fs.ErrNotExist, what)
		require.Nil(t, text, what)
	}
	if err := os.Symlink("full", filepath.Join(dir, "link")); err == nil {
		text, err := smallfile.Read(filepath.Join(dir, "link"), most)
		require.NoError(t, err)
		require.Len(t, text, most)
	}
}
