package quiz

import (
	"bytes"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// TestMakeSpeed bounds the processor's time, not the clock's, for 1,000 questions about
// 1 MB. Each is a tenth of a second to two seconds on a machine of 2026.
func TestMakeSpeed(t *testing.T) {
	if testing.Short() || resident.RaceEnabled {
		t.Skip("runs without -short and the race detector: it takes some seconds, and measures time")
	}
	v, err := wire.ParseJSON(sample.Rows(9000))
	require.NoError(t, err)
	for arm, most := range map[string]time.Duration{Base: time.Second, "": 10 * time.Second} {
		o := Options{Questions: 1000, Arms: []string{arm}}
		if arm == "" {
			o.Arms = nil
		}
		var out bytes.Buffer
		before := cpuTime(t)
		require.NoError(t, o.Make(&out, Document{Name: "rows", Value: v}))
		took := cpuTime(t) - before
		require.Less(t, took, most, "%q", arm)
		require.Equal(t, 1000, bytes.Count(out.Bytes(), []byte(`{"type":"question"`)))
	}
}

func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
