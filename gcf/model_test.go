package gcf_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// TestMarshalModel: Marshal of the package's own types writes their documents, not the
// generic profile of the structs that they are.
func TestMarshalModel(t *testing.T) {
	g := graphOf(fn("a", 0.5, 0), fn("b", 0.4, 1))
	g.Edges = []gcf.Edge{{Source: "a", Target: "b", Type: "calls"}}
	graph, err := gcf.Encode(g)
	require.NoError(t, err)
	delta, err := gcf.DiffGraphs(graphOf(fn("a", 0.5, 0)), g)
	require.NoError(t, err)
	change, err := gcf.EncodeDelta(delta)
	require.NoError(t, err)
	same := gcf.Unchanged{Tool: "t", PackRoot: "sha256:00", Count: 2}
	answer, err := gcf.EncodeUnchanged(&same)
	require.NoError(t, err)
	for _, c := range []struct {
		v, to any
		want  []byte
	}{
		{g, new(gcf.Graph), graph}, {*g, new(gcf.Graph), graph},
		{delta, new(gcf.Delta), change}, {*delta, new(gcf.Delta), change},
		{&same, new(gcf.Unchanged), answer}, {same, new(gcf.Unchanged), answer},
	} {
		for _, codec := range []gcf.Codec{{}, {NoFlatten: true}} {
			doc, err := codec.Marshal(c.v)
			require.NoError(t, err)
			require.Equal(t, string(c.want), string(doc))
			doc, err = wire.Internal.AppendMarshal([]byte("x"), codec, c.v)
			require.NoError(t, err)
			require.Equal(t, "x"+string(c.want), string(doc))
			require.NoError(t, codec.Unmarshal(c.want, c.to))
			again, err := codec.Marshal(c.to)
			require.NoError(t, err)
			require.Equal(t, string(c.want), string(again))
		}
	}
	_, err = gcf.Marshal((*gcf.Graph)(nil))
	require.Error(t, err)
	require.Error(t, gcf.Unmarshal(graph, new(gcf.Delta)))
}

// TestStreamHeader: the header of a stream has no symbols of its own.
func TestStreamHeader(t *testing.T) {
	var out bytes.Buffer
	e := gcf.GraphCodec{}.NewStreamEncoder(&out, *graphOf(fn("a", 0.5, 0)))
	requireCode(t, e.Close(), "unsupported_member")
	require.Zero(t, out.Len())
	require.Equal(t, "gcf-graph:custom", gcf.GraphCodec{NoTrailer: true}.Info().FullName())
}
