package mcpproxy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/mcp"
)

// spawn serves a server of a kind over HTTP and returns the address.
func spawn(t *testing.T, kind string, change func(*mcpproxy.Spawner)) string {
	t.Helper()
	t.Setenv(serverVariable, kind)
	self, err := os.Executable()
	require.NoError(t, err)
	s := &mcpproxy.Spawner{Args: []string{self}, Rewriter: &mcp.Rewriter{Formats: []string{"gcx"}}, Stderr: os.Stderr,
		Grace: 100 * time.Millisecond}
	if change != nil {
		change(s)
	}
	metrics := &mcpproxy.Metrics{}
	s.Rewriter.Observe = metrics.Observe
	front := httptest.NewServer(mcpproxy.Guard{Handler: s, Local: true, Metrics: metrics})
	t.Cleanup(func() {
		front.CloseClientConnections()
		require.NoError(t, s.Close())
		front.Close()
	})
	return front.URL
}

const (
	beginning   = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`
	alone       = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"t","arguments":{"rows":%d},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"%s}}}`
	versionless = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"t","arguments":{"rows":%d}}}`
)

// begin begins a session.
func begin(t *testing.T, address string) string {
	t.Helper()
	r := post(t, address, beginning)
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Contains(t, all(t, r), `"id":0`)
	return r.Header.Get("Mcp-Session-Id")
}

func do(t *testing.T, method, address, session string) int {
	t.Helper()
	r, err := http.NewRequest(method, address, nil)
	require.NoError(t, err)
	r.Header.Set("Mcp-Session-Id", session)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	response.Body.Close()
	return response.StatusCode
}

// TestSpawnerSessions: each has a server of its own, until the client ends it.
func TestSpawnerSessions(t *testing.T) {
	address := spawn(t, "plain", func(s *mcpproxy.Spawner) { s.Sessions = 2 })
	one, other := begin(t, address), begin(t, address)
	require.NotEqual(t, one, other)
	r := post(t, address, beginning)
	require.Equal(t, http.StatusServiceUnavailable, r.StatusCode)
	require.Contains(t, all(t, r), "there are 2 sessions already")
	for _, session := range []string{one, other} {
		text := all(t, post(t, address, fmt.Sprintf(versionless, `"a"`, 50), "Mcp-Session-Id", session))
		id, _, format := textOf(t, text)
		require.Equal(t, `"a"`, id)
		require.Equal(t, "gcx", format)
	}
	require.Equal(t, http.StatusAccepted, post(t, address, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", one).StatusCode)
	require.Equal(t, http.StatusNoContent, do(t, http.MethodDelete, address, one))
	require.Eventually(t, func() bool { return do(t, http.MethodDelete, address, one) == http.StatusNotFound }, patience, 10*time.Millisecond)
	require.Equal(t, http.StatusNotFound, post(t, address, fmt.Sprintf(versionless, "1", 1), "Mcp-Session-Id", one).StatusCode)
	begin(t, address) // there is room again
	for _, c := range []struct {
		body    string
		headers []string
		status  int
	}{
		{fmt.Sprintf(versionless, "1", 1), nil, http.StatusBadRequest},
		{"not JSON", nil, http.StatusBadRequest},
		{"[" + beginning + "]", nil, http.StatusBadRequest},
		{`{"hello":1}`, nil, http.StatusBadRequest},
		{fmt.Sprintf(alone, "1", 1, ""), []string{"Mcp-Method", "tools/list"}, http.StatusBadRequest},
		{fmt.Sprintf(alone, "1", 1, ""), []string{"Mcp-Name", "other"}, http.StatusBadRequest},
		{fmt.Sprintf(alone, "1", 1, ""), []string{"Mcp-Name", "t", "Mcp-Method", "tools/call"}, http.StatusOK},
		{beginning, []string{"Origin", "https://evil.example"}, http.StatusForbidden},
		{beginning, []string{"Host", "evil.example"}, http.StatusForbidden},
	} {
		require.Equal(t, c.status, post(t, address, c.body, c.headers...).StatusCode, c.body)
	}
	require.Equal(t, http.StatusMethodNotAllowed, do(t, http.MethodGet, address, ""))
	require.Equal(t, http.StatusMethodNotAllowed, do(t, http.MethodPut, address, other))
}

// TestSpawnerRefuses: what is wrong with a request is said.
func TestSpawnerRefuses(t *testing.T) {
	address := spawn(t, "plain", nil)
	session := begin(t, address)
	request := fmt.Sprintf(versionless, "1", 1)
	version := func(words ...string) []string {
		headers := []string{"Mcp-Session-Id", session}
		for _, word := range words {
			headers = append(headers, "Mcp-Protocol-Version", word)
		}
		return headers
	}
	for _, c := range []struct {
		body    string
		headers []string
		want    string // empty: it is answered
	}{
		{request, version(), ""},
		{request, version("2025-03-26"), ""},
		{request, version("2024-11-05"), ""},
		{request, version("3000-01-01"), ""}, // which the server has named
		{request, version("1999-01-01"), "Mcp-Protocol-Version is one of 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, not \\\"1999-01-01\\\""},
		{request, version("2025-06-18 "), ""},
		{request, version("2025-06-1"), "Mcp-Protocol-Version"},
		{request, version("9999-99-99"), "Mcp-Protocol-Version"},
		{request, version("draft"), "Mcp-Protocol-Version"},
		{`{"jsonrpc":"2.0","method":"notifications/x"}`, version("1999-01-01"), "Mcp-Protocol-Version"},
		{beginning, []string{"Mcp-Protocol-Version", "1999-01-01"}, "Mcp-Protocol-Version"},
		{fmt.Sprintf(alone, "1", 1, ""), []string{"Mcp-Protocol-Version", "3000-01-01"}, "Mcp-Protocol-Version"},
		{fmt.Sprintf(alone, "1", 1, ""), []string{"Mcp-Protocol-Version", "2026-07-28"}, ""},
		{" [" + request + "]", version("2025-03-26"), "batches are not taken; send each message as a request of its own"},
		{"[]", version(), "batches"},
		{"{", version(), "not JSON"},
		{"", version(), "not JSON"},
		{`"hello"`, version(), "not a JSON-RPC message"},
		{request, append(version(), "Mcp-Method", "ping"), "Mcp-Method"},
	} {
		r := post(t, address, c.body, c.headers...)
		text := all(t, r)
		if c.want == "" {
			require.Equal(t, http.StatusOK, r.StatusCode, "%v: %s", c, text)
			continue
		}
		require.Equal(t, http.StatusBadRequest, r.StatusCode, "%v: %s", c, text)
		require.Contains(t, text, c.want)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		r, err := http.NewRequest(method, address, nil)
		require.NoError(t, err)
		r.Header = http.Header{"Mcp-Session-Id": {session}, "Mcp-Protocol-Version": {"1999-01-01"}}
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusBadRequest, answer.StatusCode)
	}
}

// TestSpawnerIdle: a silent session ends.
func TestSpawnerIdle(t *testing.T) {
	const idle = 50 * time.Millisecond
	address := spawn(t, "plain", func(s *mcpproxy.Spawner) { s.Idle = idle })
	var session string
	require.Eventually(t, func() bool { // on a busy machine it is silent for long before its first request
		r := post(t, address, beginning)
		session = r.Header.Get("Mcp-Session-Id")
		return r.StatusCode == http.StatusOK
	}, patience, time.Millisecond)
	require.Eventually(t, func() bool {
		r := post(t, address, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", session)
		return r.StatusCode == http.StatusNotFound
	}, patience, 4*idle)
}

// TestSpawnerShares: clients without sessions that use the same ids at the same
// time get their own answers, and long ones pass.
func TestSpawnerShares(t *testing.T) {
	address := spawn(t, "shuffle", nil)
	var wait sync.WaitGroup
	for i := range 1000 {
		wait.Go(func() {
			id := fmt.Sprint(i % 3)
			text := all(t, post(t, address, fmt.Sprintf(alone, id, 1+i%30, ""), "Accept", "application/json, text/event-stream"))
			for line := range strings.Lines(text) {
				if data, ok := strings.CutPrefix(line, "data: "); ok {
					text = data
				}
			}
			have, said, _ := textOf(t, text)
			require.Equal(t, id, have)
			require.Equal(t, 1+i%30, strings.Count(said, "12345678901234567890"))
		})
	}
	wait.Wait()
}

// TestSpawnerForgery: a request by which a client could name the request or the
// progress of another is refused where clients share a process.
func TestSpawnerForgery(t *testing.T) {
	address := spawn(t, "plain", nil)
	session := begin(t, address)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"Id":2,"method":"m","params":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"\u0049d":2,"method":"m","params":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"m","params":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","METHOD":"n","params":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","paramſ":{},"params":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `},"_META":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `},` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"a":2,` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `,"progressToken":2,"progressToken":2}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `,"progreſsToken":2}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `,"progressToKen":2}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + meta + `,"\u0050rogressToken":2}}}`,
	} {
		r := post(t, address, body, "Mcp-Protocol-Version", "2026-07-28")
		require.Equal(t, http.StatusBadRequest, r.StatusCode, body)
		require.Contains(t, all(t, r), `"error":`)
	}
	for _, body := range []string{ // what only resembles it, and what is further down
		`{"jsonrpc":"2.0","id":1,"Ident":2,"method":"tools/call","params":{"name":"t","Name":"u","arguments":{"Id":1,"a":1,"a":2},` + meta + `,"ProgressTokens":1}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"m"}`,
	} {
		require.Equal(t, http.StatusOK, post(t, address, body, "Mcp-Protocol-Version", "2026-07-28").StatusCode, body)
	}
	// A session has its process to itself.
	r := post(t, address, `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"a":2}}`, "Mcp-Session-Id", session)
	require.Equal(t, http.StatusOK, r.StatusCode)
}

// TestSpawnerIDs: the ids that the shared process is given are strings of
// their own, each with the randomness of a key.
func TestSpawnerIDs(t *testing.T) {
	address := spawn(t, "plain", nil)
	seen := make(map[string]bool)
	for range 5 {
		_, text, _ := textOf(t, all(t, post(t, address, fmt.Sprintf(alone, "1", 1, ""))))
		var rows []struct{ Request string }
		require.NoError(t, json.Unmarshal([]byte(text), &rows))
		require.Regexp(t, `^"[A-Z2-7]{26}"$`, rows[0].Request)
		require.False(t, seen[rows[0].Request])
		seen[rows[0].Request] = true
	}
}

// TestSpawnerStalls: a server that does not read its input does not make the proxy
// grow.
func TestSpawnerStalls(t *testing.T) {
	address := spawn(t, "stall", nil)
	session := begin(t, address)
	long := `{"jsonrpc":"2.0","method":"n","params":"` + strings.Repeat("x", 8<<20) + `"}`
	status := 0
	for n := 0; status != http.StatusServiceUnavailable; n++ {
		require.Less(t, n, 6)
		r := post(t, address, long, "Mcp-Session-Id", session)
		status = r.StatusCode
		require.Contains(t, []int{http.StatusAccepted, http.StatusServiceUnavailable}, status)
	}
}

// TestSpawnerLong: 20 MB pass.
func TestSpawnerLong(t *testing.T) {
	address := spawn(t, "plain", nil)
	body := fmt.Sprintf(alone, "1", 1, `,"x":"`+strings.Repeat("y", 20<<20)+`"`)
	body = strings.Replace(body, `"rows":1`, fmt.Sprintf(`"bytes":%d`, 20<<20), 1)
	require.Greater(t, len(all(t, post(t, address, body))), 20<<20)
	short := spawn(t, "plain", func(s *mcpproxy.Spawner) { s.MaxLine = 1 << 20 })
	require.Equal(t, http.StatusRequestEntityTooLarge, post(t, short, body).StatusCode)
}

// TestSpawnerServersThatMisbehave: every request has an answer.
func TestSpawnerServersThatMisbehave(t *testing.T) {
	for _, kind := range []string{"exit", "garbage"} {
		t.Run(kind, func(t *testing.T) {
			address := spawn(t, kind, nil)
			for _, body := range []string{beginning, fmt.Sprintf(alone, "0", 1, "")} {
				text := all(t, post(t, address, body))
				require.Contains(t, text, `"id":0,"error":`)
				require.Contains(t, text, "the server has ended")
			}
		})
	}
	t.Run("cannot be started", func(t *testing.T) {
		address := spawn(t, "plain", func(s *mcpproxy.Spawner) { s.Args = []string{"/nonexistent/server"} })
		require.Contains(t, all(t, post(t, address, beginning)), "cannot be started")
	})
	t.Run("hang", func(t *testing.T) {
		address := spawn(t, "hang", nil)
		impatient := http.Client{Timeout: 300 * time.Millisecond}
		_, err := impatient.Post(address, "application/json", strings.NewReader(fmt.Sprintf(alone, "0", 1, "")))
		require.Error(t, err, "the client gives up, and the proxy ends all the same")
	})
}

// TestSpawnerStreams: what a server says before its answer, and unasked.
func TestSpawnerStreams(t *testing.T) {
	address := spawn(t, "talk", nil)
	session := begin(t, address)
	const before = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n"
	text := all(t, post(t, address, fmt.Sprintf(versionless, "7", 1), "Mcp-Session-Id", session, "Accept", "text/event-stream"))
	require.True(t, strings.HasPrefix(text, before+"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,"), text)
	// Without a stream to take it, a later one has it, and only one listens.
	require.Contains(t, all(t, post(t, address, fmt.Sprintf(versionless, "8", 1), "Mcp-Session-Id", session)), `"id":8`)
	r, err := http.NewRequest(http.MethodGet, address, nil)
	require.NoError(t, err)
	r.Header.Set("Mcp-Session-Id", session)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	got := make([]byte, len(before))
	_, err = io.ReadFull(bufio.NewReader(response.Body), got)
	require.NoError(t, err)
	require.Equal(t, before, string(got))
	require.Equal(t, http.StatusConflict, do(t, http.MethodGet, address, session))
	// Of a process that is shared, only what names a request goes to its client.
	text = all(t, post(t, address, fmt.Sprintf(alone, `"x"`, 1, `,"progressToken":"mine"`), "Accept", "text/event-stream"))
	require.True(t, strings.HasPrefix(text, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"mine\"}}\n\n"), text)
	require.Contains(t, text, `"id":"x"`)
	require.NotContains(t, text, "notifications/message")
}

func TestMetrics(t *testing.T) {
	address := spawn(t, "plain", nil)
	for _, n := range []int{50, 50, 1} {
		all(t, post(t, address, fmt.Sprintf(alone, "1", n, "")))
	}
	response, err := http.Get(address + "/metrics")
	require.NoError(t, err)
	text := all(t, response)
	require.NoError(t, response.Body.Close())
	for _, want := range []string{
		"wirekit_mcp_results_total{tool=\"t\",reason=\"converted\"} 2\nwirekit_mcp_results_total{tool=\"t\",reason=\"small\"} 1\n",
		"wirekit_mcp_rewrite_seconds_bucket{le=\"+Inf\"} 3\n", "wirekit_mcp_rewrite_seconds_count 3\n", "# TYPE wirekit_mcp_tokens_in_total counter\n",
	} {
		require.Contains(t, text, want)
	}
	m := &mcpproxy.Metrics{}
	for i := range 2000 {
		m.Observe(mcp.Event{Tool: fmt.Sprintf("\"%d\\\n", i), Reason: "small"})
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, nil)
	require.Contains(t, w.Body.String(), `{tool="\"7\\\n",reason="small"} 1`)
	require.Contains(t, w.Body.String(), `{tool="other",reason="small"} 1000`)
}
