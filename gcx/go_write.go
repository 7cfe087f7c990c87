package gcx

import (
	"slices"
	"strings"
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
type goWriter struct{ *valueEncoder }

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
	g := goWriter{encoders.Get().(*valueEncoder)}
	g.begin(c, dst)
	defer g.end()
	t, token, ok := root.Plan, DefaultTool, false
	if c.Tool != "" {
		token = string(g.baseToken())
	}
	var r goRows // a literal would be copied
	r.goWriter, r.token, r.dst = g, token, dst
	if t.node.Form == gotext.Struct && !c.Single && g.worthWrapping(t.rows, p) {
		ok = r.wrapped(t.rows, p)
	} else {
		n, p := target(t.node, p)
		ok = r.section(n, &t.goMember, p)
	}
	if !ok {
		return nil, false
	}
	g.dst = r.dst
	payload, err := g.finish(wire.Value{})
	// What is longer might hold more values than FromGo takes.
	return payload, err == nil && len(payload)-len(dst) <= wire.DefaultValues
}

func (g goWriter) end() {
	if g.json != nil {
		g.json.GiveBack()
		g.json = nil
	}
	g.giveBack()
}

// writer returns the writer of JSON text.
func (g goWriter) writer() *gotext.JSONWriter {
	if g.json == nil {
		g.json = gotext.BorrowJSONWriter(&gowire.Types, g.max)
	}
	return g.json
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
func (g goWriter) worthWrapping(s *goStruct, p gotype.Ptr) bool {
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

// wrapped is that of valueEncoder for the struct at p.
func (r *goRows) wrapped(s *goStruct, p gotype.Ptr) bool {
	v := s.variant(p)
	if v == nil || len(v.members) > 64 {
		return false
	}
	r.parent = p
	var pairs uint64 // the members that are pairs in headers
	for i, m := range v.members {
		if m.pair && m.isPair(p) {
			pairs |= 1 << i
		} else {
			r.sections++
		}
	}
	i := 0
	for pairs>>i&1 != 0 {
		i++
	}
	r.before = v.members[:i]
	for i < len(v.members) {
		at := i
		for i++; i < len(v.members) && pairs>>i&1 != 0; i++ {
		}
		r.after = v.members[at+1 : i]
		m := v.members[at]
		n, q := target(m.Node, gotype.Add(p, m.Offset))
		r.marked = q == nil || n.Form != gotext.List
		if !r.section(n, m, q) {
			return false
		}
		r.before, r.sections = nil, 0
	}
	return true
}

// isPair reports whether a member of the struct at p can be a pair in a header, as
// its key can, see metaText.
func (m *goMember) isPair(p gotype.Ptr) bool {
	switch m.Op {
	case gotype.String:
		return isPairText(*gotype.At[string](gotype.Add(p, m.Offset)))
	case gotype.Other:
	default:
		return m.Op != gotype.Time
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
	return s != "" && len(s) <= maxMeta && plainToken(s, "") && readableLetters(s) == anyLetter
}

// isEmpty reports whether the struct at p has no members.
func (s *goStruct) isEmpty(p gotype.Ptr) bool {
	v := s.variant(p)
	return v != nil && len(v.members) == 0
}

// appendPair appends the pair of a member of the struct at p.
func (m *goMember) appendPair(dst []byte, p gotype.Ptr) ([]byte, bool) {
	dst = append(append(append(dst, ' '), m.key...), '=')
	switch m.Op {
	case gotype.String:
		return scan.AppendWords(dst, *gotype.At[string](gotype.Add(p, m.Offset))), true
	case gotype.Other:
	default:
		return appendGoNumber(dst, m.Op, gotype.Add(p, m.Offset))
	}
	n, q := target(m.Node, gotype.Add(p, m.Offset))
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
func (r *goRows) section(n *gotext.Node, m *goMember, p gotype.Ptr) (ok bool) {
	t := &r.table
	r.node, r.member, r.p = n, m, p
	if !r.reset() {
		return false
	}
	dst := r.dst
	if r.parent != nil && r.token == DefaultTool {
		dst = append(dst, m.head...)
	} else {
		dst = append(append(dst, tag+" tool="...), r.token...)
		if r.parent != nil {
			dst = append(append(dst, '.'), m.key...)
		}
	}
	for _, m := range r.before {
		if dst, ok = m.appendPair(dst, r.parent); !ok {
			return false
		}
	}
	if t.bare() {
		dst = append(dst, " "+metaFields+"="+valueField...)
	} else {
		dst = append(dst, r.fields...)
	}
	if t.counted {
		dst = decimal.AppendInt(append(dst, " "+metaRows+"="...), int64(t.n))
	}
	typesAt := len(dst)
	if r.marked {
		dst = append(dst, markedTypes...)
	}
	if r.sections > 1 {
		dst = decimal.AppendInt(append(dst, " "+metaSections+"="...), int64(r.sections))
	}
	for _, m := range r.after {
		if dst, ok = m.appendPair(dst, r.parent); !ok {
			return false
		}
	}
	r.dst = append(dst, '\n')
	if !r.write() {
		return false
	}
	r.dst = r.withTypes(r.dst, typesAt, r.marked)
	return true
}

// goRows are the sections of a payload, and the rows of the one that is being
// written.
type goRows struct {
	goWriter
	dst   []byte // not the encoder's, which would cost a write barrier per row
	token string // of the tool
	// What the header has besides its tool and fields: pairs for members of the struct
	// at parent, nil if there is none around the section, before and behind the fields.
	parent        gotype.Ptr
	before, after []*goMember
	marked        bool
	sections      int // of the payload, in the first header

	node   *gotext.Node
	p      gotype.Ptr // nil for null
	member *goMember
	list   gotype.Slice
	fields string // as the header has them, if the rows are not values
	// variant is that of all rows, or if they are merged of the first.
	variant *goVariant
	merged  *goFields // nil if the rows are not merged
	mapped  *goFields // of a map
}

// reset is that of table.
func (r *goRows) reset() bool {
	t := &r.table
	t.v, t.keys, t.merged, t.list, t.counted, t.n, t.passes = wire.Value{}, nil, false, false, false, 1, 0
	r.variant, r.merged = nil, nil
	ok := true
	switch {
	case r.p == nil:
	case r.node.Form == gotext.List:
		r.list = *gotype.At[gotype.Slice](r.p)
		t.list, t.counted, t.n = true, true, r.list.Len
		ok = r.findColumns()
	case r.node.Form == gotext.Struct:
		if r.member.rows == nil {
			return false
		}
		if r.variant = r.member.rows.variant(r.p); r.variant == nil {
			return false
		}
		r.use(r.variant.keys, r.variant.text)
	case r.node.Form == gotext.Map:
		if r.node.Elem.Form == gotext.Any {
			return false
		}
		ok = r.mapColumns()
	}
	t.resetColumns()
	return ok
}

// use makes the fields with that text the columns, if they can be that.
func (r *goRows) use(keys *wire.Keys, text string) {
	if text != "" {
		r.table.keys, r.fields = keys, text
	}
}

// mapColumns finds the fields of a map.
func (r *goRows) mapColumns() bool {
	const few = 64 // keys, which a header is to hold
	n := r.node.Maps.Len(r.p)
	if n > few {
		return false
	}
	r.mapped = r.member.fields.Load()
	if r.mapped == nil || !r.hasKeys(r.mapped.names, n) {
		names := r.node.Maps.Keys(r.p, nil)
		slices.Sort(names)
		for i, key := range names {
			names[i] = strings.Clone(key)
		}
		if r.mapped = newGoFields(names); r.mapped == nil {
			return false
		}
		r.member.fields.Store(r.mapped)
	}
	r.use(r.mapped.keys, r.mapped.text)
	return true
}

// hasKeys reports whether the map, of that length, has these keys.
func (r *goRows) hasKeys(keys []string, n int) bool {
	if len(keys) != n {
		return false
	}
	q := r.element.At(r.node.Elem)
	for _, key := range keys {
		if !r.node.Maps.Load(r.p, key, q) {
			return false
		}
	}
	return true
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
	t, rows := &r.table, r.member.rows
	elem := pointee(r.node.Elem)
	switch {
	case t.n == 0 || elem.Form == gotext.Scalar || elem.Form == gotext.List:
		return true
	case rows == nil, t.n > wire.DefaultValues/8/(len(rows.members)+1):
		return false
	case len(rows.optional) == 0 && r.node.Elem.Form == gotext.Struct: // all have all
		r.variant = rows.full
		r.use(r.variant.keys, r.variant.text)
		return true
	}
	found := make([]*goVariant, 0, 8) // in their order
	var last *goVariant
	members, overhead, place := 0, 0, 0
	places := r.variants[:0]
	for i := range t.n {
		p := r.row(i)
		if p == nil {
			return false // a null among objects
		}
		v := rows.variant(p)
		if v == nil {
			return false
		}
		if v != last {
			if place = slices.Index(found, v); place < 0 {
				place, found = len(found), append(found, v)
			}
			last = v
		}
		places = append(places, uint8(place))
		members += len(v.members)
		overhead += v.overhead
		for _, m := range v.texts {
			if m.of(p) != nil {
				overhead += quoteBytes
			}
		}
	}
	r.variant, r.variants = found[0], places
	if len(found) == 1 {
		r.use(r.variant.keys, r.variant.text)
		return true
	}
	merged := rows.merge(found)
	if merged == nil {
		return true
	}
	empty := bound.Times(len(merged.names), t.n) - members
	if empty > t.room || merged.overhead+members+empty/emptyCells > overhead {
		return true
	}
	t.room -= empty
	r.merged = merged
	r.use(merged.keys, merged.text)
	return true
}

// write is writeRows.
func (r *goRows) write() bool {
	t := &r.table
	start := len(r.dst)
	for ; ; t.passes++ {
		t.beginPass()
		if !r.pass() || len(r.dst) > r.max {
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
	case t.list && r.node.Elem.Form == gotext.Scalar && r.node.Elem.Op == gotype.String && !t.quoted[0]:
		return r.strings()
	case t.list:
		for i := range t.n {
			if !r.single(r.node.Elem, gotype.Add(r.list.Data, uintptr(i)*r.node.Size)) || len(r.dst) > r.max {
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

// strings writes a row for each string of a list.
func (r *goRows) strings() bool {
	t, dst := &r.table, r.dst
	all := anyLetter
	for i := range t.n {
		start := len(dst)
		var set letterSet
		if dst, set = appendString(dst, *gotype.At[string](gotype.Add(r.list.Data, uintptr(i)*r.node.Size))); len(dst) == start {
			set = 0 // a blank line is no row: the cell must be quoted to be one
		} else if c := dst[start]; c == '#' || c == 'G' {
			dst = guard(dst, start)
		}
		if all &= set; all == 0 || len(dst) > r.max {
			break
		}
		dst = append(dst, '\n')
	}
	r.dst = dst
	t.allow(0, all)
	return len(dst) <= r.max
}

// single writes a row of the only column.
func (r *goRows) single(n *gotext.Node, p gotype.Ptr) bool {
	start := len(r.dst)
	dst, ok := r.cell(r.dst, 0, n, p)
	if !ok {
		return false
	}
	if len(dst) == start && r.table.sets[0] != 0 {
		// A blank line is no row: the cell must be quoted to be one.
		r.table.allow(0, 0)
	}
	r.endRow(dst, start)
	return true
}

// objects writes one row for each struct of a list.
func (r *goRows) objects() bool {
	t := &r.table
	if r.merged != nil {
		return r.mixed()
	}
	for i := range t.n {
		if !r.object(r.variant, r.row(i)) || len(r.dst) > r.max {
			return false
		}
		if t.stop() {
			return true
		}
	}
	return true
}

// endRow ends the row that begins at start.
func (r *goRows) endRow(dst []byte, start int) {
	if start < len(dst) && (dst[start] == '#' || dst[start] == 'G') {
		dst = guard(dst, start)
	}
	r.dst = append(dst, '\n')
}

// mixed is objects for structs that do not all have the same members.
func (r *goRows) mixed() bool {
	for i, place := range r.variants[:r.table.n] {
		if !r.cells(r.merged.columns[place], r.row(i)) || len(r.dst) > r.max {
			return false
		}
		if r.table.stop() {
			break
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
	return r.cells(v.members, p)
}

// cells writes the row of the struct at p: of each column its member, nil for those
// that the struct lacks.
func (r *goRows) cells(columns []*goMember, p gotype.Ptr) bool {
	t := &r.table
	sets, quoted := t.sets[:len(columns)], t.quoted[:len(columns)]
	dst, start := r.dst, len(r.dst)
	for i, m := range columns {
		if i > 0 {
			dst = append(dst, '\t')
		}
		if m == nil {
			t.odd[i] |= sawMissing
			t.allow(i, missingLetters)
			continue
		}
		q, set, op := gotype.Add(p, m.Offset), numberLetters, m.Op
		if quoted[i] {
			op = gotype.Other
		}
		switch op {
		case gotype.String:
			dst, set = appendString(dst, *gotype.At[string](q))
		case gotype.Int64:
			dst = decimal.AppendInt(dst, *gotype.At[int64](q))
		case gotype.Float64:
			x := *gotype.At[float64](q)
			if x-x != 0 {
				return false
			}
			dst = decimal.AppendFloat(dst, x)
		default:
			var ok bool
			if dst, ok = r.cell(dst, i, m.Node, q); !ok {
				return false
			}
			continue
		}
		if sets[i] &= set; sets[i] == 0 {
			t.conflict = true
		}
	}
	r.endRow(dst, start)
	return true
}

// mapping writes the row of a map.
func (r *goRows) mapping() bool {
	dst, start := r.dst, len(r.dst)
	q := r.element.At(r.node.Elem)
	for i, key := range r.mapped.names {
		if i > 0 {
			dst = append(dst, '\t')
		}
		r.node.Maps.Load(r.p, key, q)
		var ok bool
		if dst, ok = r.cell(dst, i, r.node.Elem, q); !ok {
			return false
		}
	}
	if len(r.mapped.names) == 1 && len(dst) == start && r.table.sets[0] != 0 {
		r.table.allow(0, 0)
	}
	r.endRow(dst, start)
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
		if dst, ok = r.writer().Append(dst, n, p); ok {
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
