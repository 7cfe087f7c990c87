package gcf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func addGraphs(f *testing.F) {
	for _, c := range graphVectors {
		f.Add([]byte(graphHeader + c.doc))
	}
	for _, c := range graphDocuments {
		f.Add([]byte(graphHeader + c.doc))
	}
	for _, c := range graphErrors {
		f.Add([]byte(graphHeader + c.doc))
	}
	for _, c := range deltaDocuments {
		f.Add([]byte(graphHeader + " delta=true base_root=a new_root=b\n" + c.doc))
	}
}

// FuzzGraphDecode reads arbitrary bytes as a graph, whole and as a stream. What
// is read must encode, and come back the same from its own document.
func FuzzGraphDecode(f *testing.F) {
	addGraphs(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		g, err := gcf.Decode(src)
		streamed, streamErr := readGraphStream(bytes.NewReader(src))
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("whole: %v, as a stream: %v", err, streamErr)
		}
		if _, deltaErr := gcf.DecodeDelta(src); deltaErr == nil && err == nil {
			t.Fatal("both a graph and a delta")
		}
		if err != nil {
			var e *wire.Error
			if !errors.As(err, &e) || e.Code == "" || e.Kind == nil || e.Line == 0 || g != nil {
				t.Fatalf("poor error %#v with graph %v", err, g)
			}
			return
		}
		require.Equal(t, g, streamed)
		doc, err := gcf.Encode(g)
		if err != nil {
			// What only a header of another program can hold.
			requireCode(t, err, "invalid_header_value")
			return
		}
		back, err := gcf.Decode(doc)
		require.NoError(t, err, "%s", doc)
		again, err := gcf.Encode(back)
		require.NoError(t, err)
		require.Equal(t, string(doc), string(again))
		root, err := gcf.PackRoot(g)
		require.NoError(t, err)
		same, err := gcf.PackRoot(back)
		require.NoError(t, err)
		require.Equal(t, root, same)
	})
}

// FuzzGraphEncode makes a graph of arbitrary words. What encodes must come back.
func FuzzGraphEncode(f *testing.F) {
	f.Add("a b", "fn", "p", 0.785, 0, "calls", "added")
	f.Add("#", "##", "@0", -0.125, 3, "# x", "unchanged")
	f.Add("\u00a0", "\u2028", "\xff", 1e300, -1, "", "a\nb")
	f.Fuzz(func(t *testing.T, name, kind, provenance string, score float64, distance int, edgeType, status string) {
		g := &gcf.Graph{Tool: kind, PackRoot: provenance,
			Symbols: []gcf.Symbol{{QualifiedName: name, Kind: kind, Score: score, Provenance: provenance, Distance: distance}, fn("other", score/2, distance/2)},
			Edges:   []gcf.Edge{{Source: name, SourceKind: kind, Target: "other", TargetKind: "fn", Type: edgeType, Status: status}},
		}
		doc, err := gcf.Encode(g)
		var s gcf.Session
		session, sessionErr := gcf.EncodeWithSession(g, &s)
		if (err == nil) != (sessionErr == nil) {
			t.Fatalf("plain: %v, in a session: %v", err, sessionErr)
		}
		if err != nil {
			return
		}
		back, err := gcf.Decode(doc)
		require.NoError(t, err, "%q", doc)
		require.Len(t, back.Symbols, 2)
		require.Equal(t, g.Tool, back.Tool)
		require.Equal(t, g.PackRoot, back.PackRoot)
		i := slices.IndexFunc(back.Symbols, func(s gcf.Symbol) bool { return s.QualifiedName == name && s.Provenance == provenance })
		require.GreaterOrEqual(t, i, 0)
		require.Equal(t, distance, back.Symbols[i].Distance)
		require.Equal(t, fmt.Sprintf("%.2f", score), fmt.Sprintf("%.2f", back.Symbols[i].Score))
		require.Equal(t, edgeType, back.Edges[0].Type)
		var d gcf.SessionDecoder
		inSession, err := d.Decode(session)
		require.NoError(t, err)
		require.Equal(t, back, inSession)
	})
}

// randomGraph returns a graph of few names, so that two of them share much.
func randomGraph(r *rand.Rand) *gcf.Graph {
	g := &gcf.Graph{Tool: "t"}
	kinds := []string{"function", "type", "fn", "widget"}
	seen := map[string]bool{}
	for range r.IntN(12) {
		s := gcf.Symbol{QualifiedName: fmt.Sprint("n", r.IntN(14)), Kind: kinds[r.IntN(len(kinds))], Score: float64(r.IntN(300)) / 200,
			Provenance: fmt.Sprint("p", r.IntN(2)), Distance: r.IntN(5)}
		if r.IntN(8) > 0 {
			s.Kind = "method" // mostly one kind a name, so that most edges are clear
		}
		key := strings.ReplaceAll(s.Kind, "function", "fn") + s.QualifiedName
		if !seen[key] {
			seen[key] = true
			g.Symbols = append(g.Symbols, s)
		}
	}
	for range r.IntN(14) {
		if len(g.Symbols) == 0 {
			break
		}
		s, u := g.Symbols[r.IntN(len(g.Symbols))], g.Symbols[r.IntN(len(g.Symbols))]
		e := gcf.Edge{Source: s.QualifiedName, Target: u.QualifiedName, Type: fmt.Sprint("t", r.IntN(3))}
		if r.IntN(10) == 0 {
			e.Status = "added"
		}
		if r.IntN(3) == 0 {
			e.SourceKind, e.TargetKind = s.Kind, u.Kind
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

// FuzzGraphPairs turns one graph into another by a delta: the result has the
// other's root. The same graphs through one session come out as they went in.
func FuzzGraphPairs(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		var s gcf.Session
		var d gcf.SessionDecoder
		if seed%3 == 0 {
			s.MaxSymbols = 10
		}
		var last *gcf.Graph
		for range 6 {
			g := randomGraph(r)
			doc, err := gcf.Encode(g)
			if err != nil {
				requireCode(t, err, "ambiguous_edge_reference")
				continue
			}
			plain, err := gcf.Decode(doc)
			require.NoError(t, err)
			payload, err := gcf.EncodeWithSession(g, &s)
			require.NoError(t, err)
			got, err := d.Decode(payload)
			require.NoError(t, err, "%s", payload)
			require.Equal(t, plain.Symbols, got.Symbols)
			require.ElementsMatch(t, plain.Edges, got.Edges)
			if root, err := gcf.PackRoot(g); err != nil || root != naiveRoot(plain) {
				t.Fatalf("%v: root %s, want %s", err, root, naiveRoot(plain))
			}
			if last != nil {
				requireDelta(t, last, g)
			}
			last = g
		}
	})
}

// requireDelta checks that the delta from base to next does what it should, or
// that there is none.
func requireDelta(t *testing.T, base, next *gcf.Graph) {
	delta, err := gcf.DiffGraphs(base, next)
	if err != nil {
		e := codectest.Error(t, err)
		require.Contains(t, []string{"ambiguous_edge_reference", "duplicate_edge", "unsupported_status", "malformed_delta"}, e.Code)
		return
	}
	doc, err := gcf.EncodeDelta(delta)
	require.NoError(t, err)
	read, err := gcf.DecodeDelta(doc)
	require.NoError(t, err, "%s", doc)
	got, err := gcf.ApplyDelta(base, read)
	require.NoError(t, err, "%s", doc)
	root, err := gcf.PackRoot(next)
	require.NoError(t, err)
	require.Equal(t, root, got.PackRoot)
	require.Len(t, got.Symbols, len(next.Symbols))
	require.Len(t, got.Edges, len(next.Edges))
}
