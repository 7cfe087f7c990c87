//go:build upstream

package gcf_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// The fixtures of the graph profile, of sessions, deltas and pack roots.
func init() {
	for operation, run := range map[string]func(*testing.T, fixture){
		"session":               runSession,
		"pack-root":             runPackRoot,
		"generic-pack-root":     runGenericPackRoot,
		"generic-delta":         runGenericDelta,
		"generic-delta-verify":  runGenericDeltaVerify,
		"generic-delta-decode":  runGenericDeltaDecode,
		"generic-delta-session": runGenericDeltaSession,
		"delta":                 nil,
		"delta-verify":          nil,
		"graph-stream-encode":   nil,
	} {
		if run == nil {
			run = func(t *testing.T, _ fixture) { t.Fatal("a fixture of the graph profile that was not recognised") }
		}
		fixtureRunners[operation] = run
	}
	graphRunners["encode"] = runGraphEncode
	graphRunners["decode"] = runGraphDecode
	graphRunners["error"] = runGraphError
	graphRunners["delta"] = runDelta
	graphRunners["delta-verify"] = runDeltaVerify
	graphRunners["graph-stream-encode"] = runGraphStreamEncode
}

// goGraph reads a graph of the fixtures' shape.
func goGraph(t *testing.T, v wire.Value) *gcf.Graph {
	var g gcf.Graph
	require.NoError(t, wire.ToGo(v, &g))
	return &g
}

func runGraphEncode(t *testing.T, f fixture) {
	input := f.value(t, "input")
	got := codectest.Encoded(t, gcf.GraphCodec{}, input)
	require.Equal(t, f.text("expected"), string(got))
	typed, err := gcf.Encode(goGraph(t, input))
	require.NoError(t, err)
	require.Equal(t, string(got), string(typed))
	back, err := gcf.Decode(got)
	require.NoError(t, err)
	again, err := gcf.Encode(back)
	require.NoError(t, err)
	require.Equal(t, string(got), string(again))
}

// subset reports whether want's members are all in got.
func subset(want, got wire.Value) bool {
	switch want.Kind() {
	case wire.KindObject:
		for key, v := range want.Members() {
			w, ok := got.Get(key)
			if !ok || !subset(v, w) {
				return false
			}
		}
		return true
	case wire.KindArray:
		if want.Len() != got.Len() {
			return false
		}
		for i := range want.Len() {
			if !subset(want.Index(i), got.Index(i)) {
				return false
			}
		}
		return true
	}
	return wire.Equal(want, got)
}

func runGraphDecode(t *testing.T, f fixture) {
	input := []byte(f.text("input"))
	got := codectest.Decoded(t, gcf.GraphCodec{}, input)
	want := f.value(t, "expected")
	require.True(t, subset(want, got), "want %v\ngot  %v", want, got)
	streamed, err := readGraphStream(bytes.NewReader(input))
	require.NoError(t, err)
	typed, err := gcf.Decode(input)
	require.NoError(t, err)
	require.Equal(t, typed, streamed)
}

func runGraphError(t *testing.T, f fixture) {
	input := []byte(f.text("input"))
	var e *wire.Error
	_, err := gcf.GraphCodec{}.Decode(input)
	require.ErrorAs(t, err, &e)
	require.Equal(t, f.text("expectedError"), e.Code)
	_, err = gcf.Codec{}.Decode(input)
	require.ErrorAs(t, err, &e)
	require.Equal(t, f.text("expectedError"), e.Code)
	_, err = readGraphStream(bytes.NewReader(input))
	require.ErrorAs(t, err, &e)
	if f.text("expectedError") != "malformed_delta" { // which a stream refuses by its header
		require.Equal(t, f.text("expectedError"), e.Code)
	}
}

func runSession(t *testing.T, f fixture) {
	var session gcf.Session
	var decoder gcf.SessionDecoder
	for call := range f.value(t, "calls").Elements() {
		c := fixture{call}
		g := goGraph(t, c.value(t, "input"))
		got, err := gcf.EncodeWithSession(g, &session)
		require.NoError(t, err)
		require.Equal(t, c.text("expected"), string(got))
		back, err := decoder.Decode(got)
		require.NoError(t, err)
		require.ElementsMatch(t, g.Symbols, back.Symbols)
		require.ElementsMatch(t, g.Edges, back.Edges)
	}
}

func runPackRoot(t *testing.T, f fixture) {
	root, err := gcf.PackRoot(goGraph(t, f.value(t, "input")))
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runDelta(t *testing.T, f fixture) {
	input := f.value(t, "input")
	if input.Kind() == wire.KindObject {
		var d gcf.Delta
		require.NoError(t, wire.ToGo(input, &d))
		got, err := gcf.EncodeDelta(&d)
		require.NoError(t, err)
		require.Equal(t, f.text("expected"), string(got))
		_, err = gcf.DecodeDelta(got)
		require.NoError(t, err)
		return
	}
	d, err := gcf.DecodeDelta([]byte(input.Text()))
	require.NoError(t, err)
	base, want := goGraph(t, f.value(t, "base_snapshot")), goGraph(t, f.value(t, "expected_snapshot"))
	got, err := gcf.ApplyDelta(base, d)
	require.NoError(t, err)
	require.Equal(t, f.text("base_root"), d.BaseRoot)
	require.Equal(t, f.text("new_root"), got.PackRoot)
	require.Equal(t, want.Symbols, got.Symbols)
	require.Equal(t, want.Edges, got.Edges)
	diff, err := gcf.DiffGraphs(base, want)
	require.NoError(t, err)
	require.Equal(t, d.Removed, diff.Removed)
	require.Equal(t, d.Added, diff.Added)
	require.Equal(t, d.RemovedEdges, diff.RemovedEdges)
	require.Equal(t, d.AddedEdges, diff.AddedEdges)
}

func runDeltaVerify(t *testing.T, f fixture) {
	d, err := gcf.DecodeDelta([]byte(f.text("input")))
	require.NoError(t, err)
	_, err = gcf.ApplyDelta(goGraph(t, f.value(t, "base_snapshot")), d)
	e := codectest.Error(t, err)
	require.Equal(t, f.text("expectedError"), e.Code)
}

func runGraphStreamEncode(t *testing.T, f fixture) {
	g := goGraph(t, f.value(t, "input"))
	labeled := false
	if options, ok := f.Get("options"); ok {
		labeled = member(options, "labeledTrailerCounts").Bool()
	}
	var buf bytes.Buffer
	e := gcf.GraphCodec{LabeledCounts: labeled}.NewStreamEncoder(&buf, gcf.Graph{Tool: g.Tool, TokenBudget: g.TokenBudget})
	for i := range g.Symbols {
		require.NoError(t, e.Symbol(&g.Symbols[i]))
	}
	for i := range g.Edges {
		require.NoError(t, e.Edge(&g.Edges[i]))
	}
	require.NoError(t, e.Close())
	require.Equal(t, f.text("expected"), buf.String())
	back, err := readGraphStream(&buf)
	require.NoError(t, err)
	require.Equal(t, g.Symbols, back.Symbols)
	require.ElementsMatch(t, g.Edges, back.Edges)
}
