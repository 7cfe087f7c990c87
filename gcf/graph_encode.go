package gcf

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/wire"
)

// maxGraphItems bounds the symbols, and the edges, of one graph: positions are
// kept in 32 bits.
const maxGraphItems = math.MaxInt32 - 1

// Encode returns g in the graph profile: grouped by distance, by descending
// score within a group, edges by their ends' ids. What the profile cannot carry
// is an error: names with white space, two symbols of one kind and name, edges
// to symbols that are not in the graph.
func Encode(g *Graph) ([]byte, error) { return GraphCodec{}.AppendGraph(nil, g) }

// graphEncoder appends one graph. Its methods need a graph that was checked.
type graphEncoder struct {
	dst   []byte
	max   int // dst must not get longer
	graph *Graph
	index symbolIndex
	order []sortKey // the symbols in the order of output; nil is their own order
	ids   []int32   // of symbols by position; nil if ids are positions
	refs  []bool    // by position: a reference says all but the distance; nil outside sessions
	links []sortKey
	size  int // estimate of the output's length
}

// prepare checks g and finds the ends of its edges.
func (e *graphEncoder) prepare(g *Graph) error {
	if g == nil {
		return lex.MissingArgument("graph")
	}
	e.graph = g
	if err := g.checkHeader(); err != nil {
		return err
	}
	if len(g.Symbols) > maxGraphItems || len(g.Edges) > maxGraphItems {
		return lex.Fault(wire.CodeTooManyValues, wire.ErrLimit, "", "the graph is too large", "")
	}
	e.index = newSymbolIndex(len(g.Symbols))
	e.size = 128
	for i := range g.Symbols {
		s := &g.Symbols[i]
		if !e.index.add(g.Symbols[:i+1]) {
			return atSymbol(duplicateSymbol(s), i)
		}
		if err := s.check(); err != nil {
			return atSymbol(err, i)
		}
		e.size += len(s.QualifiedName) + len(s.Kind) + len(s.Provenance) + 20
	}
	e.links = make([]sortKey, len(g.Edges))
	for i := range g.Edges {
		err := g.Edges[i].check()
		var source, target int
		if err == nil {
			source, target, err = e.index.ends(g.Symbols, &g.Edges[i])
		}
		if err != nil {
			return atEdge(err, i)
		}
		e.links[i] = link(int32(source), int32(target), i)
		e.size += len(g.Edges[i].Type) + 18
	}
	return nil
}

func atSymbol(err error, i int) error { return wire.AtKey(wire.AtIndex(err, i), "symbols") }
func atEdge(err error, i int) error   { return wire.AtKey(wire.AtIndex(err, i), "edges") }

func duplicateSymbol(s *Symbol) error {
	return lex.Fault("duplicate_symbol", wire.ErrDuplicateKey, "",
		"the "+longKind(s.Kind)+" "+lex.Quoted(s.QualifiedName)+" is there twice", "")
}

// ends finds the symbols of an edge.
func (x *symbolIndex) ends(symbols []Symbol, e *Edge) (source, target int, err error) {
	if source = x.find(symbols, e.SourceKind, e.Source); source < 0 {
		return 0, 0, noEnd("source", e.Source, source)
	}
	if target = x.find(symbols, e.TargetKind, e.Target); target < 0 {
		return 0, 0, noEnd("target", e.Target, target)
	}
	return source, target, nil
}

func noEnd(member, name string, found int) error {
	if found == manySymbols {
		return lex.Fault("ambiguous_edge_reference", wire.ErrShape, member,
			"symbols of several kinds are called "+lex.Quoted(name), "set the edge's kinds")
	}
	return lex.Fault("unknown_edge_reference", wire.ErrShape, member,
		"no symbol of the graph is called "+lex.Quoted(name), "")
}

// outputOrder returns the symbols by distance, then by descending score, then as they
// are; nil if they are in that order.
func outputOrder(symbols []Symbol) []sortKey {
	inOrder := true
	for i := 1; i < len(symbols) && inOrder; i++ {
		inOrder = symbols[i-1].precedes(&symbols[i]) <= 0
	}
	if inOrder {
		return nil
	}
	keys := make([]sortKey, len(symbols))
	for i := range symbols {
		s := &symbols[i]
		keys[i] = sortKey{uint64(min(s.Distance, 1<<8-1))<<56 | descending(s.Score)>>40<<32, int32(i)}
	}
	return sortByKey(keys, func(a, b int32) int { return symbols[a].precedes(&symbols[b]) })
}

// precedes compares by distance, then by descending score.
func (s *Symbol) precedes(t *Symbol) int {
	if s.Distance != t.Distance {
		return cmp.Compare(s.Distance, t.Distance)
	}
	return cmp.Compare(t.Score, s.Score)
}

// descending maps finite scores to numbers in the reverse of their order.
func descending(score float64) uint64 {
	b := math.Float64bits(score + 0) // -0 becomes 0
	if b>>63 != 0 {
		return b
	}
	return ^b &^ (1 << 63)
}

// at returns the position of the symbol that comes i-th in the output.
func (e *graphEncoder) at(i int) int {
	if e.order == nil {
		return i
	}
	return int(e.order[i].at)
}

// number puts the symbols in order and gives them their ids, 0 and up.
func (e *graphEncoder) number() {
	e.order = outputOrder(e.graph.Symbols)
	e.ids = nil
	if e.order == nil {
		return
	}
	e.ids = make([]int32, len(e.order))
	for id, k := range e.order {
		e.ids[k.at] = int32(id)
	}
}

func (e *graphEncoder) tooLong() error {
	if len(e.dst) <= e.max {
		return nil
	}
	return lex.Fault(wire.CodeOutputTooLong, wire.ErrLimit, "", "the document gets longer than the limit", "raise Limits.OutputBytes")
}

// header writes the header line of a buffered payload (section 3.2).
func (e *graphEncoder) header(session bool) {
	g := e.graph
	e.dst = g.appendHeader(e.dst)
	e.dst = lex.AppendCountField(e.dst, "symbols", len(g.Symbols))
	if len(g.Edges) != 0 {
		e.dst = lex.AppendCountField(e.dst, "edges", len(g.Edges))
	}
	if session {
		e.dst = append(e.dst, " session=true"...)
	}
	e.dst = append(lex.AppendTextField(e.dst, "pack_root", g.PackRoot), '\n')
}

// appendHeader appends the beginning of a header.
func (g *Graph) appendHeader(dst []byte) []byte {
	dst = lex.AppendTextField(append(dst, "GCF profile=graph"...), "tool", g.Tool)
	if g.TokenBudget != 0 {
		dst = lex.AppendCountField(dst, "budget", g.TokenBudget)
	}
	if g.TokensUsed != 0 {
		dst = lex.AppendCountField(dst, "tokens", g.TokensUsed)
	}
	return dst
}

// document writes the whole graph.
func (e *graphEncoder) document() error {
	e.dst = slices.Grow(e.dst, min(e.size, e.max-len(e.dst)+1))
	e.number()
	e.header(false)
	return e.body()
}

// body writes what follows the header.
func (e *graphEncoder) body() error {
	distance := -1
	for i := range e.graph.Symbols {
		at, id := e.at(i), i
		if e.ids != nil {
			id = int(e.ids[at])
		}
		s := &e.graph.Symbols[at]
		if s.Distance != distance {
			distance = s.Distance
			e.dst = appendGroup(e.dst, distance)
		}
		if e.refs != nil && e.refs[at] {
			e.dst = decimal.AppendInt(append(e.dst, '@'), int64(id))
			e.dst = append(e.dst, "  # previously transmitted\n"...)
		} else {
			e.dst = appendNode(e.dst, id, s)
		}
		if len(e.dst) > e.max {
			return e.tooLong()
		}
	}
	return e.edges()
}

// edges writes the section of edges (section 6).
func (e *graphEncoder) edges() error {
	if len(e.links) == 0 {
		return e.tooLong()
	}
	if e.ids != nil {
		e.renumber(e.ids)
	}
	e.dst = append(e.dst, "## edges ["...)
	e.dst = strconv.AppendInt(e.dst, int64(len(e.links)), 10)
	e.dst = append(e.dst, "]\n"...)
	for _, l := range e.sortedLinks() {
		edge := &e.graph.Edges[l.at]
		e.dst = appendEdge(e.dst, l.target(), l.source(), edge.Type, edge.status())
		if len(e.dst) > e.max {
			return e.tooLong()
		}
	}
	return e.tooLong()
}

func appendGroup(dst []byte, distance int) []byte {
	return append(lex.AppendGroupName(append(dst, "## "...), distance), '\n')
}

// appendNode appends a node line (section 5).
func appendNode(dst []byte, id int, s *Symbol) []byte {
	return append(appendNodeFields(dst, id, s), '\n')
}

func appendNodeFields(dst []byte, id int, s *Symbol) []byte {
	dst = decimal.AppendInt(append(dst, '@'), int64(id))
	dst = append(append(dst, ' '), shortKind(s.Kind)...)
	dst = append(append(dst, ' '), s.QualifiedName...)
	dst = appendScore(append(dst, ' '), s.Score)
	return append(append(dst, ' '), s.Provenance...)
}

// appendEdge appends an edge line (section 6).
func appendEdge(dst []byte, target, source int, edgeType, status string) []byte {
	dst = decimal.AppendInt(append(dst, '@'), int64(target))
	dst = decimal.AppendInt(append(dst, '<', '@'), int64(source))
	dst = append(append(dst, ' '), edgeType...)
	if status != "" {
		dst = append(append(dst, ' '), status...)
	}
	return append(dst, '\n')
}
