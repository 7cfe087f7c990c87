// Package journeys walks the first steps of three newcomers by the commands of the pages
// alone, in a fresh clone with empty caches.
package journeys

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pages are read in this order. The comment <!-- journey: NAME, NAME --> marks a fence
// whose commands are part of these journeys.
var pages = []string{"README.md", "docs/start-go.md", "docs/start-shell.md", "docs/start-mcp.md", "docs/start-agents.md"}

var marked = regexp.MustCompile("(?s)<!-- journey: ([a-z, ]+) -->\n```[a-z]*\n(.*?)```")

const root = "../../.."

// TestJourneys runs by make journeys: it compiles everything anew, three times.
func TestJourneys(t *testing.T) {
	if os.Getenv("JOURNEYS") == "" {
		t.Skip("runs by make journeys: it compiles everything anew")
	}
	for _, name := range []string{"go", "shell", "mcp"} {
		t.Run(name, func(t *testing.T) { walk(t, name) })
	}
}

// walk runs the commands of a journey in an empty folder, in one shell.
func walk(t *testing.T, name string) {
	dir := t.TempDir()
	var script strings.Builder
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		require.NoError(t, err)
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(strings.Split(m[1], ", "), name) {
				continue
			}
			for line := range strings.Lines(m[2]) {
				fmt.Fprintf(&script, "echo '== %s:' %q >&2\n%s", page, strings.TrimSpace(line), line)
				if strings.HasPrefix(line, "git clone") {
					script.WriteString("if [ -d wirekit ]; then bring wirekit; else bring .; fi\n")
				}
			}
		}
	}
	require.NotEmpty(t, script.String(), "no page has a command of the journey")
	brought := t.TempDir()
	bring(t, brought)
	start := time.Now()
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", "bring() { cp -R '"+brought+"'/. $1/; }\n"+script.String())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), environment(t, dir)...)
	out, err := cmd.CombinedOutput()
	t.Logf("%v, from the clone to the last command\n%s", time.Since(start).Round(time.Second), out)
	require.NoError(t, err)
}

// environment has empty caches, and a copy of this repository where the pages name its
// address. Modules come from what is downloaded, as far as it is there.
func environment(t *testing.T, dir string) []string {
	repository, err := filepath.Abs(root)
	require.NoError(t, err)
	cached, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	module := strings.Fields(string(cached))
	return []string{
		"HOME=" + dir, "GOCACHE=" + dir + "/.cache", "GOMODCACHE=" + dir + "/.mod", "GOFLAGS=-modcacherw", "GOWORK=off", "GONOSUMDB=*", "NO_COLOR=1",
		"GOPROXY=file://" + module[0] + "/cache/download," + module[1],
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + repository + ".insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/wirekit/wirekit",
	}
}

// bring writes what a newcomer has: a large array, and a client's configuration.
func bring(t *testing.T, dir string) {
	var big strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&big, "%c\n{\"id\":%d,\"name\":\"user-%d\",\"user\":{\"city\":\"Lagos\"}}", "[,"[min(i, 1)], i, i%977)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "big.json"), []byte(big.String()+"]\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(`{"mcpServers":{"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]}}}`), 0o644))
}
