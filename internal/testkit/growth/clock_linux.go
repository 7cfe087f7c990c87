package growth

import (
	"time"

	"golang.org/x/sys/unix"
)

var began = time.Now()

// clock returns the processor time that the thread has taken. The times of getrusage(2)
// go by the scheduler's ticks, of some milliseconds; these do not.
func clock() time.Duration { return clockOf(unix.CLOCK_THREAD_CPUTIME_ID) }

// processClock returns the processor time that the whole process has taken.
func processClock() time.Duration { return clockOf(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clockOf(id int32) time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(id, &at); err != nil {
		return time.Since(began)
	}
	return time.Duration(at.Nano())
}
