package gcf

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// goEncoder appends one document. Its methods report false for what they leave
// to Values; what was written by then does not count.
type goEncoder struct {
	max    int // the document's end must not be beyond
	values int // values left
	// The stacks of the tables being written, innermost on top.
	columns []goColumn
	names   []string // keys of maps that are path columns
	// How many elements of the stacks were used, but for those that are in use.
	usedColumns, usedNames int
}

// goColumn is a field as the column or the columns of one table.
type goColumn struct {
	*goField
	leaves int       // of an object as path columns, 0 if it is null in every row
	keys   []string  // of a map
	shared bool      // arrays that share their fields (section 7.4.5.3)
	layout *goLayout // of all of them then, if they have one
}

// goTable is a list of structs: one behind the other, or pointers to them.
type goTable struct {
	*goStruct
	first    gotype.Ptr
	n        int
	size     uintptr
	pointers bool
}

func (t *goTable) at(i int) gotype.Ptr {
	p := gotype.Add(t.first, uintptr(i)*t.size)
	if t.pointers {
		p = *gotype.At[gotype.Ptr](p)
	}
	return p
}

var goEncoders = sync.Pool{New: func() any { return new(goEncoder) }}

var goOutputs gotext.Outputs

// marshalGo returns the document of a Go value, the same that AppendEncode gives
// for its Value, unless it needs Values.
func marshalGo(v any) ([]byte, bool) {
	return goOutputs.Write(v, func(dst []byte) ([]byte, bool) { return appendGo(dst, v) })
}

// appendGo is marshalGo for a document that is appended to dst.
func appendGo(dst []byte, v any) ([]byte, bool) {
	e := goEncoders.Get().(*goEncoder)
	out, ok := e.document(dst, v)
	e.giveBack()
	return out, ok
}

// giveBack makes the encoder free for another document, without what belongs to
// this one.
func (e *goEncoder) giveBack() {
	const kept = 1 << 10
	if cap(e.columns) > kept || cap(e.names) > kept {
		return
	}
	e.columns, e.names = emptied(e.columns, e.usedColumns), emptied(e.names, e.usedNames)
	e.usedColumns, e.usedNames = 0, 0
	goEncoders.Put(e)
}

// cut pops what the stacks have beyond those numbers of elements.
func (e *goEncoder) cut(columns, names int) {
	e.usedColumns, e.usedNames = max(e.usedColumns, len(e.columns)), max(e.usedNames, len(e.names))
	e.columns, e.names = e.columns[:columns], e.names[:names]
}

// document appends the document of v to dst.
func (e *goEncoder) document(dst []byte, v any) ([]byte, bool) {
	root, p := goRoots.Of(v, newGoRoot)
	if root.Plan == nil || p == nil {
		return dst, false
	}
	e.max, e.values = len(dst)+wire.DefaultOutputBytes, wire.DefaultValues/2
	out, ok := e.root(append(dst, lex.GenericHeader...), root.Plan, p)
	if !ok || len(out) > e.max || !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

func (e *goEncoder) root(dst []byte, r *goRoot, p gotype.Ptr) ([]byte, bool) {
	if !r.list {
		return e.object(dst, r.goStruct, p, 0)
	}
	list := gotype.At[gotype.Slice](p)
	if !r.tabular || list.Len == 0 {
		return dst, false
	}
	table := &goTable{r.goStruct, list.Data, list.Len, r.size, r.pointers}
	if r.pointers && table.holdsNil() {
		return dst, false
	}
	return e.table(append(dst, "## "...), table, 0, tableArray, nil)
}

func (t *goTable) holdsNil() bool {
	for i := range t.n {
		if t.at(i) == nil {
			return true
		}
	}
	return false
}

// fits counts n values more and reports whether they and the document so far are
// within the limits.
func (e *goEncoder) fits(dst []byte, n int) bool {
	e.values -= n
	return e.values >= 0 && len(dst) <= e.max
}

// object appends the members of the struct at p.
func (e *goEncoder) object(dst []byte, s *goStruct, p gotype.Ptr, indent int) (_ []byte, ok bool) {
	if !e.fits(dst, len(s.fields)) || s.isKeyed(p) {
		return dst, false
	}
	for i := range s.fields {
		f := &s.fields[i]
		if f.optional && f.absence.Of(p) {
			continue
		}
		if dst, ok = e.member(dst, f, gotype.Add(p, f.offset), indent); !ok {
			return dst, false
		}
	}
	return dst, true
}

// isKeyed reports whether an object may be one that is written as a keyed table:
// all its members, and more than one, are objects.
func (s *goStruct) isKeyed(p gotype.Ptr) bool {
	n := 0
	for i := range s.fields {
		f := &s.fields[i]
		if f.optional && f.absence.Of(p) {
			continue
		}
		switch f.form {
		case goStructValue:
		case goStructPointer, goMap:
			if *gotype.At[gotype.Ptr](gotype.Add(p, f.offset)) == nil {
				return false
			}
		default:
			return false
		}
		n++
	}
	return n > 1
}

func (e *goEncoder) member(dst []byte, f *goField, p gotype.Ptr, indent int) (_ []byte, ok bool) {
	dst = appendSpaces(dst, indent)
	switch f.form {
	case goScalar, goPointer:
		dst, ok = f.appendScalar(append(append(dst, f.label...), '='), p)
		return append(dst, '\n'), ok
	case goStructPointer:
		if p = *gotype.At[gotype.Ptr](p); p == nil {
			return f.appendNull(dst), true
		}
		fallthrough
	case goStructValue:
		dst = append(append(append(dst, "## "...), f.label...), '\n')
		return e.object(dst, f.inner, p, indent+2)
	case goMap:
		if f.maps.len(p) < 0 {
			return f.appendNull(dst), true
		}
		dst = append(append(append(dst, "## "...), f.label...), '\n')
		return e.mapMembers(dst, f, p, indent+2)
	}
	list := gotype.At[gotype.Slice](p)
	switch {
	case list.Data == nil:
		return f.appendNull(dst), true
	case list.Len == 0 || f.form == goRows:
		dst = append(append(append(dst, "## "...), f.label...), ' ')
	default:
		dst = append(dst, f.label...)
	}
	return e.array(dst, f, list, indent, tableArray, nil)
}

func (f *goField) appendNull(dst []byte) []byte { return append(append(dst, f.label...), "=-\n"...) }

// mapMembers appends a map as the members of an object.
func (e *goEncoder) mapMembers(dst []byte, f *goField, p gotype.Ptr, indent int) (_ []byte, ok bool) {
	mark := len(e.names)
	e.names = f.maps.names(p, e.names)
	keys := e.names[mark:]
	slices.Sort(keys)
	for _, key := range keys {
		dst = append(lex.AppendKey(appendSpaces(dst, indent), key), '=')
		if dst, ok = f.maps.cell(dst, p, key); !ok {
			return dst, false
		}
		dst = append(dst, '\n')
	}
	e.cut(len(e.columns), mark)
	return dst, e.fits(dst, len(keys))
}

// array appends a slice from its count on; indent is that of its rows.
func (e *goEncoder) array(dst []byte, f *goField, list *gotype.Slice, indent int, form tableForm, layout *goLayout) (_ []byte, ok bool) {
	if list.Len == 0 {
		return append(dst, "[0]\n"...), true
	}
	if f.form == goRows {
		return e.table(dst, &goTable{f.inner, list.Data, list.Len, f.size, false}, indent, form, layout)
	}
	dst = append(strconv.AppendInt(append(dst, '['), int64(list.Len), 10), "]: "...)
	for i := range list.Len {
		if dst, ok = appendGoScalar(dst, f.op, gotype.Add(list.Data, uintptr(i)*f.size)); !ok {
			return dst, false
		}
		dst = append(dst, ',')
	}
	dst[len(dst)-1] = '\n' // instead of the last comma
	return dst, e.fits(dst, list.Len)
}

// table appends a table from its count on; indent is that of its rows. The layout
// is that of a shared one, if it is known.
func (e *goEncoder) table(dst []byte, t *goTable, indent int, form tableForm, layout *goLayout) (_ []byte, ok bool) {
	dst = append(strconv.AppendInt(append(dst, '['), int64(t.n), 10), ']')
	if t.static {
		if form == tableShared {
			dst = append(dst, '\n')
		} else {
			dst = append(dst, t.header...)
		}
		return e.staticRows(dst, t, indent)
	}
	if form != tableShared {
		layout = t.layout()
	}
	if layout != nil {
		if form == tableShared {
			dst = append(dst, '\n')
		} else {
			dst = append(dst, layout.header...)
		}
		return e.layoutRows(dst, t, layout, indent)
	}
	mark, names := len(e.columns), len(e.names)
	e.union(t)
	attached := false
	for i := mark; i < len(e.columns); i++ {
		c := &e.columns[i]
		if !e.settle(c, t) {
			return dst, false
		}
		attached = attached || c.form == goRows || c.form == goList
	}
	if form == tableShared {
		dst = append(dst, '\n')
	} else {
		dst = appendColumns(dst, e.columns[mark:])
	}
	end := len(e.columns)
	for i := range t.n {
		p := t.at(i)
		dst = appendSpaces(dst, indent)
		hasAttachments := attached && hasGoAttachments(e.columns[mark:end], p)
		if hasAttachments {
			dst = append(strconv.AppendInt(append(dst, '@'), int64(i), 10), ' ')
		}
		if dst, ok = appendRow(dst, e.columns[mark:end], p); !ok || !e.fits(dst, len(t.fields)+1) {
			return dst, false
		}
		for j := mark; hasAttachments && j < end; j++ {
			if c := &e.columns[j]; c.form == goRows || c.form == goList {
				if dst, ok = e.attach(dst, c, i, p, indent); !ok {
					return dst, false
				}
			}
		}
	}
	e.cut(mark, names)
	return dst, true
}

// staticRows appends the rows of a table whose columns are those of the type.
func (e *goEncoder) staticRows(dst []byte, t *goTable, indent int) (_ []byte, ok bool) {
	for i := range t.n {
		if indent > 0 {
			dst = appendSpaces(dst, indent)
		}
		if dst, ok = t.appendCells(dst, t.at(i)); !ok {
			return dst, false
		}
		dst[len(dst)-1] = '\n' // instead of the last separator
		if !e.fits(dst, len(t.fields)+1) {
			return dst, false
		}
	}
	return dst, true
}

// union pushes the columns of a table: its fields in the order in which the
// rows have them first (section 7.4.3).
func (e *goEncoder) union(t *goTable) {
	mark, first := len(e.columns), t.at(0)
	for j := range t.fields {
		if f := &t.fields[j]; !f.optional || !f.absence.Of(first) {
			e.columns = append(e.columns, goColumn{goField: f})
		}
	}
	for i := 1; i < t.n && len(e.columns)-mark < len(t.fields); i++ {
		p := t.at(i)
		for _, j := range t.optional {
			if f := &t.fields[j]; !f.absence.Of(p) && !e.hasColumn(mark, f) {
				e.columns = append(e.columns, goColumn{goField: f})
			}
		}
	}
}

func (e *goEncoder) hasColumn(mark int, f *goField) bool {
	for i := mark; i < len(e.columns); i++ {
		if e.columns[i].goField == f {
			return true
		}
	}
	return false
}

// settle finds out what depends on the rows: whether an object is null in all of
// them, which keys maps have, whether arrays share their fields.
func (e *goEncoder) settle(c *goColumn, t *goTable) bool {
	switch c.form {
	case goStructValue:
		c.leaves = c.inner.leaves
	case goStructPointer:
		for i := range t.n {
			p := t.at(i)
			if !(c.optional && c.absence.Of(p)) && *gotype.At[gotype.Ptr](gotype.Add(p, c.offset)) != nil {
				c.leaves = c.inner.leaves
				break
			}
		}
	case goMap:
		return e.settleMaps(c, t)
	case goRows:
		return c.settleRows(t)
	}
	return true
}

// settleMaps reports whether all maps of a column have the same keys, which can
// be path columns.
func (e *goEncoder) settleMaps(c *goColumn, t *goTable) bool {
	for i := range t.n {
		p := t.at(i)
		if c.optional && c.absence.Of(p) {
			continue
		}
		p = gotype.Add(p, c.offset)
		switch n := c.maps.len(p); {
		case n < 0:
		case n == 0 || c.keys != nil && n != len(c.keys):
			return false
		case c.keys == nil:
			mark := len(e.names)
			e.names = c.maps.names(p, e.names)
			c.keys = e.names[mark:len(e.names):len(e.names)]
			slices.Sort(c.keys)
			for _, key := range c.keys {
				if key == "" || lex.HoldsPath(key) {
					return false
				}
			}
			c.leaves = n
		}
	}
	return true
}

// settleRows decides whether an array column declares its fields once (section
// 7.4.5.3): a table in the first row, the same fields in the same order wherever
// there is an array, scalar values.
func (c *goColumn) settleRows(t *goTable) bool {
	first := c.rows(t.at(0))
	if first.n == 0 || !c.inner.scalar {
		// With a container in the first array's rows nothing is shared; without
		// one, Values tell.
		return first.n == 0 || first.holdsContainer()
	}
	layout := first.layout()
	var buf, other [32]int32
	fields := first.order(buf[:0])
	for i := 1; i < t.n; i++ {
		p := t.at(i)
		rows := c.rows(p)
		switch {
		case rows.first == nil:
		case rows.n == 0, !c.inner.fixed && !slices.Equal(fields, rows.order(other[:0])):
			return true
		}
	}
	c.shared, c.layout = true, layout
	return true
}

// rows returns the array of the column in the row at p, without an address if it
// is null or absent.
func (c *goColumn) rows(p gotype.Ptr) goTable {
	if c.optional && c.absence.Of(p) {
		return goTable{}
	}
	list := gotype.At[gotype.Slice](gotype.Add(p, c.offset))
	return goTable{c.inner, list.Data, list.Len, c.size, false}
}

// holdsContainer reports whether any field of any row is an array or an object.
func (t *goTable) holdsContainer() bool {
	for i := range t.n {
		p := t.at(i)
		for j := range t.fields {
			f := &t.fields[j]
			switch {
			case f.form <= goPointer, f.optional && f.absence.Of(p):
			case f.form == goStructValue, *gotype.At[gotype.Ptr](gotype.Add(p, f.offset)) != nil:
				return true
			}
		}
	}
	return false
}

// order appends the numbers of the fields in the order in which the rows have
// them first.
func (t *goTable) order(order []int32) []int32 {
	first := t.at(0)
	for j := range t.fields {
		if f := &t.fields[j]; !f.optional || !f.absence.Of(first) {
			order = append(order, int32(j))
		}
	}
	for i := 1; i < t.n && len(order) < len(t.fields); i++ {
		p := t.at(i)
		for _, j := range t.optional {
			if !t.fields[j].absence.Of(p) && !slices.Contains(order, j) {
				order = append(order, j)
			}
		}
	}
	return order
}

// appendColumns appends the names of the columns.
func appendColumns(dst []byte, columns []goColumn) []byte {
	dst = append(dst, '{')
	for i := range columns {
		c := &columns[i]
		switch {
		case c.leaves == 0:
			dst = append(append(dst, c.label...), ',')
		case c.form == goMap:
			for _, key := range c.keys {
				dst = append(append(append(dst, '"'), c.path...), '>')
				dst = append(scan.AppendEscaped(dst, key), '"', ',')
			}
		default:
			dst = c.appendColumns(dst)
		}
	}
	dst[len(dst)-1] = '}' // instead of the last comma
	return append(dst, '\n')
}

// hasGoAttachments reports whether anything of the row goes below it.
func hasGoAttachments(columns []goColumn, p gotype.Ptr) bool {
	for i := range columns {
		c := &columns[i]
		if (c.form == goRows || c.form == goList) && !(c.optional && c.absence.Of(p)) &&
			gotype.At[gotype.Slice](gotype.Add(p, c.offset)).Data != nil {
			return true
		}
	}
	return false
}

// appendRow appends the line of a row from its first cell on.
func appendRow(dst []byte, columns []goColumn, p gotype.Ptr) (_ []byte, ok bool) {
	for i := range columns {
		c := &columns[i]
		if c.optional && c.absence.Of(p) {
			dst = appendCells(dst, "~|", c.leaves)
			continue
		}
		q := gotype.Add(p, c.offset)
		switch c.form {
		case goScalar, goPointer:
			if dst, ok = c.appendCell(dst, p); !ok {
				return dst, false
			}
		case goStructValue:
			if dst, ok = c.inner.appendCells(dst, q); !ok {
				return dst, false
			}
		case goStructPointer:
			if q = *gotype.At[gotype.Ptr](q); q == nil {
				dst = appendCells(dst, "-|", c.leaves)
			} else if dst, ok = c.inner.appendCells(dst, q); !ok {
				return dst, false
			}
		case goMap:
			if c.maps.len(q) < 0 {
				dst = appendCells(dst, "-|", c.leaves)
				continue
			}
			for _, key := range c.keys {
				if dst, ok = c.maps.cell(dst, q, key); !ok {
					return dst, false
				}
				dst = append(dst, '|')
			}
		default:
			if gotype.At[gotype.Slice](q).Data == nil {
				dst = append(dst, "-|"...)
			} else {
				dst = append(dst, "^|"...)
			}
		}
	}
	dst[len(dst)-1] = '\n' // instead of the last separator
	return dst, true
}

// appendCells appends a cell for each leaf of a column, at least one.
func appendCells(dst []byte, cell string, leaves int) []byte {
	for range max(1, leaves) {
		dst = append(dst, cell...)
	}
	return dst
}

// attach appends an array below its row, whose number is row.
func (e *goEncoder) attach(dst []byte, c *goColumn, row int, p gotype.Ptr, indent int) ([]byte, bool) {
	if c.optional && c.absence.Of(p) {
		return dst, true
	}
	list := gotype.At[gotype.Slice](gotype.Add(p, c.offset))
	if list.Data == nil {
		return dst, true
	}
	dst = append(append(append(appendSpaces(dst, indent), '.'), c.label...), ' ')
	form := tableArray
	if c.shared && row > 0 {
		form = tableShared
	}
	return e.array(dst, c.goField, list, indent+4, form, c.layout)
}

// appendCells appends the cells of the struct at p, all of which are scalars or
// path columns, each with a separator behind it.
func (s *goStruct) appendCells(dst []byte, p gotype.Ptr) (_ []byte, ok bool) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.form == goStructValue {
			dst, ok = f.inner.appendCells(dst, gotype.Add(p, f.offset))
		} else {
			dst, ok = f.appendCell(dst, p)
		}
		if !ok {
			return dst, false
		}
	}
	return dst, true
}

// appendCell appends the scalar of a field of the struct at p, with a separator
// behind it.
func (f *goField) appendCell(dst []byte, p gotype.Ptr) (_ []byte, ok bool) {
	p = gotype.Add(p, f.offset)
	switch {
	case f.form == goPointer:
		dst, ok = f.appendScalar(dst, p)
	case f.op == gotype.String:
		dst, ok = lex.AppendString(dst, *gotype.At[string](p)), true
	case f.op == gotype.Int64:
		dst, ok = decimal.AppendInt(dst, *gotype.At[int64](p)), true
	default:
		dst, ok = appendGoScalar(dst, f.op, p)
	}
	return append(dst, '|'), ok
}

// appendScalar appends the scalar of a field at p, or null for a nil pointer.
func (f *goField) appendScalar(dst []byte, p gotype.Ptr) ([]byte, bool) {
	if f.form == goPointer {
		if p = *gotype.At[gotype.Ptr](p); p == nil {
			return append(dst, '-'), true
		}
	}
	return appendGoScalar(dst, f.op, p)
}

// appendGoScalar appends a scalar token. It reports false for a number or a time
// that FromGo or the format refuses.
func appendGoScalar(dst []byte, op gotype.Op, p gotype.Ptr) ([]byte, bool) {
	switch op {
	case gotype.String:
		return lex.AppendString(dst, *gotype.At[string](p)), true
	case gotype.Float64:
		return lex.AppendFloat(dst, *gotype.At[float64](p))
	case gotype.Bool:
		return gotext.AppendBool(dst, *gotype.At[bool](p)), true
	case gotype.Time:
		var buf [48]byte
		text, ok := gotext.AppendTime(buf[:0], *gotype.At[time.Time](p))
		return lex.AppendString(dst, string(text)), ok
	}
	n, ok := gotype.Int(op, p)
	return decimal.AppendInt(dst, n), ok
}
