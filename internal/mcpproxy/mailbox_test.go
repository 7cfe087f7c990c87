package mcpproxy

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGoneClient: what comes after a client has gone is for the next one.
func TestGoneClient(t *testing.T) {
	box := newMailbox(1 << 20)
	for _, message := range []string{"m0", "m1", "m2"} {
		box.put([]byte(message))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stream(ctx, httptest.NewRecorder(), nil, box)
	message, _ := box.take()
	require.Equal(t, "m0", string(message))
}
