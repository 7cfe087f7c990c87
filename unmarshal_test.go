package wirekit_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/wire"
)

// TestUnmarshalIntoAny reads random documents of all formats into variables that
// stay: each has what the document's Value gives, whatever was read behind it.
func TestUnmarshalIntoAny(t *testing.T) {
	g := conformance.NewGenerator(31)
	type result struct {
		codec     wire.Codec
		doc       []byte
		got, want any
	}
	var all []result
	for range 60 {
		v := g.Value()
		for _, c := range wirekit.Codecs() {
			doc, err := c.AppendEncode(nil, v)
			if err != nil {
				continue
			}
			r := result{codec: c, doc: doc}
			decoded, err := c.Decode(doc)
			require.NoError(t, err)
			require.NoError(t, wire.ToGo(decoded, &r.want))
			require.NoError(t, wire.With(c, doc, func(wire.Value) error { return nil }), "so that there is memory to use again")
			require.NoError(t, wire.Unmarshal(c, doc, &r.got))
			all = append(all, r)
		}
	}
	for _, r := range all {
		require.Equal(t, r.want, r.got, "%s: %s", r.codec.Info().Name, r.doc)
	}
}
