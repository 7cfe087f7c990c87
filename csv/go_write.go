package csv

import (
	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

var outputs gotext.Outputs

// marshalRows returns the text of a list of structs, or of pointers to them, without a
// Value of it; false for what it leaves to Values.
func (c Codec) marshalRows(v any) ([]byte, bool) {
	_, root := gotext.JSON.Root(&gowire.Types, v)
	comma, err := c.comma()
	if err != nil || root.IsNil() || root.Form != gotext.List {
		return nil, false
	}
	rows := root.Items().Rows()
	if rows.Node == nil || rows.HoldsNil() {
		return nil, false
	}
	if rows.Len > bound.Values/(len(rows.Members)+2) { // which may be more than FromGo takes
		return nil, false
	}
	return outputs.Write(v, func(dst []byte) ([]byte, bool) {
		e := encoders.Get().(*encoder)
		*e = *c.encoder(comma, nil)
		e.Begin(dst)
		ok := e.goRows(rows) && scan.IsUTF8(e.Dst[len(dst):])
		dst = e.Dst
		*e = encoder{}
		encoders.Put(e)
		return dst, ok
	})
}

// goRows writes a table. Like all that writes Go values, it reports false for what it
// leaves to Values.
func (e *encoder) goRows(rows gotext.Rows) bool {
	e.Layout = columns.Get()
	defer e.Layout.GiveBack()
	var room [32]*gotext.Member
	members, ok := e.goColumns(room[:0], rows)
	if !ok || e.Header() != nil {
		return false
	}
	for i := range rows.Len {
		row, dst := rows.At(i), e.Dst
		for _, m := range members {
			if m.Optional && m.Lacks(row) {
				var err error
				if dst, err = e.Absent(dst); err != nil {
					return false
				}
			} else if dst, ok = e.GoCell(dst, m.Of(row)); !ok {
				return false
			}
		}
		if e.Dst = dst; e.endLine() != nil {
			return false
		}
	}
	return true
}

// goColumns appends the members that rows have, in the order of their first occurrence,
// and makes their names the layout's. A table of no more columns than this looks at is
// never nearly empty.
func (e *encoder) goColumns(members []*gotext.Member, rows gotext.Rows) ([]*gotext.Member, bool) {
	var seen uint64
	if rows.Len == 0 || len(rows.Members) > columns.LeastFull {
		return nil, false
	}
	for i := range rows.Len {
		row, empty := rows.At(i), true
		for k := range rows.Members {
			m := &rows.Members[k]
			if m.Lacks(row) {
				continue
			}
			if empty = false; seen>>k&1 == 0 {
				seen |= 1 << k
				members = append(members, m)
				e.Layout.Names = append(e.Layout.Names, m.Name)
			}
		}
		if empty {
			return nil, false
		}
		if rows.Optional == 0 {
			break
		}
	}
	return members, true
}

// GoCell implements [columns.GoRows].
func (e *encoder) GoCell(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	var value wire.Value
	var err error
	switch v.Op {
	case gotype.String:
		dst, err = e.string(dst, v.Text())
		return dst, err == nil
	case gotype.Pointer:
		switch {
		case v.HoldsNil():
		case v.Elem.Form == gotext.Scalar: // or a cycle of pointers would have no end
			return e.GoCell(dst, v.Target())
		default:
			return dst, false
		}
	case gotype.Time:
		value, err = wire.FromGo(v.Time())
	case gotype.Interface:
		value, err = wire.FromGo(v.Held())
	case gotype.Struct, gotype.List, gotype.Map:
		return dst, false
	default:
		dst, ok = v.AppendNumber(dst)
		return append(dst, e.comma), ok && !e.text
	}
	if err == nil && value.Kind() < wire.KindArray {
		dst, err = e.Cell(dst, value)
		return dst, err == nil
	}
	return dst, false
}
