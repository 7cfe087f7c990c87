package growth_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// recorder is a test that remembers whether it failed.
type recorder struct {
	testing.TB
	message string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { r.message = fmt.Sprintf(format, args...) }

var sink int

func TestLinear(t *testing.T) {
	growth.Linear(t, 5_000, func(n int) func() {
		s := strings.Repeat("a.", n)
		return func() { sink += strings.Count(s, ".") + len([]byte(s)) }
	})
}

// TestLinearWithAPool: what a small call finds in a pool counts as what a large one has
// to allocate.
func TestLinearWithAPool(t *testing.T) {
	const kept = 512 << 10
	pool := sync.Pool{New: func() any { return new([]byte) }}
	for range 100 { // under the race detector a pool forgets
		buffer := make([]byte, kept)
		pool.Put(&buffer)
	}
	growth.Linear(t, 256<<10, func(n int) func() {
		return func() {
			buffer := pool.Get().(*[]byte)
			*buffer = slices.Grow((*buffer)[:0], n)[:n]
			for i := range *buffer {
				(*buffer)[i] = byte(i)
			}
			if cap(*buffer) <= kept {
				pool.Put(buffer)
			}
		}
	})
}

func TestQuadraticIsFound(t *testing.T) {
	for _, c := range []struct {
		what    string
		n       int
		prepare func(n int) func()
	}{
		{"time", 1000, func(n int) func() {
			return func() {
				sum := 0
				for range n {
					for i := range n {
						sum += i
					}
				}
				sink += sum
			}
		}},
		{"memory", 300, func(n int) func() {
			return func() {
				var s string
				for range n {
					s += strings.Repeat("a", 16)
				}
				sink += len(s)
			}
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := &recorder{TB: t}
			for range 10 { // what disturbs the small size may hide a fault once
				if growth.Linear(r, c.n, c.prepare); r.message != "" {
					break
				}
			}
			require.Contains(t, r.message, "grows faster")
		})
	}
}

func TestWithin(t *testing.T) {
	busy := func() {
		sum := 0
		for i := range 50_000_000 {
			sum += i
		}
		sink += sum
	}
	r := &recorder{TB: t}
	growth.Within(r, time.Millisecond, busy)
	require.Contains(t, r.message, "1ms are allowed")
	growth.Within(t, time.Minute, busy)
}

var kept []byte

func TestAllocations(t *testing.T) {
	n := 0
	run := func() {
		kept = make([]byte, 1<<20)
		if n++; n < 4 { // something else allocates now and then
			kept = append(make([]byte, 1<<22), kept...)
		}
	}
	growth.Bytes(t, 1<<20, run)
	n = 0
	growth.Allocs(t, 1, run)
	r := &recorder{TB: t}
	growth.Bytes(r, 1<<20-1, run)
	require.Contains(t, r.message, "it allocates 1048576 bytes")
	growth.Allocs(r, 0, run)
	require.Contains(t, r.message, "it makes 1 allocations")
}
