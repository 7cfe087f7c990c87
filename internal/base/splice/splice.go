// Package splice changes JSON text in places and leaves the rest byte for byte.
// It looks only where things begin and end: what it finds its way through need
// not be JSON, so a caller who depends on that parses the text as well.
package splice

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A Span is the bytes [Start, End) of a text.
type Span struct{ Start, End int }

// Of returns the bytes of text at the span.
func (s Span) Of(text []byte) []byte { return text[s.Start:s.End] }

// Whole returns the span of text without the white space around it.
func Whole(text []byte) Span {
	end := len(text)
	for end > 0 && scan.IsSpace(text[end-1]) {
		end--
	}
	return Span{min(scan.SkipSpace(text, 0), end), end}
}

// A Member is where a member of an object is in its text.
type Member struct {
	Key   Span // with its quotation marks
	Value Span
	Found bool
}

// An Object is where an object and some of its members are in a text.
type Object struct {
	Span
	Members []Member // in the order of the names asked for
}

// A Text is JSON text of which the ends of long strings are known, so that what is found
// in several steps is not looked at in each.
type Text struct {
	Bytes []byte
	long  []Span // in their order
}

// longString is the length from which on the end of a string is kept.
const longString = 256

// Index returns a text with the ends of its long strings.
func Index(text []byte) Text {
	t := Text{Bytes: text}
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := skipString(text, i)
		if end < 0 {
			break
		}
		if end-i >= longString {
			t.long = append(t.long, Span{i, end})
		}
		i = end - 1
	}
	return t
}

// skipString returns the end of the string at i, -1 if there is none.
func (t Text) skipString(i int) int {
	n, ok := slices.BinarySearchFunc(t.long, i, func(s Span, i int) int { return cmp.Compare(s.Start, i) })
	if ok {
		return t.long[n].End
	}
	return skipString(t.Bytes, i)
}

// FindMembers is Text.FindMembers for a text without an index.
func FindMembers(text []byte, s Span, names ...string) (o Object, ok bool) {
	return Text{Bytes: text}.FindMembers(s, names...)
}

// FindMembers finds the members of the object at s that have these names. ok is
// false for what is not an object and for one that has such a name twice.
func (t Text) FindMembers(s Span, names ...string) (o Object, ok bool) {
	o = Object{s, make([]Member, len(names))}
	twice := false
	ok = t.walk(s, '{', func(m Member) {
		if n := nameAt(m.Key.Of(t.Bytes), names); n >= 0 {
			twice = twice || o.Members[n].Found
			o.Members[n] = m
		}
	})
	return o, ok && !twice
}

// Find is Text.Find for a text without an index.
func Find(text []byte, s Span, path ...string) (Span, bool) {
	return Text{Bytes: text}.Find(s, path...)
}

// Find returns the value that a path of names leads to from s, as FindMembers finds
// members.
func (t Text) Find(s Span, path ...string) (Span, bool) {
	for _, name := range path {
		o, ok := t.FindMembers(s, name)
		if !ok || !o.Members[0].Found {
			return Span{}, false
		}
		s = o.Members[0].Value
	}
	return s, true
}

// AllMembers finds every member of the object at s, in their order.
func AllMembers(text []byte, s Span) (o Object, ok bool) {
	o.Span = s
	ok = Text{Bytes: text}.walk(s, '{', func(m Member) { o.Members = append(o.Members, m) })
	return o, ok
}

// walk calls f for every member of the object at s or, where open is '[', for every element
// of the array, which has no Key.
func (t Text) walk(s Span, open byte, f func(Member)) (ok bool) {
	text, end := t.Bytes, open+2 // as } and ] are
	if s.Start >= s.End || text[s.Start] != open {
		return false
	}
	i := scan.SkipSpace(text, s.Start+1)
	if i < s.End && text[i] == end {
		return i+1 == s.End
	}
	for {
		m := Member{Found: true}
		if open == '{' {
			if m.Key = (Span{i, t.skipString(i)}); m.Key.End < 0 {
				return false
			}
			if i = scan.SkipSpace(text, m.Key.End); i >= s.End || text[i] != ':' {
				return false
			}
			i = scan.SkipSpace(text, i+1)
		}
		if m.Value = (Span{i, t.SkipValue(i)}); m.Value.End < 0 {
			return false
		}
		if i = scan.SkipSpace(text, m.Value.End); i >= s.End || text[i] != ',' && text[i] != end {
			return false
		}
		f(m)
		if text[i] == end {
			return i+1 == s.End
		}
		i = scan.SkipSpace(text, i+1)
	}
}

// Append returns the edit that adds a member to the object at s, after the others.
func Append(text []byte, s Span, key string, value []byte) Edit {
	last := s.End - 1
	for scan.IsSpace(text[last-1]) {
		last--
	}
	added := append(append(scan.AppendQuote(nil, key), ':'), value...)
	if text[last-1] != '{' {
		added = append([]byte(","), added...)
	}
	return Insert(last, added)
}

// Remove returns the edits that take the members of some names out of the object at s.
// Neighbours go together, with as many commas.
func Remove(text []byte, s Span, names ...string) (edits []Edit) {
	o, _ := AllMembers(text, s)
	isGone := func(i int) bool { return i < len(o.Members) && nameAt(o.Members[i].Key.Of(text), names) >= 0 }
	for i := 0; i < len(o.Members); i++ {
		if !isGone(i) {
			continue
		}
		first := i
		for isGone(i + 1) {
			i++
		}
		gone := Span{o.Members[first].Key.Start, o.Members[i].Value.End}
		switch {
		case first > 0:
			gone.Start = o.Members[first-1].Value.End
		case i+1 < len(o.Members):
			gone.End = o.Members[i+1].Key.Start
		}
		edits = append(edits, Edit{Span: gone})
	}
	return edits
}

// nameAt returns the index of the name that a quoted key is, -1 for none.
func nameAt(quoted []byte, names []string) int {
	key, ok := Unquote(quoted)
	if !ok {
		return -1
	}
	return slices.Index(names, key)
}

// Unquote returns the text of a JSON string.
func Unquote(quoted []byte) (string, bool) {
	if len(quoted) < 2 || quoted[0] != '"' {
		return "", false
	}
	inner := quoted[1 : len(quoted)-1]
	if end, _ := scan.TextEnd(inner, 0); end == len(inner) && scan.IsUTF8(inner) {
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(quoted, &s)
	return s, err == nil
}

// StringAt returns the text of the JSON string at s.
func StringAt(text []byte, s Span) (string, bool) { return Unquote(s.Of(text)) }

// Word is Text.Word for a text without an index.
func Word(text []byte, s Span, path ...string) string { return Text{Bytes: text}.Word(s, path...) }

// Word returns the string that a path of names leads to from s, "" if there is none.
func (t Text) Word(s Span, path ...string) string {
	at, _ := t.Find(s, path...)
	word, _ := StringAt(t.Bytes, at)
	return word
}

// FindElements is Text.FindElements for a text without an index.
func FindElements(text []byte, s Span) (elements []Span, ok bool) {
	return Text{Bytes: text}.FindElements(s)
}

// FindElements returns where the elements of the array at s are.
func (t Text) FindElements(s Span) (elements []Span, ok bool) {
	if !t.walk(s, '[', func(m Member) { elements = append(elements, m.Value) }) {
		return nil, false
	}
	return elements, true
}

// Batch returns where the messages of a JSON-RPC batch are, or the only one.
func Batch(text []byte) []Span {
	whole := Whole(text)
	if messages, ok := FindElements(text, whole); ok {
		return messages
	}
	return []Span{whole}
}

// skipString returns the end of the string at i, -1 if there is none.
func skipString(text []byte, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	for i++; ; {
		i, _ = scan.TextEnd(text, i)
		switch {
		case i >= len(text) || text[i] < 0x20:
			return -1
		case text[i] == '"':
			return i + 1
		}
		i += 2 // a backslash and what it escapes
		if i > len(text) {
			return -1
		}
	}
}

// SkipValue returns the end of the value at i, -1 if there is none. Of arrays
// and objects it counts the brackets only.
func (t Text) SkipValue(i int) int {
	text := t.Bytes
	if i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return t.skipString(i)
	case '{', '[':
		return t.skipContainer(i)
	}
	n := scan.Number(text[i:])
	for _, word := range words {
		if bytes.HasPrefix(text[i:], word) {
			n = len(word)
		}
	}
	if n == 0 {
		return -1
	}
	return i + n
}

var words = [...][]byte{[]byte("true"), []byte("false"), []byte("null")}

func (t Text) skipContainer(i int) int {
	text := t.Bytes
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = t.skipString(i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// An Edit puts Text in the place of a span.
type Edit struct {
	Span
	Text []byte
}

// Put returns the edit that puts text in the place of a span.
func Put(s Span, text []byte) Edit { return Edit{Span: s, Text: text} }

// Insert returns the edit that puts text at a position.
func Insert(at int, text []byte) Edit { return Put(Span{at, at}, text) }

// Sort sorts edits by their places. Of those at one place the first comes first.
func Sort(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
}

// Apply makes edits, which do not overlap, in a copy. It sorts them. Without any it returns
// the text itself.
func Apply(text []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return text
	}
	return bytes.Join(Pieces(text, edits), nil)
}

// Pieces returns the pieces of a text that edits leave, and their texts, in order: what Apply
// copies. It sorts the edits.
func Pieces(text []byte, edits []Edit) [][]byte {
	Sort(edits)
	list := make([][]byte, 0, 2*len(edits)+1)
	at := 0
	for _, e := range edits {
		list = append(list, text[at:e.Start], e.Text)
		at = e.End
	}
	return append(list, text[at:])
}
