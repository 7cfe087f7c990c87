package goon

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// edgeList is the edges of a response as they are listed: in total order, each
// one once.
type edgeList struct {
	edges  []*Edge
	inPath bool // they are listed as the steps of paths
}

// listed returns the edges in order. Of a path_finding query those without a
// path are not listed; of all others the place in a path is not shown and does
// not count.
func listed(r *Response) *edgeList {
	l := &edgeList{edges: make([]*Edge, 0, len(r.Edges)), inPath: r.QueryType == queryPathFinding}
	for i := range r.Edges {
		if e := &r.Edges[i]; !l.inPath || e.PathID.Valid {
			l.edges = append(l.edges, e)
		}
	}
	compare := (*Edge).compareEnds
	if l.inPath {
		compare = (*Edge).compareSteps
		slices.SortFunc(l.edges, compare)
	} else {
		type begin struct{ typ, from string }
		order := func(a, b begin) int { return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.from, b.from)) }
		l.edges = sorted(l.edges, func(e *Edge) begin { return begin{e.Type, e.From} }, order, compare)
	}
	l.edges = slices.CompactFunc(l.edges, func(a, b *Edge) bool {
		return compare(a, b) == 0 && a.Type == b.Type && a.From == b.From
	})
	return l
}

// sorted sorts things, in their own memory, by their keys, and those of one key by compare.
// Keys are few and mostly come in runs, so things are dealt out to their keys first.
func sorted[T any, K comparable](things []T, key func(T) K, compareKeys func(a, b K) int, compare func(a, b T) int) []T {
	groups := make(map[K][]T)
	var keys []K
	for i := 0; i < len(things); {
		k, from := key(things[i]), i
		for i++; i < len(things) && key(things[i]) == k; i++ {
		}
		group, known := groups[k]
		if !known {
			keys = append(keys, k)
		}
		groups[k] = append(group, things[from:i]...)
	}
	slices.SortFunc(keys, compareKeys)
	all := things[:0]
	for _, k := range keys {
		group := groups[k]
		if !slices.IsSortedFunc(group, compare) {
			slices.SortStableFunc(group, compare)
		}
		all = append(all, group...)
	}
	return all
}

func (l *edgeList) count() int { return len(l.edges) }

// compareEnds compares edges of one type that begin at nodes of one type.
func (e *Edge) compareEnds(o *Edge) int {
	switch {
	case e.FromID != o.FromID:
		return cmp.Compare(e.FromID, o.FromID)
	case e.To != o.To:
		return cmp.Compare(e.To, o.To)
	case e.ToID != o.ToID:
		return cmp.Compare(e.ToID, o.ToID)
	case e.Depth.Valid == o.Depth.Valid:
		return cmp.Compare(e.Depth.Value, o.Depth.Value)
	}
	return -absentLast(e.Depth, o.Depth)
}

// compareSteps compares edges by their places in paths first.
func (e *Edge) compareSteps(o *Edge) int {
	return cmp.Or(absentLast(e.PathID, o.PathID), absentLast(e.Step, o.Step), cmp.Compare(e.Type, o.Type), cmp.Compare(e.From, o.From), e.compareEnds(o))
}

func absentLast(a, b Optional[int64]) int {
	switch {
	case a.Valid && b.Valid:
		return cmp.Compare(a.Value, b.Value)
	case a.Valid:
		return -1
	case b.Valid:
		return 1
	}
	return 0
}

// A refLabel is what is before the id in references to nodes of one type.
type refLabel struct{ typ, text string }

// append appends the label of a type, which mostly is the one before.
func (l *refLabel) append(dst []byte, typ string) []byte {
	if l.text == "" || l.typ != typ {
		*l = refLabel{typ, string(append(appendName(nil, typ, typeName), ':'))}
	}
	return scan.AppendWords(dst, l.text)
}

// write writes runs of edges of one type, each under its header.
func (l *edgeList) write(e *encoder) {
	if l.inPath {
		l.paths(e)
		return
	}
	e.line(edgesMark)
	var from, to refLabel
	for edges := l.edges; len(edges) > 0 && !e.full(); {
		run := 1
		for run < len(edges) && edges[run].Type == edges[0].Type {
			run++
		}
		e.group(edges[0].Type, run)
		for _, edge := range edges[:run] {
			dst := decimal.AppendInt(from.append(e.dst, edge.From), edge.FromID)
			dst = decimal.AppendInt(to.append(append(dst, " --> "...), edge.To), edge.ToID)
			if edge.Depth.Valid {
				dst = decimal.AppendInt(append(dst, " depth="...), edge.Depth.Value)
			}
			if e.dst = append(dst, '\n'); e.full() {
				break
			}
		}
		edges = edges[run:]
	}
}

// paths writes each path as one chain. Steps that share a place are put in the
// order of what they say, so that the order of the response does not show. A
// path that is broken is a chain for each of its pieces: where a step does not
// begin where the one before it ended, a line of the same number begins.
func (l *edgeList) paths(e *encoder) {
	e.line(pathsMark)
	slices.SortStableFunc(l.edges, func(a, b *Edge) int {
		return cmp.Or(cmp.Compare(a.PathID.Value, b.PathID.Value), cmp.Compare(a.Step.Value, b.Step.Value), cmp.Compare(a.Type, b.Type),
			cmp.Compare(a.FromID, b.FromID), cmp.Compare(a.ToID, b.ToID))
	})
	var from, to refLabel
	for i, edge := range l.edges {
		if i == 0 || !l.edges[i-1].leadsTo(edge) {
			if i > 0 {
				e.dst = append(e.dst, '\n')
			}
			if e.full() {
				return
			}
			e.dst = decimal.AppendInt(append(e.dst, "path="...), edge.PathID.Value)
			e.dst = decimal.AppendInt(from.append(append(e.dst, ": "...), edge.From), edge.FromID)
		}
		e.dst = appendName(append(e.dst, " --"...), edge.Type, typeName)
		e.dst = decimal.AppendInt(to.append(append(e.dst, "--> "...), edge.To), edge.ToID)
	}
	if len(l.edges) > 0 {
		e.dst = append(e.dst, '\n')
	}
}

// leadsTo reports whether next is a step of the same path that begins where e ends.
func (e *Edge) leadsTo(next *Edge) bool {
	return e.PathID == next.PathID && e.To == next.From && e.ToID == next.FromID
}
