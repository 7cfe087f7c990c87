package wirekit

import (
	"runtime"

	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/wire"
)

// leastBackground is the length of JSON from which on work is done in the background: to
// wake another core, which may be asleep, takes as long as checking some ten kilobytes.
const leastBackground = 64 << 10

// A job is work that another core does while the selection goes on. What it
// needs must not change, and what it finds must not be looked at, before join.
type job struct {
	done   chan struct{}
	failed any // what it panicked with
}

// start begins f on another core, and returns nil if there is none.
func (k *selection) start(f func()) *job {
	if len(k.text) < leastBackground || !k.usual || runtime.GOMAXPROCS(0) < 2 {
		return nil
	}
	j := &job{done: make(chan struct{})}
	go func() {
		defer close(j.done)
		defer func() { j.failed = recover() }()
		f()
	}()
	return j
}

// join waits for the work. Its panic is the caller's.
func (j *job) join() {
	if j == nil {
		return
	}
	<-j.done
	if j.failed != nil {
		panic(j.failed)
	}
}

// leave waits for the work that no one has joined, when the selection ends.
func (k *selection) leave() {
	for _, j := range [...]*job{k.counting, k.checking} {
		if j != nil {
			<-j.done
		}
	}
}

// countInBackground begins to count JSON, unless it will do to prove that it has more
// tokens than the answer.
func (k *selection) countInBackground() {
	if k.Precision == PrecisionSampled {
		return
	}
	k.counting = k.start(func() {
		k.counted, k.countErr = k.counter.Count(k.text)
	})
}

// countedInBackground waits for the count of JSON, and reports whether there is one.
func (k *selection) countedInBackground() (bool, error) {
	if k.counting == nil {
		return false, nil
	}
	if k.counting.join(); k.countErr != nil {
		return false, k.uncounted(k.countErr)
	}
	k.json.measured(k.counted)
	return true, k.ctx.Err()
}

// checkInBackground begins to decode a text of e, which must stay, and to compare.
func (k *selection) checkInBackground(e *candidate, text []byte) {
	k.checking = k.start(func() { k.checked = k.check(e, text) })
	k.checkedOf = e
}

// A check is what became of a text that was decoded again.
type check struct {
	loss wire.Loss
	path string
	err  error
}

// check decodes a text of e and compares.
func (k *selection) check(e *candidate, text []byte) (c check) {
	c.err = wire.View(limited(e.codec, k.Limits), text, func(back wire.Value) error {
		if c.loss, c.path = wire.Difference(k.value, back); k.counts(c.loss) != 0 && !k.Exact {
			c.loss, c.path = wire.Internal.DifferenceBeyond(measure.BeyondJSON, k.value, back)
		}
		return nil
	})
	return c
}
