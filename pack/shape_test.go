package pack

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// TestShapes: what represents files that are not Go.
func TestShapes(t *testing.T) {
	pad := "# " + strings.Repeat("padding ", 60) + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"a.py", pad + "class A(B):\n    def f(self, x):\n        pass\n\ndef g(): pass\n", "class A(B)\n def f(self, x)\ndef g()|A f g"},
		{"b.py", pad + "\"\"\"About b. More.\"\"\"\nclass A(B):\n    \"\"\"Holds things.\"\"\"\n    def f(self, x):\n        pass\n", "# About b.\nclass A(B) # Holds things.\n def f(self, x)|class A(B)\n def f(self, x)|A f"},
		{"a.ts", "//" + pad + "\n/** Opens. Slowly. */\nexport function open(a: string) { return a }\n", "export function open(a: string) // Opens.|export function open(a: string)|open"},
		{"run", "#!/bin/sh\n" + pad + "build() {\n  true\n}\n", "build()|build"},
		{"a.csv", "id,name\n" + strings.Repeat("1,x\n", 200), "200 rows of 2 columns; the first:\n" + `[{"id":"1","name":"x"},{"id":"1","name":"x"},{"id":"1","name":"x"}]`},
		{"a.json", `[` + strings.Repeat(`{"a":1},`, 50) + `{"a":2}]`, "an array of 51 elements; the first:\n" + `[{"a":1},{"a":1},{"a":1}]`},
		{"b.json", `{"a":[1,2],"b":{"c":1},"d":"` + strings.Repeat("x", 100) + `"}`, "an object of 3 members: a[2] b{1} d"},
		{"a.jsonl", strings.Repeat("{\"a\":1}\n", 40), "an array of 40 elements; the first:\n" + `[{"a":1},{"a":1},{"a":1}]`},
		{"a.log", strings.Repeat("ok\n", 20) + "ERROR: disk\n" + strings.Repeat("ok\n", 20), strings.Repeat("ok\n", 5) + "… 31 lines …\nline 21: ERROR: disk\n…" + strings.Repeat("\nok", 5)},
		{"a.yaml", "on: push\njobs:\n  build:\n    x: 1\n# c\n", "on\njobs"},
		{"a.toml", "name = \"x\"\n[deps]\na = 1\n", "name\n[deps]\na"},
		{"a.rst", "Title\n=====\n\ntext\n\nPart\n----\nmore text\n", "Title\nPart"},
		{"a.adoc", "= Title\ntext and text\n== Part\n", "= Title\n== Part"},
	} {
		p, report := packed(t, Options{}, text(c.name, c.text))
		block := report.Files[0].Block
		require.NotNil(t, p.Blocks[block].Summary, c.name)
		got := []string{*p.Blocks[block].Summary}
		for _, b := range p.Blocks {
			if a, ok := b.Body.(*bcp.Annotation); ok && a.Kind == "summary" && int(a.Target) == block {
				got = append(got, string(a.Value))
			}
		}
		require.Equal(t, c.want, strings.Join(got, "|"), c.name)
	}
	p, report := packed(t, Options{Data: func(wire.Value) string { return "rows" }}, text("a.csv", "id,name\n"+strings.Repeat("1,x\n", 200)))
	require.Equal(t, "200 rows of 2 columns; the first:\nrows", *p.Blocks[report.Files[0].Block].Summary)
}

func TestShapeGrowth(t *testing.T) {
	w := new(walker)
	for name, unit := range map[string]string{"a.csv": "1,\"x\n", "b.csv": "a,b\n", "a.json": "[", "b.json": "{\"a\":", "a.jsonl": "{}\n", "a.log": "error\n", "b.log": "x", "a.yaml": "a:\n", "a.toml": "[a]\n", "a.rst": "a\n---\n", "b.rst": "---", "a.txt": "=", "a.py": "def f():\n"} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 2000, func(n int) func() {
				f := file{File: File{Path: name}, text: []byte(strings.Repeat(unit, n))}
				return func() { w.outlines(f) }
			})
		})
	}
}

// FuzzSummaries: whatever the file, its summaries are UTF-8 and shorter.
func FuzzSummaries(f *testing.F) {
	for _, name := range []string{"a.csv", "a.json", "a.jsonl", "a.log", "a.yaml", "a.rst", "a.py", "a.ts", "a.md", "a.go", "run"} {
		f.Add(name, "a,b\n1,2\n")
		f.Add(name, "{\"a\":[1]}\n")
		f.Add(name, "#!/bin/sh\nf() {\n")
	}
	f.Fuzz(func(t *testing.T, name, src string) {
		src = strings.ToValidUTF8(src, "")
		w := new(walker)
		before := len(src)
		in := file{File: File{Path: name}, lang: languageOf(name, []byte(src)), text: []byte(src)}
		in.parsed = goFileOf(&in)
		for _, s := range w.summariesOf(in) {
			require.Equal(t, strings.ToValidUTF8(s, ""), s)
			require.Less(t, len(s), before)
			before = len(s)
		}
	})
}
