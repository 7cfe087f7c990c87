package goon

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// An ordered is a list of things, each once, in the order in which they were added.
type ordered[K comparable] struct {
	all   []K
	index map[K]int
}

// add returns the place of a thing, and whether it is new.
func (o *ordered[K]) add(k K) (at int, added bool) {
	if at, known := o.index[k]; known {
		return at, false
	}
	if o.index == nil {
		o.index = make(map[K]int)
	}
	o.index[k] = len(o.all)
	o.all = append(o.all, k)
	return len(o.all) - 1, true
}

// A layout finds the cells of rows in the order of the columns, of which a second one of a
// name would repeat the cells of the first. Its work for a row depends on the cells that the
// row has, not on the number of columns.
type layout struct {
	ordered[string]            // the columns
	keys            *wire.Keys // of the last row
	cells           []rowCell  // of a row with these keys
}

// A rowCell is the place of a cell: its column, and where it is in a row.
type rowCell struct{ column, at int }

// of returns the places of the row's cells.
func (l *layout) of(row wire.Value) []rowCell {
	keys := row.Keys()
	if l.keys != nil && (keys == l.keys || wire.Internal.Same(keys, l.keys)) {
		return l.cells
	}
	l.keys, l.cells = keys, l.cells[:0]
	for at, key := range keys.All() {
		if column, ok := l.index[key]; ok {
			l.cells = append(l.cells, rowCell{column, at})
		}
	}
	slices.SortFunc(l.cells, func(a, b rowCell) int { return cmp.Compare(a.column, b.column) })
	return l.cells
}

// lift appends the nodes in the cells of node groups to the response's own,
// each one once, in the order of their first appearance.
func lift(r *Response) *arrangement {
	a := &arrangement{nodes: r.Nodes[:len(r.Nodes):len(r.Nodes)]}
	var groups layout
	for _, c := range r.GroupColumns {
		if c.Kind == kindNode {
			groups.add(c.Name)
		}
	}
	var seen ordered[ref]
	for i, row := range r.Rows {
		if row.Kind() != wire.KindObject {
			continue
		}
		for _, cell := range groups.of(row) {
			n, ok := CellNode(row.Index(cell.at))
			if !ok {
				continue
			}
			if _, added := seen.add(n.ref()); added {
				a.nodes = append(a.nodes, n)
				a.lifted = append(a.lifted, i)
			}
		}
	}
	return a
}

// A rowColumn is how a column's cells are written.
type rowColumn struct {
	label string
	limit int
	nodes bool // its nodes are lifted
}

// A rowWriter writes rows.
type rowWriter struct {
	layout
	columns []rowColumn
}

// rows writes the table of an aggregation: in the response's order, group
// columns first, then metrics.
func (e *encoder) rows(r *Response) error {
	e.line(rowsMark)
	var w rowWriter
	for _, c := range r.GroupColumns {
		w.column(e, c.Name, r.QueryType == queryAggregation && c.Kind == kindNode)
	}
	for _, c := range r.Columns {
		w.column(e, c.Name, false)
	}
	for i, row := range r.Rows {
		if e.full() {
			break
		}
		if row.Kind() != wire.KindObject {
			return wire.AtKey(wire.AtIndex(misfit("a row is an object, not "+article(row), ""), i), "rows")
		}
		if err := e.row(&w, row); err != nil {
			return wire.AtKey(wire.AtIndex(err, i), "rows")
		}
	}
	return nil
}

func (w *rowWriter) column(e *encoder, name string, nodes bool) {
	if _, added := w.add(name); added {
		w.columns = append(w.columns, rowColumn{label: propertyLabel(name), limit: e.limit(name), nodes: nodes})
	}
}

func (e *encoder) row(w *rowWriter, row wire.Value) error {
	from := len(e.dst)
	for _, cell := range w.of(row) {
		c := &w.columns[cell.column]
		label := c.label
		if len(e.dst) == from {
			label = label[1:] // without the space between cells
		}
		if err := e.cell(label, c, row.Index(cell.at)); err != nil {
			return wire.AtKey(err, w.all[cell.column])
		}
	}
	e.dst = append(e.dst, '\n')
	return nil
}

// cell writes a cell of a row. It differs from a property in that null is a
// value, that a node is a reference, and that a cut text has no breadcrumb.
func (e *encoder) cell(label string, c *rowColumn, v wire.Value) error {
	if v.Kind() == wire.KindNull {
		e.dst = append(append(e.dst, label...), "null"...)
		return nil
	}
	if typ, id, ok := cellRef(v); ok {
		lifted := false
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			id, lifted = strconv.FormatInt(n, 10), c.nodes // as the lifted node has it: 007 is 7
		}
		switch {
		case len(typ)+1+len(id) > c.limit:
		case bare(typ) && bare(id):
			e.dst = append(append(append(append(e.dst, label...), typ...), ':'), id...)
			return nil
		case lifted: // quoted as the name is, of which no character is dropped
			e.dst = appendQuotedName(append(e.dst, label...), typ+":"+id)
			return nil
		}
		v = wire.String(typ + ":" + id) // a text like any other
	}
	var err error
	e.dst, _, err = e.value(e.dst, label, c.limit, v)
	return err
}
