package csv

import (
	"reflect"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// StoreGo reads a table into what v points to, a nil slice of structs, without a Value of it.
// It leaves to Values errors, a column that no field has as its exact name, and a cell that
// Marshal would not have written for the type of its field.
func (*goWays) StoreGo(codec wire.Codec, src []byte, v any) (done bool, err error) {
	c := codec.(Codec)
	root, list := gotext.JSON.Root(&gowire.Types, v)
	if c.AllStrings || !root.Fresh(list) || list.Form != gotext.List || list.Elem.Form != gotext.Struct {
		return false, nil
	}
	var d decoder
	if c.begin(&d) != nil || d.Begin(src) != nil || d.AtEnd() || d.Header() != nil {
		return false, nil
	}
	members := make([]*gotext.Member, d.Keys.Len())
	for i, name := range d.Keys.All() {
		if members[i] = list.Elem.Member(name); members[i] == nil {
			return false, nil
		}
	}
	r := goReader{d: &d, members: members}
	r.Begin(&r, d.Str, d.End, list.Node)
	r.True, r.False = "true", "false"
	if done = r.rows(list); !done {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return done, nil
}

// A goReader reads rows into structs.
type goReader struct {
	gotext.Reader
	d       *decoder
	members []*gotext.Member // of the columns
}

func (r *goReader) rows(list gotext.Var) bool {
	d, items := r.d, list.Items()
	start := d.Pos
	for r.Depth = 1; !d.AtEnd(); {
		if !r.row(r.Add(&items, start, d.Pos)) {
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
	d := r.d
	if d.Values += 1 + len(r.members); d.Values > d.Limits.Values {
		return false
	}
	i, filled := d.Pos, false
	for column, m := range r.members {
		if column > 0 {
			if r.Text[i] != d.comma {
				return false
			}
			i++
		}
		end := i
		if !d.ends(r.Text[i]) { // or the member is absent
			if end = r.cell(m.Of(v), i); end < 0 {
				return false
			}
			filled = true
		}
		i = end
	}
	return filled && i-d.Pos <= d.Limits.LineBytes && d.rowEnd(i)
}

// cell reads the cell at i, which is not empty, and returns where it ends, or where something
// else begins that Values must tell; -1 if they must in any case.
func (r *goReader) cell(v gotext.Var, i int) int {
	switch {
	case r.At(i, "null") && r.d.ends(r.Text[i+len("null")]):
		return i + len("null")
	case v.Form == gotext.Pointer && v.Elem.Form == gotext.Scalar:
		return r.cell(v.Point(&r.Memory), i)
	case v.Form != gotext.Scalar:
		return -1
	}
	return r.Scalar(v, i)
}

// Str implements [gotext.Grammar].
func (r *goReader) Str(i int, _ gotype.Op) (string, int) {
	if r.Text[i] == '"' {
		if text, end, ok := r.d.quoted(i); ok {
			return text, end
		}
	} else if end := r.d.bareEnd(i); end >= 0 {
		return r.Text[i:end], end
	}
	return "", -1
}
