package gcf_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// naiveRoot computes a graph's root as section 10.2 says it.
func naiveRoot(g *gcf.Graph) string {
	short := map[string]string{"function": "fn", "interface": "iface", "route_handler": "route", "external": "ext", "package": "pkg", "service": "svc"}
	abbreviated := func(kind string) string {
		if s, ok := short[kind]; ok {
			return s
		}
		return kind
	}
	kinds := map[string]string{}
	var symbols, edges []string
	for _, s := range g.Symbols {
		kinds[s.QualifiedName] = abbreviated(s.Kind)
		score := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", s.Score), "0"), ".")
		symbols = append(symbols, fmt.Sprintf("S\t%s\t%s\t%s\t%s\t%d\n", abbreviated(s.Kind), s.QualifiedName, score, s.Provenance, s.Distance))
	}
	kind := func(kind, name string) string {
		if kind != "" {
			return abbreviated(kind)
		}
		return kinds[name]
	}
	for _, e := range g.Edges {
		edges = append(edges, fmt.Sprintf("E\t%s\t%s\t%s\t%s\t%s\n", kind(e.SourceKind, e.Source), e.Source, kind(e.TargetKind, e.Target), e.Target, e.Type))
	}
	slices.Sort(symbols)
	slices.Sort(edges)
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(strings.Join(append(symbols, edges...), ""))))
}

// A consumer of what the wire carries computes the producer's root.
func TestPackRootOfTheWire(t *testing.T) {
	g := sampleGraph(300, 300) // with scores of three decimals
	root, err := gcf.PackRoot(g)
	require.NoError(t, err)
	doc, err := gcf.Encode(g)
	require.NoError(t, err)
	back, err := gcf.Decode(doc)
	require.NoError(t, err)
	again, err := gcf.PackRoot(back)
	require.NoError(t, err)
	require.Equal(t, root, again)
	for name, change := range map[string]func(*gcf.Graph){
		"score":      func(g *gcf.Graph) { g.Symbols[0].Score += 0.01 },
		"distance":   func(g *gcf.Graph) { g.Symbols[0].Distance++ },
		"provenance": func(g *gcf.Graph) { g.Symbols[0].Provenance += "x" },
		"an edge":    func(g *gcf.Graph) { g.Edges = g.Edges[1:] },
		"a type":     func(g *gcf.Graph) { g.Edges[0].Type += "x" },
	} {
		changed, err := gcf.Decode(doc)
		require.NoError(t, err)
		change(changed)
		other, err := gcf.PackRoot(changed)
		require.NoError(t, err)
		require.NotEqual(t, root, other, name)
	}
	back.Edges[0].Status = "added"
	again, err = gcf.PackRoot(back)
	require.NoError(t, err)
	require.Equal(t, root, again, "the status is not part of the root")
}

// Symbols of many kinds, names that begin alike and names that end early are in
// the order of their records' bytes.
func TestPackRootOrder(t *testing.T) {
	var symbols []gcf.Symbol
	var edges []gcf.Edge
	for i := range 200 {
		name := strings.Repeat("ab", i%7) + fmt.Sprint(i*7919%200)
		symbols = append(symbols, gcf.Symbol{QualifiedName: name, Kind: fmt.Sprint("kind", i%60), Provenance: "p", Score: float64(i) / 7})
		edges = append(edges, gcf.Edge{Source: name, SourceKind: fmt.Sprint("kind", i%60), Target: name, TargetKind: fmt.Sprint("kind", i%60), Type: fmt.Sprint("t", i%20)})
	}
	for _, n := range []int{10, 200} {
		root, err := gcf.PackRoot(&gcf.Graph{Symbols: symbols[:n], Edges: edges[:n]})
		require.NoError(t, err)
		require.Equal(t, naiveRoot(&gcf.Graph{Symbols: symbols[:n], Edges: edges[:n]}), root)
	}
	g := sampleGraph(500, 800)
	root, err := gcf.PackRoot(g)
	require.NoError(t, err)
	require.Equal(t, naiveRoot(g), root)
}

// TestFullScoreRoots: a root over all decimals of the scores verifies, as one
// over rounded scores does.
func TestFullScoreRoots(t *testing.T) {
	graph := func(score float64, names ...string) *gcf.Graph {
		g := &gcf.Graph{}
		for _, name := range names {
			g.Symbols = append(g.Symbols, gcf.Symbol{QualifiedName: name, Kind: "function", Score: score, Provenance: "x"})
		}
		return g
	}
	base, next := graph(0.785, "a", "b"), graph(0.785, "a")
	full, err := gcf.PackRootFullScores(base)
	require.NoError(t, err)
	rounded, err := gcf.PackRoot(base)
	require.NoError(t, err)
	require.NotEqual(t, full, rounded)
	same, err := gcf.PackRootFullScores(graph(0.5, "a"))
	require.NoError(t, err)
	of, err := gcf.PackRoot(graph(0.5, "a"))
	require.NoError(t, err)
	require.Equal(t, of, same, "two decimals need no rounding")

	d, err := gcf.DiffGraphs(base, next)
	require.NoError(t, err)
	d.BaseRoot = full
	d.NewRoot, err = gcf.PackRootFullScores(next)
	require.NoError(t, err)
	got, err := gcf.ApplyDelta(base, d)
	require.NoError(t, err)
	require.Len(t, got.Symbols, 1)

	d.NewRoot = full
	_, err = gcf.ApplyDelta(base, d)
	require.ErrorIs(t, err, wire.ErrChecksum)
	d.BaseRoot = d.NewRoot[:len(d.NewRoot)-1] + "0"
	_, err = gcf.ApplyDelta(graph(0.785, "c"), d)
	require.ErrorIs(t, err, wire.ErrChecksum)
}
