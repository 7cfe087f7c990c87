package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writeLog writes log records as JSON Lines until they have that many bytes.
func writeLog(w io.Writer, size int) error {
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[rnd.IntN(len(words))] }
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	var line []byte
	for n := 0; n < size; n += len(line) {
		at = at.Add(time.Duration(rnd.IntN(20)) * time.Millisecond)
		line = fmt.Appendf(line[:0], `{"ts":"%s","level":"%s","service":"%s","host":"node-%d","pid":%d,"request_id":"%016x%016x","method":"%s","path":"/v1/orders/%d/items","status":%s,"duration_ms":%s,"bytes":%d,"msg":"%s"}`+"\n",
			at.Format("2006-01-02T15:04:05.000Z"), pick("info", "info", "info", "warn", "error"), pick("api", "worker", "gateway"),
			rnd.IntN(40), rnd.IntN(30_000), rnd.Uint64(), rnd.Uint64(), pick("GET", "POST"), rnd.IntN(1e6), pick("200", "200", "404", "500"),
			strconv.FormatFloat(float64(1000+rnd.IntN(999_000))/1000, 'f', -1, 64), rnd.IntN(100_000),
			pick("request handled", "cache miss", "connection reset by peer", `user \"ada\" logged in`, "slow query: SELECT * FROM orders WHERE id = $1"))
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

const (
	logBytes    = 8 << 20 // in an ordinary run
	soakedBytes = 1 << 30 // with WIREKIT_SOAK
	logSpeed    = 150e6   // bytes of JSON Lines a second of one core, each way
	logMemory   = 64 << 20
)

// TestLogs converts a log of JSON Lines to GCF and back on one core and on several,
// with the same bytes and in little memory. With WIREKIT_SOAK it has a gigabyte and a
// speed to keep, in time of the processor, so that a loaded machine does not matter.
func TestLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: with the race detector it takes long")
	}
	if inOwnProcess(t) {
		return
	}
	soak := os.Getenv("WIREKIT_SOAK") != ""
	size := logBytes
	if soak {
		size = soakedBytes
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "log.jsonl")
	f, err := os.Create(name)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	require.NoError(t, writeLog(w, size))
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())

	packed, back := filepath.Join(dir, "log.gcf"), filepath.Join(dir, "back.jsonl")
	together, backTogether := filepath.Join(dir, "log4.gcf"), filepath.Join(dir, "back4.jsonl")
	for _, way := range []struct {
		what, in, out, to string
		cores             int
	}{
		{"to GCF", name, packed, "gcf", 1}, {"and back", packed, back, "jsonl", 1},
		{"to GCF on 4 cores", name, together, "gcf", 4}, {"and back on 4 cores", together, backTogether, "jsonl", 4},
	} {
		out, err := os.Create(way.out)
		require.NoError(t, err)
		cmd := exec.Command("wirekit", "convert", "--stream", "-t", way.to, way.in)
		cmd.Stdout, cmd.Stderr = out, os.Stderr
		cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", way.cores))
		require.NoError(t, cmd.Run())
		require.NoError(t, out.Close())
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		speed, memory := float64(size)/took.Seconds(), int64(usage.Maxrss)<<10
		t.Logf("%s: %d MB of JSON Lines, %.0f MB/s of processor time, %.1f MB of memory", way.what, size>>20, speed/1e6, float64(memory)/1e6)
		require.Less(t, memory, int64(logMemory), way.what)
		if soak && way.cores == 1 {
			require.GreaterOrEqual(t, speed, logSpeed, way.what)
		}
	}
	require.Equal(t, fileSum(t, name), fileSum(t, back))
	require.Equal(t, fileSum(t, packed), fileSum(t, together))
	require.Equal(t, fileSum(t, name), fileSum(t, backTogether))
}

func fileSum(t *testing.T, name string) string {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	require.NoError(t, err)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// inOwnProcess runs the test in a process of its own, unless this is that process. What
// a program had in memory at most counts what the one that started it had, which is much
// after other tests.
func inOwnProcess(t *testing.T) (ran bool) {
	const child = "WIREKIT_OWN_PROCESS"
	if os.Getenv(child) != "" {
		return false
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	cmd.Env = append(os.Environ(), child+"=1")
	if testing.Short() {
		cmd.Args = append(cmd.Args, "-test.short")
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	return true
}
