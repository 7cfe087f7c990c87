package choose_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// childVariable names the document and the measure of a child process.
const childVariable = "WIREKIT_TEST_CHOOSE"

// inChild runs the calling test again in a process of its own, with the variable,
// and returns what it prints.
func inChild(t *testing.T, variable string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childVariable+"="+variable)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for line := range strings.Lines(string(out)) {
		if text, ok := strings.CutPrefix(line, "child: "); ok {
			return strings.TrimSpace(text)
		}
	}
	t.Fatalf("the child said nothing:\n%s", out)
	return ""
}

// TestChooseMemory: a choice keeps at most 8 bytes alive for each byte of compact
// JSON, beside the value itself.
func TestChooseMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures in child processes")
	}
	if name := os.Getenv(childVariable); name != "" {
		chooseMemory(t, name)
		return
	}
	for _, document := range []string{"rows", "orders", "api"} {
		for _, measure := range []wirekit.Precision{wirekit.PrecisionCounted, wirekit.PrecisionSampled} {
			// A busy machine may keep the collector waiting, or who watches the heap.
			for attempt := 1; ; attempt++ {
				var perByte float64
				_, err := fmt.Sscan(inChild(t, document+" "+measure.String()), &perByte)
				require.NoError(t, err)
				t.Logf("%s, %v: %.1f bytes for each byte of JSON", document, measure, perByte)
				if 0 < perByte && perByte < 8 {
					break
				}
				require.Less(t, attempt, 5)
			}
		}
	}
}

func chooseMemory(t *testing.T, name string) {
	document, measureName, _ := strings.Cut(name, " ")
	var measure wirekit.Precision
	require.NoError(t, measure.UnmarshalText([]byte(measureName)))
	text := map[string]func() []byte{
		"rows":   func() []byte { return sample.Rows(20_000) },
		"orders": func() []byte { return sample.Orders(5000) },
		"api":    func() []byte { return sample.API(2500) },
	}[document]()
	v, err := wire.ParseJSON(text)
	require.NoError(t, err)
	length := len(text)
	text = nil
	_, err = wirekit.Choose(t.Context(), json.RawMessage(sample.Rows(20))) // loads the vocabulary
	require.NoError(t, err)
	debug.SetGCPercent(2) // what is allocated is hardly more than what is alive
	runtime.GC()
	before := liveHeap()
	var most atomic.Uint64
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			default:
				most.Store(max(most.Load(), liveHeap()))
				time.Sleep(100 * time.Microsecond)
			}
		}
	}()
	_, err = wirekit.Chooser{Precision: measure}.Choose(t.Context(), v)
	close(done)
	<-stopped
	require.NoError(t, err)
	runtime.KeepAlive(v)
	fmt.Printf("\nchild: %.3f\n", float64(most.Load()-min(most.Load(), before))/float64(length))
}

func liveHeap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestFirstChoice: the first choice of a program, which loads the vocabulary, allocates
// at most 6 MiB: the vocabulary as it is kept, and no table of its 200,000 tokens beside it.
func TestFirstChoice(t *testing.T) {
	if testing.Short() || resident.RaceEnabled {
		t.Skip("runs without -short and without the race detector: it measures in a child process")
	}
	if os.Getenv(childVariable) != "" {
		rows := json.RawMessage(sample.Rows(20))
		fmt.Printf("\nchild: %d\n", growth.Allocated(func() {
			_, err := wirekit.Choose(t.Context(), rows)
			require.NoError(t, err)
		}))
		return
	}
	var bytes int
	_, err := fmt.Sscan(inChild(t, "first"), &bytes)
	require.NoError(t, err)
	t.Logf("%d bytes", bytes)
	require.Less(t, bytes, 6<<20)
}
