package md

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/resident"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

// TestEncodeAllocates: encoding into a buffer that is long enough allocates nothing.
func TestEncodeAllocates(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, under which pools forget at random")
	}
	rows, err := wire.ParseJSON(sample.Rows(100))
	require.NoError(t, err)
	var text []byte
	encode := func() { text, err = Codec{}.AppendEncode(text[:0], rows) }
	encode()
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(100, encode))
}
