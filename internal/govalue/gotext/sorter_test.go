package gotext

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPairs: members of small maps are in the order of their keys, which begin alike or are
// empty, and only the first map of a size is sorted so.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var s Sorter
	for range 2000 {
		m := map[string]any{}
		for range r.IntN(9) {
			key := make([]byte, r.IntN(4))
			for i := range key {
				key[i] = "abz\x00\xc3"[r.IntN(5)]
			}
			m[string(key)] = r.Int()
		}
		var p Pairs
		var keys []string
		for _, pair := range p[:p.Sort(m)] {
			keys = append(keys, pair.Key)
			require.Equal(t, m[pair.Key], pair.Value)
		}
		require.Equal(t, slices.Sorted(maps.Keys(m)), keys)

		s.Clear()
		for turn := range 3 {
			known, _ := s.AnyKeys(m)
			if turn == 0 {
				require.Empty(t, known)
				continue
			}
			require.True(t, slices.Equal(keys, known), known)
			s.Put(known)
		}
	}
}
