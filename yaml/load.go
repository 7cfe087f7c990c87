package yaml

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
	"go.yaml.in/yaml/v4"
)

// load returns the tree of a piece that has a document.
//
// The parser ends the name of an anchor before colons, which are a part of it (YAML 1.2.2,
// section 6.9.2). Where that may matter, the text is read once more with stand-ins for
// them. They are right if each is in the name of a node.
func (d *decoder) load(p piece) (*yaml.Node, error) {
	doc := scan.TrimBOM(d.src[p.from:p.to])
	head, directives := headOf(doc)
	if rest := scan.TrimBOM(doc[head:]); !directives && len(rest) < len(doc)-head {
		doc = rest
	} else if !directives {
		doc = doc[max(0, head-1):] // comments need not be read, but that it is not the first line may matter
	}
	d.from = p.to - len(doc)
	doc = linesOnly(doc)
	if directives {
		doc = directed(doc, head)
	}
	d.reading = newReading(doc, false)
	root, err := compose(d.reading.text)
	if err != nil {
		err = d.syntax(err)
	} else if d.reading.colons > 0 {
		err = d.colonAfterName(root)
	}
	if err != nil && d.reading.colons > 0 {
		with := newReading(doc, true)
		if other, e := compose(with.text); e == nil && colonsIn(other) == with.colons {
			d.reading, root, err = with, other, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return d.restore(root), nil
}

// together returns the trees of all documents of a text, read by one parser, which takes
// less time than one for each. It returns nil where that may differ or the text is wrong.
func (d *decoder) together() []*yaml.Node {
	text := scan.TrimBOM(d.src)
	var lines []int // at which the pieces end
	line := 1
	for at := 0; at < len(text); {
		p := cut(text, at)
		if p.directives || p.to < p.next || !p.exists() {
			return nil
		}
		line += bytes.Count(text[at:p.next], []byte{'\n'})
		lines = append(lines, line)
		at = p.next
	}
	if len(lines) < 2 {
		return nil
	}
	d.from = len(d.src) - len(text)
	if d.reading = newReading(text, false); d.reading.colons > 0 || bytes.IndexByte(text, '\r') >= 0 || bytes.Contains(text, []byte("\ufeff")) {
		return nil
	}
	in := yaml.NewDecoder(bytes.NewReader(d.reading.text))
	roots := make([]*yaml.Node, len(lines))
	for i := range roots {
		roots[i] = new(yaml.Node)
		if in.Decode(roots[i]) != nil || roots[i].Line > lines[i] || i > 0 && roots[i].Line < lines[i-1] {
			return nil
		}
		d.restore(roots[i])
	}
	if in.Decode(new(yaml.Node)) != io.EOF {
		return nil
	}
	return roots
}

// compose returns the one document of a text.
func compose(text []byte) (*yaml.Node, error) {
	in := yaml.NewDecoder(bytes.NewReader(text))
	root := new(yaml.Node)
	if err := in.Decode(root); err != nil && err != io.EOF {
		return nil, err
	}
	var more yaml.Node
	switch err := in.Decode(&more); err {
	case io.EOF:
		return root, nil
	case nil:
		return nil, &yaml.LoadError{Message: "did not find the end of the document", Mark: yaml.Mark{Line: more.Line, Column: more.Column}}
	default:
		return nil, err
	}
}

// restore puts the text of stand-ins into the nodes.
func (d *decoder) restore(n *yaml.Node) *yaml.Node {
	if d.reading.standIns {
		n.Value = restored(n.Value, n.Style&yaml.DoubleQuotedStyle != 0)
		n.Tag = restored(n.Tag, false)
		for _, child := range n.Content {
			d.restore(child)
		}
	}
	return n
}

// colonsIn counts the stand-ins for colons in the names of nodes.
func colonsIn(n *yaml.Node) int {
	name := n.Anchor
	if n.Kind == yaml.AliasNode {
		name = n.Value
	}
	count := strings.Count(name, marker+string(nameColon))
	for _, child := range n.Content {
		count += colonsIn(child)
	}
	return count
}

// colonAfterName returns the error for a colon that the parser did not read as part of an
// anchor's name, nil if there is none.
func (d *decoder) colonAfterName(root *yaml.Node) error {
	text, c := d.reading.text, cursor{line: 1, column: 1}
	var look func(n *yaml.Node) error
	look = func(n *yaml.Node) error {
		if n.Anchor != "" {
			c.advance(text, n.Line, n.Column)
			name := "&" + n.Anchor
			i := bytes.Index(text[c.at:], []byte(name)) // after a tag, perhaps
			if end := c.at + i + len(name); i >= 0 && end < len(text) && text[end] == ':' {
				at := d.from + len(restored(string(text[:end]), false))
				return d.failAt(at, "syntax_error", wire.ErrSyntax, "the colon is part of the anchor's name", "put a blank before the colon")
			}
		}
		for _, child := range n.Content {
			if err := look(child); err != nil {
				return err
			}
		}
		return nil
	}
	return look(root)
}

// A cursor is a place in a text: its line and column, counted from 1 as the parser does, and
// its offset.
type cursor struct{ line, column, at int }

// advance moves the cursor to a line and a column, the latter in characters, that are not
// before it; to the end of the line, if it is shorter, or of the text.
func (c *cursor) advance(text []byte, line, column int) {
	for ; c.line < line; c.line++ {
		i := bytes.IndexByte(text[c.at:], '\n')
		if i < 0 {
			c.at = len(text)
			return
		}
		c.at += i + 1
		c.column = 1
	}
	for ; c.column < column && c.at < len(text) && text[c.at] != '\n'; c.column++ {
		_, n := utf8.DecodeRune(text[c.at:])
		c.at += n
	}
}

// syntax turns an error of the parser into one with a position.
func (d *decoder) syntax(err error) error {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		e = &yaml.LoadError{Message: err.Error()}
	}
	message := restored(e.Message, false)
	at := d.offset(d.place(e))
	kind, code := wire.ErrSyntax, "syntax_error"
	switch {
	case strings.Contains(message, "unknown anchor"):
		code = "unknown_anchor"
	case strings.Contains(message, "exceeded max depth"):
		kind, code = wire.ErrLimit, wire.CodeTooDeep
	case strings.Contains(message, "unexpected end of stream"):
		kind, code = wire.ErrTruncated, wire.CodeUnterminated // only quoted scalars end so
	case strings.Contains(message, "unknown escape character"), strings.Contains(message, "did not find expected hexadecimal"),
		strings.Contains(message, "invalid Unicode character escape"):
		code = wire.CodeInvalidEscape
		at = bytes.LastIndexByte(d.src[:min(at+1, len(d.src))], '\\')
	case scan.InBrackets(d.src):
		if _, err := d.strictJSON().Decode(d.src); errors.Is(err, wire.ErrTruncated) {
			at, kind, code, message = len(d.src), wire.ErrTruncated, wire.CodeUnexpectedEnd, "the text ends within an array or object"
		}
	}
	return d.failAt(at, code, kind, message, "")
}

// place returns the line and the column of what is wrong. Where the parser noticed it only
// after what it is part of, that is where this begins.
func (d *decoder) place(e *yaml.LoadError) (line, column int) {
	begin := e.ContextMark
	switch late := e.Mark.Line > begin.Line; {
	case begin.Line == 0 || !late:
	case strings.Contains(e.ContextMsg, "simple key"), strings.Contains(e.ContextMsg, "quoted scalar") && !strings.Contains(e.Message, "escape") && !strings.Contains(e.Message, "hexadecimal"),
		strings.Contains(e.ContextMsg, "flow") && d.indented(e.Mark.Line) <= d.indented(begin.Line):
		return begin.Line, begin.Column
	}
	return e.Mark.Line, e.Mark.Column
}

// indented returns how many blanks a line of the reading begins with, 0 after its end.
func (d *decoder) indented(line int) int {
	c := cursor{line: 1, column: 1}
	c.advance(d.reading.text, line, 1)
	rest := d.reading.text[c.at:]
	return len(rest) - len(bytes.TrimLeft(rest, " "))
}
