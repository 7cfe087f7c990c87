package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

// A goonReport is what a response holds and what of it is truncated, in the form that
// --json prints.
type goonReport struct {
	Query     string         `json:"query"`
	Nodes     map[string]int `json:"nodes,omitempty"` // by type; nodes in cells of rows included, each one once
	Edges     map[string]int `json:"edges,omitempty"` // by type
	Paths     int            `json:"paths,omitempty"`
	Rows      int            `json:"rows,omitempty"`
	Columns   int            `json:"columns,omitempty"` // group columns and metrics
	HasMore   bool           `json:"has_more,omitempty"`
	Truncated bool           `json:"truncated,omitempty"` // the server cut the result short
	Cut       []cutReport    `json:"cut,omitempty"`
}

// A cutReport is how many texts of one property are truncated.
type cutReport struct {
	Type       string `json:"type,omitempty"` // of the nodes; "" for cells of rows
	Key        string `json:"key"`
	Texts      int    `json:"texts"`
	Characters int64  `json:"characters"` // left out, all texts together; 0 for cells, whose length is not known
}

const ellipsis = "..." // ends a truncated text

// summarize counts. A cell of a row has no breadcrumb; it is counted as truncated if
// it is exactly as long as a truncated text and ends like one.
func summarize(r *goon.Response) *goonReport {
	s := &goonReport{Query: r.QueryType, Nodes: make(map[string]int), Edges: make(map[string]int),
		Rows: len(r.Rows), Columns: len(r.Columns) + len(r.GroupColumns)}
	if r.Pagination != nil {
		s.HasMore, s.Truncated = r.Pagination.HasMore, r.Pagination.Truncated
	}
	cuts := make(map[[2]string]cutReport) // by type and key
	cut := func(typ, key string, characters int64) {
		at := [2]string{typ, key}
		cuts[at] = cutReport{typ, key, cuts[at].Texts + 1, cuts[at].Characters + characters}
	}
	for _, n := range append(nodesInCells(r), r.Nodes...) {
		s.Nodes[n.Type]++
		for key, v := range n.Properties() {
			if length, truncated := n.FullLength(key); truncated {
				cut(n.Type, key, length-int64(utf8.RuneCountInString(v.Text())-len(ellipsis)))
			}
		}
	}
	paths := make(map[int64]bool)
	for i := range r.Edges {
		s.Edges[r.Edges[i].Type]++
		if p := r.Edges[i].PathID; p.Valid {
			paths[p.Value] = true
		}
	}
	s.Paths = len(paths)
	for _, row := range r.Rows {
		for key, v := range row.Members() {
			if cellLooksCut(key, v) {
				cut("", key, 0)
			}
		}
	}
	s.Cut = slices.SortedFunc(maps.Values(cuts), func(a, b cutReport) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Key, b.Key))
	})
	return s
}

// nodesInCells returns the nodes that the rows of an aggregation are grouped by, each
// one once.
func nodesInCells(r *goon.Response) []goon.Node {
	seen := make(map[[2]any]bool) // by type and id
	var nodes []goon.Node
	for _, row := range r.Rows {
		for _, c := range r.GroupColumns {
			cell, _ := row.Get(c.Name)
			n, ok := goon.CellNode(cell)
			if at := [2]any{n.Type, n.ID}; ok && c.Kind == "node" && r.QueryType == "aggregation" && !seen[at] {
				seen[at] = true
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

func cellLooksCut(key string, v wire.Value) bool {
	limit := 1000
	if slices.Contains([]string{"body", "description", "name", "note", "title"}, key) {
		limit = 200
	}
	return v.Kind() == wire.KindString && strings.HasSuffix(v.Text(), ellipsis) && utf8.RuneCountInString(v.Text()) == limit
}

// describe adds rows for the command inspect.
func (s *goonReport) describe(w *cli.Table) {
	w.Row("query", s.Query)
	for _, typ := range slices.Sorted(maps.Keys(s.Nodes)) {
		w.Row("nodes", fmt.Sprintf("%d %s", s.Nodes[typ], typ))
	}
	for _, typ := range slices.Sorted(maps.Keys(s.Edges)) {
		w.Row("edges", fmt.Sprintf("%d %s", s.Edges[typ], typ))
	}
	if s.Paths > 0 {
		w.Row("paths", fmt.Sprint(s.Paths))
	}
	if s.Rows > 0 {
		w.Row("rows", fmt.Sprintf("%d of %d columns", s.Rows, s.Columns))
	}
	if s.HasMore || s.Truncated {
		w.Row("incomplete", fmt.Sprintf("more pages: %t, cut short by the server: %t", s.HasMore, s.Truncated))
	}
	for _, cut := range s.Cut {
		where := cut.Key
		if cut.Type != "" {
			where = cut.Type + "." + cut.Key
		}
		w.Row("cut", fmt.Sprintf("%d texts of %s, %d characters left out", cut.Texts, where, cut.Characters))
	}
}
