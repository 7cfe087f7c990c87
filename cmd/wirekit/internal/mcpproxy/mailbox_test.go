package mcpproxy

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGoneClient: what comes after a client has gone is for the next one.
func TestGoneClient(t *testing.T) {
	box := newMailbox(1<<20, true)
	for _, message := range []string{"m0", "m1", "m2"} {
		box.put([]byte(message))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stream(ctx, httptest.NewRecorder(), nil, box)
	message, _ := box.take()
	require.Equal(t, "m0", string(message))
}

// TestBrokenConnection: a message that cannot be written any more is for the next client,
// before those after it.
func TestBrokenConnection(t *testing.T) {
	for _, broken := range []brokenWriter{{write: io.ErrClosedPipe}, {flush: io.ErrClosedPipe}} {
		box := newMailbox(1<<20, true)
		box.put([]byte("m0"))
		box.put([]byte("m1"))
		broken.ResponseWriter = httptest.NewRecorder()
		box.close()
		stream(t.Context(), broken, nil, box)
		for _, want := range []string{"m0", "m1"} {
			message, _ := box.take()
			require.Equal(t, want, string(message))
		}
		require.Zero(t, box.size)
	}
}

// A brokenWriter is that of a connection that has broken.
type brokenWriter struct {
	http.ResponseWriter
	write, flush error
}

func (w brokenWriter) Write(p []byte) (int, error) { return len(p), w.write }

func (w brokenWriter) FlushError() error { return w.flush }
