package csv

import (
	"reflect"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// unmarshalRows reads a table into what v points to, a nil slice of structs, without a Value
// of it. It reports false, and has stored nothing, for what it leaves to Values: errors, a
// column that no field has as its exact name, and a cell that Marshal would not have written
// for the type of its field.
func (c Codec) unmarshalRows(src []byte, v any) bool {
	root, list := gotext.JSON.Root(&gowire.Types, v)
	if c.AllStrings || !root.Fresh(list) || list.Form != gotext.List || list.Elem.Form != gotext.Struct {
		return false
	}
	var d decoder
	if c.begin(&d) != nil || d.Begin(src) != nil || d.AtEnd() || d.Header() != nil {
		return false
	}
	members := make([]*gotext.Member, d.Keys.Len())
	for i, name := range d.Keys.All() {
		if members[i] = list.Elem.Member(name); members[i] == nil {
			return false
		}
	}
	r := goReader{decoder: &d, members: members}
	r.Begin(list.Node)
	if !r.rows(list) {
		reflect.ValueOf(v).Elem().SetZero()
		return false
	}
	return true
}

// A goReader reads rows into structs that are zero. Its methods report false for what they
// leave to Values.
type goReader struct {
	*decoder
	gotext.Arrays
	members []*gotext.Member // of the columns
}

func (r *goReader) rows(list gotext.Var) bool {
	items, start := list.Items(), r.Pos
	for !r.AtEnd() {
		if items.Full() {
			r.Grow(&items, r.Pos-start, r.decoder.End-r.Pos)
		}
		if !r.row(items.Next()) {
			return false
		}
	}
	if items.IsNil() {
		list.SetEmpty()
		return true
	}
	r.End(list, items)
	return true
}

// row reads the next row.
func (r *goReader) row(v gotext.Var) bool {
	if r.Values += 1 + len(r.members); r.Values > r.Limits.Values {
		return false
	}
	i, filled := r.Pos, false
	for column, m := range r.members {
		if column > 0 {
			if r.Str[i] != r.comma {
				return false
			}
			i++
		}
		end := i
		if !r.ends(r.Str[i]) { // or the member is absent
			if end = r.cell(m.Of(v), i); end < 0 {
				return false
			}
			filled = true
		}
		i = end
	}
	return filled && i-r.Pos <= r.Limits.LineBytes && r.rowEnd(i)
}

// cell reads the cell at i, which is not empty, and returns where it ends, or where something
// else begins that Values must tell; -1 if they must in any case.
func (r *goReader) cell(v gotext.Var, i int) int {
	switch {
	case strings.HasPrefix(r.Str[i:], "null") && r.ends(r.Str[i+len("null")]):
		return i + len("null")
	case v.Form == gotext.Pointer && v.Elem.Form == gotext.Scalar:
		return r.cell(v.Point(&r.Memory), i)
	case v.Op == gotype.String || v.Op == gotype.Time:
		return r.text(v, i)
	case v.Op == gotype.Float64:
		return v.ReadFloat(r.Str, i)
	case v.Op == gotype.Bool:
		return v.ReadBool(r.Str, i)
	case v.Op.IsInt() || v.Op.IsUint():
		return v.ReadWhole(r.Str, i)
	}
	return -1
}

// text reads the cell of a string or a time.
func (r *goReader) text(v gotext.Var, i int) int {
	var text string
	end, ok := 0, true
	if r.Str[i] == '"' {
		text, end, ok = r.quoted(i)
	} else if end = r.bareEnd(i); end >= 0 {
		text = r.Str[i:end]
	}
	switch {
	case !ok || end < 0:
		return -1
	case v.Op == gotype.String:
		v.SetText(text)
	case !v.ParseTime(text):
		return -1
	}
	return end
}
