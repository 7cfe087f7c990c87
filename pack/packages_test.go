package pack

import (
	"context"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/tokens"
)

func TestPackages(t *testing.T) {
	files := text(
		"a/a.go", "// Package a is one. It has more.\npackage a\n\n// T is.\ntype T struct{ F int }\n\n// New makes\n// it.\nfunc New(n int) *T { return nil }\n\nfunc (t *T) Do(x int) error { return nil }\nfunc (t *T) String() string { return \"\" }\nfunc (t T) hidden() {}\n",
		"d/d.go", "package d\n\ntype Doer interface {\n\tDo(x int) error\n\tUndo()\n}\n\ntype A struct{}\n\nfunc (A) Do(x int) error { return nil }\nfunc (A) Own(y int) {}\n\ntype B struct{}\n\nfunc (B) Own(y int) {}\nfunc (B) Do(x string) {}\n",
		"a/b_linux.go", "package a\n\nconst C, d = 1, 2\n\nvar V int\n\nfunc Sys() {}\n", "a/b_other.go", "//go:build !linux\n\npackage a\n\nfunc Sys() {}\n",
		"a/a_test.go", "package a\n\nfunc TestT() {}\n", "a/bad.go", "package a\nfunc {", "a/second.go", "package second\n\nfunc No() {}\n",
		"cmd/main.go", "// Command cmd runs.\npackage main\n\nfunc main() {}\n", "x.py", "pass\n")
	p, _ := packed(t, Options{}, files)
	outlines := make(map[string][]string)
	for i, b := range p.Blocks {
		if d, ok := b.Body.(*bcp.Document); ok {
			outlines[d.Title] = []string{string(d.Content), *b.Summary}
			require.Equal(t, bcp.PriorityHigh, p.Priorities()[i])
		}
		if a, ok := b.Body.(*bcp.Annotation); ok && a.Kind == "summary" {
			if d, ok := p.Blocks[a.Target].Body.(*bcp.Document); ok {
				outlines[d.Title] = append(outlines[d.Title], string(a.Value))
			}
		}
	}
	head := "Package a is one."
	require.Equal(t, map[string][]string{
		"a": {
			head + "\ntype T struct{…} // T is.\nfunc New(n int) *T // New makes it.\nfunc (t *T) Do(x int) error\nfunc (t *T) String() string\nconst C\nvar V\nfunc Sys()",
			head + "\nconst C\nvar V\ntype T struct: Do(x int) error\nfunc New(n int) *T\nfunc Sys()",
			head + "\ntype T\nfunc New Sys",
			head,
		},
		"d": {
			"package d\ntype Doer interface{ Do(x int) error; Undo() }\ntype A struct{…}\nfunc (A) Do(x int) error\nfunc (A) Own(y int)\ntype B struct{…}\nfunc (B) Own(y int)\nfunc (B) Do(x string)",
			"package d\ntype Doer interface{ Do(x int) error; Undo() }\ntype A struct: Do; Own(y int)\ntype B struct: Own; Do(x string)", // a signature once
			"package d\ntype Doer A B",
			"package d",
		},
	}, outlines)
	p, _ = packed(t, Options{}, files, "a/a.go")
	for _, b := range p.Blocks {
		require.NotEqual(t, bcp.BlockDocument, b.Type(), "a file that is named speaks for itself")
	}
	p, _ = packed(t, Options{NoSummaries: true}, files)
	for _, b := range p.Blocks {
		require.NotEqual(t, bcp.BlockDocument, b.Type())
	}
}

// An outline represents code that is not shown: where all of it is shown, it is
// left out.
func TestOutlinesGiveWay(t *testing.T) {
	p, _ := packed(t, Options{}, text("a/a.go", "package a\n\nfunc A() { println(\"a body that takes some room, and then some more of it\") }\n", "b/b.go", "package b\n\nfunc B() {}\n"))
	o := render.Options{Mode: render.ModeMinimal, Counter: tokens.O200k{}, Compact: true}
	all, err := o.Render(p)
	require.NoError(t, err)
	require.NotContains(t, string(all.Text), "--- a ---")
	require.NotContains(t, string(all.Text), "--- b ---")
	budget := all.Tokens
	o.Budget = &budget
	same, err := o.Render(p)
	require.NoError(t, err)
	require.Equal(t, string(all.Text), string(same.Text))
	budget--
	less, err := o.Render(p)
	require.NoError(t, err)
	require.LessOrEqual(t, less.Tokens, budget)
	require.Contains(t, string(less.Text), "--- a ---\npackage a\nfunc A()")
	require.Contains(t, string(less.Text), "[omitted: ")
}

// repository packs the source of this module.
func repository(t *testing.T) (*bcp.Payload, *Report) {
	t.Helper()
	p, report, err := Options{}.Pack(context.Background(), os.DirFS(".."))
	require.NoError(t, err)
	require.Greater(t, len(report.Files), 500)
	return p, report
}

// packageName is the name of the package in each folder.
var packageName = make(map[string]string)

// declared are the doc sentence and the exported types and functions of every
// package of this module, by its folder, as go/doc has them.
func declared(t *testing.T, report *Report) (sentences map[string]string, names map[string][]string) {
	t.Helper()
	sentences, names = make(map[string]string), make(map[string][]string)
	for _, f := range report.Files {
		if !strings.HasSuffix(f.Path, ".go") || strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		folder := path.Dir(f.Path)
		parsed, err := parser.ParseFile(token.NewFileSet(), "../"+f.Path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		packageName[folder] = parsed.Name.Name
		if parsed.Doc != nil {
			sentences[folder] = new(doc.Package).Synopsis(parsed.Doc.Text())
		}
		if names[folder] == nil {
			names[folder] = []string{}
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					names[folder] = append(names[folder], d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						names[folder] = append(names[folder], s.Name.Name)
					}
				}
			}
		}
	}
	return sentences, names
}

// Over this repository 9,000 tokens show the beginning of the README and the exported types and
// functions of every package that is for others, 16,000 also their heads in the packages that everything begins with,
// in every mode; the tree takes its share at most.
func TestRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it packs the whole repository")
	}
	p, report := repository(t)
	sentences, names := declared(t, report)
	readme := report.Files[slices.IndexFunc(report.Files, func(f File) bool { return f.Path == "README.md" })].Block
	public := 0
	for _, mode := range []render.Mode{render.ModeXML, render.ModeMarkdown, render.ModeMinimal} {
		for _, budget := range []int{9000, 16_000} {
			r, err := render.Options{Mode: mode, Budget: &budget, Counter: tokens.O200k{}, Compact: true}.Render(p)
			require.NoError(t, err)
			require.LessOrEqual(t, r.Tokens, budget)
			shown := make(map[string]string)
			for i, b := range p.Blocks {
				if d, ok := b.Body.(*bcp.Document); ok && p.Priorities()[i] == bcp.PriorityHigh {
					shown[d.Title] = r.Levels[i]
					require.Contains(t, []string{"brief", "summary", "full"}, r.Levels[i], "%s, %d: %s", mode, budget, d.Title)
				}
			}
			require.Contains(t, []string{"brief", "summary", "full"}, r.Levels[readme], "%s, %d: README.md", mode, budget)
			if budget == 16_000 {
				for _, folder := range []string{".", "wire"} {
					require.Contains(t, []string{"summary", "full"}, shown[folder], "%s: %s", mode, folder)
				}
			}
			if mode != render.ModeMinimal {
				continue
			}
			sections := sectionsOf(string(r.Text))
			for folder, list := range names {
				g := goPackage{folder: folder, name: packageName[folder]}
				if !g.public() || len(list) == 0 {
					continue
				}
				public++
				section := strings.ReplaceAll(sections[path.Clean(folder)+" [plain]"]+sections[folder], "&lt;", "<")
				require.Contains(t, section, sentences[folder], folder)
				words := strings.FieldsFunc(section, func(r rune) bool {
					return r != '_' && !('0' <= r && r <= '9') && !('A' <= r && r <= 'Z') && !('a' <= r && r <= 'z')
				})
				for _, name := range list {
					require.Contains(t, words, name, folder)
				}
			}
		}
	}
	require.Greater(t, public, 40)
}

// sectionsOf returns what is under each header of a minimal text, by what
// it names.
func sectionsOf(text string) map[string]string {
	sections := make(map[string]string)
	name := ""
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "--- "); ok {
			name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(title), " ---"), " (summary)")
			continue
		}
		sections[name] += line
	}
	return sections
}

func TestPackagesGrowth(t *testing.T) {
	growth.Linear(t, 300, func(n int) func() {
		var src strings.Builder
		src.WriteString("package a\n")
		for i := range n {
			id := strings.Repeat("a", 1+i%7) + string(rune('A'+i%26))
			src.WriteString("type T" + id + " int\nfunc (T" + id + ") M" + id + "() {}\nfunc F" + id + "() {}\n")
		}
		files := []file{{File: File{Path: "a.go"}, lang: "go", text: []byte(src.String())}}
		return func() {
			files[0].parsed = goFileOf(&files[0])
			packages(files)
		}
	})
}

// A syntax tree takes many times the memory of its text: what a file declares must not
// keep it.
func TestGoFileKeepsNoTree(t *testing.T) {
	f := file{File: File{Path: "a.go"}, lang: "go", text: []byte("package a\n\n// T is.\ntype T struct{}\n\n// F does.\nfunc F() {}\n")}
	open := goFileOf(&f).open
	require.Len(t, open, 2)
	for _, d := range open {
		require.Nil(t, d.decl)
		require.Nil(t, d.doc)
	}
}
