package proxy_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

const rows = `[{"id":1,"name":"a","ok":true},{"id":2,"name":"b","ok":true},{"id":3,"name":"c","ok":false},{"id":4,"name":"d","ok":false}]`

func q(text string) string { return string(scan.AppendQuote(nil, text)) }

// chat is a request, and what it becomes.
func chat(t testing.TB) (plain, made string) {
	t.Helper()
	plain = `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"c","content":` + q(rows) + `}]}`
	out, _ := (&llm.Rewriter{MinTokens: -1}).RewriteRequest([]byte(plain), llm.ShapeChat)
	require.NotEqual(t, plain, string(out))
	return plain, string(out)
}

// front returns the address of a Handler in front of an API.
func front(t testing.TB, h *proxy.Handler, api http.Handler) string {
	t.Helper()
	if api != nil {
		upstream := httptest.NewServer(api)
		t.Cleanup(upstream.Close)
		at, err := url.Parse(upstream.URL)
		require.NoError(t, err)
		h.Upstream = at
	}
	if h.Rewriter == nil {
		h.Rewriter = &llm.Rewriter{MinTokens: -1}
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// TestForward: what the API is sent, and what comes back.
func TestForward(t *testing.T) {
	plain, made := chat(t)
	var got *http.Request
	var body []byte
	packed := func() []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := w.Write([]byte(`{"ok":true}`))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.Bytes()
	}()
	at := front(t, &proxy.Handler{Token: "secret"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header()["X-Ratelimit"] = []string{"1", "2"}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(packed)
	}))
	req, err := http.NewRequest("POST", at+"/token/secret/v1/chat%2Fx/chat/completions?a=%20b;c&a=1", strings.NewReader(plain))
	require.NoError(t, err)
	req.Header = http.Header{
		"Authorization": {"Bearer key"}, "Content-Type": {"application/json"}, "X-Stainless-Retry-Count": {"0"}, "Accept-Encoding": {"gzip, br"},
		"Anthropic-Beta": {"b", "a"}, "Connection": {"X-Hop"}, "X-Hop": {"1"}, "Te": {"trailers"}, "User-Agent": {"sdk/1"}, "Proxy-Authorization": {"x"},
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, made, string(body))
	require.Equal(t, int64(len(made)), got.ContentLength)
	require.Equal(t, "/v1/chat%2Fx/chat/completions", got.URL.EscapedPath())
	require.Equal(t, "a=%20b;c&a=1", got.URL.RawQuery)
	require.Equal(t, http.Header{
		"Authorization": {"Bearer key"}, "Content-Type": {"application/json"}, "X-Stainless-Retry-Count": {"0"}, "Accept-Encoding": {"gzip, br"},
		"Anthropic-Beta": {"b", "a"}, "User-Agent": {"sdk/1"}, "Te": {"trailers"}, "Via": {"1.1 wirekit"}, "Content-Length": {fmt.Sprint(len(made))},
	}, got.Header)
	require.NotContains(t, at, got.Host)
	require.Equal(t, http.StatusTeapot, resp.StatusCode)
	require.Equal(t, packed, answer)
	require.Equal(t, []string{"1", "2"}, resp.Header["X-Ratelimit"])
	require.Empty(t, resp.Header["Keep-Alive"])

	req, err = http.NewRequest("GET", at+"/v1/models", nil)
	require.NoError(t, err)
	req.Header.Set(proxy.TokenHeader, "secret")
	resp, err = http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "/v1/models", got.URL.Path)
	require.Empty(t, got.Header.Get(proxy.TokenHeader))
}

// TestUpstreamPath: the path and the query of Upstream come before those of requests.
func TestUpstreamPath(t *testing.T) {
	var got string
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.URL.String() }))
	defer api.Close()
	upstream, err := url.Parse(api.URL + "/base/x?k=v")
	require.NoError(t, err)
	at := front(t, &proxy.Handler{Upstream: upstream}, nil)
	resp, err := http.Get(at + "/v1/models?a=b")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "/base/x/v1/models?k=v&a=b", got)
}

// TestStream: every event of an answer is there before the next one is sent, and a
// redirect is the client's to follow.
func TestStream(t *testing.T) {
	plain, _ := chat(t)
	more := make(chan struct{})
	at := front(t, &proxy.Handler{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/there" {
			http.Redirect(w, r, "https://elsewhere.example/", http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 5 {
			fmt.Fprintf(w, "event: e\ndata: {\"n\": %d}\n\n", i)
			w.(http.Flusher).Flush()
			<-more
		}
	}))
	resp, err := http.Post(at+"/v1/messages", "application/json", strings.NewReader(plain))
	require.NoError(t, err)
	in := bufio.NewReader(resp.Body)
	for i := range 5 {
		for _, want := range []string{"event: e\n", fmt.Sprintf("data: {\"n\": %d}\n", i), "\n"} {
			line, err := in.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, want, line)
		}
		more <- struct{}{}
	}
	require.NoError(t, resp.Body.Close())
	req, err := http.NewRequest("POST", at+"/there", nil)
	require.NoError(t, err)
	resp, err = http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "https://elsewhere.example/", resp.Header.Get("Location"))
}

// TestWhoMayCall: hosts, origins and tokens.
func TestWhoMayCall(t *testing.T) {
	reached := 0
	api := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ })
	call := func(h *proxy.Handler, path string, header ...string) int {
		at := front(t, h, api)
		req, err := http.NewRequest("GET", at+path, nil)
		require.NoError(t, err)
		for i := 0; i < len(header); i += 2 {
			if req.Header.Set(header[i], header[i+1]); header[i] == "Host" {
				req.Host = header[i+1]
			}
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	local, token := &proxy.Handler{Local: true}, &proxy.Handler{Token: "s/1", Origins: []string{"https://mine.example"}}
	for _, c := range []struct {
		want   int
		h      *proxy.Handler
		path   string
		header []string
	}{
		{200, local, "/v1/models", nil},
		{200, local, "/v1/models", []string{"Host", "localhost:8787"}},
		{200, local, "/v1/models", []string{"Origin", "http://localhost:3000"}},
		{403, local, "/v1/models", []string{"Host", "attacker.example"}},
		{403, local, "/health", []string{"Host", "attacker.example"}},
		{403, local, "/v1/models", []string{"Origin", "https://attacker.example"}},
		{403, local, "/v1/models", []string{"Origin", "null"}},
		{401, token, "/v1/models", nil},
		{401, token, "/metrics", nil},
		{401, token, "/v1/models", []string{proxy.TokenHeader, "s"}},
		{401, token, "/v1/models", []string{"Authorization", "Bearer s/1"}},
		{401, token, "/token/s/1/v1/models", nil},
		{200, token, "/health", nil},
		{200, token, "/v1/models", []string{proxy.TokenHeader, "s/1"}},
		{200, token, "/token/s%2F1/v1/models", nil},
		{200, token, "/v1/models", []string{proxy.TokenHeader, "s/1", "Origin", "https://mine.example"}},
		{404, token, "/v1/retrieve/0123", []string{proxy.TokenHeader, "s/1"}},
	} {
		before := reached
		require.Equal(t, c.want, call(c.h, c.path, c.header...), "%s %v", c.path, c.header)
		if c.want != http.StatusOK {
			require.Equal(t, before, reached, "nothing is forwarded")
		}
	}
}

// TestAsWithout: whatever an API does, the client sees what it would have seen.
func TestAsWithout(t *testing.T) {
	plain, _ := chat(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	ended := make(chan struct{})
	defer close(ended)
	acts := map[string]func(net.Conn){
		"closes at once":       func(net.Conn) {},
		"garbage":              func(c net.Conn) { fmt.Fprint(c, "what\r\n\r\nis this") },
		"closes in the middle": func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":") },
		"closes in an event": func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/event-stream\r\n\r\n6\r\ndata: \r\n")
		},
		"an error": func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 529 Overloaded\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\n{}")
		},
		"hangs": func(net.Conn) { <-ended },
	}
	act := make(chan func(net.Conn), 1)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				req, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, req.Body)
				(<-act)(c)
			}()
		}
	}()
	direct := "http://" + listener.Addr().String()
	upstream, err := url.Parse(direct)
	require.NoError(t, err)
	var notes noteBuffer
	through := front(t, &proxy.Handler{Upstream: upstream, ErrorLog: log.New(&notes, "", 0)}, nil)
	for name, f := range acts {
		seen := func(at string) string {
			act <- f
			within := time.Minute
			if name == "hangs" {
				within = 300 * time.Millisecond // and the client gives up
			}
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, "POST", at+"/v1/messages", strings.NewReader(plain))
			require.NoError(t, err)
			resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
			if err != nil {
				return fmt.Sprintf("no answer, in time: %t", ctx.Err() == nil)
			}
			body, err := io.ReadAll(resp.Body)
			return fmt.Sprint(resp.StatusCode, resp.Header.Get("Retry-After"), string(body), err != nil)
		}
		require.Equal(t, seen(direct), seen(through), name)
	}
	require.NoError(t, listener.Close())
	resp, err := http.Post(through+"/v1/messages", "application/json", strings.NewReader(plain))
	if err == nil {
		resp.Body.Close()
	}
	require.Error(t, err, "an API that is down")
	require.NotContains(t, notes.String(), "messages\":", "no data in the log")
}

// A noteBuffer is the log of a server, whose requests may outlive their clients.
type noteBuffer struct {
	mu    sync.Mutex
	notes strings.Builder
}

func (b *noteBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notes.Write(p)
}

func (b *noteBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notes.String()
}

// TestMetrics: counts by shape and reason, and refusals.
func TestMetrics(t *testing.T) {
	plain, made := chat(t)
	m := &proxy.Metrics{}
	h := &proxy.Handler{Metrics: m, Rewriter: &llm.Rewriter{MinTokens: -1, Observe: m.Observe}}
	at := front(t, h, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); string(body) == made && r.Header.Get("X-Refuse") != "" {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	for _, body := range []string{plain, plain, "{", `{"messages":[]}`} {
		resp, err := http.Post(at+"/v1/messages", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	req, err := http.NewRequest("POST", at+"/v1/chat/completions", strings.NewReader(plain))
	require.NoError(t, err)
	req.Header.Set("X-Refuse", "1")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	resp, err = http.Get(at + "/metrics")
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	for _, want := range []string{
		`wirekit_llm_requests_total{profile="v1-`, `shape="messages",outcome="read"} 3`, `shape="messages",outcome="not-json"} 1`, `shape="chat",outcome="read"} 1`,
		`wirekit_llm_blocks_total{reason="converted"} 3`, `wirekit_llm_refused_total 1`, `wirekit_llm_rewrite_seconds_count 5`,
	} {
		require.Contains(t, string(text), want)
	}
}
