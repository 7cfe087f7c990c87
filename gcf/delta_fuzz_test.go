package gcf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
)

// FuzzDelta reads arbitrary bytes as deltas of graphs. What is read must
// encode to a document that reads the same.
func FuzzDelta(f *testing.F) {
	addGraphs(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if d, err := gcf.DecodeDelta(src); err == nil {
			if doc, err := gcf.EncodeDelta(d); err == nil {
				again, err := gcf.DecodeDelta(doc)
				require.NoError(t, err, "%s", doc)
				require.Equal(t, d, again)
			}
		}
		if u, err := gcf.DecodeUnchanged(src); err == nil {
			if doc, err := gcf.EncodeUnchanged(u); err == nil {
				again, err := gcf.DecodeUnchanged(doc)
				require.NoError(t, err)
				require.Equal(t, u, again)
			}
		}
	})
}
