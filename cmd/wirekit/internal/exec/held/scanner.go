package held

import "strings"

// A scanner finds out as early as possible that a text is not JSON, or not one object or
// array. It is generous with numbers and escapes, which the reader of the whole text
// checks.
type scanner struct {
	lines  bool // further values may follow, each on lines of its own
	state  state
	stack  []byte // the brackets that are open
	word   string // what is left of true, false or null
	values int
	isNew  bool // a line has begun after the last value
	escape bool // a backslash was before, in a string
	marked int  // bytes of a byte order mark, which may come first; all of them where none comes
}

type state uint8

const (
	outside state = iota // before the first bracket
	value                // after a comma or a colon
	element              // after [
	member               // after {
	key                  // after a comma in an object
	colon                // after a key
	after                // after a value in a container
	inText               // in a string that is a value
	inKey                // in one that is a key
	inNumber
	inWord
	done // after the last bracket
)

const byteOrderMark = "\uFEFF"

// maxDepth is how deep the reader of JSON goes.
const maxDepth = 512

// next reports whether the text can go on as JSON, once it has gone on with these bytes.
func (s *scanner) next(text []byte) bool {
	for _, c := range text {
		if s.marked < len(byteOrderMark) && c == byteOrderMark[s.marked] {
			s.marked++
			continue
		}
		begun := s.marked == 0 || s.marked == len(byteOrderMark)
		s.marked = len(byteOrderMark)
		if !begun || !s.byte(c) {
			return false
		}
	}
	return true
}

// ended reports whether the text is a whole object or array and the end of its line.
func (s *scanner) ended() bool { return s.state == done && s.isNew }

func (s *scanner) byte(c byte) bool {
	switch s.state {
	case inText, inKey:
		return s.inString(c)
	case inWord:
		if c != s.word[0] {
			return false
		}
		if s.word = s.word[1:]; s.word == "" {
			s.state = after
		}
		return true
	case inNumber:
		if strings.IndexByte("0123456789-+.eE", c) >= 0 {
			return true
		}
		s.state = after
	}
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		s.isNew = s.isNew || c == '\n'
		return true
	}
	return s.token(c)
}

func (s *scanner) inString(c byte) bool {
	switch {
	case s.escape:
		s.escape = false
		return true
	case c == '\\':
		s.escape = true
	case c == '"' && s.state == inKey:
		s.state = colon
	case c == '"':
		s.state = after
	}
	return c >= ' '
}

// token takes a byte that is not white space and not inside of anything.
func (s *scanner) token(c byte) bool {
	switch s.state {
	case outside:
		return s.open(c)
	case done:
		return s.lines && s.isNew && s.open(c)
	case element, value:
		if s.state == element && c == ']' {
			return s.close(c)
		}
		return s.value(c)
	case member, key:
		if s.state == member && c == '}' {
			return s.close(c)
		}
		s.state = inKey
		return c == '"'
	case colon:
		s.state = value
		return c == ':'
	}
	if c == ',' { // after a value
		if s.state = value; s.stack[len(s.stack)-1] == '{' {
			s.state = key
		}
		return true
	}
	return s.close(c)
}

// words are what follows the first bytes of true, false and null.
var words = map[byte]string{'t': "rue", 'f': "alse", 'n': "ull"}

func (s *scanner) value(c byte) bool {
	switch word := words[c]; {
	case c == '"':
		s.state = inText
	case word != "":
		s.state, s.word = inWord, word
	case c == '-' || '0' <= c && c <= '9':
		s.state = inNumber
	default:
		return s.open(c)
	}
	return true
}

func (s *scanner) open(c byte) bool {
	s.stack = append(s.stack, c)
	if s.state = element; c == '{' {
		s.state = member
	}
	return (c == '{' || c == '[') && len(s.stack) <= maxDepth
}

func (s *scanner) close(c byte) bool {
	last := len(s.stack) - 1
	if c != s.stack[last]+2 { // ] and } come two after [ and {
		return false
	}
	s.stack = s.stack[:last]
	s.state = after
	if last == 0 {
		s.state, s.isNew = done, false
		s.values++
	}
	return true
}
