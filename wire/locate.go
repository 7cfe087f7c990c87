package wire

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/splice"
)

// A value that does not go into its Go variable was read without a fault, so nothing has
// its position any more. It is looked for where the error is made: a text is read again to
// the path of the error.

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
		at = offsetOf(c, src, path, e)
	}
	if at < 0 {
		return err
	}
	return ErrorAt(src, at, *e)
}

// offsetOf returns where the value at the path of e begins in src, or its key does; -1 if
// that is not known.
func offsetOf(c Codec, src []byte, path []string, e *Error) int {
	key := e.Code == CodeUnknownMember
	if _, ok := c.(JSON); ok {
		at, _ := jsonOffset(src, skipSpace(src, len(src)-len(scan.TrimBOM(src))), path, key)
		return at
	}
	c = Internal.WithWarnings(c, nil)
	d := describe(c)
	if d.Locate != nil {
		return d.Locate(c, src, path, key)
	}
	at := -1
	if d.View != nil {
		var m memory
		_ = d.View(c, &m, src, func(v Value) error {
			s := search{src: src, copied: m.text, key: key, at: -1, looks: maxLooks}
			s.value(v, path)
			if at = s.at; at < 0 {
				at = s.probe(c, v, e.Path())
			}
			return nil
		})
	}
	return at
}

// LinesOffset is offsetOf for JSON Lines.
func (internal) LinesOffset(src []byte, path []string, key bool) int {
	at := len(src) - len(scan.TrimBOM(src))
	if len(path) == 0 {
		return at
	}
	n, _ := strconv.Atoi(path[0])
	space := func(i int) int { return skipSpace(src, i) }
	for i := 0; at < len(src); i++ {
		at = afterMark(src, space(at), space)
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
			token, _ = splice.Unquote(src[keyAt:j])
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

// skipJSON returns the end of the JSON value at i, that of the text if there is none.
func skipJSON(src []byte, i int) int {
	if end := (splice.Text{Bytes: src}).SkipValue(i); end >= 0 {
		return end
	}
	return len(src)
}

// A search finds a value by the texts of its neighbours: the strings and numbers that a
// decoder makes point into its copy of the text, at the offset that they have there.
type search struct {
	src, copied []byte
	key         bool
	lo          int    // the end of the last text before the value
	bools       [2]int // values false and true between that and the value
	at          int    // of the value or key, once it is found
	looks       int    // values that first may still look at
}

const (
	maxLooks  = 1 << 20  // bounds the search for the first text in values that have none
	maxProbed = 16 << 20 // bytes after which no more are decoded to find a value without a text
	near      = 1 << 10  // bytes between a text and a key after it, or a value before it
)

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
	for _, e := range v.elements() {
		s.pass(e)
	}
	if at, n := s.offset(v); at >= 0 {
		s.lo, s.bools = at+n, [2]int{}
	} else if v.kind == KindBool {
		s.bools[v.num]++
	}
}

// enter looks for the key of a member, the first of those given, between the text before it
// and that of its value, or of the member after it. A row has none there.
func (s *search) enter(name string, members []Value) {
	s.at = -1 // not the key of what the member is in
	hi, own := min(s.lo+near, len(s.src)), false
	for i, v := range members {
		if at := s.first(v); at >= 0 {
			hi, own = max(at, s.lo), i == 0
			break
		}
	}
	at := -1
	for i := wordAt(s.src[:hi], s.lo, name, 0); i >= 0 && (own || at < 0); i = wordAt(s.src[:hi], i+len(name)+1, name, 0) {
		if end := i + len(name); s.key || end < hi && bytes.IndexByte([]byte(`=:["`), s.src[end]) >= 0 { // not in a header
			at = i
		}
	}
	if at < 0 {
		return
	}
	if s.key {
		s.at = at
	}
	s.lo, s.bools = at+len(name), [2]int{}
}

// wordAt returns where a word is in src from i on, after so many others like it; -1 if it is
// nowhere.
func wordAt(src []byte, i int, word string, before int) int {
	isPart := func(i int) bool {
		return i >= 0 && i < len(src) && (src[i]-'0' <= 9 || src[i]|0x20-'a' < 26 || src[i] == '_' || src[i] >= 0x80)
	}
	for ; i <= len(src); i += len(word) + 1 {
		n := bytes.Index(src[i:], []byte(word))
		if n < 0 {
			break
		}
		if i += n; !isPart(i-1) && !isPart(i+len(word)) {
			if before--; before < 0 {
				return i
			}
		}
	}
	return -1
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
// first one in it.
func (s *search) target(v Value) {
	if s.at = s.first(v); s.at > 0 && s.src[s.at-1] == '"' {
		s.at--
	}
}

// probe returns where the value of v that a pointer leads to is, which has no text in the
// copy: where another word makes another value of its kind of it. Of values that are no
// booleans, it returns the end of the text before them if a few do not; else -1.
func (s *search) probe(c Codec, v Value, pointer string) int {
	v, _ = v.At(pointer)
	leaf := v
	for len(leaf.elements()) > 0 {
		leaf = leaf.elements()[0]
	}
	words, before := [][2]string{{`""`, `"_"`}}, 0
	if leaf.kind == KindBool {
		is, other := strconv.FormatBool(leaf.Bool()), strconv.FormatBool(!leaf.Bool())
		words, before = [][2]string{{is, other}, {is[:1], other[:1]}}, s.bools[leaf.num]
	}
	budget := maxProbed
	for _, word := range words {
		// After as many words as there are values between, after any; what is attached to a
		// row comes after the row.
		for _, start := range [][2]int{{s.lo, before}, {s.lo, 0}, {max(0, s.lo-near), 0}} {
			at := wordAt(s.src, start[0], word[0], start[1])
			for tries := 8; tries > 0 && at >= 0 && budget > 0; tries-- {
				budget -= len(s.src)
				text := slices.Concat(s.src[:at], []byte(word[1]), s.src[at+len(word[0]):])
				w, _ := c.Decode(text)
				if w, err := w.At(pointer); err == nil && w.kind == v.kind && !Equal(w, v) {
					return at
				}
				at = wordAt(s.src, at+len(word[0])+1, word[0], 0)
			}
		}
	}
	if leaf.kind == KindBool {
		return -1
	}
	return len(s.src) - len(bytes.TrimLeft(s.src[s.lo:], " \t\r\n,|:;\"=()[]{}"))
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
