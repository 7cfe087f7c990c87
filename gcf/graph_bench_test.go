package gcf_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/goccy/go-json"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
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
			Source: g.Symbols[r.IntN(symbols)].QualifiedName,
			Target: g.Symbols[r.IntN(symbols)].QualifiedName,
			Type:   types[r.IntN(len(types))],
		})
	}
	return g
}

var benchGraphs = []struct {
	name           string
	symbols, edges int
}{{"500-200", 500, 200}, {"10k-20k", 10_000, 20_000}}

// forGraphs measures what prepare makes of each graph; MB/s are relative to the
// graph's compact JSON. dst has room for twice its document.
func forGraphs(b *testing.B, prepare func(g *gcf.Graph, doc, text, dst []byte) func() error) {
	for _, c := range benchGraphs {
		g := sampleGraph(c.symbols, c.edges)
		doc, err := gcf.Encode(g)
		require.NoError(b, err)
		text, err := json.Marshal(g)
		require.NoError(b, err)
		codectest.Measure(b, c.name, len(text), prepare(g, doc, text, make([]byte, 0, 2*len(doc))))
	}
}

func BenchmarkGraphEncode(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, dst []byte) func() error {
		return func() error { return codectest.Err(gcf.GraphCodec{}.AppendGraph(dst, g)) }
	})
}

func BenchmarkGraphEncodeGoccy(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, _ []byte) func() error {
		return func() error { return codectest.Err(json.Marshal(g)) }
	})
}

func BenchmarkGraphDecode(b *testing.B) {
	forGraphs(b, func(_ *gcf.Graph, doc, _, _ []byte) func() error {
		return func() error { return codectest.Err(gcf.Decode(doc)) }
	})
}

func BenchmarkGraphDecodeGoccy(b *testing.B) {
	forGraphs(b, func(_ *gcf.Graph, _, text, _ []byte) func() error {
		return func() error { return json.Unmarshal(text, new(gcf.Graph)) }
	})
}

func BenchmarkGraphDecodeValue(b *testing.B) {
	forGraphs(b, func(_ *gcf.Graph, doc, _, _ []byte) func() error {
		return func() error { return codectest.Err(gcf.GraphCodec{}.Decode(doc)) }
	})
}

func BenchmarkGraphEncodeValue(b *testing.B) {
	forGraphs(b, func(_ *gcf.Graph, _, text, dst []byte) func() error {
		v := codectest.JSON(b, text)
		return func() error { return codectest.Err(gcf.GraphCodec{}.AppendEncode(dst, v)) }
	})
}

// BenchmarkSessionEncode encodes a graph whose symbols are all known.
func BenchmarkSessionEncode(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, dst []byte) func() error {
		var s gcf.Session
		encode := func() error { return codectest.Err(gcf.GraphCodec{}.AppendWithSession(dst, g, &s)) }
		require.NoError(b, encode())
		return encode
	})
}

// BenchmarkSessionFirst encodes a graph as the first of its session.
func BenchmarkSessionFirst(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, dst []byte) func() error {
		return func() error { return codectest.Err(gcf.GraphCodec{}.AppendWithSession(dst, g, new(gcf.Session))) }
	})
}

func BenchmarkSessionDecode(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, _ []byte) func() error {
		var s gcf.Session
		var d gcf.SessionDecoder
		var doc []byte
		decode := func() error { return codectest.Err(d.Decode(doc)) }
		for range 3 { // the third document has what the first two left
			var err error
			doc, err = gcf.EncodeWithSession(g, &s)
			require.NoError(b, err)
			require.NoError(b, decode())
		}
		return decode
	})
}

func BenchmarkPackRoot(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, _ []byte) func() error {
		return func() error { return codectest.Err(gcf.PackRoot(g)) }
	})
}

func BenchmarkGraphStreamEncode(b *testing.B) {
	forGraphs(b, func(g *gcf.Graph, _, _, _ []byte) func() error {
		return func() error {
			e := gcf.GraphCodec{}.NewStreamEncoder(io.Discard, gcf.Graph{})
			for i := range g.Symbols {
				if err := e.Symbol(&g.Symbols[i]); err != nil {
					return err
				}
			}
			for i := range g.Edges {
				if err := e.Edge(&g.Edges[i]); err != nil {
					return err
				}
			}
			return e.Close()
		}
	})
}
