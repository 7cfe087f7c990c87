package outline

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A scanner has one text in hand.
type scanner struct {
	lang *language
	src  []byte
	mask []byte // the code of src: one blank or line end for what is between words, and blanks for what is in strings
	text []byte // the same with what is in strings
	gaps []gap
}

// A gap is where something of src is left out of mask and text.
type gap struct {
	at       int // in mask
	from, to int // in src, whose next byte is at in mask
}

// hide makes the masks. A string without an end on its line ends with the line,
// so that a stray quote costs one line. Of what is in a string no more is kept than
// heads have room for.
func (s *scanner) hide() {
	s.mask, s.text = make([]byte, 0, len(s.src)), make([]byte, 0, len(s.src))
	special := s.special()
	for from := 0; from < len(s.src); {
		i := from
		for i < len(s.src) && (!special[s.src[i]] || i > from && i+1 < len(s.src) && s.src[i] == ' ' && !special[s.src[i+1]]) {
			i++ // a single blank stays
		}
		if i > from {
			s.keep(s.src[from:i])
			from = i
			continue
		}
		i, line := s.between(from)
		if i > from {
			s.keep(s.blank(s.src[from:i], line))
			s.gaps = append(s.gaps, gap{len(s.mask), from, i})
		} else if i = s.literal(from); i > from+1 {
			s.string(from, i)
		} else {
			i = from + 1
			s.keep(s.src[from:i])
		}
		from = i
	}
}

// special returns which bytes may begin what is left out, or a string.
func (s *scanner) special() (is [256]bool) {
	for _, ch := range []byte(" \t\r\n\f\v/#'" + s.lang.quotes) {
		is[ch] = true
	}
	is[s.lang.raw] = true
	is['<'] = s.lang == php
	return is
}

// string keeps a string with its quotes.
func (s *scanner) string(from, to int) {
	inside := s.src[from+1 : min(to-1, from+1+MaxHead)]
	s.keep(s.src[from : from+1])
	s.text = append(s.text, inside...)
	s.mask = append(s.mask, bytes.Repeat([]byte(" "), len(inside))...)
	s.gaps = append(s.gaps, gap{len(s.mask), to - 1, to - 1})
	s.keep(s.src[to-1 : to])
	if s.src[from] == '/' { // the end of an expression is not a division
		s.mask[len(s.mask)-1] = '"'
	}
}

func (s *scanner) keep(code []byte) {
	s.mask, s.text = append(s.mask, code...), append(s.text, code...)
}

// between returns where blanks, comments and lines for a preprocessor end that begin at i,
// and whether a line ends or begins there, which none does within a comment.
func (s *scanner) between(i int) (end int, line bool) {
	line = i == 0
	for i < len(s.src) {
		ch := s.src[i]
		if strings.IndexByte(" \t\r\n\f\v", ch) >= 0 {
			line = line || ch == '\n'
			i++
			continue
		}
		end := s.comment(i)
		if end == i && s.lang.hashes && ch == '#' && line {
			end = i + len(directive.Find(s.src[i:]))
		}
		if end == i {
			break
		}
		i = end
	}
	return i, line
}

var emptyLine = regexp.MustCompile(`\n[ \t\r]*\n`)

// blank returns what takes the place of a text between words: a line end, two for an empty
// line, or a blank; in Python the last line end with the indentation after it.
func (s *scanner) blank(text []byte, line bool) []byte {
	switch {
	case line && s.lang == python:
		return text[max(0, bytes.LastIndexByte(text, '\n')):]
	case line && bytes.Count(text, []byte("\n")) > 1 && emptyLine.Match(text):
		return []byte("\n\n")
	case line:
		return []byte("\n")
	}
	return []byte(" ")
}

// before returns the last gap that begins at an offset of the mask or before it.
func (s *scanner) before(at int) gap {
	after, _ := slices.BinarySearchFunc(s.gaps, at+1, func(g gap, at int) int { return cmp.Compare(g.at, at) })
	if after == 0 {
		return gap{}
	}
	return s.gaps[after-1]
}

// after is the text from an offset of the mask on.
func (s *scanner) after(at int) []byte {
	g := s.before(at)
	return s.src[g.to+at-g.at:]
}

var wordBeforeValue = regexp.MustCompile(`(?:^|[^\w$])(?:return|typeof|case|await|yield)$`)

// beforeValue reports whether a value may follow what is masked, so that a slash begins a
// regular expression.
func (s *scanner) beforeValue() bool {
	text := bytes.TrimRight(s.mask, " \n")
	n := len(text)
	return n == 0 || strings.IndexByte("(,=:[!&|?{};+-*%<>~^", text[n-1]) >= 0 || wordBeforeValue.Match(text[max(0, n-8):])
}

// comment returns the end of a comment that begins at i, i without one.
func (s *scanner) comment(i int) int {
	if s.lang == php && bytes.HasPrefix(s.src[i:], []byte("<?php")) {
		return i + len("<?php")
	}
	for _, mark := range s.lang.line {
		if bytes.HasPrefix(s.src[i:], []byte(mark)) && !(mark == "#" && bytes.HasPrefix(s.src[i:], []byte("#["))) {
			line, _, _ := bytes.Cut(s.src[i:], []byte("\n"))
			return i + len(line)
		}
	}
	if !s.lang.block || !bytes.HasPrefix(s.src[i:], []byte("/*")) {
		return i
	}
	for depth := 0; i < len(s.src); {
		switch rest := s.src[i:]; {
		case bytes.HasPrefix(rest, []byte("/*")) && (depth == 0 || s.lang.nests):
			i, depth = i+2, depth+1
		case !bytes.HasPrefix(rest, []byte("*/")):
			i++
		case depth == 1:
			return i + 2
		default:
			i, depth = i+2, depth-1
		}
	}
	return len(s.src)
}

var (
	// A character in quotes, which the quote of a lifetime does not begin.
	character = regexp.MustCompile(`(?s)^'(?:\\.[^']*|[^\\])'`)

	// A line for a preprocessor, with those that continue it.
	directive = regexp.MustCompile(`^(?:[^\n]*\\\r*\n)*[^\n]*`)

	// How raw strings begin in Rust, C++ and C#, with what their ends repeat.
	rawOpening = regexp.MustCompile(`^(?:r(#*)"|R"([^(]*)\(|@")`)
)

// How long literals can be, in bytes. What looks like a longer one is a lifetime, a division
// or a macro.
const (
	maxCharacter  = 16
	maxExpression = 500
	maxOpening    = 34
)

// literal returns the end of a string or the like that begins at i, i without
// one.
func (s *scanner) literal(i int) int {
	ch, rest := s.src[i], s.src[i:]
	quote := strings.IndexByte(s.lang.quotes, ch) >= 0
	switch {
	case ch == s.lang.raw && (i == 0 || !wordByte(s.src[i-1])):
		return i + rawString(rest)
	case quote && s.lang.triple && bytes.HasPrefix(rest[1:], []byte{ch, ch}):
		return i + through(rest, 3, string(rest[:3]))
	case s.lang.char && ch == '\'':
		return i + len(character.Find(rest[:min(len(rest), maxCharacter)]))
	case quote && ch == '`':
		return i + template(rest)
	case quote:
		return i + s.quotedString(rest)
	case s.lang.regexp && ch == '/' && s.beforeValue():
		return i + s.quotedString(rest[:min(len(rest), maxExpression)])
	}
	return i
}

// quotedString returns the length of a string, which in most languages ends on its line, or of
// a regular expression, which does, 0 if there is none.
func (s *scanner) quotedString(b []byte) int {
	expression, class := b[0] == '/', false
	for i := 1; i < len(b); i++ {
		switch ch := b[i]; {
		case ch == '\\' && !(expression && bytes.HasPrefix(b[i+1:], []byte("\n"))):
			i++
		case expression && (ch == '[' || ch == ']'):
			class = ch == '['
		case ch == b[0] && !class:
			return i + 1
		case ch == '\n' && expression:
			return 0
		case ch == '\n' && !s.lang.spans:
			return i
		}
	}
	if expression {
		return 0
	}
	return len(b)
}

// template returns the length of a template string, which may hold others in
// the values that it holds.
func template(b []byte) int {
	var open []byte // the quotes and braces around
	for i := 0; i < len(b); i++ {
		inText := len(open) > 0 && open[len(open)-1] == '`'
		switch ch := b[i]; {
		case ch == '\\':
			i++
		case ch == '`' && inText || ch == '}' && !inText:
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		case ch == '`' || ch == '{' && !inText:
			open = append(open, ch)
		case bytes.HasPrefix(b[i:], []byte("${")):
			i++
			open = append(open, '{')
		}
	}
	return len(b)
}

// rawString returns the length of a raw string, 0 if there is none.
func rawString(b []byte) int {
	at := rawOpening.FindSubmatch(b[:min(len(b), maxOpening)])
	if at == nil {
		return 0
	}
	n := len(at[0])
	switch b[0] {
	case 'r': // r"…", r#"…"#
		return through(b, n, `"`+string(at[1]))
	case 'R': // R"delimiter(…)delimiter"
		return through(b, n, ")"+string(at[2])+`"`)
	}
	for { // @"…""…"
		if n = through(b, n, `"`); n == len(b) || b[n] != '"' {
			return n
		}
		n++
	}
}

// through returns where a text ends that is looked for from an offset.
func through(b []byte, from int, end string) int {
	if n := bytes.Index(b[from:], []byte(end)); n >= 0 {
		return from + n + len(end)
	}
	return len(b)
}

func wordRune(r rune) bool { return r >= utf8.RuneSelf || wordByte(byte(r)) }

func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80
}
