package goon

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/wirekit/wirekit/internal/base/order"
	"github.com/wirekit/wirekit/wire"
)

// A table holds the rows of @rows until it is known which of their references
// stand for nodes that the encoder lifted.
type table struct {
	present bool
	cells   []draft
	ends    []int // where each row's cells end

	columns ordered[string] // declared in the header
	isNode  []bool          // of columns: groups of kind node
	twice   map[string]bool // columns that are declared twice
	loose   ordered[string] // columns that are not declared, as they appeared
	order   order.Graph     // of these
	refs    ordered[ref]    // under node groups, as they appeared
}

type draft struct {
	key   string
	value wire.Value
	ref   int // index in refs, or -1
}

// rowsSection reads one row per line. An empty line is a row without cells.
func (d *decoder) rowsSection() {
	t := &d.table
	if !t.present {
		d.declareColumns()
		t.ends = make([]int, 0, min(d.declared["rows"].n, uint64(len(d.text)-d.lineAt)))
	}
	for ; d.body(); d.advance() {
		d.spend(1)
		d.row()
		t.ends = append(t.ends, len(t.cells))
	}
	if d.c.Lenient && d.doc.QueryType == queryAggregation {
		d.dropBlankRows()
	}
}

// dropBlankRows drops blank lines at the end that the header does not count.
// Only the header of an aggregation counts rows.
func (d *decoder) dropBlankRows() {
	t := &d.table
	want, declared := d.declared["rows"]
	listed := len(t.ends)
	for n := listed; n > 0; n-- {
		if declared && uint64(n) <= want.n || t.ends[n-1] > 0 && (n == 1 || t.ends[n-1] > t.ends[n-2]) {
			break
		}
		t.ends = t.ends[:n-1]
	}
	if len(t.ends) < listed {
		d.note(d.lineAt, blankLine, wire.ErrSyntax, "blank lines after the last row")
	}
}

// declareColumns takes the columns from the header. Of two with one name the
// first counts.
func (d *decoder) declareColumns() {
	t := &d.table
	*t = table{present: true, twice: make(map[string]bool)}
	add := func(name string, node bool) {
		if _, added := t.columns.add(name); added {
			t.isNode = append(t.isNode, node)
		} else {
			t.twice[name] = true
		}
	}
	for _, c := range d.doc.GroupColumns {
		add(c.Name, c.Kind == kindNode && d.doc.QueryType == queryAggregation)
	}
	for _, c := range d.doc.Columns {
		add(c.Name, false)
	}
}

// row reads the current line as a row.
func (d *decoder) row() {
	t := &d.table
	last, lastLoose := -1, -1
	for i := 0; i < len(d.line); i++ { // over the space between cells
		p, next := d.pair(i)
		i = next
		if i == len(d.line)-1 && !d.c.Lenient {
			d.fail(d.lineAt+i, "invalid_pair", wire.ErrSyntax, "a space at the end of a row")
		}
		at, declared := t.columns.index[p.key]
		switch {
		case !declared:
			at = -1
			lastLoose = d.looseCell(p, lastLoose)
		case at <= last:
			if t.twice[p.key] {
				continue // other encoders write the cell twice
			}
			d.tolerate(d.lineAt+p.at, "cell_order", wire.ErrSyntax, "cells are in the order in which the header declares their columns")
		}
		last = max(last, at)
		t.cells = append(t.cells, draft{p.key, p.value, d.cellRef(p.value, at)})
	}
}

// looseCell notes a cell of a column that the header does not declare. Only
// aggregations have headers that declare columns.
func (d *decoder) looseCell(p pair, before int) int {
	if d.doc.QueryType == queryAggregation {
		d.tolerate(d.lineAt+p.at, "undeclared_column", wire.ErrSyntax, fmt.Sprintf("the header declares no column %.60q", p.key))
	}
	t := &d.table
	at, added := t.loose.add(p.key)
	if added {
		t.order.Add()
	}
	t.order.Follow(int32(before), int32(at))
	return at
}

// cellRef notes a reference in a cell under a node group.
func (d *decoder) cellRef(v wire.Value, column int) int {
	t := &d.table
	if column < 0 || !t.isNode[column] || v.Kind() != wire.KindString {
		return -1
	}
	s := v.Text()
	colon := strings.LastIndexByte(s, ':')
	id, ok := parseID(s[colon+1:])
	if colon < 0 || !ok {
		return -1
	}
	at, _ := t.refs.add(ref{s[:colon], id})
	return at
}

// finishRows makes the rows, with the nodes lifted from them back in their
// cells, and declares the columns that were not.
func (d *decoder) finishRows() {
	t := &d.table
	if !t.present {
		return
	}
	d.declareLoose()
	cells := d.lower()
	d.doc.Rows = make([]wire.Value, len(t.ends))
	b := &d.builder
	from := 0
	none := b.Object()
	empty := b.EndObject(&none) // of all rows without cells, which are one byte each
	for i, end := range t.ends {
		if from == end {
			d.doc.Rows[i] = empty
			continue
		}
		o := b.Object()
		for _, c := range t.cells[from:end] {
			b.Key(&o, c.key)
			switch {
			case c.ref < 0:
			case cells[c.ref].Kind() == wire.KindNull:
				c.value = withoutControls(c.value)
			default:
				c.value = cells[c.ref]
			}
			b.Put(&o, c.value)
		}
		d.doc.Rows[i] = b.EndObject(&o)
		from = end
	}
}

// withoutControls returns a reference that stays a text, as texts are written.
func withoutControls(v wire.Value) wire.Value {
	return wire.String(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' && r != '\u0085' {
			return -1
		}
		return r
	}, v.Text()))
}

// lower takes the lifted nodes out of Nodes and returns the cells they belong
// in, by reference; null for references that stay texts. The encoder appends
// the lifted nodes in the order of their first reference, so they are the last
// ones, in that order. A node before them was listed for itself.
func (d *decoder) lower() []wire.Value {
	refs, nodes := d.table.refs.all, d.doc.Nodes
	cells := make([]wire.Value, len(refs))
	n := len(nodes)
	var w writer
	for i := len(refs) - 1; i >= 0 && n > 0; i-- {
		// A cell has no place for the breadcrumb of a node's crumbs.
		if node := &nodes[n-1]; node.ref() == refs[i] && node.crumbs == nil {
			cells[i] = w.cell(node)
			n--
		}
	}
	d.doc.Nodes = nodes[:n:n]
	return cells
}

// declareLoose makes columns of the loose ones, in an order that agrees with
// that of the cells in every row.
func (d *decoder) declareLoose() {
	t := &d.table
	order := t.order.Sorted()
	if len(order) < len(t.loose.all) {
		d.tolerate(len(d.text), "cell_order", wire.ErrSyntax, "two rows have their cells in contradicting orders")
		order = order[:0]
		for at := range t.loose.all {
			order = append(order, int32(at))
		}
	}
	for _, at := range order {
		d.doc.Columns = append(d.doc.Columns, Column{Name: t.loose.all[at]})
	}
}
