package outline

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// listed writes heads as lines.
func listed(heads []Head) string {
	var out strings.Builder
	for _, h := range heads {
		out.WriteString(strings.Repeat(" ", h.Depth) + h.Text + "\n")
	}
	return out.String()
}

// Every file in testdata has its outline beside it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/src/*")
	require.NoError(t, err)
	require.Greater(t, len(files), 14)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		got := listed(Heads(filepath.Ext(name), src))
		golden := "testdata/outline/" + filepath.Base(name) + ".txt"
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got, name)
		require.Less(t, len(got), len(src), name)
	}
}

// Names that words or operators of a language surround.
func TestNames(t *testing.T) {
	for _, c := range []struct{ ext, src, name string }{
		{".java", "Record record(long id) { return new Record(id); }", "record"},
		{".h", "typedef void (* handler) (int signal);", "handler"},
		{".rb", "def self.[](*args)\nend\n", "[]"},
		{".rb", "def self.open=(other)\nend\n", "open="},
		{".rs", "impl<F: for<'a> Fn(&'a str)> Visit for Wrap<F> { }", "Wrap"},
		{".rs", "pub(crate) fn open(path: &str) { }", "open"},
		{".cs", "enum class Size { }", "Size"},
		{".ts", "const half = n / 2 /* = */, open = /[/]`/.exec(s)\nfunction after() {}", "after"},
		{".js", "const s = `a ${ { b: `\\`}` } } \\${ {`\nfunction after() {}", "after"},
		{".cpp", "auto s = R\"x(\")\" { )x\"; int after() { }", "after"},
		{".cs", "class A { string s = @\"\\\"; string t = @\"{\"\"{\"; int after() { } }", "after"},
		{".sh", "function after {\n", "after"},
	} {
		heads := Heads(c.ext, []byte(c.src))
		require.NotEmpty(t, heads, c.src)
		require.Equal(t, c.name, heads[len(heads)-1].Name, c.src)
	}
}

// tagged are the names that universal-ctags finds in a file, without those
// inside functions.
func tagged(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command("ctags", "-f", "-", "--sort=no", "--fields=+lKs", file).Output()
	require.NoError(t, err)
	var names []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 4 || strings.HasPrefix(line, "!") {
			continue
		}
		kind, lang, inFunction := "", "", false
		for _, f := range fields[3:] {
			if value, ok := strings.CutPrefix(f, "language:"); ok {
				lang = value
			} else if !strings.Contains(f, ":") && kind == "" && !strings.Contains(f, `"`) && !strings.Contains(f, "/") {
				kind = f
			}
			inFunction = inFunction || strings.HasPrefix(f, "function:") || strings.HasPrefix(f, "method:") || strings.HasPrefix(f, "member:")
		}
		known := slices.Contains([]string{"class", "function", "method", "interface", "enum", "struct", "trait", "union", "module", "namespace", "message", "service", "rpc",
			"subroutine", "package", "singletonMethod", "protocol", "implementation", "typedef", "object", "generator"}, kind)
		if kind == "package" && lang != "Perl" || kind == "namespace" && lang == "PHP" {
			continue // not a declaration of something to use
		}
		if known && !inFunction && !strings.HasPrefix(fields[0], "__anon") && !strings.HasPrefix(fields[0], "Anonymous") && lang != "" {
			names = append(names, fields[0])
		}
	}
	return names
}

// bareName is a tag without what it is a member of, as an outline names it.
func bareName(tag string) string {
	if rest, ok := strings.CutPrefix(tag, "operator"); ok {
		if rest = strings.TrimLeft(rest, " "); rest != "" && wordByte(rest[0]) {
			return "operator " + rest
		}
		return "operator" + strings.ReplaceAll(rest, " ", "")
	}
	if i := strings.LastIndexAny(tag, ".:"); i >= 0 {
		tag = tag[i+1:]
	}
	return strings.TrimPrefix(tag, "~")
}

func withCtags(t *testing.T) {
	t.Helper()
	out, err := exec.Command("ctags", "--version").Output()
	if err != nil || !strings.Contains(string(out), "Universal Ctags") {
		t.Skip("runs where universal-ctags is installed (Debian: apt install universal-ctags)")
	}
}

// Everything that universal-ctags finds in the test's files is in the outline.
func TestCtags(t *testing.T) {
	withCtags(t)
	files, err := filepath.Glob("testdata/src/*")
	require.NoError(t, err)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		var names []string
		for _, h := range Heads(filepath.Ext(file), src) {
			names = append(names, h.Name)
		}
		tags := tagged(t, file)
		for _, name := range tags {
			require.Contains(t, names, bareName(name), file)
		}
		t.Logf("%s: %d heads, %d tags", filepath.Base(file), len(names), len(tags))
	}
}

// Over a folder of other people's programs, named by WIREKIT_OUTLINE_CORPUS,
// nearly all that ctags finds is in the outlines.
func TestCtagsCorpus(t *testing.T) {
	withCtags(t)
	dir := os.Getenv("WIREKIT_OUTLINE_CORPUS")
	if dir == "" {
		t.Skip("runs where WIREKIT_OUTLINE_CORPUS names a folder of programs")
	}
	found, all, size, short := make(map[string]int), make(map[string]int), make(map[string]int), make(map[string]int)
	require.NoError(t, filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		ext := filepath.Ext(name)
		if err != nil || info.IsDir() || !Known(ext) || info.Size() > 1<<20 {
			return nil
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		have := make(map[string]bool)
		heads := Heads(ext, src)
		for _, h := range heads {
			have[h.Name] = true
		}
		size[ext] += len(src)
		short[ext] += len(listed(heads))
		missed := []string{}
		for _, tag := range tagged(t, name) {
			all[ext]++
			if have[bareName(tag)] {
				found[ext]++
			} else if len(missed) < 5 {
				missed = append(missed, tag)
			}
		}
		if len(missed) > 0 {
			t.Logf("%s misses %v", name, missed)
		}
		return nil
	}))
	for ext, n := range all {
		least := map[string]int{".h": 85, ".js": 40, ".mjs": 40, ".cjs": 40, ".jsx": 40}[ext]
		if n >= 100 {
			require.GreaterOrEqual(t, found[ext]*100, cmp.Or(least, 94)*n, ext)
		}
		t.Logf("%s: %d of %d names (%.1f %%), %.1f %% of the size", ext, found[ext], n, 100*float64(found[ext])/float64(n), 100*float64(short[ext])/float64(size[ext]))
	}
}

// Whatever the text, an outline comes, on single lines of UTF-8.
func FuzzHeads(f *testing.F) {
	files, _ := filepath.Glob("testdata/src/*")
	for _, name := range files {
		src, _ := os.ReadFile(name)
		f.Add(filepath.Ext(name), src)
	}
	for _, text := range []string{"{", "}}", "'", "\"\"\"", "/*", "r#\"", "R\"(", "`${`", "/[", "def f(\n", "typedef struct {", "class A<", "@x(", "#[", "template<"} {
		for ext := range languages {
			f.Add(ext, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, ext string, src []byte) {
		for _, h := range Heads(ext, src) {
			require.NotContains(t, h.Text, "\n")
			require.Equal(t, strings.ToValidUTF8(h.Text, ""), h.Text)
			require.LessOrEqual(t, len(h.Text), MaxHead+len("typedef …"))
		}
	})
}

func TestGrowth(t *testing.T) {
	trials.OneGoroutine(t)
	for ext, units := range map[string][]string{
		".c":   {"int f(int a) { return 1; }\n", "{", "(", "/*", "#define A \\\n", "\"", "struct a {", "template<", "a ", "R\"(", "x = {};"},
		".ts":  {"function f() {}\n", "`${", "(/[", "/a", "const a = () => {}\n", "class A {", "@x(", "a\n", "'"},
		".rs":  {"fn f() {}\n", "r#\"", "/*", "'a", "#[", "impl<", "pub(", "'\\"},
		".py":  {"def f():\n pass\n", "(\n", "'''", "class A:\n ", " def f(\n", "\\\n", "  "},
		".rb":  {"def f\n", "=begin\n", "class A::B\n"},
		".cs":  {"@\"\"", "[", "int f() {}\n", "\"\"\""},
		".php": {"function f() {}\n", "# ", "class A {"},
		".sh":  {"f() {\n", "function f\n"},
		".lua": {"local function f()\n"},
	} {
		for _, unit := range units {
			t.Run(ext+" "+strings.TrimSpace(unit), func(t *testing.T) {
				growth.Linear(t, 2000, func(n int) func() {
					src := []byte(strings.Repeat(unit, n))
					return func() { Heads(ext, src) }
				})
			})
		}
	}
}

// TestLongBlanks: what begins a statement may be far from its braces.
func TestLongBlanks(t *testing.T) {
	trials.OneGoroutine(t)
	growth.Linear(t, 500, func(n int) func() {
		src := []byte("export" + strings.Repeat(" ", 4*n) + strings.Repeat("x{} ", n))
		return func() { Heads(".js", src) }
	})
}

// TestTime: what looks like the beginning of something takes a few times as long as words
// do, in processor time.
func TestTime(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range []struct {
		ext, unit string
		most      int
	}{
		{".java", strings.Repeat("a <", 1000) + ";\n", 2},
		{".js", "=/[", 30}, // 5 to 12, and 100 where each slash began a search
	} {
		spent := func(unit string) time.Duration {
			src := bytes.Repeat([]byte(unit), 1<<18/len(unit))
			fastest := growth.Spent(func() { Heads(c.ext, src) })
			for range 4 {
				fastest = min(fastest, growth.Spent(func() { Heads(c.ext, src) }))
			}
			return fastest
		}
		words, got := spent(strings.Repeat("a a", 1000)+";\n"), spent(c.unit)
		t.Logf("%.9s: %v, words %v", c.unit, got, words)
		require.LessOrEqual(t, got, time.Duration(c.most)*words, c.unit[:3])
	}
}
