package counts

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/tokens"
)

// counted counts how often it is asked.
type counted struct {
	tokens.O200k
	mu    *sync.Mutex
	calls *int
}

func (c counted) Count(text []byte) (int, error) {
	c.mu.Lock()
	*c.calls++
	c.mu.Unlock()
	return c.O200k.Count(text)
}

func TestCounts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	inner := counted{mu: new(sync.Mutex), calls: new(int)}
	long, other := []byte(strings.Repeat("some words ", 100)), []byte(strings.Repeat("other ones ", 100))
	want, err := tokens.O200k{}.Count(long)
	require.NoError(t, err)
	check := func(c *Counts, calls int) {
		t.Helper()
		*inner.calls = 0
		for range 3 {
			n, err := c.Count(long)
			require.NoError(t, err)
			require.Equal(t, want, n)
		}
		require.Equal(t, calls, *inner.calls)
	}
	c := Open(dir, inner)
	require.Equal(t, "o200k_base", c.Name())
	check(c, 1)
	require.NoError(t, c.Save())
	require.NoError(t, c.Save())
	check(Open(dir, inner), 0)

	// A crash in the middle of a line, and lines that are none, cost nothing.
	file := filepath.Join(dir, "counts-o200k_base")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(append([]byte("x y\n"), text...), text[:len(text)-2]...), 0o644))
	c = Open(dir, inner)
	check(c, 0)
	_, err = c.Count(other)
	require.NoError(t, err)
	require.NoError(t, c.Save())
	again := Open(dir, inner)
	check(again, 0)
	_, err = again.Count(other)
	require.NoError(t, err)
	require.Zero(t, *inner.calls)

	// What was not counted to the end is not remembered.
	third := []byte(strings.Repeat("third text ", 200))
	n, err := again.CountUpTo(third, 5)
	require.NoError(t, err)
	require.Greater(t, n, 5)
	all, err := again.Count(third)
	require.NoError(t, err)
	exact, _ := tokens.O200k{}.Count(third)
	require.Equal(t, exact, all)

	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				if n, err := again.Count(long); err != nil || n != want {
					panic("another count")
				}
			}
		})
	}
	group.Wait()
	for range (store.Dir{Path: dir}).All() {
		t.Fatal("counts are no content")
	}
}
