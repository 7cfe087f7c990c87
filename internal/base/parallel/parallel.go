// Package parallel spreads work over goroutines.
package parallel

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// Each calls do with the numbers below n, from so many goroutines, the caller's
// among them, which are numbered from 0. One whose call fails takes no further
// number; the error returned is one of them.
func Each(workers, n int, do func(worker, i int) error) error {
	errs := make([]error, max(workers, 1))
	var next atomic.Int64
	work := func(worker int) {
		for i := int(next.Add(1)) - 1; i < n && errs[worker] == nil; i = int(next.Add(1)) - 1 {
			errs[worker] = do(worker, i)
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < min(workers, n); worker++ {
		others.Go(func() { work(worker) })
	}
	work(0)
	others.Wait()
	return cmp.Or(errs...)
}
