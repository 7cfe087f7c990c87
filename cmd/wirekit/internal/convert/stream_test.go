package convert

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgress: how much of a file has been read, and how long the rest takes.
func TestProgress(t *testing.T) {
	require.Empty(t, left(0, 400, time.Second))
	require.Equal(t, ", 25 %, 6s left", left(100, 400, 2*time.Second))
	require.Empty(t, left(100, 0, time.Second))
}
