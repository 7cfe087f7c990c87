package gcf_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
)

// converse sends g through a session and returns the payload. What comes out is
// g in the order of the wire.
func converse(t *testing.T, s *gcf.Session, d *gcf.SessionDecoder, g *gcf.Graph) string {
	t.Helper()
	doc, err := gcf.EncodeWithSession(g, s)
	require.NoError(t, err)
	got, err := d.Decode(doc)
	require.NoError(t, err, "%s", doc)
	plain, err := gcf.Encode(g)
	require.NoError(t, err)
	want, err := gcf.Decode(plain)
	require.NoError(t, err)
	require.Equal(t, want.Symbols, got.Symbols)
	require.ElementsMatch(t, want.Edges, got.Edges) // edges are sorted by ids
	return string(doc)
}

func graphOf(symbols ...gcf.Symbol) *gcf.Graph { return &gcf.Graph{Symbols: symbols} }

func TestSession(t *testing.T) {
	var s gcf.Session
	var d gcf.SessionDecoder
	require.Equal(t, graphHeader+" symbols=2 session=true\n## targets\n@0 fn a 0.90 lsp\n## related\n@1 fn b 0.70 lsp\n",
		converse(t, &s, &d, graphOf(fn("b", 0.7, 1), fn("a", 0.9, 0))))
	require.Equal(t, graphHeader+" symbols=2 edges=2 session=true\n## targets\n@1  # previously transmitted\n@2 fn c 0.60 lsp\n## edges [2]\n@2<@1 calls\n@1<@2 calls\n",
		converse(t, &s, &d, &gcf.Graph{Symbols: []gcf.Symbol{fn("c", 0.6, 0), fn("b", 0.7, 0)}, Edges: []gcf.Edge{calls("c", "b"), calls("b", "c")}}))
	// A score that the wire rounds to the same is not a change; others are.
	require.Equal(t, graphHeader+" symbols=3 session=true\n## targets\n@0  # previously transmitted\n@2 fn c 0.61 lsp\n## extended\n@1 fn b 0.70 ast\n",
		converse(t, &s, &d, graphOf(fn("a", 0.9000001, 0), fn("c", 0.61, 0), gcf.Symbol{QualifiedName: "b", Kind: "fn", Score: 0.7, Provenance: "ast", Distance: 2})))
	require.Equal(t, graphHeader+" symbols=2 session=true\n## targets\n@1  # previously transmitted\n@2  # previously transmitted\n",
		converse(t, &s, &d, graphOf(gcf.Symbol{QualifiedName: "b", Kind: "function", Score: 0.7, Provenance: "ast"}, fn("c", 0.61, 0))))
	// A type of the same name is another symbol.
	require.Equal(t, graphHeader+" symbols=2 edges=1 session=true\n## targets\n@3 type a 1.00 lsp\n@0  # previously transmitted\n## edges [1]\n@0<@3 has\n",
		converse(t, &s, &d, &gcf.Graph{Symbols: []gcf.Symbol{fn("a", 0.9, 0), {QualifiedName: "a", Kind: "type", Score: 1, Provenance: "lsp"}},
			Edges: []gcf.Edge{{Source: "a", SourceKind: "type", Target: "a", TargetKind: "function", Type: "has"}}}))
	require.Equal(t, 4, s.Len())
}

func TestSessionUndelivered(t *testing.T) {
	var s gcf.Session
	var d gcf.SessionDecoder
	converse(t, &s, &d, graphOf(fn("a", 1, 0)))
	lost, err := gcf.EncodeWithSession(graphOf(fn("a", 1, 0), fn("b", 1, 0)), &s)
	require.NoError(t, err)
	require.Contains(t, string(lost), "@1 fn b")
	s.Undelivered()
	require.Equal(t, graphHeader+" symbols=2 session=true\n## targets\n@0  # previously transmitted\n@1 fn b 1.00 lsp\n",
		converse(t, &s, &d, graphOf(fn("a", 1, 0), fn("b", 1, 0))))
	// It did arrive after all: a declaration may come twice.
	s.Undelivered()
	converse(t, &s, &d, graphOf(fn("b", 1, 0)))
	require.Contains(t, converse(t, &s, &d, graphOf(fn("b", 1, 0))), "@1  # previously transmitted")
}

func TestSessionErrorChangesNothing(t *testing.T) {
	var s gcf.Session
	var d gcf.SessionDecoder
	converse(t, &s, &d, graphOf(fn("a", 1, 0)))
	_, err := gcf.EncodeWithSession(&gcf.Graph{Symbols: []gcf.Symbol{fn("b", 1, 0)}, Edges: []gcf.Edge{calls("b", "x")}}, &s)
	requireCode(t, err, "unknown_edge_reference")
	require.Equal(t, 1, s.Len())
	for _, c := range []struct{ name, body, code string }{
		{"an unknown reference", "## targets\n@1 fn b 1.00 lsp\n@2  # previously transmitted\n", "unresolved_reference"},
		{"an id of another symbol", "## targets\n@0 fn b 1.00 lsp\n", "session_id_conflict"},
		{"another id of a symbol", "## targets\n@5 fn a 1.00 lsp\n", "session_id_conflict"},
		{"a reference twice", "## targets\n@0 # previously transmitted\n@0  # previously transmitted\n", "duplicate_symbol_id"},
		{"an edge to a symbol that the payload does not name", "## targets\n@1 fn b 1.00 lsp\n## edges\n@0<@1 calls\n", "unknown_edge_reference"},
		{"a wrong count behind a declaration", "## targets [2]\n@1 fn b 1.00 lsp\n", "count_mismatch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := d.Decode([]byte(graphHeader + " session=true\n" + c.body))
			requireCode(t, err, c.code)
		})
	}
	require.Contains(t, converse(t, &s, &d, graphOf(fn("a", 1, 0), fn("b", 1, 0))), "@1 fn b")
}

// At a limit both sides begin anew.
func TestSessionLimits(t *testing.T) {
	s := gcf.Session{MaxSymbols: 5}
	d := gcf.SessionDecoder{MaxSymbols: 5}
	for i := range 20 {
		doc := converse(t, &s, &d, graphOf(fn(fmt.Sprint("a", i), 1, 0), fn(fmt.Sprint("b", i/7), 1, 0)))
		require.LessOrEqual(t, s.Len(), 5)
		if s.Len() == 0 {
			require.NotContains(t, doc, "session=true")
		}
	}
	big := &gcf.Graph{Symbols: sampleGraph(50, 0).Symbols}
	for range 3 {
		require.NotContains(t, converse(t, &s, &d, big), "session=true")
	}
	s = gcf.Session{MaxBytes: 100}
	d = gcf.SessionDecoder{}
	for i := range 20 {
		name := fmt.Sprintf("%040d", i)
		converse(t, &s, &d, graphOf(fn(name, 1, 0)))
		require.LessOrEqual(t, s.Len(), 2)
	}
	_, err := (&gcf.SessionDecoder{MaxSymbols: 1}).Decode([]byte(graphHeader + " session=true\n## targets\n@0 fn a 1.00 p\n@1 fn b 1.00 p\n"))
	requireCode(t, err, "session_too_large")
	// A symbol that changes all the time does not grow the session.
	s = gcf.Session{MaxBytes: 1000}
	d = gcf.SessionDecoder{}
	plain := 0
	for i := range 300 {
		doc := converse(t, &s, &d, graphOf(gcf.Symbol{QualifiedName: "a", Kind: "function", Provenance: fmt.Sprint("p", i)}))
		if s.Len() == 0 {
			plain++
			require.NotContains(t, doc, "session=true")
		}
	}
	require.Greater(t, plain, 0)
}

func TestSessionReset(t *testing.T) {
	var s gcf.Session
	var d gcf.SessionDecoder
	converse(t, &s, &d, graphOf(fn("a", 1, 0)))
	s.Reset()
	d.Reset()
	require.Contains(t, converse(t, &s, &d, graphOf(fn("b", 1, 0))), "@0 fn b")
}

func TestSessionConcurrent(t *testing.T) {
	var s gcf.Session
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 50 {
				if _, err := gcf.EncodeWithSession(graphOf(fn(fmt.Sprint("shared", i), 1, 0), fn(fmt.Sprintf("%d-%d", worker, i), 1, 0)), &s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, 50+4*50, s.Len())
}
