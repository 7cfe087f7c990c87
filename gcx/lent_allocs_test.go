//go:build !race && !wirekitdebug

package gcx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

// TestLentAllocations holds that strings with escapes, in cells that hold arrays too,
// are decoded into memory that is reused.
func TestLentAllocations(t *testing.T) {
	v := parse(t, `[{"a":"one\ttwo","b":["three\nfour","a \"long\" text with a \\ in it"]},{"a":"five","b":["six\nseven"]}]`)
	src, err := gcx.Codec{}.AppendEncode(nil, v)
	require.NoError(t, err)
	fewest := math.Inf(1)
	for range 20 {
		fewest = min(fewest, testing.AllocsPerRun(1, func() {
			err = wire.View(gcx.Codec{}, src, func(wire.Value) error { return nil })
		}))
	}
	require.NoError(t, err)
	require.Zero(t, fewest)
}
