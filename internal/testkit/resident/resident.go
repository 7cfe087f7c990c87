// Package resident is a test kit that holds calls to the toolkit's rule of
// memory. It measures the peak of resident memory in a child process, so that
// neither other tests nor what the runtime kept of them counts.
package resident

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A Case is a call on some input.
type Case struct {
	Name string
	// Input makes the input, at most a megabyte. It does not count.
	Input func() []byte
	// Call is what is measured. It may fail: an error in time is a good answer.
	Call func(input []byte)
}

// At default limits no call may take more resident memory than Factor times its
// input and Base bytes.
const (
	Factor = 64
	Base   = 64 << 20
)

// childVariable is set in the environment of a child process.
const childVariable = "WIREKIT_RESIDENT_CHILD"

// abandoned is the exit code of a child that was stopped because its memory ran
// far beyond the rule.
const abandoned = 86

// Check runs each case in a process of its own and fails where the peak of its
// resident memory exceeds the rule. It runs the test binary again, with only the
// calling subtest, so it must be reached in the same way in every process: call
// it from a test function or a subtest directly, before anything expensive. It
// skips with -short, under the race detector and where the system does not tell
// the peak (/proc/self/status).
func Check(t *testing.T, cases ...Case) {
	t.Helper()
	child := os.Getenv(childVariable) != ""
	switch {
	case child:
	case testing.Short():
		t.Skip("runs without -short: it measures resident memory")
	case RaceEnabled:
		t.Skip("runs without the race detector, which takes memory of its own")
	case peak() == 0:
		t.Skip("runs where /proc/self/status has the peak of resident memory: on Linux")
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if child {
				runChild(c)
			} else {
				measureChild(t)
			}
		})
	}
}

var reported = regexp.MustCompile(`resident: input ([0-9]+) took ([0-9]+)`)

// measureChild runs the test in a process of its own and judges what it reports.
func measureChild(t *testing.T) {
	t.Helper()
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(t.Name()), "/", "$/^") + "$"
	cmd := exec.Command(os.Args[0], "-test.run="+pattern, "-test.count=1", "-test.v")
	cmd.Env = append(os.Environ(), childVariable+"=1")
	out, err := cmd.CombinedOutput()
	found := reported.FindSubmatch(out)
	if found == nil || err != nil && cmd.ProcessState.ExitCode() != abandoned {
		t.Fatalf("the child process did not measure: %v\n%s", err, out)
	}
	length, _ := strconv.Atoi(string(found[1]))
	took, _ := strconv.Atoi(string(found[2]))
	mib := func(n int) float64 { return float64(n) / (1 << 20) }
	message := fmt.Sprintf("%d bytes of input took %.1f MiB of memory, %.1f MiB are allowed", length, mib(took), mib(Allowed(length)))
	if took > Allowed(length) {
		t.Fatal(message)
	}
	t.Log(message)
}

func runChild(c Case) {
	input := c.Input()
	report := func(took int) { fmt.Printf("resident: input %d took %d\n", len(input), took) }
	report(Peak(Allowed(len(input)), func() { c.Call(input) }, report))
	runtime.KeepAlive(input)
}

// Allowed is the memory that a call may take for an input of n bytes.
func Allowed(n int) int { return Factor*n + Base }

// again is how often Peak measures what took more than is allowed once more.
const again = 4

// Peak returns by how much call raises the peak of the process's resident memory, 0
// where the system does not report it. If that is more than is allowed, it may be garbage that
// the collector was late to free, so call runs again, a few times at most, with a quarter of it
// as the soft memory limit, which keeps the collector at work. If it is far more, abandon is
// called, and the process ends: a call that runs away must not take the machine with it.
func Peak(allowed int, call func(), abandon func(took int)) int {
	debug.FreeOSMemory()
	resetPeak()
	before := peak()
	done := make(chan struct{})
	defer close(done)
	go func() {
		for tick := time.Tick(5 * time.Millisecond); ; {
			select {
			case <-done:
				return
			case <-tick:
				if took := peak() - before; took > 2*allowed+1<<28 {
					abandon(took)
					os.Exit(abandoned)
				}
			}
		}
	}()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	call()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for n := 0; n < again && peak()-before > allowed; n++ {
		debug.SetMemoryLimit(int64(now.Sys-now.HeapReleased) + int64(allowed/4))
		debug.FreeOSMemory()
		resetPeak()
		call()
	}
	return max(0, peak()-before)
}

// peak returns the largest resident memory that the process had since
// resetPeak, 0 where the system does not tell.
func peak() int {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.Atoi(number)
	return kib << 10
}

// resetPeak makes the peak what is resident now, where the system can.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) }
