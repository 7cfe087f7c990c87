package gcx

import (
	"slices"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A goWriter writes structs, and lists of them, as the valueEncoder writes their
// values. Its methods report false for what needs Values, errors included.
type goWriter struct {
	*valueEncoder
	json *gotext.JSONWriter
}

// appendStructs appends the payload of a struct or a list of structs as AppendEncode
// would append that of its value.
func (c *Codec) appendStructs(dst []byte, v any) ([]byte, bool) {
	// Levels of nesting are not counted.
	if c.Plain || c.Interop || c.Limits.Depth > 0 && c.Limits.Depth < minGoDepth {
		return nil, false
	}
	root, p := goStructs.Of(v, goRootOf)
	if root.Plan == nil || p == nil {
		return nil, false
	}
	g := goWriter{encoders.Get().(*valueEncoder), nil}
	g.begin(c, dst)
	g.json = gotext.BorrowJSONWriter(&gowire.Types, g.max)
	defer g.end()
	t, ok := root.Plan, false
	if t.node.Form == gotext.Struct && !c.Single && g.worthWrapping(t.rows, p) {
		ok = g.wrapped(t.rows, p)
	} else {
		n, p := target(t.node, p)
		ok = g.section(g.baseToken(), n, t.rows, p, goExtras{})
	}
	if !ok {
		return nil, false
	}
	payload, err := g.finish(wire.Value{})
	// What is longer might hold more values than FromGo takes.
	return payload, err == nil && len(payload)-len(dst) <= wire.DefaultValues
}

func (g *goWriter) end() {
	g.json.GiveBack()
	g.giveBack()
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

// worthWrapping is the function of that name for the struct at p.
func (g *goWriter) worthWrapping(s *goStruct, p gotype.Ptr) bool {
	for i := range s.members {
		m := &s.members[i]
		if m.value.Form != gotext.List {
			continue
		}
		elem := pointee(m.value.Elem)
		if elem.Form < gotext.Struct || elem.Form == gotext.List {
			continue
		}
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
			if v := m.rows.variant(first); v == nil || v.fields != "" {
				return true
			}
		}
	}
	return false
}

// goExtras are what a section's header has besides its tool and fields: pairs for
// members of the struct at p, before and behind the fields.
type goExtras struct {
	p             gotype.Ptr
	before, after []*goMember
	marked        bool
	sections      int
}

// wrapped is that of valueEncoder for the struct at p.
func (g *goWriter) wrapped(s *goStruct, p gotype.Ptr) bool {
	v := s.variant(p)
	if v == nil {
		return false
	}
	g.token = append(g.baseToken(), '.')
	base := len(g.token)
	x := goExtras{p: p}
	var pairs uint64 // the members that are pairs in headers
	if len(v.members) > 64 {
		return false
	}
	for i, m := range v.members {
		if m.pair && m.isPair(p) {
			pairs |= 1 << i
		} else {
			x.sections++
		}
	}
	i := 0
	for pairs>>i&1 != 0 {
		i++
	}
	x.before = v.members[:i]
	for i < len(v.members) {
		at := i
		for i++; i < len(v.members) && pairs>>i&1 != 0; i++ {
		}
		x.after = v.members[at+1 : i]
		m := v.members[at]
		n, q := target(m.Node, gotype.Add(p, m.Offset))
		x.marked = q == nil || n.Form != gotext.List
		g.token = append(g.token[:base], m.key...)
		if !g.section(g.token, n, m.rows, q, x) {
			return false
		}
		x = goExtras{p: p}
	}
	return true
}

// isPair reports whether a member of the struct at p can be a pair in a header, as
// its key can, see metaText.
func (m *goMember) isPair(p gotype.Ptr) bool {
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
		s := *gotype.At[string](q)
		return len(s) <= maxMeta && stringLetters(s) == anyLetter && plainToken(s, "")
	case gotype.Time:
		return false
	}
	return true
}

// isEmpty reports whether the struct at p has no members.
func (s *goStruct) isEmpty(p gotype.Ptr) bool {
	v := s.variant(p)
	return v != nil && len(v.members) == 0
}

// pair appends the pair of a member of the struct at p.
func (g *goWriter) pair(m *goMember, p gotype.Ptr) bool {
	g.dst = append(append(append(g.dst, ' '), m.key...), '=')
	n, q := target(m.Node, gotype.Add(p, m.Offset))
	switch {
	case q == nil:
		g.dst = append(g.dst, "null"...)
	case n.Form == gotext.List:
		g.dst = append(g.dst, "[]"...)
	case n.Form != gotext.Scalar:
		g.dst = append(g.dst, "{}"...)
	case n.Op == gotype.String:
		g.dst = append(g.dst, *gotype.At[string](q)...)
	default:
		var ok bool
		g.dst, ok = appendGoNumber(g.dst, n.Op, q)
		return ok
	}
	return true
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

// section is that of valueEncoder for what a variable is, of which rows is what is
// known if it is a struct or a list of them. p is nil for null.
func (g *goWriter) section(token []byte, n *gotext.Node, rows *goStruct, p gotype.Ptr, x goExtras) bool {
	t := &g.table
	r := goRows{goWriter: g, node: n, p: p, rows: rows}
	if !r.reset() {
		return false
	}
	g.dst = append(append(g.dst, tag+" tool="...), token...)
	for _, m := range x.before {
		if !g.pair(m, x.p) {
			return false
		}
	}
	if r.variant != nil && t.keys != nil {
		g.dst = append(g.dst, r.variant.fields...)
	} else {
		g.fields()
	}
	if t.counted {
		g.dst = strconv.AppendInt(append(g.dst, " "+metaRows+"="...), int64(t.n), 10)
	}
	typesAt := len(g.dst)
	if x.sections > 1 {
		g.dst = strconv.AppendInt(append(g.dst, " "+metaSections+"="...), int64(x.sections), 10)
	}
	for _, m := range x.after {
		if !g.pair(m, x.p) {
			return false
		}
	}
	g.dst = append(g.dst, '\n')
	if !r.write() {
		return false
	}
	g.insertTypes(typesAt, x.marked)
	return true
}

// goRows are the rows of a section.
type goRows struct {
	*goWriter
	node *gotext.Node
	p    gotype.Ptr
	rows *goStruct // of structs and lists of them
	list gotype.Slice
	// variant is that of all rows, or if they are merged of the first.
	variant *goVariant
}

// reset is that of table.
func (r *goRows) reset() bool {
	t := &r.table
	t.v, t.keys, t.merged, t.list, t.counted, t.n, t.passes = wire.Value{}, nil, false, false, false, 1, 0
	ok := true
	switch {
	case r.p == nil:
	case r.node.Form == gotext.List:
		r.list = *gotype.At[gotype.Slice](r.p)
		t.list, t.counted, t.n = true, true, r.list.Len
		ok = r.findColumns()
	case r.node.Form == gotext.Struct:
		if r.rows == nil {
			return false
		}
		if r.variant = r.rows.variant(r.p); r.variant == nil {
			return false
		}
		if r.variant.fields != "" {
			t.keys = r.variant.keys
		}
	case r.node.Form == gotext.Map:
		if r.node.Elem.Form == gotext.Any {
			return false
		}
		ok = r.mapColumns()
	}
	t.resetColumns()
	return ok
}

// mapColumns finds the fields of a map.
func (r *goRows) mapColumns() bool {
	const few = 64 // keys, which a header is to hold
	n := r.node.Maps.Len(r.p)
	if n > few {
		return false
	}
	r.mapKeys = r.node.Maps.Keys(r.p, r.mapKeys[:0])
	slices.Sort(r.mapKeys)
	keys, err := wire.NewKeys(r.mapKeys...)
	if err == nil && columns(keys) {
		r.table.keys = keys
	}
	return err == nil
}

// row returns the element of a list of structs; nil for null.
func (r *goRows) row(i int) gotype.Ptr {
	p := gotype.Add(r.list.Data, uintptr(i)*r.node.Size)
	if r.node.Elem.Form == gotext.Pointer {
		_, p = target(r.node.Elem, p)
	}
	return p
}

// findColumns is that of table.
func (r *goRows) findColumns() bool {
	t := &r.table
	elem := pointee(r.node.Elem)
	switch {
	case t.n == 0 || elem.Form == gotext.Scalar || elem.Form == gotext.List:
		return true
	case r.rows == nil, t.n > wire.DefaultValues/8/(len(r.rows.members)+1):
		return false
	}
	members, mixed := 0, false
	overhead := 0
	for i := range t.n {
		p := r.row(i)
		if p == nil {
			return false // a null among objects
		}
		v := r.rows.full
		if len(r.rows.optional) > 0 {
			if v = r.rows.variant(p); v == nil {
				return false
			}
		}
		if r.variant == nil {
			r.variant = v
		}
		if len(r.rows.optional) == 0 && r.node.Elem.Form != gotext.Pointer {
			break // all are the same
		}
		if v != r.variant && !mixed {
			mixed = true
			t.order.reset()
			t.order.add(r.variant.keys)
		}
		if mixed {
			t.order.add(v.keys)
		}
		members += len(v.members)
		overhead += v.overhead
		for _, m := range v.members {
			if m.Node.Form == gotext.Pointer && (m.value.Op == gotype.String || m.value.Op == gotype.Time) && m.value.Form == gotext.Scalar && m.of(p) != nil {
				overhead += quoteBytes
			}
		}
	}
	if !mixed {
		if r.variant.fields != "" {
			t.keys = r.variant.keys
		}
		return true
	}
	o := &t.order
	if len(o.names) < 2 {
		return true
	}
	empty := bound.Times(len(o.names), t.n) - members
	t.merged = empty <= t.room && o.overhead(members, empty) <= overhead && o.settle(t, empty)
	return true
}

// write is writeRows.
func (r *goRows) write() bool {
	t := &r.table
	start := len(r.dst)
	for ; ; t.passes++ {
		t.beginPass()
		if !r.pass() || r.err != nil {
			return false
		}
		if !t.conflict {
			return true
		}
		t.quoteConflicts()
		r.dst = r.dst[:start]
	}
}

// pass writes the rows once, or until a column has turned out to need quotation
// marks.
func (r *goRows) pass() bool {
	t := &r.table
	switch {
	case t.list && !t.bare():
		return r.objects()
	case t.list:
		for i := range t.n {
			if !r.single(r.node.Elem, gotype.Add(r.list.Data, uintptr(i)*r.node.Size)) {
				return false
			}
			if t.stop() {
				break
			}
		}
		return true
	case t.bare():
		return r.single(r.node, r.p)
	case r.node.Form == gotext.Map:
		return r.mapping()
	}
	return r.object(r.variant, r.p)
}

// single writes a row of the only column.
func (r *goRows) single(n *gotext.Node, p gotype.Ptr) bool {
	start := len(r.dst)
	dst, ok := r.cell(r.dst, 0, n, p)
	if r.dst = dst; !ok {
		return false
	}
	if len(dst) == start && r.table.sets[0] != 0 {
		// A blank line is no row: the cell must be quoted to be one.
		r.table.allow(0, 0)
	}
	r.endRow(start)
	return true
}

// objects writes one row for each struct of a list.
func (r *goRows) objects() bool {
	t := &r.table
	clear(t.known.keys[:])
	for i := range t.n {
		p, v := r.row(i), r.variant
		ok := false
		if !t.merged {
			ok = r.object(v, p)
		} else if v = r.rows.variant(p); v != nil {
			ok = r.sparse(v, t.known.of(t, v.keys), p)
		}
		if !ok || r.err != nil {
			return false
		}
		if t.stop() {
			return true
		}
	}
	return true
}

// object writes the row of the struct at p, whose members are the columns.
func (r *goRows) object(v *goVariant, p gotype.Ptr) bool {
	if len(v.members) == 1 {
		m := v.members[0]
		return r.single(m.Node, gotype.Add(p, m.Offset))
	}
	t := &r.table
	// A local slice: the encoder's own would cost a write barrier per cell.
	dst, start := r.dst, len(r.dst)
	var ok bool
	for i, m := range v.members {
		if i > 0 {
			dst = append(dst, '\t')
		}
		q := gotype.Add(p, m.Offset)
		if m.Op == gotype.String && !t.quoted[i] {
			var set letterSet
			dst, set = appendString(dst, *gotype.At[string](q))
			t.allow(i, set)
		} else if dst, ok = r.cell(dst, i, m.Node, q); !ok {
			return false
		}
	}
	r.dst = dst
	r.endRow(start)
	return true
}

// sparse is object for a struct that may lack members.
func (r *goRows) sparse(v *goVariant, places []int, p gotype.Ptr) bool {
	dst, start := r.dst, len(r.dst)
	for i, place := range places {
		if i > 0 {
			dst = append(dst, '\t')
		}
		if place < 0 {
			r.table.odd[i] |= sawMissing
			r.table.allow(i, missingLetters)
			continue
		}
		m := v.members[place]
		var ok bool
		if dst, ok = r.cell(dst, i, m.Node, gotype.Add(p, m.Offset)); !ok {
			return false
		}
	}
	r.dst = dst
	r.endRow(start)
	return true
}

// mapping writes the row of a map.
func (r *goRows) mapping() bool {
	start := len(r.dst)
	var scratch gotext.Scratch
	q := scratch.At(r.node.Elem)
	for i, key := range r.mapKeys {
		if i > 0 {
			r.dst = append(r.dst, '\t')
		}
		r.node.Maps.Load(r.p, key, q)
		dst, ok := r.cell(r.dst, i, r.node.Elem, q)
		if r.dst = dst; !ok {
			return false
		}
	}
	if len(r.mapKeys) == 1 && len(r.dst) == start && r.table.sets[0] != 0 {
		r.table.allow(0, 0)
	}
	r.endRow(start)
	return true
}

// cell appends the cell of column i.
func (r *goRows) cell(dst []byte, i int, n *gotext.Node, p gotype.Ptr) ([]byte, bool) {
	t := &r.table
	if p != nil {
		n, p = target(n, p)
	}
	if p == nil {
		if !t.quoted[i] {
			t.odd[i] |= sawNull
			t.allow(i, nullLetters)
		} else if t.sets[i] != letterN || len(t.sets) == 1 {
			dst = append(dst, "null"...)
		}
		return dst, true
	}
	ok := true
	switch {
	case n.Form == gotext.Any:
		return dst, false
	case n.Form != gotext.Scalar:
		from := len(dst)
		if dst, ok = r.json.Append(dst, n, p); ok {
			dst = escapeJSON(dst, from)
		}
	case n.Op == gotype.String:
		return r.text(dst, i, *gotype.At[string](p)), true
	case n.Op == gotype.Time:
		var buf [48]byte
		text, ok := gotext.AppendTime(buf[:0], *gotype.At[time.Time](p))
		if !ok {
			return dst, false
		}
		return r.text(dst, i, string(text)), true
	default:
		dst, ok = appendGoNumber(dst, n.Op, p)
	}
	if !t.quoted[i] {
		t.allow(i, numberLetters)
	}
	return dst, ok
}

// text appends a string's cell.
func (r *goRows) text(dst []byte, i int, s string) []byte {
	if !r.table.quoted[i] {
		var set letterSet
		dst, set = appendString(dst, s)
		r.table.allow(i, set)
		return dst
	}
	if stringLetters(s)&letterM != 0 {
		return appendCell(dst, s)
	}
	start := len(dst)
	return escapeJSON(scan.AppendQuote(dst, s), start)
}
