package gcx

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
)

var goOutputs gotext.Outputs

// minGoDepth is more than the levels of any value that needs no Values.
const minGoDepth = 128

// goRows write structs, and lists of them, as the valueEncoder writes their values:
// the sections of a payload, and the rows of the one that is being written. Their
// methods report false for what needs Values, errors included. They are given the
// text and return it, for what is stored through a pointer has a write barrier.
type goRows struct {
	columnLetters
	max   int    // length of the text that the limit allows
	room  int    // empty cells that tables may still have
	token string // of the tool, "" for the default one

	interop bool    // names that are not plain need Values
	places  []uint8 // of the variants of rows among all that were found
	// json is borrowed, nil before its first use. It has memory of its own, or the
	// slices could not have theirs on the stack.
	json **gotext.JSONWriter
}

// goRoom is memory for the columns and the rows of a short section.
type goRoom struct {
	sets   [24]letterSet
	flags  [24]columnFlags
	places [16]uint8
}

// appendGo appends the payload of a value that needs no Value on its way.
func (c *Codec) appendGo(dst []byte, v any) ([]byte, bool) {
	// Columns are not reordered, and levels of nesting are not counted.
	if c.Plain || c.Reorder || c.Limits.Depth > 0 && c.Limits.Depth < minGoDepth {
		return nil, false
	}
	root, p := goRoots.Of(v, goRootOf)
	if root.Plan == nil || p == nil {
		return nil, false
	}
	var room goRoom
	var json *gotext.JSONWriter
	var r goRows
	r.json = &json
	r.sets, r.flags, r.places, r.interop = room.sets[:0], room.flags[:0], room.places[:0], c.Interop
	limits := &defaultLimits
	if c.limited() {
		given := c.Limits.Resolved()
		limits = &given
	}
	r.max, r.room = bound.Add(len(dst), limits.OutputBytes), limits.Values/2
	if c.Tool != "" {
		r.token = string(appendToken(nil, c.Tool, "."))
	}
	payload, ok := r.document(dst, root.Plan, p, c)
	if json != nil {
		json.GiveBack()
	}
	// What is longer might hold more values than FromGo takes.
	if !ok || len(payload)-len(dst) > bound.Values || len(payload) > r.max || !scan.IsUTF8(payload[len(dst):]) {
		return nil, false
	}
	return payload, !c.Interop || c.checkLine(payload[len(dst):]) == nil
}

// document appends the payload of a root.
func (r *goRows) document(dst []byte, t *goRoot, p gotype.Ptr, c *Codec) ([]byte, bool) {
	if c.Interop && (t.node.Form != gotext.List || !plainToken(c.Tool, "")) {
		return nil, false // keys of sections and pairs are not looked at
	}
	if t.node.Form == gotext.Struct && !c.Single && worthWrappingGo(t.rows, p) {
		return r.wrapped(dst, t.rows, p)
	}
	n, p := target(t.node, p)
	return r.section(dst, &goAlone, &t.goMember, n, p)
}

// writer returns the writer of JSON text.
func (r *goRows) writer() *gotext.JSONWriter {
	if *r.json == nil {
		*r.json = gotext.BorrowJSONWriter(&gowire.Types, r.max)
	}
	return *r.json
}

// target returns what the pointers of a value lead to; nil for null.
func target(n *gotext.Node, p gotype.Ptr) (*gotext.Node, gotype.Ptr) {
	for n.Form == gotext.Pointer {
		if p = *gotype.At[gotype.Ptr](p); p == nil {
			return n, nil
		}
		n = n.Elem
	}
	if (n.Form == gotext.List || n.Form == gotext.Map) && *gotype.At[gotype.Ptr](p) == nil {
		return n, nil
	}
	return n, p
}

// of returns the member of the struct at p; nil for null.
func (m *goMember) of(p gotype.Ptr) gotype.Ptr {
	_, p = target(m.Node, gotype.Add(p, m.Offset))
	return p
}

// worthWrappingGo is worthWrapping for the struct at p.
func worthWrappingGo(s *goStruct, p gotype.Ptr) bool {
	for _, m := range s.lists {
		q := m.of(p)
		if q == nil || m.Optional && m.Absence.Of(p) {
			continue
		}
		list := gotype.At[gotype.Slice](q)
		if list.Len < 2 {
			continue
		}
		if m.rows == nil {
			return true // it needs Values, which wrapped finds out
		}
		if _, first := target(m.value.Elem, list.Data); first != nil {
			if v := m.rows.variant(first); v == nil || v.text != "" {
				return true
			}
		}
	}
	return false
}

// goAround is what a section's header has besides its tool and fields: pairs for
// members of the struct at parent, nil if there is none around the section, before
// and after the fields.
type goAround struct {
	parent        gotype.Ptr
	before, after []*goMember
	marked        bool
	sections      int // of the payload, in the first header
}

// goAlone is around the only section.
var goAlone goAround

// wrapped is that of valueEncoder for the struct at p.
func (r *goRows) wrapped(dst []byte, s *goStruct, p gotype.Ptr) (_ []byte, ok bool) {
	v := s.variant(p)
	if v == nil || len(v.members) > 64 {
		return nil, false
	}
	pairs := v.pairs // the members that are pairs in headers
	for rest := v.perhaps; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(rest); v.members[i].isPair(p) {
			pairs |= 1 << i
		}
	}
	i := bits.TrailingZeros64(^pairs)
	x := goAround{parent: p, before: v.members[:i], sections: len(v.members) - bits.OnesCount64(pairs)}
	for i < len(v.members) {
		m, next := v.members[i], i+1+bits.TrailingZeros64(^(pairs>>i>>1))
		x.after = v.members[i+1 : next]
		n, q := target(m.Node, gotype.Add(p, m.Offset))
		x.marked = q == nil || n.Form != gotext.List
		if dst, ok = r.section(dst, &x, m, n, q); !ok {
			return nil, false
		}
		x.before, x.sections = nil, 0
		i = next
	}
	return dst, true
}

// isPair reports whether a member of the struct at p, which is not always a number or
// a boolean, can be a pair in a header, as its key can, see metaText.
func (m *goMember) isPair(p gotype.Ptr) bool {
	if m.Op == gotype.String {
		return isPairText(*gotype.At[string](gotype.Add(p, m.Offset)))
	}
	n, q := target(m.Node, gotype.Add(p, m.Offset))
	if q == nil {
		return true
	}
	switch n.Form {
	case gotext.Struct:
		return len(n.Members) == 0 || n.Optional == len(n.Members) && m.rows != nil && m.rows.isEmpty(q)
	case gotext.List:
		return gotype.At[gotype.Slice](q).Len == 0
	case gotext.Map:
		return n.Maps.Len(q) == 0
	}
	switch n.Op {
	case gotype.String:
		return isPairText(*gotype.At[string](q))
	case gotype.Time:
		return false
	}
	return true
}

func isPairText(s string) bool {
	return s != "" && len(s) <= maxMeta && (!firstByte[s[0]] || readableLetters(s) == anyLetter) && plainToken(s, "")
}

// isEmpty reports whether the struct at p has no members.
func (s *goStruct) isEmpty(p gotype.Ptr) bool {
	v := s.variant(p)
	return v != nil && len(v.members) == 0
}

// appendPairs appends the pairs of members of the struct at p.
func appendPairs(dst []byte, members []*goMember, p gotype.Ptr) (_ []byte, ok bool) {
	for _, m := range members {
		dst = scan.AppendWords(dst, m.label)
		q := gotype.Add(p, m.Offset)
		switch m.Op {
		case gotype.String:
			dst = scan.AppendWords(dst, *gotype.At[string](q))
		case gotype.Int64:
			dst = decimal.AppendInt(dst, *gotype.At[int64](q))
		case gotype.Other:
			if dst, ok = m.appendPair(dst, q); !ok {
				return nil, false
			}
		default:
			if dst, ok = appendGoNumber(dst, m.Op, q); !ok {
				return nil, false
			}
		}
	}
	return dst, true
}

// appendPair appends the value of a pair: that of the member, which is not a scalar, at
// p.
func (m *goMember) appendPair(dst []byte, p gotype.Ptr) ([]byte, bool) {
	n, q := target(m.Node, p)
	switch {
	case q == nil:
		return append(dst, "null"...), true
	case n.Form == gotext.List:
		return append(dst, "[]"...), true
	case n.Form != gotext.Scalar:
		return append(dst, "{}"...), true
	case n.Op == gotype.String:
		return append(dst, *gotype.At[string](q)...), true
	}
	return appendGoNumber(dst, n.Op, q)
}

// appendGoNumber appends a number or a boolean.
func appendGoNumber(dst []byte, op gotype.Op, p gotype.Ptr) ([]byte, bool) {
	switch op {
	case gotype.Float64:
		x := *gotype.At[float64](p)
		if x-x != 0 {
			return dst, false
		}
		return decimal.AppendFloat(dst, x), true
	case gotype.Bool:
		return appendBool(dst, *gotype.At[bool](p)), true
	}
	return gotext.AppendInt(dst, op, p), true
}

// section is that of valueEncoder for what the member m is. p is nil for null.
func (r *goRows) section(dst []byte, x *goAround, m *goMember, n *gotext.Node, p gotype.Ptr) (_ []byte, ok bool) {
	t, heading := r.table(m, n, p)
	if heading == nil || r.interop && !heading.plain {
		return nil, false
	}
	if r.token == "" && len(x.before) == 0 {
		dst = append(dst, heading.line...)
	} else if dst, ok = r.head(dst, x, m, heading); !ok {
		return nil, false
	}
	if t.list.Data != nil {
		dst = decimal.AppendInt(append(dst, " "+metaRows+"="...), int64(t.list.Len))
	}
	typesAt := len(dst)
	if x.marked {
		dst = append(dst, markedTypes...)
	}
	if x.sections > 1 {
		dst = decimal.AppendInt(append(dst, " "+metaSections+"="...), int64(x.sections))
	}
	if dst, ok = appendPairs(dst, x.after, x.parent); !ok {
		return nil, false
	}
	if dst, ok = r.rows(append(dst, '\n'), &t, heading.letters); !ok {
		return nil, false
	}
	if !inferred(r.sets) {
		dst = r.withTypes(dst, typesAt, x.marked)
	}
	return dst, true
}

// table returns the rows of what the member m is, and what the header says of their
// columns; no heading if they need Values.
func (r *goRows) table(m *goMember, n *gotext.Node, p gotype.Ptr) (t goTable, heading *goHeading) {
	t, ok := goTable{node: n, p: p}, true
	switch {
	case p == nil:
	case n.Form == gotext.List:
		t.list = *gotype.At[gotype.Slice](p)
		t.variant, t.fields, ok = r.columns(m.rows, n, t.list)
	case n.Form == gotext.Struct:
		if ok = m.rows != nil; ok {
			t.variant = m.rows.variant(p)
			ok = t.variant != nil
		}
	case n.Form == gotext.Map:
		t.fields = r.mapFields(m, n, p)
		ok = t.fields != nil
	}
	switch {
	case !ok:
		return t, nil
	case t.variant != nil && t.variant.text != "":
		return t, &t.variant.goHeading
	case t.fields != nil && t.fields.text != "":
		return t, &t.fields.goHeading
	}
	t.variant, t.fields = nil, nil
	return t, &m.bare
}

// head appends a header up to the fields.
func (r *goRows) head(dst []byte, x *goAround, m *goMember, heading *goHeading) (_ []byte, ok bool) {
	if r.token == "" {
		dst = append(dst, m.head...)
	} else {
		dst = append(append(dst, tag+" "+metaTool+"="...), r.token...)
		if x.parent != nil {
			dst = append(append(dst, '.'), m.key...)
		}
	}
	if dst, ok = appendPairs(dst, x.before, x.parent); !ok {
		return nil, false
	}
	return append(dst, heading.text...), true
}

// mapFields returns the fields of a map, perhaps those of the last one; nil if they
// need Values.
func (r *goRows) mapFields(m *goMember, n *gotext.Node, p gotype.Ptr) *goFields {
	if n.Elem.Form == gotext.Any {
		return nil
	}
	last, to := m.fields.Load(), r.writer().Element(n.Elem)
	if last != nil && len(last.names) == n.Maps.Len(p) &&
		!slices.ContainsFunc(last.names, func(key string) bool { return !n.Maps.Load(p, key, to) }) {
		return last
	}
	return newMapFields(m, n, p)
}

// newMapFields returns the fields of a map, which the member remembers; nil if they
// need Values.
func newMapFields(m *goMember, n *gotext.Node, p gotype.Ptr) *goFields {
	const few = 64 // keys, which a header is to hold
	if n.Maps.Len(p) > few {
		return nil
	}
	names := n.Maps.Keys(p, nil)
	slices.Sort(names)
	for i, key := range names {
		names[i] = strings.Clone(key)
	}
	f := newGoFields(m.head, names, nil)
	if f != nil {
		m.fields.Store(f)
	}
	return f
}

// columns returns which members the structs of a list have, as findColumns does: the
// variant of all rows or the merged fields; neither for rows that are values.
func (r *goRows) columns(rows *goStruct, n *gotext.Node, list gotype.Slice) (_ *goVariant, merged *goFields, ok bool) {
	elem := pointee(n.Elem)
	switch {
	case list.Len == 0 || elem.Form == gotext.Scalar || elem.Form == gotext.List:
		return nil, nil, true
	case rows == nil, list.Len > bound.Values/8/(len(rows.members)+1):
		return nil, nil, false
	case len(rows.optional) == 0 && n.Elem.Form == gotext.Struct: // all have all
		return rows.full, nil, true
	}
	found := make([]*goVariant, 0, 8) // in their order
	var last *goVariant
	members, overhead, place := 0, 0, 0
	if cap(r.places) < list.Len {
		r.places = make([]uint8, list.Len)
	}
	places := r.places[:list.Len]
	for i := range places {
		p := gotype.Add(list.Data, uintptr(i)*n.Size)
		if n.Elem.Form == gotext.Pointer {
			if _, p = target(n.Elem, p); p == nil {
				return nil, nil, false // a null among objects
			}
		}
		v := rows.variant(p)
		if v == nil {
			return nil, nil, false
		}
		if v != last {
			if place = slices.Index(found, v); place < 0 {
				place, found = len(found), append(found, v)
			}
			last = v
		}
		places[i] = uint8(place)
		members += len(v.members)
		overhead += v.overhead
		for _, m := range v.texts {
			if m.of(p) != nil {
				overhead += quoteBytes
			}
		}
	}
	if len(found) == 1 {
		return last, nil, true
	}
	if merged = rows.merge(found); merged == nil {
		return nil, nil, true
	}
	empty := bound.Times(len(merged.names), list.Len) - members
	if empty > r.room || merged.overhead+members+empty/emptyCells > overhead {
		return nil, nil, true
	}
	r.room -= empty
	return nil, merged, true
}
