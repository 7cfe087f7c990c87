package columns

import (
	"fmt"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// LeastFull is how many cells a table may have for each that is not empty; small ones may
// have looseCells in any case.
const (
	LeastFull  = 64
	looseCells = 4096
)

// find finds the columns of a table, the names that its rows have, in the order of their
// first occurrence: as the keys of all rows, or, where rows differ, as a layout, which is
// to be given back. Both are nil for a table without rows. It refuses what is not a table,
// and tables that are nearly empty.
func (e *Encoder) find(v wire.Value) error {
	if v.Kind() != wire.KindArray {
		return e.Refused("not_a_table", wire.ErrShape, "a table is an array of objects, not "+wire.Internal.WithArticle(v.Kind()),
			"put the object into an array, or name the array inside of it")
	}
	var first *wire.Keys
	uniform, members := true, 0
	for i := range v.Len() {
		row := v.Index(i)
		if err := e.checkRow(row); err != nil {
			return wire.AtIndex(err, i)
		}
		if i == 0 {
			first = row.Keys()
		}
		uniform = uniform && (row.Keys() == first || wire.Internal.Same(row.Keys(), first))
		members += row.Len()
	}
	if uniform {
		e.Keys = first
		return nil
	}
	layout := Get()
	var last *wire.Keys
	for i := range v.Len() {
		if keys := v.Index(i).Keys(); keys != last && layout.IsNew(keys) {
			last = keys
			layout.Add(keys)
		}
	}
	if n := len(layout.Names); v.Len() > looseCells/n && v.Len() > LeastFull*members/n {
		layout.GiveBack()
		return e.Refused("nearly_empty", wire.ErrLimit,
			fmt.Sprintf("a table of %d rows and %d columns with %d cells that are not empty", v.Len(), n, members),
			"fewer than one cell in 64 is too few; json, gcf or md:kv carry such rows")
	}
	e.Layout = layout
	return nil
}

// checkRow refuses what is not a row.
func (e *Encoder) checkRow(row wire.Value) error {
	if row.Kind() != wire.KindObject {
		return e.Refused("not_a_row", wire.ErrShape, "a row is an object, not "+wire.Internal.WithArticle(row.Kind()), "")
	}
	if row.Len() == 0 {
		return e.Refused("empty_row", wire.ErrShape, "a row without members has no form", "json or md:kv carry it")
	}
	return nil
}

// IsScalar reports whether a text is null, a boolean or a number in JSON.
func IsScalar(s string) bool {
	switch s {
	case "":
		return false
	case "null", "true", "false":
		return true
	}
	return (s[0] == '-' || s[0]-'0' <= 9) && scan.Number(s) == len(s)
}

// Scalar returns what a text is, which is not empty: null, a boolean, a number, or else
// the string.
func Scalar(text string) wire.Value {
	switch c := text[0]; {
	case c-'0' <= 9 || c == '-':
		if v, end := builder.Decimal(text, 0); end == len(text) {
			return v
		} else if scan.Number(text) == len(text) {
			return builder.NumberText(text)
		}
	case text == "null":
		return wire.Null()
	case text == "true" || text == "false":
		return wire.Bool(c == 't')
	}
	return wire.String(text)
}

// AppendScalar appends null, a boolean or a number. Of any other scalar it returns the
// text, and true.
func AppendScalar(dst []byte, v wire.Value) (out []byte, text string, isText bool) {
	switch v.Kind() {
	case wire.KindNull:
		return append(dst, "null"...), "", false
	case wire.KindBool:
		return strconv.AppendBool(dst, v.Bool()), "", false
	case wire.KindNumber:
		return wire.Internal.AppendText(dst, v), "", false
	case wire.KindString:
		return dst, v.Text(), true
	}
	return dst, string(wire.Internal.AppendText(nil, v)), true
}
