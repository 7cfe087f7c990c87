package gcf_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// readGraphStream collects what a stream decoder returns.
func readGraphStream(r io.Reader) (*gcf.Graph, error) {
	var g gcf.Graph
	for item, err := range (gcf.GraphCodec{}).Items(r) {
		switch {
		case err != nil:
			return nil, err
		case item.Header != nil:
			g = *item.Header
		case item.Symbol != nil:
			g.Symbols = append(g.Symbols, *item.Symbol)
		default:
			g.Edges = append(g.Edges, *item.Edge)
		}
	}
	return &g, nil
}

const graphHeader = "GCF profile=graph"

// fn returns a function with that name, score and distance.
func fn(name string, score float64, distance int) gcf.Symbol {
	return gcf.Symbol{QualifiedName: name, Kind: "function", Score: score, Provenance: "lsp", Distance: distance}
}

func calls(source, target string) gcf.Edge {
	return gcf.Edge{Source: source, Target: target, Type: "calls"}
}

// graphVectors are graphs and their documents, whose header begins with
// graphHeader. Decoding gives the graph in the order of the wire, back if that
// is set.
var graphVectors = []struct {
	name  string
	graph gcf.Graph
	doc   string
	back  *gcf.Graph
}{
	{name: "empty", doc: " symbols=0\n"},
	{name: "all of the header",
		graph: gcf.Graph{Tool: "t", TokenBudget: 5000, TokensUsed: 1847, PackRoot: "sha256:00", Symbols: []gcf.Symbol{fn("a", 0.5, 0)}, Edges: []gcf.Edge{calls("a", "a")}},
		doc:   " tool=t budget=5000 tokens=1847 symbols=1 edges=1 pack_root=sha256:00\n## targets\n@0 fn a 0.50 lsp\n## edges [1]\n@0<@0 calls\n"},
	{name: "groups",
		graph: gcf.Graph{Symbols: []gcf.Symbol{fn("a", 1, 0), fn("b", 1, 1), fn("c", 1, 2), fn("d", 1, 3), fn("e", 1, 12)}},
		doc:   " symbols=5\n## targets\n@0 fn a 1.00 lsp\n## related\n@1 fn b 1.00 lsp\n## extended\n@2 fn c 1.00 lsp\n## distance_3\n@3 fn d 1.00 lsp\n## distance_12\n@4 fn e 1.00 lsp\n"},
	{name: "order",
		graph: gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.1, 1), fn("b", 0.5, 0), fn("c", 0.7, 0), fn("d", 0.5, 0)}, Edges: []gcf.Edge{calls("d", "a"), calls("b", "d"), calls("b", "c"), {Source: "b", Target: "c", Type: "binds"}}},
		doc:   " symbols=4 edges=4\n## targets\n@0 fn c 0.70 lsp\n@1 fn b 0.50 lsp\n@2 fn d 0.50 lsp\n## related\n@3 fn a 0.10 lsp\n## edges [4]\n@0<@1 binds\n@0<@1 calls\n@2<@1 calls\n@3<@2 calls\n",
		back: &gcf.Graph{Symbols: []gcf.Symbol{fn("c", 0.7, 0), fn("b", 0.5, 0), fn("d", 0.5, 0), fn("a", 0.1, 1)},
			Edges: []gcf.Edge{{Source: "b", Target: "c", Type: "binds"}, calls("b", "c"), calls("b", "d"), calls("d", "a")}}},
	{name: "kinds",
		graph: gcf.Graph{Symbols: kindSymbols("function", "type", "method", "interface", "var", "const", "resource", "table", "class", "selector",
			"field", "route_handler", "external", "file", "package", "service", "widget", "my-kind")},
		doc: " symbols=18\n## targets\n" + kindLines("fn", "type", "method", "iface", "var", "const", "resource", "table", "class", "selector",
			"field", "route", "ext", "file", "pkg", "svc", "widget", "my-kind")},
	{name: "an abbreviation is its kind",
		graph: gcf.Graph{Symbols: kindSymbols("fn", "svc")}, doc: " symbols=2\n## targets\n" + kindLines("fn", "svc"),
		back: &gcf.Graph{Symbols: kindSymbols("function", "service")}},
	{name: "status",
		graph: gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0, 0), fn("b", 0, 0)}, Edges: []gcf.Edge{
			{Source: "a", Target: "b", Type: "calls", Status: "added"}, {Source: "b", Target: "a", Type: "calls", Status: "unchanged"}, {Source: "b", Target: "b", Type: "calls", Status: "active"}}},
		doc: " symbols=2 edges=3\n## targets\n@0 fn a 0.00 lsp\n@1 fn b 0.00 lsp\n## edges [3]\n@1<@0 calls added\n@0<@1 calls\n@1<@1 calls active\n",
		back: &gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0, 0), fn("b", 0, 0)}, Edges: []gcf.Edge{
			{Source: "a", Target: "b", Type: "calls", Status: "added"}, calls("b", "a"), {Source: "b", Target: "b", Type: "calls", Status: "active"}}}},
	{name: "symbols of one name",
		graph: gcf.Graph{Symbols: []gcf.Symbol{fn("a", 1, 0), {QualifiedName: "a", Kind: "type", Score: 0.5, Provenance: "p"}, fn("b", 0, 0)},
			Edges: []gcf.Edge{{Source: "a", SourceKind: "type", Target: "a", TargetKind: "function", Type: "has"}, {Source: "b", Target: "a", TargetKind: "type", Type: "makes"}}},
		doc: " symbols=3 edges=2\n## targets\n@0 fn a 1.00 lsp\n@1 type a 0.50 p\n@2 fn b 0.00 lsp\n## edges [2]\n@0<@1 has\n@1<@2 makes\n"},
	{name: "words beyond ASCII",
		graph: gcf.Graph{Symbols: []gcf.Symbol{{QualifiedName: "ௗpkg.Größe", Kind: "тип", Score: 0.25, Provenance: "ௗast"}}},
		doc:   " symbols=1\n## targets\n@0 тип ௗpkg.Größe 0.25 ௗast\n"},
	{name: "negative and large scores",
		graph: gcf.Graph{Symbols: []gcf.Symbol{fn("d", 1e21, 0), fn("c", 12345678.25, 0), fn("b", -1.5, 0)}},
		doc:   " symbols=3\n## targets\n@0 fn d 1000000000000000000000.00 lsp\n@1 fn c 12345678.25 lsp\n@2 fn b -1.50 lsp\n"},
}

func kindSymbols(kinds ...string) []gcf.Symbol {
	var out []gcf.Symbol
	for i, kind := range kinds {
		out = append(out, gcf.Symbol{QualifiedName: fmt.Sprint("n", i), Kind: kind, Provenance: "p"})
	}
	return out
}

func kindLines(kinds ...string) string {
	var b strings.Builder
	for i, kind := range kinds {
		fmt.Fprintf(&b, "@%d %s n%d 0.00 p\n", i, kind, i)
	}
	return b.String()
}

func TestGraphVectors(t *testing.T) {
	for _, c := range graphVectors {
		t.Run(c.name, func(t *testing.T) {
			got, err := gcf.Encode(&c.graph)
			require.NoError(t, err)
			require.Equal(t, graphHeader+c.doc, string(got))
			back, err := gcf.Decode(got)
			require.NoError(t, err)
			want := &c.graph
			if c.back != nil {
				want = c.back
			}
			require.Equal(t, want, back)
			streamed, err := readGraphStream(bytes.NewReader(got))
			require.NoError(t, err)
			require.Equal(t, want, streamed)

			// The same through the codec.
			v := codectest.Decoded(t, gcf.GraphCodec{}, got)
			again, err := gcf.GraphCodec{}.AppendEncode([]byte("before"), v)
			require.NoError(t, err)
			require.Equal(t, "before"+string(got), string(again))
			fromGo, err := wire.FromGo(want)
			require.NoError(t, err)
			if len(want.Symbols) > 0 && len(want.Edges) > 0 && want.Edges[0].SourceKind == "" {
				require.True(t, wire.Equal(fromGo, v), "want %v\ngot  %v", fromGo, v)
			}
		})
	}
}

// graphDocuments are documents that Encode does not write but Decode reads.
var graphDocuments = []struct {
	name, doc string
	want      gcf.Graph
}{
	{"a stream", " tool=t budget=5\n## targets\n@0 fn a 0.50 lsp\n## edges [?]\n@0<@0 calls\n##! summary symbols=1 edges=1 counts=targets:1,edges:1\n",
		gcf.Graph{Tool: "t", TokenBudget: 5, Symbols: []gcf.Symbol{fn("a", 0.5, 0)}, Edges: []gcf.Edge{calls("a", "a")}}},
	{"a stream without a trailer", "\n## targets\n@0 fn a 0.50 lsp\n## edges [?]\n@0<@0 calls\n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}, Edges: []gcf.Edge{calls("a", "a")}}},
	{"a trailer with counts that nobody checks", "\n## targets\n@0 fn a 0.50 lsp\n##! summary symbols=1 edges=0 counts=x:y,,7 sections=targets:1\n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}}},
	{"a trailer behind counts of its own", " symbols=1\n## targets\n@0 fn a 0.50 lsp\n##! summary symbols=7\n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}}},
	{"ids with gaps", " symbols=2 edges=1\n## targets\n@0 fn a 0.78 lsp\n## related\n@4 fn b 0.54 lsp\n## edges [1]\n@0<@4 calls\n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.78, 0), fn("b", 0.54, 1)}, Edges: []gcf.Edge{calls("b", "a")}}},
	{"counts of groups", " symbols=1\n## targets [1]\n@0 fn a 0.50 lsp\n## edges [0]\n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}}},
	{"edges without a count, and blanks", " symbols=1\n## targets\n@0   fn a  0.50 lsp  \n## edges\n@0<@0  calls \n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}, Edges: []gcf.Edge{calls("a", "a")}}},
	{"groups that return", "\n## targets\n@0 fn a 0.50 lsp\n## distance_2\n@1 fn b 0.50 lsp\n## targets\n@2 fn c 0.50 lsp\n",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0), fn("b", 0.5, 2), fn("c", 0.5, 0)}}},
	{"CRLF, comments, blank lines", " symbols=1\r\n# c\r\n\r\n## targets\r\n# c\r\n@0 fn a 0.50 lsp\r\n  # c",
		gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}}},
	{"unknown header fields", " future=1 symbols=0\n", gcf.Graph{}},
	{"session without references", " symbols=1 session=true\n## targets\n@7 fn a 0.50 lsp\n", gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.5, 0)}}},
	{"nothing but a header", "", gcf.Graph{}},
}

func TestGraphDocuments(t *testing.T) {
	for _, c := range graphDocuments {
		t.Run(c.name, func(t *testing.T) {
			for _, start := range []string{"", "\ufeff"} {
				doc := []byte(start + graphHeader + c.doc)
				got, err := gcf.Decode(doc)
				require.NoError(t, err)
				require.Equal(t, &c.want, got)
				streamed, err := readGraphStream(bytes.NewReader(doc))
				require.NoError(t, err)
				require.Equal(t, &c.want, streamed)
			}
		})
	}
}

// graphErrors are documents that are refused, and where.
var graphErrors = []struct {
	name, doc, code string
	kind            error
	line, column    int
}{
	{"four fields", " symbols=1\n## targets\n@0 fn a 0.90\n", "invalid_node_line", wire.ErrSyntax, 3, 1},
	{"six fields", "\n## targets\n@0 fn a 0.90 lsp 0\n", "invalid_node_line", wire.ErrSyntax, 3, 1},
	{"no @", "\n## targets\n0 fn a 0.90 lsp\n", "invalid_node_line", wire.ErrSyntax, 3, 1},
	{"a tab in a name", "\n## targets\n@0 fn a\tb 0.90 lsp\n", "invalid_node_line", wire.ErrSyntax, 3, 7},
	{"an unbreakable space in a name", "\n## targets\n@0 fn a\u00a0b 0.90 lsp\n", "invalid_node_line", wire.ErrSyntax, 3, 7},
	{"an edge in a group", "\n## targets\n@0 fn a 0.90 lsp\n@0<@0 calls\n", "invalid_node_line", wire.ErrSyntax, 4, 1},
	{"no number", "\n## targets\n@x fn a 0.90 lsp\n", "invalid_symbol_id", wire.ErrSyntax, 3, 1},
	{"no id", "\n## targets\n@ fn a 0.90 lsp\n", "invalid_symbol_id", wire.ErrSyntax, 3, 1},
	{"a negative id", "\n## targets\n@-1 fn a 0.90 lsp\n", "invalid_symbol_id", wire.ErrSyntax, 3, 1},
	{"an id too large", "\n## targets\n@9999999999999999999 fn a 0.90 lsp\n", "invalid_symbol_id", wire.ErrSyntax, 3, 1},
	{"one decimal", "\n## targets\n@0 fn a 0.9 lsp\n", "invalid_score", wire.ErrSyntax, 3, 9},
	{"three decimals", "\n## targets\n@0 fn a 0.900 lsp\n", "invalid_score", wire.ErrSyntax, 3, 9},
	{"no whole part", "\n## targets\n@0 fn a .90 lsp\n", "invalid_score", wire.ErrSyntax, 3, 9},
	{"an exponent", "\n## targets\n@0 fn a 1e0.90 lsp\n", "invalid_score", wire.ErrSyntax, 3, 9},
	{"a sign", "\n## targets\n@0 fn a +0.90 lsp\n", "invalid_score", wire.ErrSyntax, 3, 9},
	{"a score beyond doubles", "\n## targets\n@0 fn a " + strings.Repeat("9", 400) + ".00 lsp\n", "invalid_score", wire.ErrSyntax, 3, 9},
	{"an id twice", "\n## targets\n@0 fn a 0.90 lsp\n@0 fn b 0.90 lsp\n", "duplicate_symbol_id", wire.ErrDuplicateKey, 4, 1},
	{"an id twice behind a gap", "\n## targets\n@5 fn a 0.90 lsp\n@0 fn b 0.90 lsp\n@5 fn c 0.90 lsp\n", "duplicate_symbol_id", wire.ErrDuplicateKey, 5, 1},
	{"a symbol twice", "\n## targets\n@0 fn a 0.90 lsp\n## related\n@1 fn a 0.90 lsp\n", "duplicate_symbol", wire.ErrDuplicateKey, 5, 1},
	{"a space instead of the arrow", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0 @0 calls\n", "invalid_edge_syntax", wire.ErrSyntax, 5, 1},
	{"only an arrow", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n< x\n", "invalid_edge_syntax", wire.ErrSyntax, 5, 1},
	{"no source", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0< calls\n", "invalid_edge_syntax", wire.ErrSyntax, 5, 1},
	{"no type", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0<@0\n", "invalid_edge_syntax", wire.ErrSyntax, 5, 1},
	{"four words in an edge", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0<@0 calls added now\n", "invalid_edge_syntax", wire.ErrSyntax, 5, 1},
	{"no number in an edge", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@x<@0 calls\n", "invalid_symbol_id", wire.ErrSyntax, 5, 1},
	{"an edge to nowhere", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0<@1 calls\n", "unknown_edge_reference", wire.ErrSyntax, 5, 1},
	{"an edge to a later symbol", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0<@1 calls\n## related\n@1 fn b 0.90 lsp\n", "unknown_edge_reference", wire.ErrSyntax, 5, 1},
	{"more edges than declared", "\n## targets\n@0 fn a 0.90 lsp\n## edges [1]\n@0<@0 calls\n@0<@0 binds\n", "count_mismatch", wire.ErrChecksum, 7, 1},
	{"fewer edges than declared", "\n## targets\n@0 fn a 0.90 lsp\n## edges [2]\n@0<@0 calls\n## related\n", "count_mismatch", wire.ErrChecksum, 6, 1},
	{"fewer symbols than the header says", " symbols=2\n## targets\n@0 fn a 0.90 lsp\n", "count_mismatch", wire.ErrChecksum, 4, 1},
	{"more edges than the header says", " edges=1\n## targets\n@0 fn a 0.90 lsp\n## edges\n@0<@0 calls\n@0<@0 binds\n", "count_mismatch", wire.ErrChecksum, 7, 1},
	{"fewer symbols than the trailer says", "\n## targets\n@0 fn a 0.90 lsp\n##! summary symbols=2 edges=0 counts=2,0\n", "count_mismatch", wire.ErrChecksum, 5, 1},
	{"fewer edges than the trailer says", "\n## targets\n@0 fn a 0.90 lsp\n## edges [?]\n##! summary symbols=1 edges=1 counts=1,1\n", "count_mismatch", wire.ErrChecksum, 6, 1},
	{"a huge count", "\n## targets\n@0 fn a 0.90 lsp\n## edges [999999999999999999]\n", "count_mismatch", wire.ErrChecksum, 5, 1},
	{"a count with a zero before it", "\n## edges [01]\n", "invalid_count", wire.ErrSyntax, 2, 11},
	{"a count beyond integers", "\n## edges [9999999999999999999]\n", "invalid_count", wire.ErrSyntax, 2, 11},
	{"an open bracket", "\n## edges [1\n", "invalid_count", wire.ErrSyntax, 2, 12},
	{"a group of another name", "\n## others\n", "unknown_group", wire.ErrSyntax, 2, 4},
	{"a group of no distance", "\n## distance_x\n", "unknown_group", wire.ErrSyntax, 2, 4},
	{"a name with more behind it", "\n## targets now\n", "invalid_group_header", wire.ErrSyntax, 2, 12},
	{"fields behind a count", "\n## targets [1]{a}\n", "invalid_group_header", wire.ErrSyntax, 2, 15},
	{"a group without a name", "\n##targets\n", "invalid_group_header", wire.ErrSyntax, 2, 1},
	{"a symbol outside of groups", "\n@0 fn a 0.90 lsp\n", "missing_group", wire.ErrSyntax, 2, 1},
	{"an indented line", "\n## targets\n  @0 fn a 0.90 lsp\n", "invalid_indent", wire.ErrSyntax, 3, 3},
	{"a tab", "\n## targets\n\t@0 fn a 0.90 lsp\n", "tab_indentation", wire.ErrSyntax, 3, 1},
	{"another trailer", "\n##! totals\n", "invalid_summary", wire.ErrSyntax, 2, 1},
	{"a line after the trailer", "\n##! summary symbols=0 edges=0 counts=0\n## targets\n", "trailing_content", wire.ErrSyntax, 3, 1},
	{"a malformed trailer", "\n##! summary symbols=x\n", "malformed_header_field", wire.ErrSyntax, 2, 21},
	{"a number that is none", " budget=many\n", "malformed_header_field", wire.ErrSyntax, 1, 26},
	{"a header field twice", " tool=a tool=b\n", "duplicate_header_field", wire.ErrDuplicateKey, 1, 26},
	{"a header value beyond ASCII", " tool=t\u00e9\n", "malformed_header_field", wire.ErrSyntax, 1, 24},
	{"a header value with a control character", " tool=a\x00b\n", "malformed_header_field", wire.ErrSyntax, 1, 24},
	{"a reference", " session=true\n## targets\n@0  # previously transmitted\n", "unresolved_reference", wire.ErrShape, 3, 1},
	{"a malformed delta", " delta=true base_root=a new_root=b\n## unexpected\nfn a\n", "malformed_delta", wire.ErrSyntax, 2, 4},
	{"a delta", " delta=true base_root=a new_root=b\n## removed\nfn a\n", "no_value", wire.ErrShape, 1, 1},
	{"unchanged", " unchanged=true pack_root=a symbols=1\n", "no_value", wire.ErrShape, 1, 1},
	{"invalid UTF-8", "\n## targets\n@0 fn a\xff 0.90 lsp\n", "invalid_utf8", wire.ErrUTF8, 3, 8},
}

func TestGraphErrors(t *testing.T) {
	for _, c := range graphErrors {
		t.Run(c.name, func(t *testing.T) {
			doc := []byte(graphHeader + c.doc)
			g, err := gcf.Decode(doc)
			require.Nil(t, g)
			e := codectest.Refused(t, err, c.code, c.kind)
			require.Equal(t, []int{c.line, c.column}, []int{e.Line, e.Column}, err.Error())
			require.Equal(t, "gcf", e.Format)

			v, err := gcf.GraphCodec{}.Decode(doc)
			require.True(t, v.Kind() == wire.KindNull)
			require.ErrorAs(t, err, &e)
			require.Equal(t, "gcf-graph", e.Format)
			if c.code == "malformed_delta" {
				return // a stream refuses all deltas by their headers
			}
			for name, reader := range readers {
				_, err = readGraphStream(reader(bytes.NewReader(doc)))
				require.ErrorAs(t, err, &e, name)
				require.Equal(t, c.code, e.Code, "%s: %v", name, err)
				require.Equal(t, c.line, e.Line, "%s: %v", name, err)
			}
		})
	}
	_, err := gcf.Decode([]byte("GCF profile=generic\na=1\n"))
	requireCode(t, err, "unknown_profile")
	_, err = gcf.Decode([]byte("GCF2 profile=graph\n"))
	requireCode(t, err, "unknown_version")
}

func TestGraphEncodeErrors(t *testing.T) {
	ok := fn("a", 1, 0)
	with := func(change func(*gcf.Symbol)) gcf.Graph {
		s := ok
		change(&s)
		return gcf.Graph{Symbols: []gcf.Symbol{fn("first", 1, 0), s}}
	}
	edge := func(e gcf.Edge) gcf.Graph {
		return gcf.Graph{Symbols: []gcf.Symbol{ok, {QualifiedName: "b", Kind: "type", Provenance: "p"}, fn("b", 0, 0)}, Edges: []gcf.Edge{e}}
	}
	for _, c := range []struct {
		name       string
		graph      gcf.Graph
		code, path string
		kind       error
	}{
		{"a name with a space", with(func(s *gcf.Symbol) { s.QualifiedName = "operator new" }), "invalid_name", "/symbols/1/qualifiedName", wire.ErrShape},
		{"no name", with(func(s *gcf.Symbol) { s.QualifiedName = "" }), "invalid_name", "/symbols/1/qualifiedName", wire.ErrShape},
		{"a name with a line end", with(func(s *gcf.Symbol) { s.QualifiedName = "a\n@9 fn injected 1.00 p" }), "invalid_name", "/symbols/1/qualifiedName", wire.ErrShape},
		{"a name with a delete character", with(func(s *gcf.Symbol) { s.QualifiedName = "abcdefgh\x7fi" }), "invalid_name", "/symbols/1/qualifiedName", wire.ErrShape},
		{"a name that is not UTF-8", with(func(s *gcf.Symbol) { s.QualifiedName = "a\xff" }), "invalid_utf8", "/symbols/1/qualifiedName", wire.ErrUTF8},
		{"a kind with a space", with(func(s *gcf.Symbol) { s.Kind = "a b" }), "invalid_name", "/symbols/1/kind", wire.ErrShape},
		{"no provenance", with(func(s *gcf.Symbol) { s.Provenance = "" }), "invalid_name", "/symbols/1/provenance", wire.ErrShape},
		{"NaN", with(func(s *gcf.Symbol) { s.Score = math.NaN() }), "invalid_score", "/symbols/1/score", wire.ErrRange},
		{"infinity", with(func(s *gcf.Symbol) { s.Score = math.Inf(-1) }), "invalid_score", "/symbols/1/score", wire.ErrRange},
		{"a negative distance", with(func(s *gcf.Symbol) { s.Distance = -1 }), "invalid_distance", "/symbols/1/distance", wire.ErrRange},
		{"a symbol twice", with(func(s *gcf.Symbol) { s.QualifiedName = "first" }), "duplicate_symbol", "/symbols/1", wire.ErrDuplicateKey},
		{"a symbol twice by its abbreviation", with(func(s *gcf.Symbol) { s.QualifiedName, s.Kind = "first", "fn" }), "duplicate_symbol", "/symbols/1", wire.ErrDuplicateKey},
		{"no source", edge(calls("x", "a")), "unknown_edge_reference", "/edges/0/source", wire.ErrShape},
		{"no target", edge(calls("a", "x")), "unknown_edge_reference", "/edges/0/target", wire.ErrShape},
		{"a name of two symbols", edge(calls("a", "b")), "ambiguous_edge_reference", "/edges/0/target", wire.ErrShape},
		{"a kind that is not there", edge(gcf.Edge{Source: "a", Target: "b", TargetKind: "class", Type: "t"}), "unknown_edge_reference", "/edges/0/target", wire.ErrShape},
		{"a type with a space", edge(gcf.Edge{Source: "a", Target: "a", Type: "is a"}), "invalid_name", "/edges/0/edgeType", wire.ErrShape},
		{"a status with a space", edge(gcf.Edge{Source: "a", Target: "a", Type: "t", Status: "not yet"}), "invalid_name", "/edges/0/status", wire.ErrShape},
		{"a tool with a space", gcf.Graph{Tool: "a b"}, "invalid_header_value", "/tool", wire.ErrShape},
		{"a root with a space", gcf.Graph{PackRoot: "a b"}, "invalid_header_value", "/packRoot", wire.ErrShape},
		{"a negative budget", gcf.Graph{TokenBudget: -1}, "invalid_count", "/tokenBudget", wire.ErrRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := func(err error) {
				t.Helper()
				e := codectest.Refused(t, err, c.code, nil)
				require.Equal(t, c.path, e.Path())
				require.ErrorIs(t, err, c.kind)
			}
			got, err := gcf.Encode(&c.graph)
			require.Nil(t, got)
			check(err)
			var s gcf.Session
			_, err = gcf.EncodeWithSession(&c.graph, &s)
			check(err)
			require.Zero(t, s.Len())
			if c.path != "/tool" && c.path != "/packRoot" && c.path != "/tokenBudget" {
				_, err = gcf.PackRoot(&c.graph)
				check(err)
			}
		})
	}
	_, err := gcf.GraphCodec{Limits: wire.Limits{OutputBytes: 50}}.AppendGraph(nil, &gcf.Graph{Symbols: []gcf.Symbol{ok}})
	requireCode(t, err, "output_too_long")
}

func TestGraphOmitted(t *testing.T) {
	g := gcf.Graph{
		Symbols: []gcf.Symbol{fn("a", 1, 0), fn("has space", 1, 0), fn("a", 1, 0), fn("b", 0.5, 0)},
		Edges:   []gcf.Edge{calls("a", "b"), calls("a", "has space"), {Source: "a", Target: "b", Type: "is a"}},
	}
	var told []string
	codec := gcf.GraphCodec{Omitted: func(err error) { told = append(told, err.(*wire.Error).Code+err.(*wire.Error).Path()) }}
	doc, err := codec.AppendGraph(nil, &g)
	require.NoError(t, err)
	require.Equal(t, graphHeader+" symbols=2 edges=1\n## targets\n@0 fn a 1.00 lsp\n@1 fn b 0.50 lsp\n## edges [1]\n@1<@0 calls\n", string(doc))
	require.Equal(t, []string{"invalid_name/symbols/1/qualifiedName", "duplicate_symbol/symbols/2", "unknown_edge_reference/edges/1/target", "invalid_name/edges/2/edgeType"}, told)
	require.Len(t, g.Symbols, 4, "the graph itself is not changed")

	// The sample of the paper's appendix, whose JSON has members that the
	// profile cannot carry.
	sample := mustParse(t, `{"tool":"context_for_task","tokens_used":1847,"token_budget":5000,"symbols":[
		{"qualified_name":"mcp.requireHash","kind":"function","score":0.78,"signature":"func requireHash()","provenance":"lsp_resolved","distance":0,"components":{"recency":0.06}},
		{"qualified_name":"mcp.NewServer","kind":"function","score":0.54,"provenance":"lsp_resolved","distance":1}],
		"edges":[{"source":"mcp.NewServer","target":"mcp.requireHash","edge_type":"calls"}]}`)
	_, err = gcf.GraphCodec{}.AppendEncode(nil, sample)
	requireCode(t, err, "unsupported_member")
	require.Equal(t, "/symbols/0/signature", err.(*wire.Error).Path())
	told = nil
	doc = codectest.Encoded(t, codec, sample)
	require.Equal(t, graphHeader+" tool=context_for_task budget=5000 tokens=1847 symbols=2 edges=1\n## targets\n@0 fn mcp.requireHash 0.78 lsp_resolved\n## related\n@1 fn mcp.NewServer 0.54 lsp_resolved\n## edges [1]\n@0<@1 calls\n", string(doc))
	require.Equal(t, []string{"unsupported_member/signature", "unsupported_member/components"}, told)
}

func TestGraphValueErrors(t *testing.T) {
	for _, c := range []struct{ name, json, code, path string }{
		{"not an object", `[]`, "not_a_graph", ""},
		{"no symbols", `{}`, "missing_member", "/symbols"},
		{"symbols not an array", `{"symbols":{}}`, "not_a_graph", "/symbols"},
		{"a symbol not an object", `{"symbols":[1]}`, "not_a_graph", "/symbols/0"},
		{"no kind", `{"symbols":[{"qualifiedName":"a","provenance":"p"}]}`, "missing_member", "/symbols/0/kind"},
		{"a name that is null", `{"symbols":[{"qualifiedName":null,"kind":"k","provenance":"p"}]}`, "invalid_name", "/symbols/0/qualifiedName"},
		{"a distance that is no integer", `{"symbols":[{"qualifiedName":"a","kind":"k","provenance":"p","distance":0.5}]}`, "not_a_graph", "/symbols/0/distance"},
		{"a score that is a string", `{"symbols":[{"qualifiedName":"a","kind":"k","provenance":"p","score":"1"}]}`, "not_a_graph", "/symbols/0/score"},
		{"a score beyond doubles", `{"symbols":[{"qualifiedName":"a","kind":"k","provenance":"p","score":1e999}]}`, "invalid_score", "/symbols/0/score"},
		{"a member of no meaning", `{"symbols":[],"more":1}`, "unsupported_member", "/more"},
		{"a member under two names", `{"symbols":[],"packRoot":"a","pack_root":"b"}`, "duplicate_key", "/pack_root"},
		{"an empty key", `{"symbols":[],"":1}`, "unsupported_member", "/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := gcf.GraphCodec{}.AppendEncode([]byte("kept"), mustParse(t, c.json))
			requireCode(t, err, c.code)
			require.Equal(t, c.path, err.(*wire.Error).Path())
			require.Equal(t, "kept", string(got))
		})
	}
	doc := codectest.Encoded(t, gcf.GraphCodec{}, mustParse(t, `{"symbols":[{"qualifiedName":"a","kind":"k","provenance":"p","score":null}],"edges":null,"tool":null}`))
	require.Equal(t, graphHeader+" symbols=1\n## targets\n@0 k a 0.00 p\n", string(doc))
}

func TestGraphInfo(t *testing.T) {
	info := gcf.GraphCodec{}.Info()
	require.Equal(t, "gcf-graph", info.Name)
	require.NotEmpty(t, info.Accepts)
	require.True(t, gcf.GraphCodec{}.Sniff([]byte("GCF profile=graph tool=x\n## tar")))
	require.False(t, gcf.GraphCodec{}.Sniff([]byte("GCF profile=generic\n")))
	require.False(t, gcf.GraphCodec{}.Sniff([]byte(`{"a":1}`)))
}

// Scores are rounded half to even from the exact double, as %.2f does.
func TestScores(t *testing.T) {
	scores := []float64{0, 0.125, 0.375, 0.625, 0.875, 0.005, 0.015, 0.025, 1.005, 2.675, 0.785, 0.78, 99.995, 0.994999, 1e-300, 5e-324,
		1<<41 - 0.5, 1 << 41, 1<<53 + 2, 1e17, 1e21, 1.7976931348623157e308, math.Copysign(0, -1), -0.001, -0.125, -7.005, 0.5, 123456.785}
	r := rand.New(rand.NewPCG(7, 7))
	for range 20_000 {
		scores = append(scores, r.Float64(), float64(r.IntN(1e6))/1000, math.Float64frombits(r.Uint64()), float64(r.IntN(1000))/8)
	}
	for _, score := range scores {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			continue
		}
		doc, err := gcf.Encode(&gcf.Graph{Symbols: []gcf.Symbol{fn("a", score, 0)}})
		require.NoError(t, err)
		want := fmt.Sprintf("%.2f", score)
		if got := string(doc[len(graphHeader+" symbols=1\n## targets\n@0 fn a ") : len(doc)-len(" lsp\n")]); got != want {
			t.Fatalf("%v is written as %s, not %s", score, got, want)
		}
		back, err := gcf.Decode(doc)
		require.NoError(t, err)
		var parsed float64
		_, err = fmt.Sscan(want, &parsed)
		require.NoError(t, err)
		if parsed != back.Symbols[0].Score {
			t.Fatalf("%s is read as %v", want, back.Symbols[0].Score)
		}
	}
}

// The decoded graph shares no memory with the document.
func TestGraphIsIndependent(t *testing.T) {
	g := sampleGraph(50, 50)
	doc, err := gcf.Encode(g)
	require.NoError(t, err)
	back, err := gcf.Decode(doc)
	require.NoError(t, err)
	kept, err := gcf.Encode(back)
	require.NoError(t, err)
	for i := range doc {
		doc[i] = 'x'
	}
	again, err := gcf.Encode(back)
	require.NoError(t, err)
	require.Equal(t, string(kept), string(again))
}

func TestGraphLimits(t *testing.T) {
	doc, err := gcf.Encode(sampleGraph(30, 30))
	require.NoError(t, err)
	for _, c := range []struct {
		code   string
		limits wire.Limits
	}{
		{"input_too_long", wire.Limits{InputBytes: 100}},
		{"line_too_long", wire.Limits{LineBytes: 60}},
		{"too_many_values", wire.Limits{Values: 40}},
	} {
		_, err := gcf.GraphCodec{Limits: c.limits}.DecodeGraph(doc)
		requireCode(t, err, c.code)
		require.ErrorIs(t, err, wire.ErrLimit)
	}
}

// A document cut anywhere is refused: its header says what must be there.
func TestGraphTruncation(t *testing.T) {
	doc, err := gcf.Encode(sampleGraph(20, 20))
	require.NoError(t, err)
	whole, err := gcf.Decode(doc)
	require.NoError(t, err)
	for n := range doc {
		got, err := gcf.Decode(doc[:n])
		if n == len(doc)-1 { // only the last line end is missing
			require.NoError(t, err)
			require.Equal(t, whole, got)
			continue
		}
		streamed, streamErr := readGraphStream(bytes.NewReader(doc[:n]))
		require.Equal(t, err == nil, streamErr == nil)
		if err == nil {
			// A cut inside the last word, or after the header's first number.
			require.Equal(t, got, streamed)
			require.True(t, n > len(doc)-12 || len(got.Symbols) == 0, "%s", doc[:n])
		}
	}
}

func TestGraphStreamRefuses(t *testing.T) {
	for _, c := range []struct {
		name, code string
		write      func(e *gcf.StreamEncoder) error
	}{
		{"a symbol behind edges", "symbol_after_edges", func(e *gcf.StreamEncoder) error {
			edge := calls("a", "a")
			if err := e.Edge(&edge); err != nil {
				return err
			}
			s := fn("b", 1, 0)
			return e.Symbol(&s)
		}},
		{"a symbol twice", "duplicate_symbol", func(e *gcf.StreamEncoder) error { s := fn("a", 1, 3); return e.Symbol(&s) }},
		{"a name with a space", "invalid_name", func(e *gcf.StreamEncoder) error { s := fn("a b", 1, 3); return e.Symbol(&s) }},
		{"an edge to nowhere", "unknown_edge_reference", func(e *gcf.StreamEncoder) error { edge := calls("a", "b"); return e.Edge(&edge) }},
		{"a symbol behind the end", "closed", func(e *gcf.StreamEncoder) error {
			if err := e.Close(); err != nil {
				return err
			}
			s := fn("b", 1, 0)
			return e.Symbol(&s)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var buf bytes.Buffer
			e := gcf.GraphCodec{}.NewStreamEncoder(&buf, gcf.Graph{})
			s := fn("a", 1, 0)
			require.NoError(t, e.Symbol(&s))
			err := c.write(e)
			requireCode(t, err, c.code)
			length := buf.Len()
			require.Equal(t, err, e.Close())
			require.Equal(t, length, buf.Len(), "nothing is written after an error")
		})
	}
	e := gcf.GraphCodec{}.NewStreamEncoder(io.Discard, gcf.Graph{Tool: "a b"})
	requireCode(t, e.Close(), "invalid_header_value")
	var buf bytes.Buffer
	e = gcf.GraphCodec{LabeledCounts: true}.NewStreamEncoder(&buf, gcf.Graph{Tool: "t", TokenBudget: 1, TokensUsed: 2, PackRoot: "r"})
	require.NoError(t, e.Close())
	require.NoError(t, e.Close())
	require.Equal(t, graphHeader+" tool=t budget=1 tokens=2 pack_root=r\n##! summary symbols=0 edges=0 counts=edges:0\n", buf.String())
	requireCode(t, e.Edge(&gcf.Edge{}), "closed")
}

func TestGraphStreamLong(t *testing.T) {
	g := sampleGraph(5000, 8000)
	doc, err := gcf.Encode(g)
	require.NoError(t, err)
	want, err := gcf.Decode(doc)
	require.NoError(t, err)
	for name, reader := range readers {
		got, err := readGraphStream(reader(bytes.NewReader(doc)))
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	var buf bytes.Buffer
	e := gcf.GraphCodec{}.NewStreamEncoder(&buf, gcf.Graph{})
	for i := range want.Symbols {
		require.NoError(t, e.Symbol(&want.Symbols[i]))
	}
	for i := range want.Edges {
		require.NoError(t, e.Edge(&want.Edges[i]))
	}
	require.NoError(t, e.Close())
	streamed, err := gcf.Decode(buf.Bytes())
	require.NoError(t, err)
	require.Equal(t, want.Symbols, streamed.Symbols)
	require.Equal(t, want.Edges, streamed.Edges)
}

// Documents that could make a decoder slow: the time must grow as they do.
var hostileGraphs = []struct {
	name string
	line func(i int) string
}{
	{"symbols of one name", func(i int) string { return fmt.Sprintf("@%d k%d same 0.00 p\n", i, i) }},
	{"kinds of names", func(i int) string { return fmt.Sprintf("@%d k%d n%d 0.00 p\n", i, i%5, i/5) }},
	{"ids from above", func(i int) string { return fmt.Sprintf("@%d k n%d 0.00 p\n", 10_000_000-i, i) }},
	{"many groups", func(i int) string { return fmt.Sprintf("## distance_%d\n@%d k n%d 0.00 p\n", i, i, i) }},
}

func BenchmarkGraphHostile(b *testing.B) {
	for _, c := range hostileGraphs {
		for _, n := range []int{10_000, 100_000} {
			doc := []byte(graphHeader + "\n## targets\n")
			for i := range n {
				doc = append(doc, c.line(i)...)
			}
			b.Run(fmt.Sprint(c.name, "/", n), func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				for b.Loop() {
					g, err := gcf.Decode(doc)
					if err == nil {
						_, err = gcf.PackRoot(g)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func TestGraphHostile(t *testing.T) {
	for _, c := range hostileGraphs {
		t.Run(c.name, func(t *testing.T) {
			doc := []byte(graphHeader + "\n## targets\n")
			for i := range 20_000 {
				doc = append(doc, c.line(i)...)
			}
			g, err := gcf.Decode(doc)
			require.NoError(t, err)
			require.Len(t, g.Symbols, 20_000)
			again, err := gcf.Encode(g)
			require.NoError(t, err)
			back, err := gcf.Decode(again)
			require.NoError(t, err)
			require.Len(t, back.Symbols, 20_000)
		})
	}
}

// The codec's methods may run at the same time.
func TestGraphConcurrent(t *testing.T) {
	g := sampleGraph(100, 100)
	want, err := gcf.Encode(g)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				doc, err := gcf.Encode(g)
				if err != nil || !bytes.Equal(want, doc) {
					t.Error("different documents of one graph")
				}
				if _, err := gcf.Decode(doc); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
