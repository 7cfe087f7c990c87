package mcp

import (
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A span is the bytes [start, end) of a text.
type span struct{ start, end int }

func (s span) of(text []byte) []byte { return text[s.start:s.end] }

// whole returns the span of text without the white space around it.
func whole(text []byte) span {
	end := len(text)
	for end > 0 && isSpace(text[end-1]) {
		end--
	}
	return span{skipSpace(text, 0), end}
}

// A member is where a member of an object stands in its text.
type member struct {
	key   int
	value span
	cut   span // what is taken out to remove the member, with one comma
	found bool
}

// An object is where an object and some of its members stand in a text.
type object struct {
	span
	last    int // end of its last member, or behind its brace if it is empty
	empty   bool
	members []member // in the order of the names asked for
}

// findMembers finds the members of the object at s that have these names. It only
// looks where things begin and end: ok is false for what is no object and for
// one with such a name twice, but an object with ok need not be JSON.
func findMembers(text []byte, s span, names ...string) (o object, ok bool) {
	o = object{span: s, last: s.start + 1, empty: true, members: make([]member, len(names))}
	if s.start >= s.end || text[s.start] != '{' {
		return o, false
	}
	i := skipSpace(text, s.start+1)
	if i < s.end && text[i] == '}' {
		return o, i+1 == s.end
	}
	open := -1 // the member found first of all, whose cut lacks its end
	for {
		key := i
		colon := skipString(text, key)
		if colon < 0 {
			return o, false
		}
		i = skipSpace(text, colon)
		if i >= s.end || text[i] != ':' {
			return o, false
		}
		start := skipSpace(text, i+1)
		end := skipValue(text, start)
		if end < 0 {
			return o, false
		}
		if open >= 0 {
			o.members[open].cut.end, open = key, -1
		}
		if n := nameAt(text[key:colon], names); n >= 0 {
			if o.members[n].found {
				return o, false
			}
			m := member{key: key, value: span{start, end}, cut: span{o.last, end}, found: true}
			if o.empty {
				m.cut.start, open = key, n
			}
			o.members[n] = m
		}
		o.last, o.empty = end, false
		i = skipSpace(text, end)
		if i >= s.end {
			return o, false
		}
		if text[i] == '}' {
			return o, i+1 == s.end
		}
		if text[i] != ',' {
			return o, false
		}
		i = skipSpace(text, i+1)
	}
}

// nameAt returns the index of the name that a quoted key is, -1 for none.
func nameAt(quoted []byte, names []string) int {
	key := quoted[1 : len(quoted)-1]
	for _, c := range key {
		if c == '\\' {
			v, err := wire.ParseJSON(quoted)
			if err != nil {
				return -1
			}
			key = []byte(v.Text())
			break
		}
	}
	for n, name := range names {
		if string(key) == name {
			return n
		}
	}
	return -1
}

// findElements returns where the elements of the array at s stand.
func findElements(text []byte, s span) (elements []span, ok bool) {
	if s.start >= s.end || text[s.start] != '[' {
		return nil, false
	}
	i := skipSpace(text, s.start+1)
	if i < s.end && text[i] == ']' {
		return nil, i+1 == s.end
	}
	for {
		end := skipValue(text, i)
		if end < 0 {
			return nil, false
		}
		elements = append(elements, span{i, end})
		i = skipSpace(text, end)
		if i >= s.end {
			return nil, false
		}
		if text[i] == ']' {
			return elements, i+1 == s.end
		}
		if text[i] != ',' {
			return nil, false
		}
		i = skipSpace(text, i+1)
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func skipSpace(text []byte, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}

// skipString returns the end of the string at i, -1 if there is none.
func skipString(text []byte, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	for i++; ; {
		i = scan.StringEnd(text, i)
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

// skipValue returns the end of the value at i, -1 if there is none. Of arrays
// and objects it counts the brackets only.
func skipValue(text []byte, i int) int {
	if i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		return skipContainer(text, i)
	case 't':
		return skipWord(text, i, "true")
	case 'n':
		return skipWord(text, i, "null")
	case 'f':
		return skipWord(text, i, "false")
	}
	n := scan.Number(text[i:])
	if n == 0 {
		return -1
	}
	return i + n
}

func skipWord(text []byte, i int, word string) int {
	if len(text)-i < len(word) || string(text[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func skipContainer(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = skipString(text, i); i < 0 {
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

// An edit puts text in the place of a span.
type edit struct {
	span
	text []byte
}

// apply makes edits, which are in the order of their places, in a copy.
func apply(text []byte, edits []edit) []byte {
	size := len(text)
	for _, e := range edits {
		size += len(e.text) - (e.end - e.start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, text[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, text[at:]...)
}
