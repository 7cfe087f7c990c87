package glyph

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/order"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// goTables is tablePlan for Go values: which of their lists become tables.
type goTables struct {
	choices []tableChoice[int32] // of the lists under way, in the order of their text
	at      int                  // the next one
	columns []int32              // of all tables: members of their structs
	cells   []gotext.Member      // of the table under way
	masks   []uint64             // of the list under way: which optional members its rows have
	order   order.Graph
	failed  bool // Values must tell
}

func (p *goTables) clear() {
	p.choices, p.columns, p.at, p.failed = p.choices[:0], p.columns[:0], 0, false
}

// next returns the columns of a list, none if it is to be no table. Lists must be asked
// for in the order of their text, those within a table not at all.
func (p *goTables) next(t *goTree, rows *gotext.Rows) []int32 {
	if p.at == len(p.choices) { // the outermost list
		p.clear()
		p.rows(t, rows, 0)
	}
	if p.failed {
		return nil
	}
	c := &p.choices[p.at]
	p.at = max(p.at+1, c.end)
	return c.columns
}

// pick returns those members of a struct that are columns.
func (p *goTables) pick(members []gotext.Member, columns []int32) []gotext.Member {
	p.cells = p.cells[:0]
	for _, c := range columns {
		p.cells = append(p.cells, members[c])
	}
	return p.cells
}

// measure plans what the variable v holds, and returns by how many bytes its text is
// shorter than without tables.
func (p *goTables) measure(t *goTree, v gotext.Var, depth int) int {
	if depth++; depth > maxGoDepth {
		p.failed = true
	}
	if p.failed || !t.nodes[v.Number].tables {
		return 0
	}
	saved := 0
	switch v.Form {
	case gotext.Struct:
		return p.members(t, v, depth)
	case gotext.Pointer:
		if !v.HoldsNil() {
			return p.measure(t, v.Target(), depth)
		}
	case gotext.List:
		list := v.Items()
		if rows := list.Rows(); rows.Node != nil && list.Len >= defaultMinRows && !rows.At(0).IsNil() {
			return p.rows(t, &rows, depth)
		}
		for i := range list.Len {
			saved += p.measure(t, list.At(i), depth)
		}
	}
	return saved
}

func (p *goTables) members(t *goTree, v gotext.Var, depth int) int {
	saved := 0
	for _, m := range t.nodes[v.Number].nested {
		if !m.Lacks(v) {
			saved += p.measure(t, m.Of(v), depth)
		}
	}
	return saved
}

// rows is measure for a list that may be a table.
func (p *goTables) rows(t *goTree, rows *gotext.Rows, depth int) int {
	id := len(p.choices)
	p.choices = append(p.choices, tableChoice[int32]{})
	within := 0
	if t.nodes[rows.Number].tables {
		for i := range rows.Len {
			if row := rows.At(i); !row.IsNil() {
				within += p.members(t, row, depth)
			}
		}
	}
	columns, saved := p.table(t, rows)
	if saved <= within {
		return within
	}
	p.choices[id] = tableChoice[int32]{columns, len(p.choices)}
	return saved
}

// table finds the columns of a list and returns by how many bytes the table is
// shorter than the list; a number below one if there is no table.
func (p *goTables) table(t *goTree, rows *gotext.Rows) (columns []int32, saved int) {
	n, labels := rows.Len, t.nodes[rows.Number].labels
	const most = 16
	length, all := n+1, uint64(0) // brackets and blanks
	p.masks = p.masks[:0]
	for i := range n {
		row := rows.At(i)
		if row.IsNil() {
			return nil, 0
		}
		mask, size := maskOf(row, labels+1)
		if !slices.Contains(p.masks, mask) {
			p.masks = append(p.masks, mask)
		}
		if p.failed = p.failed || len(p.masks) > most; p.failed { // a list with many is left to Values
			return nil, 0
		}
		length += size
		all |= mask
	}
	from := len(p.columns)
	if slices.Contains(p.masks, all) { // a row's order is that of all
		p.columns = present(p.columns, rows.Node, all)
	} else {
		p.union(rows)
	}
	width := len(p.columns) - from
	if width == 0 || len(p.masks) > 1 && n*(width+len("|\n")) > length {
		p.columns = p.columns[:from]
		return nil, 0
	}
	columns = p.columns[from:]
	size := tableFrame + n*(width+len("|\n"))
	for _, c := range columns {
		size += len(rows.Members[c].Label.Text) - 1 // the blank, but no "="
	}
	return columns, length - size
}

// maskOf returns a bit for each optional member that a struct has, and takes the labels of
// the others from a size.
func maskOf(row gotext.Var, size int) (uint64, int) {
	mask, bit := uint64(0), 0
	for _, m := range row.Varying {
		if !m.Optional {
			continue
		}
		if m.Lacks(row) {
			size -= len(m.Label.Text)
		} else {
			mask |= 1 << bit
		}
		bit++
	}
	return mask, size
}

// present appends the members of the structs with that mask.
func present(columns []int32, row *gotext.Node, mask uint64) []int32 {
	bit := 0
	for i := range row.Members {
		if row.Members[i].Optional {
			bit++
			if mask>>(bit-1)&1 == 0 {
				continue
			}
		}
		columns = append(columns, int32(i))
	}
	return columns
}

// union appends the members of all rows in the order that orderedUnion has for
// them: the order of the structs, which is that of every row, but for members
// that no row has both of.
func (p *goTables) union(rows *gotext.Rows) {
	from := len(p.columns)
	p.order.Reset(0)
	var row []int32
	for _, mask := range p.masks {
		last := int32(-1)
		row = present(row[:0], rows.Node, mask)
		for _, c := range row {
			at := int32(slices.Index(p.columns[from:], c))
			if at < 0 {
				at = int32(len(p.columns) - from)
				p.columns = append(p.columns, c)
				p.order.Add()
			}
			p.order.Follow(last, at)
			last = at
		}
	}
	all := append(row[:0], p.columns[from:]...)
	for i, at := range p.order.Sorted() {
		p.columns[from+i] = all[at]
	}
}
