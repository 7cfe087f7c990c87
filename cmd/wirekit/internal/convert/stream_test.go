package convert

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgress: how much of a file has been read, and how long the rest takes.
func TestProgress(t *testing.T) {
	r := &readBytes{Reader: strings.NewReader(strings.Repeat("x", 100)), size: 400}
	require.Empty(t, r.left(time.Second))
	_, err := io.Copy(io.Discard, r)
	require.NoError(t, err)
	require.Equal(t, ", 25 %, 6s left", r.left(2*time.Second))
	r.size = 0
	require.Empty(t, r.left(time.Second))
}
