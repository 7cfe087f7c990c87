package repo

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// publicPackages returns the folders of the packages that other modules can
// import.
func publicPackages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch d.Name() {
		case "internal", "cmd", "examples", "interop", "testdata", "docs", "node_modules":
			return fs.SkipDir
		}
		if path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			dirs = append(dirs, path)
		}
		return nil
	})
	require.NoError(t, err)
	return dirs
}

func load(t *testing.T, dir string) (*doc.Package, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(fset, files, filepath.ToSlash(filepath.Join(module, dir)))
	require.NoError(t, err)
	return pkg, fset
}

// TestEverythingPublicIsDocumented: every package, type, function, method and
// group of constants or variables that others can use has a comment.
func TestEverythingPublicIsDocumented(t *testing.T) {
	for _, dir := range publicPackages(t) {
		pkg, _ := load(t, dir)
		require.NotEmpty(t, pkg.Doc, "package %s", dir)
		check := func(name, comment string) {
			if strings.HasSuffix(name, "Error.Error") || strings.HasSuffix(name, "Error.Unwrap") {
				return // an error type's methods mean what they mean everywhere
			}
			require.NotEmpty(t, strings.TrimSpace(comment), "%s.%s has no comment", pkg.Name, name)
		}
		values := func(groups []*doc.Value) {
			for _, v := range groups {
				if !documentedEach(v) {
					check(strings.Join(v.Names, ", "), v.Doc)
				}
			}
		}
		values(pkg.Consts)
		values(pkg.Vars)
		for _, f := range pkg.Funcs {
			check(f.Name, f.Doc)
		}
		for _, typ := range pkg.Types {
			check(typ.Name, typ.Doc)
			values(typ.Consts)
			values(typ.Vars)
			for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
				check(typ.Name+"."+f.Name, f.Doc)
			}
		}
	}
}

// TestSignaturesAreNameable: no exported signature, field, variable or embedded type has a
// type that other modules cannot name: one of an internal package, or an unexported one.
// wire.Internal is what this module's own packages have instead.
func TestSignaturesAreNameable(t *testing.T) {
	trials.OneGoroutine(t)
	for _, dir := range publicPackages(t) {
		for _, fault := range unnameable(t, dir) {
			require.Equal(t, "wire: internal", fault)
		}
	}
}

// unnameable returns the types in the signatures of a package that others cannot name.
func unnameable(t *testing.T, dir string) (faults []string) {
	t.Helper()
	hidden := make(map[string]bool) // unexported types and imported internal packages
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, 0)
		require.NoError(t, err)
		for _, spec := range f.Imports {
			if at := strings.Trim(spec.Path.Value, `"`); strings.Contains(at, "/internal/") {
				hidden[filepath.Base(at)+"."] = true
			}
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && !strings.HasSuffix(name, "_test.go") {
				for _, spec := range g.Specs {
					hidden[spec.(*ast.TypeSpec).Name.Name] = !ast.IsExported(spec.(*ast.TypeSpec).Name.Name)
				}
			}
		}
	}
	pkg, _ := load(t, dir)
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.BasicLit, *ast.CompositeLit, *ast.CallExpr:
			return false // of values, not of types
		case *ast.Field:
			ast.Inspect(n.Type, look)
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && hidden[x.Name+"."] {
				faults = append(faults, pkg.Name+": "+x.Name+"."+n.Sel.Name)
			}
			return false
		case *ast.Ident:
			if hidden[n.Name] {
				faults = append(faults, pkg.Name+": "+n.Name)
			}
		}
		return true
	}
	values := func(groups []*doc.Value) {
		for _, v := range groups {
			for _, spec := range v.Decl.Specs {
				if s := spec.(*ast.ValueSpec); s.Type != nil {
					ast.Inspect(s.Type, look)
				}
			}
		}
	}
	values(pkg.Consts)
	values(pkg.Vars)
	funcs := pkg.Funcs
	for _, typ := range pkg.Types {
		values(typ.Consts)
		values(typ.Vars)
		funcs = slices.Concat(funcs, typ.Funcs, typ.Methods)
		for _, spec := range typ.Decl.Specs {
			ast.Inspect(spec.(*ast.TypeSpec).Type, look)
		}
	}
	for _, f := range funcs {
		ast.Inspect(f.Decl.Type, look)
	}
	return faults
}

// documentedEach reports whether each name of a group has a comment of its own.
func documentedEach(v *doc.Value) bool {
	for _, spec := range v.Decl.Specs {
		if s := spec.(*ast.ValueSpec); s.Doc == nil && s.Comment == nil {
			return false
		}
	}
	return true
}

// TestAPIListing compares the public surface with docs/api.txt, so that a
// change to it is seen in a review. UPDATE_API=1 writes the file anew.
func TestAPIListing(t *testing.T) {
	var out bytes.Buffer
	for _, dir := range publicPackages(t) {
		pkg, fset := load(t, dir)
		if pkg.Name == "main" {
			continue
		}
		fmt.Fprintf(&out, "package %s // import %q\n", pkg.Name, pkg.ImportPath)
		declaration := func(node any) {
			var text bytes.Buffer
			require.NoError(t, printer.Fprint(&text, fset, node))
			for line := range strings.Lines(text.String()) {
				if line = strings.TrimRight(line, " \t\n"); line != "" {
					out.WriteString("\t" + line + "\n")
				}
			}
		}
		values := func(groups []*doc.Value) {
			for _, v := range groups {
				v.Decl.Doc = nil
				for _, spec := range v.Decl.Specs {
					spec.(*ast.ValueSpec).Doc, spec.(*ast.ValueSpec).Comment = nil, nil
				}
				declaration(v.Decl)
			}
		}
		funcs := func(list []*doc.Func) {
			for _, f := range list {
				f.Decl.Doc, f.Decl.Body = nil, nil
				declaration(f.Decl)
			}
		}
		values(pkg.Consts)
		values(pkg.Vars)
		funcs(pkg.Funcs)
		for _, typ := range pkg.Types {
			typ.Decl.Doc = nil
			ast.Inspect(typ.Decl, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok {
					field.Doc, field.Comment = nil, nil
				}
				return true
			})
			declaration(typ.Decl)
			values(typ.Consts)
			values(typ.Vars)
			funcs(typ.Funcs)
			funcs(typ.Methods)
		}
		out.WriteByte('\n')
	}
	const file = "docs/api.txt"
	if os.Getenv("UPDATE_API") != "" {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String(), "the public surface changed; if that is meant, run UPDATE_API=1 go test -run TestAPIListing .")
}

// TestPagesAreShort bounds the lines that docs/api.txt has of the packages that a program
// imports first.
func TestPagesAreShort(t *testing.T) {
	const page = 150
	most := map[string]int{"wirekit": page, "gcf": page, "toon": page, "glyph": page, "gcx": page, "tokens": page, "wire": 255}
	for text := range strings.SplitSeq(strings.TrimSpace(read(t, "docs/api.txt")), "\n\n") {
		name := strings.Fields(text)[1]
		if bound, ok := most[name]; ok {
			require.LessOrEqual(t, strings.Count(text, "\n")+1, bound, name)
			delete(most, name)
		}
	}
	require.Empty(t, most)
}

// TestExportedNamesHaveAReader: each exported function, method, type and variable is
// named where somebody who looks for it reads: in the package's comment, a page of
// the docs, an example, the code of another package, or, for a type, in another
// exported declaration. What an interface prescribes needs no further reason.
func TestExportedNamesHaveAReader(t *testing.T) {
	trials.OneGoroutine(t)
	prescribed := words(t, `BlockType RoundTrip Error Unwrap String GoString MarshalJSON UnmarshalJSON ServeHTTP WriteTo`)
	docs := read(t, "CONTRIBUTING.md")
	for _, page := range pages(t) {
		docs += read(t, page)
	}
	code := make(map[string]map[string]bool) // by folder, the words of its code and of its examples
	examples := make(map[string]bool)
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		dir := filepath.Dir(path)
		switch text := read(t, path); {
		case strings.HasSuffix(path, "example_test.go"):
			for w := range words(t, text) {
				examples[w] = true
			}
		case !strings.HasSuffix(path, "_test.go"):
			if code[dir] == nil {
				code[dir] = make(map[string]bool)
			}
			for w := range words(t, text) {
				code[dir][w] = true
			}
		}
		return nil
	}))
	for _, dir := range publicPackages(t) {
		pkg, _ := load(t, dir)
		for _, typ := range pkg.Types {
			if it, ok := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.InterfaceType); ok {
				for _, m := range it.Methods.List {
					for _, name := range m.Names {
						prescribed[name.Name] = true
					}
				}
			}
		}
	}
	documented := words(t, docs)
	for _, dir := range publicPackages(t) {
		pkg, _ := load(t, dir)
		about := words(t, pkg.Doc)
		for _, link := range docLink.FindAllStringSubmatch(pkg.Doc, -1) {
			for _, name := range strings.Split(link[1], ".") {
				require.True(t, code[dir][name], "the comment of package %s has a link to %s, which is not there", pkg.Name, link[1])
			}
		}
		elsewhere := func(name string) bool {
			for d, in := range code {
				if d != dir && in[name] {
					return true
				}
			}
			return false
		}
		check := func(kind, name string) {
			if !about[name] && !documented[name] && !examples[name] && !elsewhere(name) {
				t.Errorf("%s %s.%s: nobody names it", kind, pkg.Name, name)
			}
		}
		for _, v := range pkg.Vars {
			check("variable", v.Names[0])
		}
		for _, f := range pkg.Funcs {
			check("function", f.Name)
		}
		for _, typ := range pkg.Types {
			for _, f := range typ.Funcs {
				check("function", f.Name)
			}
			for _, m := range typ.Methods {
				if !prescribed[m.Name] {
					check("method", m.Name)
				}
			}
		}
	}
}

var (
	word    = regexp.MustCompile(`\b[A-Z]\w*`)
	docLink = regexp.MustCompile(`\[\*?([A-Z]\w*(?:\.\w+)?)\]`) // to a name of the package itself
)

// words returns the words of text that begin with a capital.
func words(t *testing.T, text string) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	for _, w := range word.FindAllString(text, -1) {
		found[w] = true
	}
	return found
}
