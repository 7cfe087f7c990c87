package gcx

import (
	"reflect"
	"strings"

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
	text    string
	lenient bool
	typed   typedReader
	cells   cellReader
	filled  bool // a section was read as cells
	failed  bool // something was not simple
}

// outline finds the sections of src. It reports false if src is not simple.
func (x *exchange) outline(c Codec, src []byte) bool {
	if len(src) > c.Limits.Resolved().InputBytes || len(src) == 0 || src[len(src)-1] != '\n' || !scan.IsUTF8(src) {
		return false
	}
	t := &resultText{text: string(src), lenient: c.Lenient}
	x.c, x.src, x.text = c, src, t
	for i := 0; i < len(t.text); {
		end := i + strings.IndexByte(t.text[i:], '\n')
		var h sectionHeader
		if h.parse(cutCR(t.text[i:end]), c.Lenient) != nil || !h.hasKeys() || h.sections() > 0 {
			return false
		}
		x.in = append(x.in, Section{Header: h.Header})
		next := t.nextHeader(end)
		x.places = append(x.places, sectionPlace{header: line{at: i}, begin: end + 1, end: next, declared: h.rows})
		i = next
	}
	return true
}

// hasKeys reports whether the fields are different, and the first is not empty.
func (h *sectionHeader) hasKeys() bool {
	_, err := wire.NewKeys(h.Fields...)
	return err == nil && h.Fields[0] != ""
}

// nextHeader returns where the first section begins after the line that ends at i,
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

// readText reads a payload into the result that r points to, or reports false if that
// is not simple.
func (c Codec) readText(src []byte, t *resultType, r reflect.Value) bool {
	var x exchange
	return x.outline(c, src) && x.decode(t, r)
}

func (x *exchange) decode(t *resultType, target reflect.Value) bool {
	fresh, isZero := target, gotext.NewVar(t.node, target).IsZero()
	if !isZero {
		fresh = reflect.New(target.Type().Elem())
	}
	x.read(t, gotext.NewVar(t.node, fresh))
	if x.err != nil || !x.anyUsed() {
		x.text.failed = true
	}
	for i := range x.places {
		if !x.places[i].used {
			x.readCells(i)
		}
	}
	switch {
	case x.text.failed && isZero:
		target.Elem().SetZero()
	case x.text.failed:
	default:
		if x.end(); !isZero {
			target.Elem().Set(fresh.Elem())
		}
	}
	return !x.text.failed
}

// simple reports whether rows of that many fields all are lines with all their
// cells.
func (t *resultText) simple(at *sectionPlace, fields int) bool {
	rows := t.text[at.begin:at.end]
	if strings.Count(rows, "\t") != (fields-1)*strings.Count(rows, "\n") || indexLine(t.text[:at.end], "\n#", at.begin-1) >= 0 {
		t.failed = true
	}
	return !t.failed
}

// readCells reads the rows of a section as cells: of one section only, for the cells
// that rows omit are limited in all together.
func (x *exchange) readCells(section int) {
	t := x.text
	if x.in[section].Rows != nil || t.failed {
		return
	}
	at := &x.places[section]
	sections, _, err := x.c.decodeSections(x.src[at.header.at:at.end])
	if err != nil || t.filled {
		t.failed = true
		return
	}
	t.filled = true
	x.in[section] = sections[0]
}

// list reads the rows of a section into a slice of structs.
func (t *resultText) list(at *sectionPlace, fields []string, list reflect.Value) {
	if !t.begin(at, fields, list.Type().Elem()) {
		return
	}
	n := t.most(at.begin, at.end, len(fields))
	if at.declared >= 0 {
		n = min(n, at.declared)
	}
	if !gotext.Fits(n, t.typed.list.Size, at.end-at.begin) {
		t.failed = true
		return
	}
	made := reflect.MakeSlice(list.Type(), n, n)
	if done := t.rows(at, gotext.ItemsOf(t.typed.list, made)); done > 0 {
		list.Set(made.Slice3(0, done, done))
	}
}

// one reads the only row of a section into a struct.
func (t *resultText) one(at *sectionPlace, fields []string, target reflect.Value) {
	if t.begin(at, fields, target.Type()) && t.rows(at, gotext.NewVar(t.typed.list.Elem, target.Addr()).Alone(t.typed.list)) != 1 {
		t.failed = true
	}
}

// begin begins to read rows of type t.
func (t *resultText) begin(at *sectionPlace, fields []string, rows reflect.Type) bool {
	typ, err := cellTypeOf(rows)
	if err != nil || t.failed {
		t.failed = true
		return false
	}
	t.typed.cellType, t.typed.names, t.typed.places = typ, fields, typ.places(fields)
	return true
}

// rows reads the rows of a section into structs and returns how many they are.
func (t *resultText) rows(at *sectionPlace, rows gotext.Items) int {
	i, done, budget := at.begin, 0, false
	for i < at.end && i >= 0 {
		switch c := t.text[i]; {
		case c == '\n' && len(t.typed.places) > 1: // a blank line
			i++
		case c == '#':
			from := i
			i += strings.IndexByte(t.text[i:], '\n') + 1
			budget = budget || budgetCut(t.text[from:i])
		case c == '\n', c == '\r', done == rows.Len:
			i = -1 // perhaps a row, or too many
		default:
			i = t.row(rows.At(done), i)
			done++
		}
	}
	if i < 0 || !t.lenient && rowCount(at.declared, done, budget, true) != nil {
		t.failed = true
		return 0
	}
	return done
}

// most returns how many rows there can be in a part of the text.
func (t *resultText) most(i, end, fields int) int {
	if fields == 1 {
		return min(strings.Count(t.text[i:end], "\n"), (end-i)/2)
	}
	return strings.Count(t.text[i:end], "\t") / (fields - 1)
}

// row reads the line at i into a struct and returns where the next one
// begins, -1 if it is not simple.
func (t *resultText) row(v gotext.Var, i int) int {
	text := t.text
	for col, place := range t.typed.places {
		end := -1
		if place >= 0 {
			f := &t.typed.fields[place]
			if end = f.scan(v, text, i); end < 0 {
				var cell string
				cell, end = t.cells.cellText(text, i)
				if t.typed.cell(f, v, cell) != nil {
					return -1
				}
			}
		} else {
			if t.typed.unknown != nil {
				return -1
			}
			_, end = t.cells.cellText(text, i)
		}
		if col+1 < len(t.typed.places) {
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

// scan stores the cell at i, which is that of a string or a number as it is,
// into a field of a struct, and returns where it ends; -1 for all else.
func (f *cellField) scan(row gotext.Var, text string, i int) int {
	switch v := f.Of(row); f.read {
	case gotype.String:
		end := special(text, i)
		if c := text[end]; c != '\t' && c != '\n' {
			return -1
		}
		v.SetText(text[i:end])
		return end
	case gotype.Int64, gotype.Float64:
		return plainNumber(f.read, v, text, i)
	}
	return -1
}
