package outline

import "bytes"

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
	value := true // a value may begin here: a slash is a regular expression's
	for i := 0; i < len(s.src); {
		ch := s.src[i]
		if !s.lang.regexp && ch != s.lang.raw && (ch == ' ' || wordByte(ch)) {
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
		if end = s.literal(i, value); end > i+1 {
			blank(s.mask[i+1 : end-1])
			value = false
			i = end
			continue
		}
		if ch > ' ' && s.lang.regexp {
			value = bytes.IndexByte([]byte("(,=:[!&|?{};+-*%<>~^"), ch) >= 0 || s.afterWord(i)
		}
		i++
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
	for least := max(0, i-64); i > least; i-- {
		switch s.src[i-1] {
		case '\n':
			return true
		case ' ', '\t':
		default:
			return false
		}
	}
	return i == 0
}

// afterWord reports whether the byte ends a word that a value may follow.
func (s *scanner) afterWord(i int) bool {
	for _, w := range []string{"return", "typeof", "case", "await", "yield"} {
		if n := i + 1 - len(w); n >= 0 && string(s.src[n:i+1]) == w && (n == 0 || !wordByte(s.src[n-1])) {
			return true
		}
	}
	return false
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

// literal returns the end of a string or the like that begins at i, i without
// one.
func (s *scanner) literal(i int, value bool) int {
	ch, rest := s.src[i], s.src[i:]
	switch {
	case s.lang.raw != 0 && ch == s.lang.raw && (i == 0 || !wordByte(s.src[i-1])):
		if n := s.rawString(rest); n > 0 {
			return i + n
		}
		return i
	case s.lang.triple && (bytes.HasPrefix(rest, []byte(`"""`)) || bytes.HasPrefix(rest, []byte("'''")) && bytes.IndexByte([]byte(s.lang.quotes), '\'') >= 0):
		if n := bytes.Index(rest[3:], rest[:3]); n >= 0 {
			return i + n + 6
		}
		return len(s.src)
	case s.lang.char && ch == '\'':
		return i + character(rest)
	case ch == '`' && bytes.IndexByte([]byte(s.lang.quotes), ch) >= 0:
		return i + template(rest)
	case bytes.IndexByte([]byte(s.lang.quotes), ch) >= 0:
		return i + quotedString(rest)
	case s.lang.regexp && ch == '/' && value:
		return i + expression(rest)
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

// template returns the length of a template string, which may hold others in
// the values that it holds.
func template(b []byte) int {
	const inText = -1
	modes := []int{inText} // else the open braces of a value
	for i := 1; i < len(b); i++ {
		top := &modes[len(modes)-1]
		switch ch := b[i]; {
		case ch == '\\':
			i++
		case *top == inText && ch == '`':
			if modes = modes[:len(modes)-1]; len(modes) == 0 {
				return i + 1
			}
		case *top == inText && ch == '$' && i+1 < len(b) && b[i+1] == '{':
			i++
			modes = append(modes, 0)
		case *top == inText:
		case ch == '`':
			modes = append(modes, inText)
		case ch == '{':
			*top++
		case ch == '}' && *top == 0:
			modes = modes[:len(modes)-1]
		case ch == '}':
			*top--
		}
	}
	return len(b)
}

// character returns the length of a character in quotes, 1 for the quote of a
// lifetime.
func character(b []byte) int {
	if len(b) > 2 && b[1] == '\\' {
		if n := bytes.IndexByte(b[3:min(len(b), 16)], '\''); n >= 0 {
			return n + 4
		}
		return 1
	}
	for n := 2; n <= 5 && n < len(b); n++ {
		if b[n] == '\'' {
			return n + 1
		}
		if b[n-1] < 0x80 {
			break
		}
	}
	return 1
}

// expression returns the length of a regular expression on its line, 1 if it is
// none.
func expression(b []byte) int {
	class := false
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return 1
		case '/':
			if !class && i > 1 {
				return i + 1
			}
		}
		if i > maxExpression {
			return 1
		}
	}
	return 1
}

// maxExpression bounds a regular expression, in bytes: what is longer is a
// division.
const maxExpression = 500

// rawString returns the length of a raw string, 0 if there is none.
func (s *scanner) rawString(b []byte) int {
	switch s.lang.raw {
	case 'r': // r"…", r#"…"#
		hashes := 1
		for hashes < len(b) && b[hashes] == '#' && hashes < 32 {
			hashes++
		}
		if hashes >= len(b) || b[hashes] != '"' {
			return 0
		}
		end := append([]byte{'"'}, b[1:hashes]...)
		return through(b, hashes+1, end)
	case 'R': // R"delimiter(…)delimiter"
		if len(b) < 3 || b[1] != '"' {
			return 0
		}
		n := bytes.IndexByte(b[2:min(len(b), 20)], '(')
		if n < 0 {
			return 0
		}
		return through(b, n+3, append(append([]byte{')'}, b[2:2+n]...), '"'))
	}
	if len(b) < 2 || b[1] != '"' { // @"…""…"
		return 0
	}
	for i := 2; i < len(b); i++ {
		if b[i] != '"' {
			continue
		}
		if i+1 < len(b) && b[i+1] == '"' {
			i++
			continue
		}
		return i + 1
	}
	return len(b)
}

// through returns where a text ends that is looked for from an offset.
func through(b []byte, from int, end []byte) int {
	if n := bytes.Index(b[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(b)
}

func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80
}
