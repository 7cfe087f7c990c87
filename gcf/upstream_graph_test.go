//go:build upstream

package gcf_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
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
	got, err := gcf.GraphCodec{}.AppendEncode(nil, input)
	require.NoError(t, err)
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
	got, err := gcf.GraphCodec{}.Decode(input)
	require.NoError(t, err)
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
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, f.text("expectedError"), e.Code)
}

// stringsOf returns an array's strings.
func stringsOf(v wire.Value) []string {
	var out []string
	for e := range v.Elements() {
		out = append(out, e.Text())
	}
	return out
}

func valuesOf(v wire.Value) []wire.Value {
	var out []wire.Value
	for e := range v.Elements() {
		out = append(out, e)
	}
	return out
}

func member(v wire.Value, key string) wire.Value {
	m, _ := v.Get(key)
	return m
}

func goSet(v wire.Value) *gcf.Set {
	return &gcf.Set{Name: member(v, "name").Text(), Key: member(v, "key").Text(),
		Fields: stringsOf(member(v, "fields")), Rows: valuesOf(member(v, "rows"))}
}

func goGenericDelta(v wire.Value) *gcf.GenericDelta {
	number := func(key string) int {
		n, _ := member(v, key).Int64()
		return int(n)
	}
	return &gcf.GenericDelta{Tool: member(v, "tool").Text(), Key: member(v, "key").Text(),
		Fields: stringsOf(member(v, "fields")), BaseRoot: member(v, "baseRoot").Text(), NewRoot: member(v, "newRoot").Text(),
		Added: valuesOf(member(v, "added")), Changed: valuesOf(member(v, "changed")), Removed: valuesOf(member(v, "removed")),
		DeltaTokens: number("deltaTokens"), FullTokens: number("fullTokens")}
}

func runGenericPackRoot(t *testing.T, f fixture) {
	root, err := gcf.GenericPackRoot(goSet(f.value(t, "input")))
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runGenericDelta(t *testing.T, f fixture) {
	d := goGenericDelta(f.value(t, "input"))
	got, err := gcf.EncodeGenericDelta(d)
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), string(got))
	back, err := gcf.DecodeGenericDelta(got)
	require.NoError(t, err)
	again, err := gcf.EncodeGenericDelta(back)
	require.NoError(t, err)
	require.Equal(t, string(got), string(again))
}

func runGenericDeltaVerify(t *testing.T, f fixture) {
	input := f.value(t, "input")
	d := goGenericDelta(member(input, "delta"))
	d.NewRoot = member(input, "expectedNewRoot").Text()
	base := goSet(member(input, "base"))
	next, err := gcf.ApplyGenericDelta(base, d)
	f.outcome(t, next, err)
}

// outcome compares a new set, or an error, with what the fixture expects.
func (f fixture) outcome(t *testing.T, next *gcf.Set, err error) {
	if want := f.text("expectedError"); want != "" {
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, err.Error(), want)
		if !strings.Contains(want, " ") {
			require.Equal(t, want, e.Code)
		}
		return
	}
	require.NoError(t, err)
	root, err := gcf.GenericPackRoot(next)
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runGenericDeltaDecode(t *testing.T, f fixture) {
	input := f.value(t, "input")
	d, err := gcf.DecodeGenericDelta([]byte(member(input, "wire").Text()))
	if err != nil {
		f.outcome(t, nil, err)
		return
	}
	require.Equal(t, member(input, "expectedNewRoot").Text(), d.NewRoot)
	next, err := gcf.ApplyGenericDelta(goSet(member(input, "base")), d)
	f.outcome(t, next, err)
}

func runGenericDeltaSession(t *testing.T, f fixture) {
	input, want := f.value(t, "input"), f.value(t, "expected")
	var policy gcf.ReAnchor
	switch p := member(input, "policy"); member(p, "mode").Text() {
	case "fixedN":
		n, _ := member(p, "n").Int64()
		policy.Turns = int(n)
	case "sizeGuard":
		policy.Size = true
	default:
		t.Fatal("an unknown policy")
	}
	tool := member(input, "tool").Text()
	base := goSet(member(input, "base"))
	base.Tool = tool
	session, first, err := gcf.NewDeltaSession(base, policy)
	require.NoError(t, err)
	require.Equal(t, member(want, "initialFull").Text(), string(first.Wire))
	var receiver gcf.DeltaReceiver
	_, err = receiver.Receive(first.Wire)
	require.NoError(t, err)
	emissions := member(want, "emissions")
	require.Equal(t, emissions.Len(), member(input, "updates").Len())
	for i := range emissions.Len() {
		set := goSet(member(input, "updates").Index(i))
		set.Tool = tool
		p, err := session.Next(set)
		require.NoError(t, err)
		require.Equal(t, member(emissions.Index(i), "wire").Text(), string(p.Wire))
		require.Equal(t, member(emissions.Index(i), "isFull").Bool(), p.Outcome == gcf.OutcomeFull)
		_, err = receiver.Receive(p.Wire)
		require.NoError(t, err)
		require.Equal(t, p.Root, receiver.Root())
	}
}

func runGraphStreamEncode(t *testing.T, f fixture) {
	g := goGraph(t, f.value(t, "input"))
	labeled := false
	if options, ok := f.Get("options"); ok {
		labeled = member(options, "labeledTrailerCounts").Bool()
	}
	var buf bytes.Buffer
	e := gcf.NewStreamEncoder(&buf, gcf.StreamHeader{Tool: g.Tool, TokenBudget: g.TokenBudget, LabeledCounts: labeled})
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
