package gcf

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// goEncoder appends one document. Its methods report false for what they leave
// to Values; what was written by then does not count.
type goEncoder struct {
	dst    []byte
	max    int // dst must not get longer
	values int // values left
	// The stacks of the tables being written, innermost on top.
	columns []goColumn
	names   []string // keys of maps that are path columns
}

// goColumn is a field as the column or the columns of one table.
type goColumn struct {
	*goField
	leaves int      // of an object as path columns, 0 if it is null in every row
	keys   []string // of a map
	shared bool     // arrays that share their fields (section 7.4.5.3)
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

// marshalGo appends the document of a Go value as AppendEncode appends that of
// its Value, unless it needs Values.
func marshalGo(dst []byte, v any) ([]byte, bool) {
	t, p := goRoot(v)
	if t == nil {
		return dst, false
	}
	e := goEncoders.Get().(*goEncoder)
	e.dst, e.max, e.values = append(dst, genericHeader...), len(dst)+wire.DefaultOutputBytes, wire.DefaultValues/2
	ok := e.root(t, p) && len(e.dst) <= e.max && scan.IsUTF8(e.dst[len(dst):])
	out := e.dst
	e.dst = nil
	e.giveBack()
	if !ok {
		return dst, false
	}
	return out, true
}

// giveBack makes the encoder free for another document, without what belongs to
// this one.
func (e *goEncoder) giveBack() {
	const kept = 1 << 10
	if cap(e.columns) > kept || cap(e.names) > kept {
		return
	}
	clear(e.columns[:cap(e.columns)])
	clear(e.names[:cap(e.names)])
	e.columns, e.names = e.columns[:0], e.names[:0]
	goEncoders.Put(e)
}

func (e *goEncoder) root(t *gotype.Type, p gotype.Ptr) bool {
	switch t.Op {
	case gotype.Struct:
		s := goStructOf(t)
		if s == nil {
			return false
		}
		e.grow(16 * len(s.fields))
		return e.object(s, p, 0)
	case gotype.List:
		elem := t.Elem()
		pointers := elem.Op == gotype.Pointer
		if pointers {
			elem = elem.Elem()
		}
		if convertsItself(t) || elem.Op != gotype.Struct {
			return false
		}
		list := gotype.At[gotype.Slice](p)
		s := goStructOf(elem)
		if s == nil || !s.tabular || list.Len == 0 {
			return false
		}
		table := goTable{s, list.Data, list.Len, t.Elem().Size, pointers}
		for i := range table.n {
			if pointers && table.at(i) == nil {
				return false
			}
		}
		e.grow(table.n*16 + len(s.header))
		e.text("## ")
		return e.table(&table, 0, tableArray)
	}
	return false
}

// grow makes room for n more bytes, or some of them.
func (e *goEncoder) grow(n int) { e.dst = slices.Grow(e.dst, min(n, 1<<20)+256) }

func (e *goEncoder) text(s string) { e.dst = append(e.dst, s...) }

// spend counts n values.
func (e *goEncoder) spend(n int) bool {
	e.values -= n
	return e.values >= 0 && len(e.dst) <= e.max
}

// object writes the members of the struct at p.
func (e *goEncoder) object(s *goStruct, p gotype.Ptr, indent int) bool {
	if !e.spend(len(s.fields)) || s.isKeyed(p) {
		return false
	}
	for i := range s.fields {
		f := &s.fields[i]
		if f.optional && f.absence.Of(p) {
			continue
		}
		if !e.member(f, gotype.Add(p, f.offset), indent) {
			return false
		}
	}
	return true
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

func (e *goEncoder) member(f *goField, p gotype.Ptr, indent int) (ok bool) {
	e.dst = appendSpaces(e.dst, indent)
	switch f.form {
	case goScalar, goPointer:
		e.dst = append(append(e.dst, f.label...), '=')
		if e.dst, ok = f.appendScalar(e.dst, p); !ok {
			return false
		}
		e.dst = append(e.dst, '\n')
		return true
	case goStructPointer:
		if p = *gotype.At[gotype.Ptr](p); p == nil {
			return e.null(f)
		}
		fallthrough
	case goStructValue:
		e.dst = append(append(append(e.dst, "## "...), f.label...), '\n')
		return e.object(f.inner, p, indent+2)
	case goMap:
		if f.maps.len(p) < 0 {
			return e.null(f)
		}
		e.dst = append(append(append(e.dst, "## "...), f.label...), '\n')
		return e.mapMembers(f, p, indent+2)
	}
	list := gotype.At[gotype.Slice](p)
	if list.Data == nil {
		return e.null(f)
	}
	if list.Len == 0 || f.form == goRows {
		e.text("## ")
	}
	e.text(f.label)
	if list.Len == 0 || f.form == goRows {
		e.dst = append(e.dst, ' ')
	}
	return e.array(f, list, indent, tableArray)
}

func (e *goEncoder) null(f *goField) bool {
	e.dst = append(append(e.dst, f.label...), "=-\n"...)
	return true
}

// mapMembers writes a map as the members of an object.
func (e *goEncoder) mapMembers(f *goField, p gotype.Ptr, indent int) (ok bool) {
	mark := len(e.names)
	e.names = f.maps.names(p, e.names)
	keys := e.names[mark:]
	slices.Sort(keys)
	for _, key := range keys {
		e.dst = append(appendKey(appendSpaces(e.dst, indent), key), '=')
		if e.dst, ok = f.maps.cell(e.dst, p, key); !ok {
			return false
		}
		e.dst = append(e.dst, '\n')
	}
	e.names = e.names[:mark]
	return e.spend(len(keys))
}

// array writes a slice from its count on; indent is that of its rows.
func (e *goEncoder) array(f *goField, list *gotype.Slice, indent int, form tableForm) bool {
	if list.Len == 0 {
		e.text("[0]\n")
		return true
	}
	if f.form == goRows {
		return e.table(&goTable{f.inner, list.Data, list.Len, f.size, false}, indent, form)
	}
	dst := append(strconv.AppendInt(append(e.dst, '['), int64(list.Len), 10), "]: "...)
	for i := range list.Len {
		var ok bool
		if dst, ok = appendGoScalar(dst, f.op, gotype.Add(list.Data, uintptr(i)*f.size)); !ok {
			return false
		}
		dst = append(dst, ',')
	}
	dst[len(dst)-1] = '\n' // instead of the last comma
	e.dst = dst
	return e.spend(list.Len)
}

// table writes a table from its count on; indent is that of its rows.
func (e *goEncoder) table(t *goTable, indent int, form tableForm) bool {
	e.dst = strconv.AppendInt(append(e.dst, '['), int64(t.n), 10)
	e.dst = append(e.dst, ']')
	if t.static {
		if form == tableShared {
			e.dst = append(e.dst, '\n')
		} else {
			e.text(t.header)
		}
		return e.staticRows(t, indent)
	}
	mark, names := len(e.columns), len(e.names)
	e.union(t)
	attached := false
	for i := mark; i < len(e.columns); i++ {
		c := &e.columns[i]
		if !e.settle(c, t) {
			return false
		}
		attached = attached || c.form == goRows || c.form == goList
	}
	if form == tableShared {
		e.dst = append(e.dst, '\n')
	} else {
		e.header(e.columns[mark:])
	}
	end := len(e.columns)
	for i := range t.n {
		p := t.at(i)
		e.dst = appendSpaces(e.dst, indent)
		hasAttachments := attached && hasGoAttachments(e.columns[mark:end], p)
		if hasAttachments {
			e.dst = append(strconv.AppendInt(append(e.dst, '@'), int64(i), 10), ' ')
		}
		if !e.cells(e.columns[mark:end], p) || !e.spend(len(t.fields)+1) {
			return false
		}
		if !hasAttachments {
			continue
		}
		for j := mark; j < end; j++ {
			if c := e.columns[j]; (c.form == goRows || c.form == goList) && !e.attach(&c, p, i, indent) {
				return false
			}
		}
	}
	e.columns, e.names = e.columns[:mark], e.names[:names]
	return true
}

// staticRows writes the rows of a table whose columns are those of the type.
func (e *goEncoder) staticRows(t *goTable, indent int) bool {
	const measured = 16 // rows, to estimate the length of all
	from := len(e.dst)
	for i := range t.n {
		if i == measured && t.n > 4*measured {
			e.dst = slices.Grow(e.dst, min(wire.DefaultOutputBytes, ((len(e.dst)-from)/measured+8)*(t.n-measured)))
		}
		if indent > 0 {
			e.dst = appendSpaces(e.dst, indent)
		}
		dst, ok := t.appendCells(e.dst, t.at(i))
		if !ok {
			return false
		}
		dst[len(dst)-1] = '\n' // instead of the last separator
		if e.dst = dst; !e.spend(len(t.fields) + 1) {
			return false
		}
	}
	return true
}

// union pushes the columns of a table: its fields in the order in which the
// rows have them first (section 7.4.3).
func (e *goEncoder) union(t *goTable) {
	if t.fixed {
		for i := range t.fields {
			e.columns = append(e.columns, goColumn{goField: &t.fields[i]})
		}
		return
	}
	mark := len(e.columns)
	for i := range t.n {
		p := t.at(i)
		for j := range t.fields {
			f := &t.fields[j]
			if f.optional && f.absence.Of(p) || i > 0 && (!f.optional || e.hasColumn(mark, f)) {
				continue
			}
			e.columns = append(e.columns, goColumn{goField: f})
		}
		if len(e.columns)-mark == len(t.fields) {
			break
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
		var ok bool
		c.shared, ok = c.shares(t)
		return ok
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
				if key == "" || holdsPath(key) {
					return false
				}
			}
			c.leaves = n
		}
	}
	return true
}

// shares decides whether an array column declares its fields once (section
// 7.4.5.3): a table in the first row, the same fields in the same order wherever
// there is an array, scalar values.
func (c *goColumn) shares(t *goTable) (shared, ok bool) {
	first := c.rows(t.at(0))
	if first.n == 0 || !c.inner.scalar {
		// With a container in the first array's rows nothing is shared; without
		// one, Values tell.
		return false, first.n == 0 || first.holdsContainer()
	}
	var buf, other [32]int32
	fields := first.order(buf[:0])
	for i := 1; i < t.n; i++ {
		p := t.at(i)
		rows := c.rows(p)
		switch {
		case rows.first == nil:
		case rows.n == 0, !c.inner.fixed && !slices.Equal(fields, rows.order(other[:0])):
			return false, true
		}
	}
	return true, true
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
	for i := range t.n {
		p := t.at(i)
		for j := range t.fields {
			f := &t.fields[j]
			if f.optional && f.absence.Of(p) || i > 0 && (!f.optional || slices.Contains(order, int32(j))) {
				continue
			}
			order = append(order, int32(j))
		}
		if len(order) == len(t.fields) {
			break
		}
	}
	return order
}

// header writes the names of the columns.
func (e *goEncoder) header(columns []goColumn) {
	dst := append(e.dst, '{')
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
	e.dst = append(dst, '\n')
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

// cells writes the line of a row from its first cell on.
func (e *goEncoder) cells(columns []goColumn, p gotype.Ptr) (ok bool) {
	dst := e.dst
	for i := range columns {
		c := &columns[i]
		if c.optional && c.absence.Of(p) {
			dst = appendCells(dst, "~|", c.leaves)
			continue
		}
		q := gotype.Add(p, c.offset)
		switch c.form {
		case goScalar:
			if dst, ok = appendGoScalar(dst, c.op, q); !ok {
				return false
			}
			dst = append(dst, '|')
		case goPointer:
			if dst, ok = c.appendScalar(dst, q); !ok {
				return false
			}
			dst = append(dst, '|')
		case goStructValue:
			if dst, ok = c.inner.appendCells(dst, q); !ok {
				return false
			}
		case goStructPointer:
			if q = *gotype.At[gotype.Ptr](q); q == nil {
				dst = appendCells(dst, "-|", c.leaves)
			} else if dst, ok = c.inner.appendCells(dst, q); !ok {
				return false
			}
		case goMap:
			if c.maps.len(q) < 0 {
				dst = appendCells(dst, "-|", c.leaves)
				continue
			}
			for _, key := range c.keys {
				if dst, ok = c.maps.cell(dst, q, key); !ok {
					return false
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
	e.dst = dst
	return true
}

// appendCells appends a cell for each leaf of a column, at least one.
func appendCells(dst []byte, cell string, leaves int) []byte {
	for range max(1, leaves) {
		dst = append(dst, cell...)
	}
	return dst
}

// attach writes an array below its row.
func (e *goEncoder) attach(c *goColumn, p gotype.Ptr, row, indent int) bool {
	if c.optional && c.absence.Of(p) {
		return true
	}
	list := gotype.At[gotype.Slice](gotype.Add(p, c.offset))
	if list.Data == nil {
		return true
	}
	e.dst = append(append(append(appendSpaces(e.dst, indent), '.'), c.label...), ' ')
	form := tableArray
	if c.shared && row > 0 {
		form = tableShared
	}
	return e.array(c.goField, list, indent+4, form)
}

// appendCells appends the cells of the struct at p, all of which are scalars or
// path columns, each with a separator behind it.
func (s *goStruct) appendCells(dst []byte, p gotype.Ptr) (_ []byte, ok bool) {
	for i := range s.fields {
		f := &s.fields[i]
		q := gotype.Add(p, f.offset)
		switch {
		case f.form == goStructValue:
			if dst, ok = f.inner.appendCells(dst, q); !ok {
				return dst, false
			}
			continue
		case f.form == goPointer:
			dst, ok = f.appendScalar(dst, q)
		case f.op == gotype.String:
			dst, ok = appendString(dst, *gotype.At[string](q)), true
		case f.op == gotype.Int64:
			dst, ok = strconv.AppendInt(dst, *gotype.At[int64](q), 10), true
		default:
			dst, ok = appendGoScalar(dst, f.op, q)
		}
		if !ok {
			return dst, false
		}
		dst = append(dst, '|')
	}
	return dst, true
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
		return appendString(dst, *gotype.At[string](p)), true
	case gotype.Float64:
		return appendFloat(dst, *gotype.At[float64](p))
	case gotype.Bool:
		return strconv.AppendBool(dst, *gotype.At[bool](p)), true
	case gotype.Time:
		return appendGoTime(dst, *gotype.At[time.Time](p))
	}
	n, ok := gotype.Int(op, p)
	return strconv.AppendInt(dst, n, 10), ok
}

func appendGoTime(dst []byte, t time.Time) ([]byte, bool) {
	const day = 24 * 60 * 60
	if _, offset := t.Zone(); t.Year() < 0 || t.Year() > 9999 || offset <= -day || offset >= day {
		return dst, false
	}
	var buf [48]byte
	return appendString(dst, string(wire.Time(t).AppendText(buf[:0]))), true
}
