package mcpproxy

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongFirstLine: an event that is too long passes to its end, wherever the pieces of
// its lines begin.
func TestLongFirstLine(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		for n := 64<<10 - 4; n <= 64<<10+4; n++ {
			for _, most := range []int{1 << 10, 64 << 10, 64<<10 + 2} {
				text := strings.Repeat("x", n) + end + "data: {}" + end + end
				in := newEvents(io.NopCloser(strings.NewReader(text+"data: 1\n\n")), most, func([]byte) []byte { return []byte("changed") })
				out, err := io.ReadAll(in)
				require.NoError(t, err)
				require.True(t, string(out) == text+"data: changed\n\n", "a line of %d bytes, %q", n, end)
			}
		}
	}
}
