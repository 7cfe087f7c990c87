package growth

import (
	"time"

	"golang.org/x/sys/unix"
)

var began = time.Now()

// clock returns the processor time that the thread has taken. The times of getrusage(2)
// go by the scheduler's ticks, of some milliseconds; these do not.
func clock() time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		return time.Since(began)
	}
	return time.Duration(at.Nano())
}
