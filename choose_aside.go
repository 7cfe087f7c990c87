package wirekit

import (
	"runtime"

	"github.com/wirekit/wirekit/internal/measure"
	"github.com/wirekit/wirekit/wire"
)

// leastAside is the length of JSON from which on work is done aside: to wake another
// core, which may be asleep, takes as long as checking some ten kilobytes.
const leastAside = 64 << 10

// An aside is work that another core does while the contest goes on. What it
// needs must not change, and what it finds must not be looked at, before join.
type aside struct {
	done   chan struct{}
	failed any // what it panicked with
}

// start begins f on another core, and returns nil if there is none.
func (k *contest) start(f func()) *aside {
	if len(k.text) < leastAside || !k.usual || runtime.GOMAXPROCS(0) < 2 {
		return nil
	}
	a := &aside{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		defer func() { a.failed = recover() }()
		f()
	}()
	return a
}

// join waits for the work. Its panic is the caller's.
func (a *aside) join() {
	if a == nil {
		return
	}
	<-a.done
	if a.failed != nil {
		panic(a.failed)
	}
}

// leave waits for the work that no one has joined, when the contest ends.
func (k *contest) leave() {
	for _, a := range [...]*aside{k.counting, k.checking} {
		if a != nil {
			<-a.done
		}
	}
}

// countAside begins to count JSON, unless it will do to prove that it has more tokens
// than the answer.
func (k *contest) countAside() {
	if k.Precision == PrecisionSampled {
		return
	}
	k.counting = k.start(func() {
		k.counted, k.countErr = k.counter.Count(k.text)
	})
}

// countedAside waits for the count of JSON, and reports whether there is one.
func (k *contest) countedAside() (bool, error) {
	if k.counting == nil {
		return false, nil
	}
	if k.counting.join(); k.countErr != nil {
		return false, k.uncounted(k.countErr)
	}
	k.json.measured(k.counted)
	return true, k.ctx.Err()
}

// checkAside begins to decode a text of e, which must stay, and to compare.
func (k *contest) checkAside(e *entrant, text []byte) {
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
func (k *contest) check(e *entrant, text []byte) (c check) {
	c.err = wire.View(limited(e.codec, k.Limits), text, func(back wire.Value) error {
		if c.loss, c.path = wire.Difference(k.value, back); k.counts(c.loss) != 0 && !k.Exact {
			c.loss, c.path = wire.Internal.DifferenceBeyond(measure.BeyondJSON, k.value, back)
		}
		return nil
	})
	return c
}
