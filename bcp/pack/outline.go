package pack

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/token"
	"strings"
	"unicode/utf8"
)

// maxLine bounds a line of an outline, in bytes.
const maxLine = 400

// Which declarations an outline has.
type which uint8

const (
	exported which = iota // in commands all
	others                // those that are not exported
)

// fileOutline lists the package of a Go file, its imports and what it declares
// for others, or for itself: constants and variables by name, types, and
// functions with their signatures, each with the first sentence of its comment.
// Commands declare nothing for others; theirs has all. It is "" for a file that
// has nothing to list.
func fileOutline(src []byte, base int, parsed *ast.File, shown which) string {
	o := goOutline{src: src, base: base, shown: shown, all: parsed.Name.Name == "main" && shown == exported}
	if shown == others {
		o.line("package " + parsed.Name.Name)
	} else {
		o.line("package "+parsed.Name.Name, parsed.Doc)
	}
	o.imports(parsed.Imports)
	before := o.out.Len()
	o.declarations(parsed)
	if o.out.Len() == before && (shown == others || parsed.Doc == nil) {
		return ""
	}
	return strings.TrimSuffix(o.out.String(), "\n")
}

// declarations adds what a file declares.
func (o *goOutline) declarations(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			o.general(d)
		case *ast.FuncDecl:
			if o.showsFunc(d) {
				o.line(o.function(d), d.Doc)
			}
		}
	}
}

// function is the head of a function.
func (o *goOutline) function(d *ast.FuncDecl) string { return o.source(d.Type.Pos(), d.Type.End()) }

// showsFunc reports whether a function is one of those to list. A method is
// exported if its type is, too.
func (o *goOutline) showsFunc(d *ast.FuncDecl) bool {
	open := d.Name.IsExported()
	if d.Recv != nil && len(d.Recv.List) > 0 {
		of := receiver(d.Recv.List[0].Type)
		open = open && of != nil && of.IsExported()
	}
	return o.all || open == (o.shown == exported)
}

// A goOutline is one that is being written.
type goOutline struct {
	src   []byte
	base  int // of positions in the file
	shown which
	all   bool
	out   strings.Builder
}

// shows reports whether a name is one of those to list.
func (o *goOutline) shows(name *ast.Ident) bool {
	return name != nil && (o.all || name.IsExported() == (o.shown == exported))
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) *ast.Ident {
	for {
		switch t := x.(type) {
		case *ast.Ident:
			return t
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		default:
			return nil
		}
	}
}

// source is a stretch of the file on one line, without comments.
func (o *goOutline) source(from, to token.Pos) string {
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

// line adds a line with the first sentence of a comment.
func (o *goOutline) line(text string, comments ...*ast.CommentGroup) {
	o.out.WriteString(shorten(text))
	for _, c := range comments {
		if c == nil {
			continue
		}
		if s := synopsis(c); s != "" {
			o.out.WriteString(" // " + shorten(s))
			break
		}
	}
	o.out.WriteByte('\n')
}

// synopsis is the first sentence of a comment.
func synopsis(c *ast.CommentGroup) string { return new(doc.Package).Synopsis(c.Text()) }

// shorten cuts a line at maxLine, visibly.
func shorten(text string) string { return shortenTo(maxLine, text) }

func shortenTo(n int, text string) string {
	if len(text) <= n {
		return text
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

func (o *goOutline) imports(specs []*ast.ImportSpec) {
	var paths []string
	for _, s := range specs {
		paths = append(paths, s.Path.Value)
	}
	if paths != nil {
		o.line("import " + strings.Join(paths, ", "))
	}
}

// general adds a declaration of constants, variables or types. The comment of
// a group is once, with its first type.
func (o *goOutline) general(d *ast.GenDecl) {
	var names []string
	comment := d.Doc
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if o.shows(s.Name) {
				o.line("type "+o.typeText(s), s.Doc, comment)
				comment = nil
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if o.shows(name) && name.Name != "_" {
					names = append(names, name.Name)
				}
			}
		}
	}
	if names != nil {
		o.line(d.Tok.String()+" "+strings.Join(names, ", "), comment)
	}
}

// typeText is a type's declaration, of a struct without its fields.
func (o *goOutline) typeText(s *ast.TypeSpec) string {
	if body, ok := s.Type.(*ast.StructType); ok {
		return o.source(s.Pos(), body.Struct) + " struct{…}"
	}
	if body, ok := s.Type.(*ast.InterfaceType); ok && body.Methods != nil {
		var parts []string
		for _, m := range body.Methods.List {
			parts = append(parts, o.source(m.Pos(), m.End()))
		}
		return o.source(s.Pos(), body.Interface) + " interface{ " + strings.Join(parts, "; ") + " }"
	}
	return o.source(s.Pos(), s.End())
}

// typeHead is typeText without the word type and without what is in a struct.
func (o *goOutline) typeHead(s *ast.TypeSpec) string {
	if body, ok := s.Type.(*ast.StructType); ok {
		return o.source(s.Pos(), body.Struct) + " struct"
	}
	return o.typeText(s)
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
		fence := bytes.HasPrefix(word, []byte("```")) || bytes.HasPrefix(word, []byte("~~~"))
		if !fenced && !fence && (bytes.HasPrefix(word, []byte("[![")) || bytes.HasPrefix(word, []byte("![")) || bytes.HasPrefix(word, []byte("<"))) {
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
	if shown := strings.TrimSpace(strings.ToValidUTF8(string(out), "")); shown != "" {
		return shown + "\n\n"
	}
	return ""
}

// headings lists the headings of a Markdown text that begin with #, but for
// those in fences.
func headings(text []byte) string {
	var out []string
	var fence []byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		mark := line[:len(line)-len(bytes.TrimLeft(line, "`~"))]
		switch {
		case fence != nil:
			if len(mark) == len(line) && bytes.HasPrefix(mark, fence) {
				fence = nil
			}
		case len(mark) >= 3:
			fence = mark
		default:
			title := bytes.TrimLeft(line, "#")
			if n := len(line) - len(title); n > 0 && n <= 6 && (len(title) > 0 && (title[0] == ' ' || title[0] == '\t')) {
				out = append(out, shorten(string(line)))
			}
		}
	}
	return strings.Join(out, "\n")
}
