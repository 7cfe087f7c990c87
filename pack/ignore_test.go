package pack

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// ignoreCases are .gitignore files with paths that are ignored, and others
// that are not.
var ignoreCases = []struct{ text, ignored, kept string }{
	{"foo", "foo a/foo foo2/foo/x", "food a/bar"},
	{"/foo", "foo", "a/foo"},
	{"foo/", "foo/x a/foo/y", "b/foo"},
	{"a/foo", "a/foo", "b/a/foo"},
	{"f?o", "foo f.o", "f/o foo2"},
	{"x[!a-c]", "xd", "xa xb"},
	{"x[^a-c]", "xd", "xa xb"},
	{"x[[:digit:]]", "x1 x9", "xa"},
	{"x[]-]", "x] x-", "xa"},
	{"x[a-]", "xa x-", "xb"},
	{`x[\]]`, "x]", `xa`},
	{"x[", "", "x[ x"},
	{"x[[:nothing:]]", "", "xn x:"},
	{"**/foo/bar", "foo/bar a/foo/bar a/b/foo/bar", "foo/a/bar"},
	{"abc/**", "abc/x abc/y/z", "x/abc/y"},
	{"a/**/b", "a/b a/x/b a/x/y/b", "x/a/b"},
	{"a**b", "ab axb", "a/b"},
	{"a/x**b", "a/xb a/xyb", "a/c"},
	{"*.log\n!keep.log", "a.log d/b.log", "keep.log d/keep.log"},
	{"out/\n!out/keep", "out/keep out/x", "keep"},
	{"out/*\n!out/keep", "out/x", "out/keep"},
	{"/*\n!/src", "a.go doc/x", "src/a.go"},
	{"*\n!*/\n!*.go", "b.txt d/b.txt", "a.go d/a.go"},
	{`\!x`, "!x", "x"},
	{`\#x`, "#x", "x"},
	{"#x", "", "#x"},
	{"bar\\ ", "bar\u0020", "bar"},
	{"bar  ", "bar", "bar2"},
	{"a\\\\ ", `a\`, "a"},
	{"\uFEFFfoo", "foo", "bar"},
	{"?.md", "e.md", "é.md"},
	{"/", "", "a b/c"},
	{"//", "", "a b/c"},
	{`foo\`, "", `foo\ foo`},
	{"foo\r\nbar\r", "foo bar", "baz"},
	{"\t", "\t", "a"},
	{"foo\t", "foo\t", "foo"},
	{`\*`, "*", "a"},
	{"{a,b}", "{a,b}", "a b"},
	{"Foo", "Foo", "foo"},
	{"./foo", "", "foo"},
	{"**", "a b/c", ""},
	{"***/b", "b a/b a/c/b", "c"},
	{"a/*/b", "a/x/b", "a/b a/x/y/b"},
	{"a/*", "a/x a/y/z", "b/a"},
	{".*", ".a d/.b/c", "a"},
	{"!", "", "a"},
	{"!!a", "", "!a a"},
	{"/**/x", "x a/x", "y"},
	{"a//b", "", "a/b"},
	{"*\n!.", "a", ""},
}

// names splits the paths of a case, which may end in a space.
func names(text string) []string {
	var all []string
	for word := range strings.SplitSeq(text, " ") {
		if word != "" {
			all = append(all, word)
		}
	}
	if text == "bar\u0020" {
		return []string{text}
	}
	return all
}

func TestIgnore(t *testing.T) {
	for _, c := range ignoreCases {
		var w walker
		rules := &rules{list: w.ignores("", c.text)}
		decide := func(name string) bool {
			for i := range name {
				if name[i] == '/' && w.ignored(rules, name[:i], true) {
					return true
				}
			}
			return w.ignored(rules, name, false)
		}
		for _, name := range names(c.ignored) {
			require.True(t, decide(name), "%q ignores %q", c.text, name)
		}
		for _, name := range names(c.kept) {
			require.False(t, decide(name), "%q keeps %q", c.text, name)
		}
	}
}

// gitIgnores returns which of the files of a folder git ignores.
func gitIgnores(t *testing.T, dir string, files []string, foldCase bool) map[string]bool {
	t.Helper()
	run := func(in string, args ...string) []byte {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.Output()
		if e, ok := err.(*exec.ExitError); ok && e.ExitCode() == 1 && len(e.Stderr) == 0 {
			err = nil // nothing is ignored
		}
		require.NoError(t, err)
		return out
	}
	run("", "-c", "init.defaultBranch=main", "init", "-q")
	run("", "config", "core.ignoreCase", fmt.Sprint(foldCase))
	found := make(map[string]bool)
	for name := range bytes.SplitSeq(run(strings.Join(files, "\x00"), "check-ignore", "--no-index", "-z", "--stdin"), []byte{0}) {
		found[string(name)] = true
	}
	return found
}

// sameAsGit packs a folder and compares what is ignored with what git ignores.
func sameAsGit(t *testing.T, files map[string]string, o Options) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("runs where git is installed")
	}
	dir := t.TempDir()
	var all []string
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			continue // a name that this system does not have
		}
		all = append(all, name)
	}
	slices.Sort(all)
	want := gitIgnores(t, dir, all, o.IgnoreCase)
	_, report, err := o.Pack(context.Background(), os.DirFS(dir))
	require.NoError(t, err)
	left := make(map[string]bool)
	for _, l := range report.Skipped {
		left[strings.TrimSuffix(l.Path, "/")] = l.Reason == reasonIgnored
	}
	for _, name := range all {
		have := false
		for at := name; at != "."; at = path.Dir(at) {
			have = have || left[at]
		}
		rules := files[path.Join(strings.SplitN(name, "/", 2)[0], ".gitignore")]
		require.Equal(t, want[name], have, "%q with the rules %q", name, rules)
	}
}

func TestIgnoreAsGit(t *testing.T) {
	files := make(map[string]string)
	for i, c := range ignoreCases {
		base := fmt.Sprintf("c%03d/", i)
		files[base+".gitignore"] = c.text
		for _, name := range append(names(c.ignored), names(c.kept)...) {
			files[base+name] = "x\n"
		}
	}
	sameAsGit(t, files, Options{})
	sameAsGit(t, files, Options{IgnoreCase: true})
}

// TestRandomIgnoreAsGit: rules and paths of few characters, so that they meet,
// in files on two levels.
func TestRandomIgnoreAsGit(t *testing.T) {
	sameAsGit(t, randomRules([]string{"a", "b", "ab"}, []string{"a", "b", "*", "?", "**", "/", "/", "[ab]", "[!a]", "a*", `\a`, "**/", "/**", "[a-b-]", "[[:alpha:]]"}), Options{})
	pieces := []string{"a", "A", "b", "B", "*", "?", "**", "/", "/", "[aB]", "[!A]", "A*", `\A`, `\a`, "[A-B]", "[a-b-]", "[[:upper:]]", "[[:lower:]]", "[^[:upper:]]", `[\A]`, "[@-C]"}
	sameAsGit(t, randomRules([]string{"a", "B", "Ab"}, pieces), Options{IgnoreCase: true})
}

// randomRules are files of rules, with others that they may match.
func randomRules(names, pieces []string) map[string]string {
	r := rand.New(rand.NewPCG(1, 2))
	pattern := func() string {
		text := ""
		if r.IntN(4) == 0 {
			text = "!"
		}
		for range 1 + r.IntN(5) {
			text += pieces[r.IntN(len(pieces))]
		}
		return text
	}
	var paths []string
	for _, a := range names {
		for _, b := range []string{"a", "b", "ba"} {
			for _, c := range []string{"a", "b", "abb"} {
				paths = append(paths, a+"/"+b+"/"+c)
			}
			paths = append(paths, a+"/f"+b)
		}
		paths = append(paths, "f"+a, a+"f")
	}
	files := make(map[string]string)
	for i := range 120 {
		base := fmt.Sprintf("c%03d/", i)
		rules := func() string {
			text := ""
			for range 1 + r.IntN(3) {
				text += pattern() + "\n"
			}
			return text
		}
		files[base+".gitignore"] = rules()
		if r.IntN(2) == 0 {
			files[base+"a/.gitignore"] = rules()
		}
		for _, name := range paths {
			files[base+name] = "x\n"
		}
	}
	return files
}

// TestInfoExclude: .git/info/exclude holds, and gives way to .gitignore files.
func TestInfoExclude(t *testing.T) {
	files := fstest.MapFS{
		".git/info/exclude": {Data: []byte("*.txt\n")},
		".gitignore":        {Data: []byte("!b.txt\n")},
		"a.txt":             {Data: []byte("a")},
		"b.txt":             {Data: []byte("b")},
	}
	_, report, err := Options{}.Pack(context.Background(), files)
	require.NoError(t, err)
	require.Equal(t, []Skipped{{".git/", reasonVersionControl, ""}, {"a.txt", reasonIgnored, ""}}, report.Skipped)
}

// TestIgnoreOption: rules of the user come first, and count from the top of a repository.
func TestIgnoreOption(t *testing.T) {
	files := fstest.MapFS{"in/a.txt": {Data: []byte("a")}, "in/b.TXT": {Data: []byte("b")}, "in/.gitignore": {Data: []byte("!c.txt\n")}, "in/c.txt": {Data: []byte("c")}, "in/d": {Data: []byte("d")}, "d": {Data: []byte("d")}}
	for _, c := range []struct {
		o    Options
		want []string
	}{
		{Options{}, []string{"d", "in/.gitignore", "in/a.txt", "in/b.TXT", "in/c.txt", "in/d"}},
		{Options{Ignore: "*.txt\n/d"}, []string{"in/.gitignore", "in/b.TXT", "in/c.txt", "in/d"}},
		{Options{Ignore: "*.txt\n/d", IgnoreCase: true}, []string{"in/.gitignore", "in/c.txt", "in/d"}},
		{Options{Ignore: "*.txt\n/d", NoIgnore: true}, []string{"d", "in/.gitignore", "in/a.txt", "in/b.TXT", "in/c.txt", "in/d"}},
		{Options{Ignore: "*.txt\n/in/d", Above: files, Within: "in"}, []string{".gitignore", "b.TXT", "c.txt"}},
	} {
		var fsys fs.FS = files
		if c.o.Above != nil {
			fsys, _ = fs.Sub(files, "in")
		}
		_, report, err := c.o.Pack(context.Background(), fsys)
		require.NoError(t, err)
		var have []string
		for _, f := range report.Files {
			have = append(have, f.Path)
		}
		require.Equal(t, c.want, have, "%+v", c.o)
	}
}

// TestGitData: repositories without a work tree, and what is beside one, are no source.
func TestGitData(t *testing.T) {
	files := fstest.MapFS{"a.go": {Data: []byte("package a\n")}, "sub/.git": {Data: []byte("gitdir: ../x\n")}, "sub/b.go": {Data: []byte("package b\n")},
		"near/HEAD": {Data: []byte("x\n")}, "near/refs/y": {Data: []byte("y\n")}}
	for _, dir := range []string{"x.git", "deep/.bare", "test/repo", "dot_git"} {
		for _, name := range []string{"HEAD", "config", "description", "objects/info/packs", "refs/heads/main", "hooks/pre-commit.sample"} {
			files[dir+"/"+name] = &fstest.MapFile{Data: []byte("ref: refs/heads/main\n")}
		}
	}
	for _, name := range []string{"HEAD", "commondir", "gitdir"} {
		files["admin/"+name] = &fstest.MapFile{Data: []byte("../..\n")}
	}
	for _, roots := range [][]string{nil, {"x.git", "deep", "test/repo", "dot_git", "admin", "a.go", "sub", "near"}, {"*/*"}} {
		_, report, err := Options{}.Pack(context.Background(), files, roots...)
		require.NoError(t, err)
		for _, f := range report.Files {
			require.Contains(t, []string{"a.go", "sub/b.go", "near/HEAD", "near/refs/y"}, f.Path)
		}
		require.NotEmpty(t, report.Files)
		require.Contains(t, report.Skipped, Skipped{"x.git/", reasonVersionControl, ""})
	}
}

// TestIgnoreMemory: a file of many short patterns.
func TestIgnoreMemory(t *testing.T) {
	var cases []resident.Case
	for _, line := range []string{"?", "*a", "**/a", "[a]"} {
		cases = append(cases, resident.Case{
			Name:  strings.ReplaceAll(line, "/", "|"),
			Input: func() []byte { return bytes.Repeat([]byte(line+"\n"), 1<<20/(len(line)+1)) },
			Call: func(input []byte) {
				var w walker
				w.ignored(&rules{list: w.ignores("", string(input))}, "xyz/b", false)
			},
		})
	}
	resident.Check(t, cases...)
}

// TestMatchingIsLinear: a pattern for which backtracking would not end.
func TestMatchingIsLinear(t *testing.T) {
	p := compile(strings.Repeat("a*", 40) + "b")
	require.False(t, p.match(strings.Repeat("a", 4000)))
	p = compile(strings.Repeat("[ab]", 100) + "c")
	require.True(t, p.match(strings.Repeat("b", 100)+"c"))
	require.False(t, p.match(strings.Repeat("b", 100)))
	trials.OneGoroutine(t)
	spent := func(unit string) time.Duration {
		p, fastest := compile("*["+strings.Repeat(unit, 2000)+"x]y"), time.Duration(math.MaxInt64)
		require.False(t, p.broken)
		for range 5 {
			fastest = min(fastest, growth.Spent(func() { p.match(strings.Repeat("a", 200)) }))
		}
		return fastest
	}
	require.Less(t, spent("[:"), 5*spent("bc"), "names of classes without an end")
}
