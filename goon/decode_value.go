package goon

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A pair is one key=value of a line.
type pair struct {
	key   string
	value wire.Value
	at    int  // of the key in the line
	crumb bool // the breadcrumb of the pair before
}

// node reads the current line as a node: its id, then pairs. The object that
// it makes is the node's JSON form.
func (d *decoder) node(typ string) {
	end := strings.IndexByte(d.line, ' ')
	if end < 0 {
		end = len(d.line)
	}
	id, ok := parseID(d.line[:end])
	if !ok {
		d.fail(d.lineAt, "invalid_id", wire.ErrSyntax,
			fmt.Sprintf("a node's line begins with its id, a whole number of 64 bits, not with %.60q", d.line[:end]))
	}
	d.spend(3)
	b := &d.builder
	mark := b.Mark()
	o := d.beginNode(typ, d.line[:end])
	for i := end; i < len(d.line); {
		equals := b.KeyIn(&o, d.line, i+1, '=')
		if equals < 0 {
			var key string
			if key, equals = d.key(i + 1); !b.Key(&o, key) {
				b.Array(mark) // takes what was put off the stack
				d.nodeTwice(typ, id, end)
				return
			}
		}
		v, next := d.value(equals + 1)
		b.Put(&o, v)
		i = next
	}
	d.doc.Nodes = append(d.doc.Nodes, Node{Type: typ, ID: id, props: b.EndObject(&o)})
}

// beginNode begins the members of a node with its type and id.
func (d *decoder) beginNode(typ, id string) wire.ObjectBuilder {
	o := d.builder.Object()
	d.builder.Key(&o, "type")
	d.builder.Put(&o, wire.String(typ))
	d.builder.Key(&o, "id")
	d.builder.Put(&o, wire.String(id))
	return o
}

// nodeTwice reads a node's line again in which a name occurs twice: because it
// is the name of both a breadcrumb and a property, or by mistake.
func (d *decoder) nodeTwice(typ string, id int64, end int) {
	d.again()
	var pairs []pair
	properties := make(map[string]bool) // by name, breadcrumbs left out
	for i := end; i < len(d.line); {
		p, next := d.pair(i + 1)
		if n := len(pairs); n > 0 {
			if before := pairs[n-1]; p.key == before.key+lenSuffix {
				_, p.crumb = cutLength(before.value, p.value, limitOf(before.key))
			}
		}
		if !p.crumb {
			if properties[p.key] || reserved(p.key) {
				d.tolerate(d.lineAt+p.at, wire.CodeDuplicateKey, wire.ErrDuplicateKey, fmt.Sprintf("the node has a %.60q already", p.key))
			}
			properties[p.key] = true
		}
		pairs = append(pairs, p)
		i = next
	}
	node := Node{Type: typ, ID: id}
	b := &d.builder
	o := d.beginNode(typ, d.line[:end])
	for i, p := range pairs {
		if reserved(p.key) {
			continue
		}
		if p.crumb && properties[p.key] {
			if node.crumbs == nil {
				node.crumbs = make(map[string]int64)
			}
			node.crumbs[pairs[i-1].key], _ = p.value.Int64()
			continue
		}
		b.Key(&o, p.key)
		b.Put(&o, p.value)
	}
	node.props = b.EndObject(&o)
	d.doc.Nodes = append(d.doc.Nodes, node)
}

// pair reads key=value at i and returns where the space or the end after it
// is.
func (d *decoder) pair(i int) (pair, int) {
	key, equals := d.key(i)
	v, next := d.value(equals + 1)
	return pair{key: key, value: v, at: i}, next
}

// key reads the key at i and returns where the equals sign after it is.
func (d *decoder) key(i int) (key string, equals int) {
	line, j := d.line, i
	for j < len(line) && class[line[j]]&bareByte != 0 {
		j++
	}
	if j < len(line) && line[j] == '=' && j > i && line[i] != '@' {
		return line[i:j], j
	}
	if j < len(line) && line[j] == '"' && j == i {
		key, j = d.quotedName(j)
	} else {
		for j < len(line) && line[j] != '=' && line[j] != ' ' {
			j++
		}
		key = line[i:j]
		d.checkName(key, i, keyName)
	}
	if j == len(line) || line[j] != '=' {
		d.fail(d.lineAt+i, "invalid_pair", wire.ErrSyntax, fmt.Sprintf("expected key=value, found %.60q", line[i:j]))
	}
	return key, j
}

// value reads the value at i and returns where the space or the end after it
// is: the end of the line after an error.
func (d *decoder) value(i int) (wire.Value, int) {
	line := d.line
	if d.spend(1); d.err != nil {
		return wire.Value{}, len(line)
	}
	if i < len(line) && line[i] == '"' {
		s, next := d.quotedText(i)
		if next < len(line) && line[next] != ' ' {
			d.fail(d.lineAt+next, "invalid_pair", wire.ErrSyntax, "expected a space after a quoted value")
		}
		return wire.String(s), next
	}
	j := bareEnd(line, i)
	if j == i || j < len(line) && line[j] != ' ' {
		return d.looseValue(i, j)
	}
	if j+1 < len(line) && (line[j+1]-'0' <= 9 || line[j+1] == ' ') && !d.c.Lenient {
		if end := d.blankInDate(i, j); end > 0 {
			d.quirk(d.lineAt+i, "invalid_value", wire.ErrSyntax, "a date and time with a blank in it must be quoted")
			return wire.String(line[i:end]), end
		}
	}
	if d.c.Lenient && !d.pairFollows(j) {
		return d.looseValue(i, j)
	}
	return bareValue(line[i:j]), j
}

// looseValue is value for a bare value that ought to be quoted: it extends up
// to the next key.
func (d *decoder) looseValue(i, at int) (wire.Value, int) {
	d.tolerate(d.lineAt+at, "invalid_value", wire.ErrSyntax, "the value must be quoted")
	j := i
	for {
		n := strings.IndexByte(d.line[j:], ' ')
		if n < 0 {
			j = len(d.line)
			break
		}
		if j += n; d.pairFollows(j) {
			break
		}
		j++
	}
	return wire.String(d.line[i:j]), j
}

// pairFollows reports whether after the space or end at j the line ends or
// another pair begins.
func (d *decoder) pairFollows(j int) bool {
	if j >= len(d.line) {
		return true
	}
	for k := j + 1; k < len(d.line); k++ {
		switch d.line[k] {
		case '=':
			return k > j+1
		case '"':
			return k == j+1
		case ' ':
			return false
		}
	}
	return false
}

// bareValue returns what a bare token stands for. It is a number only if the
// number is written as the same token, so that 007, 1.0 and 1e5 stay texts.
func bareValue(s string) wire.Value {
	switch c := s[0]; {
	case c == '-' || c-'0' <= 9:
		if shape := shapeOf(s); shape != otherText {
			if v, err := wire.Number(s); err == nil && (shape == shortNumber || isWritten(v, s)) {
				return v
			}
		}
	case c == 't' && s == "true":
		return wire.Bool(true)
	case c == 'f' && s == "false":
		return wire.Bool(false)
	case c == 'n' && s == "null":
		return wire.Null()
	}
	return wire.String(s)
}

// isWritten reports whether the encoder writes a number so.
func isWritten(v wire.Value, s string) bool {
	text, err := appendNumber(nil, v)
	return err == nil && string(text) == s
}

// A numberShape says how far a text's form tells whether the encoder writes
// numbers so.
type numberShape uint8

const (
	otherText   numberShape = iota // never
	shortNumber                    // always: it has few digits
	longNumber                     // it depends on the digits
)

func shapeOf[T scan.Bytes](s T) numberShape {
	whole := 0
	if s[0] == '-' {
		whole = 1
	}
	i := scan.Digits(s, whole)
	switch {
	case i == whole || s[whole] == '0' && i > whole+1:
		return otherText
	case i == len(s):
		if i-whole > 18 || whole == 1 && s[1] == '0' {
			return longNumber
		}
		return shortNumber
	case s[i] != '.' || i+1 == len(s) || scan.Digits(s, i+1) != len(s) || s[len(s)-1] == '0':
		return otherText
	case len(s) > 16:
		return longNumber
	}
	return shortNumber // at most 15 digits: they survive float64
}

// quotedText reads the quoted value at i. The escapes are the document's five, and \u; they
// are decoded in place.
func (d *decoder) quotedText(i int) (string, int) {
	i++
	end := scan.StringEnd(d.line, i)
	if n := strings.IndexByte(d.line[i:end], del); n >= 0 {
		end = i + n
	} else if end < len(d.line) && d.line[end] == '"' {
		return d.line[i:end], end + 1
	}
	return d.unquote(d.buf[:d.lineAt+end], d.lineAt+i, end)
}

// quotedName is quotedText for a name, which may be read again.
func (d *decoder) quotedName(i int) (string, int) { return d.unquote(nil, 0, i+1) }

// unquote reads the rest of a quoted text, from i on, whose beginning is dst[start:].
func (d *decoder) unquote(dst []byte, start, i int) (string, int) {
	for {
		from := i
		dst, i, _ = scan.FewEscapes.Unescape(dst, d.text[:d.lineAt+len(d.line)], d.lineAt+i)
		i -= d.lineAt
		d.deletes(from, i)
		switch {
		case i == len(d.line) || i+1 == len(d.line) && d.line[i] == '\\':
			end, kind := d.lineAt+len(d.line), wire.ErrSyntax
			if end >= len(d.text) {
				kind = wire.ErrTruncated
			}
			d.fail(end, wire.CodeUnterminated, kind, "the line ends inside quotation marks")
			return "", len(d.line)
		case d.line[i] == '"':
			return d.builder.TextOf(dst[start:]), i + 1
		case d.line[i] != '\\':
			d.control(i, d.line[i])
		case d.line[i+1] == 'u':
			d.fail(d.lineAt+i, wire.CodeInvalidEscape, wire.ErrSyntax, `\u needs the four digits of a character`)
		default:
			d.tolerate(d.lineAt+i, wire.CodeInvalidEscape, wire.ErrSyntax, `the escapes are \\ \" \n \r \t and \uXXXX`)
		}
		dst = append(dst, d.line[i])
		i++
	}
}

const del = 0x7F

// deletes tolerates the control characters beyond the others in line[from:to], which may
// have been decoded in place.
func (d *decoder) deletes(from, to int) {
	read := d.src[d.bom+d.lineAt:]
	for n := bytes.IndexByte(read[from:to], del); n >= 0; n = bytes.IndexByte(read[from:to], del) {
		d.control(from+n, del)
		from += n + 1
	}
}

func (d *decoder) control(i int, c byte) {
	d.tolerate(d.lineAt+i, "control_character", wire.ErrSyntax, fmt.Sprintf("control character U+%04X", c))
}
