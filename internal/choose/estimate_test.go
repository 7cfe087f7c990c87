package choose

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// TestSlack is the experiment for slack: how far the estimates of a value's texts in
// two formats are apart from where their tokens are. Most are nearer than slack, and those
// that are not are of formats that are farther apart than that.
func TestSlack(t *testing.T) {
	var off []float64
	for _, p := range payload.All() {
		var size []float64 // of each format, by estimate and whole
		for _, c := range []wire.Codec{wire.JSON{}, gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}} {
			text, err := c.AppendEncode(nil, p.Value)
			require.NoError(t, err)
			if len(text) <= wholeText {
				continue
			}
			s := &search{Options: Options{Counter: tokens.O200k{}}, ctx: context.Background()}
			about, err := s.estimate(text)
			require.NoError(t, err)
			n, err := s.tokens(text, noBound)
			require.NoError(t, err)
			size = append(size, about/float64(n))
		}
		for i := range size {
			for j := range i {
				off = append(off, math.Abs(size[i]/size[j]-1))
			}
		}
	}
	slices.Sort(off)
	t.Logf("%d pairs of texts: half within %.4f, nine of ten within %.4f, all within %.4f", len(off), off[len(off)/2], off[len(off)*9/10], off[len(off)-1])
	require.Less(t, off[len(off)/2], slack)
}
