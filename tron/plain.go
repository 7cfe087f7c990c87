package tron

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A sweep goes over a text that may still grow. It makes blanks of comments and of commas at
// the end of lists, so that the rest is JSON and instances, and finds where elements end.
type sweep struct {
	at      int  // where it goes on
	header  bool // it looks for the bracket or brace that begins the value
	depth   int  // of brackets that are open
	in      byte // '"' or '#' in a string or comment
	escape  bool // in a string, after a backslash
	comment int  // where the comment began
	last    byte // the last byte that is not blank, 0 before the first
	comma   int  // where it is, if it is a comma after a value, else -1
	changed bool
}

// plain returns a text without comments and commas at the end of lists, and whether it has
// such. All else is where it was.
func plain(text []byte) ([]byte, bool) {
	text = slices.Clone(text)
	s := sweep{depth: len(text) + 1, comma: -1}
	s.next(text)
	s.end(text)
	return text, s.changed
}

// next returns where what it looks for is, -1 if that is not in the text: mostly the comma or
// closing bracket that ends an element outside of all brackets.
func (s *sweep) next(text []byte) int {
	for s.at < len(text) {
		c := text[s.at]
		switch {
		case s.in == '"':
			s.inString(text)
			continue
		case s.in == '#':
			if c == '\n' {
				s.end(text)
			}
		case c <= ' ':
		default:
			if s.token(text, c) {
				return s.at
			}
		}
		s.at++
	}
	return -1
}

// inString goes on in a string.
func (s *sweep) inString(text []byte) {
	if s.escape {
		s.escape = false
		s.at++
		return
	}
	if s.at, _ = scan.TextEnd(text, s.at); s.at == len(text) {
		return
	}
	switch text[s.at] {
	case '"':
		s.in = 0
	case '\\':
		s.escape = true
	}
	s.at++
}

// token looks at a byte that is not blank and reports whether it is looked for.
func (s *sweep) token(text []byte, c byte) bool {
	comma := s.comma
	switch {
	case c == '#':
		s.in, s.comment = c, s.at
		return false
	case c == '"':
		s.in = c
	case s.header:
		return c == '[' || c == '{'
	}
	switch c {
	case '[', '{', '(':
		s.depth++
	case ']', '}', ')':
		if comma >= 0 {
			text[comma] = ' '
			s.changed = true
		}
		if s.depth == 0 {
			return true
		}
		s.depth--
	case ',':
		if s.depth == 0 {
			return true
		}
		s.comma = -1
		switch s.last {
		case 0, ',', '[', '{', '(', ':', '=', ';':
		default:
			s.comma = s.at
		}
		s.last = c
		return false
	}
	s.comma, s.last = -1, c
	return false
}

// end ends a comment. One that is not UTF-8 stays, for the parser to refuse.
func (s *sweep) end(text []byte) {
	if s.in != '#' {
		return
	}
	s.in = 0
	comment := text[s.comment:s.at]
	if !scan.IsUTF8(comment) {
		return
	}
	for i := range comment {
		comment[i] = ' '
	}
	s.changed = true
}
