package toon

import (
	"math"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A header is what a line's "key[n]{fields}:" says.
type header struct {
	key   string
	named bool // false: it has no key
	keyed bool // an object of uniform objects
	n     int  // math.MaxInt if it is larger
	at    int  // of the bracket
	delim byte
	list  *fieldList // nil: no field list
	rest  int        // after the colon
}

// A fieldList is a field list or a nested group of one.
type fieldList struct {
	text   string // from brace to brace; of a nested group it is not kept
	delim  byte
	keys   *wire.Keys
	fields []field
	leaves int  // fields without a group, at all levels
	groups int  // fields with one, at all levels
	height int  // levels of groups, itself included
	unique bool // no name occurs twice, at all levels
}

type field struct {
	name  string
	group *fieldList
}

const (
	knownLists = 4      // the field lists that a parser knows again
	maxLists   = 64     // of which the memory is kept for others
	maxFields  = 1 << 7 // of one of these
)

// colon returns the first unquoted colon of s[i:end] and the first unquoted
// bracket before it; -1 for what is not there.
func (p *parser) colon(i, end int) (bracket, colon int) {
	bracket = -1
	others := uint64(brackets)
	for {
		i = lineStop(p.s, i, colons, others)
		if i >= end {
			return bracket, -1
		}
		switch p.s[i] {
		case ':':
			return bracket, i
		case '[':
			bracket = i
			others = colons
			i++
		case '"':
			i = p.skipQuoted(i, end)
		default: // a line end that is not this line's
			return bracket, -1
		}
	}
}

// skipQuoted returns the end of the quoted span that begins at i, which is that
// of the line if nothing closes it (section 5.2).
func (p *parser) skipQuoted(i, end int) int {
	for i++; i < end; i++ {
		switch p.s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return end
}

// header parses the header s[i:end], whose bracket is known.
func (p *parser) header(i, bracket, end int) (header, bool) {
	h := header{named: bracket > i, at: bracket, delim: ','}
	if h.named {
		if c := p.s[bracket-1]; c == ' ' || c == '\t' {
			return h, p.spaceInHeader(bracket-1, "between a key and its bracket")
		}
		var ok bool
		if h.key, ok = p.keyToken(i, bracket); !ok {
			return h, false
		}
	}
	i, ok := p.bracket(&h, end)
	if !ok {
		return h, false
	}
	if p.s[i] == '{' && i < end {
		if h.list, i = p.fieldList(i, end, h.delim); i < 0 {
			return h, false
		}
	} else if h.keyed {
		return h, p.fail(bracket, "bad_keyed_header", wire.ErrSyntax, "the header of a keyed table has no field list",
			"write key[2:]{a,b}:")
	}
	switch {
	case i >= end:
	case p.s[i] == ':':
		h.rest = p.skipSpaces(i+1, end)
		if h.list != nil && h.rest < end {
			return h, p.fail(h.rest, "content_after_header", wire.ErrSyntax, "something follows the header of a table in its line",
				"each row is in a line of its own")
		}
		return h, true
	case p.s[i] == ' ' || p.s[i] == '\t':
		return h, p.spaceInHeader(i, "before the header's colon")
	}
	return h, p.fail(i, "bad_header", wire.ErrSyntax, "expected a colon at the end of the header, found "+p.found(i, end), "")
}

// bracket parses a header's bracket and returns where it ends.
func (p *parser) bracket(h *header, end int) (int, bool) {
	s, i := p.s, h.at+1
	first := i
	for ; s[i]-'0' <= 9; i++ {
		if h.n > (math.MaxInt-9)/10 {
			h.n = math.MaxInt
		} else {
			h.n = h.n*10 + int(s[i]-'0')
		}
	}
	if i == first || s[first] == '0' && i > first+1 {
		return i, p.fail(first, "bad_length", wire.ErrSyntax,
			"a header's length is a number without a sign and leading zeros, not "+quote(p.s[first:max(first, end)]), "")
	}
	if s[i] == ':' {
		h.keyed = true
		i++
	}
	if s[i] == '\t' || s[i] == '|' {
		h.delim = s[i]
		i++
	}
	switch {
	case i >= end:
		return i, p.fail(h.at, "bad_header", wire.ErrSyntax, "the bracket is not closed", "")
	case s[i] == ']':
		return i + 1, true
	case s[i] == ',':
		return i, p.fail(i, "bad_header", wire.ErrSyntax, "a comma in the bracket",
			"leave it out: a header without a delimiter means the comma")
	case s[i] == ':':
		return i, p.fail(i, "bad_keyed_header", wire.ErrSyntax,
			"the colon of a keyed header is right after the length, before the delimiter", "")
	}
	code := "bad_length"
	if h.keyed || h.delim != ',' {
		code = "bad_header"
	}
	return i, p.fail(i, code, wire.ErrSyntax, "expected the end of the bracket, found "+p.found(i, end), "")
}

func (p *parser) spaceInHeader(i int, where string) bool {
	return p.fail(i, "space_in_header", wire.ErrSyntax, "white space "+where, "take it out")
}

// fieldList parses the field list that begins at i and returns its end, -1 after
// an error. The list is right until other headers have taken its place, which no row has.
func (p *parser) fieldList(start, end int, delim byte) (*fieldList, int) {
	for _, list := range p.known {
		if list != nil && list.delim == delim && strings.HasPrefix(p.s[start:end], list.text) {
			return list, start + len(list.text)
		}
	}
	list := p.newList()
	i := p.readFields(list, start, end, delim)
	if i > 0 {
		list.text, list.delim = p.s[start:i], delim
		p.release(p.known[p.replaced])
		p.known[p.replaced] = list
		p.replaced = (p.replaced + 1) % knownLists
	}
	return list, i
}

// newList returns an empty list.
func (p *parser) newList() *fieldList {
	n := len(p.idle) - 1
	if n < 0 {
		return &fieldList{fields: make([]field, 0, 4)}
	}
	list := p.idle[n]
	p.idle = p.idle[:n]
	return list
}

// release leaves the memory of a list to others, unless it is large.
func (p *parser) release(list *fieldList) {
	if list == nil {
		return
	}
	for _, f := range list.fields {
		p.release(f.group)
	}
	clear(list.fields)
	*list = fieldList{fields: list.fields[:0]}
	if len(p.idle) < maxLists && cap(list.fields) <= maxFields {
		p.idle = append(p.idle, list)
	}
}

// forget ends the time of the lists that are known.
func (p *parser) forget() {
	for i, list := range p.known {
		p.release(list)
		p.known[i] = nil
	}
}

// readFields is fieldList for a list that is empty. It returns the end.
func (p *parser) readFields(list *fieldList, start, end int, delim byte) int {
	if p.depth--; p.depth < 0 {
		p.tooDeep(start)
		return -1
	}
	list.height, list.unique = 1, true
	o := p.Object()
	for i := start + 1; ; i++ {
		name, next := p.fieldName(i, end, delim)
		if next < 0 {
			return -1
		}
		if !p.Key(&o, name) {
			if p.strict {
				return p.failAt(i, wire.CodeDuplicateField, wire.ErrDuplicateKey, "a field list names "+quote(name)+" twice", "")
			}
			list.unique = false
		}
		p.Put(&o, wire.Null())
		f := field{name: name}
		if next < end && p.s[next] == '{' {
			f.group = p.newList()
			if next = p.readFields(f.group, next, end, delim); next < 0 {
				return -1
			}
			list.unique = list.unique && f.group.unique
			list.leaves += f.group.leaves
			list.groups += f.group.groups + 1
			list.height = max(list.height, f.group.height+1)
			next = p.skipSpaces(next, end)
		} else {
			list.leaves++
		}
		list.fields = append(list.fields, f)
		if i = next; i < end && p.s[i] == delim {
			continue
		}
		if i < end && p.s[i] == '}' {
			p.depth++
			// The builder has a key list for all objects of this shape.
			list.keys = p.KeysOf(p.EndObject(&o))
			return i + 1
		}
		return p.badFieldList(i, end, delim)
	}
}

// badFieldList fails because at i neither a delimiter nor the closing brace is.
func (p *parser) badFieldList(i, end int, delim byte) int {
	if i < end && strings.IndexByte(",|\t", p.s[i]) >= 0 && p.s[i] != delim {
		return p.failAt(i, "delimiter_mismatch", wire.ErrSyntax,
			"the bracket's delimiter is "+delimiterNames[delim]+", the field list has "+delimiterNames[p.s[i]],
			"use one delimiter in the header and its rows")
	}
	return p.failAt(i, "bad_field_list", wire.ErrSyntax,
		"expected a delimiter or a closing brace in the field list, found "+p.found(i, end), "")
}

var delimiterNames = map[byte]string{',': "the comma", '\t': "the tab", '|': "the pipe"}

// fieldName parses a name of a field list and returns where its group, the next
// delimiter or the brace is.
func (p *parser) fieldName(i, end int, delim byte) (string, int) {
	i = p.skipSpaces(i, end)
	if i < end && p.s[i] == '"' {
		name, next := p.quoted(i, end)
		if next < 0 {
			return "", -1
		}
		after := p.skipSpaces(next, end)
		switch {
		case after < end && p.s[after] == '{' && after > next:
			p.spaceInHeader(next, "between a field's name and its group")
			return "", -1
		case after < end && strings.IndexByte(",|\t{}", p.s[after]) < 0:
			return "", p.afterQuote(after, end)
		}
		return name, after
	}
	j := i
	for j < end && strings.IndexByte(",|\t{}", p.s[j]) < 0 {
		if p.s[j] == '"' {
			j = p.skipQuoted(j, end)
		} else {
			j++
		}
	}
	name := strings.TrimRight(p.s[i:j], " ")
	switch {
	case name == "":
		if j < end && p.s[j] != delim && p.s[j] != '{' && p.s[j] != '}' {
			return "", p.badFieldList(j, end, delim)
		}
		return "", p.failAt(j, "bad_field_list", wire.ErrSyntax, "a field without a name", "")
	case j < end && p.s[j] == '{' && p.s[j-1] == ' ':
		p.spaceInHeader(j-1, "between a field's name and its group")
		return "", -1
	}
	return name, j
}
