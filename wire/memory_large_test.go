package wire

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// largeText needs more memory than is kept.
func largeText(n int) []byte {
	return []byte(`[` + strings.Repeat(`{"id":1,"name":"a text","price":1.25},`, n) + `1]`)
}

// TestLargeDocumentsShareMemory converts large documents one after the other: each
// leaves its result and little else.
func TestLargeDocumentsShareMemory(t *testing.T) {
	if poison {
		t.Skip("runs where memory is not poisoned")
	}
	registry, err := NewRegistry(JSON{})
	require.NoError(t, err)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection takes what no one holds
	text := largeText(15_000)
	growth.Bytes(t, uint64(len(text)+len(text)/8), func() {
		out, err := registry.Convert(text, "json", "json")
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, out))
	})
}

// TestLargeMemoryIsTheCollectors has no document ask for what a large one left.
func TestLargeMemoryIsTheCollectors(t *testing.T) {
	if poison {
		t.Skip("runs where memory is not poisoned")
	}
	registry, err := NewRegistry(JSON{})
	require.NoError(t, err)
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	text := largeText(300_000)
	before := heap()
	_, err = registry.Convert(text, "json", "json")
	require.NoError(t, err)
	require.Less(t, heap(), before+uint64(len(text)/4))
	runtime.KeepAlive(text)
}

// TestLargeMemoryIsForLargeDocuments: only a text that is not much shorter gets what a
// large document left.
func TestLargeMemoryIsForLargeDocuments(t *testing.T) {
	if poison {
		t.Skip("runs where memory is not poisoned")
	}
	for _, c := range []struct {
		name  string
		size  int
		large bool
	}{{"small", leastLarge - 1, false}, {"much shorter", leastLarge, false}, {"shorter", 1 << 20, true}} {
		var b Builder
		largeMemories = sync.Pool{New: func() any {
			return &memory{kind: largeMemory, text: make([]byte, 0, mostLarge*leastLarge+1)}
		}}
		b.borrow(nil)
		b.copyText(make([]byte, c.size), "")
		require.Equal(t, c.large, b.mem.kind == largeMemory, c.name)
		b.giveBack(nil)
	}
	largeMemories = sync.Pool{}
}

// TestLargeAndSmallDocuments alternates, so that memory changes hands.
func TestLargeAndSmallDocuments(t *testing.T) {
	registry, err := NewRegistry(JSON{})
	require.NoError(t, err)
	texts := [][]byte{
		[]byte(`{"a":1}`), largeText(3000), largeText(20_000), []byte(`["\n",2]`), largeText(15_000),
		[]byte(`[` + strings.Repeat(`[1,"\u00e9"],`, 50_000) + `2]`), largeText(10), largeText(2000),
		[]byte(strings.Repeat(`{"k":[`, 200) + strings.Repeat("1,", 60_000) + "1" + strings.Repeat(`]}`, 200)),
	}
	for round := range 2 {
		for i := range texts {
			text := texts[(i*(2*round+1))%len(texts)]
			want, err := ParseJSON(text)
			require.NoError(t, err)
			out, err := registry.Convert(text, "json", "json")
			require.NoError(t, err)
			require.True(t, string(AppendJSON(nil, want)) == string(out))
			_, err = registry.Convert(text[:len(text)-1], "json", "json")
			require.Error(t, err)
		}
	}
}
