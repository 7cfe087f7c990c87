package wirekit_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// TestStreamsTakeConstantMemory writes and reads a hundred thousand records
// through each format with rows. What is kept must not grow with their number.
func TestStreamsTakeConstantMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it writes and reads a hundred thousand records in every format")
	}
	record, err := wire.ParseJSON([]byte(`{"id":1,"name":"` + strings.Repeat("x", 100) + `","tags":["a","b"],"meta":{"x":1,"y":[{"z":2}]}}`))
	require.NoError(t, err)
	flat, err := wire.ParseJSON([]byte(`{"id":1,"name":"` + strings.Repeat("x", 100) + `"}`))
	require.NoError(t, err)
	const records, bound = 100_000, 8 << 20
	for _, codec := range wirekit.Codecs() {
		s, ok := codec.(wire.Streamer)
		if !ok {
			continue
		}
		t.Run(codec.Info().Name, func(t *testing.T) {
			record := record
			if codec.Info().Name == "csv" {
				record = flat
			}
			r, w := io.Pipe()
			go func() {
				w.CloseWithError(write(s, w, record, records))
			}()
			n, before, after := 0, uint64(0), uint64(0)
			for v, err := range s.Records(r) {
				require.NoError(t, err)
				require.True(t, wire.Equal(record, v))
				switch n++; n {
				case records / 10:
					before = heap()
				case records: // before the decoder itself is garbage
					after = heap()
				}
			}
			require.Equal(t, records, n)
			require.Less(t, after, before+bound)
		})
	}
}

func write(s wire.Streamer, w io.Writer, record wire.Value, n int) error {
	rows, err := s.NewRecordWriter(w, record.Keys())
	if err != nil {
		return err
	}
	for range n {
		if err := rows.Write(record); err != nil {
			return err
		}
	}
	return rows.Close()
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
