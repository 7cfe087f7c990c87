package tron

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A document is a text of which the classes are read.
type document struct {
	src     []byte // as it was given
	text    []byte // src without a byte order mark, perhaps plain
	at      int    // where reading goes on
	classes []class
	index   map[string]int // of the classes, by name
	left    int            // values that may still be declared
	copied  int            // members of parents that may still be copied
}

// A class is a name for the members of objects, those of its parent first.
type class struct {
	name    string
	members []string
	at      int // of the name
}

// freeCopies is how many members of parents may be copied beside one for each byte: a chain
// of classes would have many.
const freeCopies = 1 << 16

func (c Codec) document(src, text []byte) *document {
	return &document{src: src, text: text, left: c.Limits.Resolved().Values, copied: freeCopies + len(text)}
}

// all yields the classes.
func (d *document) all(yield func(name string, members []string) bool) {
	for _, c := range d.classes {
		if !yield(c.name, c.members) {
			return
		}
	}
}

var _ iter.Seq2[string, []string] = (*document)(nil).all

// read calls value for the document of which the header is read. If that reports that the
// value could not be read, the text may have comments, or lists that end in commas: then it
// is called again without these.
func (c Codec) read(src []byte, value func(*document) (done bool, err error)) error {
	text := scan.TrimBOM(src)
	done, err := c.document(src, text).read(c, value)
	if err == nil || done || len(src) > c.Limits.Resolved().InputBytes {
		return err
	}
	if plain, changed := plain(text); changed {
		_, err = c.document(src, plain).read(c, value)
	}
	return err
}

func (d *document) read(c Codec, value func(*document) (bool, error)) (bool, error) {
	if len(d.src) <= c.Limits.Resolved().InputBytes { // or else value says so
		if err := d.header(); err != nil {
			return false, err
		}
	}
	return value(d)
}

const (
	space     = " \t\r\n"
	blanks    = " \t\r"
	separated = space + ";"
)

// header reads the classes.
func (d *document) header() error {
	for {
		d.skip(separated)
		if d.peek() == '#' {
			return d.expected("a class or a value", "")
		}
		if d.word() != "class" {
			break
		}
		if err := d.class(); err != nil {
			return err
		}
	}
	if n := scan.ValidUTF8(d.text[:d.at]); n < d.at {
		return d.fail(n, wire.CodeInvalidUTF8, wire.ErrUTF8, "bytes that are not UTF-8", "")
	}
	return nil
}

// class reads one class.
func (d *document) class() error {
	d.at += len("class")
	d.skip(blanks)
	c := class{name: d.word(), at: d.at}
	switch first, twice := d.index[c.name]; {
	case c.name == "" || c.name == "class" || isWord(c.name):
		return d.expected("the name of a class", "it has letters, digits and _, is not a word of JSON, and is on the line of the word class")
	case twice:
		line := 1 + bytes.Count(d.text[:d.classes[first].at], []byte{'\n'})
		return d.fail(d.at, "class_defined_twice", wire.ErrDuplicateKey, fmt.Sprintf("class %.60s is defined twice, first on line %d", c.name, line), "give it another name")
	}
	d.at += len(c.name)
	if d.skip(blanks); d.peek() == '(' {
		if err := d.parent(&c); err != nil {
			return err
		}
	}
	if d.peek() != ':' {
		return d.expected("':' after the name of a class", "")
	}
	d.at++
	inherited := len(c.members)
	if err := d.members(&c); err != nil {
		return err
	}
	if len(c.members) == inherited {
		return d.fail(c.at, "no_members", wire.ErrSyntax, fmt.Sprintf("class %.60s has no members of its own", c.name), "")
	}
	if d.index == nil {
		d.index = map[string]int{}
	}
	d.index[c.name] = len(d.classes)
	d.classes = append(d.classes, c)
	return nil
}

// parent reads the name of a parent in parentheses.
func (d *document) parent(c *class) error {
	d.at++
	d.skip(blanks)
	name := d.word()
	i, ok := d.index[name]
	switch {
	case name == "":
		return d.expected("the name of a class", "")
	case !ok:
		return d.fail(d.at, "undefined_class", wire.ErrSyntax, fmt.Sprintf("no class %.60s is defined", name), "define it before the class that extends it")
	}
	c.members = slices.Clip(d.classes[i].members)
	if d.copied -= len(c.members); d.copied < 0 {
		return d.fail(d.at, "too_many_members", wire.ErrLimit, "classes have more members of their parents than the text has bytes", "write the members of these classes out")
	}
	d.at += len(name)
	if d.skip(blanks); d.peek() != ')' {
		return d.expected("')' after the name of a class", "")
	}
	d.at++
	d.skip(blanks)
	return nil
}

// members reads the members of a class up to what separates it from the rest.
func (d *document) members(c *class) error {
	seen := make(map[string]bool, len(c.members))
	for _, name := range c.members {
		seen[name] = true
	}
	for lined := false; ; { // lined says that the next member is not on the line of the last
		if d.skip(blanks); d.peek() == '\n' {
			lined = true
			d.skip(space)
		}
		if d.at == len(d.text) || d.peek() == ';' || lined && d.data() {
			return nil
		}
		at := d.at
		name, err := d.member()
		if err != nil {
			return err
		}
		if seen[name] {
			return d.fail(at, wire.CodeDuplicateKey, wire.ErrDuplicateKey, fmt.Sprintf("class %.60s has member %.60q twice", c.name, name), "")
		}
		if d.left--; d.left < 0 {
			return d.fail(at, wire.CodeTooManyValues, wire.ErrLimit, "classes have more members than the limit of values", "raise Limits.Values")
		}
		seen[name], c.members, lined = true, append(c.members, name), false
		switch d.skip(blanks); d.peek() {
		case ',':
			d.at++
		case '\n', ';', 0:
		default:
			return d.expected("',', ';' or the end of the line after a member", "put names of other than letters, digits and _ in quotation marks")
		}
	}
}

// member reads the name of a member.
func (d *document) member() (string, error) {
	switch name := d.word(); {
	case name == "class":
		return "", d.fail(d.at, "reserved_name", wire.ErrSyntax, "a member has the name class", `put it in quotation marks, "class", or end the class before it with ';'`)
	case name != "":
		d.at += len(name)
		return name, nil
	case d.peek() != '"':
		return "", d.expected("the name of a member", "put names of other than letters, digits and _ in quotation marks")
	}
	text := d.text[d.at : d.at+stringLen(d.text[d.at:])]
	name, err := wire.ParseJSON(text)
	if e, ok := err.(*wire.Error); ok {
		return "", d.fail(d.at+e.Offset, e.Code, e.Kind, e.Message, e.Hint)
	}
	d.at += len(text)
	return name.Text(), nil
}

// data reports whether what a line begins with ends the members of a class.
func (d *document) data() bool {
	at := d.at
	defer func() { d.at = at }()
	switch name := d.word(); {
	case name == "class" || isWord(name):
		return true
	case name != "":
		return d.called(name)
	case d.peek() != '"':
		return true
	}
	d.at += stringLen(d.text[d.at:])
	d.skip(separated)
	return d.at == len(d.text)
}

// likely reports whether a value begins that may have instances.
func (d *document) likely() bool {
	switch d.peek() {
	case '[', '{':
		return true
	}
	name := d.word()
	_, defined := d.index[name]
	return defined && d.called(name)
}

// called reports whether a parenthesis follows a name at the position, and goes there.
func (d *document) called(name string) bool {
	d.at += len(name)
	d.skip(space)
	return d.peek() == '('
}

// isWord reports whether JSON has the word.
func isWord(name string) bool { return name == "true" || name == "false" || name == "null" }

// word returns the name that begins at the position, "" if there is none.
func (d *document) word() string {
	end := d.at
	for end < len(d.text) && isNameByte(d.text[end], end == d.at) {
		end++
	}
	return string(d.text[d.at:end])
}

func isNameByte(c byte, first bool) bool {
	return c|0x20-'a' <= 'z'-'a' || c == '_' || !first && c-'0' <= 9
}

// isName reports whether a key needs no quotation marks in a class.
func isName(key string) bool {
	for i := range len(key) {
		if !isNameByte(key[i], i == 0) {
			return false
		}
	}
	return key != "" && key != "class" && !isWord(key)
}

func (d *document) skip(set string) {
	for d.at < len(d.text) && bytes.IndexByte([]byte(set), d.text[d.at]) >= 0 {
		d.at++
	}
}

// peek returns the byte at the position, 0 at the end.
func (d *document) peek() byte {
	if d.at == len(d.text) {
		return 0
	}
	return d.text[d.at]
}

// stringLen returns the length of the string that text begins with, or of text.
func stringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(text)
}

// expected fails because of what is at the position.
func (d *document) expected(what, hint string) error {
	if d.at == len(d.text) {
		return d.fail(d.at, wire.CodeUnexpectedEnd, wire.ErrTruncated, "the text ends where "+what+" was expected", "")
	}
	r, _ := utf8.DecodeRune(d.text[d.at:])
	return d.fail(d.at, "unexpected_character", wire.ErrSyntax, "expected "+what+", found "+strconv.QuoteRune(r), hint)
}

func (d *document) fail(at int, code string, kind error, message, hint string) error {
	return wire.ErrorAt(d.src, at+len(d.src)-len(d.text), wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint})
}
