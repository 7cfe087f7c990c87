//go:build !race && !wirekitdebug

package memory

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// TestConvertBytes: a conversion allocates its result at once and at its length, which
// the runtime rounds up to the next of its sizes, and nothing else.
func TestConvertBytes(t *testing.T) {
	names := []string{"json", "gcf", "gcx", "glyph", "toon"}
	for _, doc := range [][]byte{sample.Rows(20), sample.Rows(57), sample.Rows(100), sample.Orders(6), sample.Orders(11), sample.Orders(23)} {
		for _, from := range names {
			text, err := wirekit.Convert(doc, "json", from)
			require.NoError(t, err)
			for _, to := range names {
				var out []byte
				var before, after runtime.MemStats
				least := uint64(math.MaxUint64)
				for range 8 {
					runtime.ReadMemStats(&before)
					out, err = wirekit.Convert(text, from, to)
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
				}
				require.NoError(t, err)
				require.Equal(t, uint64(cap(bytes.Clone(out))), least, "%s to %s, %d bytes", from, to, len(out))
			}
		}
	}
}

// TestConvertLines: values on many lines wait for the last one in memory that is used
// again.
func TestConvertLines(t *testing.T) {
	text, err := wirekit.Convert(sample.Integers(15_000), "json", "jsonl")
	require.NoError(t, err)
	require.Greater(t, bytes.Count(text, []byte{'\n'}), 10_000)
	fewest := math.Inf(1)
	for range 8 {
		fewest = min(fewest, testing.AllocsPerRun(1, func() { _, err = wirekit.Convert(text, "jsonl", "gcf") }))
	}
	require.NoError(t, err)
	require.Equal(t, 1.0, fewest)
}

// TestConvertTexts: texts with escapes, which are not where the document has them, are
// in memory that is reused, however much of the document they are.
func TestConvertTexts(t *testing.T) {
	for _, n := range []int{300, 1500, 2000, 3000} {
		doc := append(bytes.Repeat([]byte(`,{"id":1,"text":"they said \"a few words, and others\"\nand, after \"a while\", more of them"}`), n), ']')
		doc[0] = '['
		for _, from := range []string{"json", "gcf", "gcx", "glyph", "toon", "csv"} {
			text, err := wirekit.Convert(doc, "json", from)
			require.NoError(t, err)
			runtime.GC() // empties the pools, at the second time
			runtime.GC()
			requireLittle(t, text, from, "json", fmt.Sprint(len(doc), " bytes"))
		}
	}
}

// TestConvertPayloads: whatever the shape of a document is, a conversion allocates
// little beside its result, but for what a library reads of YAML. Only tables become
// CSV, and MessagePack has not every number.
func TestConvertPayloads(t *testing.T) {
	carried := func(text []byte, from, to string) []byte {
		out, err := wirekit.Convert(text, from, to)
		if !errors.Is(err, wire.ErrShape) && !errors.Is(err, wire.ErrRange) {
			require.NoError(t, err)
		}
		return out
	}
	pairs := map[[2]string]int{}
	for _, p := range append(payload.All(), payload.Payload{Kind: "coordinates", JSON: sample.Coordinates(500)}) {
		for _, from := range []string{"json", "gcf", "toon", "csv", "cbor", "msgpack", "bcp"} {
			text := carried(p.JSON, "json", from)
			for _, to := range []string{"json", "gcf", "gcx", "glyph", "toon", "csv", "yaml", "cbor", "msgpack", "bcp"} {
				if text != nil && carried(text, from, to) != nil {
					pairs[[2]string{from, to}]++
					requireLittle(t, text, from, to, p.Kind)
				}
			}
		}
	}
	for pair, n := range pairs {
		require.GreaterOrEqual(t, n, 8, pair) // tables are few
	}
	require.Len(t, pairs, 7*10)
}

// requireLittle holds that converting text allocates little beside the result.
func requireLittle(t *testing.T, text []byte, from, to, kind string) {
	t.Helper()
	const most, beside = 10, 10 // allocations; a part of the result in so many
	var before, after runtime.MemStats
	allocs, size, bound := uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(0)
	for i := 0; i < 8 && (allocs > most || size > bound); i++ {
		runtime.ReadMemStats(&before)
		out, err := wirekit.Convert(text, from, to)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		allocs, size = min(allocs, after.Mallocs-before.Mallocs), min(size, after.TotalAlloc-before.TotalAlloc)
		bound = uint64(cap(bytes.Clone(out)) + len(out)/beside)
	}
	require.LessOrEqual(t, allocs, uint64(most), "%s, %s to %s", kind, from, to)
	require.LessOrEqual(t, size, bound, "%s, %s to %s", kind, from, to)
}
