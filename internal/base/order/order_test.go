package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/order"
)

func TestSorted(t *testing.T) {
	var g order.Graph
	for _, test := range []struct {
		n      int
		follow [][2]int32
		want   []int32
	}{
		{0, nil, []int32{}},
		{3, nil, []int32{0, 1, 2}},
		{3, [][2]int32{{2, 0}, {-1, 1}}, []int32{1, 2, 0}},
		{4, [][2]int32{{3, 1}, {1, 0}, {3, 1}}, []int32{2, 3, 1, 0}},
		{4, [][2]int32{{0, 2}, {0, 3}, {0, 1}}, []int32{0, 2, 3, 1}},
		{3, [][2]int32{{0, 1}, {1, 0}}, []int32{2}},
		{1, [][2]int32{{0, 0}}, []int32{}},
	} {
		g.Reset(test.n)
		for _, f := range test.follow {
			g.Follow(f[0], f[1])
		}
		require.Equal(t, test.want, append([]int32{}, g.Sorted()...), test)
	}
}
