package goon

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wirekit/wirekit/wire"
)

// Validate reports what in the response is not as a server makes it, although
// most of it can be written: the first fault of each kind below, with the node, edge
// or row at fault, joined with errors.Join. Encoding does not need it.
//
//   - a node that is there twice with different properties
//   - an edge without type names, or with a depth below 1
//   - a path whose steps do not connect or are not numbered 0, 1, 2 …
//   - an edge of a path_finding query without a path: it cannot be written
//   - rows, columns or group columns outside of an aggregation
//   - a column without a name or with the name of another; a group column of
//     unknown kind
//   - a cell that no column declares: it is not shown
func (r *Response) Validate() error {
	return errors.Join(r.validateNodes(), r.everyEdgeShown(), r.validateEdges(), r.validatePaths(), r.validateColumns(), r.validateRows())
}

func invalid(code, list string, i int, format string, args ...any) error {
	return wire.AtKey(wire.AtIndex(fault(code, wire.ErrShape, format, args...), i), list)
}

func (r *Response) validateNodes() error {
	first := make(map[ref]int, len(r.Nodes))
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if n.Type == "" {
			return invalid("empty_name", "nodes", i, "node %d has no type", n.ID)
		}
		at, again := first[n.ref()]
		if !again {
			first[n.ref()] = i
			continue
		}
		if other := &r.Nodes[at]; !n.sameProperties(other) {
			return invalid("duplicate_node", "nodes", i, "node %s is there twice, with different properties", n.ref())
		}
	}
	return nil
}

// sameProperties reports whether two nodes of one identity have the same
// properties, in any order.
func (n *Node) sameProperties(other *Node) bool {
	if n.flat() && other.flat() {
		return wire.Equal(n.props, other.props)
	}
	return wire.Equal(n.Cell(), other.Cell())
}

// String returns the edge with its ends, for messages.
func (e *Edge) String() string {
	return fmt.Sprintf("%s --%s--> %s", ref{e.From, e.FromID}, e.Type, ref{e.To, e.ToID})
}

// everyEdgeShown returns the error for an edge that has no place in a text.
func (r *Response) everyEdgeShown() error {
	if r.QueryType != queryPathFinding {
		return nil
	}
	for i := range r.Edges {
		if e := &r.Edges[i]; !e.PathID.Valid {
			return invalid("edge_without_path", "edges", i, "edge %s has no path_id; responses of type %s show paths only", e, queryPathFinding)
		}
	}
	return nil
}

func (r *Response) validateEdges() error {
	for i := range r.Edges {
		e := &r.Edges[i]
		switch {
		case e.Type == "" || e.From == "" || e.To == "":
			return invalid("empty_name", "edges", i, "an empty type in edge %s", e)
		case e.Depth.Valid && e.Depth.Value < 1:
			return invalid("invalid_depth", "edges", i, "the depth of edge %s is %d; depths begin at 1", e, e.Depth.Value)
		case r.QueryType != queryPathFinding && (e.PathID.Valid || e.Step.Valid):
			return invalid("edge_in_path", "edges", i, "edge %s has a place in a path, which only path_finding shows", e)
		}
	}
	return nil
}

// validatePaths walks the edges in the order they are shown in.
func (r *Response) validatePaths() error {
	if r.QueryType != queryPathFinding {
		return nil
	}
	var before *Edge
	for _, e := range listed(r).edges {
		step := int64(0)
		connected := true
		if before != nil && before.PathID == e.PathID {
			step = before.Step.Value + 1
			connected = before.leadsTo(e)
		}
		at := func() int { return slices.IndexFunc(r.Edges, func(o Edge) bool { return o == *e }) }
		switch {
		case e.PathID.Value < 0 || !e.Step.Valid || e.Step.Value != step:
			return invalid("invalid_step", "edges", at(), "step %d of path %d is missing or not the only one", step, e.PathID.Value)
		case !connected:
			return invalid("broken_path", "edges", at(), "path %d goes on at %s, but the step before ended at %s",
				e.PathID.Value, ref{e.From, e.FromID}, ref{before.To, before.ToID})
		}
		before = e
	}
	return nil
}

func (r *Response) validateColumns() error {
	if r.QueryType != queryAggregation && (r.Columns != nil || r.GroupColumns != nil || r.Rows != nil) {
		return fault("rows_without_aggregation", wire.ErrShape, "a response of type %q has rows or columns", r.QueryType)
	}
	seen := make(map[string]bool)
	check := func(list string, i int, column string) error {
		switch {
		case column == "":
			return invalid("empty_name", list, i, "a column without a name")
		case seen[column]:
			return invalid(wire.CodeDuplicateField, list, i, "two columns are named %q", column)
		}
		seen[column] = true
		return nil
	}
	for i, c := range r.GroupColumns {
		if err := check("group_columns", i, c.Name); err != nil {
			return err
		}
		if c.Kind != kindNode && c.Kind != kindProperty {
			return invalid("unknown_kind", "group_columns", i, "group column %q has the unknown kind %q", c.Name, c.Kind)
		}
	}
	for i, c := range r.Columns {
		if err := check("columns", i, c.Name); err != nil {
			return err
		}
	}
	return nil
}

func (r *Response) validateRows() error {
	declared := make(map[string]bool)
	for _, c := range r.GroupColumns {
		declared[c.Name] = true
	}
	for _, c := range r.Columns {
		declared[c.Name] = true
	}
	var good *wire.Keys // checked already
	for i, row := range r.Rows {
		if row.Kind() != wire.KindObject {
			return invalid("not_a_response", "rows", i, "a row is an object, not %s", article(row))
		}
		if row.Keys() == good {
			continue
		}
		for key := range row.Members() {
			if !declared[key] {
				return invalid("undeclared_column", "rows", i, "no column is named %q; the cell is not shown", key)
			}
		}
		good = row.Keys()
	}
	return nil
}
