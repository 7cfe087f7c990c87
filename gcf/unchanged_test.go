package gcf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
)

func TestUnchanged(t *testing.T) {
	for _, c := range []struct {
		answer gcf.Unchanged
		doc    string
	}{
		{gcf.Unchanged{Tool: "t", PackRoot: "sha256:00", Count: 10}, "GCF profile=graph tool=t unchanged=true pack_root=sha256:00 symbols=10\n"},
	} {
		doc, err := gcf.EncodeUnchanged(&c.answer)
		require.NoError(t, err)
		require.Equal(t, c.doc, string(doc))
		back, err := gcf.DecodeUnchanged(doc)
		require.NoError(t, err)
		require.Equal(t, &c.answer, back)
	}
	_, err := gcf.EncodeUnchanged(&gcf.Unchanged{})
	requireCode(t, err, "invalid_header_value")
	_, err = gcf.EncodeUnchanged(&gcf.Unchanged{Tool: "a b", PackRoot: "r"})
	requireCode(t, err, "invalid_header_value")
	_, err = gcf.DecodeUnchanged([]byte("GCF profile=graph unchanged=true\n"))
	requireCode(t, err, "not_unchanged")
	_, err = gcf.DecodeUnchanged([]byte("GCF profile=graph unchanged=true pack_root=a\nmore\n"))
	requireCode(t, err, "trailing_content")
	_, err = gcf.DecodeUnchanged([]byte("GCF profile=graph unchanged=true pack_root=a symbols=-1\n"))
	requireCode(t, err, "malformed_header_field")
}
