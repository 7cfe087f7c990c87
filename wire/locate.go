package wire

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/scan"
)

// A value that does not go into its Go variable was read without a fault, so nothing has
// its position any more. It is looked for where the error is made: a text is read again to
// the path of the error.

// A locator is the Internals of a codec that finds a value by itself.
type locator interface {
	// Locate returns where the value at a path begins in src, or its key does; -1 if that
	// is not known.
	Locate(c Codec, src []byte, path []string, key bool) int
}

// locate gives err, an error of storing what c has read from src, its position. What takes
// too much memory is not read again.
func locate(c Codec, src []byte, err error) error {
	e, ok := err.(*Error)
	if !ok || e.Format != goFormat || e.Line > 0 || e.Kind == ErrLimit || e.Code == codeInvalidTarget || e.Code == CodeInvalidOption || c.Info().Binary {
		return err
	}
	path := slices.Clone(e.path)
	slices.Reverse(path)
	at := skipSpace(src, len(src)-len(scan.TrimBOM(src)))
	if len(path) > 0 {
		at = offsetOf(c, src, path, e.Code == CodeUnknownMember)
	}
	if at < 0 {
		return err
	}
	return ErrorAt(src, at, *e)
}

// offsetOf returns where the value at a path begins in src, or its key does; -1 if that is
// not known.
func offsetOf(c Codec, src []byte, path []string, key bool) int {
	if _, ok := c.(JSON); ok {
		at, _ := jsonOffset(src, skipSpace(src, len(src)-len(scan.TrimBOM(src))), path, key)
		return at
	}
	in := internalsOf(c)
	if in, ok := in.(locator); ok {
		return in.Locate(c, src, path, key)
	}
	if in, ok := in.(viewer); ok {
		at := -1
		var m memory
		_ = in.View(c, &m, src, func(v Value) error {
			s := search{src: src, copied: m.text, key: key, at: -1, looks: maxLooks}
			s.value(v, path)
			at = s.at
			return nil
		})
		return at
	}
	return -1
}

// LinesOffset is offsetOf for JSON Lines.
func (internal) LinesOffset(src []byte, path []string, key bool) int {
	at := len(src) - len(scan.TrimBOM(src))
	if len(path) == 0 {
		return at
	}
	n, _ := strconv.Atoi(path[0])
	for i := 0; at < len(src); i++ {
		at = skipSpace(src, at)
		if i == n {
			at, _ := jsonOffset(src, at, path[1:], key)
			return at
		}
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return -1
}

// jsonOffset is offsetOf for the JSON value at i, which is known to be well-formed, and
// returns where that ends. It looks at each byte once.
func jsonOffset(src []byte, i int, path []string, key bool) (at, end int) {
	object := i < len(src) && src[i] == '{'
	if len(path) == 0 || !object && (i >= len(src) || src[i] != '[') {
		return i, skipJSON(src, i) // the rest of a path is what a method of the target made
	}
	at = i
	j := skipSpace(src, i+1)
	for n := 0; j < len(src) && src[j] != '}' && src[j] != ']'; n++ {
		token, keyAt := strconv.Itoa(n), j
		if object {
			j = skipJSON(src, j)
			name, err := ParseJSON(src[keyAt:j])
			if err != nil {
				return -1, len(src)
			}
			token = name.str()
			j = skipSpace(src, skipSpace(src, j)+1) // after the colon
		}
		switch {
		case token != path[0]:
			j = skipJSON(src, j)
		case key && len(path) == 1:
			at, j = keyAt, skipJSON(src, j)
		default: // of two members with one key the last counts
			at, j = jsonOffset(src, j, path[1:], key)
		}
		if j = skipSpace(src, j); j < len(src) && src[j] == ',' {
			j = skipSpace(src, j+1)
		}
	}
	return at, j + 1
}

// skipJSON returns the end of the JSON value at i.
func skipJSON(src []byte, i int) int {
	depth := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(src)
}

// A search finds a value by the texts of its neighbours: the strings and numbers that a
// decoder makes point into its copy of the text, at the offset that they have there.
type search struct {
	src, copied []byte
	key         bool
	lo          int // the end of the last text before the value
	blind       int // values after it that have no text in the copy
	at          int // of the value or key, once it is found
	looks       int // values that first may still look at
}

// maxLooks bounds the search for the first text in values that have none.
const maxLooks = 1 << 20

// value walks to the value at a path in v.
func (s *search) value(v Value, path []string) {
	if len(path) == 0 {
		s.target(v)
		return
	}
	elements := v.elements()
	for i, e := range elements {
		name := strconv.Itoa(i)
		if v.kind == KindObject {
			name = v.keys().names[i]
		}
		if name != path[0] {
			s.pass(e)
			continue
		}
		if v.kind == KindObject {
			s.enter(name, elements[i:])
			if s.key && len(path) == 1 && s.at >= 0 {
				return
			}
		}
		s.value(e, path[1:])
		return
	}
	s.target(v)
}

// elements returns the elements of an array or the values of an object.
func (v *Value) elements() []Value {
	if v.kind == KindArray || v.kind == KindObject {
		return v.children()
	}
	return nil
}

// pass notes the texts of a value that precedes the one that is looked for.
func (s *search) pass(v Value) {
	if v.kind == KindArray || v.kind == KindObject {
		for _, e := range v.children() {
			s.pass(e)
		}
		return
	}
	if at, n := s.offset(v); at >= 0 {
		s.lo, s.blind = at+n, 0
	} else {
		s.blind++
	}
}

// enter looks for the key of a member, the first of those given, between the text before it
// and that of its value, or of the member after it. A row has none there.
func (s *search) enter(name string, members []Value) {
	const near = 1 << 10
	hi, own := min(s.lo+near, len(s.src)), false
	for i, v := range members {
		if at := s.first(v); at >= 0 {
			hi, own = max(at, s.lo), i == 0
			break
		}
	}
	window := s.src[s.lo:hi]
	i := bytes.Index(window, []byte(name))
	if own {
		i = bytes.LastIndex(window, []byte(name))
	}
	if i < 0 {
		return
	}
	if s.key {
		s.at = s.lo + i
	}
	s.lo, s.blind = s.lo+i+len(name), 0
}

// first returns the offset of the first text in v, -1 if there is none.
func (s *search) first(v Value) int {
	if s.looks--; s.looks < 0 {
		return -1
	}
	for _, e := range v.elements() {
		if at := s.first(e); at >= 0 {
			return at
		}
	}
	at, _ := s.offset(v)
	return at
}

// target sets the place of the value that is looked for: that of its text, or of the
// first one in it, or of what follows the text before it.
func (s *search) target(v Value) {
	if s.at = s.first(v); s.at >= 0 {
		if s.at > 0 && s.src[s.at-1] == '"' {
			s.at--
		}
		return
	}
	at := s.lo
	skip := func(between bool) {
		for at < len(s.src) && (bytes.IndexByte([]byte(" \t\r\n,|:;\"=()[]{}"), s.src[at]) >= 0) == between {
			at++
		}
	}
	skip(true)
	for range s.blind {
		skip(false)
		skip(true)
	}
	s.at = at
}

// offset returns where the text of a string or number is, and its length; -1 if it is
// not that of the document.
func (s *search) offset(v Value) (at, n int) {
	if v.kind != KindString && (v.kind != KindNumber || v.form != formText) {
		return -1, 0
	}
	text := v.str()
	if at = offsetWithin(s.copied, text); at < 0 || text == "" {
		return -1, 0
	}
	for _, bom := range []int{0, len(s.src) - len(scan.TrimBOM(s.src))} {
		if at+bom+len(text) <= len(s.src) && string(s.src[at+bom:at+bom+len(text)]) == text {
			return at + bom, len(text)
		}
	}
	return -1, 0
}
