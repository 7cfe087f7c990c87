package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// onTerminal runs the command on a terminal, on which typed is typed, and returns what it
// shows.
func onTerminal(t *testing.T, typed string, env []string, args ...string) string {
	user, program := terminal(t)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "wirekit" // as which testscript.Main runs main
	cmd.Env = append(append(os.Environ(), "TERM=xterm", "NO_COLOR="), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	require.NoError(t, cmd.Start())
	program.Close()
	if typed != "" {
		_, err = io.WriteString(user, typed)
		require.NoError(t, err)
	}
	shown, _ := io.ReadAll(user) // which ends with an error when the program's side is closed
	_ = cmd.Wait()               // a difference has an exit code
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// TestTerminal: what the command says on a terminal and in no pipe.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.json": `{"a":1,"b":[1,2]}`, "b.json": `{"a":2,"b":[1]}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")

	require.Regexp(t, `(?m)^wirekit: a.json: glyph\S* saves [0-9.]+ % against compact JSON$`, onTerminal(t, "", nil, "convert", "-t", "auto", a))

	colours := "\x1b[1m--- a.json\x1b[0m\n\x1b[1m+++ b.json\x1b[0m\n\x1b[33m~ /a: 1 → 2\x1b[0m\n\x1b[31m- /b/1: 2\x1b[0m\n"
	require.Equal(t, colours, onTerminal(t, "", nil, "diff", a, b))
	require.Equal(t, "--- a.json\n+++ b.json\n~ /a: 1 → 2\n- /b/1: 2\n", onTerminal(t, "", []string{"NO_COLOR=1"}, "diff", a, b))

	page := onTerminal(t, "", nil, "man", "convert")
	require.Contains(t, page, "Usage:\n  wirekit convert ")
	require.NotContains(t, page, ".SH")

	// \x04 is what Ctrl-D sends.
	shown := onTerminal(t, "[1, 2]\n\x04", nil, "convert", "-t", "json")
	require.Contains(t, shown, "wirekit: reading standard input; end with Ctrl-D\n")
	require.True(t, strings.HasSuffix(shown, "[1,2]\n"), shown)
}
