package gcx

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// minGoDepth is more than the levels of any value that needs no Values.
const minGoDepth = 128

// goRows write structs, and lists of them, as the valueEncoder writes their values:
// the sections of a payload, and the rows of the one that is being written. Their
// methods report false for what needs Values, errors included. They are given the
// text and return it, for what is stored through a pointer has a write barrier.
type goRows struct {
	*gotext.JSONWriter // of what is in cells
	columnLetters
	room  int    // empty cells that tables may still have
	begin string // of headers, the tool included

	places []uint8 // of the variants of rows among all that were found
}

func newGoRows() *goRows { return &goRows{JSONWriter: gotext.NewJSONWriter(&gowire.Types)} }

var goWriters = sync.Pool{New: func() any { return newGoRows() }}

// appendGo appends the payload of a value that needs no Value on its way.
func (c *Codec) appendGo(dst []byte, v any) ([]byte, bool) {
	// Columns are not reordered, and levels of nesting are not counted.
	if c.Plain || c.Reorder || c.Interop || c.Limits.Depth > 0 && c.Limits.Depth < minGoDepth {
		return nil, false
	}
	root, at := goRoots.Of(v, goRootOf)
	if at.IsNil() {
		return nil, false
	}
	limits := c.Limits.Resolved()
	r := goWriters.Get().(*goRows)
	r.Begin(bound.Add(len(dst), limits.OutputBytes))
	r.room, r.begin = limits.Values/2, tag+" "+metaTool+"="+defaultTool
	if c.Tool != "" {
		r.begin = tag + " " + metaTool + "=" + string(appendToken(nil, c.Tool, "."))
	}
	payload, ok := r.document(dst, root.Plan, at, c)
	// What is longer might hold more values than FromGo takes.
	ok = ok && len(payload)-len(dst) <= bound.Values && len(payload) <= r.Max && scan.IsUTF8(payload[len(dst):])
	const kept = 1 << 16
	if r.Clear(); cap(r.places) <= kept {
		goWriters.Put(r)
	}
	return payload, ok
}

// document appends the payload of a root.
func (r *goRows) document(dst []byte, t *goMember, v gotext.Var, c *Codec) ([]byte, bool) {
	if v.Form == gotext.Struct && !c.Single && worthWrappingGo(t.rows, v) {
		return r.wrapped(dst, t.rows, v)
	}
	return r.section(dst, &goAlone, t, target(v))
}

// target returns what the pointers of a value lead to; none for null.
func target(v gotext.Var) gotext.Var {
	for v.Form == gotext.Pointer {
		if v = v.Target(); v.IsNil() {
			return v
		}
	}
	if (v.Form == gotext.List || v.Form == gotext.Map) && v.HoldsNil() {
		return gotext.Var{Node: v.Node}
	}
	return v
}

// of returns the member of a struct; none for null.
func (m *goMember) of(v gotext.Var) gotext.Var { return target(m.Of(v)) }

// worthWrappingGo is worthWrapping for a struct.
func worthWrappingGo(s *goStruct, v gotext.Var) bool {
	for _, m := range s.lists {
		q := m.of(v)
		if q.IsNil() || q.Len() < 2 || m.Lacks(v) {
			continue
		}
		if m.rows == nil {
			return true // it needs Values, which wrapped finds out
		}
		if first := target(q.Items().At(0)); !first.IsNil() {
			if v := m.rows.variant(first); v == nil || v.text != "" {
				return true
			}
		}
	}
	return false
}

// goAround is what a section's header has besides its tool and fields: pairs for
// members of the struct parent, if there is one around the section, before and after the
// fields.
type goAround struct {
	parent        gotext.Var
	before, after []*goMember
	marked        bool
	sections      int // of the payload, in the first header
}

// goAlone is around the only section.
var goAlone goAround

// wrapped is that of valueEncoder for a struct.
func (r *goRows) wrapped(dst []byte, s *goStruct, p gotext.Var) (_ []byte, ok bool) {
	v := s.variant(p)
	if v == nil || len(v.members) > 64 {
		return nil, false
	}
	pairs := uint64(0) // the members that are pairs in headers
	for i, m := range v.members {
		if m.pair && m.isPair(p) {
			pairs |= 1 << i
		}
	}
	i := bits.TrailingZeros64(^pairs)
	x := goAround{parent: p, before: v.members[:i], sections: len(v.members) - bits.OnesCount64(pairs)}
	for i < len(v.members) {
		m, next := v.members[i], i+1+bits.TrailingZeros64(^(pairs>>i>>1))
		x.after = v.members[i+1 : next]
		q := m.of(p)
		x.marked = q.IsNil() || q.Form != gotext.List
		if dst, ok = r.section(dst, &x, m, q); !ok {
			return nil, false
		}
		x.before, x.sections = nil, 0
		i = next
	}
	return dst, true
}

// isPair reports whether a member of a struct can be a pair in a header, as its key can,
// see metaText.
func (m *goMember) isPair(v gotext.Var) bool {
	q := m.of(v)
	if q.IsNil() {
		return true
	}
	switch q.Form {
	case gotext.Struct:
		return len(q.Members) == 0 || q.Optional == len(q.Members) && m.rows != nil && m.rows.isEmpty(q)
	case gotext.List:
		return q.Len() == 0
	case gotext.Map:
		return q.Count() == 0
	case gotext.Any:
		return false
	}
	switch q.Op {
	case gotype.String:
		return isPairText(q.Text())
	case gotype.Time:
		return false
	}
	return true
}

func isPairText(s string) bool {
	return s != "" && len(s) <= maxMeta && (!firstByte[s[0]] || readableLetters(s) == anyLetter) && plainToken(s, "")
}

// isEmpty reports whether a struct has no members.
func (s *goStruct) isEmpty(p gotext.Var) bool {
	v := s.variant(p)
	return v != nil && len(v.members) == 0
}

// appendPairs appends the pairs of members of a struct.
func appendPairs(dst []byte, members []*goMember, v gotext.Var) (_ []byte, ok bool) {
	for _, m := range members {
		if dst, ok = appendPair(scan.AppendWords(dst, m.label), m.of(v)); !ok {
			return nil, false
		}
	}
	return dst, true
}

// appendPair appends the value of a pair.
func appendPair(dst []byte, v gotext.Var) ([]byte, bool) {
	switch {
	case v.IsNil():
		return append(dst, "null"...), true
	case v.Form == gotext.List:
		return append(dst, "[]"...), true
	case v.Form == gotext.Struct, v.Form == gotext.Map:
		return append(dst, "{}"...), true
	case v.Op == gotype.String:
		return append(dst, v.Text()...), true
	}
	return v.AppendNumber(dst)
}

// section is that of valueEncoder for what the member m is, none for null.
func (r *goRows) section(dst []byte, x *goAround, m *goMember, v gotext.Var) (_ []byte, ok bool) {
	t := goTable{v: v}
	heading := r.table(&t, m)
	if heading == nil {
		return nil, false
	}
	dst = append(dst, r.begin...)
	if !x.parent.IsNil() {
		dst = append(append(dst, '.'), m.key...)
	}
	if dst, ok = appendPairs(dst, x.before, x.parent); !ok {
		return nil, false
	}
	dst = append(dst, heading.text...)
	if !t.list.IsNil() {
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

// table finds the rows of t, which is what the member m is, and returns what the header
// says of their columns; nothing if they need Values.
func (r *goRows) table(t *goTable, m *goMember) *goHeading {
	v, heading := t.v, &bareHeading
	switch {
	case v.IsNil():
	case v.Form == gotext.List:
		t.list = v.Items()
		heading = r.columns(t, m)
	case v.Form == gotext.Map:
		heading = r.mapFields(t, m)
	case v.Form == gotext.Struct:
		heading = nil
		if m.rows != nil {
			heading = t.take(m.rows.variant(v))
		}
	}
	return heading
}

// take makes the columns those of a variant, if they can be fields, and returns the heading.
func (t *goTable) take(v *goVariant) *goHeading {
	switch {
	case v == nil:
		return nil
	case v.text == "":
		return &bareHeading
	}
	t.cells = v.cells
	return &v.goHeading
}

// mapFields finds the fields of a map, which the member remembers for the next one.
func (r *goRows) mapFields(t *goTable, m *goMember) *goHeading {
	v := t.v
	if v.Elem.Form == gotext.Any {
		return nil
	}
	f, scratch := m.fields.Load(), &r.Scratch
	lacks := func(key string) bool { _, ok := v.Load(key, scratch); return !ok }
	if f == nil || len(f.names) != v.Count() || slices.ContainsFunc(f.names, lacks) {
		const few = 64 // keys, which a header is to hold
		if v.Count() > few {
			return nil
		}
		names := v.Sorted(nil)
		for i, key := range names {
			names[i] = strings.Clone(key)
		}
		if f = newGoFields(names, nil); f == nil {
			return nil
		}
		m.fields.Store(f)
	}
	if f.text == "" {
		return &bareHeading
	}
	t.names = f.names
	return &f.goHeading
}

// columns finds which members the structs of a list have, as findColumns does: those of all
// rows or the merged ones; none for rows that are values.
func (r *goRows) columns(t *goTable, m *goMember) *goHeading {
	list, rows, elem := t.list, m.rows, pointee(t.list.Elem)
	switch {
	case list.Len == 0 || elem.Form == gotext.Scalar || elem.Form == gotext.List:
		return &bareHeading
	case rows == nil, list.Len > bound.Values/8/(len(rows.members)+1):
		return nil
	case len(rows.optional) == 0 && list.Elem.Form == gotext.Struct: // all have all
		return t.take(rows.full)
	}
	found := make([]*goVariant, 0, 8) // in their order
	var last *goVariant
	members, overhead, place := 0, 0, 0
	r.places = slices.Grow(r.places[:0], list.Len)[:list.Len]
	for i := range r.places {
		p := target(list.At(i))
		if p.IsNil() {
			return nil // a null among objects
		}
		v := rows.variant(p)
		if v == nil {
			return nil
		}
		if v != last {
			if place = slices.Index(found, v); place < 0 {
				place, found = len(found), append(found, v)
			}
			last = v
		}
		r.places[i] = uint8(place)
		members += len(v.members)
		overhead += v.overhead
		for _, m := range v.texts {
			if !m.of(p).IsNil() {
				overhead += quoteBytes
			}
		}
	}
	if len(found) == 1 {
		return t.take(last)
	}
	merged := rows.merge(found)
	if merged == nil {
		return &bareHeading
	}
	empty := bound.Times(len(merged.names), list.Len) - members
	if empty > r.room || merged.overhead+members+empty/emptyCells > overhead {
		return &bareHeading
	}
	r.room -= empty
	t.merged = merged.columns
	return &merged.goHeading
}
