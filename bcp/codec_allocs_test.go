//go:build !race && !wirekitdebug

package bcp

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// TestRecordsAllocate: a record that passes through leaves its block's body, and no more.
func TestRecordsAllocate(t *testing.T) {
	const n = 1000
	var out bytes.Buffer
	w, err := Codec{}.NewRecordWriter(&out, nil)
	require.NoError(t, err)
	for range n {
		require.NoError(t, w.Write(parse(t, `{"id":1,"name":"some name","tags":["x","y",{"z":[1,2,3]}]}`)))
	}
	require.NoError(t, w.Close())
	allocs := testing.AllocsPerRun(5, func() {
		for _, err := range wire.ViewRecords(Codec{}, bytes.NewReader(out.Bytes())) {
			require.NoError(t, err)
		}
	})
	require.LessOrEqual(t, allocs, 1.5*n)
}
