package git

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// repository makes one with the files of a first commit.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("runs where git is installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, files)
	commit(t, dir, "first")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false"}, args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

func commit(t *testing.T, dir, message string) {
	t.Helper()
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", message)
}

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	f, err := Open(context.Background(), dir)
	require.NoError(t, err)
	return f
}

func TestDiff(t *testing.T) {
	dir := repository(t, map[string]string{
		"a.go": "package a\n\nfunc A() {\n\tone()\n\ttwo()\n\tthree()\n\tfour()\n\tfive()\n}\n", "gone": "x\n", "old name.txt": strings.Repeat("line\n", 20),
		"bin": "a\x00b", "run.sh": "#!/bin/sh\n", "sub/é \"q\".txt": "1\n2\n", "no end": "x", "minus": "-- a\n-- b\n"})
	write(t, dir, map[string]string{
		"a.go": "package a\n\nfunc A() {\n\tone()\n\ttwo()\n\tthree()\n\tfour()\n\tFIVE()\n}\n", "bin": "a\x00c", "sub/é \"q\".txt": "1\n3\n", "no end": "y", "minus": "++ a\n-- b\n"})
	require.NoError(t, os.Remove(filepath.Join(dir, "gone")))
	git(t, dir, "mv", "old name.txt", "new name.txt")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(filepath.Join(dir, "run.sh"), 0o755))
	}
	changes, err := open(t, dir).Diff(context.Background(), Range{})
	require.NoError(t, err)
	got := make(map[string]Change)
	for _, c := range changes {
		got[c.Diff.Path] = c
	}
	require.Equal(t, []bcp.DiffHunk{{OldStart: 5, NewStart: 5, Lines: []byte(" \ttwo()\n \tthree()\n \tfour()\n-\tfive()\n+\tFIVE()\n }\n")}}, got["a.go"].Diff.Hunks)
	require.Equal(t, "+1 -1: func A() {", summary(got["a.go"]))
	require.Equal(t, "deleted, +0 -1", summary(got["gone"]))
	require.Equal(t, "rename from old name.txt, +0 -0", summary(got["new name.txt"]))
	require.Equal(t, "binary, +0 -0", summary(got["bin"]))
	require.Equal(t, "-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n", string(got["no end"].Diff.Hunks[0].Lines))
	require.Equal(t, "--- a\n+++ a\n -- b\n", strings.Replace(string(got["minus"].Diff.Hunks[0].Lines), "-- b\n", "-- b\n", 1))
	require.Contains(t, got, "sub/é \"q\".txt")
	if runtime.GOOS != "windows" {
		require.Equal(t, "mode 100755, +0 -0", summary(got["run.sh"]))
	}

	// From a folder below, paths are relative to it and others are not told.
	changes, err = open(t, filepath.Join(dir, "sub")).Diff(context.Background(), Range{})
	require.NoError(t, err)
	require.Len(t, changes, 1)
	require.Equal(t, "é \"q\".txt", changes[0].Diff.Path)

	changes, err = open(t, dir).Paths("a.go", "sub", "new*").Diff(context.Background(), Range{})
	require.NoError(t, err)
	require.Len(t, changes, 3)

	staged, err := open(t, dir).Diff(context.Background(), Range{Staged: true})
	require.NoError(t, err)
	require.Len(t, staged, 1)
	commit(t, dir, "second")
	none, err := open(t, dir).Diff(context.Background(), Range{})
	require.NoError(t, err)
	require.Empty(t, none)
	two, err := open(t, dir).Diff(context.Background(), Range{Revision: "HEAD~1..HEAD"})
	require.NoError(t, err)
	require.Equal(t, len(got), len(two))
	for _, rev := range []string{"--output=x", "", "nothing"} {
		_, err = open(t, dir).Diff(context.Background(), Range{Revision: rev})
		if rev == "" {
			require.NoError(t, err)
		} else {
			require.Error(t, err, rev)
		}
	}

	log, err := open(t, dir).Paths("bin").Log(context.Background(), 5)
	require.NoError(t, err)
	require.Equal(t, []string{"M bin"}, log[0].Files)
	log, err = open(t, dir).Log(context.Background(), 5)
	require.NoError(t, err)
	require.Len(t, log, 2)
	require.Equal(t, "second", log[0].Subject)
	require.Contains(t, log[0].Files, "M a.go")
	require.Contains(t, log[1].Files, "A sub/é \"q\".txt")
	counts, err := open(t, dir).Changes(context.Background())
	require.NoError(t, err)
	require.Equal(t, 2, counts["a.go"])
	require.Equal(t, 1, counts["new name.txt"])
}

func summary(c Change) string { return c.Summary() }

// Names and texts that are not UTF-8 are told all the same.
func TestNotUTF8(t *testing.T) {
	changes, err := ParseDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ caf\xe9\n-\xe9\n+\xe8\ndiff --git \"a/\\377\" b/y\nrename from \"\\377\"\nrename to y\n"))
	require.NoError(t, err)
	require.Len(t, changes, 2)
	require.Equal(t, "+1 -1: caf\uFFFD", changes[0].Summary())
	require.Equal(t, "-\xe9\n+\xe8\n", string(changes[0].Diff.Hunks[0].Lines))
	require.Equal(t, "rename from \xff", changes[1].Note)
	require.Equal(t, "rename from \uFFFD, +0 -0", changes[1].Summary())
}

// Whatever a repository's configuration names, git runs none of it.
func TestNothingRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: the traps are shell scripts")
	}
	dir := repository(t, map[string]string{"a.txt": "1\n", "b.x": "1\n", "c.lock": "1\n", ".gitattributes": "*.x filter=trap diff=trap\n*.txt filter=other.one diff=trap\n"})
	trace := filepath.Join(t.TempDir(), "trace")
	const trap = "wirekit-trap" // by its name, since a shell splits paths at blanks
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(filepath.Join(bin, trap), []byte("#!/bin/sh\necho \"$0 $*\" >> '"+trace+"'\ncat\n"), 0o755))
	hooks := t.TempDir()
	for _, hook := range []string{"post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"} {
		require.NoError(t, os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\necho hook >> '"+trace+"'\n"), 0o755))
	}
	for key, value := range map[string]string{
		"core.fsmonitor": trap, "core.hooksPath": hooks, "core.pager": trap, "pager.diff": trap, "pager.log": trap, "diff.external": trap,
		"diff.trap.command": trap, "diff.trap.textconv": trap, "filter.trap.clean": trap, "filter.trap.smudge": trap, "filter.trap.required": "true",
		"filter.other.one.clean": trap, "filter.other.one.process": trap, "gpg.program": trap, "log.showSignature": "true", "core.sshCommand": trap, "core.editor": trap,
		"interactive.diffFilter": trap, "core.askPass": trap, "credential.helper": "!" + trap, "alias.diff": "!" + trap, "alias.log": "!" + trap, "alias.config": "!" + trap,
	} {
		git(t, dir, "config", key, value)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("2\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.x"), []byte("2\n"), 0o644))
	os.Remove(trace)
	f := open(t, dir)
	for _, w := range []Range{{}, {Staged: true}, {Revision: "HEAD"}} {
		changes, err := f.Diff(context.Background(), w)
		require.NoError(t, err)
		if !w.Staged {
			require.Len(t, changes, 2)
		}
	}
	_, err := f.Log(context.Background(), 3)
	require.NoError(t, err)
	_, err = f.Changes(context.Background())
	require.NoError(t, err)
	ran, _ := os.ReadFile(trace)
	require.Empty(t, string(ran))

	// The traps work: without the precautions they run.
	out, _ := exec.Command("git", "-C", dir, "diff").CombinedOutput()
	ran, err = os.ReadFile(trace)
	require.NoError(t, err, "%s", out)
	require.NotEmpty(t, ran)
}

func TestOpen(t *testing.T) {
	dir := repository(t, map[string]string{"a": "1"})
	_, err := Open(context.Background(), t.TempDir())
	require.ErrorIs(t, err, ErrNone)
	elsewhere := t.TempDir()
	git(t, dir, "config", "core.worktree", elsewhere)
	_, err = Open(context.Background(), dir)
	require.ErrorIs(t, err, ErrNone)
	git(t, dir, "config", "--unset", "core.worktree")
	git(t, dir, "config", "filter.a=b.clean", "x")
	_, err = Open(context.Background(), dir)
	require.ErrorIs(t, err, ErrNone)
	// The caller's own variables do not lead elsewhere.
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	_, err = Open(context.Background(), elsewhere)
	require.ErrorIs(t, err, ErrNone)
}

// TestRanges: line numbers are below 2^32, as a hunk has them.
func TestRanges(t *testing.T) {
	parse := func(at string) ([]Change, error) {
		return ParseDiff([]byte("diff --git a/x b/x\n@@ -" + at + ",0 +1 @@\n+a\n"))
	}
	changes, err := parse("4294967295")
	require.NoError(t, err)
	require.Equal(t, uint32(math.MaxUint32), changes[0].Diff.Hunks[0].OldStart)
	for _, at := range []string{"4294967296", "99999999999999999999"} {
		_, err = parse(at)
		require.ErrorContains(t, err, "is no range")
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@ f\n a\n-b\n\\ No newline at end of file\n")
	f.Add("diff --git \"a/\\303\\251\" \"b/\\303\\251\"\nsimilarity index 1%\nrename from a\nrename to \"b\"\n")
	f.Add("diff --git a/x b/x\n@@ -0,0 +1,9 @@\n+\n")
	f.Fuzz(func(t *testing.T, text string) {
		changes, err := ParseDiff([]byte(text))
		if err != nil {
			require.Nil(t, changes)
			return
		}
		for _, c := range changes {
			added := 0
			for _, h := range c.Diff.Hunks {
				for line := range strings.Lines(string(h.Lines)) {
					if line[0] == '+' {
						added++
					}
				}
			}
			require.Equal(t, c.Added, added)
			_ = c.Summary()
		}
	})
}

func TestGrowth(t *testing.T) {
	for name, unit := range map[string]string{
		"files": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ f\n-a\n+b\n", "hunks": "@@ -1 +1 @@ f\n-a\n+b\n", "headers": "rename from x\n",
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 300, func(n int) func() {
				text := []byte("diff --git a/x b/x\n" + strings.Repeat(unit, n))
				return func() {
					if _, err := ParseDiff(text); err != nil {
						panic(err)
					}
				}
			})
		})
	}
}

// TestNoCommits: in a repository without commits there is no log, nothing has changed often,
// and what is tracked is new.
func TestNoCommits(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		git(t, dir, "init", "-q", "--object-format="+format)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o644))
		git(t, dir, "add", ".")
		f := open(t, dir)
		commits, err := f.Log(context.Background(), 3)
		require.NoError(t, err)
		require.Empty(t, commits)
		counts, err := f.Changes(context.Background())
		require.NoError(t, err)
		require.Empty(t, counts)
		for _, r := range []Range{{}, {Staged: true}} {
			changes, err := f.Diff(context.Background(), r)
			require.NoError(t, err)
			require.Len(t, changes, 1)
			require.Equal(t, "new file", changes[0].Note)
		}
		_, err = f.Diff(context.Background(), Range{Revision: "HEAD~1"})
		require.Error(t, err)
	}
}
