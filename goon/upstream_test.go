//go:build upstream

package goon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

// TestUpstreamSnapshots compares with the reference encoder's snapshots. Their
// inputs are the documents of the same shape in this package's table.
func TestUpstreamSnapshots(t *testing.T) {
	dir := codectest.Upstream(t, "goon")
	inputs := make(map[string]string)
	for _, c := range documents {
		inputs[c.name] = c.json
	}
	snapshots := map[string]string{
		"search":                       "T1 search",
		"traversal":                    "T2 traversal",
		"aggregation_node_grouped":     "T3 rows by node",
		"aggregation_property_grouped": "T4 rows by property",
		"aggregation_ungrouped":        "T5 one row, with a target",
		"path_finding":                 "T6 path",
		"pagination":                   "T7 page, the later dialect",
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.snap"))
	require.NoError(t, err)
	require.Len(t, files, len(snapshots))
	for snapshot, document := range snapshots {
		t.Run(snapshot, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, "goon_snapshots__snapshot_"+snapshot+".snap"))
			require.NoError(t, err)
			_, rest, found := strings.Cut(string(src), "---\n")
			require.True(t, found)
			_, want, found := strings.Cut(rest, "---\n")
			require.True(t, found)
			want = strings.TrimRight(want, "\n") + "\n" // the snapshot tool trims the end
			input, ok := inputs[document]
			require.True(t, ok)
			require.Equal(t, want, encode(t, goon.Codec{}, input))

			r, err := goon.Codec{}.DecodeResponse([]byte(want))
			require.NoError(t, err)
			again, err := goon.Codec{}.AppendResponse(nil, r)
			require.NoError(t, err)
			require.Equal(t, want, string(again))
		})
	}
}
