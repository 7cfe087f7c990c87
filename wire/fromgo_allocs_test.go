//go:build !race && !wirekitdebug

package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// With the race detector or the tag wirekitdebug, memory is not used again but poisoned.
func TestWithFromGoAllocations(t *testing.T) {
	rows, _ := tableRows(t, 1000)
	row := &rows[0]
	for _, v := range []any{rows, row} {
		run := func() {
			if err := wire.WithFromGo(v, func(wire.Value) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		run()
		// The least of a few: a collection may empty the pool at any time.
		least := testing.AllocsPerRun(50, run)
		for range 4 {
			least = min(least, testing.AllocsPerRun(50, run))
		}
		require.LessOrEqual(t, least, 2.0, "%T", v)
	}
}
