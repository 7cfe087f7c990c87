package growth

import (
	"syscall"
	"time"
)

// rusageThread asks for the calling thread's times (getrusage(2)).
const rusageThread = 1

var began = time.Now()

// clock returns the processor time that the thread has taken.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		return time.Since(began)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
