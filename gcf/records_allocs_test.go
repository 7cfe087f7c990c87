//go:build !race && !wirekitdebug

package gcf_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// TestRecordsAllocate: a record that passes through, and what is attached to it, leave nothing.
func TestRecordsAllocate(t *testing.T) {
	const n = 1000
	record := mustParse(t, `{"id":1,"name":"some name","rows":[{"x":1,"y":2},{"x":3,"y":4}],"place":{"hall":7}}`)
	stream := streamOf(t, record, n)
	allocs := testing.AllocsPerRun(5, func() {
		for _, err := range wire.ViewRecords(gcf.Codec{}, bytes.NewReader(stream)) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	require.Less(t, allocs, 0.2*n)
}
