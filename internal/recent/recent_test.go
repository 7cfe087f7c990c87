package recent_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/recent"
)

// TestMemory: what is asked for stays, the rest goes, and the size is bounded.
func TestMemory(t *testing.T) {
	var m recent.Memory[string, int]
	_, ok := m.Get("a")
	require.False(t, ok)
	for i := range 1000 {
		name := strconv.Itoa(i)
		m.Put(name, i, 1, 20)
		m.Put(name, i, 1, 20) // once more takes no more room
		v, ok := m.Get("0")
		require.True(t, ok, "it is always asked for")
		require.Equal(t, 0, v)
	}
	held := 0
	for i := range 1000 {
		if v, ok := m.Get(strconv.Itoa(i)); ok {
			require.Equal(t, i, v)
			held++
		}
	}
	require.LessOrEqual(t, held, 20)
	require.GreaterOrEqual(t, held, 10)
	m.Put("large", 1, 11, 20)
	_, ok = m.Get("large")
	require.False(t, ok, "more than half")
	var none recent.Memory[string, int]
	none.Put("a", 1, 1, -1)
	_, ok = none.Get("a")
	require.False(t, ok, "a memory of nothing")
}
