package pack

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func TestClasses(t *testing.T) {
	for name, want := range map[string]string{
		"README.md": classReadme, "d/README.md": classDocumentation, "d/style.css": classAsset, "Hi": classConfiguration, "d/FooTest.java": classTest, "samples/x.py": classExample, "AGENTS.md": classReadme, "go.mod": classManifest, "web/package.json": classManifest, "Makefile": classManifest,
		"cmd/x/main.go": classEntry, "pkg/__init__.py": classEntry, "a.go": classSource, "a_test.go": classTest, "test_a.py": classTest, "web/a.spec.ts": classTest,
		"tests/x.py": classTest, "docs/a.md": classDocumentation, "examples/a/main.go": classExample, "LICENSE": classConfiguration, ".github/x.yml": classConfiguration,
		"a.csv": classData, "a/testdata/fuzz/x": classData, "a/testdata/x": classTest, "big.json": classData,
	} {
		size := 10
		if name == "big.json" {
			size = 33 << 10
		}
		require.Equal(t, want, classOf(name, size), name)
	}
}

func TestImporters(t *testing.T) {
	files := text(
		"go.mod", "module example.com/m\n", "a/a.go", "package a\n", "a/b.go", "package a\n", "c/c.go", "package c\n\nimport (\n\t\"fmt\"\n\tx \"example.com/m/a\"\n)\n",
		"main.go", "package main\n\nimport \"example.com/m/c\"\nimport \"example.com/m/a\"\n",
		"w/a.ts", "import { b } from './b';\nimport './c.js'\nconst d = require(\"./d\")\n", "w/b.ts", "export * from \"./d/index\"", "w/c.ts", "", "w/d/index.ts", "",
		"p/__init__.py", "", "p/x.py", "from . import y\nfrom .z import q\nimport p.y, os\n", "p/y.py", "", "p/z.py", "from p import x\n",
		"src/lib.rs", "mod a;\npub mod b;\n", "src/a.rs", "use crate::b::c;\n", "src/b/mod.rs", "",
		"n/x.c", "#include \"x.h\"\n#include <stdio.h>\n# include \"lib/y.h\"\n", "n/x.h", "", "inc/lib/y.h", "",
		"r/a.rb", "require_relative 'b'\n", "r/b.rb", "", "j/src/q/A.java", "import q.B;\nimport java.util.List;\n", "j/src/q/B.java", "",
		"k/package.json", `{"name":"k"}`, "k/index.js", "", "l/package.json", `{"name":"k"}`, "m/x.js", "import k from 'k'\n")
	_, report := packed(t, Options{}, files)
	got := make(map[string]int)
	for _, f := range report.Files {
		if f.Importers > 0 {
			got[f.Path] = f.Importers
		}
	}
	require.Equal(t, map[string]int{"a/a.go": 2, "a/b.go": 2, "c/c.go": 1, "w/b.ts": 1, "w/c.ts": 1, "w/d/index.ts": 2, "p/y.py": 1, "p/z.py": 1, "p/x.py": 1,
		"src/a.rs": 1, "src/b/mod.rs": 2, "n/x.h": 1, "inc/lib/y.h": 1, "r/b.rb": 1, "j/src/q/B.java": 1, "k/index.js": 1}, got)
}

// TestInternalIsNoCore: a file whose declarations are for its module only is worth less than one that
// as many import, in Kotlin and in Rust.
func TestInternalIsNoCore(t *testing.T) {
	for ext, c := range map[string]struct{ open, inner, use string }{
		".kt": {"package q\nclass opened { fun run() {} }\n", "package q\ninternal class hidden { fun run() {} }\n", "package r\nimport q.opened\nimport q.hidden\nclass User%d\n"},
		".rs": {"pub fn opened_up() {}\n", "fn hidden_away() {}\n", "use crate::opened::opened_up;\nuse crate::hidden::*;\npub fn user%d() {}\n"},
	} {
		parts := []string{"src/opened" + ext, c.open, "src/hidden" + ext, c.inner}
		for i := range 6 {
			parts = append(parts, fmt.Sprintf("src/user%d%s", i, ext), fmt.Sprintf(c.use, i))
		}
		_, report := packed(t, Options{}, text(parts...))
		got := make(map[string]File)
		for _, f := range report.Files {
			got[f.Path] = f
		}
		opened, hidden := got["src/opened"+ext], got["src/hidden"+ext]
		require.Equal(t, []int{6, 0}, []int{opened.Importers, hidden.Importers}, ext)
		require.Greater(t, opened.Worth, hidden.Worth, ext)
	}
}

func TestWhy(t *testing.T) {
	files := text("go.mod", "module m\n", "a/a.go", "package a\n", "b/b.go", "package b\n\nimport \"m/a\"\n", "c.md", "# C\n")
	p, report := packed(t, Options{Changes: map[string]int{"a/a.go": 9, "c.md": 1}, Priorities: []PriorityRule{{"b", bcp.PriorityLow}}}, files)
	why := make(map[string]string)
	for _, f := range report.Files {
		why[f.Path] = f.Why()
	}
	require.Equal(t, map[string]string{"go.mod": "manifest", "a/a.go": "source, imported by 1 file, 9 commits, referred to 2.1 times the average", "b/b.go": `source, low by "b"`, "c.md": "documentation, 1 commit"}, why)
	tags := 0
	for _, b := range p.Blocks {
		if a, ok := b.Body.(*bcp.Annotation); ok && strings.HasPrefix(string(a.Value), worthTag) {
			if c, ok := p.Blocks[a.Target].Body.(*bcp.Code); ok {
				require.Equal(t, map[string]string{"a/a.go": "worth:1000", "b/b.go": "worth:5", "c.md": "worth:5", "go.mod": "worth:10"}[c.Path], string(a.Value))
				tags++
			}
		}
	}
	require.Equal(t, 4, tags)
}

func TestSummaryRules(t *testing.T) {
	p, report := packed(t, Options{Summaries: []SummaryRule{{"*.txt", "A text."}, {"b.txt", ""}}}, text("a.txt", "a long text", "b.txt", "another"))
	require.Equal(t, "A text.", *p.Blocks[report.Files[0].Block].Summary)
	require.Nil(t, p.Blocks[report.Files[1].Block].Summary)
}

func TestSections(t *testing.T) {
	token := "ghp_" + run(36)
	hunk := []bcp.DiffHunk{{OldStart: 4, NewStart: 5, Lines: []byte(" a\n+b " + token + "\n")}}
	o := Options{Exclude: []string{"x"}, Instruction: "Go.", Sections: []Section{
		{Body: &bcp.Diff{Path: "a.go", Hunks: hunk}, Summary: "+1 " + token, Priority: bcp.PriorityHigh},
		{Body: &bcp.Diff{Path: ".env", Hunks: hunk}}, {Body: &bcp.Diff{Path: "x/y", Hunks: hunk}}, {Body: &bcp.Diff{Path: "go.sum", Hunks: hunk}},
		{Body: &bcp.Conversation{Role: "user", Content: []byte(token)}}, {Body: &bcp.ToolResult{ToolName: "t", Status: "ok", Content: []byte(token)}},
		{Body: &bcp.Document{Title: "log", FormatHint: "plain", Content: []byte(token)}}, {Body: &bcp.StructuredData{Format: "json", Content: []byte(token)}},
	}}
	p, report := packed(t, o, text("a.go", "package a\n"))
	require.Equal(t, map[string]Reason{".env": reasonSecret, "x/y": reasonExcluded, "go.sum": reasonLock}, reasons(report))
	require.Equal(t, Secret{"a.go", 6, "github-token"}, report.Masked[0])
	require.Len(t, report.Masked, 6)
	data, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	require.NotContains(t, string(data), token)
	require.Contains(t, string(hunk[0].Lines), token, "the caller's own is as it was")
	// Lines in another encoding are kept, and a name in one is reported. A path from the root has an end, too.
	p, report = packed(t, Options{Sections: []Section{{Body: &bcp.Diff{Path: "a", Hunks: []bcp.DiffHunk{{OldStart: 1, NewStart: 1, Lines: []byte("-\xe9\n")}}}}, {Body: &bcp.Diff{Path: "\xff"}}, {Body: &bcp.Diff{Path: "/a"}}}}, text())
	require.Equal(t, map[string]Reason{"\uFFFD": reasonEncoding}, reasons(report))
	_, err = bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	for _, bad := range []Section{{}, {Body: &bcp.Diff{}, Priority: 9}, {Body: &bcp.Diff{}, Summary: "\xff"}} {
		_, _, err := Options{Sections: []Section{bad}}.Pack(t.Context(), text())
		require.ErrorIs(t, err, wire.ErrRange)
	}
}

func TestPrevious(t *testing.T) {
	long := strings.Repeat("a line of text\n", 30)
	before := text("go.mod", "module m\n", "a/a.go", "package a\n\nfunc A() {}\n", "b.txt", long+"end\n", "c.txt", "all of it\n", "gone.txt", "x", "w/x.txt", "same")
	old, _ := packed(t, Options{}, before)
	after := text("go.mod", "module m\n", "a/a.go", "package a\n\nfunc A() {}\n", "b.txt", long+"END\n", "c.txt", "something else\n", "new.txt", "new", "w/x.txt", "same")
	p, report := packed(t, Options{Previous: old}, after)
	require.Len(t, report.Files, 6)
	o := render.Options{Mode: render.ModeMinimal, Compact: true, Counter: tokens.O200k{}}
	got, err := o.Text(p)
	require.NoError(t, err)
	data, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, old)
	require.NoError(t, err)
	id := bcp.HashOf(data).String()[:8]
	require.Equal(t, `--- tree: . ---
./ go.mod *.txt: b c new
a/ a.go
w/ x.txt


--- c.txt [text] ---
something else


--- new.txt [text] ---
new

--- diff: b.txt ---
@@ -28,4 +28,4 @@
 a line of text
 a line of text
 a line of text
-end
+END


--- since ---
Unchanged since pack `+id+`: ./ 1 file, a/ 1 file, w/ 1 file
No longer there: gone.txt`, got)

	// It holds all files.
	whole, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	back, err := bcp.Decode(whole)
	require.NoError(t, err)
	dir := t.TempDir()
	done, err := UnpackOptions{}.Unpack(back, openRoot(t, dir))
	require.NoError(t, err)
	require.Len(t, done.Files, len(after))
}

func TestSeldomFirst(t *testing.T) {
	files := text("a.txt", "a", "b.txt", "b", "c.txt", "c", "d.txt", "d")
	p, report := packed(t, Options{StableFirst: true, Changes: map[string]int{"a.txt": 40, "b.txt": 2, "c.txt": 3}}, files)
	var order []string
	for _, b := range p.Blocks {
		switch body := b.Body.(type) {
		case *bcp.Code:
			order = append(order, body.Path)
		case *bcp.FileTree:
			order = append(order, "tree")
		}
	}
	require.Equal(t, []string{"d.txt", "b.txt", "c.txt", "a.txt", "tree"}, order)
	require.Equal(t, []string{"a.txt", "b.txt", "c.txt", "d.txt"}, paths(report))
}

func TestImportersGrowth(t *testing.T) {
	for name, c := range map[string]struct{ file, line string }{
		"go": {"d%d/a.go", "import \"m/d1\"\n"}, "ts": {"d%d/a.ts", "import x from './b'\n"}, "c": {"d%d/a.h", "#include \"z/a.h\"\n"}, "java": {"d%d/A.java", "import q.A;\n"},
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 60, func(n int) func() {
				files := []file{{File: File{Path: "go.mod"}, text: []byte("module m\n")}}
				for i := range n {
					name := fmt.Sprintf(c.file, i)
					files = append(files, file{File: File{Path: name}, lang: bcp.LangOfPath(name), text: []byte(strings.Repeat(c.line, 20))})
				}
				return func() { newGraph(t.Context(), files).references() }
			})
		})
	}
}

// Codes are words that programs compare; phrases are for people.
func TestReasons(t *testing.T) {
	for reason, phrase := range map[Reason]string{
		reasonMissing: "no such file", reasonLink: "symbolic link", reasonLock: "lock file", reasonSecret: "may hold secrets", reasonLarge: "too large", reasonFull: "pack is full",
	} {
		require.Regexp(t, `^[a-z]+(-[a-z0-9]+)*$`, string(reason))
		require.Equal(t, phrase, reason.String())
	}
}
