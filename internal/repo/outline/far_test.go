package outline

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// filler are 5 KB of text that declares nothing, in lines with a prefix.
func filler(prefix string) string {
	var b strings.Builder
	for i := 0; b.Len() < 5000; i++ {
		fmt.Fprintf(&b, "%sa line of text about class number %d, don't count {it}\n", prefix, i)
	}
	return b.String()
}

// commentsOf are comments of a language in lines of their own, and those that may be within a line.
func commentsOf(l *language) (lines, inline []string) {
	lines = []string{strings.Repeat("\n", 5000), strings.Repeat(" \t\n", 2000)}
	for _, mark := range l.line {
		lines = append(lines, filler(mark+" "), filler("  "+mark))
	}
	if l.head != nil {
		return append(lines, filler("# ")), nil
	}
	if l.block {
		inline = []string{" /* " + filler("") + " */ ", " /**" + strings.Repeat("*", 5000) + "/ "}
		lines = append(lines, "/**\n"+filler(" * ")+" */\n", inline[0]+"\n")
	}
	if l.hashes {
		lines = append(lines, "\n"+filler("#define X 1 // "), "\n#define X \\\n"+strings.ReplaceAll(filler(""), "\n", " \\\n")+"\n", "\n"+filler("  #  pragma "))
	}
	return lines, append(inline, strings.Repeat(" ", 5000))
}

// places are offsets of a text where comments can be: after the ends of lines, and at single blanks.
func places(l *language, src []byte) (lines, inline []int) {
	s := scanner{lang: l, src: src}
	literal := make([]bool, len(src)+1)
	for i := 0; i < len(src); i++ {
		end := s.comment(i)
		if end == i && l.hashes && src[i] == '#' {
			end = i + len(directive.Find(src[i:]))
		}
		if end == i {
			end = s.literal(i)
		}
		for j := i + 1; j < end; j++ {
			literal[j] = true
		}
		i = max(i, end-1)
	}
	for i := 1; i < len(src); i++ {
		switch before := src[i-1]; {
		case literal[i-1] || before == '\n' && i > 1 && src[i-2] == '\\':
		case before == '\n' && !bytes.HasPrefix(src[i:], []byte("<?php")):
			lines = append(lines, i)
		case before == ' ' && src[i] != ' ' && src[i] != '\n' && !literal[i]:
			inline = append(inline, i)
		}
	}
	return lines, inline
}

// texts are heads without the blanks that a comment leaves.
func texts(heads []Head) []string {
	list := make([]string, len(heads))
	for i, h := range heads {
		list[i] = fmt.Sprint(h.Depth, h.Name, strings.Join(strings.Fields(h.Text), " "), h.Exports)
	}
	return list
}

// TestFarHeads: whatever is between declarations or within them and is not code, and however
// long, the outline of a text stays.
func TestFarHeads(t *testing.T) {
	files, err := filepath.Glob("testdata/src/*")
	require.NoError(t, err)
	require.Greater(t, len(files), 14)
	seen := make(map[*language]bool)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		ext := filepath.Ext(name)
		l := languages[ext]
		seen[l] = true
		want := texts(Heads(ext, src))
		require.NotEmpty(t, want)
		check := func(at int, text string) {
			t.Helper()
			changed := string(src[:at]) + text + string(src[at:])
			require.Equal(t, want, texts(Heads(ext, []byte(changed))), "%s: %.40q… after %q", name, text, src[max(0, at-60):at])
		}
		lineTexts, inlineTexts := commentsOf(l)
		inLines, inLine := places(l, src)
		if l.head != nil { // single lines, some of them in texts
			inLines = inLines[:1]
		}
		for i, at := range inLines {
			check(at, lineTexts[i%len(lineTexts)])
			check(at, lineTexts[(3*i+1)%len(lineTexts)])
		}
		for i, at := range inLine {
			if len(inlineTexts) > 0 && l != python { // where indentation counts
				check(at, inlineTexts[i%len(inlineTexts)])
			}
		}
		t.Logf("%s: %d and %d places, %d and %d texts", name, len(inLines), len(inLine), len(lineTexts), len(inlineTexts))
	}
	for ext, l := range languages {
		if !seen[l] {
			require.Contains(t, []string{".scala", ".dart"}, ext, "a language without a file in testdata/src")
		}
	}
}

// declarations are a class, or what the language has of the kind, with two members, and what
// may be written before each.
var declarations = map[string]struct {
	open, one, two, end string
	before              []string
}{
	".c":     {"struct Big {\n", "", "", "};\nint one(int x)\n{\n return x;\n}\nint two(int x);\n", []string{"__attribute__((deprecated(LONG))) ", "[[deprecated(LONG)]]\n"}},
	".hpp":   {"class Big {\npublic:\n", "int one(int x);\n", "int two(int x) { return x; }\n", "};\n", []string{"[[deprecated(LONG)]]\n", "template <class A /* LONG */>\n", "template <LIST>\n"}},
	".java":  {"public class Big {\n", "int one(int x) { return x; }\n", "abstract int two(int x);\n", "}\n", []string{"@Ann(LONG)\n", "@Ann({LIST}) @Other ", "@Ann(a = @B(LONG), c = \")\")\n"}},
	".cs":    {"public class Big {\n", "int one(int x) { return x; }\n", "abstract int two(int x);\n", "}\n", []string{"[Ann(LONG)]\n", "[Ann(LIST), Other(\"]\")] ", "[A] [B(LONG)]\n"}},
	".ts":    {"export class Big {\n", "one(x: number) { return x }\n", "two(x: number): number;\n", "}\n", []string{"@ann(LONG)\n", "@ann({ a: [LIST], template: `LINES` })\n"}},
	".rs":    {"pub trait Big {\n", "fn one(&self) { }\n", "fn two(&self);\n", "}\n", []string{"#[doc = LONG]\n", "#[derive(LIST)] "}},
	".kt":    {"class Big {\n", "fun one(x: Int) { }\n", "fun two(x: Int): Int\n", "}\n", []string{"@Ann(LONG)\n", "@Ann(LIST) @Other "}},
	".swift": {"class Big {\n", "func one(x: Int) { }\n", "func two(x: Int) -> Int\n", "}\n", []string{"@available(*, message: LONG)\n", "@A @B(LIST) "}},
	".scala": {"class Big {\n", "def one(x: Int) = { }\n", "def two(x: Int): Int\n", "}\n", []string{"@deprecated(LONG)\n", "@a(LIST) @b "}},
	".dart":  {"class Big {\n", "int one(int x) { return x; }\n", "int two(int x);\n", "}\n", []string{"@Deprecated(LONG)\n", "@A(LIST) @b "}},
	".php":   {"class Big {\n", "public function one($x) { return 1; }\n", "abstract function two($x);\n", "}\n", []string{"#[Ann(LONG)]\n", "#[A(LIST), B] "}},
	".proto": {"service Big {\n", "rpc one(A) returns (B);\n", "rpc two(A) returns (B) { option (a) = { get: LONG }; }\n", "}\n", []string{"option (a) = LONG;\n"}},
	".py":    {"class Big:\n", "  def one(self): pass\n", "  def two(self): pass\n", "", []string{"@ann(LONG)\n", "@ann(\n LIST)\n", "x = '''LINES'''\n"}},
}

// TestFarDeclarations: annotations, attributes, and what else precedes declarations.
func TestFarDeclarations(t *testing.T) {
	list := make([]string, 500)
	for i := range list {
		list[i] = fmt.Sprintf("Name%03d", i)
	}
	long := strings.NewReplacer("LONG", `"`+strings.Repeat("text ) ", 900)+`"`, "LIST", strings.Join(list, ", "), "LINES", filler(""))
	for ext, d := range declarations {
		if ext == ".php" {
			d.open = "<?php\n" + d.open
		}
		lineTexts, inline := commentsOf(languages[ext])
		for _, before := range append(append(d.before, lineTexts...), inline...) {
			before = long.Replace(before)
			above, open := "", d.open
			if rest, ok := strings.CutPrefix(open, "<?php\n"); ok {
				above, open = "<?php\n", rest
			}
			indent := ""
			if ext == ".py" {
				if strings.HasPrefix(before, " ") && strings.TrimSpace(before) == "" {
					continue // indentation says something
				}
				indent = "  "
			}
			src := above + before + open
			for _, member := range []string{d.one, d.two} {
				if member != "" {
					src += indent + before + member
				}
			}
			var names []string
			for _, h := range Heads(ext, []byte(src+d.end)) {
				names = append(names, h.Name)
			}
			require.Equal(t, []string{"Big", "one", "two"}, names, "%s after %.60q", ext, before)
		}
	}
	for ext, l := range languages {
		_, ok := declarations[map[*language]string{c: ".hpp", script: ".ts", python: ".py"}[l]]
		_, own := declarations[ext]
		require.True(t, ok || own || l.head != nil || l == kotlin, "%s has no declarations here", ext)
	}
}

// TestFarPlaces: what is wrapped, exported or continued after a long comment.
func TestFarPlaces(t *testing.T) {
	long, list := filler(" * "), strings.Repeat("name, ", 900)
	for _, c := range []struct {
		ext, src string
		names    []string
	}{
		{".js", "/*\n" + long + "*/\n(function () {\n/*" + long + "*/\nfunction big() { }\n})()\n", []string{"big"}},
		{".js", "/*\n" + long + "*/\n'use strict'\nexports.big = /*" + long + "*/ function () { }\n", []string{"big"}},
		{".ts", "export /*" + long + "*/ class Big /*" + long + "*/ {\n one(/*" + long + "*/) { }\n}\n", []string{"Big", "one"}},
		{".kt", "class Big\n/*" + long + "*/\n{\n fun one()\n//" + strings.Repeat("x", 5000) + "\n { }\n fun two() { }\n}\n", []string{"Big", "one", "two"}},
		{".cpp", "namespace /*" + long + "*/ Big {\n" + strings.Repeat(" ", 5000) + "#define X {\nint one() /*" + long + "*/ { }\n}\n", []string{"Big", "one"}},
		{".c", "/* a\n*/ #define X {\nint big(void) { }\n", []string{"big"}},
		{".java", "@A public @B({" + list + "}) class Big { @C int @D(" + list + ") [] one() { } }", []string{"Big", "one"}},
		{".cpp", "class [[deprecated(\"" + list + "\")]] Big {\n int one() __attribute__((x));\n};\nstruct __declspec(dllexport) Other { };", []string{"Big", "one", "Other"}},
		{".php", "<?php\nuse function a\\b;\nuse A\\{B, C};\n/*" + long + "*/ function big() { }", []string{"big"}},
		{".py", "def big(\n" + filler("  # ") + filler("  # ") + filler("  # ") + "  x):\n  '''\n" + long + "'''\nclass Big:\n  def one(self):\n    '''\ndoc\n'''\n  def two(self): pass\n", []string{"big", "Big", "one", "two"}},
		{".py", "x = (\ny = [\nclass Big:\n  z = {(\n  def one(self): pass\n  @a(b(\n  def two(self): pass\n", []string{"Big", "one", "two"}},
		{".js", "const a = /x/\nconst b = /[`]/g\n\nconst big = x => {\n}\nlet c = a /\n\nexport function one() { }\n", []string{"big", "one"}},
		{".cpp", "namespace std VISIBILITY(default)\n{\nclass Big {\n int one();\n};\n}\nstruct Big *two(int x)\n{\n}\n", []string{"std", "Big", "one", "two"}},
		{".rb", "=begin\n" + long + "=end\ndef big\nend\n=== text\ndef one\nend\n", []string{"big", "one"}},
		{".pl", "=pod\n\n" + long + "\n=cut\nsub big { }\n= 1;\nsub one { }\n", []string{"big", "one"}},
	} {
		var names []string
		for _, h := range Heads(c.ext, []byte(c.src)) {
			names = append(names, h.Name)
		}
		require.Equal(t, c.names, names, "%.80q", c.src)
	}
	heads := Heads(".ts", []byte("export {\n"+strings.Repeat("a, ", 3000)+"last } from './x'\n"))
	require.Len(t, heads, 1)
	require.Contains(t, heads[0].Exports, "last")
	heads = Heads(".py", []byte("from .x import (\n"+strings.Repeat("a, ", 3000)+"last)\n"))
	require.Len(t, heads, 1)
	require.Contains(t, heads[0].Exports, "last")
}

// TestFarSentence: the first sentence of a long comment.
func TestFarSentence(t *testing.T) {
	for _, src := range []string{"/**\n * Does it.\n *\n" + filler(" * ") + " */\nclass Big { }", "/// Does it.\n///\n" + filler("/// ") + "class Big { }"} {
		heads := Heads(".java", []byte("package a;\n"+src))
		require.Len(t, heads, 1)
		require.Equal(t, "Does it.", heads[0].Sentence())
	}
}

// TestRandomBlanks: whatever blanks and comments there are, heads are single lines.
func TestRandomBlanks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{" ", "\n", "\t", "\r\n", "/* x */", "// y\n", "#define Z\n", "a", "{", "}", "(", ")", ";", "\"s\"", "'", "@A(", "class B", "\f", "`", "="}
	for range 5000 {
		var src []byte
		for range r.IntN(30) {
			src = append(src, parts[r.IntN(len(parts))]...)
		}
		for ext := range languages {
			for _, h := range Heads(ext, src) {
				require.NotContains(t, h.Text, "\n")
				h.Sentence()
			}
		}
	}
}
