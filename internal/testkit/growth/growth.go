// Package growth tests that time and memory grow no faster than the input.
//
// What it measures are ratios between n, 2n, 4n and 8n in one run, of the best
// of several runs each, in processor time where the system tells it: a loaded
// machine makes every size slower, and a fault shows as a factor of 64, not of
// 8. Bytes allocated are exact on any machine. What grows too fast in calls in a row is
// measured again in calls that find the pools empty: what is kept between calls is
// bounded, so that small ones may find all they need, and large ones never do. What a
// single call takes is held to bounds by the same clocks.
package growth

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/wirekit/wirekit/internal/testkit/resident"
)

const (
	// timeExponent and byteExponent are what n may be raised to: 1 for linear
	// growth, 2 for quadratic. Between them lies what caches and the collector
	// do to time, and buffers that double to bytes.
	timeExponent = 1.7
	byteExponent = 1.4
	attempts     = 8
	// enough is how long one measurement lasts at least, in runs together.
	enough = time.Millisecond
	// mostHeap is up to where nothing is collected during a measurement.
	mostHeap = 1 << 30
	// slack is what may be allocated at any size: tables and buffers.
	slack = 64 << 10
	// timeSlack is what new pages and the collector may take at any size.
	timeSlack = float64(5 * time.Microsecond)
	// raceTime is what the race detector may take for a byte that is allocated: what it
	// remembers of a large piece of memory it maps anew, page by page.
	raceTime = float64(20 * time.Nanosecond)
	// larger is by how much the larger of two inputs is larger.
	larger = 8
)

// Linear fails the test if run takes more time or allocates more bytes than in
// proportion to n. prepare makes the input of size n, which does not count, and
// returns what is measured. n is in the caller's unit; it is well chosen if a
// run at n takes between 20 microseconds and 20 milliseconds.
func Linear(t testing.TB, n int, prepare func(n int) (run func())) {
	t.Helper()
	if steeper := Steeper(n, prepare); steeper != "" {
		t.Errorf("%s", steeper)
	}
}

// Steeper says what Linear fails for; "" if it does not.
func Steeper(n int, prepare func(n int) (run func())) string {
	small, large := prepare(n), prepare(n*larger)
	first, last, measured := worst, worst, point.inARow
	for i := range attempts {
		if i == attempts/2 {
			first, last, measured = worst, worst, point.alone
		}
		first, last = measured(first, small), measured(last, large)
		if steep(first, last) == "" {
			return ""
		}
	}
	return fmt.Sprintf("the %s grows faster than the input:\n\tn = %8d: %s\n\tn = %8d: %s", steep(first, last), n, first, n*larger, last)
}

// A point is what one run takes.
type point struct{ time, bytes float64 } // nanoseconds, bytes allocated

func (p point) String() string {
	return fmt.Sprintf("%14v, %14.0f bytes", time.Duration(p.time), p.bytes)
}

// worst is what any run betters.
var worst = point{time: math.Inf(1), bytes: math.Inf(1)}

// inARow returns the better of p and what a run takes of many, one after the other:
// until the clock has something to show.
func (p point) inARow(run func()) point {
	defer undisturbed()()
	p.bytes = min(p.bytes, float64(Allocated(run)))
	start := clock()
	for n := 1; ; n++ {
		run()
		if spent := clock() - start; spent >= enough {
			p.time = min(p.time, float64(spent)/float64(n))
			return p
		}
	}
}

// alone returns the better of p and what a run takes that finds the pools empty.
func (p point) alone(run func()) point {
	defer undisturbed()()
	emptyPools()
	p.bytes = min(p.bytes, float64(Allocated(run)))
	emptyPools()
	start := clock()
	run()
	p.time = min(p.time, float64(clock()-start))
	return p
}

// undisturbed begins a measurement and returns what ends it. In between the collector,
// which takes its share of the calls that allocate, waits.
func undisturbed() (end func()) {
	runtime.LockOSThread()
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(mostHeap)
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
		runtime.UnlockOSThread()
	}
}

// emptyPools drops what is kept between calls.
func emptyPools() {
	runtime.GC() // the first collection sets aside what a sync.Pool holds,
	runtime.GC() // the second frees it
}

// steep says what grows too fast; "" if nothing does.
func steep(first, last point) string {
	most := func(exponent float64) float64 { return math.Pow(larger, exponent) }
	mostTime := most(timeExponent) * (first.time + timeSlack)
	if resident.RaceEnabled {
		mostTime += raceTime * last.bytes
	}
	switch {
	case last.time > mostTime:
		return "time"
	case last.bytes > most(byteExponent)*(first.bytes+slack):
		return "memory"
	}
	return ""
}

// again is how often a bound may be missed. What is measured is the least that a call
// takes: a collection may empty a pool at any time, the runtime allocates now and then
// as well, and under the race detector a pool forgets every fourth thing.
const again = 20

// bounded fails the test with the message if what is measured is above most every time.
func bounded[T cmp.Ordered](t testing.TB, times int, most T, message string, measure func() T) {
	t.Helper()
	least := measure()
	for n := 1; n < times && least > most; n++ {
		least = min(least, measure())
	}
	if least > most {
		t.Errorf(message, least, most)
	}
}

// Allocs fails the test if run, once it has been run, makes more allocations than most
// every time.
func Allocs(t testing.TB, most float64, run func()) {
	t.Helper()
	bounded(t, again, most, "it makes %v allocations, %v are allowed", func() float64 { return testing.AllocsPerRun(1, run) })
}

// Bytes fails the test if run allocates more than most bytes every time.
func Bytes(t testing.TB, most uint64, run func()) {
	t.Helper()
	bounded(t, again, most, "it allocates %d bytes, %d are allowed", func() uint64 { return Allocated(run) })
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
	bounded(t, 3, limit, "it takes %v, %v are allowed", func() time.Duration { return Spent(run) })
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
