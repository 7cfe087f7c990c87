package gcf

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
	dst := append(make([]byte, 0, 2<<10), genericHeader+"## ["...)
	dst = append(strconv.AppendInt(dst, int64(n), 10), "]{"...)
	for i, key := range t.Keys.All() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendKey(dst, key)
	}
	dst = append(dst, "}\n"...)
	const measured = 16 // rows, to estimate the length of all
	for i := range n {
		if i == measured {
			dst = slices.Grow(dst, min(wire.DefaultOutputBytes, (len(dst)/measured+8)*(n-measured)))
		}
		var ok bool
		if dst, ok = appendStruct(dst, t, rows.Index(i)); !ok || len(dst) > wire.DefaultOutputBytes {
			return nil, false
		}
	}
	return dst, scan.IsUTF8(dst)
}

// appendStruct appends the row of a struct.
func appendStruct(dst []byte, t *flat.Type, row reflect.Value) (_ []byte, ok bool) {
	for i := range t.Fields {
		f := &t.Fields[i]
		cell := row.Field(f.Index)
		switch f.Kind {
		case flat.String:
			dst = appendString(dst, cell.String())
		case flat.Int:
			dst = strconv.AppendInt(dst, cell.Int(), 10)
		case flat.Uint:
			n := cell.Uint()
			if n > math.MaxInt64 {
				return dst, false
			}
			dst = strconv.AppendUint(dst, n, 10)
		case flat.Float:
			x := cell.Float()
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return dst, false
			}
			if dst, ok = appendNumber(dst, wire.Float(x)); !ok {
				return dst, false
			}
		case flat.Bool:
			dst = strconv.AppendBool(dst, cell.Bool())
		}
		dst = append(dst, '|')
	}
	dst[len(dst)-1] = '\n' // instead of the last separator
	return dst, true
}

// unmarshalRows decodes a document that is one table into a slice of flat
// structs.
func unmarshalRows(src []byte, v any) bool {
	t, slice := flat.Target(v)
	if t == nil {
		return false
	}
	var d decoder
	h, err := d.begin(src, wire.Limits{})
	if err != nil || h.profile != profileGeneric || len(h.fields) > 0 || !d.at(0) || !strings.HasPrefix(d.line(), "## [") {
		return false
	}
	c, err := d.countBracket(d.here() + len("## "))
	if err != nil || c.keyed || c.n <= 0 || c.next == d.end || d.text[c.next] != '{' {
		return false
	}
	p, next, err := d.fields(c.next, planTable)
	if err != nil || next != d.end || p.fields != nil || d.next() != nil {
		return false
	}
	fields, ok := t.Columns(p.keys)
	if !ok || c.n > 1+strings.Count(d.text[d.here():], "\n") {
		return false
	}
	rows := reflect.MakeSlice(slice.Type(), c.n, c.n)
	for i := range c.n {
		if !d.at(0) || d.text[d.here()] == '@' || d.text[d.here()] == '.' || d.atBlock() || !d.structRow(fields, rows.Index(i)) {
			return false
		}
	}
	if !d.done {
		return false
	}
	slice.Set(rows)
	return true
}

// structRow reads the current line into a struct.
func (d *decoder) structRow(fields []*flat.Field, row reflect.Value) bool {
	if d.spend(len(fields)+1) != nil {
		return false
	}
	i := d.here()
	for n, f := range fields {
		v, next, err := d.token(i, d.end, '|')
		if err != nil || v.Tag() != 0 || (next < d.end) != (n < len(fields)-1) {
			return false
		}
		if f != nil && !f.Set(row, v) {
			return false
		}
		i = next + 1
	}
	return d.next() == nil
}
