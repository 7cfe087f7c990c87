package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// long returns the tests of the module in a folder that come to more without -short, as
// an expression for -run, and the packages that they are in: those that ask testing.Short
// themselves, or through functions and test kits of this module.
func long(dir string) (run string, packages []string, err error) {
	kits, err := readFolders(".")
	if err != nil {
		return "", nil, err
	}
	folders, err := readFolders(dir)
	if err != nil {
		return "", nil, err
	}
	marks := map[string]bool{"testing.Short": true}
	for before := 0; len(marks) > before; { // a kit may use another
		before = len(marks)
		for _, f := range kits {
			for name := range f.marked(marks) {
				marks[f.name+"."+name] = true
			}
		}
	}
	names := make(map[string]bool)
	for _, path := range slices.Sorted(maps.Keys(folders)) {
		found := false
		for name := range folders[path].marked(marks) {
			if folders[path].tests[name] {
				names[name], found = true, true
			}
		}
		if found {
			packages = append(packages, "./"+filepath.ToSlash(path))
		}
	}
	return "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$", packages, nil
}

// A folder is what the functions of a package name, and those of its tests. Methods count
// as their type does.
type folder struct {
	name  string
	uses  map[string]map[string]bool
	tests map[string]bool
}

// readFolders reads the packages of a module, by their folders in it.
func readFolders(dir string) (map[string]*folder, error) {
	folders := make(map[string]*folder)
	return folders, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name()[0] == '.' || isModule(path)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		in, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		f := folders[in]
		if f == nil {
			f = &folder{uses: make(map[string]map[string]bool), tests: make(map[string]bool)}
			folders[in] = f
		}
		f.name = strings.TrimSuffix(file.Name.Name, "_test")
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				f.add(d, strings.HasSuffix(path, "_test.go"))
			}
		}
		return nil
	})
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// add adds what a function or method names.
func (f *folder) add(d *ast.FuncDecl, inTest bool) {
	name := d.Name.Name
	if d.Recv != nil {
		name = receiver(d.Recv.List[0].Type)
	} else if inTest && strings.HasPrefix(name, "Test") {
		f.tests[name] = true
	}
	if f.uses[name] == nil {
		f.uses[name] = make(map[string]bool)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				f.uses[name][x.Name+"."+n.Sel.Name] = true
			}
		case *ast.Ident:
			f.uses[name][n.Name] = true
		}
		return true
	})
}

// receiver returns the name of a receiver's type.
func receiver(t ast.Expr) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(t), "*"), "[")
	return name
}

// marked returns the functions that name one of marks, or a function that does.
func (f *folder) marked(marks map[string]bool) map[string]bool {
	found := make(map[string]bool)
	for before := -1; len(found) > before; {
		before = len(found)
		for name, uses := range f.uses {
			for used := range uses {
				if marks[used] || found[used] {
					found[name] = true
				}
			}
		}
	}
	return found
}
