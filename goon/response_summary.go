package goon

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// A Summary says what a response holds and what of it is cut.
type Summary struct {
	QueryType string
	Version   string      // goon_version, if the response was decoded
	Nodes     []TypeCount // by type; nodes in cells of rows included, each one once
	Edges     []TypeCount // by type
	Paths     int
	Rows      int
	Columns   int // group columns and metrics
	HasMore   bool
	Truncated bool // the server cut the result short
	Cut       []CutCount
}

// A TypeCount is the number of nodes or edges of one type.
type TypeCount struct {
	Type  string
	Count int
}

// A CutCount says how many texts of one property are cut.
type CutCount struct {
	Type       string // of the nodes; "" for cells of rows
	Key        string
	Texts      int
	Characters int64 // left out, all texts together; 0 for cells, whose length is not known
}

// Summary counts. A cell of a row has no breadcrumb; it is counted as cut if
// it is exactly as long as a cut text and ends like one.
func (r *Response) Summary() Summary {
	s := Summary{QueryType: r.QueryType, Version: r.Version, Rows: len(r.Rows), Columns: len(r.Columns) + len(r.GroupColumns)}
	if r.Pagination != nil {
		s.HasMore, s.Truncated = r.Pagination.HasMore, r.Pagination.Truncated
	}
	nodes := r.Nodes
	if r.QueryType == QueryAggregation {
		nodes = lift(r).nodes
	}
	nodeCounts, cuts := make(map[string]int), make(map[[2]string]CutCount)
	for i := range nodes {
		nodeCounts[nodes[i].Type]++
		nodes[i].countCuts(cuts)
	}
	edgeCounts, paths := make(map[string]int), make(map[Int]bool)
	for i := range r.Edges {
		edgeCounts[r.Edges[i].Type]++
		if p := r.Edges[i].PathID; p.set {
			paths[p] = true
		}
	}
	for _, row := range r.Rows {
		for key, v := range row.Members() {
			if cellLooksCut(key, v) {
				c := cuts[[2]string{"", key}]
				cuts[[2]string{"", key}] = CutCount{Key: key, Texts: c.Texts + 1}
			}
		}
	}
	s.Nodes, s.Edges, s.Paths = sortedCounts(nodeCounts), sortedCounts(edgeCounts), len(paths)
	s.Cut = slices.SortedFunc(maps.Values(cuts), func(a, b CutCount) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Key, b.Key))
	})
	return s
}

func sortedCounts(counts map[string]int) []TypeCount {
	var all []TypeCount
	for typ, n := range counts {
		all = append(all, TypeCount{typ, n})
	}
	slices.SortFunc(all, func(a, b TypeCount) int { return strings.Compare(a.Type, b.Type) })
	return all
}

func (n *Node) countCuts(cuts map[[2]string]CutCount) {
	for key, v := range n.Properties() {
		if v.Kind() != wire.KindString || !strings.HasSuffix(v.Text(), ellipsis) {
			continue
		}
		length, cut := n.Cut(key)
		if !cut {
			continue
		}
		c := cuts[[2]string{n.Type, key}]
		shown := int64(utf8.RuneCountInString(v.Text()) - len(ellipsis))
		cuts[[2]string{n.Type, key}] = CutCount{n.Type, key, c.Texts + 1, c.Characters + length - shown}
	}
}

func cellLooksCut(key string, v wire.Value) bool {
	return v.Kind() == wire.KindString && strings.HasSuffix(v.Text(), ellipsis) &&
		utf8.RuneCountInString(v.Text()) == limitOf(key)
}
