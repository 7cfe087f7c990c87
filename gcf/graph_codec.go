package gcf

import (
	"bytes"
	"math"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// GraphCodec is GCF's graph profile as a [wire.Codec], for values of one shape:
//
//	{"tool": …, "tokenBudget": …, "tokensUsed": …, "packRoot": …,
//	 "symbols": [{"qualifiedName": …, "kind": …, "score": …, "provenance": …, "distance": …}, …],
//	 "edges": [{"source": …, "target": …, "edgeType": …, "status": …}, …]}
//
// A symbol needs its first two members and its provenance, an edge its first
// three; absent and null members are empty or 0. Names with underscores, such
// as qualified_name, are accepted. Edges may have sourceKind and targetKind,
// which are needed where symbols of several kinds share a name.
//
// Decoding returns every member, in that order; symbols and edges come in the
// order of the wire: by distance, by descending score; by ids.
//
// The codec is safe for concurrent use.
type GraphCodec struct {
	// Omitted, if set, makes the encoder leave out what the profile cannot
	// carry instead of failing: members of other names, symbols whose names
	// hold white space, edges to symbols that are not there. It is called for
	// each with the error that would have been returned. It must be safe for
	// concurrent use if the codec is used so.
	Omitted func(error)
	// Strict refuses documents whose header has no counts and that end without
	// the summary that gives them, of which Warn is told otherwise (see [Codec]),
	// and those, in both directions, whose header has the [PackRoot] of another graph.
	Strict bool
	// LabeledCounts writes the names of the groups into the counts at the end of a
	// stream (section 8.4.1), which weaker models read more reliably.
	LabeledCounts bool
	// NoTrailer leaves out the summary at the end of a stream. A reader then cannot
	// tell whether the end was cut off.
	NoTrailer bool
	Warn      func(*wire.Error)
	Limits    wire.Limits
}

var _ wire.Codec = GraphCodec{}

// graphName is the codec's name.
const graphName = "gcf-graph"

// Info describes the codec.
func (c GraphCodec) Info() wire.Info {
	return wire.Info{
		Name:       graphName,
		Variant:    c.variant(),
		Title:      "Graph Compact Format, graph profile",
		Prompt:     "GCF graph: each @N line is a symbol with kind, name, score and provenance; in the edges @A<@B means that B refers to A, with the kind of the reference after it.",
		MediaType:  "application/vnd.gcf+text; profile=graph",
		Extensions: []string{".graph.gcf"},
		Document:   "GCF Specification",
		Version:    "3.5.3",
		Accepts:    "objects with symbols and edges, as GraphCodec describes them",
		Loss: wire.LossOrder | wire.LossNumberText | wire.LossPrecision | wire.LossMissing |
			wire.LossContent | variants.LossKinds,
	}
}

// ending returns what the codec makes of a document that may be cut. Errors and
// warnings of Decode and AppendEncode have the codec's own name.
func (c GraphCodec) ending() lex.Ending { return lex.Ending{Strict: c.Strict, Warn: c.Warn} }

// Sniff reports whether src begins with a header of the graph profile.
func (c GraphCodec) Sniff(src []byte) bool {
	var l lex.Lines
	src, _, _ = bytes.Cut(src, []byte{'\n'})
	h := l.Begin(src, wire.Limits{}.Resolved())
	return l.Err == nil && h.Profile == lex.ProfileGraph
}

// AppendEncode appends the document of the graph that v describes.
func (c GraphCodec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	g, err := c.graphOf(v)
	if err == nil {
		dst, err = c.AppendGraph(dst, g)
	}
	return dst, graphNamed(err)
}

// AppendGraph is [Encode] with the codec's options, appending to dst.
func (c GraphCodec) AppendGraph(dst []byte, g *Graph) ([]byte, error) {
	if c.Omitted != nil && g != nil {
		g = c.carried(g)
	}
	e := graphEncoder{dst: dst, max: bound.Add(len(dst), c.Limits.Resolved().OutputBytes)}
	err := e.prepare(g)
	if err == nil && c.Strict {
		err = wire.AtKey(g.checkRoot(), "packRoot")
	}
	if err == nil {
		err = e.document()
	}
	if err != nil {
		return dst, err
	}
	return e.dst, nil
}

// Decode reads a document of the graph profile.
func (c GraphCodec) Decode(src []byte) (wire.Value, error) {
	end := c.ending()
	if warn := end.Warn; warn != nil {
		end.Warn = func(e *wire.Error) {
			e.Format = graphName
			warn(e)
		}
	}
	v, err := decodeGraphValue(src, c.Limits.Resolved(), end)
	return v, graphNamed(err)
}

// DecodeGraph is [Decode] with the codec's limits.
func (c GraphCodec) DecodeGraph(src []byte) (*Graph, error) {
	return decodeGraph(src, c.Limits.Resolved(), c.ending())
}

// graphNamed gives an error of this package the name of the graph codec.
func graphNamed(err error) error {
	if e, ok := err.(*wire.Error); ok && e.Format == lex.FormatName {
		e.Format = graphName
	}
	return err
}

// decodeGraphValue reads a document of the graph profile as a value of the
// shape that [GraphCodec] describes. limits are resolved.
func decodeGraphValue(src []byte, limits wire.Limits, end lex.Ending) (wire.Value, error) {
	g, err := decodeGraph(src, limits, end)
	if err != nil {
		return wire.Value{}, err
	}
	return g.value(), nil
}

// decodeGraph reads a document that is a graph. limits are resolved.
func decodeGraph(src []byte, limits wire.Limits, end lex.Ending) (*Graph, error) {
	d := graphDecoder{Ending: end}
	h := d.readHeader(src, limits)
	d.document()
	if d.Strict {
		d.checkRoot(&h)
	}
	if d.Err != nil {
		return nil, d.Err
	}
	return &d.graph, nil
}

// checkRoot compares the graph that was read with the root in its header.
func (d *graphDecoder) checkRoot(h *lex.Header) {
	if d.Err == nil {
		d.StopAtRoot(h, d.graph.checkRoot())
	}
}

// readHeader reads the header and makes room for what it announces.
func (d *graphDecoder) readHeader(src []byte, limits wire.Limits) lex.Header {
	h := d.Begin(src, limits)
	mustBeGraph(&d.Lines, &h, limits)
	d.begin(&h, limits)
	d.reserve()
	return h
}

// isDelta is the error for a delta where a graph is to be read.
var isDelta = wire.Error{Code: "no_value", Kind: wire.ErrShape,
	Message: "the document is a delta: it has no graph of its own", Hint: "use DecodeDelta and ApplyDelta"}

// mustBeGraph refuses the documents that are no graph of their own. A delta is
// read through, so that a malformed one is called so.
func mustBeGraph(l *lex.Lines, h *lex.Header, limits wire.Limits) {
	switch {
	case h.Profile != lex.ProfileGraph:
		l.Refuse(0, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the document is not in the graph profile", Hint: "use DecodeGeneric"})
	case h.Is("delta"):
		d := graphDeltaDecoder{Lines: *l}
		d.read(h, limits)
		l.Stop(d.Err)
		l.Refuse(0, isDelta)
	case h.Is("unchanged"):
		l.Refuse(0, wire.Error{Code: "no_value", Kind: wire.ErrShape,
			Message: "the document says that nothing changed: it has no graph of its own", Hint: "use DecodeUnchanged"})
	}
}

// The members of the shape, in the order in which decoding returns them.
var (
	graphKeys      = mustKeys("tool", "tokenBudget", "tokensUsed", "packRoot", "symbols", "edges")
	symbolKeys     = mustKeys("qualifiedName", "kind", "score", "provenance", "distance")
	edgeKeys       = mustKeys("source", "target", "edgeType", "status")
	edgeKindedKeys = mustKeys("source", "target", "edgeType", "status", "sourceKind", "targetKind")
)

func mustKeys(names ...string) *wire.Keys {
	keys, err := wire.NewKeys(names...)
	if err != nil {
		panic(err)
	}
	return keys
}

// value returns the graph as a value. Its strings are the graph's.
func (g *Graph) value() wire.Value {
	symbols := make([]wire.Value, len(g.Symbols))
	for i := range g.Symbols {
		s := &g.Symbols[i]
		symbols[i] = wire.ObjectOf(symbolKeys, wire.String(s.QualifiedName), wire.String(s.Kind), wire.Float(s.Score),
			wire.String(s.Provenance), wire.Int(int64(s.Distance)))
	}
	edges := make([]wire.Value, len(g.Edges))
	for i := range g.Edges {
		e := &g.Edges[i]
		members := [...]wire.Value{wire.String(e.Source), wire.String(e.Target), wire.String(e.Type), wire.String(e.Status),
			wire.String(e.SourceKind), wire.String(e.TargetKind)}
		if e.SourceKind != "" || e.TargetKind != "" {
			edges[i] = wire.ObjectOf(edgeKindedKeys, members[:]...)
		} else {
			edges[i] = wire.ObjectOf(edgeKeys, members[:4]...)
		}
	}
	return wire.ObjectOf(graphKeys, wire.String(g.Tool), wire.Int(int64(g.TokenBudget)), wire.Int(int64(g.TokensUsed)),
		wire.String(g.PackRoot), wire.Array(symbols...), wire.Array(edges...))
}

// A graphField reads one member of an object into what target points to: a
// *string, a *int, a *float64, or a function for arrays.
type graphField struct {
	name     string
	other    string // the name with underscores; empty if it is the same
	target   any
	required bool
}

// fields reads an object's members. other members are errors, or omitted.
func (c GraphCodec) fields(v wire.Value, what string, fields []graphField) error {
	if v.Kind() != wire.KindObject {
		return lex.Fault("not_a_graph", wire.ErrShape, "", what+" is an object, not "+v.Kind().String(), "use gcf for values of any shape")
	}
	found := uint(0)
	for i := range v.Len() {
		key := v.Keys().At(i)
		at := -1
		for j := range fields {
			if key == fields[j].name || key == fields[j].other && key != "" {
				at = j
			}
		}
		if at < 0 {
			err := wire.AtKey(lex.Fault("unsupported_member", wire.ErrShape, "",
				"the graph profile has no place for the member "+lex.Quoted(key)+" of "+what, "use gcf for values of any shape"), key)
			if c.Omitted == nil {
				return err
			}
			c.Omitted(err)
			continue
		}
		if found&(1<<at) != 0 {
			return wire.AtKey(lex.Fault(wire.CodeDuplicateKey, wire.ErrDuplicateKey, "", "the member is there under both of its names", ""), key)
		}
		found |= 1 << at
		if err := fields[at].read(v.Index(i)); err != nil {
			return wire.AtKey(err, key)
		}
	}
	for j := range fields {
		if fields[j].required && found&(1<<j) == 0 {
			return lex.Fault("missing_member", wire.ErrShape, fields[j].name, what+" has no "+fields[j].name, "")
		}
	}
	return nil
}

func (f *graphField) read(v wire.Value) error {
	if v.Kind() == wire.KindNull {
		return nil
	}
	wanted := ""
	switch target := f.target.(type) {
	case *string:
		wanted = "a string"
		if v.Kind() == wire.KindString {
			*target = v.Text()
			return nil
		}
	case *int:
		wanted = "a whole number"
		if n, ok := v.Int64(); ok && n >= math.MinInt && n <= math.MaxInt {
			*target = int(n)
			return nil
		}
	case *float64:
		wanted = "a number"
		if v.Kind() == wire.KindNumber {
			*target, _ = v.Float64()
			return nil
		}
	case func(wire.Value) error:
		wanted = "an array"
		if v.Kind() == wire.KindArray {
			return target(v)
		}
	}
	return lex.Fault("not_a_graph", wire.ErrShape, "", "the member is not "+wanted, "")
}

// graphOf returns the graph that v describes.
func (c GraphCodec) graphOf(v wire.Value) (*Graph, error) {
	var g Graph
	err := c.fields(v, "a graph", []graphField{
		{name: "tool", target: &g.Tool},
		{name: "tokenBudget", other: "token_budget", target: &g.TokenBudget},
		{name: "tokensUsed", other: "tokens_used", target: &g.TokensUsed},
		{name: "packRoot", other: "pack_root", target: &g.PackRoot},
		{name: "symbols", required: true, target: listOf(&g.Symbols, c.symbolOf)},
		{name: "edges", target: listOf(&g.Edges, c.edgeOf)},
	})
	if err != nil {
		return nil, err
	}
	return &g, nil
}

// listOf returns a reader of an array into a list.
func listOf[T any](list *[]T, read func(wire.Value, *T) error) func(wire.Value) error {
	return func(v wire.Value) error {
		*list = make([]T, v.Len())
		for i := range *list {
			if err := read(v.Index(i), &(*list)[i]); err != nil {
				return wire.AtIndex(err, i)
			}
		}
		return nil
	}
}

func (c GraphCodec) symbolOf(v wire.Value, s *Symbol) error {
	return c.fields(v, "a symbol", []graphField{
		{name: "qualifiedName", other: "qualified_name", required: true, target: &s.QualifiedName},
		{name: "kind", required: true, target: &s.Kind},
		{name: "score", target: &s.Score},
		{name: "provenance", required: true, target: &s.Provenance},
		{name: "distance", target: &s.Distance},
	})
}

func (c GraphCodec) edgeOf(v wire.Value, e *Edge) error {
	return c.fields(v, "an edge", []graphField{
		{name: "source", required: true, target: &e.Source},
		{name: "target", required: true, target: &e.Target},
		{name: "edgeType", other: "edge_type", required: true, target: &e.Type},
		{name: "status", target: &e.Status},
		{name: "sourceKind", other: "source_kind", target: &e.SourceKind},
		{name: "targetKind", other: "target_kind", target: &e.TargetKind},
	})
}

// carried returns what the profile can carry of g, and tells Omitted about the
// rest. Errors in the header stay for the encoder.
func (c GraphCodec) carried(g *Graph) *Graph {
	kept := *g
	kept.Symbols = make([]Symbol, 0, len(g.Symbols))
	index := newSymbolIndex(len(g.Symbols))
	for i := range g.Symbols {
		s := &g.Symbols[i]
		err := s.check()
		if err == nil {
			kept.Symbols = append(kept.Symbols, *s)
			if !index.add(kept.Symbols) {
				kept.Symbols = kept.Symbols[:len(kept.Symbols)-1]
				err = duplicateSymbol(s)
			}
		}
		if err != nil {
			c.Omitted(atSymbol(err, i))
		}
	}
	kept.Edges = make([]Edge, 0, len(g.Edges))
	for i := range g.Edges {
		err := g.Edges[i].check()
		if err == nil {
			_, _, err = index.ends(kept.Symbols, &g.Edges[i])
		}
		if err != nil {
			c.Omitted(atEdge(err, i))
			continue
		}
		kept.Edges = append(kept.Edges, g.Edges[i])
	}
	return &kept
}

// Internal is for package wire.
func (GraphCodec) Internal() any { return graphDescription }

// graphDescription is what package wire can ask of a GraphCodec beside its methods.
var graphDescription = describe.Type[GraphCodec](describe.Codec{Variants: []wire.Codec{GraphCodec{Strict: true}}})
