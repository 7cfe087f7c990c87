package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// outlineGo is the summary of a Go file: of one that is named what is exported, else the rest.
func outlineGo(src []byte, named bool) string {
	f := file{File: File{Path: "a.go"}, lang: "go", text: src, alone: named}
	return goFileOf(&f).own
}

func TestOutlineGo(t *testing.T) {
	src := `// Package a is one. It has more.
package a

import (
	"fmt"
	m "math"
)

// The sizes.
const (
	Small = 1
	large = 2
	Huge, Vast = 3, 4
)

var hidden int

// T is a type. And more.
type T[K comparable] struct { a int }

type (
	// Kind is small.
	Kind uint8
	lower int
	I interface {
		// M does.
		M(x int) string // really
		fmt.Stringer
	}
)

// Do does
// it. Then stops.
func (t *T[K]) Do(
	a int, // first
	b ...string,
) (n int, err error) {
	return 0, nil
}

func (l lower) Exported() {}

func private() { _ = m.Pi }
`
	require.Equal(t, `package a // Package a is one.
import "fmt", "math"
const Small, Huge, Vast // The sizes.
type T[K comparable] struct{…} // T is a type.
type Kind uint8 // Kind is small.
type I interface{ M(x int) string; fmt.Stringer }
func (t *T[K]) Do(a int, b ...string) (n int, err error) // Do does it.`, outlineGo([]byte(src), true))
	require.Equal(t, "package main\nfunc run(a int)", outlineGo([]byte("package main\n\nfunc run(a int) { println(a) }\n"), true))
	require.Empty(t, outlineGo([]byte("package a\nfunc {"), true))
	require.Empty(t, outlineGo(nil, true))
	long := outlineGo([]byte("package a\n\nfunc A("+strings.Repeat("é", 3000)+" int) {}\n"), true)
	require.Less(t, len(long), 500)
	require.True(t, strings.HasSuffix(long, "é…"))
}

func TestHeadings(t *testing.T) {
	require.Equal(t, "# A\n## B ##\n### D", headings(".md", []byte("# A\ntext\n## B ##\n```sh\n# no\n~~~\n```\n#no\n####### no\n~~~~\n# no\n~~~\n~~~~\n  ### D\r\n")))
	require.Empty(t, headings(".md", []byte("text\n")))
}

func TestSummaries(t *testing.T) {
	files := text("a.go", "package a\n\n// A is.\nfunc A() {\n\tprintln(\"a long body that is left out\")\n}\n", "b.go", "package b\n\nfunc b() { println(1) }\n", "c.md", "# C\n\nText.\n", "d.py", "x\n", "e.go", "package")
	summaries := func(o Options) map[string]string {
		p, report := packed(t, o, files)
		all := make(map[string]string)
		for _, f := range report.Files {
			if s := p.Blocks[f.Block].Summary; s != nil {
				all[p.Blocks[f.Block].Body.(*bcp.Code).Path] = *s
			}
		}
		return all
	}
	require.Equal(t, map[string]string{"b.go": "package b\nfunc b()", "c.md": "# C"}, summaries(Options{}))
	require.Empty(t, summaries(Options{NoSummaries: true}))
}

// TestGrowth: the time of outlines and masks is in proportion to the text.
func TestGrowth(t *testing.T) {
	for name, c := range map[string]struct{ head, unit, tail string }{
		"types": {"package a\n", "type A int\n", ""},
		"funcs": {"package a\n", "// F does.\nfunc F() {}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 500, func(n int) func() {
				src := []byte(c.head + strings.Repeat(c.unit, n) + c.tail)
				return func() { outlineGo(src, true) }
			})
		})
	}
	t.Run("group", func(t *testing.T) {
		growth.Linear(t, 300, func(n int) func() {
			src := []byte("package a\n\n// " + strings.Repeat("x ", 10*n) + "\ntype (\n" + strings.Repeat("A int\n", n) + ")\n")
			return func() { outlineGo(src, true) }
		})
	})
	for _, unit := range []string{"eyJ" + run(12) + ".", "-----BEGIN " + "PRIVATE KEY-----", pem, "://a:", "sk-aaaa", "secret_access_key  "} {
		t.Run(unit[:4], func(t *testing.T) {
			growth.Linear(t, 500, func(n int) func() {
				src := []byte(strings.Repeat(unit, n))
				return func() { mask("", src) }
			})
		})
	}
}

// FuzzOutline: whatever the text, an outline is UTF-8 and no panic.
func FuzzOutline(f *testing.F) {
	f.Add("package a\n\ntype T struct{}\n\nfunc (T) M() {}\n")
	f.Add("# A\n```\n# b\n")
	f.Add("//line x:1\npackage a\n\n// D.\n//\n// E\nvar A, B = 1, 2\n")
	f.Fuzz(func(t *testing.T, src string) {
		src = strings.ToValidUTF8(src, "")
		for _, s := range []string{outlineGo([]byte(src), true), headings(".md", []byte(src))} {
			require.Equal(t, strings.ToValidUTF8(s, ""), s)
		}
	})
}

// TestBeginning: a README is shown by its first words and code, not by its table of contents,
// and does not end with a heading or a fence that has nothing after it.
func TestBeginning(t *testing.T) {
	long := strings.Repeat("echo a line of a long example\n", 40)
	for name, c := range map[string]struct{ text, want string }{
		"contents":           {"# T\n\n- [One](#one)\n  - [Two](#two)\n1. [Three](https://x/y#three), [Four](#four)\n- [a link](https://x)\n\nWords.\n", "# T\n\n- [a link](https://x)\n\nWords.\n\n"},
		"a heading":          {"# T\n\nWords.\n\n## Run\n\n### Here\n\n```\n" + long + "```\n\nMore.\n", "# T\n\nWords.\n\n"},
		"headings at an end": {"# T\n\nWords.\n\n## Run\n", "# T\n\nWords.\n\n## Run\n\n"},
		"a title":            {"# T\n\n```\n" + long + "```\n", "# T\n\n"},
		"links in code":      {"# T\n\n```\n- [One](#one)\n```\n\nWords.\n", "# T\n\n```\n- [One](#one)\n```\n\nWords.\n\n"},
	} {
		require.Equal(t, c.want, beginning([]byte(c.text), firstParagraphs), name)
	}
	f := file{File: File{Priority: bcp.PriorityHigh}, text: []byte("# T\n\nWords.\n\n## Run\n\n" + strings.Repeat("A line of words that goes on and on.\n", 90) + "\n## End\n\n### More\n")}
	require.Equal(t, "# T\n\nWords.\n\n## Run\n## End\n### More", f.prose(headings(".md", f.text))[0], "each heading once")
}

// TestLongHeads: however many functions a file has, its heads are short: the signatures of the
// first and the names of all, while the text with sentences has every signature.
func TestLongHeads(t *testing.T) {
	for _, d := range dialects {
		methods := ""
		for i := range 100 {
			methods += fmt.Sprintf(d.method, fmt.Sprintf("nameOfMethod%d", i))
		}
		f := file{File: File{Path: "src/a" + d.ext}, text: []byte(fmt.Sprintf(d.typ, "Model", methods))}
		f.heads = outline.Public(d.ext, f.text, outline.Heads(d.ext, f.text))
		sentences, heads, names := codeOutline(&f, nil)
		for i := range 100 {
			for _, list := range []string{sentences, heads, names} {
				require.Contains(t, strings.FieldsFunc(list, func(r rune) bool { return !strings.ContainsRune("0123456789", r) && (r < 'A' || r > 'z') }), fmt.Sprintf("nameOfMethod%d", i), d.ext)
			}
		}
		require.GreaterOrEqual(t, strings.Count(sentences, "\n"), 99)
		require.LessOrEqual(t, len(heads), len(names)+2*mostHeads, d.ext)
	}
	var l headList
	for _, name := range []string{"one", "one", "two", "one"} {
		l.name(" ", name)
	}
	l.name("", "one")
	require.Equal(t, " one two one\none", l.text(), "forms of one name after each other are named once")
}
