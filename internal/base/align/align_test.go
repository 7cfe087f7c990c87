package align_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/align"
)

func TestGaps(t *testing.T) {
	for _, test := range []struct {
		from, to string
		most     int
		want     []align.Gap
	}{
		{"", "", 9, nil},
		{"abc", "abc", 0, nil},
		{"abc", "abxc", 0, []align.Gap{{2, 2, 2, 3}}},
		{"abcd", "axcd", 9, []align.Gap{{1, 2, 1, 2}}},
		{"1abc2def", "3abc4def", 9, []align.Gap{{0, 1, 0, 1}, {4, 5, 4, 5}}},
		{"1abc2def", "3abc4def", 3, []align.Gap{{0, 5, 0, 5}}}, // too many edits
		{"abcabba", "cbabac", 9, []align.Gap{{0, 2, 0, 0}, {3, 3, 1, 2}, {5, 6, 4, 4}, {7, 7, 5, 6}}},
	} {
		gaps := align.Gaps([]byte(test.from), []byte(test.to), func(int) int { return test.most })
		require.Equal(t, test.want, gaps, "%q %q", test.from, test.to)
	}
}

func TestGapsLength(t *testing.T) {
	align.Gaps([]byte("abcde"), []byte("ab12de"), func(length int) int {
		require.Equal(t, 3, length)
		return length
	})
}
