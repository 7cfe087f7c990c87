package gcx

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A goTable is what the rows of a section are.
type goTable struct {
	v    gotext.Var   // none for null
	list gotext.Items // of the rows, if there is not just v
	// Unless the rows are values, they are structs with these columns or a map's members.
	cells  []gotext.Place
	merged [][]gotext.Place // of rows that do not all have the same members
	names  []string
}

// rows writes the rows as writeRows does. The letters are those that hold for all
// that columns can be.
func (r *goRows) rows(dst []byte, t *goTable, letters []letterSet) ([]byte, bool) {
	start := len(dst)
	r.reset(len(letters))
	for again := true; again; again = r.endPass() {
		var ok bool
		r.beginPass(letters)
		if dst, ok = r.pass(dst[:start], t); !ok || len(dst) > r.Max {
			return nil, false
		}
	}
	return dst, true
}

// pass writes the rows once, or until a column has turned out to need quotation
// marks.
func (r *goRows) pass(dst []byte, t *goTable) (_ []byte, ok bool) {
	switch {
	case t.names != nil:
		return r.mapping(dst, t)
	case t.list.IsNil():
		return r.object(dst, t.cells, t.v)
	}
	for i := range t.list.Len {
		if t.merged != nil {
			t.cells = t.merged[r.places[i]]
		}
		if dst, ok = r.object(dst, t.cells, t.list.At(i)); !ok || len(dst) > r.Max {
			return dst, false
		}
		if r.stop() {
			break
		}
	}
	return dst, true
}

// single writes a row of the only column.
func (r *goRows) single(dst []byte, v gotext.Var) ([]byte, bool) {
	start := len(dst)
	dst, ok := r.cell(dst, 0, v)
	if !ok {
		return dst, false
	}
	return r.endRow(dst, start), true
}

// endRow ends a row that may have one column.
func (r *goRows) endRow(dst []byte, start int) []byte {
	if len(dst) == start && r.sets[0] != 0 {
		// A blank line is not a row: the cell must be quoted to be one.
		r.allow(0, 0)
	}
	return guardRow(append(dst, '\n'), start)
}

// guardRow puts a backslash before a row that would be read as a comment or as a section's
// header. That prevents it by the rule that an unknown escape is the byte after the backslash.
func guardRow(dst []byte, start int) []byte {
	row := dst[start:]
	if row[0] == '#' || row[0] == 'G' && len(row) > 3 && string(row[:3]) == tagName && row[3]-'0' <= 9 {
		return slices.Insert(dst, start, '\\')
	}
	return dst
}

// object writes the row of a struct, whose members are the columns, or of a value.
func (r *goRows) object(dst []byte, cells []gotext.Place, row gotext.Var) ([]byte, bool) {
	switch len(cells) {
	case 0:
		return r.single(dst, row)
	case 1:
		return r.single(dst, cells[0].Of(target(row)))
	}
	return r.cells(dst, cells, target(row))
}

// cells writes the row of a struct.
func (r *goRows) cells(dst []byte, cells []gotext.Place, row gotext.Var) (_ []byte, ok bool) {
	start, sets := len(dst), r.sets[:len(cells)]
	for i := range cells {
		c := &cells[i]
		switch c.Op {
		case gotype.String:
			s := c.Of(row).Text()
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
			dst = decimal.AppendInt(dst, c.Of(row).Int64())
		case gotype.Other:
			if c.Node == nil {
				r.flags[i] |= sawMissing
				r.allow(i, missingLetters)
			} else if dst, ok = r.cell(dst, i, c.Of(row)); !ok {
				return dst, false
			}
		case gotype.Float64:
			x := c.Of(row).Float()
			if x-x != 0 {
				return dst, false
			}
			dst = decimal.AppendFloat(dst, x)
		case gotype.Bool:
			dst = gotext.AppendBool(dst, c.Of(row).Bool())
		default:
			if dst, ok = c.Of(row).AppendNumber(dst); !ok {
				return dst, false
			}
		}
		dst = append(dst, '\t')
	}
	dst[len(dst)-1] = '\n' // instead of the last tab
	return guardRow(dst, start), true
}

// mapping writes the row of a map.
func (r *goRows) mapping(dst []byte, t *goTable) (_ []byte, ok bool) {
	start := len(dst)
	for i, key := range t.names {
		if i > 0 {
			dst = append(dst, '\t')
		}
		elem, found := t.v.Load(key, &r.Scratch)
		if !found {
			return dst, false
		}
		if dst, ok = r.cell(dst, i, elem); !ok {
			return dst, false
		}
	}
	return r.endRow(dst, start), true
}

// anyCell appends the cell of the first column.
func (r *goRows) anyCell(dst []byte, v gotext.Var) ([]byte, bool) { return r.cell(dst, 0, v) }

// cell appends the cell of column i.
func (r *goRows) cell(dst []byte, i int, v gotext.Var) ([]byte, bool) {
	if !v.IsNil() {
		v = target(v)
	}
	if v.IsNil() {
		return r.null(dst, i), true
	}
	ok := true
	switch {
	case v.Form == gotext.Any:
		return dst, false
	case v.Form != gotext.Scalar:
		from := len(dst)
		if dst, ok = r.Value(dst, v); ok {
			dst = escapeJSON(dst, from)
		}
	case v.Op == gotype.String:
		return r.text(dst, i, v.Text()), true
	case v.Op == gotype.Time:
		var buf [48]byte
		text, ok := gotext.AppendTime(buf[:0], v.Time())
		return r.text(dst, i, string(text)), ok
	default:
		dst, ok = v.AppendNumber(dst)
	}
	r.allow(i, numberLetters)
	return dst, ok
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
