package pack

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/repo/outline"
)

// maxLine bounds a line of an outline, in bytes.
const maxLine = 400

// A goDecl is a type, a value or a function that a Go file declares at its top.
type goDecl struct {
	decl ast.Decl // the same for those of a group
	kind token.Token
	of   string // the type of a method
	name string
	open bool   // for other packages, as is its type
	line string // as it is declared, on one line; "" of values, which share one
	head string // of types and functions, in the outline of their package, without the word
	doc  *ast.CommentGroup
}

// A goSource is the text of a Go file that was parsed.
type goSource struct {
	src  []byte
	base int // of positions in the file
}

// declarations are those of a file.
func (o *goSource) declarations(file *ast.File) []goDecl {
	all := make([]goDecl, 0, len(file.Decls))
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			g := goDecl{decl: d, kind: token.FUNC, name: d.Name.Name, open: d.Name.IsExported(), line: o.source(d.Type.Pos(), d.Type.End()), doc: d.Doc}
			g.head = strings.TrimPrefix(g.line, "func ")
			if d.Recv != nil && len(d.Recv.List) > 0 {
				of := d.Recv.List[0].Type
				g.of = identifier.FindString(o.source(of.Pos(), of.End()))
				g.open = g.open && ast.IsExported(g.of)
				g.head = g.name + o.source(d.Type.Params.Pos(), d.Type.End())
			}
			all = append(all, g)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					line, head := o.typeText(s)
					all = append(all, goDecl{decl: d, kind: token.TYPE, name: s.Name.Name, open: s.Name.IsExported(), line: "type " + line, head: head, doc: s.Doc})
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if name.Name != "_" {
							all = append(all, goDecl{decl: d, kind: d.Tok, name: name.Name, open: name.IsExported()})
						}
					}
				}
			}
		}
	}
	return all
}

// list has a line for each type and function with the first sentence of its comment, and
// one for the names of values that are declared together. The comment of a group is once,
// with its first type.
func list(decls []goDecl, shows func(*goDecl) bool) string {
	var out strings.Builder
	for len(decls) > 0 {
		n := 1
		for n < len(decls) && decls[n].decl == decls[0].decl {
			n++
		}
		group := decls[:n]
		decls = decls[n:]
		var comment *ast.CommentGroup
		if d, ok := group[0].decl.(*ast.GenDecl); ok {
			comment = d.Doc
		}
		var names []string
		for i := range group {
			switch d := &group[i]; {
			case !shows(d):
			case d.line == "":
				names = append(names, d.name)
			default:
				writeLine(&out, d.line, d.doc, comment)
				comment = nil
			}
		}
		if names != nil {
			writeLine(&out, group[0].kind.String()+" "+strings.Join(names, ", "), comment)
		}
	}
	return out.String()
}

// identifier matches the name of a receiver's type, the first in it.
var identifier = regexp.MustCompile(`[\pL_][\pL_\p{Nd}]*`)

// source is a stretch of the file on one line, without comments.
func (o *goSource) source(from, to token.Pos) string {
	var b []byte
	for line := range bytes.Lines(o.src[int(from)-o.base : int(to)-o.base]) {
		if n := bytes.Index(line, []byte("//")); n >= 0 && !bytes.ContainsAny(line, "\"`") {
			line = line[:n]
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] == ')' {
			b = bytes.TrimSuffix(b, []byte(","))
		} else if len(b) > 0 && b[len(b)-1] != '(' {
			b = append(b, ' ')
		}
		if b = append(b, line...); len(b) > maxLine {
			break
		}
	}
	return string(b)
}

// writeLine adds a line with the first sentence of a comment.
func writeLine(out *strings.Builder, text string, comments ...*ast.CommentGroup) {
	out.WriteString(shorten(text))
	for _, c := range comments {
		if s := synopsis(c); s != "" {
			out.WriteString(" // " + shorten(s))
			break
		}
	}
	out.WriteByte('\n')
}

// synopsis is the first sentence of a comment.
func synopsis(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return new(doc.Package).Synopsis(c.Text())
}

// shorten cuts a line at maxLine, visibly.
func shorten(text string) string { return outline.Cut(text, maxLine) }

// typeText is a type's declaration, of a struct without its fields, and the same in the
// outline of its package.
func (o *goSource) typeText(s *ast.TypeSpec) (line, head string) {
	switch body := s.Type.(type) {
	case *ast.StructType:
		head = o.source(s.Pos(), body.Struct) + " struct"
		return head + "{…}", head
	case *ast.InterfaceType:
		var parts []string
		for _, m := range body.Methods.List {
			parts = append(parts, o.source(m.Pos(), m.End()))
		}
		line = o.source(s.Pos(), body.Interface) + " interface{ " + strings.Join(parts, "; ") + " }"
		return line, line
	}
	line = o.source(s.Pos(), s.End())
	return line, line
}

// How much of a README comes before the whole of it, in bytes.
const (
	firstParagraphs = 700
	firstScreen     = 2400
)

// beginning is the title of a text and its first paragraphs, of code all or nothing, with
// an empty line at the end. Pictures, badges and the like are left out.
func beginning(text []byte, most int) string {
	var out, block []byte
	fenced := false
	flush := func() bool {
		if len(out)+len(block) > most && len(out) > 0 {
			return false
		}
		out, block = append(out, block[:min(len(block), most)]...), block[:0]
		return true
	}
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, " \t\r\n")
		word := bytes.TrimSpace(line)
		fence := fences.Match(word)
		if !fenced && (picture.Match(word) || onlyAnchors(word)) {
			continue
		}
		if block = append(append(block, line...), '\n'); fence {
			fenced = !fenced
		}
		if !fenced && (fence || len(word) == 0) && !flush() {
			break
		}
	}
	flush()
	shown := strings.TrimSpace(strings.ToValidUTF8(string(out), ""))
	if len(text) > len(out) {
		shown = lastHeadings.ReplaceAllString(shown, "")
	}
	if shown != "" {
		shown += "\n\n"
	}
	return shown
}

var (
	// Headings that nothing follows.
	lastHeadings = regexp.MustCompile(`(?:\s*\n#[^\n]*)+$`)

	listItem = regexp.MustCompile(`^(?:[-*+]|\d+[.)])\s`)
	picture  = regexp.MustCompile(`^(?:\[?!\[|<)`)
	linkedTo = regexp.MustCompile(`\]\(([^)]*)\)`)
)

// onlyAnchors reports whether a line is one of a table of contents: an item of a list whose
// links all lead to headings.
func onlyAnchors(line []byte) bool {
	if !listItem.Match(line) {
		return false
	}
	links := linkedTo.FindAllSubmatch(line, -1)
	return len(links) > 0 && !slices.ContainsFunc(links, func(l [][]byte) bool { return !bytes.Contains(l[1], []byte("#")) })
}

// without removes lines from a list that are in a text.
func without(list, text string) string {
	shown := make(map[string]bool)
	for line := range strings.Lines(text) {
		shown[strings.TrimSpace(line)] = true
	}
	rest := slices.DeleteFunc(strings.Split(list, "\n"), func(line string) bool { return shown[strings.TrimSpace(line)] })
	return strings.Join(rest, "\n")
}
