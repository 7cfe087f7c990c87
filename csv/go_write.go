package csv

import (
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// AppendGo appends the text of a list of structs, or of pointers to them, without a
// Value of it. It leaves to Values, beside others, tables that might be nearly empty or have
// more values than FromGo takes.
func (*goWays) AppendGo(codec wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	_, root := gotext.JSON.Root(&gowire.Types, v)
	c := codec.(Codec)
	comma, err := c.comma()
	if err != nil || root.IsNil() || root.Form != gotext.List {
		return dst, false, nil
	}
	rows := root.Items().Rows()
	if rows.Node == nil || rows.Len == 0 || rows.HoldsNil() ||
		len(rows.Members) > columns.LeastFull || rows.Len > bound.Values/(len(rows.Members)+2) {
		return dst, false, nil
	}
	e := c.encoder(comma, nil)
	e.Max = bound.Add(len(dst), c.Limits.Resolved().OutputBytes)
	out, done = e.goRows(dst, rows)
	return out, done && scan.IsUTF8(out[len(dst):]), nil
}

// goRows writes a table. Like all that writes Go values, it reports false for what it
// leaves to Values.
func (e *encoder) goRows(dst []byte, rows gotext.Rows) ([]byte, bool) {
	e.Layout = columns.Get()
	defer e.Layout.GiveBack()
	members := e.goColumns(rows)
	if members == nil {
		return dst, false
	}
	dst, err := e.Header(dst)
	for i := 0; err == nil && i < rows.Len; i++ {
		row, ok := rows.At(i), true
		for _, m := range members {
			if m.Lacks(row) {
				dst, err = e.Absent(dst)
			} else {
				dst, ok = e.goCell(dst, m.Of(row))
			}
			if err != nil || !ok {
				return dst, false
			}
		}
		dst, err = e.endLine(dst)
	}
	return dst, err == nil
}

// goColumns returns the members that rows have, at most 64, in the order of their first
// occurrence, and makes their names the layout's: none if a row has none.
func (e *encoder) goColumns(rows gotext.Rows) (members []*gotext.Member) {
	var seen uint64
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
			return nil
		}
		if rows.Optional == 0 {
			break
		}
	}
	return members
}

// AppendGo implements [records.Form].
func (e *encoder) AppendGo(dst []byte, v any) ([]byte, bool, error) {
	_, at := gotext.JSON.Root(&gowire.Types, v)
	dst, done := e.flat.Append(dst, at, e.Keys)
	if done {
		dst[len(dst)-1] = '\n' // instead of the last separator
	}
	return dst, done && len(dst) <= e.Max, nil
}

// goCell appends the cell of a variable, with what follows it.
func (e *encoder) goCell(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	switch {
	case v.Op == gotype.String:
		dst, err := e.string(dst, v.Text())
		return dst, err == nil
	case v.Form == gotext.Scalar && v.Op != gotype.Time:
		dst, ok = v.AppendNumber(dst)
		return append(dst, e.comma), ok && !e.text
	case v.Form == gotext.Pointer && v.Elem.Form == gotext.Scalar && !v.HoldsNil():
		return e.goCell(dst, v.Target())
	}
	value, err := wire.FromGo(v.Reflect().Interface())
	if err != nil || value.Kind() >= wire.KindArray {
		return dst, false
	}
	dst, err = e.Cell(dst, value)
	return dst, err == nil
}
