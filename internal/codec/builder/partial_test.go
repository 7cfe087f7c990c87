package builder_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// TestPartialRows makes rows of narrow and wide tables that lack members, few sets of
// them and many: each has the members that it has, and few sets share their key lists.
func TestPartialRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, width := range []int{1, 2, 7, 63, 64, 65, 200} {
		var names []string
		for i := range width {
			names = append(names, fmt.Sprint("column", i))
		}
		keys, err := wire.NewKeys(names...)
		require.NoError(t, err)
		var b builder.Builder
		var partial builder.PartialRows
		lists := map[*wire.Keys]bool{}
		for row := range 300 {
			if row == 200 {
				partial = builder.PartialRows{}
			}
			slots, gaps := b.Slots(width), []int(nil)
			var want []wire.Member
			for i, name := range names {
				if row >= 100 && rng.IntN(3) == 0 || row < 100 && i == row%2 {
					gaps = append(gaps, i)
					continue
				}
				v := wire.Int(int64(rng.IntN(1000)))
				slots[i] = v
				want = append(want, wire.Member{Key: name, Value: v})
			}
			object, err := wire.Object(want...)
			require.NoError(t, err)
			got := partial.Row(&b, keys, gaps, slots)
			require.True(t, wire.Identical(object, got))
			if row < 100 {
				lists[got.Keys()] = true
			}
		}
		require.LessOrEqual(t, len(lists), 2)
	}
}
