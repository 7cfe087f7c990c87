package gcx

import (
	"reflect"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A result's payload is read straight into its typed rows, without cells in
// between, where it is simple: whole lines, no row that omits cells, and nothing
// that is an error. All else is left to the way through sections, which gives the
// result.

// A resultText is the text of a payload that a result is read from.
type resultText struct {
	text string
	// begin and end are where the rows of the sections do, and declared is the
	// rows= of their headers.
	begin, end []int
	declared   []int
	lenient    bool
	read       typedReader
	cells      cellReader
	filled     bool // a section was read as cells
	failed     bool // something was not simple
}

// outline returns an Exchange that reads src by its headers, nil if src is not
// simple.
func (c Codec) outline(src []byte) *Exchange {
	if len(src) > c.Limits.Resolved().InputBytes || len(src) == 0 || src[len(src)-1] != '\n' || !scan.IsUTF8(src) {
		return nil
	}
	t := &resultText{text: string(src), lenient: c.Lenient}
	x := &Exchange{c: c, reading: true, src: src, text: t}
	for i := 0; i < len(t.text); {
		end := i + strings.IndexByte(t.text[i:], '\n')
		h, bad := parseHeader(cutCR(t.text[i:end]), c.Lenient)
		if bad != nil || h.Fields[0] == "" || h.sections() > 0 {
			return nil
		}
		if _, err := wire.NewKeys(h.Fields...); err != nil {
			return nil
		}
		x.in = append(x.in, Section{Header: h.Header})
		x.at = append(x.at, line{at: i})
		t.begin, t.declared = append(t.begin, end+1), append(t.declared, h.rows)
		i = t.nextHeader(end)
		t.end = append(t.end, i)
	}
	x.used = make([]bool, len(x.in))
	return x
}

// nextHeader returns where the first section begins behind the line that ends at i,
// or the end of the text.
func (t *resultText) nextHeader(i int) int {
	for {
		i = indexLine(t.text, "\nGCX", i)
		if i < 0 {
			return len(t.text)
		}
		if i++; isHeader(t.text[i : i+strings.IndexByte(t.text[i:], '\n')]) {
			return i
		}
	}
}

// indexLine returns the first index of s in text from i on, -1 if there is none.
// It looks for the last byte of s, which is to be rare.
func indexLine(text, s string, i int) int {
	last := len(s) - 1
	for i += last; i < len(text); i++ {
		at := strings.IndexByte(text[i:], s[last])
		if at < 0 {
			return -1
		}
		if i += at; text[i-last:i+1] == s {
			return i - last
		}
	}
	return -1
}

// readText reads a payload into a new result of type t. The Exchange is nil if that
// is not simple.
func (c Codec) readText(src []byte, t reflect.Type) (reflect.Value, *Exchange) {
	x := c.outline(src)
	if x == nil {
		return reflect.Value{}, nil
	}
	fresh := x.read(t)
	if x.err != nil || !slices.Contains(x.used, true) {
		return fresh, nil
	}
	for i, used := range x.used {
		if !used {
			x.cells(i)
		}
	}
	if x.text.failed {
		return fresh, nil
	}
	return fresh, x
}

// simple reports whether rows of that many fields all are lines with all their
// cells.
func (t *resultText) simple(section, fields int) bool {
	rows := t.text[t.begin[section]:t.end[section]]
	if strings.Count(rows, "\t") != (fields-1)*strings.Count(rows, "\n") || indexLine(t.text[:t.end[section]], "\n#", t.begin[section]-1) >= 0 {
		t.failed = true
	}
	return !t.failed
}

// cells reads the rows of a section as cells: of one section only, for the cells
// that rows omit are limited in all together.
func (x *Exchange) cells(section int) {
	t := x.text
	if x.in[section].Rows != nil || t.failed {
		return
	}
	sections, _, err := x.c.decodeSections(x.src[x.at[section].at:t.end[section]])
	if err != nil || t.filled {
		t.failed = true
		return
	}
	t.filled = true
	x.in[section] = sections[0]
}

// rows reads the rows of a section into the slice of structs that target points
// to.
func (t *resultText) rows(section int, fields []string, target any) {
	list := reflect.ValueOf(target).Elem()
	typ, err := cellTypeOf(list.Type().Elem())
	if err != nil || t.failed {
		t.failed = true
		return
	}
	t.read.cellType, t.read.names, t.read.places = typ, fields, typ.places(fields)
	i, end := t.begin[section], t.end[section]
	n := t.most(i, end, len(fields))
	if declared := t.declared[section]; declared >= 0 {
		n = min(n, declared)
	}
	made := reflect.MakeSlice(list.Type(), n, n)
	data, done, budget := made.UnsafePointer(), 0, false
	for i < end && i >= 0 {
		switch c := t.text[i]; {
		case c == '\n' && len(fields) > 1: // a blank line
			i++
		case c == '#':
			from := i
			i += strings.IndexByte(t.text[i:], '\n') + 1
			budget = budget || budgetCut(t.text[from:i])
		case c == '\n', c == '\r', done == n:
			i = -1 // perhaps a row, or too many
		default:
			i = t.row(gotype.Add(data, uintptr(done)*typ.typ.Size), i)
			done++
		}
	}
	if i < 0 || !t.lenient && rowCount(t.declared[section], done, budget) != nil {
		t.failed = true
	} else if done > 0 {
		list.Set(made.Slice3(0, done, done))
	}
}

// most returns how many rows there can be in a part of the text.
func (t *resultText) most(i, end, fields int) int {
	if fields == 1 {
		return min(strings.Count(t.text[i:end], "\n"), (end-i)/2)
	}
	return strings.Count(t.text[i:end], "\t") / (fields - 1)
}

// row reads the line at i into the struct at p and returns where the next one
// begins, -1 if it is not simple.
func (t *resultText) row(p gotype.Ptr, i int) int {
	text := t.text
	for col, place := range t.read.places {
		end := -1
		if place >= 0 {
			f := &t.read.fields[place]
			if end = f.scan(p, text, i); end < 0 {
				var cell string
				cell, end = t.cells.cellText(text, i)
				if t.read.cell(f, p, cell) != nil {
					return -1
				}
			}
		} else {
			if t.read.unknown >= 0 {
				return -1
			}
			_, end = t.cells.cellText(text, i)
		}
		if col+1 < len(t.read.places) {
			if text[end] != '\t' {
				return -1 // omitted cells
			}
		} else if text[end] != '\n' {
			if text[end] != '\r' {
				return -1 // a further cell
			}
			end++
		}
		i = end + 1
	}
	return i
}

// scan stores the cell at i, which is that of a string or a number as it stands,
// into a field of the struct at p, and returns where it ends; -1 for all else.
func (f *cellField) scan(p gotype.Ptr, text string, i int) int {
	p = gotype.Add(p, f.offset)
	switch f.read {
	case gotype.String:
		end := special(text, i)
		if c := text[end]; c != '\t' && c != '\n' {
			return -1
		}
		*gotype.At[string](p) = text[i:end]
		return end
	case gotype.Int64:
		n, end := gotext.ScanInt(text, i)
		if end < 0 || text[end] != '\t' && text[end] != '\n' {
			return -1
		}
		*gotype.At[int64](p) = n
		return end
	case gotype.Float64:
		x, end := decimal.ScanFloat(text, i)
		if end < 0 || text[end] != '\t' && text[end] != '\n' {
			return -1
		}
		*gotype.At[float64](p) = x
		return end
	}
	return -1
}
