package gcf

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// A Delta turns one graph into another (section 10). Its symbols and edges are
// identified by kind and name, and by the names of their ends and their type.
//
// A symbol that is both removed and added is replaced: so travel changed
// scores, provenances and distances.
type Delta struct {
	Tool         string      `json:"tool"`
	BaseRoot     string      `json:"baseRoot"` // the pack root of the graph it applies to
	NewRoot      string      `json:"newRoot"`  // the pack root of the result
	Removed      []SymbolRef `json:"removed"`
	Added        []Symbol    `json:"added"`
	RemovedEdges []Edge      `json:"removedEdges"`
	AddedEdges   []Edge      `json:"addedEdges"`
	// DeltaTokens and FullTokens are what the delta and the full payload cost;
	// the encoder writes the former and the saving in percent, each if it is known.
	// Decoders set DeltaTokens and Savings.
	DeltaTokens int `json:"deltaTokens"`
	FullTokens  int `json:"fullTokens"`
	Savings     int `json:"savings,omitempty"` // written if it cannot be computed
}

// A SymbolRef is the identity of a symbol.
type SymbolRef struct {
	QualifiedName string `json:"qualifiedName"`
	Kind          string `json:"kind"`
}

// The delta's sections (section 10.1).
const (
	deltaRemoved      = "removed"
	deltaAdded        = "added"
	deltaEdgesRemoved = "edges_removed"
	deltaEdgesAdded   = "edges_added"
)

// EncodeDelta returns the delta's document. It is an error if it could not be
// decoded again: names with white space, an edge with a status, a symbol that
// is added twice.
func EncodeDelta(d *Delta) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	dst := lex.AppendDelta(nil, lex.ProfileGraph, d.Tool, d.BaseRoot, d.NewRoot)
	if d.DeltaTokens != 0 {
		dst = lex.AppendCountField(dst, "tokens", d.DeltaTokens)
	}
	dst = append(lex.AppendSavings(dst, d.DeltaTokens, d.FullTokens, d.Savings), '\n')
	if len(d.Removed) > 0 {
		dst = append(dst, "## "+deltaRemoved+"\n"...)
		for i := range d.Removed {
			r := &d.Removed[i]
			dst = append(append(dst, shortKind(r.Kind)...), ' ')
			dst = append(append(dst, r.QualifiedName...), '\n')
		}
	}
	if len(d.Added) > 0 {
		dst = append(dst, "## "+deltaAdded+"\n"...)
		for i := range d.Added {
			dst = append(appendNodeFields(dst, i, &d.Added[i]), ' ')
			dst = append(strconv.AppendInt(dst, int64(d.Added[i].Distance), 10), '\n')
		}
	}
	dst = appendDeltaEdges(dst, deltaEdgesRemoved, d.RemovedEdges)
	dst = appendDeltaEdges(dst, deltaEdgesAdded, d.AddedEdges)
	if len(dst) > bound.OutputBytes {
		return nil, lex.Fault(wire.CodeOutputTooLong, wire.ErrLimit, "", "the document gets longer than the limit", "")
	}
	return dst, nil
}

func appendDeltaEdges(dst []byte, section string, edges []Edge) []byte {
	if len(edges) == 0 {
		return dst
	}
	dst = append(append(append(dst, "## "...), section...), '\n')
	for i := range edges {
		e := &edges[i]
		dst = append(append(dst, e.Source...), " -> "...)
		dst = append(append(dst, e.Target...), ' ')
		dst = append(append(dst, e.Type...), '\n')
	}
	return dst
}

// check reports what a delta's document cannot carry, and contradictions.
func (d *Delta) check() error {
	if d == nil {
		return lex.MissingArgument("delta")
	}
	if d.DeltaTokens < 0 || d.FullTokens < 0 {
		return lex.Fault("invalid_count", wire.ErrRange, "deltaTokens", "a number of tokens is negative", "")
	}
	if err := lex.CheckHeaderValue("tool", d.Tool); err != nil {
		return err
	}
	for _, root := range []struct{ member, value string }{{"baseRoot", d.BaseRoot}, {"newRoot", d.NewRoot}} {
		if !lex.IsHeaderValue(root.value) {
			return lex.Fault("invalid_header_value", wire.ErrShape, root.member, "a delta needs both of its roots, in printable ASCII without spaces", "")
		}
	}
	return cmp.Or(checkEach("removed", d.Removed, (*SymbolRef).check), checkEach("added", d.Added, (*Symbol).check),
		checkEach("removedEdges", d.RemovedEdges, func(e *Edge) error { return e.checkChange(false) }),
		checkEach("addedEdges", d.AddedEdges, func(e *Edge) error { return e.checkChange(true) }), d.checkTwice())
}

// checkEach returns the first error of the elements of a list.
func checkEach[T any](member string, list []T, check func(*T) error) error {
	for i := range list {
		if err := check(&list[i]); err != nil {
			return wire.AtKey(wire.AtIndex(err, i), member)
		}
	}
	return nil
}

// check reports what a line of removed symbols cannot carry.
func (r *SymbolRef) check() error {
	switch {
	case !isWord(r.QualifiedName):
		return notAWord("qualifiedName", "qualified name", r.QualifiedName)
	case !isWord(r.Kind):
		return notAWord("kind", "kind", r.Kind)
	}
	return checkLineStart("kind", r.Kind)
}

// checkLineStart refuses a first word of a line that would make it a comment or
// a header.
func checkLineStart(member, word string) error {
	switch word {
	case "#", "##", "##!":
		return lex.Fault("invalid_name", wire.ErrShape, member, "a line that begins with "+lex.Quoted(word)+" would not be read", "send a full payload")
	}
	return nil
}

// checkChange reports what a line of removed or added edges cannot carry.
func (e *Edge) checkChange(added bool) error {
	err := e.check()
	switch {
	case !isWord(e.Source):
		return notAWord("source", "source", e.Source)
	case !isWord(e.Target):
		return notAWord("target", "target", e.Target)
	case err != nil:
		return err
	case added && e.status() != "":
		return lex.Fault("unsupported_status", wire.ErrShape, "status", "a delta has no place for an edge's status", "send a full payload")
	case e.SourceKind+e.TargetKind != "":
		return lex.Fault("ambiguous_edge_reference", wire.ErrShape, "", "a delta names the ends of edges without their kinds", "send a full payload")
	}
	return checkLineStart("source", e.Source)
}

// edgeKey identifies an edge of a delta.
type edgeKey struct{ source, target, edgeType string }

func (e *Edge) key() edgeKey { return edgeKey{e.Source, e.Target, e.Type} }

// checkTwice refuses operations that are there twice, and edges that are both
// removed and added.
func (d *Delta) checkTwice() error {
	refs := make(map[SymbolRef]bool, max(len(d.Removed), len(d.Added)))
	if i := twice(d.Removed, refs, (*SymbolRef).ref); i >= 0 {
		return lex.Malformed("removed", i, "the symbol is removed twice")
	}
	clear(refs)
	if i := twice(d.Added, refs, (*Symbol).ref); i >= 0 {
		return lex.Malformed("added", i, "the symbol is added twice")
	}
	edges := make(map[edgeKey]bool, len(d.RemovedEdges)+len(d.AddedEdges))
	if i := twice(d.RemovedEdges, edges, (*Edge).key); i >= 0 {
		return lex.Malformed("removedEdges", i, "the edge is removed twice")
	}
	if i := twice(d.AddedEdges, edges, (*Edge).key); i >= 0 {
		return lex.Malformed("addedEdges", i, "the edge is added twice, or removed as well")
	}
	return nil
}

// twice returns the index of the first element whose key was seen before, -1 if
// there is none.
func twice[T any, K comparable](list []T, seen map[K]bool, key func(*T) K) int {
	for i := range list {
		k := key(&list[i])
		if seen[k] {
			return i
		}
		seen[k] = true
	}
	return -1
}

func (r *SymbolRef) ref() SymbolRef { return SymbolRef{r.QualifiedName, shortKind(r.Kind)} }

// ref returns the symbol's identity with the kind abbreviated.
func (s *Symbol) ref() SymbolRef { return SymbolRef{s.QualifiedName, shortKind(s.Kind)} }

// DecodeDelta reads a delta of the graph profile. It refuses unknown sections,
// lines that do not belong into their section, and operations that contradict
// each other; whether the delta fits a graph, [ApplyDelta] finds out.
func DecodeDelta(src []byte) (*Delta, error) {
	limits := wire.Limits{}.Resolved()
	var d graphDeltaDecoder
	h := d.Begin(src, limits)
	if h.Profile != lex.ProfileGraph || !h.Is("delta") {
		d.Refuse(0, wire.Error{Code: "not_a_delta", Kind: wire.ErrShape,
			Message: "the document is not a delta of the graph profile", Hint: "use Decode, or package gcf/set"})
	}
	d.read(&h, limits)
	if d.Err != nil {
		return nil, d.Err
	}
	return &d.delta, nil
}

// graphDeltaDecoder reads the lines after a delta's header.
type graphDeltaDecoder struct {
	lex.Lines
	delta  Delta
	ids    idTable
	values int // left
}

func (d *graphDeltaDecoder) malformed(at int, message string) {
	d.RefuseSyntax(at, "malformed_delta", message)
}

// read reads the document.
func (d *graphDeltaDecoder) read(h *lex.Header, limits wire.Limits) {
	d.values = limits.Values
	d.fields(h)
	seen := make(map[string]bool, 4)
	for !d.Done {
		line := d.Line()
		switch {
		case d.Indent != 0:
			d.RefuseSyntax(d.Start, "invalid_indent", "the graph profile has no indented lines")
		case len(line) < 3 || line[:2] != "##":
			d.malformed(d.Start, "a line before the first section")
		case line[2] == '!':
			d.SummaryFields(d.Start + 3)
			if d.Advance(); !d.Done {
				d.RefuseSyntax(d.Start, "trailing_content", "a line after the summary")
			}
		default:
			d.section(seen)
		}
	}
	d.StopAtEnd(d.delta.checkTwice())
}

// fields reads the header.
func (d *graphDeltaDecoder) fields(h *lex.Header) {
	d.delta.Tool, d.delta.BaseRoot, d.delta.NewRoot = h.Delta()
	if d.delta.BaseRoot == "" || d.delta.NewRoot == "" {
		d.malformed(0, "a delta's header has base_root and new_root")
	}
	d.delta.DeltaTokens = d.HeaderCount(h, "tokens", 0)
	d.delta.Savings = d.HeaderSavings(h)
}

// section reads one section with its lines.
func (d *graphDeltaDecoder) section(seen map[string]bool) {
	name, stop, declared := d.GroupHeader()
	at, section := d.Start, d.Doc[name:stop]
	var line func()
	switch section {
	case deltaRemoved:
		line = d.removedLine
	case deltaAdded:
		line = d.addedLine
	case deltaEdgesRemoved:
		line = func() { d.edgeLine(&d.delta.RemovedEdges) }
	case deltaEdgesAdded:
		line = func() { d.edgeLine(&d.delta.AddedEdges) }
	default:
		d.malformed(name, "the sections of a delta are removed, added, edges_removed and edges_added")
	}
	if seen[section] {
		d.malformed(name, "the section is there twice")
	}
	seen[section] = true
	n := 0
	for d.Advance(); !d.Done && d.Indent == 0 && !d.atHeading(); d.Advance() {
		if d.values--; d.values < 0 {
			d.Refuse(d.Start, tooManyItems)
		}
		line()
		n++
	}
	if declared >= 0 && declared != n {
		d.CountMismatch(at, "the section has another number of lines than its header says")
	}
}

// atHeading reports whether the current line begins a section, or is the summary.
func (d *graphDeltaDecoder) atHeading() bool {
	line := d.Line()
	return len(line) >= 3 && line[:2] == "##" && (line[2] == ' ' || line[2] == '!')
}

// removedLine reads "kind name".
func (d *graphDeltaDecoder) removedLine() {
	var w [lex.MaxWords][2]int
	if d.Words(&w) != 2 {
		d.malformed(d.Start, "a line of removed symbols has a kind and a name")
	}
	r := SymbolRef{Kind: d.Doc[w[0][0]:w[0][1]], QualifiedName: d.Doc[w[1][0]:w[1][1]]}
	d.checkWords(r.Kind, r.QualifiedName)
	r.Kind = longKind(r.Kind)
	d.delta.Removed = append(d.delta.Removed, r)
}

// checkWords refuses what is not a word.
func (d *graphDeltaDecoder) checkWords(words ...string) {
	for _, word := range words {
		if !isWord(word) {
			d.malformed(d.Start, "white space other than a space, or a control character, in a field")
		}
	}
}

// addedLine reads a node line with a distance after it.
func (d *graphDeltaDecoder) addedLine() {
	var w [lex.MaxWords][2]int
	if n := d.Words(&w); n != 6 || d.Doc[d.Start] != '@' {
		d.malformed(d.Start, "a line of added symbols has six fields: @id kind name score provenance distance")
	}
	if !d.ids.add(d.SymbolID(d.Start, w[0][1])) {
		d.malformed(d.Start, "two added symbols with one id")
	}
	var s Symbol
	nodeFields(&d.Lines, &s, &w)
	var ok bool
	if s.Distance, ok = d.IdDigits(w[5][0], w[5][1]); !ok {
		d.malformed(w[5][0], "a distance is a number without sign")
	}
	d.delta.Added = append(d.delta.Added, s)
}

// edgeLine reads "source -> target type".
func (d *graphDeltaDecoder) edgeLine(to *[]Edge) {
	var w [lex.MaxWords][2]int
	if d.Words(&w) != 4 || d.Doc[w[1][0]:w[1][1]] != "->" {
		d.malformed(d.Start, "a line of edges has the form source -> target type")
	}
	e := Edge{Source: d.Doc[w[0][0]:w[0][1]], Target: d.Doc[w[2][0]:w[2][1]], Type: d.Doc[w[3][0]:w[3][1]]}
	d.checkWords(e.Source, e.Target, e.Type)
	*to = append(*to, e)
}

// DiffGraphs returns the delta that turns base into next: ApplyDelta(base, d)
// has the symbols and edges of next. Its roots are computed, its Tool and
// DeltaTokens are next's Tool and TokensUsed. FullTokens are the caller's to set. What a
// delta cannot express is an error, and the producer sends next in full: edges whose
// status changed, two equal edges, edges that need the kinds of their ends.
func DiffGraphs(base, next *Graph) (*Delta, error) {
	was, err := newSnapshot(base)
	if err != nil {
		return nil, err
	}
	is, err := newSnapshot(next)
	if err != nil {
		return nil, err
	}
	d := &Delta{Tool: next.Tool, BaseRoot: was.root, NewRoot: is.root, DeltaTokens: next.TokensUsed}
	for i := range base.Symbols {
		s := &base.Symbols[i]
		if t := is.symbol(s); t == nil || !s.sameContent(t) {
			d.Removed = append(d.Removed, SymbolRef{QualifiedName: s.QualifiedName, Kind: longKind(s.Kind)})
		}
	}
	for i := range next.Symbols {
		s := &next.Symbols[i]
		if t := was.symbol(s); t == nil || !s.sameContent(t) {
			d.Added = append(d.Added, *s)
		}
	}
	for i := range base.Edges {
		e := &base.Edges[i]
		if is.edge(e) == nil {
			d.RemovedEdges = append(d.RemovedEdges, Edge{Source: e.Source, Target: e.Target, Type: e.Type})
		}
	}
	for i := range next.Edges {
		e := &next.Edges[i]
		f := was.edge(e)
		if f != nil && f.status() != e.status() {
			return nil, atEdge(lex.Fault("unsupported_status", wire.ErrShape, "status", "the edge's status changed, which no delta can express", "send a full payload"), i)
		}
		if f == nil {
			d.AddedEdges = append(d.AddedEdges, Edge{Source: e.Source, Target: e.Target, Type: e.Type, Status: e.Status})
		}
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return d, nil
}

// sameContent reports whether a node line of s says what one of t says.
func (s *Symbol) sameContent(t *Symbol) bool {
	return s.Distance == t.Distance && s.Provenance == t.Provenance && roundScore(s.Score) == roundScore(t.Score)
}

// snapshot is a checked graph with its root.
type snapshot struct {
	graph *Graph
	index symbolIndex
	edges map[edgeKey]int // positions
	root  string
}

func newSnapshot(g *Graph) (*snapshot, error) {
	var e graphEncoder
	if err := e.prepare(g); err != nil {
		return nil, err
	}
	s := &snapshot{graph: g, index: e.index, edges: make(map[edgeKey]int, len(g.Edges))}
	for i := range g.Edges {
		edge := &g.Edges[i]
		if e.index.isShared(edge.Source) || e.index.isShared(edge.Target) {
			return nil, atEdge(lex.Fault("ambiguous_edge_reference", wire.ErrShape, "",
				"a delta names the ends of edges without their kinds, which this edge needs", "send a full payload"), i)
		}
		if _, ok := s.edges[edge.key()]; ok {
			return nil, atEdge(lex.Fault("duplicate_edge", wire.ErrShape, "", "the edge is there twice, which no delta can express", "send a full payload"), i)
		}
		s.edges[edge.key()] = i
	}
	s.root = e.packRoot(roundScore)
	return s, nil
}

func (s *snapshot) symbol(like *Symbol) *Symbol {
	if i := s.index.find(s.graph.Symbols, like.Kind, like.QualifiedName); i >= 0 {
		return &s.graph.Symbols[i]
	}
	return nil
}

func (s *snapshot) edge(like *Edge) *Edge {
	if i, ok := s.edges[like.key()]; ok {
		return &s.graph.Edges[i]
	}
	return nil
}

// ApplyDelta returns the graph that d turns base into (section 10.4). It checks
// that base has the delta's base root, that every operation fits, and that the
// result has the new root, each by [PackRoot] or with scores that are not rounded; base is not
// changed, whatever happens. The consumer that gets an error keeps base and asks
// for a full payload.
//
// The result has base's symbols and edges in their order, the added ones after
// them, the delta's tool and the new root.
func ApplyDelta(base *Graph, d *Delta) (*Graph, error) {
	was, err := newSnapshot(base)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, lex.MissingArgument("delta")
	}
	if err := lex.CheckBase(was.root, d.BaseRoot); err != nil && !(lex.IsRoot(d.BaseRoot) && base.hasFullRoot(d.BaseRoot)) {
		return nil, err
	}
	if err := d.checkTwice(); err != nil {
		return nil, err
	}
	next := &Graph{Tool: d.Tool, TokenBudget: base.TokenBudget, TokensUsed: d.DeltaTokens, PackRoot: d.NewRoot}
	if next.Symbols, err = was.applySymbols(d); err != nil {
		return nil, err
	}
	if next.Edges, err = was.applyEdges(d); err != nil {
		return nil, err
	}
	var e graphEncoder
	if err := e.prepare(next); err != nil {
		return nil, err
	}
	if root := e.packRoot(roundScore); root != d.NewRoot && !next.hasFullRoot(d.NewRoot) {
		return nil, lex.RootMismatch(root, d.NewRoot)
	}
	return next, nil
}

// applySymbols returns the symbols of the result.
func (s *snapshot) applySymbols(d *Delta) ([]Symbol, error) {
	removed := make([]bool, len(s.graph.Symbols))
	for i := range d.Removed {
		r := &d.Removed[i]
		at := s.index.find(s.graph.Symbols, r.Kind, r.QualifiedName)
		if r.Kind == "" || at < 0 {
			return nil, lex.Malformed("removed", i, "the "+longKind(r.Kind)+" "+lex.Quoted(r.QualifiedName)+" is not in the base")
		}
		removed[at] = true
	}
	symbols := make([]Symbol, 0, len(s.graph.Symbols)-len(d.Removed)+len(d.Added))
	for i, symbol := range s.graph.Symbols {
		if !removed[i] {
			symbols = append(symbols, symbol)
		}
	}
	for i := range d.Added {
		a := &d.Added[i]
		if err := a.check(); err != nil {
			return nil, wire.AtKey(wire.AtIndex(err, i), "added")
		}
		if at := s.index.find(s.graph.Symbols, a.Kind, a.QualifiedName); at >= 0 && !removed[at] {
			return nil, lex.Malformed("added", i, "the "+longKind(a.Kind)+" "+lex.Quoted(a.QualifiedName)+" already exists in the base")
		}
	}
	return append(symbols, d.Added...), nil
}

// applyEdges returns the edges of the result.
func (s *snapshot) applyEdges(d *Delta) ([]Edge, error) {
	removed := make([]bool, len(s.graph.Edges))
	for i := range d.RemovedEdges {
		at, ok := s.edges[d.RemovedEdges[i].key()]
		if !ok {
			return nil, lex.Malformed("removedEdges", i, "the edge is not in the base")
		}
		removed[at] = true
	}
	edges := make([]Edge, 0, len(s.graph.Edges)-len(d.RemovedEdges)+len(d.AddedEdges))
	for i, e := range s.graph.Edges {
		if !removed[i] {
			// Deltas go by names, and the kind of a name may be another now.
			e.SourceKind, e.TargetKind = "", ""
			edges = append(edges, e)
		}
	}
	for i := range d.AddedEdges {
		if at, ok := s.edges[d.AddedEdges[i].key()]; ok && !removed[at] {
			return nil, lex.Malformed("addedEdges", i, "the edge already exists in the base")
		}
	}
	return slices.Concat(edges, d.AddedEdges), nil
}
