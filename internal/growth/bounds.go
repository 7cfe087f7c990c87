package growth

import (
	"math"
	"runtime"
	"testing"
	"time"
)

// again is how often a bound may be missed. What is measured is the least that a call
// takes: a collection may empty a pool at any time, the runtime allocates now and then
// as well, and under the race detector a pool forgets every fourth thing.
const again = 20

// Allocs fails the test if run, once it has been run, makes more allocations than most
// every time.
func Allocs(t testing.TB, most float64, run func()) {
	t.Helper()
	fewest := math.Inf(1)
	for range again {
		if fewest = min(fewest, testing.AllocsPerRun(1, run)); fewest <= most {
			return
		}
	}
	t.Errorf("it makes %v allocations, %v are allowed", fewest, most)
}

// Bytes fails the test if run allocates more than most bytes every time.
func Bytes(t testing.TB, most uint64, run func()) {
	t.Helper()
	fewest := uint64(math.MaxUint64)
	for range again {
		if fewest = min(fewest, Allocated(run)); fewest <= most {
			return
		}
	}
	t.Errorf("it allocates %d bytes, %d are allowed", fewest, most)
}

// Allocated returns how many bytes run allocates, with what else is done meanwhile.
func Allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Within fails the test if run takes longer than limit every time, in processor time
// where the system tells it. It is for what must be done at once and would take minutes
// with a fault. What is done on other goroutines does not count.
func Within(t testing.TB, limit time.Duration, run func()) {
	t.Helper()
	fastest := time.Duration(math.MaxInt64)
	for range 3 {
		if fastest = min(fastest, Spent(run)); fastest <= limit {
			return
		}
	}
	t.Errorf("it takes %v, %v are allowed", fastest, limit)
}

// Spent returns how long run takes, in processor time where the system tells it.
// What is done on other goroutines does not count.
func Spent(run func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := clock()
	run()
	return clock() - start
}

// Used is [Spent] with what is done on other goroutines, the collector's included.
func Used(run func()) time.Duration {
	start := processClock()
	run()
	return processClock() - start
}
