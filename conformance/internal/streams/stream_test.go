// Package streams holds that streams of every format carry what documents carry: records,
// Go values, faults, and what is copied by many goroutines.
package streams

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
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
	for _, codec := range wirekit.Registry().Codecs() {
		s, ok := codec.(wire.Streamer)
		if !ok {
			continue
		}
		t.Run(codec.Info().Name, func(t *testing.T) {
			record := record
			if name := codec.Info().FullName(); name == "csv" || name == "md" {
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

// TestLineEnds: whatever ends the lines, records are the rows that Decode reads,
// or an error where it finds one. YAML's records are documents.
func TestLineEnds(t *testing.T) {
	rows, err := wire.ParseJSON([]byte(`[{"a":"x","b":"y z"},{"a":"w","b":"v"},{"a":1,"b":null}]`))
	require.NoError(t, err)
	for _, c := range describe.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		if !ok || c.Info().Binary || c.Info().Name == "yaml" {
			continue
		}
		src, err := c.AppendEncode(nil, rows)
		if err != nil {
			continue
		}
		for _, end := range []string{"\n", "\r\n", "\r\r\n", "\r\r\r\n", "\n\r\n", "\n\r\r\n"} {
			for _, tail := range []string{"", "\r", "\r\r"} {
				text := []byte(strings.ReplaceAll(string(src), "\n", end) + tail)
				whole, failed := c.Decode(text)
				var records []wire.Value
				for v, err := range s.Records(bytes.NewReader(text)) {
					if err != nil {
						require.Error(t, failed, "%s: %q: %v", c.Info().FullName(), text, err)
						break
					}
					records = append(records, v)
				}
				if failed == nil {
					require.Equal(t, whole.String(), wire.Array(records...).String(), "%s: %q", c.Info().FullName(), text)
				}
			}
		}
	}
}
