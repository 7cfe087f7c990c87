package blob

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/wirekit/wirekit/wire"
	"gocloud.dev/gcerrors"
)

// Retry says how requests to a bucket are tried again that failed for a reason that
// may pass: not one that was refused, and not one whose object is missing. The zero
// Retry is ready.
type Retry struct {
	// Attempts bounds how often a request is made; 0 means 6, 1 that nothing is tried
	// again.
	Attempts int
	// Wait is the mean time before the second attempt; it doubles with each further
	// one, up to MaxWait. 0 means 50 ms.
	Wait time.Duration
	// MaxWait bounds Wait's growth; 0 means 5 s.
	MaxWait time.Duration
	// Timeout bounds each attempt, the transfer of the content included. 0 means
	// that one takes as long as the driver and the context let it: without either, an
	// attempt on a bucket that hangs does not end.
	Timeout time.Duration
}

// do calls attempt until it succeeds, fails for good, has failed often enough, or
// the context ends, whose error is then the result.
func (r Retry) do(ctx context.Context, attempt func(context.Context) error) error {
	attempts := cmp.Or(max(r.Attempts, 0), 6)
	wait := cmp.Or(max(r.Wait, 0), 50*time.Millisecond)
	for n := 1; ; n++ {
		err := r.within(ctx, attempt)
		if ended := ctx.Err(); err != nil && ended != nil {
			return ended
		}
		if err == nil || n == attempts || !passing(err) {
			return err
		}
		// Half of the mean to three halves: writers that met do not meet again.
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait/2 + rand.N(wait)):
		}
		wait = min(2*wait, cmp.Or(max(r.MaxWait, 0), 5*time.Second))
	}
}

// within makes an attempt, which ends after Timeout.
func (r Retry) within(ctx context.Context, attempt func(context.Context) error) error {
	if r.Timeout <= 0 {
		return attempt(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	return attempt(ctx)
}

// passing reports whether the reason of an error may pass.
func passing(err error) bool {
	var own *wire.Error
	if errors.As(err, &own) {
		return false
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.AlreadyExists, gcerrors.InvalidArgument, gcerrors.Unimplemented,
		gcerrors.FailedPrecondition, gcerrors.PermissionDenied:
		return false
	}
	return true
}
