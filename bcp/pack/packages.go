package pack

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
)

// A goPackage is what the Go files of a folder declare for others, in three
// steps of brevity.
type goPackage struct {
	folder string
	name   string
	doc    string // the first sentence of its comment
	full   string // with the first sentences of comments
	outline,
	names string
}

// packages outlines the packages of all folders of which files were found by
// walking. Tests and files that were named one by one have no part in it.
func packages(ctx context.Context, files []file) []goPackage {
	byFolder := make(map[string][]file)
	var folders []string
	for _, f := range files {
		if f.lang != bcp.LangGo || f.named || strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		folder := path.Dir(f.path)
		if byFolder[folder] == nil {
			folders = append(folders, folder)
		}
		byFolder[folder] = append(byFolder[folder], f)
	}
	slices.Sort(folders)
	all := make([]goPackage, len(folders))
	each(ctx, len(folders), func(i int) { all[i] = packageOf(folders[i], byFolder[folders[i]]) })
	return slices.DeleteFunc(all, func(p goPackage) bool { return p.name == "" })
}

// packageOf outlines the package that the files of a folder make, without a
// name if none of them parses. Files that do not, and those of a second package,
// are passed over.
func packageOf(folder string, files []file) goPackage {
	p := goPackage{folder: folder}
	d := declarations{methods: make(map[string][]string), seen: make(map[string]bool)}
	var sources strings.Builder
	for _, f := range files {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, "", f.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || p.name != "" && parsed.Name.Name != p.name {
			continue
		}
		p.name = parsed.Name.Name
		if parsed.Doc != nil && p.doc == "" {
			p.doc = synopsis(parsed.Doc)
		}
		o := goOutline{src: f.text, base: fset.File(parsed.Pos()).Base()}
		d.add(&o, parsed)
		o.declarations(parsed)
		for line := range strings.Lines(o.out.String()) {
			// Files for several systems declare the same.
			if d.first(line) {
				sources.WriteString(line)
			}
		}
	}
	if p.name == "" {
		return p
	}
	head := "package " + p.name
	if p.doc != "" {
		head += " // " + shorten(p.doc)
	}
	p.full = strings.TrimSuffix(head+"\n"+sources.String(), "\n")
	p.outline = strings.TrimSuffix(head+"\n"+d.outline(), "\n")
	p.names = strings.TrimSuffix(head+"\n"+d.names(), "\n")
	p.doc = head
	return p
}

// Declarations are those of a package, by kind.
type declarations struct {
	consts, vars, types, funcs []string // names
	typeLines                  []string // with type parameters and underlying type
	funcLines                  []string // with signatures
	methods                    map[string][]string
	seen                       map[string]bool // what was met before
}

// first reports whether something is met for the first time.
func (d *declarations) first(what string) bool {
	if d.seen[what] {
		return false
	}
	d.seen[what] = true
	return true
}

// knownMethods are those of interfaces that every reader knows, or that many
// types of a package share: their names say nothing new.
var knownMethods = words("String Error Unwrap Is As MarshalJSON UnmarshalJSON MarshalText UnmarshalText Len Less Swap Close Read Write")

func (d *declarations) add(o *goOutline, file *ast.File) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			d.general(o, decl)
		case *ast.FuncDecl:
			d.function(o, decl)
		}
	}
}

func (d *declarations) general(o *goOutline, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if o.shows(s.Name) && d.first("type "+s.Name.Name) {
				d.types = append(d.types, s.Name.Name)
				d.typeLines = append(d.typeLines, o.typeHead(s))
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				list := &d.vars
				if decl.Tok == token.CONST {
					list = &d.consts
				}
				if o.shows(name) && d.first("value "+name.Name) {
					*list = append(*list, name.Name)
				}
			}
		}
	}
}

func (d *declarations) function(o *goOutline, decl *ast.FuncDecl) {
	name := decl.Name.Name
	switch {
	case !o.showsFunc(decl):
	case decl.Recv == nil:
		if d.first("func " + name) {
			d.funcs = append(d.funcs, name)
			d.funcLines = append(d.funcLines, strings.TrimPrefix(o.function(decl), "func "))
		}
	case !knownMethods[name]:
		of := receiver(decl.Recv.List[0].Type).Name
		if d.first("method " + of + "." + name) {
			d.methods[of] = append(d.methods[of], name+o.source(decl.Type.Params.Pos(), decl.Type.End()))
		}
	}
}

// outline is one line for all constants, one for all variables, one for each
// type with its methods and one for each function.
func (d *declarations) outline() string {
	var out strings.Builder
	list := func(kind string, names []string) {
		if len(names) > 0 {
			out.WriteString(kind + " " + shorten(strings.Join(names, ", ")) + "\n")
		}
	}
	list("const", d.consts)
	list("var", d.vars)
	for i, name := range d.types {
		out.WriteString("type " + shorten(d.typeLines[i]))
		if methods := d.methods[name]; methods != nil {
			out.WriteString(": " + strings.Join(methods, "; "))
		}
		out.WriteByte('\n')
	}
	for _, line := range d.funcLines {
		out.WriteString("func " + shorten(line) + "\n")
	}
	return out.String()
}

// names is a line of all types and one of all functions.
func (d *declarations) names() string {
	var out strings.Builder
	if len(d.types) > 0 {
		out.WriteString("type " + strings.Join(d.types, " ") + "\n")
	}
	if len(d.funcs) > 0 {
		out.WriteString("func " + strings.Join(d.funcs, " ") + "\n")
	}
	return out.String()
}
