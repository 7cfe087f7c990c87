package gcx

import (
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/wire"
)

// goRow is a struct type whose values are rows without Values on their way: each
// field is a column.
type goRow struct {
	typ    *gotype.Type
	keys   *wire.Keys // of the fields, at least two
	fields []goField
	nodes  int // of all fields

	letters []letterSet // of the columns, before any row
	written atomic.Pointer[goHead]
	// known is the last header that rows of the type came with: a short payload
	// costs little more than its rows.
	known atomic.Pointer[goHeader]
}

// goField is a field of a goRow: a scalar, or with json what is JSON in its cell.
type goField struct {
	offset uintptr
	op     gotype.Op
	// nilable says that the field is a pointer, a slice or a map.
	nilable bool
	json    *gotext.Node
	nodes   int // how many nodes the fields before it have
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
		row.letters = append(row.letters, numberLetters)
		if to.op == gotype.String || to.op == gotype.Time {
			row.letters[i] = anyLetter
		}
		if gotext.IsScalar(f.Type) {
			continue
		}
		if to.nilable = f.Type.Op != gotype.Struct; to.nilable {
			row.letters[i] = anyLetter
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

// goRoots holds the rows of slices of structs, nil for types that need Values.
var goRoots gotext.Roots[*goRow]

func goRowsOf(of reflect.Type) *goRow {
	t := gowire.Types.Of(of)
	if t.Op != gotype.List || t.ConvertsItself() {
		return nil
	}
	return newGoRow(t.Elem())
}

// goTable returns v, a slice of structs or a pointer to one, and how its rows are
// written; nil if v is something else, or empty.
func goTable(v any) (*goRow, gotype.Slice) {
	root, p := goRoots.Of(v, goRowsOf)
	row := root.Plan
	if row == nil || p == nil {
		return nil, gotype.Slice{}
	}
	list := *gotype.At[gotype.Slice](p)
	if list.Len == 0 || list.Len > wire.DefaultValues/8/(len(row.fields)+1) {
		return nil, gotype.Slice{} // nothing, or perhaps too many for FromGo, which says so
	}
	return row, list
}

// goTarget returns the slice of structs that v points to, and how its rows are
// read. The type is nil if v is something else, or if the slice has room for
// elements, which would keep what a row does not have.
func goTarget(v any) (*goRow, *gotype.Slice) {
	root, p := goRoots.Of(v, goRowsOf)
	if root.Plan == nil || !root.Pointer || p == nil || gotype.At[gotype.Slice](p).Cap > 0 {
		return nil, nil
	}
	return root.Plan, gotype.At[gotype.Slice](p)
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
