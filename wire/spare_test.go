package wire

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/growth"
)

// largeText needs more memory than is kept.
func largeText(n int) []byte {
	return []byte(`[` + strings.Repeat(`{"id":1,"name":"a text","price":1.25},`, n) + `1]`)
}

// TestLargeDocumentsShareMemory converts large documents one after the other: each
// leaves its result and little else.
func TestLargeDocumentsShareMemory(t *testing.T) {
	if poison {
		t.Skip("runs where memory is not spoiled")
	}
	registry, err := NewRegistry(JSON{})
	require.NoError(t, err)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection takes what nobody holds
	text := largeText(15_000)
	growth.Bytes(t, uint64(len(text)+len(text)/8), func() {
		out, err := registry.Convert(text, "json", "json")
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, out))
	})
}

// TestLargeMemoryIsTheCollectors has nobody use what a large document left.
func TestLargeMemoryIsTheCollectors(t *testing.T) {
	if poison {
		t.Skip("runs where memory is not spoiled")
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
