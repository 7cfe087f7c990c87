//go:build unix

package bcp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/wire"
)

// Content files lie in the manifest's folder, unless files anywhere are allowed, and are
// never pipes.
func TestContentFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	write("secret", "secret")
	write("pack/src/a.go", "package a\n")
	require.NoError(t, os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "pack", "link")))
	content := func(file string, anywhere bool) (string, error) {
		name := write("pack/manifest.json", `{"blocks":[{"type":"code","path":"a.go","content_file":`+string(wire.AppendJSON(nil, wire.String(file)))+`}]}`)
		p, _, err := readManifest(new(cli.Console), name, anywhere, bcp.Limits{})
		if err != nil {
			return "", err
		}
		return string(p.Blocks[0].Body.(*bcp.Code).Content), nil
	}
	for _, anywhere := range []bool{false, true} {
		for _, inside := range []string{"src/a.go", "./src/../src/a.go"} {
			text, err := content(inside, anywhere)
			require.NoError(t, err)
			require.Equal(t, "package a\n", text)
		}
		_, err := content("none", anywhere)
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	for _, outside := range []string{"../secret", filepath.Join(dir, "secret"), "link", "src/../../secret"} {
		_, err := content(outside, false)
		require.ErrorContains(t, err, "--anywhere")
		require.False(t, errors.Is(err, fs.ErrNotExist), outside)
		text, err := content(outside, true)
		require.NoError(t, err, outside)
		require.Equal(t, "secret", text)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pack", "pipe"), 0o600); err != nil {
		t.Skipf("the rest runs where named pipes can be made: %v", err)
	}
	for _, name := range []string{"pipe", "."} {
		for _, anywhere := range []bool{false, true} {
			_, err := content(name, anywhere)
			require.ErrorContains(t, err, "not a regular file")
		}
	}
}
