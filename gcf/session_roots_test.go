package gcf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// rooted returns the graph with its own pack root.
func rooted(t *testing.T, g *gcf.Graph) *gcf.Graph {
	t.Helper()
	var err error
	g.PackRoot, err = gcf.PackRoot(g)
	require.NoError(t, err)
	return g
}

// TestSessionRoots: a payload that was lost and not taken back is noticed by the root of
// the next one that refers to it, and leaves the session as it was.
func TestSessionRoots(t *testing.T) {
	var s gcf.Session
	var d gcf.SessionDecoder
	converse(t, &s, &d, rooted(t, graphOf(fn("a", 0.5, 0))))
	changed := rooted(t, graphOf(fn("a", 0.7, 0)))
	lost, err := gcf.EncodeWithSession(changed, &s)
	require.NoError(t, err)
	require.Contains(t, string(lost), "@0 fn a 0.70")
	next, err := gcf.EncodeWithSession(changed, &s)
	require.NoError(t, err)
	require.Contains(t, string(next), "previously transmitted")
	_, err = d.Decode(next)
	requireCode(t, err, "root_mismatch")
	require.ErrorIs(t, err, wire.ErrChecksum)
	require.Equal(t, 1, err.(*wire.Error).Line)

	// The way back: the producer resets its session and sends a full payload.
	s.Reset()
	full, err := gcf.Encode(changed)
	require.NoError(t, err)
	got, err := d.Decode(full)
	require.NoError(t, err)
	require.Equal(t, changed.Symbols, got.Symbols)
	converse(t, &s, &d, changed)
	converse(t, &s, &d, changed)

	// Roots over all decimals are taken where the wire has all of them, unknown ones always.
	same := graphOf(fn("a", 0.7, 0))
	same.PackRoot, err = gcf.PackRootFullScores(same)
	require.NoError(t, err)
	converse(t, &s, &d, same)
	same.PackRoot = "blake3:00"
	converse(t, &s, &d, same)
}

// TestStrictRoots: a whole document's root is checked by strict decoding.
func TestStrictRoots(t *testing.T) {
	doc, err := gcf.Encode(rooted(t, graphOf(fn("a", 0.9, 0))))
	require.NoError(t, err)
	strict := gcf.GraphCodec{Strict: true}
	_, err = strict.DecodeGraph(doc)
	require.NoError(t, err)
	root := string(doc[strings.Index(string(doc), "sha256:"):][:len("sha256:")+64])
	for name, altered := range map[string]string{
		"a symbol":          strings.Replace(string(doc), "0.90", "0.80", 1),
		"a digit more":      strings.Replace(string(doc), root, root+"0", 1),
		"a digit less":      strings.Replace(string(doc), root, root[:len(root)-1], 1),
		"upper-case digits": strings.Replace(string(doc), root, "sha256:"+strings.ToUpper(root[7:]), 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := strict.DecodeGraph([]byte(altered))
			requireCode(t, err, "root_mismatch")
			_, err = strict.Decode([]byte(altered))
			requireCode(t, err, "root_mismatch")
			_, err = new(gcf.SessionDecoder).Decode([]byte(altered))
			requireCode(t, err, "root_mismatch")
			require.Equal(t, 1, err.(*wire.Error).Line)
			_, err = gcf.Decode([]byte(altered))
			require.NoError(t, err)
		})
	}
	// What the strict codec writes, it reads.
	_, err = strict.AppendEncode(nil, codectest.Decoded(t, wire.JSON{}, `{"packRoot":"`+root+`","symbols":[]}`))
	requireCode(t, err, "root_mismatch")
}

// TestUndeliveredEnd: a payload that ended the session can be taken back like any other.
func TestUndeliveredEnd(t *testing.T) {
	s := gcf.Session{MaxSymbols: 1}
	var d gcf.SessionDecoder
	converse(t, &s, &d, graphOf(fn("a", 1, 0)))
	lose := func() {
		lost, err := gcf.EncodeWithSession(graphOf(fn("b", 1, 0), fn("c", 1, 0)), &s)
		require.NoError(t, err)
		require.NotContains(t, string(lost), "session=true")
		s.Undelivered()
	}
	lose()
	lose() // the next one may be lost too
	s.Undelivered()
	require.NotContains(t, converse(t, &s, &d, graphOf(fn("b", 1, 0))), "session=true")
	require.Contains(t, converse(t, &s, &d, graphOf(fn("b", 1, 0))), "@0 fn b")
	require.Contains(t, converse(t, &s, &d, graphOf(fn("b", 1, 0))), "previously transmitted")
	// Reset begins anew on both sides, whatever was lost.
	lose()
	s.Reset()
	d.Reset()
	require.Contains(t, converse(t, &s, &d, graphOf(fn("b", 1, 0))), "session=true")
}

// TestEndingPayloadFails: a payload that would have ended the session and could not be
// written leaves it as it was.
func TestEndingPayloadFails(t *testing.T) {
	s := gcf.Session{MaxSymbols: 1}
	var d gcf.SessionDecoder
	converse(t, &s, &d, graphOf(fn("a", 1, 0)))
	small := gcf.GraphCodec{Limits: wire.Limits{OutputBytes: 60}}
	_, err := small.AppendWithSession(nil, graphOf(fn("b", 1, 0), fn("c", 1, 0), fn("d", 1, 0)), &s)
	requireCode(t, err, "output_too_long")
	require.Contains(t, converse(t, &s, &d, graphOf(fn("a", 1, 0))), "previously transmitted")
}

// TestStatusOfEdges: an edge whose status changes, either way, has no delta.
func TestStatusOfEdges(t *testing.T) {
	graph := func(status string) *gcf.Graph {
		e := calls("a", "a")
		e.Status = status
		return &gcf.Graph{Symbols: []gcf.Symbol{fn("a", 1, 0)}, Edges: []gcf.Edge{e}}
	}
	for _, c := range [][2]string{{"added", ""}, {"", "added"}, {"added", "removed"}} {
		_, err := gcf.DiffGraphs(graph(c[0]), graph(c[1]))
		requireCode(t, err, "unsupported_status")
		require.NotEmpty(t, err.(*wire.Error).Hint)
	}
	d, err := gcf.DiffGraphs(graph("added"), graph("added"))
	require.NoError(t, err)
	require.Empty(t, d.AddedEdges)
}
