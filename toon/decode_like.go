package toon

import (
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// Objects in a list, or at one place of the objects of a list, have much the same
// lines: the same keys, at the same depth. Such an object is parsed after the one
// before it: each line is compared with the beginning that is expected, which
// needs no search for its end, its indentation and its colon. Where the lines
// differ, the functions that take lines apart go on.

// A layout is how the lines of an object begin.
type layout struct {
	keys  *wire.Keys
	sites []site
	depth int  // of the lines
	item  bool // the first of them has a list item's hyphen
}

// A site is a place in a document where a line is expected, or a list's item.
type site struct {
	label          // line end, indentation, hyphen if there is one, and key as it is written
	inner  *layout // of the object, or item, that was there last
	misses uint8   // objects since then that began otherwise
}

// A label is a text that is compared with what is in a document.
type label struct {
	text        string
	first, last uint64 // its words, which overlap below 16 bytes; below 8 it is the first
}

const (
	// maxLayout is the number of members up to which an object is a model.
	maxLayout = 128
	// maxLayouts is how many objects of a document are, maxSites how many members
	// they have together, and maxLabels how long the labels of these are.
	maxLayouts = 256
	maxSites   = 4 << 10
	maxLabels  = 64 << 10
	// maxMisses is after how many objects that begin otherwise a model is replaced.
	maxMisses = 2
	// sharedSites is how many sites items share, by depth, and nested objects of others
	// than their like, by depth and the length of their key: few have one for another's.
	sharedSites = 16
)

// learned is what a parser knows about the lines and headers of a document. Its memory is used
// again for the next one; what is in it is not.
type learned struct {
	// objects and items are the sites of those that have none of their own.
	objects, items [sharedSites]site
	layouts        slab[layout]
	sites          slab[site]
	labels         slab[byte]

	lists  slab[fieldList]
	fields slab[field]
	open   []field                // of the lists that are not complete
	known  [knownLists]*fieldList // the last ones: tables in a list have the same header each
	next   int                    // of known that is replaced
}

// below parses the nested object at the depth that a line which ends at i begins.
func (p *parser) below(at *site, i, depth int) (wire.Value, bool) {
	if p.begins(at, i, depth, false) {
		return p.like(at.inner, i, depth)
	}
	p.plainNext(i, depth)
	v, ok := p.nested(i, depth)
	if ok {
		p.learn(at, v, depth, false)
	}
	return v, ok
}

// begins reports whether an object, or an item, with members at the depth begins
// after the line that ends at i as the one before at the site did, and may be
// parsed like it.
func (p *parser) begins(at *site, i, depth int, item bool) bool {
	l := at.inner
	if l == nil || l.depth != depth || l.item != item || p.shift != 0 || p.depth == 0 {
		return false
	}
	next := l.sites[0].after(p.s, i, p.end)
	if next < 0 || p.values == 0 {
		return false
	}
	if p.s[next] == '[' { // an item without a colon is a string
		_, colon := p.colon(next, next+strings.IndexByte(p.s[next:], '\n'))
		return colon >= 0
	}
	return p.s[next] == ':'
}

// learn makes the object v, whose members are at the depth, the one that the next
// at the site is parsed like. The line of an item's first member has the hyphen.
func (p *parser) learn(at *site, v wire.Value, depth int, item bool) {
	if at.inner != nil {
		if at.misses++; at.misses <= maxMisses {
			return
		}
	}
	known, indent, keys := p.shared(), depth*p.unit, p.KeysOf(v)
	if keys == nil || keys.Len() < 2 || keys.Len() > maxLayout || p.shift != 0 || indent > len(spaces) {
		return
	}
	room := 0
	for _, key := range keys.All() {
		room += len("\n- ") + indent + len(`""`) + len(`\u0000`)*len(key) // at most
	}
	if known.layouts.taken == maxLayouts || known.sites.taken+keys.Len() > maxSites || known.labels.taken+room > maxLabels {
		return
	}
	l := &known.layouts.take(1, maxLayouts)[0]
	*l = layout{keys: keys, sites: known.sites.take(keys.Len(), maxSites), depth: depth, item: item}
	text := known.labels.take(room, maxLabels)[:0]
	for k, key := range keys.All() {
		from := len(text)
		text = append(append(text, '\n'), spaces[:indent]...)
		if item && k == 0 {
			text = append(text[:len(text)-p.unit], "- "...)
		}
		text = appendKey(text, key)
		l.sites[k].label = newLabel(p.TextOf(text[from:]))
	}
	known.labels.untake(room - len(text))
	at.inner, at.misses = l, 0
}

func newLabel(text string) label {
	l := label{text: text}
	if n := len(text); n >= 8 {
		l.first, l.last = scan.Load64(text, 0), scan.Load64(text, n-8)
	} else {
		for i := range n {
			l.first |= uint64(text[i]) << (8*i + 64 - 8*n)
		}
	}
	return l
}

// after returns the position after the label if that is at i, else -1. The text
// goes on after the label.
func (l *label) after(s string, i, end int) int {
	n := len(l.text)
	next := i + n
	switch {
	case next >= end:
		return -1
	case n < 8:
		if scan.Load64(s, i)<<(64-8*n) != l.first {
			return -1
		}
	case scan.Load64(s, i) != l.first || scan.Load64(s, next-8) != l.last || n > 16 && s[i+8:next-8] != l.text[8:n-8]:
		return -1
	}
	return next
}

// like parses an object, whose members are at the depth, like one of the layout, which it
// begins as, and makes the line after it the current one. i is the end of the line before it.
func (p *parser) like(l *layout, i, depth int) (v wire.Value, ok bool) {
	p.depth--
	p.values--
	s, k, o := p.s, 0, p.Object()
	mark := p.Mark()
	for ; k < len(l.sites) && p.values > 0; k++ {
		next := l.sites[k].after(s, i, p.end)
		if next < 0 || s[next] != ':' && s[next] != '[' {
			break
		}
		end := -1
		switch {
		case s[next] == '[':
			v, end = p.likeArray(next, depth)
		case s[next+1] == ' ':
			if v, end = p.plainRest(next + 2); end >= 0 {
				p.values--
			}
		}
		if end < 0 { // it is not plain, or goes on in other lines
			p.line, p.blank = line{start: i + 1, text: i + 1 + depth*p.unit, depth: depth}, -1
			if v, ok = p.memberLine(&l.sites[k], l.keys.At(k), next, depth); !ok {
				return v, false
			}
			end = p.resumed()
		}
		p.Push(v)
		if end == isLost {
			return p.fallBack(l, &o, k+1, depth)
		}
		i = end
	}
	if k < len(l.sites) || !p.endsAbove(i, depth) {
		p.next = i + 1
		p.advance()
		return p.fallBack(l, &o, k, depth)
	}
	p.depth++
	p.plainNext(i, depth-1)
	return p.Row(l.keys, mark), true
}

// memberLine parses the value of the key of the current line, which has its colon or its
// bracket at next, and the lines below that belong to it.
func (p *parser) memberLine(at *site, key string, next, depth int) (v wire.Value, ok bool) {
	switch bracket := p.s[next] == '['; {
	case !bracket && p.s[next+1] == '\n': // or it is an empty object
		v, ok = p.below(at, next+1, depth+1)
	case !bracket:
		p.whole()
		v, ok = p.fieldValue(p.skipSpaces(next+1, p.line.end), p.line.end, depth)
	default:
		p.whole()
		if _, colon := p.colon(next, p.line.end); colon < 0 {
			return v, p.scalarLine()
		}
		h, valid := p.header(next, next, p.line.end)
		if !valid {
			return v, false
		}
		v, ok = p.headed(&h, depth, p.line.end)
	}
	if !ok {
		wire.AtKey(p.err, key)
	}
	return v, ok
}

// likeArray parses an array of few plain elements in one line, from its bracket on, or
// one without elements, that belongs to a line at the depth. It returns the line's
// end; -1 for all else.
func (p *parser) likeArray(i, depth int) (wire.Value, int) {
	s, n := p.s, int(p.s[i+1]-'0')
	if i += 2; n > 9 {
		return wire.Value{}, -1
	}
	if c := s[i] - '0'; c <= 9 && n > 0 {
		n, i = 10*n+int(c), i+1
	}
	switch {
	case s[i] != ']' || s[i+1] != ':' || p.depth == 0 || p.values <= n:
	case n == 0 && s[i+2] == '\n':
		if p.endsAbove(i+2, depth+1) {
			p.values--
			return p.Array(p.Mark()), i + 2
		}
	case n > 0 && s[i+2] == ' ' && s[i+3] != '\n':
		return p.plainArray(n, i+3, commas)
	}
	return wire.Value{}, -1
}

// isLost is what resumed returns where the current line has to be taken apart.
const isLost = -1

// resumed returns the end of the line before the current one if that may be the next
// member of an object, or what ends it; else isLost.
func (p *parser) resumed() int {
	if i := p.line.start - 1; p.blank < 0 && p.line.fault == faultNone && p.s[i] == '\n' && p.shift == 0 {
		return i
	}
	return isLost
}

// endsAbove reports whether the line after the one that ends at i is above the
// depth for certain.
func (p *parser) endsAbove(i, depth int) bool {
	if i+1 >= p.end {
		return true
	}
	from := i + 1
	to := from
	for p.s[to] == ' ' {
		to++
	}
	switch p.s[to] {
	case '\t', '\r', '\n', '#':
		return false
	}
	return to-from < depth*p.unit
}

// fallBack parses the rest of an object, from the current line on, of which k members
// were like the layout's and have their values on the stack.
func (p *parser) fallBack(l *layout, o *wire.ObjectBuilder, k, depth int) (wire.Value, bool) {
	for i := range k {
		p.Key(o, l.keys.At(i))
	}
	if !p.fields(o, depth) {
		return wire.Value{}, false
	}
	p.leave()
	return p.EndObject(o), true
}
