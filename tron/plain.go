package tron

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A sweep goes over a text that may still grow. It makes blanks of comments and of commas at
// the end of lists, so that the rest is JSON and instances.
type sweep struct {
	at      int  // where it goes on
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
	s := sweep{comma: -1}
	s.next(text)
	s.end(text)
	return text, s.changed
}

// next goes on to the end of the text.
func (s *sweep) next(text []byte) {
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
		case c > ' ':
			s.token(text, c)
		}
		s.at++
	}
}

// decided returns up to where the text is as it will stay.
func (s *sweep) decided() int {
	switch {
	case s.comma >= 0:
		return s.comma
	case s.in == '#':
		return s.comment
	}
	return s.at
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

// token looks at a byte that is not blank.
func (s *sweep) token(text []byte, c byte) {
	comma := s.comma
	s.comma = -1
	switch c {
	case '#':
		s.in, s.comment, s.comma = c, s.at, comma
		return
	case '"':
		s.in = c
	case ']', '}', ')':
		if comma >= 0 {
			text[comma] = ' '
			s.changed = true
		}
	case ',':
		switch s.last {
		case 0, ',', '[', '{', '(', ':', '=', ';':
		default:
			s.comma = s.at
		}
	}
	s.last = c
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
