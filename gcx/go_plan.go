package gcx

import (
	"slices"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/wire"
)

// goRow is a struct type whose values are read from rows without Values on their
// way: each field is a column.
type goRow struct {
	typ    *gotype.Type
	keys   *wire.Keys // of the fields, at least two
	fields []goField
	nodes  int // of all fields

	// known is the last header that rows of the type came with: a short payload
	// costs little more than its rows.
	known atomic.Pointer[goHeader]
}

// goField is a field of a goRow: a scalar, or with json what is JSON in its cell.
type goField struct {
	offset uintptr
	op     gotype.Op
	json   *gotext.Node
	nodes  int // how many nodes the fields before it have
}

// newGoRow returns how the structs of a type are rows, nil if they need Values.
func newGoRow(t *gotype.Type) *goRow {
	if t.Op != gotype.Struct || t.ConvertsItself() {
		return nil
	}
	list := t.Fields()
	row := &goRow{typ: t, fields: make([]goField, len(list.List))}
	for i := range list.List {
		f, to := &list.List[i], &row.fields[i]
		if f.Quoted || f.Hidden || f.Optional() {
			return nil
		}
		to.offset, to.op = f.Offset, f.Type.Op
		if gotext.IsScalar(f.Type) {
			continue
		}
		of := f.Type
		if of.Op == gotype.Pointer && of.Elem().Op != gotype.Struct {
			return nil
		}
		if to.json = gotext.JSON.Of(of); to.json == nil || to.json.Form == gotext.Any {
			return nil
		}
		to.nodes = row.nodes
		row.nodes += to.json.Nodes
	}
	keys, err := wire.NewKeys(list.Names...)
	if err != nil || keys.Len() < 2 {
		return nil
	}
	row.keys = keys
	return row
}

// columns returns the field for each key, nil where there is none. It reports
// false if a key differs from a field's name in case only: ToGo would take it.
func (t *goRow) columns(keys *wire.Keys) ([]*goField, bool) {
	fields := make([]*goField, keys.Len())
	names := t.typ.Fields()
	for col, name := range keys.All() {
		i := names.Find(name)
		if i < 0 {
			continue
		}
		if names.Names[i] != name || slices.Contains(fields, &t.fields[i]) {
			return nil, false
		}
		fields[col] = &t.fields[i]
	}
	return fields, true
}
