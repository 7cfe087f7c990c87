// Package trials is a test kit that says how often a test tries random data.
package trials

import (
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/resident"
)

// Of returns how many of n trials a test makes: all of them when the whole tests are
// run, an eighth of them with -short, and a twentieth with the race detector, which is
// slow and finds what it looks for in the first that start goroutines.
func Of(n int) int {
	switch {
	case resident.RaceEnabled:
		return (n + 19) / 20
	case testing.Short():
		return (n + 7) / 8
	}
	return n
}

// OneGoroutine skips a test that starts no goroutine and takes long with the race
// detector.
func OneGoroutine(t testing.TB) {
	t.Helper()
	if resident.RaceEnabled {
		t.Skip("runs without the race detector: it starts no goroutine, and is slow with it")
	}
}
