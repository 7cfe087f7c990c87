package outline

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
		{".swift", "public func `in`(a: Int) { }", "in"},
		{".swift", "public func <=> (a: A, b: A) -> Int { 1 }", "<=>"},
		{".swift", "infix operator <~>: P\n", "<~>"},
		{".swift", "public init(a: Int) { }", "init"},
		{".swift", "subscript(i: Int) -> Int { 1 }", "subscript"},
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

// tagged are the names that universal-ctags finds in a file, but for those that outlines
// leave out: what is in functions, private, in a value that is an object, or in a class
// without a name, and of C what is static. Of scripts and Kotlin ctags takes what is in
// functions and objects for members of what is around them; it is known by its indentation.
func tagged(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command("ctags", "-f", "-", "--sort=no", "--fields=+lKsaf", file).Output()
	require.NoError(t, err)
	var names []string
	least := make(map[string]int) // the indentation of what is in a scope
	for line := range strings.Lines(string(out)) {
		name, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		pattern, rest, _ := strings.Cut(rest, ";\"\t")
		kind, rest, _ := strings.Cut(rest, "\t")
		fields := make(map[string]string)
		for field := range strings.SplitSeq(rest, "\t") {
			key, value, _ := strings.Cut(field, ":")
			fields[key] = value
		}
		lang := fields["language"]
		_, static := fields["file"]
		hidden := unnamed(name) || fields["access"] == "private" || static && lang == "C"
		scope := ""
		for key, value := range fields {
			hidden = hidden || localScopes[key] || key != "typeref" && unnamed(value)
			if tagKinds[key] {
				scope = value
			}
		}
		if lang == "JavaScript" || lang == "TypeScript" || lang == "Kotlin" {
			_, text, _ := strings.Cut(pattern, "\t/^")
			indent := len(text) - len(strings.TrimLeft(text, " \t"))
			if n, ok := least[scope]; !ok && scope != "" {
				least[scope] = indent
			} else if indent > n {
				hidden = true
			}
			hidden = hidden || lang == "JavaScript" && kind == "class" && !strings.Contains(text, "class ") || !wordByte(name[0])
		}
		if tagKinds[kind] && !strings.HasPrefix(line, "!") && !hidden && !(kind == "package" && lang != "Perl") && !(kind == "namespace" && lang == "PHP") {
			names = append(names, name)
		}
	}
	return names
}

var localScopes = set("function", "method", "member", "func", "generator", "variable", "constant", "property", "getter", "field")

var tagKinds = set("class", "function", "method", "interface", "enum", "struct", "trait", "union", "module", "namespace", "message", "service", "rpc",
	"subroutine", "package", "singletonMethod", "protocol", "implementation", "typedef", "object", "generator")

// unnamed reports whether a name is one that ctags makes up.
func unnamed(name string) bool {
	return strings.Contains(name, "__anon") || strings.Contains(name, "Anonymous") || strings.Contains(name, "anonymous")
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

// Over a folder of other people's programs, but for their tests, named by WIREKIT_OUTLINE_CORPUS,
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
		if err != nil || info.IsDir() || !Known(ext) || info.Size() > 1<<20 || strings.Contains(name, ".min.") || strings.Contains(name, "/dist/") || strings.Contains(strings.ToLower(name), "test") {
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
	every, there := 0, 0
	for ext, n := range all {
		t.Logf("%s: %d of %d names (%.1f %%), %.1f %% of the size", ext, found[ext], n, 100*float64(found[ext])/float64(n), 100*float64(short[ext])/float64(size[ext]))
		every, there = every+n, there+found[ext]
		if n >= 100 {
			assert.GreaterOrEqual(t, found[ext]*100, 97*n, ext)
		}
	}
	t.Logf("%d of %d names", there, every)
	require.GreaterOrEqual(t, there*100, 99*every)
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
