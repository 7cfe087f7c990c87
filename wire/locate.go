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
	at := scan.SkipSpace(src, len(src)-len(scan.TrimBOM(src)))
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
		at, _ := jsonOffset(src, scan.SkipSpace(src, len(src)-len(scan.TrimBOM(src))), path, key)
		return at
	}
	c = Internal.WithWarnings(c, nil)
	d := describe(c)
	if d.Locate != nil {
		return d.Locate.Locate(c, src, path, key)
	}
	at := -1
	if d.View != nil {
		var m memory
		_ = d.View(c, &m, src, func(v Value) error {
			s := search{src: src, copied: m.text, at: -1, looks: maxLooks}
			s.value(&v, path)
			if key {
				at = s.renamed(c, e)
			}
			if at < 0 {
				at = s.at
			}
			if at < 0 {
				at = s.opening(s.probe(c, v))
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
	space := func(i int) int { return scan.SkipSpace(src, i) }
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
	j := scan.SkipSpace(src, i+1)
	for n := 0; j < len(src) && src[j] != '}' && src[j] != ']'; n++ {
		token, keyAt := strconv.Itoa(n), j
		if object {
			j = skipJSON(src, j)
			token, _ = splice.Unquote(src[keyAt:j])
			j = scan.SkipSpace(src, scan.SkipSpace(src, j)+1) // after the colon
		}
		switch {
		case token != path[0]:
			j = skipJSON(src, j)
		case key && len(path) == 1:
			at, j = keyAt, skipJSON(src, j)
		default: // of two members with one key the last counts
			at, j = jsonOffset(src, j, path[1:], key)
		}
		if j = scan.SkipSpace(src, j); j < len(src) && src[j] == ',' {
			j = scan.SkipSpace(src, j+1)
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
	lo, hi      int    // the end of the last text before the value, and where its key ends at most
	leaf        *Value // the first scalar of the value
	at          int    // of the value, once it is found
	looks       int    // values that first may still look at
}

const (
	maxLooks  = 1 << 20  // bounds the search for the first text in values that have none
	maxProbed = 16 << 20 // bytes after which no more are decoded to find a value without a text
	near      = 1 << 10  // bytes between a text and a key after it, or a value before it
)

// value walks to the value at a path in v.
func (s *search) value(v *Value, path []string) {
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
		s.hi = s.until(elements[i:])
		s.value(&elements[i], path[1:])
		return
	}
	s.target(v)
}

// pass notes the texts of a value that precedes the one that is looked for.
func (s *search) pass(v Value) {
	for _, e := range v.elements() {
		s.pass(e)
	}
	if at, n := s.offset(v); at >= 0 {
		s.lo = at + n
	}
}

// until returns where the first text in values begins, or how far a key is looked for.
func (s *search) until(values []Value) int {
	for _, v := range values {
		if at := s.first(v); at >= 0 {
			return max(at, s.lo)
		}
	}
	return min(s.lo+near, len(s.src))
}

// renamed returns where the key is that the path of e ends with, between the text before it
// and that of its value or of a member after it: where another word there is the key. A row
// has none there.
func (s *search) renamed(c Codec, e *Error) int {
	const more = "_"
	name, other := e.path[0], Error{path: slices.Clone(e.path)}
	other.path[0] += more
	budget := maxProbed
	for at := wordAt(s.src[:s.hi], s.lo, name); at >= 0 && budget > 0; at = wordAt(s.src[:s.hi], at+len(name)+1, name) {
		budget -= len(s.src)
		v, err := c.Decode(slices.Insert(slices.Clone(s.src), at+len(name), []byte(more)...))
		if err == nil {
			_, err = v.At(other.Path())
		}
		if err == nil {
			return at
		}
	}
	return -1
}

// wordAt returns where a word is in src from i on; -1 if it is nowhere.
func wordAt(src []byte, i int, word string) int {
	isPart := func(i int) bool {
		return i >= 0 && i < len(src) && (src[i]-'0' <= 9 || src[i]|0x20-'a' < 26 || src[i] == '_' || src[i] >= 0x80)
	}
	for ; i <= len(src); i += len(word) + 1 {
		n := bytes.Index(src[i:], []byte(word))
		if n < 0 {
			break
		}
		if i += n; !isPart(i-1) && !isPart(i+len(word)) {
			return i
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

// target sets the place of the value that is looked for: that of its first scalar, if that
// has a text.
func (s *search) target(v *Value) {
	for s.leaf = v; len(s.leaf.elements()) > 0; s.leaf = &s.leaf.elements()[0] {
	}
	at, _ := s.offset(*s.leaf)
	s.at = s.opening(at)
}

// opening returns where the scalar begins that has its first character, or nothing, at at.
func (s *search) opening(at int) int {
	opens := byte('"')
	switch s.leaf.kind {
	case KindArray:
		opens = '['
	case KindObject:
		opens = '{'
	}
	if at > 0 && s.src[at-1] == opens {
		at--
	}
	return at
}

// probe returns where the first scalar of the value that is looked for is, which has no text
// in the copy. It encodes v, and v with another scalar there: the scalar is where the two
// texts differ or, if src is neither, where the same change makes src decode as the other
// value. It returns -1 if there is no such place.
func (s *search) probe(c Codec, v Value) int {
	leaf := *s.leaf
	defer func() { *s.leaf = leaf }()
	writer := WithLimits(c, Limits{OutputBytes: maxProbed})
	text, failed := writer.AppendEncode(nil, v)
	budget := maxProbed
	for _, other := range others(leaf) {
		if Equal(other, leaf) {
			continue
		}
		*s.leaf = other
		changed, err := writer.AppendEncode(nil, v)
		from, old, now := difference(text, changed)
		switch {
		case failed != nil || err != nil || bytes.IndexByte(old, '\n') >= 0 || bytes.IndexByte(now, '\n') >= 0:
		case bytes.Equal(text, s.src):
			return from
		default:
			if at := s.try(c, v, old, now, &budget); at >= 0 {
				return at
			}
		}
		_, old, now = difference(AppendJSON(nil, leaf), AppendJSON(nil, other))
		if at := s.try(c, v, old, now, &budget); at >= 0 {
			return at
		}
	}
	return -1
}

// others returns values that are written where v is, a scalar or empty.
func others(v Value) []Value {
	switch v.kind {
	case KindString:
		return []Value{String("x" + v.str())}
	case KindBool:
		return []Value{Bool(!v.Bool())}
	case KindArray:
		return []Value{Int(1), Array(Int(1)), ObjectOf(new(Keys))}
	}
	return []Value{Int(1), Int(2), Array()}
}

// difference returns where two texts differ, and what is there in each.
func difference(a, b []byte) (from int, inA, inB []byte) {
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	return from, a[from:], b[from:]
}

// try returns where the text makes the value want with one word in the place of another.
func (s *search) try(c Codec, want Value, old, now []byte, budget *int) int {
	for _, window := range [][2]int{{s.lo, s.lo + near}, {s.lo - near, s.lo}} {
		for at := max(0, window[0]); at <= min(window[1], len(s.src)) && *budget > 0; at++ {
			if !bytes.HasPrefix(s.src[at:], old) {
				continue
			}
			*budget -= len(s.src)
			v, err := c.Decode(slices.Concat(s.src[:at], now, s.src[at+len(old):]))
			if err == nil && Equal(v, want) {
				return at
			}
		}
	}
	return -1
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
