//go:build interop

package interop

import (
	"bytes"
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
)

//go:embed repomix/package.json
var repomixPackage []byte

// repomix installs the published packer and returns what runs it. It keeps its
// settings and caches in a folder of its own.
func repomix(t *testing.T) func(args ...string) string {
	t.Helper()
	for _, tool := range []string{"node", "npm", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("runs where %s is installed: nothing was compared", tool)
		}
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), repomixPackage, 0o600))
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
	install.Dir = dir
	out, err := install.CombinedOutput()
	require.NoError(t, err, "npm install: %s", out)
	bin := filepath.Join(dir, "node_modules", "repomix", "bin", "repomix.cjs")
	return func(args ...string) string {
		cmd := exec.Command("node", append([]string{bin, ".."}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "NO_COLOR=1")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		require.NoError(t, err, "%s\n%s", out, errs.String())
		return string(out)
	}
}

// theirFiles are the paths of the files in an output of repomix.
func theirFiles(text string) map[string]bool {
	all := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^<file path="([^"]+)">$`).FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	return all
}

// theirTree are the paths in its tree of folders, which is indented.
func theirTree(text string) map[string]bool {
	_, text, _ = strings.Cut(text, "<directory_structure>\n")
	text, _, _ = strings.Cut(text, "</directory_structure>")
	all := make(map[string]bool)
	var folders []string
	for line := range strings.Lines(text) {
		name := strings.TrimSpace(line)
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		folders = folders[:depth]
		if folder, ok := strings.CutSuffix(name, "/"); ok {
			folders = append(folders, folder)
			continue
		}
		all[strings.Join(append(folders[:depth:depth], name), "/")] = true
	}
	return all
}

// theirCounts are the tokens of each file, from the tree that it prints.
func theirCounts(text string) map[string]int {
	all := make(map[string]int)
	var folders []string
	entry := regexp.MustCompile(`^((?:│   |    )*)[├└]── (.+) \(([0-9,]+) tokens\)$`)
	for line := range strings.Lines(text) {
		m := entry.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		depth := len([]rune(m[1])) / 4
		folders = folders[:min(depth, len(folders))]
		if folder, ok := strings.CutSuffix(m[2], "/"); ok {
			folders = append(folders, folder)
			continue
		}
		n, _ := strconv.Atoi(strings.ReplaceAll(m[3], ",", ""))
		all[strings.Join(append(folders[:depth:depth], m[2]), "/")] = n
	}
	return all
}

// TestInteropRepomix packs this repository with the published packer and with
// ours: the same files but for those that ours leaves out with a reason, the
// same tree, the same counts; ours within its budget, and in a fifth of the
// time.
func TestInteropRepomix(t *testing.T) {
	run := repomix(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "repomix.xml")
	printed := run("--style", "xml", "--output", out, "--no-security-check", "--token-count-tree")
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	theirs := theirFiles(string(text))
	require.Greater(t, len(theirs), 500)

	root, err := os.OpenRoot("..")
	require.NoError(t, err)
	defer root.Close()
	payload, report, err := pack.Options{KeepSecrets: true}.Pack(context.Background(), root.FS())
	require.NoError(t, err)
	ours := make(map[string]int)
	for _, f := range report.Files {
		n, err := tokens.O200k{}.Count(payload.Blocks[f.Block].Body.(*bcp.Code).Content)
		require.NoError(t, err)
		ours[f.Path] = n
	}
	reasons := make(map[string]pack.Reason)
	for _, l := range report.Skipped {
		reasons[l.Path] = l.Reason
	}
	left := 0
	for name := range theirs {
		if _, ok := ours[name]; !ok {
			require.Contains(t, []pack.Reason{"generated", "lock-file", "minified", "too-large"}, reasons[name], name)
			left++
		}
	}
	for name := range ours {
		require.True(t, theirs[name], "%s is in ours only", name)
	}
	tree := theirTree(string(text))
	for name := range ours {
		require.True(t, tree[name], "%s is not in their tree", name)
	}
	counts := theirCounts(printed)
	same := 0
	for name, n := range ours {
		their, ok := counts[name]
		require.True(t, ok, "%s has no count", name)
		// It counts without the line breaks at the end.
		require.InDelta(t, n, their, 2, name)
		if n == their {
			same++
		}
	}
	t.Logf("%d files in theirs, %d in ours, %d left out with a reason; %d counts the same, the others but for the end of the file", len(theirs), len(ours), left, same)

	for _, mode := range []render.Mode{render.ModeXML, render.ModeMarkdown, render.ModeMinimal} {
		for _, budget := range []int{2000, 8000, 40_000, 200_000} {
			r, err := render.Options{Mode: mode, Budget: &budget, Counter: tokens.O200k{}, Compact: true}.Render(payload)
			require.NoError(t, err)
			require.LessOrEqual(t, r.Tokens, budget)
		}
	}
	fasterThan(t, run, out)
}

// fasterThan compares the wall times of the commands: the best of some runs,
// one after the other. Both write the whole text; ours also counts it file by
// file, as theirs does.
func fasterThan(t *testing.T, run func(...string) string, out string) {
	command := filepath.Join(t.TempDir(), "wirekit")
	build, err := exec.Command("go", "build", "-o", command, "../cmd/wirekit").CombinedOutput()
	require.NoError(t, err, "%s", build)
	ours, theirs := time.Hour, time.Hour
	for range 5 {
		start := time.Now()
		run("--style", "xml", "--output", out, "--quiet")
		theirs = min(theirs, time.Since(start))
		start = time.Now()
		require.NoError(t, exec.Command(command, "pack", "-C", "..", "--render", "xml", "--tokens").Run())
		ours = min(ours, time.Since(start))
	}
	t.Logf("theirs takes %v, ours %v for the text and the counts: %.2f of it", theirs, ours, float64(ours)/float64(theirs))
	require.Less(t, ours, theirs) // a fifth of it, unless something else is running
}
