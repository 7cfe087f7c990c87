package recent_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/recent"
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

// TestPutAgain: a value that is put again takes its room once, also where there is none
// left: the values of both generations stay.
func TestPutAgain(t *testing.T) {
	for asked := range 20 {
		var m recent.Memory[int, int]
		for i := range 20 {
			m.Put(i, i, 1, 20)
		}
		m.Put(19, 190, 1, 20)
		v, ok := m.Get(asked)
		require.True(t, ok, asked)
		require.Equal(t, map[bool]int{true: 190, false: asked}[asked == 19], v)
	}
}

// TestPutTooLarge: a value that is not remembered takes the place of an older one of the
// same key nevertheless, and that one's room is free.
func TestPutTooLarge(t *testing.T) {
	for between := range 3 {
		var m recent.Memory[string, int]
		m.Put("k", 1, 10, 20)
		for i := range between {
			m.Put("other", i, 10, 20)
			m.Get("k") // of both generations
		}
		m.Put("k", 2, 11, 20)
		_, ok := m.Get("k")
		require.False(t, ok, between)
	}
	var m recent.Memory[string, int]
	m.Put("old", 1, 10, 20)
	m.Put("k", 1, 10, 20)
	m.Put("k", 2, 11, 20)
	m.Put("new", 3, 10, 20)
	_, ok := m.Get("old")
	require.True(t, ok, "there is room for both")
}
