package gcx

import (
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/codec/builder"
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
// A member is a section, its key after the first dot of the tool, or, if it is
// a scalar that a header holds as it is, a meta pair. The order of the headers
// is the order of the members, fields= standing for the section's own: pairs of
// members before the first list are before its fields=. Sections that are not
// lists have types=, which tells them from the lists of other producers, who
// seldom write rows=.

// worthWrapping reports whether an object has a list that makes a table.
func worthWrapping(v wire.Value) bool {
	return hasList(v, func(list wire.Value) bool {
		return list.Len() > 1 && list.Index(0).Kind() == wire.KindObject && areFields(list.Index(0).Keys())
	})
}

// AppendObject appends an object as one section per list, whether or not
// AppendEncode would. Without Plain nothing is lost: Decode gives the object
// back, all its members and their order. With Plain the payload has the shape
// that upstream's benchmark publishes: one list is a section under the tool's
// own name, which loses its key; several are sections with the key after the
// tool; scalars are meta pairs of the first; other members become the row of a
// last section, "meta" after the tool.
//
// A value that is not an object with a list is written as AppendEncode does.
func (c Codec) AppendObject(dst []byte, v wire.Value) ([]byte, error) {
	if !hasList(v, func(list wire.Value) bool { return list.Len() > 0 }) {
		return c.AppendEncode(dst, v)
	}
	e := encoders.Get().(*valueEncoder).begin(&c, dst)
	defer e.giveBack()
	if c.Plain {
		e.plainWrapped(v)
	} else {
		e.wrapped(v)
	}
	return e.finish(v)
}

// hasList reports whether an object has a list of a kind.
func hasList(v wire.Value, good func(list wire.Value) bool) bool {
	if v.Kind() != wire.KindObject {
		return false
	}
	for e := range v.Elements() {
		if e.Kind() == wire.KindArray && good(e) {
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
	e.token = append(e.baseToken(), '.')
	base := len(e.token)
	sections := 0
	meta := slices.Grow(e.meta[:0], v.Len())[:v.Len()] // without a key where a member is a section
	e.meta = meta
	for i := range meta {
		meta[i] = Meta{}
		if text, ok := metaText(v.Keys().At(i), v.Index(i)); ok {
			meta[i] = Meta{v.Keys().At(i), text}
		} else {
			sections++
		}
	}
	x := sectionExtras{depth: 1, sections: sections}
	i := 0
	for meta[i].Key != "" {
		i++
	}
	x.before = meta[:i]
	for i < len(meta) {
		at := i
		for i++; i < len(meta) && meta[i].Key != ""; i++ {
		}
		x.after = meta[at+1 : i]
		key := v.Keys().At(at)
		if e.c.Interop && !plainToken(key, "") {
			e.fail(foreign("section " + key))
		}
		x.marked = v.Index(at).Kind() != wire.KindArray
		e.token = appendToken(e.token[:base], key, "")
		e.section(e.token, v.Index(at), x)
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
	switch k := v.Kind(); {
	case k == wire.KindNumber, k == wire.KindString && stringLetters(v.Text()) == anyLetter:
		text = v.Text()
	case k == wire.KindNull:
		text = "null"
	case k == wire.KindBool:
		text = strconv.FormatBool(v.Bool())
	case k == wire.KindArray && v.Len() == 0:
		text = "[]"
	case k == wire.KindObject && v.Len() == 0:
		text = "{}"
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
	base := plainTool(e.c.tool())
	var lists []int
	var meta []Meta
	var rest []wire.Member
	for i := range v.Len() {
		key, member := v.Keys().At(i), v.Index(i)
		if member.Kind() == wire.KindArray {
			lists = append(lists, i)
		} else if text, ok := metaText(key, member); ok {
			meta = append(meta, Meta{key, text})
		} else {
			rest = append(rest, wire.Member{Key: key, Value: member})
		}
	}
	e.refuseTwins(len(lists), func(i int) string { return v.Keys().At(lists[i]) })
	for _, i := range lists {
		token := base
		if len(lists) > 1 {
			token = base + "." + plainTool(v.Keys().At(i))
		}
		e.plainSection(token, v.Index(i), slices.Clip(meta), 1)
		if e.err != nil {
			wire.AtKey(e.err, v.Keys().At(i))
			return
		}
		meta = nil
	}
	if rest != nil {
		e.plainSection(base+".meta", builder.Object(rest...), nil, 0)
	}
}
