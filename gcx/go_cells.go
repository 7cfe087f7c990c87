package gcx

import (
	"time"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
)

// A goTable is what the rows of a section are.
type goTable struct {
	node *gotext.Node
	p    gotype.Ptr   // nil for null
	list gotype.Slice // of the rows, if there is not just the one at p
	// Unless the rows are values, one of these has the columns.
	variant *goVariant
	fields  *goFields // merged, or of a map
}

// rows writes the rows as writeRows does. The letters are those that hold for all
// that columns can be.
func (r *goRows) rows(dst []byte, t *goTable, letters []letterSet) ([]byte, bool) {
	start := len(dst)
	r.reset(len(letters))
	for again := true; again; again = r.endPass() {
		var ok bool
		r.beginPass(letters)
		if dst, ok = r.pass(dst[:start], t); !ok || len(dst) > r.max {
			return nil, false
		}
	}
	return dst, true
}

// pass writes the rows once, or until a column has turned out to need quotation
// marks.
func (r *goRows) pass(dst []byte, t *goTable) ([]byte, bool) {
	switch {
	case (t.variant != nil || t.fields != nil) && t.list.Data != nil:
		return r.objects(dst, t)
	case t.variant != nil:
		return r.object(dst, t.variant.cells, t.p)
	case t.fields != nil:
		return r.mapping(dst, t)
	case t.list.Data == nil:
		return r.single(dst, t.node, t.p)
	case t.node.Elem.Form == gotext.Scalar && t.node.Elem.Op == gotype.String && !r.quoted(0):
		return r.strings(dst, t)
	}
	for i := range t.list.Len {
		var ok bool
		if dst, ok = r.single(dst, t.node.Elem, gotype.Add(t.list.Data, uintptr(i)*t.node.Size)); !ok || len(dst) > r.max {
			return dst, false
		}
		if r.stop() {
			break
		}
	}
	return dst, true
}

// strings writes a row for each string of a list.
func (r *goRows) strings(dst []byte, t *goTable) ([]byte, bool) {
	all := anyLetter
	for i := range t.list.Len {
		start := len(dst)
		var set letterSet
		if dst, set = appendString(dst, *gotype.At[string](gotype.Add(t.list.Data, uintptr(i)*t.node.Size))); len(dst) == start {
			set = 0 // a blank line is not a row: the cell must be quoted to be one
		} else if c := dst[start]; c == '#' || c == 'G' {
			dst = guard(dst, start)
		}
		if all &= set; all == 0 || len(dst) > r.max {
			break
		}
		dst = append(dst, '\n')
	}
	r.allow(0, all)
	return dst, len(dst) <= r.max
}

// single writes a row of the only column.
func (r *goRows) single(dst []byte, n *gotext.Node, p gotype.Ptr) ([]byte, bool) {
	start := len(dst)
	dst, ok := r.cell(dst, 0, n, p)
	if !ok {
		return dst, false
	}
	if len(dst) == start && r.sets[0] != 0 {
		// A blank line is not a row: the cell must be quoted to be one.
		r.allow(0, 0)
	}
	return endGoRow(append(dst, '\n'), start), true
}

// objects writes one row for each struct of a list.
func (r *goRows) objects(dst []byte, t *goTable) (_ []byte, ok bool) {
	var cells []goCell
	if t.variant != nil {
		cells = t.variant.cells
	}
	for i := range t.list.Len {
		if t.variant == nil { // they do not all have the same members
			cells = t.fields.columns[r.places[:t.list.Len][i]]
		}
		p := t.row(i)
		if len(cells) > 1 {
			dst, ok = r.cells(dst, cells, p)
		} else {
			dst, ok = r.object(dst, cells, p)
		}
		if !ok || len(dst) > r.max {
			return dst, false
		}
		if r.conflict && r.stop() {
			break
		}
	}
	return dst, true
}

// row returns the element of a list of structs.
func (t *goTable) row(i int) gotype.Ptr {
	p := gotype.Add(t.list.Data, uintptr(i)*t.node.Size)
	for n := t.node.Elem; n.Form == gotext.Pointer; n = n.Elem {
		p = *gotype.At[gotype.Ptr](p)
	}
	return p
}

// endGoRow guards the row that begins at start.
func endGoRow(dst []byte, start int) []byte {
	if c := dst[start]; c == '#' || c == 'G' {
		return guard(dst, start)
	}
	return dst
}

// object writes the row of the struct at p, whose members are the columns.
func (r *goRows) object(dst []byte, cells []goCell, p gotype.Ptr) ([]byte, bool) {
	if len(cells) == 1 {
		return r.single(dst, cells[0].node, gotype.Add(p, cells[0].offset))
	}
	return r.cells(dst, cells, p)
}

// cells writes the row of the struct at p.
func (r *goRows) cells(dst []byte, cells []goCell, p gotype.Ptr) (_ []byte, ok bool) {
	start, sets := len(dst), r.sets[:len(cells)]
	for i := range cells {
		c := &cells[i]
		q := gotype.Add(p, c.offset)
		switch c.op {
		case gotype.String:
			s := *gotype.At[string](q)
			if r.quoted(i) {
				dst = appendQuotedText(dst, s)
				break
			}
			var set letterSet
			dst, set = appendString(dst, s)
			if set != anyLetter {
				if sets[i] &= set; sets[i] == 0 {
					r.conflict = true
				}
			}
		case gotype.Int64:
			dst = decimal.AppendInt(dst, *gotype.At[int64](q))
		case gotype.Float64:
			x := *gotype.At[float64](q)
			if x-x != 0 {
				return dst, false
			}
			dst = decimal.AppendFloat(dst, x)
		case gotype.Bool:
			dst = appendBool(dst, *gotype.At[bool](q))
		case gotype.Other:
			if c.node == nil {
				r.flags[i] |= sawMissing
				r.allow(i, missingLetters)
			} else if dst, ok = r.cell(dst, i, c.node, q); !ok {
				return dst, false
			}
		default:
			dst = gotext.AppendInt(dst, c.op, q)
		}
		dst = append(dst, '\t')
	}
	dst[len(dst)-1] = '\n' // instead of the last tab
	return endGoRow(dst, start), true
}

// mapping writes the row of a map.
func (r *goRows) mapping(dst []byte, t *goTable) (_ []byte, ok bool) {
	start, n := len(dst), t.node
	q := r.writer().Element(n.Elem)
	for i, key := range t.fields.names {
		if !n.Maps.Load(t.p, key, q) {
			return dst, false
		}
		if dst, ok = r.cell(dst, i, n.Elem, q); !ok {
			return dst, false
		}
		dst = append(dst, '\t')
	}
	if len(dst) == start+1 && r.sets[0] != 0 {
		r.allow(0, 0) // see single
	}
	dst[len(dst)-1] = '\n'
	return endGoRow(dst, start), true
}

// cell appends the cell of column i.
func (r *goRows) cell(dst []byte, i int, n *gotext.Node, p gotype.Ptr) ([]byte, bool) {
	if p != nil {
		n, p = target(n, p)
	}
	if p == nil {
		if !r.quoted(i) {
			r.flags[i] |= sawNull
			r.allow(i, nullLetters)
		} else if r.sets[i] != letterN || len(r.sets) == 1 {
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
	if !r.quoted(i) {
		r.allow(i, numberLetters)
	}
	return dst, ok
}

// text appends a string's cell.
func (r *goRows) text(dst []byte, i int, s string) []byte {
	if r.quoted(i) {
		return appendQuotedText(dst, s)
	}
	dst, set := appendString(dst, s)
	r.allow(i, set)
	return dst
}

// appendQuotedText appends a string's cell in a column m or n: as it is where that
// reads back, else as a JSON literal.
func appendQuotedText(dst []byte, s string) []byte {
	if stringLetters(s)&letterM != 0 {
		return appendCell(dst, s)
	}
	start := len(dst)
	return escapeJSON(scan.AppendQuote(dst, s), start)
}
