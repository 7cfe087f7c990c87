package mcpproxy

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/proxy/serving"
)

// TestDelay: attempts that bring nothing are further and further apart, whatever
// the server wants, and an event begins anew.
func TestDelay(t *testing.T) {
	for retry, want := range map[time.Duration][]time.Duration{
		0:                      {time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, retryMost, retryMost},
		time.Millisecond:       {100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond},
		20 * time.Second:       {20 * time.Second, retryMost},
		250 * time.Millisecond: {250 * time.Millisecond, 500 * time.Millisecond},
	} {
		p := place{retry: retry}
		for vain, d := range want {
			p.vain = vain
			require.Equal(t, d, p.delay())
		}
		p.vain = 1 << 20
		require.Equal(t, retryMost, p.delay())
	}
}

// TestPlace: a stream goes on after its last whole event.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		stream, last string
		vain         int
	}{
		{"", "0", 3},
		{": nothing\n\nretry: 7\n\n", "0", 3},
		{"id: 1\n", "0", 3},
		{"id: 1\ndata: {}", "0", 3},
		{"id: 1\n\n", "1", 0},
		{"id: 1\ndata:\n\nid: 2\ndata: x", "1", 0},
		{"data:\n\n", "0", 0},
		{"id: 1\r\n\r\ndata:\r\n\r\n", "1", 0},
	} {
		r := &remote{Remote: Remote{MaxLine: 1000, ErrorLog: serving.Silent}}
		at := place{last: "0", vain: 3}
		err := r.events(strings.NewReader(c.stream), &at, &call{})
		require.NoError(t, err)
		require.Equal(t, c.last, at.last, "%q", c.stream)
		require.Equal(t, c.vain, at.vain, "%q", c.stream)
	}
	at := place{last: "0"}
	err := (&remote{}).events(strings.NewReader("id: 1\ndata: "+strings.Repeat("x", 2000)+"\n\n"), &at, &call{})
	require.Error(t, err)
	require.Equal(t, "1", at.last, "what is refused is not asked for again")
}
