package toon

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

// A slice of flat structs is a table already, so it needs no Values on its way.
// The functions of this file handle what is simple, and report false for all
// else, errors included: then the way through Values gives the result.

// marshalRows encodes a slice of flat structs as AppendEncode encodes their
// values.
func marshalRows(v any) ([]byte, bool) {
	t, rows := flat.Rows(v)
	if t == nil {
		return nil, false
	}
	n := rows.Len()
	var e encoder
	e.reset(Codec{}, make([]byte, 0, 2<<10), wire.Limits{}.Resolved())
	e.bracket(n, false)
	e.dst = append(e.dst, '{')
	for i, key := range t.Keys.All() {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		e.dst = appendKey(e.dst, key)
	}
	e.dst = append(e.dst, "}:"...)
	const measured = 16 // rows, to estimate the length of all
	for i := range n {
		if i == measured {
			e.dst = slices.Grow(e.dst, min(wire.DefaultOutputBytes, (len(e.dst)/measured+8)*(n-measured)))
		}
		if !e.structRow(t, rows.Index(i)) || !e.fits() {
			return nil, false
		}
	}
	return e.dst, scan.IsUTF8(e.dst)
}

// structRow appends the line of a struct.
func (e *encoder) structRow(t *flat.Type, row reflect.Value) bool {
	// A local slice: the encoder's own would cost a write barrier per cell.
	dst := append(e.dst, "\n  "...)
	for i := range t.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		f := &t.Fields[i]
		cell := row.Field(f.Index)
		switch f.Kind {
		case flat.String:
			dst = appendString(dst, cell.String(), e.barred)
		case flat.Int:
			dst = strconv.AppendInt(dst, cell.Int(), 10)
		case flat.Uint:
			dst = strconv.AppendUint(dst, cell.Uint(), 10)
		case flat.Float:
			x := cell.Float()
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
			from := len(dst)
			dst = canonicalNumber(decimal.AppendFloat(dst, x), from)
		case flat.Bool:
			dst = strconv.AppendBool(dst, cell.Bool())
		}
	}
	e.dst = dst
	return true
}

// unmarshalRows decodes a document that is one table into a slice of flat
// structs.
func unmarshalRows(src []byte, v any) bool {
	t, slice := flat.Target(v)
	if t == nil {
		return false
	}
	p, err := Codec{}.parser(src)
	if err != nil {
		return false
	}
	p.advance()
	i, end := p.line.text, p.line.end
	bracket, colon := p.colon(i, end)
	if p.ended() || p.line.depth > 0 || bracket != i || colon < 0 || !p.take() {
		return false
	}
	h, ok := p.header(i, bracket, end)
	if !ok || h.keyed || h.list == nil || h.list.groups > 0 || h.n <= 0 || h.n > strings.Count(p.s[end:p.end], "\n") {
		return false
	}
	fields, ok := t.Columns(h.list.keys)
	if !ok {
		return false
	}
	rows := reflect.MakeSlice(slice.Type(), h.n, h.n)
	p.advance()
	for n := range h.n {
		if p.spans = min(n, 1); p.line.depth != 1 || !p.take() || !p.readStruct(h, fields, rows.Index(n)) {
			return false
		}
		p.advance()
	}
	if !p.ended() {
		return false
	}
	slice.Set(rows)
	return true
}

// readStruct reads the current line, a row, into a struct.
func (p *parser) readStruct(h header, fields []*flat.Field, row reflect.Value) bool {
	i, end := p.line.text, p.line.end
	if !p.isRow(i, end, h.delim) || !p.spend(len(fields)+1, i) {
		return false
	}
	stop := delimiterClass(h.delim) | classQuote
	for n, f := range fields {
		v, next := p.cell(i, end, h.delim, stop)
		if next < 0 || (next < end) != (n < len(fields)-1) || f != nil && !f.Set(row, v) {
			return false
		}
		i = next + 1
	}
	return true
}
