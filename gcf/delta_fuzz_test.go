package gcf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// FuzzDelta reads arbitrary bytes as deltas of both profiles. What is read must
// encode to a document that reads the same.
func FuzzDelta(f *testing.F) {
	addGraphs(f)
	for _, c := range genericDeltaDocuments {
		f.Add([]byte("GCF profile=generic delta=true base_root=a new_root=b key=id\n" + c.doc))
	}
	for _, c := range setPairs {
		f.Add([]byte("GCF profile=generic delta=true base_root=a new_root=b key=id savings=5%\n" + c.body))
	}
	for _, c := range setVectors {
		f.Add([]byte("GCF profile=generic pack_root=a key=id\n" + c.body))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if d, err := gcf.DecodeDelta(src); err == nil {
			if doc, err := gcf.EncodeDelta(d); err == nil {
				again, err := gcf.DecodeDelta(doc)
				require.NoError(t, err, "%s", doc)
				require.Equal(t, d, again)
			}
		}
		if d, err := gcf.DecodeSetDelta(src); err == nil {
			if doc, err := gcf.EncodeSetDelta(d); err == nil {
				again, err := gcf.DecodeSetDelta(doc)
				require.NoError(t, err, "%s", doc)
				second, err := gcf.EncodeSetDelta(again)
				require.NoError(t, err)
				require.Equal(t, string(doc), string(second))
			}
		}
		if s, err := gcf.DecodeSet(src); err == nil {
			doc, err := gcf.EncodeSet(s)
			if err != nil {
				return
			}
			again, err := gcf.DecodeSet(doc)
			require.NoError(t, err, "%s", doc)
			require.True(t, wire.Equal(wire.Array(s.Rows...), wire.Array(again.Rows...)))
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
