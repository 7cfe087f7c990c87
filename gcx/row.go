package gcx

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/flat"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// Slices of flat structs are rows already, so they need no Values on their
// way. The functions of this file handle what is simple, and report false for
// all else, errors included: then the way through Values gives the result.

// marshalRows encodes a slice of flat structs as AppendEncode would encode
// their values.
func (c Codec) marshalRows(v any) ([]byte, bool) {
	t, rows := flat.Rows(v)
	if c.Plain || t == nil {
		return nil, false
	}
	e := borrowEncoder(c, make([]byte, 0, 2<<10))
	defer e.giveBack()
	e.rows(t, rows)
	payload, err := e.finish(wire.Value{})
	return payload, err == nil && !e.table.conflict
}

// rows is section for a slice of structs.
func (e *valueEncoder) rows(t *flat.Type, rows reflect.Value) {
	n := rows.Len()
	table := &e.table
	table.reset(wire.Value{})
	table.keys, table.list, table.n = t.Keys, true, n
	table.sets = slices.Grow(table.sets[:0], len(t.Fields))[:len(t.Fields)]
	for i, f := range t.Fields {
		if table.sets[i] = numberLetters; f.Kind == flat.String {
			table.sets[i] = anyLetter
		}
	}
	e.dst = append(append(e.dst, tag+" tool="...), e.baseToken()...)
	e.fields()
	e.dst = strconv.AppendInt(append(e.dst, " "+metaRows+"="...), int64(n), 10)
	typesAt := len(e.dst)
	e.dst = append(e.dst, '\n')
	const measured = 16 // rows, to estimate the length of all
	for i := range n {
		if i == measured {
			e.dst = slices.Grow(e.dst, min(e.max, (len(e.dst)/measured+8)*(n-measured)+n))
		}
		e.structRow(t, rows.Index(i))
		if e.err != nil || table.conflict {
			return
		}
	}
	e.insertTypes(typesAt, false)
}

func (e *valueEncoder) structRow(t *flat.Type, row reflect.Value) {
	// A local slice: the encoder's own would cost a write barrier per cell.
	dst, start := e.dst, len(e.dst)
	for i := range t.Fields {
		f := &t.Fields[i]
		if i > 0 {
			dst = append(dst, '\t')
		}
		cell := row.Field(f.Index)
		switch f.Kind {
		case flat.String:
			var set letterSet
			dst, set = appendString(dst, cell.String())
			e.table.allow(i, set)
		case flat.Int:
			dst = strconv.AppendInt(dst, cell.Int(), 10)
		case flat.Uint:
			dst = strconv.AppendUint(dst, cell.Uint(), 10)
		case flat.Float:
			x := cell.Float()
			if math.IsNaN(x) || math.IsInf(x, 0) {
				e.table.conflict = true
				return
			}
			dst = decimal.AppendFloat(dst, x)
		case flat.Bool:
			dst = appendBool(dst, cell.Bool())
		}
	}
	e.dst = dst
	e.endRow(start)
}

// rowDecoder decodes the one section of a payload into structs.
type rowDecoder struct {
	payload
	cellReader
	types  []byte
	fields []*flat.Field // of each column; nil for a column that no field wants
	rows   reflect.Value
	n      int
}

// unmarshalRows decodes a payload of one list into a slice of flat structs.
func (c Codec) unmarshalRows(src []byte, v any) bool {
	t, slice := flat.Target(v)
	if t == nil {
		return false
	}
	p, err := newPayload(c, src)
	if err != nil {
		return false
	}
	d := rowDecoder{payload: p}
	if !d.decode(t, slice.Type()) {
		return false
	}
	slice.Set(d.rows.Slice(0, d.n))
	return true
}

func (d *rowDecoder) decode(t *flat.Type, slice reflect.Type) bool {
	i, err := d.start()
	if err != nil {
		return false
	}
	h, keys, i, err := d.header(i)
	if err != nil || h.dotted || h.rows < 0 || len(h.Meta) > 2 || keys.Len() < 2 ||
		len(h.Meta) == 2 && h.types == "" || h.sections() > 0 {
		return false
	}
	if !d.columns(t, &h, keys) {
		return false
	}
	n := min(h.rows, 1+strings.Count(d.text[i:], "\n"), 1+(len(d.text)-i)/keys.Len()) // rows that omit cells are not read here
	if n > (d.limits.Values-1)/(keys.Len()+1) {
		return false
	}
	d.rows = reflect.MakeSlice(slice, n, n)
	var count lineCount
	for i < len(d.text) {
		switch d.kindOf(i) {
		case lineRow:
			if d.n == n {
				return false
			}
			if i = d.row(d.rows.Index(d.n), i); i < 0 {
				return false
			}
			d.n++
		case lineHeader:
			return false
		case lineComment:
			end := d.lineEnd(i)
			count.budget = count.budget || budgetCut(d.text[i:end])
			i = min(end+1, len(d.text))
		case lineBlank:
			i = min(d.lineEnd(i)+1, len(d.text))
		}
	}
	count.rows = d.n
	return d.endSection(&h, &count, i) == nil
}

// columns finds the letter and the field of each column.
func (d *rowDecoder) columns(t *flat.Type, h *sectionHeader, keys *wire.Keys) (ok bool) {
	d.types = make([]byte, keys.Len())
	for col := range d.types {
		d.types[col] = columnType(h.types, col)
		if d.c.Text && h.types == "" {
			d.types[col] = 's'
		}
	}
	d.fields, ok = t.Columns(keys)
	return ok
}

// row decodes the row at i and returns where the next line begins, or -1.
func (d *rowDecoder) row(row reflect.Value, i int) int {
	text := d.text
	for col := 0; ; col++ {
		if col == len(d.types) {
			return -1
		}
		s, end := d.cellText(text, i)
		if f := d.fields[col]; f != nil {
			if !d.cell(f, row, d.types[col], s) {
				return -1
			}
		} else if !d.unwanted(d.types[col], s) {
			return -1
		}
		if end < len(text) && text[end] == '\t' {
			i = end + 1
			continue
		}
		if col+1 < len(d.types) {
			return -1 // omitted cells
		}
		if end < len(text) && text[end] == '\r' {
			end++
		}
		return min(end+1, len(text))
	}
}

// unwanted reports whether a cell that no field wants can be skipped; the
// nested ones might exceed a limit.
func (d *rowDecoder) unwanted(letter byte, s string) bool {
	return s == "" || letter == 's' || letter == 'M' || letter == 'N' || s[0] != '[' && s[0] != '{'
}

// cell stores a cell that its column's letter makes a value of the field's
// kind, and reports whether it is one.
func (d *rowDecoder) cell(f *flat.Field, row reflect.Value, letter byte, s string) bool {
	if s == "" {
		// Missing or null leaves the field as it is; "" fits strings only.
		return letter != 'a' && letter != 's' || f.Kind == flat.String
	}
	inferred := letter == 'a' || letter == 'm' || letter == 'n'
	if f.Kind == flat.String {
		if inferred && !isString(letter, s) {
			return false
		}
		row.Field(f.Index).SetString(s)
		return true
	}
	if !inferred {
		return false
	}
	switch f.Kind {
	case flat.Int:
		n, ok := integer(s)
		if !ok || !f.FitsInt(n) {
			return false
		}
		row.Field(f.Index).SetInt(n)
	case flat.Uint:
		n, ok := integer(s)
		if !ok || n < 0 || uint64(n)<<(64-f.Bits)>>(64-f.Bits) != uint64(n) {
			return false
		}
		row.Field(f.Index).SetUint(uint64(n))
	case flat.Float:
		if scan.Number(s) != len(s) {
			return false
		}
		x, ok := decimal.ParseFloat(s)
		if !ok {
			return false
		}
		row.Field(f.Index).SetFloat(x)
	case flat.Bool:
		if s != "true" && s != "false" {
			return false
		}
		row.Field(f.Index).SetBool(s == "true")
	}
	return true
}

// isString reports whether an inferred cell certainly is the string s.
func isString(letter byte, s string) bool {
	set := letterA
	if letter != 'a' {
		set = letterM
	}
	return readableLetters(s)&set != 0
}
