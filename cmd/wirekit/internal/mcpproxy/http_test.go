package mcpproxy_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/mcp"
)

// upstream serves f through a proxy and returns the proxy's address.
func upstream(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL + "/mcp?key=1")
	require.NoError(t, err)
	front := httptest.NewServer(mcpproxy.Guard{Local: true, Origins: []string{"https://example.org"},
		Handler: &mcpproxy.Handler{Upstream: at, Rewriter: &mcp.Rewriter{Formats: []string{"gcx"}}}})
	t.Cleanup(front.Close)
	return front.URL
}

func post(t *testing.T, address, body string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func all(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(text)
}

const calling = `{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"name":"t"}}`

func answering(rows int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%q}]}}`, tableOf("1", rows))
}

func TestHTTPJSON(t *testing.T) {
	var got *http.Request
	var body string
	address := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		text, _ := io.ReadAll(r.Body)
		body = string(text)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Mcp-Session-Id", "s")
		_, _ = io.WriteString(w, answering(50))
	})
	r := post(t, address+"/?b=%zz;", calling, "Authorization", "Bearer x", "Mcp-Method", "tools/call", "Accept-Encoding", "gzip")
	text := all(t, r)
	require.Contains(t, text, `"dev.wirekit/format":"gcx"`)
	require.Equal(t, int64(len(text)), r.ContentLength)
	require.Equal(t, "s", r.Header.Get("Mcp-Session-Id"))
	require.Equal(t, calling, body)
	require.Equal(t, "/mcp?key=1&b=%zz;", got.RequestURI)
	require.Equal(t, "Bearer x", got.Header.Get("Authorization"))
	require.Equal(t, "tools/call", got.Header.Get("Mcp-Method"))
	require.Empty(t, got.Header.Get("Accept-Encoding"))

	// Nothing was asked for; another path; another method.
	require.Equal(t, answering(50), all(t, post(t, address, `{"id":2,"method":"tools/call","params":{"name":"t"}}`)))
	require.Equal(t, answering(50), all(t, post(t, address+"/.well-known/x", "not JSON")))
	require.Equal(t, "/.well-known/x?key=1", got.RequestURI)
	r, err := http.Get(address)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Equal(t, answering(50), all(t, r))
}

// TestHTTPPasses: answers that cannot or need not be rewritten.
func TestHTTPPasses(t *testing.T) {
	for name, f := range map[string]http.HandlerFunc{
		"an error": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, answering(50))
		},
		"another type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, answering(50))
		},
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.Repeat(" ", 9<<20)+answering(50))
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := all(t, post(t, upstream(t, f), calling))
			require.True(t, strings.HasSuffix(text, answering(50)))
		})
	}
	t.Run("packed", func(t *testing.T) {
		r := post(t, upstream(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, answering(50))
			_ = z.Close()
		}), calling, "Accept-Encoding", "gzip")
		z, err := gzip.NewReader(r.Body)
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		require.Equal(t, answering(50), string(text))
	})
	t.Run("a long request", func(t *testing.T) {
		var n int64
		long := strings.Repeat(" ", 9<<20) + calling
		text := all(t, post(t, upstream(t, func(w http.ResponseWriter, r *http.Request) {
			n, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, answering(50))
		}), long))
		require.Equal(t, int64(len(long)), n)
		require.Equal(t, answering(50), text)
	})
}

func TestOriginAndHost(t *testing.T) {
	address := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") })
	for _, c := range []struct {
		header, value string
		in            bool
	}{
		{"Origin", "http://localhost:3000", false}, {"Origin", "http://127.0.0.1", false}, {"Origin", address, false},
		{"Origin", "https://example.org", true}, {"Origin", "https://example.org.evil.example", false}, {"Origin", "null", false},
		{"Origin", "http://localhost.evil.example", false}, {"Origin", "http://evil.example", false}, {"Origin", "::", false},
		{"Host", "evil.example", false}, {"Host", "127.0.0.1.evil.example:80", false}, {"Host", "localhost:9", true}, {"Host", "[::1]", true},
	} {
		r := post(t, address, calling, c.header, c.value)
		if c.in {
			require.Equal(t, "in", all(t, r), "%s: %s", c.header, c.value)
		} else {
			require.Equal(t, http.StatusForbidden, r.StatusCode, "%s: %s", c.header, c.value)
		}
	}
}

// TestSlowBody: a body that does not come is not waited for.
func TestSlowBody(t *testing.T) {
	mcpproxy.SetBodyTime(t, 50*time.Millisecond)
	hit := func(http.ResponseWriter, *http.Request) { t.Error("an unfinished request was forwarded") }
	for name, address := range map[string]string{"to a server": upstream(t, hit), "to a command": spawn(t, "plain", nil)} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
			require.NoError(t, err)
			defer conn.Close()
			_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
			require.NoError(t, err)
			require.NoError(t, conn.SetReadDeadline(time.Now().Add(patience)))
			said, err := io.ReadAll(conn) // to the end of the connection
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(said), "HTTP/1.1 408 "), "%s", said)
		})
	}
}

// TestHTTPStream: events come out one by one, with only the result rewritten.
func TestHTTPStream(t *testing.T) {
	next := make(chan struct{}, 1)
	split := strings.Replace(answering(50), `"result"`, "\ndata:"+`"result"`, 1)
	address := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{
			": hello\r\n\r\n",
			"event: message\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n",
			"retry: 5\nid: 8\ndata:" + split + "\nevent: message\n\n",
			"data: " + answering(50) + "\n\n",
			"event: other\ndata: x\n\nno end",
		} {
			<-next
			_, _ = io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	})
	t.Cleanup(func() { close(next) }) // before the server is closed, which waits for its answers
	next <- struct{}{}
	r := post(t, address, calling)
	in := bufio.NewReader(r.Body)
	read := func(want string) {
		t.Helper()
		got := make([]byte, len(want))
		_, err := io.ReadFull(in, got)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	read(": hello\r\n\r\n")
	next <- struct{}{}
	read("event: message\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
	next <- struct{}{}
	read("retry: 5\nid: 8\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{\"content\":[{\"type\":\"text\",\"text\":\"GCX1 ")
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(line, `"_meta":{"dev.wirekit/format":"gcx"}}]}}`+"\n"))
	read("event: message\n\n")
	next <- struct{}{}
	read("data: " + answering(50) + "\n\n") // a second answer to the same request
	next <- struct{}{}
	read("event: other\ndata: x\n\nno end")
}

// TestEarlyAnswer: a server that answers before it has read a long request is
// heard to the end, and the rest of the request reaches it.
func TestEarlyAnswer(t *testing.T) {
	const first, rest = 9 << 20, 1 << 20
	address := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		_, _ = io.WriteString(w, "early,")
		w.(http.Flusher).Flush()
		n, err := io.Copy(io.Discard, r.Body)
		_, _ = fmt.Fprintf(w, "%d,%v", n, err)
	})
	body, in := io.Pipe()
	heard := make(chan struct{})
	go func() {
		_, _ = in.Write(make([]byte, first))
		<-heard
		_, _ = in.Write(make([]byte, rest))
		_ = in.Close()
	}()
	r, err := http.Post(address, "application/json", body)
	require.NoError(t, err)
	defer r.Body.Close()
	early := make([]byte, len("early,"))
	_, err = io.ReadFull(r.Body, early)
	close(heard)
	require.NoError(t, err)
	late, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%d,<nil>", first+rest), string(late))
}

// TestClientsShareNothing: requests of the same id at the same time get their
// own answers.
func TestClientsShareNothing(t *testing.T) {
	address := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(string(body), "tools/call") {
			_, _ = io.WriteString(w, answering(50))
		} else {
			_, _ = io.WriteString(w, answering(40))
		}
	})
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			if i%2 == 0 {
				require.Contains(t, all(t, post(t, address, calling)), "dev.wirekit/format")
			} else {
				require.Equal(t, answering(40), all(t, post(t, address, `{"id":1,"method":"resources/read"}`)))
			}
		})
	}
	wait.Wait()
}

// TestHTTPSessions: what a client has said in initialize holds for its session.
func TestHTTPSessions(t *testing.T) {
	address := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if _, method := idOf(body); method == "initialize" {
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", len(body)))
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)
			return
		}
		_, _ = io.WriteString(w, answering(50))
	})
	begin := func(accept string) string {
		return post(t, address, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"extensions":{"dev.wirekit/format":{"accept":`+accept+`}}}}}`).
			Header.Get("Mcp-Session-Id")
	}
	plain, willing := begin(`["json"]`), begin(`["json","gcx"]`)
	require.Equal(t, answering(50), all(t, post(t, address, calling, "Mcp-Session-Id", plain)))
	for _, session := range []string{willing, "unknown", ""} {
		require.Contains(t, all(t, post(t, address, calling, "Mcp-Session-Id", session)), `"dev.wirekit/format":"gcx"`, session)
	}
}

// nowhere returns the address of a server that is not there.
func nowhere(t *testing.T) *url.URL {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	at, err := url.Parse(server.URL)
	require.NoError(t, err)
	return at
}

// TestUnreachable: a server that is not there is 502.
func TestUnreachable(t *testing.T) {
	at := nowhere(t)
	front := httptest.NewServer(&mcpproxy.Handler{Upstream: at, Rewriter: &mcp.Rewriter{}})
	defer front.Close()
	answer := post(t, front.URL, calling)
	require.Equal(t, http.StatusBadGateway, answer.StatusCode)
	require.Equal(t, "application/json", answer.Header.Get("Content-Type"))
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Regexp(t, `^{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the server at http://\S+ has no answer: dial tcp .*refused"}}$`, string(text))

	none, err := http.Get(front.URL)
	require.NoError(t, err)
	defer none.Body.Close()
	text, err = io.ReadAll(none.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the server at `)
}

// TestErrorsAreMessages: whatever the proxy answers itself is a JSON-RPC error.
func TestErrorsAreMessages(t *testing.T) {
	at := nowhere(t)
	spawner := &mcpproxy.Spawner{Rewriter: &mcp.Rewriter{}}
	defer spawner.Close()
	for name, front := range map[string]http.Handler{"handler": &mcpproxy.Handler{Upstream: at, Rewriter: &mcp.Rewriter{}}, "spawner": spawner} {
		for _, request := range []*http.Request{
			httptest.NewRequest(http.MethodGet, "/", nil),
			httptest.NewRequest(http.MethodPost, "/", strings.NewReader("no message")),
			{Method: http.MethodPost, URL: at, Host: "127.0.0.1", Header: http.Header{"Origin": {"https://evil.example"}}, Body: http.NoBody},
		} {
			w := httptest.NewRecorder()
			front.ServeHTTP(w, request)
			require.GreaterOrEqual(t, w.Code, 400, name)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"), name)
			require.Regexp(t, `^{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":".+"}}$`, w.Body.String(), name)
		}
	}
}
