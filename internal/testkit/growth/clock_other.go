//go:build !linux

package growth

import "time"

var began = time.Now()

// clock returns the time that has passed.
func clock() time.Duration { return time.Since(began) }

func processClock() time.Duration { return time.Since(began) }
