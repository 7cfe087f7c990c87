package gcf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// baseGraph and nextGraph differ in everything that a delta can express.
func baseGraph() *gcf.Graph {
	return &gcf.Graph{
		Symbols: []gcf.Symbol{fn("keep", 0.5, 0), fn("gone", 0.5, 1), fn("score", 0.5, 1), fn("far", 0.5, 1)},
		Edges:   []gcf.Edge{calls("keep", "gone"), calls("score", "keep"), {Source: "far", Target: "keep", Type: "calls", Status: "added"}},
	}
}

func nextGraph() *gcf.Graph {
	return &gcf.Graph{Tool: "t", TokensUsed: 12,
		Symbols: []gcf.Symbol{fn("far", 0.5, 4), fn("new", 0.785, 0), fn("score", 0.75, 1), fn("keep", 0.501, 0)},
		Edges:   []gcf.Edge{{Source: "far", Target: "keep", Type: "calls", Status: "added"}, calls("score", "new"), calls("score", "keep")},
	}
}

// requireSameGraph compares symbols and edges without their order.
func requireSameGraph(t testing.TB, want, got *gcf.Graph) {
	t.Helper()
	root, err := gcf.PackRoot(want)
	require.NoError(t, err)
	is, err := gcf.PackRoot(got)
	require.NoError(t, err)
	require.Equal(t, root, is)
	require.Equal(t, len(want.Symbols), len(got.Symbols))
	require.ElementsMatch(t, want.Edges, got.Edges)
}

func TestDelta(t *testing.T) {
	base, next := baseGraph(), nextGraph()
	d, err := gcf.DiffGraphs(base, next)
	require.NoError(t, err)
	doc, err := gcf.EncodeDelta(d)
	require.NoError(t, err)
	require.Equal(t, graphHeader+" tool=t delta=true base_root="+d.BaseRoot+" new_root="+d.NewRoot+" tokens=12\n"+
		"## removed\nfn gone\nfn score\nfn far\n"+
		"## added\n@0 fn far 0.50 lsp 4\n@1 fn new 0.79 lsp 0\n@2 fn score 0.75 lsp 1\n"+
		"## edges_removed\nkeep -> gone calls\n"+
		"## edges_added\nscore -> new calls\n", string(doc))
	read, err := gcf.DecodeDelta(doc)
	require.NoError(t, err)
	got, err := gcf.ApplyDelta(base, read)
	require.NoError(t, err)
	requireSameGraph(t, next, got)
	require.Equal(t, d.NewRoot, got.PackRoot)
	require.Equal(t, "t", got.Tool)
	require.Equal(t, baseGraph(), base, "the base is not changed")

	// A name may belong to a symbol of another kind afterwards, and its edges
	// with it, whatever kinds the base's edges gave.
	was := graphOf(fn("a", 1, 0), fn("b", 1, 0))
	was.Edges = []gcf.Edge{{Source: "a", SourceKind: "function", Target: "b", TargetKind: "fn", Type: "calls"}}
	is := graphOf(gcf.Symbol{QualifiedName: "a", Kind: "method", Provenance: "lsp"}, fn("b", 1, 0))
	is.Edges = []gcf.Edge{calls("a", "b")}
	d, err = gcf.DiffGraphs(was, is)
	require.NoError(t, err)
	require.Empty(t, d.RemovedEdges)
	got, err = gcf.ApplyDelta(was, d)
	require.NoError(t, err)
	requireSameGraph(t, is, got)

	// Nothing changed.
	d, err = gcf.DiffGraphs(base, base)
	require.NoError(t, err)
	require.Equal(t, d.BaseRoot, d.NewRoot)
	doc, err = gcf.EncodeDelta(d)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(doc), "\n"))
	read, err = gcf.DecodeDelta(doc)
	require.NoError(t, err)
	got, err = gcf.ApplyDelta(base, read)
	require.NoError(t, err)
	requireSameGraph(t, base, got)
}

func TestDeltaSavings(t *testing.T) {
	for _, c := range []struct {
		delta, full, given int
		want               string
	}{
		{30, 200, 0, " tokens=30 savings=85%"}, {5, 8, 0, " tokens=5 savings=38%"}, {1, 8, 0, " tokens=1 savings=88%"},
		{200, 100, 0, " tokens=200 savings=-100%"}, {5, 0, 17, " tokens=5 savings=17%"},
		{5, 0, 0, " tokens=5"}, {0, 200, 0, ""}, {0, 0, 0, ""}, {0, 0, 17, " savings=17%"}, // what no one counted is not said
	} {
		doc, err := gcf.EncodeDelta(&gcf.Delta{BaseRoot: "a", NewRoot: "b", DeltaTokens: c.delta, FullTokens: c.full, Savings: c.given})
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(string(doc), " new_root=b"+c.want+"\n"), "%s", doc)
		back, err := gcf.DecodeDelta(doc)
		require.NoError(t, err)
		again, err := gcf.EncodeDelta(back)
		require.NoError(t, err)
		require.Equal(t, string(doc), string(again))
	}
}

// A delta that does not fit its base is refused.
func TestDeltaContradictions(t *testing.T) {
	base := baseGraph()
	root, err := gcf.PackRoot(base)
	require.NoError(t, err)
	other := gcf.SymbolRef{QualifiedName: "nobody", Kind: "function"}
	for _, c := range []struct {
		name, code string
		delta      gcf.Delta
	}{
		{"another base", "base_mismatch", gcf.Delta{BaseRoot: "sha256:" + strings.Repeat("0", 64)}},
		{"a root of another algorithm", "unknown_root", gcf.Delta{BaseRoot: "blake3:00"}},
		{"a root of capital letters", "unknown_root", gcf.Delta{BaseRoot: strings.ToUpper(root)}},
		{"a wrong result", "root_mismatch", gcf.Delta{BaseRoot: root}},
		{"a removed symbol that is not there", "malformed_delta", gcf.Delta{BaseRoot: root, Removed: []gcf.SymbolRef{other}}},
		{"a removed symbol of another kind", "malformed_delta", gcf.Delta{BaseRoot: root, Removed: []gcf.SymbolRef{{QualifiedName: "gone", Kind: "type"}}}},
		{"a removed symbol without a kind", "malformed_delta", gcf.Delta{BaseRoot: root, Removed: []gcf.SymbolRef{{QualifiedName: "gone"}}}},
		{"a symbol removed twice", "malformed_delta", gcf.Delta{BaseRoot: root, Removed: []gcf.SymbolRef{{QualifiedName: "gone", Kind: "fn"}, {QualifiedName: "gone", Kind: "function"}}}},
		{"an added symbol that is there", "malformed_delta", gcf.Delta{BaseRoot: root, Added: []gcf.Symbol{fn("keep", 1, 0)}}},
		{"a symbol added twice", "malformed_delta", gcf.Delta{BaseRoot: root, Added: []gcf.Symbol{fn("x", 1, 0), fn("x", 1, 0)}}},
		{"an added symbol that no line can hold", "invalid_name", gcf.Delta{BaseRoot: root, Added: []gcf.Symbol{fn("x y", 1, 0)}}},
		{"a removed edge that is not there", "malformed_delta", gcf.Delta{BaseRoot: root, RemovedEdges: []gcf.Edge{calls("gone", "keep")}}},
		{"an edge removed twice", "malformed_delta", gcf.Delta{BaseRoot: root, RemovedEdges: []gcf.Edge{calls("keep", "gone"), calls("keep", "gone")}}},
		{"an added edge that is there", "malformed_delta", gcf.Delta{BaseRoot: root, AddedEdges: []gcf.Edge{calls("keep", "gone")}}},
		{"an edge removed and added", "malformed_delta", gcf.Delta{BaseRoot: root, RemovedEdges: []gcf.Edge{calls("keep", "gone")}, AddedEdges: []gcf.Edge{calls("keep", "gone")}}},
		{"an edge of a removed symbol", "unknown_edge_reference", gcf.Delta{BaseRoot: root, Removed: []gcf.SymbolRef{{QualifiedName: "gone", Kind: "function"}}}},
		{"an added edge to nowhere", "unknown_edge_reference", gcf.Delta{BaseRoot: root, AddedEdges: []gcf.Edge{calls("keep", "nobody")}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.delta.NewRoot = "sha256:" + strings.Repeat("1", 64)
			got, err := gcf.ApplyDelta(base, &c.delta)
			require.Nil(t, got)
			requireCode(t, err, c.code)
			require.Equal(t, baseGraph(), base)
		})
	}
}

// What a delta cannot express is refused when it is made.
func TestDeltaInexpressible(t *testing.T) {
	base := baseGraph()
	typed := func() *gcf.Graph {
		g := baseGraph()
		g.Symbols = append(g.Symbols, gcf.Symbol{QualifiedName: "keep", Kind: "type", Provenance: "p"})
		for i := range g.Edges {
			g.Edges[i].SourceKind, g.Edges[i].TargetKind = "function", "function"
		}
		return g
	}
	twice := baseGraph()
	twice.Edges = append(twice.Edges, twice.Edges[0])
	status := baseGraph()
	status.Edges[0].Status = "removed"
	status2 := baseGraph()
	status2.Edges[2].Status = ""
	hash := graphOf(gcf.Symbol{QualifiedName: "a", Kind: "#", Provenance: "p"})
	hashEdge := &gcf.Graph{Symbols: []gcf.Symbol{fn("##", 1, 0)}, Edges: []gcf.Edge{calls("##", "##")}}
	for _, c := range []struct {
		name, code string
		base, next *gcf.Graph
	}{
		{"names of several kinds", "ambiguous_edge_reference", base, typed()},
		{"names of several kinds in the base", "ambiguous_edge_reference", typed(), base},
		{"an edge twice", "duplicate_edge", base, twice},
		{"a status", "unsupported_status", base, status},
		{"no status any more", "unsupported_status", base, status2},
		{"a kind that begins a comment", "invalid_name", hash, graphOf()},
		{"a name that begins a header", "invalid_name", graphOf(fn("##", 1, 0)), hashEdge},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := gcf.DiffGraphs(c.base, c.next)
			requireCode(t, err, c.code)
		})
	}
	for _, c := range []struct {
		name, code string
		delta      gcf.Delta
	}{
		{"no base root", "invalid_header_value", gcf.Delta{NewRoot: "b"}},
		{"no new root", "invalid_header_value", gcf.Delta{BaseRoot: "b"}},
		{"a tool with a space", "invalid_header_value", gcf.Delta{Tool: "a b", BaseRoot: "a", NewRoot: "b"}},
		{"a name with a space", "invalid_name", gcf.Delta{BaseRoot: "a", NewRoot: "b", Removed: []gcf.SymbolRef{{QualifiedName: "a b", Kind: "k"}}}},
		{"a source with a space", "invalid_name", gcf.Delta{BaseRoot: "a", NewRoot: "b", RemovedEdges: []gcf.Edge{calls("a b", "c")}}},
		{"a target with a space", "invalid_name", gcf.Delta{BaseRoot: "a", NewRoot: "b", AddedEdges: []gcf.Edge{calls("a", "c d")}}},
		{"negative tokens", "invalid_count", gcf.Delta{BaseRoot: "a", NewRoot: "b", DeltaTokens: -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := gcf.EncodeDelta(&c.delta)
			require.Nil(t, got)
			requireCode(t, err, c.code)
		})
	}
}

// deltaDocuments are deltas that are refused; they also seed the fuzz targets.
var deltaDocuments = []struct{ name, doc, code string }{
	{"an unknown section", "## unexpected\nfn a\n", "malformed_delta"},
	{"a group", "## targets\n@0 fn a 0.50 p\n", "malformed_delta"},
	{"a line before the sections", "fn a\n", "malformed_delta"},
	{"a section twice", "## removed\nfn a\n## removed\nfn b\n", "malformed_delta"},
	{"a name without a kind", "## removed\na\n", "malformed_delta"},
	{"three words", "## removed\nfn a b\n", "malformed_delta"},
	{"an added symbol without a distance", "## added\n@0 fn a 0.50 p\n", "malformed_delta"},
	{"an added symbol without an id", "## added\nfn a 0.50 p 0 0\n", "malformed_delta"},
	{"a reference", "## added\n@0  # previously transmitted\n", "malformed_delta"},
	{"an id that is none", "## added\n@x fn a 0.50 p 0\n", "invalid_symbol_id"},
	{"an id twice", "## added\n@0 fn a 0.50 p 0\n@0 fn b 0.50 p 0\n", "malformed_delta"},
	{"a score that is none", "## added\n@0 fn a 0.5 p 0\n", "invalid_score"},
	{"a distance that is none", "## added\n@0 fn a 0.50 p -1\n", "malformed_delta"},
	{"an edge by ids", "## edges_added\n@0<@1 calls\n", "malformed_delta"},
	{"an edge without a type", "## edges_added\na -> b\n", "malformed_delta"},
	{"an edge the other way", "## edges_removed\na <- b calls\n", "malformed_delta"},
	{"an edge with a tab", "## edges_removed\na -> b\tc calls\n", "malformed_delta"},
	{"a wrong count", "## removed [2]\nfn a\n", "count_mismatch"},
	{"an indented line", "## removed\n  fn a\n", "invalid_indent"},
	{"a symbol removed twice", "## removed\nfn a\nfunction a\n", "malformed_delta"},
	{"an edge removed and added", "## edges_removed\na -> b c\n## edges_added\na -> b c\n", "malformed_delta"},
	{"a line after the summary", "##! summary\n## removed\nfn a\n", "trailing_content"},
}

func TestDeltaDocuments(t *testing.T) {
	const start = graphHeader + " delta=true base_root=a new_root=b\n"
	for _, c := range deltaDocuments {
		t.Run(c.name, func(t *testing.T) {
			d, err := gcf.DecodeDelta([]byte(start + c.doc))
			require.Nil(t, d)
			requireCode(t, err, c.code)
			require.NotZero(t, err.(*wire.Error).Line)
			_, err = gcf.Decode([]byte(start + c.doc))
			requireCode(t, err, c.code)
		})
	}
	for _, c := range []struct{ name, doc, code string }{
		{"no roots", graphHeader + " delta=true\n", "malformed_delta"},
		{"savings that are none", graphHeader + " delta=true base_root=a new_root=b savings=much\n", "malformed_header_field"},
		{"a graph", graphHeader + " symbols=0\n", "not_a_delta"},
		{"a generic delta", "GCF profile=generic delta=true base_root=a new_root=b key=id\n", "not_a_delta"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := gcf.DecodeDelta([]byte(c.doc))
			requireCode(t, err, c.code)
		})
	}
	d, err := gcf.DecodeDelta([]byte(start + "## edges_added [1]\r\n# c\r\na -> b c\r\n\r\n## removed\r\nfn x\r\n##! summary\r\n"))
	require.NoError(t, err)
	require.Equal(t, &gcf.Delta{BaseRoot: "a", NewRoot: "b", Removed: []gcf.SymbolRef{{QualifiedName: "x", Kind: "function"}}, AddedEdges: []gcf.Edge{{Source: "a", Target: "b", Type: "c"}}}, d)
}
