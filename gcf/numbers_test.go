package gcf_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// TestGoFloats encodes Go's floating-point numbers from where their digits could
// pass for an integer: they are doubles and have an exponent.
func TestGoFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	floats := []float64{1<<53 - 1, 1 << 53, 1<<53 + 2, 1e15, 1e16, 1e18, 1 << 62, 1 << 63, 1e19, 1e20, 999999999999999900000, 1e21, 1e300}
	for range 2000 {
		floats = append(floats, math.Trunc(math.Exp2(50+20*r.Float64())))
	}
	type row struct {
		X float64 `json:"x"`
	}
	for _, f := range floats {
		for _, f := range []float64{f, -f} {
			want := canonicalDouble(f)
			for _, v := range []any{f, wire.Float(f), &f} {
				doc, err := gcf.Marshal(v)
				require.NoError(t, err, want)
				require.Equal(t, header+"="+want+"\n", string(doc))
			}
			for _, v := range []any{[]row{{f}}, []map[string]any{{"x": f}}, []any{row{f}}} {
				doc, err := gcf.Marshal(v)
				require.NoError(t, err)
				require.Equal(t, header+"## [1]{x}\n"+want+"\n", string(doc), "%T", v)
			}
			var back float64
			require.NoError(t, gcf.Unmarshal([]byte(header+"="+want+"\n"), &back))
			require.Equal(t, f, back)
			// What decoding gives is encoded as it was.
			var v any
			require.NoError(t, gcf.Unmarshal([]byte(header+"v="+want+"\n"), &v))
			doc, err := gcf.Marshal(v)
			require.NoError(t, err)
			require.Equal(t, header+"v="+want+"\n", string(doc))
		}
	}
	doc, err := gcf.Marshal(float32(1e20))
	require.NoError(t, err)
	require.Equal(t, header+"=1e+20\n", string(doc))
}

// TestDigitsAreIntegers: equal numbers have two texts from 2^53 on, by their
// form.
func TestDigitsAreIntegers(t *testing.T) {
	for _, n := range []int64{1 << 53, 1e16, math.MaxInt64, math.MinInt64} {
		doc, err := gcf.EncodeGeneric(wire.Int(n))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%s=%d\n", header, n), string(doc))
		back, err := gcf.DecodeGeneric(doc)
		require.NoError(t, err)
		require.False(t, back.IsFloat())
	}
	doc, err := gcf.EncodeGeneric(parse(t, `[10000000000000000,1e16,1e+16,10000000000000000.0]`))
	require.NoError(t, err)
	require.Equal(t, header+"## [4]: 10000000000000000,1e+16,1e+16,1e+16\n", string(doc))
}

// TestRootsOfForms: a row's root goes by the form of its numbers, as its text
// does.
func TestRootsOfForms(t *testing.T) {
	root := func(x wire.Value) string {
		row, err := wire.Object(wire.Member{Key: "id", Value: wire.Int(1)}, wire.Member{Key: "x", Value: x})
		require.NoError(t, err)
		root, err := gcf.GenericPackRoot(&gcf.Set{Key: "id", Fields: []string{"id", "x"}, Rows: []wire.Value{row}})
		require.NoError(t, err)
		return root
	}
	require.Equal(t, root(parse(t, "1e16")), root(wire.Float(1e16)))
	require.NotEqual(t, root(wire.Int(1e16)), root(wire.Float(1e16)))
	require.Equal(t, root(wire.Int(5)), root(wire.Float(5)))
}

// longDecimals is a set with a number of more digits than a double has.
func longDecimals(t *testing.T, x string) *gcf.Set {
	return &gcf.Set{Key: "id", Fields: []string{"id", "x"}, Rows: []wire.Value{parse(t, `{"id":1,"x":`+x+`}`), parse(t, `{"id":2,"x":9007199254740993}`)}}
}

// TestSetsOverDoubles: the root of a set over doubles is that of readers with
// doubles, in every step of a conversation.
func TestSetsOverDoubles(t *testing.T) {
	const digits, double = "0.1000000000000000055511151231257827", "0.1"
	exact, rounded := longDecimals(t, digits), longDecimals(t, double)
	over := longDecimals(t, digits)
	over.Doubles = true
	rootOf := func(s *gcf.Set) string {
		root, err := gcf.GenericPackRoot(s)
		require.NoError(t, err)
		return root
	}
	require.NotEqual(t, rootOf(exact), rootOf(rounded))
	require.Equal(t, rootOf(over), rootOf(rounded))

	doc, err := gcf.EncodeSet(over)
	require.NoError(t, err)
	require.Contains(t, string(doc), digits, "the text keeps the digits")
	back, err := gcf.DecodeSet(doc)
	require.NoError(t, err)
	require.True(t, back.Doubles)
	require.Equal(t, rootOf(over), rootOf(back))

	doc, err = gcf.EncodeSet(exact)
	require.NoError(t, err)
	back, err = gcf.DecodeSet(doc)
	require.NoError(t, err)
	require.False(t, back.Doubles)

	// A delta of a producer with doubles, applied to a set with all digits.
	next := longDecimals(t, "0.25")
	next.Doubles = true
	d, err := gcf.DiffSets(exact, next)
	require.NoError(t, err)
	require.Equal(t, rootOf(over), d.BaseRoot)
	got, err := gcf.ApplyGenericDelta(exact, d)
	require.NoError(t, err)
	require.Equal(t, d.NewRoot, rootOf(got))
	require.True(t, got.Doubles)
	require.False(t, exact.Doubles)
	d.BaseRoot = rootOf(next)
	_, err = gcf.ApplyGenericDelta(exact, d)
	require.ErrorIs(t, err, wire.ErrChecksum)

	session, first, err := gcf.NewDeltaSession(over, gcf.ReAnchor{})
	require.NoError(t, err)
	var receiver gcf.DeltaReceiver
	_, err = receiver.Receive(first.Wire)
	require.NoError(t, err)
	require.Equal(t, first.Root, receiver.Root())
	for _, set := range []*gcf.Set{next, over, exact} {
		p, err := session.Respond(receiver.Root(), set)
		require.NoError(t, err)
		if set == exact {
			require.Equal(t, gcf.OutcomeFull, p.Outcome, "roots of the other form")
		}
		_, err = receiver.Receive(p.Wire)
		require.NoError(t, err)
		require.Equal(t, rootOf(set), receiver.Root())
	}
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

// TestNilArguments: a nil pointer is an error, not a panic.
func TestNilArguments(t *testing.T) {
	var g gcf.Graph
	graphs := gcf.GraphCodec{Omitted: func(error) {}}
	for name, call := range map[string]func() error{
		"Encode":              func() error { _, err := gcf.Encode(nil); return err },
		"AppendGraph":         func() error { _, err := graphs.AppendGraph(nil, nil); return err },
		"PackRoot":            func() error { _, err := gcf.PackRoot(nil); return err },
		"PackRootFullScores":  func() error { _, err := gcf.PackRootFullScores(nil); return err },
		"EncodeWithSession":   func() error { _, err := gcf.EncodeWithSession(nil, &gcf.Session{}); return err },
		"no session":          func() error { _, err := gcf.EncodeWithSession(&g, nil); return err },
		"AppendWithSession":   func() error { _, err := graphs.AppendWithSession(nil, nil, &gcf.Session{}); return err },
		"DiffGraphs":          func() error { _, err := gcf.DiffGraphs(nil, &g); return err },
		"DiffGraphs to nil":   func() error { _, err := gcf.DiffGraphs(&g, nil); return err },
		"ApplyDelta":          func() error { _, err := gcf.ApplyDelta(nil, &gcf.Delta{}); return err },
		"no delta":            func() error { _, err := gcf.ApplyDelta(&g, nil); return err },
		"EncodeDelta":         func() error { _, err := gcf.EncodeDelta(nil); return err },
		"EncodeSet":           func() error { _, err := gcf.EncodeSet(nil); return err },
		"GenericPackRoot":     func() error { _, err := gcf.GenericPackRoot(nil); return err },
		"DiffSets":            func() error { _, err := gcf.DiffSets(nil, longDecimals(t, "1")); return err },
		"DiffSets to nil":     func() error { _, err := gcf.DiffSets(longDecimals(t, "1"), nil); return err },
		"ApplyGenericDelta":   func() error { _, err := gcf.ApplyGenericDelta(nil, &gcf.GenericDelta{}); return err },
		"no generic delta":    func() error { _, err := gcf.ApplyGenericDelta(longDecimals(t, "1"), nil); return err },
		"EncodeGenericDelta":  func() error { _, err := gcf.EncodeGenericDelta(nil); return err },
		"EncodeUnchanged":     func() error { _, err := gcf.EncodeUnchanged(nil); return err },
		"NewDeltaSession":     func() error { _, _, err := gcf.NewDeltaSession(nil, gcf.ReAnchor{}); return err },
		"StreamEncoder":       func() error { return gcf.NewStreamEncoder(nil, gcf.StreamHeader{}).Symbol(nil) },
		"StreamEncoder, edge": func() error { return gcf.NewStreamEncoder(nil, gcf.StreamHeader{}).Edge(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			err := call()
			var e *wire.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "no_value", e.Code)
			require.ErrorIs(t, err, wire.ErrShape)
		})
	}
}
