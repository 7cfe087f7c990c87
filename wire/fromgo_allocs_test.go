//go:build !race && !wirekitdebug

package wire_test

import (
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// With the race detector or the tag wirekitdebug, memory is not reused but poisoned.
func TestViewGoAllocations(t *testing.T) {
	rows, _ := tableRows(t, 1000)
	row := &rows[0]
	for _, v := range []any{rows, row} {
		growth.Allocs(t, 2, func() {
			if err := wire.Internal.ViewGo(v, func(wire.Value) error { return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
}
