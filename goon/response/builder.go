// Package response builds the responses of package goon step by step, for programs that
// answer graph queries themselves.
//
//	var b response.Builder
//	ada, fix := b.Node("User", 1), b.Node("MergeRequest", 41)
//	b.Edge("AUTHORED", ada, fix)
//	r, err := b.Build()
//
// [Builder.Path] is for paths, [Builder.GroupByNode], [Builder.GroupByProperty],
// [Builder.Metric] and [Builder.Row] for aggregations, [Builder.Page] for a page of a longer
// answer. What a Builder has no method for, as an edge's depth, is set in the response.
package response

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

const format = "goon"

// A Builder makes a response step by step. The zero Builder is ready to use.
// Its methods do not fail; the first fault is the error of [Builder.Build].
type Builder struct {
	response goon.Response
	keys     *wire.Keys // of rows
	path     int64      // paths begun
	err      error
}

// Query sets the query type. By default it is "path_finding" after a call of
// Path, "aggregation" after one of GroupBy, Metric or Row, else "traversal".
func (b *Builder) Query(queryType string) { b.response.QueryType = queryType }

// Node adds a node and returns it, for Edge and Path.
func (b *Builder) Node(typ string, id int64, properties ...wire.Member) goon.Node {
	n, err := goon.NewNode(typ, id, properties...)
	if err != nil {
		b.fail(wire.AtKey(wire.AtIndex(err, len(b.response.Nodes)), "nodes"))
		n = goon.Node{Type: typ, ID: id}
	}
	b.response.Nodes = append(b.response.Nodes, n)
	return n
}

// Edge adds an edge.
func (b *Builder) Edge(typ string, from, to goon.Node) {
	b.response.Edges = append(b.response.Edges, goon.Edge{Type: typ, From: from.Type, FromID: from.ID, To: to.Type, ToID: to.ID})
}

// Path begins a path at a node.
func (b *Builder) Path(from goon.Node) *Path {
	p := &Path{b: b, id: b.path, at: from}
	b.path++
	return p
}

// A Path is a path that a Builder makes.
type Path struct {
	b    *Builder
	id   int64
	step int64
	at   goon.Node
}

// Step goes on to a node, and returns the path.
func (p *Path) Step(typ string, to goon.Node) *Path {
	p.b.response.Edges = append(p.b.response.Edges, goon.Edge{Type: typ, From: p.at.Type, FromID: p.at.ID,
		To: to.Type, ToID: to.ID, PathID: some(p.id), Step: some(p.step)})
	p.step++
	p.at = to
	return p
}

// GroupByNode adds a group column of nodes of a type. Its cells are made with
// [goon.Node.Cell].
func (b *Builder) GroupByNode(name, entity string) {
	b.group(goon.GroupColumn{Name: name, Kind: "node", Node: name, Entity: entity})
}

// GroupByProperty adds a group column of a property's values. property may be
// empty if the column has its name.
func (b *Builder) GroupByProperty(name, property string) {
	b.group(goon.GroupColumn{Name: name, Kind: "property", Property: property})
}

func (b *Builder) group(c goon.GroupColumn) {
	b.lateColumn(c.Name)
	b.response.GroupColumns = append(b.response.GroupColumns, c)
}

// Metric adds a metric: function(target.property). property, or both, may be
// empty.
func (b *Builder) Metric(name, function, target, property string) {
	b.lateColumn(name)
	b.response.Columns = append(b.response.Columns, goon.Column{Name: name, Function: function, Target: target, Property: property})
}

func (b *Builder) lateColumn(column string) {
	if b.response.Rows != nil {
		b.fail(&wire.Error{Format: format, Code: "late_column", Kind: wire.ErrShape,
			Message: fmt.Sprintf("column %q is added after the first row", column)})
	}
}

// Row adds a row: one cell for each column, group columns first, each in the
// order they were added.
func (b *Builder) Row(cells ...wire.Value) {
	if b.keys == nil {
		var names []string
		for _, c := range b.response.GroupColumns {
			names = append(names, c.Name)
		}
		for _, c := range b.response.Columns {
			names = append(names, c.Name)
		}
		keys, err := wire.NewKeys(names...)
		if err != nil {
			b.fail(&wire.Error{Format: format, Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey, Message: "two columns have one name"})
			return
		}
		b.keys = keys
	}
	if len(cells) != b.keys.Len() {
		err := &wire.Error{Format: format, Code: wire.CodeRowWidth, Kind: wire.ErrShape,
			Message: fmt.Sprintf("the row has %d cells for %d columns", len(cells), b.keys.Len())}
		b.fail(wire.AtKey(wire.AtIndex(err, len(b.response.Rows)), "rows"))
		return
	}
	b.response.Rows = append(b.response.Rows, wire.ObjectOf(b.keys, cells...))
}

// Page makes the response a page of a longer one. The cursor of the
// next page may be empty if there is none.
func (b *Builder) Page(hasMore bool, cursor string) {
	b.response.Pagination = &goon.Pagination{HasMore: hasMore, NextCursor: goon.Optional[string]{Value: cursor, Valid: cursor != ""}}
}

func some(n int64) goon.Optional[int64] { return goon.Optional[int64]{Value: n, Valid: true} }

func (b *Builder) fail(err error) { b.err = cmp.Or(b.err, err) }

// Build returns the response. Its error is the first fault of a call
// before, or what [goon.Response.Validate] finds.
func (b *Builder) Build() (*goon.Response, error) {
	r := b.response
	r.Nodes, r.Edges, r.Rows = slices.Clip(r.Nodes), slices.Clip(r.Edges), slices.Clip(r.Rows)
	if r.QueryType == "" {
		switch {
		case b.path > 0:
			r.QueryType = "path_finding"
		case r.Rows != nil || r.Columns != nil || r.GroupColumns != nil:
			r.QueryType = "aggregation"
		default:
			r.QueryType = "traversal"
		}
	}
	if b.err != nil {
		return nil, b.err
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	return &r, nil
}
