package serving

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAllowed(t *testing.T) {
	known := func(origin string) bool { return origin == "http://a" }
	for _, c := range []struct {
		host    string
		local   bool
		origins []string
		want    bool
	}{
		{"localhost:80", true, nil, true},
		{"127.0.0.9", true, nil, true},
		{"[::1]:80", true, nil, true},
		{"evil.example", true, nil, false},
		{"localhost.evil.example", true, nil, false},
		{"evil.example", false, nil, true},
		{"localhost", true, []string{"http://a"}, true},
		{"localhost", true, []string{"http://a", "http://b"}, false},
		{"localhost", false, []string{""}, false},
	} {
		r := &http.Request{Host: c.host, Header: http.Header{"Origin": c.origins}}
		require.Equal(t, c.want, Allowed(r, c.local, known), "%+v", c)
	}
}

func TestTimes(t *testing.T) {
	var h Times
	for _, d := range []time.Duration{time.Millisecond, 2 * time.Millisecond, time.Minute} {
		h.Observe(d)
	}
	var text strings.Builder
	h.Write(&text, "x_seconds", "Times.")
	require.Equal(t, `# HELP x_seconds Times.
# TYPE x_seconds histogram
x_seconds_bucket{le="0.0001"} 0
x_seconds_bucket{le="0.001"} 1
x_seconds_bucket{le="0.01"} 2
x_seconds_bucket{le="0.1"} 2
x_seconds_bucket{le="1"} 2
x_seconds_bucket{le="+Inf"} 3
x_seconds_sum 60.003
x_seconds_count 3
`, text.String())
	text.Reset()
	WriteCounter(&text, "y_total", "Ys.", 4)
	require.Equal(t, "# HELP y_total Ys.\n# TYPE y_total counter\ny_total 4\n", text.String())
}
