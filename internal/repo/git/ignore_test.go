package git_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/repo/git"
	"github.com/wirekit/wirekit/pack"
)

// TestIgnoresAsGit: wherever the user's rules are and however they are named, a pack has the
// files that git lists.
func TestIgnoresAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("runs where git is installed")
	}
	for name, set := range map[string]func(t *testing.T, home, dir string, config func(...string)){
		"none":     func(*testing.T, string, string, func(...string)) {},
		"absolute": func(_ *testing.T, home, _ string, config func(...string)) { config("core.excludesFile", home+"/rules") },
		"home":     func(_ *testing.T, _, _ string, config func(...string)) { config("core.excludesFile", "~/rules") },
		"relative": func(t *testing.T, _, dir string, config func(...string)) {
			write(t, dir+"/rules", "*.glob\n")
			config("core.excludesFile", "rules")
		},
		"local over global": func(_ *testing.T, home, _ string, config func(...string)) {
			config("--global", "core.excludesFile", home+"/other")
			config("core.excludesFile", home+"/rules")
		},
		"global": func(_ *testing.T, _, _ string, config func(...string)) {
			config("--global", "core.excludesfile", "~/rules")
		},
		"empty":   func(_ *testing.T, _, _ string, config func(...string)) { config("core.excludesFile", "") },
		"missing": func(_ *testing.T, _, _ string, config func(...string)) { config("core.excludesFile", "~/nothing") },
		"in .config": func(t *testing.T, home, _ string, _ func(...string)) {
			write(t, home+"/.config/git/ignore", "*.glob\r\n")
		},
		"in XDG_CONFIG_HOME": func(t *testing.T, home, _ string, _ func(...string)) {
			t.Setenv("XDG_CONFIG_HOME", home+"/xdg")
			write(t, home+"/xdg/git/ignore", "\uFEFF*.glob\n")
			write(t, home+"/.config/git/ignore", "*.txt\n")
		},
		"included": func(t *testing.T, home, dir string, config func(...string)) {
			write(t, home+"/more", "[core]\n\texcludesFile = ~/rules\n")
			config("--global", "include.path", "more")
		},
		"included where it is so": func(t *testing.T, home, dir string, config func(...string)) {
			write(t, home+"/more", "[core]\n\texcludesFile = ~/rules\n\tignoreCase = true\n")
			config("--global", "includeIf.gitdir:"+dir+"/.path", "more")
		},
		"any case": func(_ *testing.T, _, _ string, config func(...string)) {
			config("core.excludesFile", "~/rules")
			config("core.ignoreCase", "yes")
		},
		"order": func(t *testing.T, home, dir string, config func(...string)) {
			write(t, home+"/.config/git/ignore", "*.glob\n*.txt\n/sub/a.md\n")
			write(t, dir+"/.git/info/exclude", "!b.glob\n")
			write(t, dir+"/sub/.gitignore", "!c.txt\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			home, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			t.Setenv("HOME", home)
			t.Setenv("USERPROFILE", home)
			t.Setenv("XDG_CONFIG_HOME", "")
			t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			os.Unsetenv("GIT_CONFIG_GLOBAL")
			dir := filepath.ToSlash(filepath.Join(home, "work"))
			for _, file := range []string{"a.glob", "B.GLOB", "b.glob", "a.txt", "sub/a.glob", "sub/C.Glob", "sub/c.txt", "sub/a.md", "a.md"} {
				write(t, dir+"/"+file, "x\n")
			}
			write(t, home+"/rules", "*.glob\n/a.md\n")
			write(t, home+"/other", "*.md\n")
			run := func(args ...string) string {
				cmd := exec.Command("git", args...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return string(out)
			}
			run("init", "-q")
			set(t, filepath.ToSlash(home), dir, func(args ...string) { run(append([]string{"config"}, args...)...) })
			want := strings.Fields(run("ls-files", "-o", "--exclude-standard"))
			slices.Sort(want)
			require.Equal(t, want, packed(t, dir))
			rules, fold := git.Ignores(context.Background(), dir)
			t.Chdir(dir + "/sub")
			below, foldBelow := git.Ignores(context.Background(), ".")
			require.Equal(t, rules, below)
			require.Equal(t, fold, foldBelow)
		})
	}
}

// packed are the files of a folder that a pack takes.
func packed(t *testing.T, dir string) (names []string) {
	var o pack.Options
	o.Ignore, o.IgnoreCase = git.Ignores(context.Background(), dir)
	_, report, err := o.Pack(context.Background(), os.DirFS(dir))
	require.NoError(t, err)
	for _, f := range report.Files {
		names = append(names, f.Path)
	}
	return names
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

// TestIgnoresOfWorkTree: the rules of a repository whose data is elsewhere.
func TestIgnoresOfWorkTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("runs where git is installed")
	}
	top := t.TempDir()
	t.Setenv("HOME", top)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, args := range [][]string{{"init", "-q", "main"}, {"-C", "main", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "x"}, {"-C", "main", "worktree", "add", "-q", "../tree"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = top
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write(t, top+"/main/.git/info/exclude", "*.glob\n")
	write(t, top+"/tree/a.glob", "x\n")
	write(t, top+"/tree/a.txt", "x\n")
	require.Equal(t, []string{"a.txt"}, packed(t, top+"/tree"))
}

// TestIgnoresWithoutGit: the default location, and nothing that is not a file of rules.
func TestIgnoresWithoutGit(t *testing.T) {
	top := t.TempDir()
	t.Setenv("PATH", top)
	t.Setenv("HOME", top)
	t.Setenv("XDG_CONFIG_HOME", top+"/x")
	rules, fold := git.Ignores(context.Background(), top)
	require.Empty(t, rules)
	require.False(t, fold)
	write(t, top+"/x/git/ignore", "*.glob\n")
	rules, _ = git.Ignores(context.Background(), top)
	require.Equal(t, "*.glob\n", rules)
	write(t, top+"/x/git/ignore", strings.Repeat("x", 1<<20+1))
	rules, _ = git.Ignores(context.Background(), top)
	require.Empty(t, rules)
}
