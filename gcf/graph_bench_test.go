package gcf_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/goccy/go-json"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// sampleGraph returns a graph as code intelligence gives it: symbols in the
// order in which they were found, edges in any order.
func sampleGraph(symbols, edges int) *gcf.Graph {
	r := rand.New(rand.NewPCG(1, uint64(symbols)))
	kinds := []string{"function", "type", "method", "interface", "var", "const", "class", "field"}
	types := []string{"calls", "references", "imports", "implements"}
	g := &gcf.Graph{Tool: "context_for_task", TokenBudget: 5000, TokensUsed: 1847}
	for i := range symbols {
		g.Symbols = append(g.Symbols, gcf.Symbol{
			QualifiedName: fmt.Sprintf("github.com/example/service/internal/pkg%d/mod%d.Symbol%d", r.IntN(40), r.IntN(200), i),
			Kind:          kinds[r.IntN(len(kinds))],
			Score:         float64(r.IntN(1000)) / 1000,
			Provenance:    []string{"lsp_resolved", "ast_inferred", "structural"}[r.IntN(3)],
			Distance:      min(r.IntN(6), 4),
		})
	}
	for range edges {
		g.Edges = append(g.Edges, gcf.Edge{
			Source:   g.Symbols[r.IntN(symbols)].QualifiedName,
			Target:   g.Symbols[r.IntN(symbols)].QualifiedName,
			EdgeType: types[r.IntN(len(types))],
		})
	}
	return g
}

var benchGraphs = []struct {
	name           string
	symbols, edges int
}{{"500-200", 500, 200}, {"10k-20k", 10_000, 20_000}}

// forGraphs runs a benchmark for each graph; MB/s are relative to the graph's
// compact JSON.
func forGraphs(b *testing.B, run func(b *testing.B, g *gcf.Graph, doc, text []byte)) {
	for _, c := range benchGraphs {
		g := sampleGraph(c.symbols, c.edges)
		doc, err := gcf.Encode(g)
		if err != nil {
			b.Fatal(err)
		}
		text, err := json.Marshal(g)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			run(b, g, doc, text)
		})
	}
}

func BenchmarkGraphEncode(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, doc, _ []byte) {
		dst := make([]byte, 0, 2*len(doc))
		for b.Loop() {
			if _, err := (gcf.GraphCodec{}).AppendGraph(dst, g); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGraphEncodeGoccy(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, _, _ []byte) {
		for b.Loop() {
			if _, err := json.Marshal(g); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGraphDecode(b *testing.B) {
	forGraphs(b, func(b *testing.B, _ *gcf.Graph, doc, _ []byte) {
		for b.Loop() {
			if _, err := gcf.Decode(doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGraphDecodeGoccy(b *testing.B) {
	forGraphs(b, func(b *testing.B, _ *gcf.Graph, _, text []byte) {
		for b.Loop() {
			var g gcf.Graph
			if err := json.Unmarshal(text, &g); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGraphDecodeValue(b *testing.B) {
	forGraphs(b, func(b *testing.B, _ *gcf.Graph, doc, _ []byte) {
		for b.Loop() {
			if _, err := (gcf.GraphCodec{}).Decode(doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGraphEncodeValue(b *testing.B) {
	forGraphs(b, func(b *testing.B, _ *gcf.Graph, doc, text []byte) {
		v, err := wire.ParseJSON(text)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]byte, 0, 2*len(doc))
		for b.Loop() {
			if _, err := (gcf.GraphCodec{}).AppendEncode(dst, v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSessionEncode encodes a graph whose symbols are all known.
func BenchmarkSessionEncode(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, doc, _ []byte) {
		var s gcf.Session
		dst := make([]byte, 0, 2*len(doc))
		if _, err := (gcf.GraphCodec{}).AppendWithSession(dst, g, &s); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := (gcf.GraphCodec{}).AppendWithSession(dst, g, &s); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSessionFirst encodes a graph as the first of its session.
func BenchmarkSessionFirst(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, doc, _ []byte) {
		dst := make([]byte, 0, 2*len(doc))
		for b.Loop() {
			var s gcf.Session
			if _, err := (gcf.GraphCodec{}).AppendWithSession(dst, g, &s); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSessionDecode(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, _, _ []byte) {
		var s gcf.Session
		var d gcf.SessionDecoder
		for range 2 {
			doc, err := gcf.EncodeWithSession(g, &s)
			if err == nil {
				_, err = d.Decode(doc)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		doc, err := gcf.EncodeWithSession(g, &s)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := d.Decode(doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPackRoot(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, _, _ []byte) {
		for b.Loop() {
			if _, err := gcf.PackRoot(g); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGraphStreamEncode(b *testing.B) {
	forGraphs(b, func(b *testing.B, g *gcf.Graph, _, _ []byte) {
		for b.Loop() {
			e := gcf.GraphCodec{}.NewStreamEncoder(io.Discard, gcf.StreamHeader{})
			for i := range g.Symbols {
				if err := e.Symbol(&g.Symbols[i]); err != nil {
					b.Fatal(err)
				}
			}
			for i := range g.Edges {
				if err := e.Edge(&g.Edges[i]); err != nil {
					b.Fatal(err)
				}
			}
			if err := e.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
