package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/smallfile"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"golang.org/x/sys/unix"
)

// TestForeignSettings: what is not a small regular file where settings are is refused at once
// by every verb that reads it; the hook is silent.
func TestForeignSettings(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector: it starts a hundred processes, each of which does one thing after the other")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	special := t.TempDir()
	files := faulty.Files(t, special)
	files["more than the bound"] = filepath.Join(special, "long")
	require.NoError(t, os.WriteFile(files["more than the bound"], []byte(strings.Repeat("#\n", smallfile.Settings/2)+"#"), 0o600))
	verbs := map[string][]string{
		"exec -- true": {"wirekit.yaml", ".config/wirekit/wirekit.yaml"}, "mcp proxy -- true": {"wirekit.yaml", ".config/wirekit/wirekit.yaml"},
		"llm proxy --upstream https://api.example.org": {"wirekit.yaml", ".config/wirekit/wirekit.yaml"}, "llm serve": {"wirekit.yaml", ".config/wirekit/wirekit.yaml"},
		"hook run claude": {"wirekit.yaml", ".config/wirekit/wirekit.yaml"}, "hook run opencode": {"wirekit.yaml"}, "hook run claude --config x": {"x"},
		"exec --config x -- true":       {"x"},
		"hook status claude":            {"wirekit.yaml", ".claude/settings.json", "home/.claude/settings.json"},
		"hook status opencode":          {".config/wirekit/wirekit.yaml", ".opencode/plugin/wirekit.js", ".config/opencode/plugin/wirekit.js"},
		"hook install claude":           {"home/.claude/settings.json"},
		"hook install claude --project": {".claude/settings.json"}, "hook uninstall claude --project": {".claude/settings.json"},
		"hook install opencode --project": {".opencode/plugin/wirekit.js"}, "hook uninstall opencode --project": {".opencode/plugin/wirekit.js"},
	}
	for verb, places := range verbs {
		if testing.Short() && !strings.HasPrefix(verb, "hook run") {
			continue // they have the same reader
		}
		for _, place := range places {
			for what, file := range files {
				dir := filepath.Join(t.TempDir(), "work")
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, place)), 0o700))
				require.NoError(t, os.Symlink(file, filepath.Join(dir, place)))
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				cmd := exec.CommandContext(ctx, self, strings.Fields(verb)...)
				cmd.Args[0], cmd.Dir = "wirekit", dir
				cmd.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "XDG_CONFIG_HOME="+filepath.Join(dir, ".config"), "CLAUDE_CONFIG_DIR=")
				var out strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &out
				require.NoError(t, cmd.Start())
				require.NoError(t, unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: 4 << 30, Max: 4 << 30}, nil))
				err := cmd.Wait()
				cancel()
				where := verb + ": " + place + ": " + what + ": " + out.String()
				require.True(t, cmd.ProcessState.Exited(), where)
				switch {
				case strings.HasPrefix(verb, "hook run"):
					require.Empty(t, out.String(), where)
					require.NoError(t, err, where)
				case strings.HasPrefix(verb, "hook status"):
					require.Regexp(t, `it is not a regular file|it has more than|too many levels`, out.String(), where)
					require.NoError(t, err, where)
				default:
					require.Regexp(t, `it is not a regular file|it has more than|too many levels`, out.String(), where)
					require.Error(t, err, where)
				}
			}
		}
	}
}
