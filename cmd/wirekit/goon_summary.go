package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

// A goonSummary reports what a response holds and what of it is truncated.
type goonSummary struct {
	QueryType string
	Nodes     []typeCount // by type; nodes in cells of rows included, each one once
	Edges     []typeCount // by type
	Paths     int
	Rows      int
	Columns   int // group columns and metrics
	HasMore   bool
	Truncated bool // the server cut the result short
	Cut       []cutCount
}

// A typeCount is the number of nodes or edges of one type.
type typeCount struct {
	Type  string
	Count int
}

// A cutCount reports how many texts of one property are truncated.
type cutCount struct {
	Type       string // of the nodes; "" for cells of rows
	Key        string
	Texts      int
	Characters int64 // left out, all texts together; 0 for cells, whose length is not known
}

const ellipsis = "..." // ends a truncated text

// summarize counts. A cell of a row has no breadcrumb; it is counted as truncated if
// it is exactly as long as a truncated text and ends like one.
func summarize(r *goon.Response) goonSummary {
	s := goonSummary{QueryType: r.QueryType, Rows: len(r.Rows), Columns: len(r.Columns) + len(r.GroupColumns)}
	if r.Pagination != nil {
		s.HasMore, s.Truncated = r.Pagination.HasMore, r.Pagination.Truncated
	}
	nodes, edges, paths := make(map[string]int), make(map[string]int), make(map[int64]bool)
	cuts := make(map[[2]string]cutCount)
	for _, n := range append(nodesInCells(r), r.Nodes...) {
		nodes[n.Type]++
		for key, v := range n.Properties() {
			if length, truncated := n.FullLength(key); truncated {
				c := cuts[[2]string{n.Type, key}]
				shown := int64(utf8.RuneCountInString(v.Text()) - len(ellipsis))
				cuts[[2]string{n.Type, key}] = cutCount{n.Type, key, c.Texts + 1, c.Characters + length - shown}
			}
		}
	}
	for i := range r.Edges {
		edges[r.Edges[i].Type]++
		if p := r.Edges[i].PathID; p.Valid {
			paths[p.Value] = true
		}
	}
	for _, row := range r.Rows {
		for key, v := range row.Members() {
			if cellLooksCut(key, v) {
				c := cuts[[2]string{"", key}]
				cuts[[2]string{"", key}] = cutCount{Key: key, Texts: c.Texts + 1}
			}
		}
	}
	s.Nodes, s.Edges, s.Paths = sortedCounts(nodes), sortedCounts(edges), len(paths)
	s.Cut = slices.SortedFunc(maps.Values(cuts), func(a, b cutCount) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Key, b.Key))
	})
	return s
}

// nodesInCells returns the nodes that the rows of an aggregation are grouped by, each
// one once.
func nodesInCells(r *goon.Response) []goon.Node {
	type identity struct {
		typ string
		id  int64
	}
	seen := make(map[identity]bool)
	var nodes []goon.Node
	for _, row := range r.Rows {
		for _, c := range r.GroupColumns {
			cell, _ := row.Get(c.Name)
			n, ok := goon.CellNode(cell)
			if at := (identity{n.Type, n.ID}); ok && c.Kind == "node" && r.QueryType == "aggregation" && !seen[at] {
				seen[at] = true
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

func sortedCounts(counts map[string]int) []typeCount {
	var all []typeCount
	for _, typ := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, typeCount{typ, counts[typ]})
	}
	return all
}

func cellLooksCut(key string, v wire.Value) bool {
	limit := 1000
	switch key {
	case "body", "description", "name", "note", "title":
		limit = 200
	}
	return v.Kind() == wire.KindString && strings.HasSuffix(v.Text(), ellipsis) && utf8.RuneCountInString(v.Text()) == limit
}
