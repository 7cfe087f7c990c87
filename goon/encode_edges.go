package goon

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/scan"
)

// edgeList is the edges of a response as they are listed: in total order, each
// one once. Types are compared by their rank among all types of the response.
type edgeList struct {
	edges []rankedEdge
	types []string // by rank
	all   []Edge   // of the response; nil if only depths are known of them
	// depths are those of all; nil if none is set.
	depths []Optional[int64]
	inPath bool // they are listed as the steps of paths
}

// depth returns the depth of an edge.
func (l *edgeList) depth(e *rankedEdge) Optional[int64] {
	switch {
	case l.all != nil:
		return l.all[e.at].Depth
	case l.depths != nil:
		return l.depths[e.at]
	}
	return Optional[int64]{}
}

// A rankedEdge has no pointers: the collector does not look at it.
type rankedEdge struct {
	typ, from, to uint32
	at            int32 // in all
	fromID, toID  int64
}

// listed returns the edges in order. Of a path_finding query those without a
// path are not listed; of all others the place in a path is not shown and does
// not count.
func listed(r *Response) edgeList {
	inPath := r.QueryType == queryPathFinding
	l := edgeList{edges: make([]rankedEdge, 0, len(r.Edges)), all: r.Edges, inPath: inPath}
	var types typeNumbers
	for i := range r.Edges {
		if e := &r.Edges[i]; !inPath || e.PathID.Valid {
			l.edges = append(l.edges, rankedEdge{types.of(e.Type), types.of(e.From), types.of(e.To), int32(i), e.FromID, e.ToID})
		}
	}
	l.rank(&types)
	l.sort()
	return l
}

// rank replaces the numbers of types by their ranks.
func (l *edgeList) rank(types *typeNumbers) {
	order := make([]uint32, len(types.names)) // the numbers, by rank
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(types.names[a], types.names[b]) })
	ranks := make([]uint32, len(order)) // by number
	l.types = make([]string, len(order))
	for rank, number := range order {
		ranks[number], l.types[rank] = uint32(rank), types.names[number]
	}
	for i := range l.edges {
		e := &l.edges[i]
		e.typ, e.from, e.to = ranks[e.typ], ranks[e.from], ranks[e.to]
	}
}

// sort brings the edges in order and drops repeated ones. It sorts indices,
// which are quicker to move than edges.
func (l *edgeList) sort() {
	order := l.byRelation
	if l.inPath {
		order = l.byPath
	}
	if l.isSorted() {
		return
	}
	places := make([]int32, len(l.edges))
	for i := range places {
		places[i] = int32(i)
	}
	byOrder := func(a, b int32) int { return order(&l.edges[a], &l.edges[b]) }
	if keys, width := l.keys(); l.inPath || width > maxKeyBits {
		slices.SortFunc(places, byOrder)
	} else {
		places = sortedByKey(places, keys, width)
		for i := 0; i < len(places); {
			from := i
			for i++; i < len(places) && keys[places[i]] == keys[places[from]]; i++ {
			}
			slices.SortFunc(places[from:i], byOrder)
		}
	}
	edges := make([]rankedEdge, 0, len(l.edges))
	for i, at := range places {
		if i == 0 || order(&l.edges[places[i-1]], &l.edges[at]) != 0 {
			edges = append(edges, l.edges[at])
		}
	}
	l.edges = edges
}

// isSorted reports whether each edge is before the next one in order.
func (l *edgeList) isSorted() bool {
	for i := 1; i < len(l.edges); i++ {
		a, b := &l.edges[i-1], &l.edges[i]
		if !l.inPath && a.typ == b.typ && a.from == b.from && a.fromID < b.fromID {
			continue // as most are
		}
		if l.inPath && l.byPath(a, b) >= 0 || !l.inPath && l.byRelation(a, b) >= 0 {
			return false
		}
	}
	return true
}

// maxKeyBits is the width of the keys up to which edges are sorted by them.
const maxKeyBits = 40

// keys returns for each edge the number that its type, and the type and id of its
// beginning make, in which byRelation compares them, and how many bits it has.
func (l *edgeList) keys() (keys []uint64, width int) {
	lowest, highest := l.edges[0].fromID, l.edges[0].fromID
	for i := range l.edges {
		lowest, highest = min(lowest, l.edges[i].fromID), max(highest, l.edges[i].fromID)
	}
	idBits := bits.Len64(uint64(highest) - uint64(lowest))
	typeBits := bits.Len(uint(len(l.types)))
	if width = idBits + 2*typeBits; width > maxKeyBits {
		return nil, width
	}
	keys = make([]uint64, len(l.edges))
	for i := range l.edges {
		e := &l.edges[i]
		keys[i] = (uint64(e.typ)<<typeBits|uint64(e.from))<<idBits | (uint64(e.fromID) - uint64(lowest))
	}
	return keys, width
}

// sortedByKey returns places in the order of their keys, which have so many bits;
// those with equal keys keep theirs. It counts, eight bits at a time.
func sortedByKey(places []int32, keys []uint64, width int) []int32 {
	sorted := make([]int32, len(places))
	for shift := 0; shift < width; shift += 8 {
		var starts [1 << 8]int32
		for _, at := range places {
			starts[uint8(keys[at]>>shift)]++
		}
		next := int32(0)
		for digit, n := range starts {
			starts[digit], next = next, next+n
		}
		for _, at := range places {
			digit := uint8(keys[at] >> shift)
			sorted[starts[digit]] = at
			starts[digit]++
		}
		places, sorted = sorted, places
	}
	return places
}

// typeNumbers numbers type names as they come.
type typeNumbers struct {
	names   []string
	numbers map[string]uint32
	// The names asked for last: those of edges mostly repeat.
	last [4]struct {
		name   string
		number uint32
	}
	next int
}

func (t *typeNumbers) of(name string) uint32 {
	for i := range t.last {
		if t.last[i].name == name && name != "" {
			return t.last[i].number
		}
	}
	return t.find(name)
}

func (t *typeNumbers) find(name string) uint32 {
	number, ok := t.numbers[name]
	if !ok {
		if t.numbers == nil {
			t.numbers = make(map[string]uint32)
		}
		number = uint32(len(t.names))
		t.numbers[name] = number
		t.names = append(t.names, name)
	}
	l := &t.last[t.next&3]
	t.next++
	l.name, l.number = name, number
	return number
}

func (l *edgeList) byRelation(a, b *rankedEdge) int {
	switch {
	case a.typ != b.typ:
		return cmp.Compare(a.typ, b.typ)
	case a.from != b.from:
		return cmp.Compare(a.from, b.from)
	case a.fromID != b.fromID:
		return cmp.Compare(a.fromID, b.fromID)
	case a.to != b.to:
		return cmp.Compare(a.to, b.to)
	case a.toID != b.toID:
		return cmp.Compare(a.toID, b.toID)
	}
	return compareDepths(l.depth(a), l.depth(b))
}

func compareDepths(a, b Optional[int64]) int {
	switch {
	case a.Valid == b.Valid:
		return cmp.Compare(a.Value, b.Value)
	case b.Valid:
		return -1 // absent first
	}
	return 1
}

func (l *edgeList) byPath(a, b *rankedEdge) int {
	x, y := &l.all[a.at], &l.all[b.at]
	if c := absentLast(x.PathID, y.PathID); c != 0 {
		return c
	}
	if c := absentLast(x.Step, y.Step); c != 0 {
		return c
	}
	return l.byRelation(a, b)
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

// refLabels returns what is before an id in a reference, by rank of type.
func (l edgeList) refLabels() []string {
	labels := make([]string, len(l.types))
	for i, typ := range l.types {
		labels[i] = refLabel(typ)
	}
	return labels
}

func refLabel(typ string) string { return string(append(appendName(nil, typ, typeName), ':')) }

func (l edgeList) count() int { return len(l.edges) }

// write writes runs of edges of one type, each under its header.
func (l edgeList) write(e *encoder) error {
	if l.inPath {
		l.paths(e)
		return nil
	}
	e.line(edgesMark)
	labels := l.refLabels()
	for edges := l.edges; len(edges) > 0 && !e.full(); {
		run := 1
		for run < len(edges) && edges[run].typ == edges[0].typ {
			run++
		}
		e.group(l.types[edges[0].typ], run)
		for i := range edges[:run] {
			e.dst = l.appendEdge(e.dst, &edges[i], labels)
			if e.full() {
				break
			}
		}
		edges = edges[run:]
	}
	return nil
}

// appendEdge appends the line of an edge.
func (l *edgeList) appendEdge(dst []byte, edge *rankedEdge, labels []string) []byte {
	dst = scan.AppendWords(dst, labels[edge.from])
	dst = decimal.AppendInt(dst, edge.fromID)
	dst = scan.AppendWords(append(dst, " --> "...), labels[edge.to])
	dst = decimal.AppendInt(dst, edge.toID)
	if depth := l.depth(edge); depth.Valid {
		dst = decimal.AppendInt(append(dst, " depth="...), depth.Value)
	}
	return append(dst, '\n')
}

// leadsTo reports whether next begins where the edge ends.
func (e *rankedEdge) leadsTo(next *rankedEdge) bool {
	return e.to == next.from && e.toID == next.fromID
}

// paths writes each path as one chain. Steps that share a place are put in the
// order of what they say, so that the order of the response does not show. A
// path that is broken is a chain for each of its pieces: where a step does not
// begin where the one before it ended, a line of the same number begins.
func (l edgeList) paths(e *encoder) {
	e.line(pathsMark)
	labels := l.refLabels()
	for edges := l.edges; len(edges) > 0 && !e.full(); {
		n := 1
		for n < len(edges) && l.all[edges[n].at].PathID == l.all[edges[0].at].PathID {
			n++
		}
		steps := edges[:n]
		slices.SortStableFunc(steps, func(a, b rankedEdge) int {
			return cmp.Or(cmp.Compare(l.all[a.at].Step.Value, l.all[b.at].Step.Value), cmp.Compare(a.typ, b.typ),
				cmp.Compare(a.fromID, b.fromID), cmp.Compare(a.toID, b.toID))
		})
		for i := range steps {
			if i == 0 || !steps[i-1].leadsTo(&steps[i]) {
				if i > 0 {
					e.dst = append(e.dst, '\n')
				}
				e.dst = decimal.AppendInt(append(e.dst, "path="...), l.all[steps[i].at].PathID.Value)
				e.dst = append(append(e.dst, ": "...), labels[steps[i].from]...)
				e.dst = decimal.AppendInt(e.dst, steps[i].fromID)
			}
			e.dst = appendName(append(e.dst, " --"...), l.all[steps[i].at].Type, typeName)
			e.dst = append(append(e.dst, "--> "...), labels[steps[i].to]...)
			e.dst = decimal.AppendInt(e.dst, steps[i].toID)
		}
		e.dst = append(e.dst, '\n')
		edges = edges[n:]
	}
}
