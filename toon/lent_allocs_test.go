//go:build !race && !wirekitdebug

package toon_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// TestConvertAllocations: in the steady state a conversion allocates its result, and
// little else, whatever the shape of the document is.
func TestConvertAllocations(t *testing.T) {
	const most = 10
	registry, err := wire.NewRegistry(toon.Codec{}, wire.JSON{})
	require.NoError(t, err)
	for _, p := range payload.All() {
		text, err := toon.Codec{}.AppendEncode(nil, p.Value)
		require.NoError(t, err)
		for _, to := range []string{"json", "toon"} {
			fewest := math.Inf(1)
			for range 10 {
				fewest = min(fewest, testing.AllocsPerRun(1, func() {
					_, err = registry.Convert(text, "toon", to)
				}))
			}
			require.NoError(t, err)
			require.LessOrEqual(t, fewest, float64(most), "%s to %s", p.Kind, to)
		}
	}
}
