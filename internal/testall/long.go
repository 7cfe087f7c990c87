package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// marks are what a test uses that -short makes shorter, or skips.
var marks = []string{"testing.Short", "trials.Of", "resident.Check", "randgo.Ways", "conformance.Suite"}

// long returns the tests of the module in a folder that come to more without -short, as
// an expression for -run, and the packages that they are in.
func long(dir string) (run string, packages []string, err error) {
	files := make(map[string][]string)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name()[0] == '.' || isModule(path)):
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			files[filepath.Dir(path)] = append(files[filepath.Dir(path)], path)
		}
		return nil
	})
	names := make(map[string]bool)
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		uses := make(map[string][]string) // of the functions, what they name
		for _, path := range files[folder] {
			if err := addUses(uses, path); err != nil {
				return "", nil, err
			}
		}
		found := false
		for name := range uses {
			if strings.HasPrefix(name, "Test") && marked(uses, name, make(map[string]bool)) {
				names[name], found = true, true
			}
		}
		if found {
			in, err := filepath.Rel(dir, folder)
			if err != nil {
				return "", nil, err
			}
			packages = append(packages, "./"+filepath.ToSlash(in))
		}
	}
	return "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$", packages, err
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// addUses adds what the functions and methods of a file name.
func addUses(uses map[string][]string, path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					uses[f.Name.Name] = append(uses[f.Name.Name], x.Name+"."+n.Sel.Name)
				}
			case *ast.Ident:
				uses[f.Name.Name] = append(uses[f.Name.Name], n.Name)
			}
			return true
		})
	}
	return nil
}

// marked reports whether a function names a mark, or a function that does.
func marked(uses map[string][]string, name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(uses[name], func(used string) bool {
		return slices.Contains(marks, used) || marked(uses, used, seen)
	})
}
