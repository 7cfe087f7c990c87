package gcx

import (
	"slices"

	"github.com/wirekit/wirekit/wire"
)

// Tools mostly answer with an object around their lists. The generic fallback
// makes one row of it, each list a cell of JSON, and saves nothing. Written as
// sections, the lists are tables:
//
//	{"total":2,"symbols":[{"id":"a","line":1},{"id":"b","line":2}],"task":"find it"}
//
//	GCX1 tool=data.symbols total=2 fields=id,line rows=2 sections=2
//	a	1
//	b	2
//	GCX1 tool=data.task fields=value types=a
//	find it
//
// A member is a section, its key behind the first dot of the tool, or, if it is
// a scalar that a header holds as it is, a meta pair. The order of the headers
// is the order of the members, fields= standing for the section's own: pairs of
// members before the first list stand before its fields=. Sections that are not
// lists have types=, which tells them from the lists of other producers, who
// seldom write rows=.

// worthWrapping reports whether an object has a list that makes a table.
func worthWrapping(v wire.Value) bool {
	if v.Kind() != wire.KindObject {
		return false
	}
	for e := range v.Elements() {
		if e.Kind() == wire.KindArray && e.Len() > 1 && e.Index(0).Kind() == wire.KindObject && columns(e.Index(0).Keys()) {
			return true
		}
	}
	return false
}

// AppendWrapped appends an object as one section per list, whether or not
// AppendEncode would. Without Plain nothing is lost: Decode gives the object
// back, all its members and their order. With Plain the payload has the shape
// that upstream's benchmark publishes: one list is a section under the tool's
// own name, which loses its key; several are sections with the key behind the
// tool; scalars are meta pairs of the first; other members become the row of a
// last section, "meta" behind the tool.
//
// A value that is not an object with a list is written as AppendEncode does.
func (c Codec) AppendWrapped(dst []byte, v wire.Value) ([]byte, error) {
	if !hasList(v) {
		return c.AppendEncode(dst, v)
	}
	e := newValueEncoder(c, dst)
	if c.Plain {
		e.plainWrapped(v)
	} else {
		e.wrapped(v)
	}
	return e.finish(v)
}

func hasList(v wire.Value) bool {
	if v.Kind() != wire.KindObject {
		return false
	}
	for e := range v.Elements() {
		if e.Kind() == wire.KindArray && e.Len() > 0 {
			return true
		}
	}
	return false
}

// wrapped writes the members of v, at least one of which is not safe in a
// header.
func (e *valueEncoder) wrapped(v wire.Value) {
	if e.depth < 1 {
		e.fail(tooDeep())
		return
	}
	base := e.baseToken() + "."
	sections := 0
	inHeader := make([]bool, v.Len())
	texts := make([]string, v.Len())
	for i := range inHeader {
		if texts[i], inHeader[i] = metaText(v.Key(i), v.Index(i)); !inHeader[i] {
			sections++
		}
	}
	x := sectionExtras{depth: 1, sections: sections}
	for i := 0; i < v.Len(); {
		if inHeader[i] { // only before the first section
			x.before = append(x.before, Meta{v.Key(i), texts[i]})
			i++
			continue
		}
		at := i
		for i++; i < v.Len() && inHeader[i]; i++ {
			x.after = append(x.after, Meta{v.Key(i), texts[i]})
		}
		key := v.Key(at)
		if e.c.Interop && !plainToken(key, "") {
			e.fail(foreign("section " + key))
		}
		x.marked = v.Index(at).Kind() != wire.KindArray
		e.section(string(appendToken([]byte(base), key, "")), v.Index(at), x)
		if e.err != nil {
			wire.AtKey(e.err, key)
			return
		}
		x = sectionExtras{depth: 1}
	}
}

// maxMeta bounds what is put into a header.
const maxMeta = 128

// metaText returns the text of a member in a header, and whether it can be
// there: whether every decoder reads it back as the same key and text, and this
// package's as the same value.
func metaText(key string, v wire.Value) (string, bool) {
	if key == "" || reserved(key) || len(key) > maxMeta || !plainToken(key, "=") {
		return "", false
	}
	var text string
	switch v.Kind() {
	case wire.KindNull:
		text = "null"
	case wire.KindBool, wire.KindNumber:
		text = string(wire.AppendJSON(nil, v))
	case wire.KindString:
		text = v.Text()
		if stringLetters(text) != anyLetter {
			return "", false
		}
	case wire.KindArray, wire.KindObject:
		if v.Len() > 0 {
			return "", false
		}
		text = string(wire.AppendJSON(nil, v))
	default:
		return "", false
	}
	return text, len(text) <= maxMeta && plainToken(text, "")
}

// plainWrapped writes the sections that upstream's benchmark makes of a
// wrapper, with every other member kept.
func (e *valueEncoder) plainWrapped(v wire.Value) {
	if e.depth < 1 {
		e.fail(tooDeep())
		return
	}
	base := string(appendToken(nil, e.c.tool(), ""))
	var lists []int
	var meta []Meta
	var rest []wire.Member
	for i := range v.Len() {
		key, member := v.Key(i), v.Index(i)
		if member.Kind() == wire.KindArray {
			lists = append(lists, i)
		} else if text, ok := metaText(key, member); ok {
			meta = append(meta, Meta{key, text})
		} else {
			rest = append(rest, wire.Member{Key: key, Value: member})
		}
	}
	for _, i := range lists {
		token := base
		if len(lists) > 1 {
			token = string(appendToken([]byte(base+"."), v.Key(i), ""))
		}
		e.plainSection(token, v.Index(i), slices.Clip(meta), 1)
		if e.err != nil {
			wire.AtKey(e.err, v.Key(i))
			return
		}
		meta = nil
	}
	if rest != nil {
		object, err := wire.Object(rest...)
		if err != nil {
			e.err = err
			return
		}
		e.plainSection(base+".meta", object, nil, 0)
	}
}
