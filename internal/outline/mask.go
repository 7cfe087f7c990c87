package outline

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A scanner has one text in hand.
type scanner struct {
	lang *language
	src  []byte
	mask []byte // src with blanks for comments and what is in strings
	text []byte // src with blanks for comments
}

// hide makes the masks. A string without an end on its line ends with the line,
// so that a stray quote costs one line.
func (s *scanner) hide() {
	s.mask, s.text = bytes.Clone(s.src), bytes.Clone(s.src)
	for i := 0; i < len(s.src); {
		ch := s.src[i]
		if ch != s.lang.raw && (ch == ' ' || wordByte(ch)) {
			i++ // neither comments nor strings begin with these
			continue
		}
		end := s.comment(i)
		if end == i && s.lang.hashes && ch == '#' && s.startsLine(i) {
			end = s.directive(i)
		}
		if end > i {
			blank(s.mask[i:end])
			blank(s.text[i:end])
			i = end
			continue
		}
		if end = s.literal(i); end > i+1 {
			blank(s.mask[i+1 : end-1])
		}
		i = max(i+1, end)
	}
}

// blank puts spaces for all but line ends.
func blank(b []byte) {
	for i, ch := range b {
		if ch != '\n' {
			b[i] = ' '
		}
	}
}

// startsLine reports whether only blanks precede on the line. It looks back a
// little only.
func (s *scanner) startsLine(i int) bool {
	before := bytes.TrimRight(s.src[max(0, i-64):i], " \t")
	return len(before) == 0 && i <= 64 || bytes.HasSuffix(before, []byte("\n"))
}

var wordBeforeValue = regexp.MustCompile(`(?:^|[^\w$])(?:return|typeof|case|await|yield)$`)

// beforeValue reports whether a value may follow what is before an offset, so that a slash
// there begins a regular expression.
func (s *scanner) beforeValue(i int) bool {
	text := bytes.TrimRight(s.mask[:i], " \t\r\n")
	n := len(text)
	return n == 0 || strings.IndexByte("(,=:[!&|?{};+-*%<>~^", text[n-1]) >= 0 || wordBeforeValue.Match(text[max(0, n-8):])
}

// comment returns the end of a comment that begins at i, i without one.
func (s *scanner) comment(i int) int {
	for _, mark := range s.lang.line {
		if bytes.HasPrefix(s.src[i:], []byte(mark)) && !(mark == "#" && bytes.HasPrefix(s.src[i:], []byte("#["))) {
			return i + lineLength(s.src[i:])
		}
	}
	if !s.lang.block || !bytes.HasPrefix(s.src[i:], []byte("/*")) {
		return i
	}
	depth := 1
	for j := i + 2; j < len(s.src); j++ {
		switch {
		case s.src[j] == '*' && j+1 < len(s.src) && s.src[j+1] == '/':
			j++
			if depth--; depth == 0 {
				return j + 1
			}
		case s.lang.nests && s.src[j] == '/' && j+1 < len(s.src) && s.src[j+1] == '*':
			j++
			depth++
		}
	}
	return len(s.src)
}

// lineLength is the length of the first line without its end.
func lineLength(b []byte) int {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		return n
	}
	return len(b)
}

// directive returns the end of a preprocessor's line, with those that continue
// it.
func (s *scanner) directive(i int) int {
	for i < len(s.src) {
		n := lineLength(s.src[i:])
		line := bytes.TrimRight(s.src[i:i+n], "\r")
		i += n
		if !bytes.HasSuffix(line, []byte("\\")) || i >= len(s.src) {
			return i
		}
		i++
	}
	return i
}

var (
	// A character in quotes, which the quote of a lifetime does not begin.
	character = regexp.MustCompile(`(?s)^'(?:\\.[^']*|[^\\])'`)

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
		return i + quotedString(rest)
	case s.lang.regexp && ch == '/' && s.beforeValue(i):
		return i + expression(rest[:min(len(rest), maxExpression)])
	}
	return i
}

// quotedString returns the length of a string on one line.
func quotedString(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case b[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(b)
}

// expression returns the length of a regular expression on one line, 0 if there is none.
func expression(b []byte) int {
	class := false
	for i := 1; i < len(b); i++ {
		switch {
		case b[i] == '\\' && i+1 < len(b):
			i++
		case b[i] == '[' || b[i] == ']':
			class = b[i] == '['
		case b[i] == '/' && !class:
			return i + 1
		}
		if b[i] == '\n' {
			return 0
		}
	}
	return 0
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
