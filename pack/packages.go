package pack

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
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
	empty bool // it declares nothing for others

	score, named float64 // of its files, and how many of them a README or a guide names

	rank  bcp.Priority
	worth int
}

// A goFile is what a Go file has for its own summary and for the outline of its
// package. The text is parsed once for both.
type goFile struct {
	own   string // its summary
	name  string // of the package, "" if it does not parse
	doc   string
	lines []string // of the package's outline in full
	open  []goDecl // what it declares for others
}

// goFileOf parses a file, and notes what it declares.
func goFileOf(f *file) *goFile {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", f.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return &goFile{}
	}
	o := goSource{src: f.text, base: fset.File(parsed.Pos()).Base()}
	decls := o.declarations(parsed)
	command := parsed.Name.Name == "main" // which declares nothing for others
	// Not in the outline are tests, and files that were named one by one, which speak for themselves.
	outlined := !f.alone && !strings.HasSuffix(f.Path, "_test.go") && !command
	g := &goFile{own: ownOutline(parsed, list(decls, func(d *goDecl) bool { return command || d.open != outlined }), outlined)}
	for _, d := range decls {
		if d.of == "" {
			f.declared = append(f.declared, d.name)
			if o := (offer{name: d.name, isType: d.kind == token.TYPE}); o.counts() {
				f.offers = append(f.offers, o)
			}
		}
	}
	if outlined {
		g.name = parsed.Name.Name
		g.doc = synopsis(parsed.Doc)
		g.lines = slices.Collect(strings.Lines(list(decls, func(d *goDecl) bool { return d.open })))
		g.open = slices.DeleteFunc(decls, func(d goDecl) bool { return !d.open || d.of != "" && is("known-method", d.name) })
		for i := range g.open {
			d := &g.open[i]
			d.decl, d.doc, d.line = nil, nil, "" // without the syntax tree
		}
	}
	return g
}

// ownOutline is the package of a Go file, its imports and the list of what it declares, for
// others or, if there is an outline of its package, for itself. It is "" for a file that has
// nothing to list.
func ownOutline(parsed *ast.File, list string, outlined bool) string {
	var out strings.Builder
	doc := parsed.Doc
	if outlined {
		doc = nil
	}
	if list == "" && doc == nil {
		return ""
	}
	writeLine(&out, "package "+parsed.Name.Name, doc)
	var paths []string
	for _, s := range parsed.Imports {
		paths = append(paths, s.Path.Value)
	}
	if paths != nil {
		writeLine(&out, "import "+strings.Join(paths, ", "))
	}
	return strings.TrimSuffix(out.String()+list, "\n")
}

// packages outlines the packages of all folders of which files were found by
// walking.
func packages(files []file) []goPackage {
	byFolder := make(map[string][]*file)
	for i := range files {
		if f := &files[i]; f.parsed != nil && f.parsed.name != "" {
			byFolder[path.Dir(f.Path)] = append(byFolder[path.Dir(f.Path)], f)
		}
	}
	var all []goPackage
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		g := goPackage{folder: folder}
		g.outlineOf(byFolder[folder])
		all = append(all, g)
	}
	ratePackages(all)
	return all
}

// outlineOf outlines the package that the files of a folder make, and adds up what its worth
// comes from. The outline passes over files of a second package.
func (p *goPackage) outlineOf(files []*file) {
	p.name = files[0].parsed.name
	d := declarations{kinds: make(map[token.Token][]goDecl), methods: make(map[string][]string), seen: make(map[string]int)}
	var sources strings.Builder
	for _, f := range files {
		if p.score += f.score(); f.named() {
			p.named++
		}
		if f.parsed.name != p.name {
			continue
		}
		p.doc = cmp.Or(p.doc, f.parsed.doc)
		for _, item := range f.parsed.open {
			d.add(item)
		}
		for _, line := range f.parsed.lines {
			// Files for several systems declare the same.
			if d.first(line) {
				sources.WriteString(line)
			}
		}
	}
	head := shorten(p.doc) // which begins with the name, as a rule
	if !strings.HasPrefix(head, "Package "+p.name+" ") {
		head = strings.TrimSuffix("package "+p.name+" // "+head, " // ")
	}
	p.full = strings.TrimSuffix(head+"\n"+sources.String(), "\n")
	p.names = strings.TrimSuffix(head+"\n"+d.list(token.TYPE, " ", math.MaxInt)+d.list(token.FUNC, " ", math.MaxInt), "\n")
	p.outline = strings.TrimSuffix(head+"\n"+d.outline(), "\n")
	p.empty, p.doc = p.names == head, head
}

// Declarations are those of a package.
type declarations struct {
	kinds   map[token.Token][]goDecl // but for methods
	methods map[string][]string      // by type
	seen    map[string]int           // how often what was met
}

// first reports whether something is met for the first time.
func (d *declarations) first(what string) bool {
	d.seen[what]++
	return d.seen[what] == 1
}

func (d *declarations) add(item goDecl) {
	switch {
	case !d.first(item.kind.String() + " " + item.of + "." + item.name):
	case item.of != "":
		d.methods[item.of] = append(d.methods[item.of], item.head)
	default:
		d.kinds[item.kind] = append(d.kinds[item.kind], item)
	}
}

// list is a line of the names of a kind, "" without any.
func (d *declarations) list(kind token.Token, separator string, most int) string {
	var names []string
	for _, item := range d.kinds[kind] {
		names = append(names, item.name)
	}
	if names == nil {
		return ""
	}
	return kind.String() + " " + outline.Cut(strings.Join(names, separator), most) + "\n"
}

// outline is one line for all constants, one for all variables, one for each
// type with its methods and one for each function.
func (d *declarations) outline() string {
	var out strings.Builder
	out.WriteString(d.list(token.CONST, ", ", maxLine/2) + d.list(token.VAR, ", ", maxLine/2))
	for _, item := range d.kinds[token.TYPE] {
		if _, methods, ok := strings.Cut(item.head, " interface{ "); ok {
			for method := range strings.SplitSeq(strings.TrimSuffix(methods, " }"), "; ") {
				d.seen[method]++
			}
		}
		out.WriteString("type " + shorten(item.head))
		sign := ": "
		for _, method := range d.methods[item.name] {
			if !d.first(method) || out.Len() > mostHeads { // of what another type has, too, the name alone
				method, _, _ = strings.Cut(method, "(")
			}
			out.WriteString(sign + method)
			sign = "; "
		}
		out.WriteByte('\n')
	}
	for i, item := range d.kinds[token.FUNC] {
		if out.Len() > mostHeads {
			d.kinds[token.FUNC] = d.kinds[token.FUNC][i:]
			return out.String() + d.list(token.FUNC, " ", math.MaxInt)
		}
		out.WriteString("func " + shorten(item.head) + "\n")
	}
	return out.String()
}
