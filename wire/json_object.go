package wire

import (
	"fmt"
	"strings"
)

// This file parses objects. Most have the keys of the last object at the same site, and
// the same text between their values: as long as that holds, values go straight to their
// slots and a key costs one comparison.
//
//	object ── every member as predicted ─────────────────────> the object
//	  │  └─── another text: fallBack ── a prefix: cutShort ──> the object
//	  │                        └─ another member: moreMembers ─> the object
//	  └────── no prediction: newObject ──────────^

// object parses an object at a site, which has the shape of the last one there.
func (p *jsonParser) object(i int, site **shape) (Value, int) {
	if p.depth--; p.depth < 0 {
		return Value{}, p.tooDeep(i)
	}
	predicted := *site
	if predicted == nil || p.budget < 0 || p.end-i < predicted.text+len(`"":0,`)*predicted.depth {
		return p.newObject(i, site)
	}
	gaps := p.gaps(predicted)
	p.budget -= len(gaps)
	slots := p.take(len(gaps) + 1)
	for n := range gaps {
		g := &gaps[n]
		next := i + len(g.text)
		if !g.is(p.buf, i, next) {
			if next = p.otherGap(i, n, g); next < 0 {
				return p.fallBack(i, predicted, slots, n, site)
			}
		}
		if p.values--; p.values < 0 {
			return Value{}, p.tooMany(next)
		}
		if i = p.value(next, &slots[n], &g.shape.inside); i < 0 {
			return Value{}, p.within(g.shape.key)
		}
	}
	if p.buf[i] <= ' ' {
		i = p.space(i)
	}
	if p.buf[i] != '}' {
		return p.fallBack(i, predicted, slots, len(gaps), site)
	}
	p.depth++
	p.budget += predicted.depth
	if p.sink != nil {
		return ours{&p.Builder}.RowOf(predicted.keys, slots[:len(gaps)]), i + 1
	}
	slots[len(gaps)] = keysValue(predicted.keys)
	return childrenValue(KindObject, &slots[0], len(gaps)), i + 1
}

// A gap is the text between two values of an object, from the comma, or the brace, to the
// first byte of the next value: the next object like it, at the same depth, most likely
// has the same one.
type gap struct {
	text  []byte // with eight bytes at least that can be read
	shape *shape // that ends with the value's key
}

// maxGap is how much longer than its key the text of a gap may be.
const maxGap = 64

// gaps returns the gaps of objects of a shape at this depth. One shape often occurs at two
// neighbouring depths, so it has two lists of them.
func (p *jsonParser) gaps(s *shape) []gap {
	gaps := s.gaps[p.depth&1]
	if gaps == nil {
		gaps = make([]gap, s.depth)
		s.gaps[p.depth&1] = gaps
		for at := s; at.depth > 0; at = at.parent {
			gaps[at.depth-1].shape = at
		}
	}
	return gaps
}

// is reports whether buf[i:end] is the gap, which is as long.
func (g *gap) is(buf []byte, i, end int) bool {
	n := end - i
	if n <= 8 {
		return n > 0 && (load(buf, i)^load(g.text, 0))<<((64-8*n)&63) == 0
	}
	if end > len(buf) || load(buf, end-8) != load(g.text, n-8) {
		return false
	}
	for at := 0; at < n-8; at += 8 {
		if load(buf, i+at) != load(g.text, at) {
			return false
		}
	}
	return true
}

// otherGap parses gap n of an object if it is written in another way than the last time:
// the key between a brace or comma and a colon, with white space between all. It remembers
// that text. It returns -1 if there is something else.
func (p *jsonParser) otherGap(i, n int, g *gap) int {
	key := g.shape.key
	from := p.space(i)
	i = p.space(from + 1)
	end := i + 1 + len(key)
	if p.buf[from] != "{,"[min(n, 1)] || end >= p.end || p.buf[i] != '"' || p.buf[end] != '"' || string(p.buf[i+1:end]) != key || !g.shape.plain {
		return -1
	}
	if i = p.space(end + 1); p.buf[i] != ':' {
		return -1
	}
	i = p.space(i + 1)
	switch text := p.buf[from:i]; {
	case len(text) > len(key)+maxGap:
	case p.tree == &p.root:
		g.text = text
	default: // the tree stays longer than the text
		g.text = append(append(g.text[:0], text...), jsonPadding[:8]...)[:len(text)]
	}
	return i
}

// fallBack goes on with an object of which the first n members, in slots, are as predicted
// and what follows at i is not.
func (p *jsonParser) fallBack(i int, predicted *shape, slots []Value, n int, site **shape) (Value, int) {
	at := predicted
	for at.depth > n {
		at = at.parent
	}
	if i = p.space(i); n > 0 && p.buf[i] == '}' {
		if 4*n < 3*predicted.depth {
			*site = at // the next object is likely to be as short
		}
		return p.cutShort(at, predicted, slots), i + 1
	}
	o := p.Object()
	o.at = at
	p.stack = append(p.stack, slots[:n]...)
	// What is taken to no avail is bounded: objects within each other may all seem to be like
	// a large one.
	if p.untake(slots) {
		p.budget += len(slots) - 1
	}
	if n == 0 {
		return p.newObject(i, site)
	}
	return p.moreMembers(i, &o, site)
}

// cutShort returns the object that has the shape at, the beginning of what was predicted,
// with its members in the first slots.
func (p *jsonParser) cutShort(at, predicted *shape, slots []Value) Value {
	n := at.depth
	if p.untake(slots[n+1:]) {
		p.budget += predicted.depth - n
	}
	p.budget += n
	p.depth++
	return ours{&p.Builder}.RowOf(p.list(at), slots[:n])
}

// newObject parses an object from its opening brace.
func (p *jsonParser) newObject(i int, site **shape) (Value, int) {
	o := p.Object()
	if i = p.space(i + 1); p.buf[i] == '}' {
		p.depth++
		return p.EndObject(&o), i + 1
	}
	if i = p.member(i, &o); i < 0 {
		return Value{}, i
	}
	return p.moreMembers(i, &o, site)
}

// moreMembers parses the rest of an object from after a member on.
func (p *jsonParser) moreMembers(i int, o *ObjectBuilder, site **shape) (Value, int) {
	for {
		switch p.buf[i] {
		case ',':
			if i = p.member(p.space(i+1), o); i < 0 {
				return Value{}, i
			}
		case '}':
			*site = o.at
			p.depth++
			return p.EndObject(o), i + 1
		default:
			return Value{}, p.expected(i, "',' or '}' after a member")
		}
	}
}

// member parses a member and the white space after it.
func (p *jsonParser) member(i int, o *ObjectBuilder) int {
	if p.buf[i] != '"' {
		return p.expected(i, "a key in quotation marks")
	}
	keyAt := i
	if i = p.key(o, i+1); i < 0 {
		return i
	}
	if o.slot >= 0 && p.rejectDup {
		return p.fail(keyAt, CodeDuplicateKey, ErrDuplicateKey, fmt.Sprintf("key %.60q occurs twice in one object", o.lastKey()))
	}
	if i = p.space(i); p.buf[i] != ':' {
		return p.expected(i, "':' after a key")
	}
	i = p.space(i + 1)
	if p.values--; p.values < 0 {
		return p.tooMany(i)
	}
	at := o.mark + o.slot
	if o.slot < 0 {
		at = len(p.stack)
		p.push(Value{})
	}
	inner := &p.wideSite
	if o.at != nil {
		inner = &o.at.inside
	}
	if i = p.stacked(i, at, inner); i < 0 {
		return p.within(strings.Clone(o.lastKey()))
	}
	o.slot = -1
	return p.space(i)
}

// key parses a key from after its opening quotation mark on. Often it is the one
// that followed in the last object of the same shape.
func (p *jsonParser) key(o *ObjectBuilder, start int) int {
	if o.at != nil {
		if next := o.at.last; next != nil && next.plain {
			if end := start + len(next.key); end < p.end && p.buf[end] == '"' && string(p.buf[start:end]) == next.key {
				o.at = next
				return end + 1
			}
		}
	}
	key, i := p.text(start, start)
	if i >= 0 {
		p.Key(o, key)
	}
	return i
}

// lastKey returns the key that Key was called with last.
func (o *ObjectBuilder) lastKey() string {
	switch {
	case o.slot >= 0 && o.at != nil:
		return o.at.list().names[o.slot]
	case o.slot >= 0:
		return o.wide.names[o.slot]
	case o.at != nil:
		return o.at.key
	}
	return o.wide.names[len(o.wide.names)-1]
}
