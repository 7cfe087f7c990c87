package mcpproxy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/mcp"
)

// reach connects a client to a server over HTTP.
func reach(t *testing.T, f http.HandlerFunc, change func(*mcpproxy.Remote)) *client {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL + "/mcp")
	require.NoError(t, err)
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	r := mcpproxy.Remote{Upstream: at, Rewriter: &mcp.Rewriter{Formats: []string{"gcx"}}, Stdin: inRead, Stdout: outWrite}
	if change != nil {
		change(&r)
	}
	c := &client{t: t, in: inWrite, outEnd: outRead, out: bufio.NewReaderSize(outRead, 1<<16), code: make(chan int, 1)}
	go func() {
		if err := r.Run(); err != nil {
			t.Error(err)
		}
		outWrite.Close()
		c.code <- 0
	}()
	return c
}

// idOf returns the id of a request as it is written.
func idOf(body []byte) (id, method string) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &m)
	return string(m.ID), m.Method
}

// TestRemoteSession: initialize, its headers, what the server says unasked, and
// the end.
func TestRemoteSession(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	deleted := make(chan string, 1)
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, method := idOf(body)
		mu.Lock()
		seen = append(seen, fmt.Sprintf("%s %s %s %s %s", r.Method, method, r.Header.Get("Mcp-Session-Id"), r.Header.Get("Mcp-Protocol-Version"), r.Header.Get("X-Key")))
		mu.Unlock()
		switch {
		case r.Method == http.MethodDelete:
			deleted <- r.Header.Get("Mcp-Session-Id")
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "retry: 60000\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/tools/list_changed\"}\n\n")
		case method == "initialize":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Mcp-Session-Id", "s1")
			fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\r\n \"id\":%s,\"result\":{\"protocolVersion\":\"2025-06-18\"}}", id)
		case id == "":
			w.WriteHeader(http.StatusAccepted)
		default:
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			fmt.Fprintf(w, ": hello\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\nevent: other\ndata: x\n\ndata: %s\n\n",
				strings.Replace(answering(50), `"id":1`, `"id":`+id, 1))
		}
	}, func(r *mcpproxy.Remote) { r.Header = http.Header{"X-Key": {"k"}} })
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	require.Equal(t, `{"jsonrpc":"2.0",   "id":0,"result":{"protocolVersion":"2025-06-18"}}`+"\n", c.line())
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.Equal(t, `{"jsonrpc":"2.0", "method":"notifications/tools/list_changed"}`+"\n", c.line())
	c.send(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"t"}}`)
	require.Equal(t, `{"jsonrpc":"2.0","method":"notifications/progress"}`+"\n", c.line())
	id, _, format := textOf(t, c.line())
	require.Equal(t, `"x"`, id)
	require.Equal(t, "gcx", format)
	require.NoError(t, c.in.Close())
	c.ended()
	require.Equal(t, "s1", <-deleted)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, "POST initialize   k", seen[0])
	require.Contains(t, seen, "POST notifications/initialized s1 2025-06-18 k")
	require.Contains(t, seen, "GET  s1 2025-06-18 k")
}

// TestRemoteAnswersAlways: whatever the server does, a request has an answer
// with its id.
func TestRemoteAnswersAlways(t *testing.T) {
	for name, c := range map[string]struct {
		f    http.HandlerFunc
		want string
	}{
		"an error with no body": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "401 Unauthorized"},
		"an error of the server's": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"HeaderMismatch"}}`)
		}, `"code":-32001,"message":"HeaderMismatch"`},
		"accepted":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }, "has not answered"},
		"another type":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }, "has not answered"},
		"garbage":       {document("[garb"), "no message"},
		"not a message": {document(`{"hello":1}`), "no message"},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"jsonrpc"`)
		}, "breaks off"},
		"a stream without an answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: \n\ndata: {\"id\":7")
		}, "ended its stream"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.invalid/", http.StatusTemporaryRedirect)
		}, "307"},
	} {
		t.Run(name, func(t *testing.T) {
			cl := reach(t, c.f, nil)
			cl.send(`{"jsonrpc":"2.0","id":"the id","method":"tools/call","params":{"name":"t"}}`)
			line := cl.line()
			require.Contains(t, line, `"id":"the id","error":`)
			require.Contains(t, line, c.want)
			require.NoError(t, cl.in.Close())
			cl.ended()
		})
	}
}

func document(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

// TestRemoteResumes: a stream that ends before the answer is taken up after its
// last event.
func TestRemoteResumes(t *testing.T) {
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, "id: 41\nretry: 5\ndata:\n\n")
		} else {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"behind\":%q}}\n\n", r.Header.Get("Last-Event-ID"))
		}
	}, nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"behind":"41"}}`+"\n", c.line())
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemoteCutEvent: an answer that is cut off in its middle is asked for again,
// from before it, though its id had come; a place where it cannot be taken up at
// the moment is tried again.
func TestRemoteCutEvent(t *testing.T) {
	var gets atomic.Int64
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, "id: 2\nretry: 1\ndata:\n\nid: 3\ndata: {\"jsonrpc\"")
			return
		}
		switch gets.Add(1) {
		case 1, 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusBadGateway)
		default:
			fmt.Fprintf(w, "id: 3\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"after\":%q}}\n\n", r.Header.Get("Last-Event-ID"))
		}
	}, nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"after":"2"}}`+"\n", c.line())
	require.EqualValues(t, 4, gets.Load())
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemotePolls: a server that ends its stream after each event may do so as
// often as it likes before it answers.
func TestRemotePolls(t *testing.T) {
	var gets atomic.Int64
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if n := gets.Add(1); n < 10 {
			fmt.Fprintf(w, "id: %d\nretry: 1\ndata:\n\n", n)
			return
		}
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"after\":%q}}\n\n", r.Header.Get("Last-Event-ID"))
	}, nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"after":"9"}}`+"\n", c.line())
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemoteListens: what the server says unasked is heard again after it could
// not be reached, and no more once it says that there is no such stream.
func TestRemoteListens(t *testing.T) {
	for name, last := range map[string]int{"no stream": http.StatusMethodNotAllowed, "no session": http.StatusNotFound} {
		t.Run(name, func(t *testing.T) {
			var gets atomic.Int64
			over := make(chan struct{})
			c := reach(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				switch n := gets.Add(1); n {
				case 2:
					w.WriteHeader(http.StatusServiceUnavailable)
				case 4:
					w.WriteHeader(last)
					close(over)
				default:
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, "id: %d\nretry: 1\ndata: {\"method\":\"n\",\"params\":%q}\n\nid: cut\n", n, r.Header.Get("Last-Event-ID"))
				}
			}, nil)
			c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			require.Equal(t, `{"method":"n","params":""}`+"\n", c.line())
			require.Equal(t, `{"method":"n","params":"1"}`+"\n", c.line())
			select {
			case <-over:
			case <-time.After(patience):
				t.Fatal("it does not listen again")
			}
			require.NoError(t, c.in.Close())
			c.ended()
			require.EqualValues(t, 4, gets.Load())
		})
	}
}

// TestRemoteStateless: headers say what the body says, parameters of tools
// included; a cancelled request ends its connection.
func TestRemoteStateless(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	headers := make(chan http.Header, 10)
	gone := make(chan struct{})
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, method := idOf(body)
		headers <- r.Header
		switch {
		case method == "tools/list":
			document(`{"jsonrpc":"2.0","id":`+id+`,"result":{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"x-mcp-header":"Region"},`+
				`"o":{"properties":{"n":{"x-mcp-header":"Number"},"yes":{"x-mcp-header":"Yes"},"f":{"x-mcp-header":"Float"},"bad":{"x-mcp-header":"b d"}}}}}}]}}`)(w, r)
		case id == "3":
			<-r.Context().Done()
			close(gone)
		default:
			document(`{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)(w, r)
		}
	}, nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}`, meta)
	c.line()
	h := <-headers
	require.Equal(t, "2026-07-28", h.Get("Mcp-Protocol-Version"))
	require.Equal(t, "tools/list", h.Get("Mcp-Method"))
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{%s,"name":"t","arguments":{"a":"Zürich","o":{"n":12,"yes":true,"f":1.5,"bad":1}}}}`, meta)
	c.line()
	h = <-headers
	require.Equal(t, []string{"t", "=?base64?WsO8cmljaA==?=", "12", "true", ""},
		[]string{h.Get("Mcp-Name"), h.Get("Mcp-Param-Region"), h.Get("Mcp-Param-Number"), h.Get("Mcp-Param-Yes"), h.Get("Mcp-Param-Float")})
	c.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{%s,"name":"t"}}`, meta)
	<-headers
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	select {
	case <-gone:
	case <-time.After(patience):
		t.Fatal("the request is not cancelled")
	}
	c.send(`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{%s,"uri":"file:///x"}}`, meta)
	require.Contains(t, c.line(), `"id":4`)
	h = <-headers
	require.Equal(t, "file:///x", h.Get("Mcp-Name"))
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemoteInterleaved: a thousand requests at the same time lose nothing, and
// 20 MB pass in both directions.
func TestRemoteInterleaved(t *testing.T) {
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, _ := idOf(body)
		text := tableOf(id, 10)
		if len(body) > 1<<20 {
			text = strings.Repeat("x", 20<<20)
		}
		quoted, _ := json.Marshal(text)
		document(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`, id, quoted))(w, r)
	}, nil)
	go func() {
		for i := range 1000 {
			c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}`, i)
		}
	}()
	ids := make(map[string]bool)
	for range 1000 {
		id, _, format := textOf(t, c.line())
		require.Equal(t, "gcx", format)
		ids[id] = true
	}
	require.Len(t, ids, 1000)
	go c.send(`{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"t","x":"%s"}}`, strings.Repeat("y", 20<<20))
	require.Greater(t, len(c.line()), 20<<20)
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemoteLong: an answer that is longer than what is taken is an error that says why, as a
// document and as an event.
func TestRemoteLong(t *testing.T) {
	for kind, text := range map[string]string{
		"application/json":  "{\"id\":1,\n\"result\":\"" + strings.Repeat("x", 1<<20) + "\"}\r\n",
		"text/event-stream": "id: 1\ndata: {\"id\":1,\"result\":\"" + strings.Repeat("x", 1<<20) + "\"}\n\n",
	} {
		c := reach(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, text)
		}, func(r *mcpproxy.Remote) { r.MaxLine = 1 << 10 })
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
		require.Contains(t, c.line(), "more than 1024 bytes, see --max-line")
		require.NoError(t, c.in.Close())
		c.ended()
	}
}

// TestRemoteKeepalives: comments take no room of the event that they are within, however
// many there are and however long.
func TestRemoteKeepalives(t *testing.T) {
	for _, comments := range []string{
		strings.Repeat(": keepalive\n", 200), strings.Repeat(":\r\n", 2000), ":" + strings.Repeat("data: x", 1<<16) + "\n",
		":" + strings.Repeat("x", 64<<10-2) + "\n", ":" + strings.Repeat("x", 64<<10-1) + "\n",
	} {
		c := reach(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "id: 1\n"+comments+"data: {\"id\":1,\ndata: \"result\":{}}\n"+comments+"\n")
		}, func(r *mcpproxy.Remote) { r.MaxLine = 1000 })
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
		require.Equal(t, "{\"id\":1, \"result\":{}}\n", c.line(), "%.20q", comments)
		require.NoError(t, c.in.Close())
		c.ended()
	}
}

// TestRemoteLeavesAnyway: a session that a server has begun is ended, also where its answer
// to initialize breaks off or is not one.
func TestRemoteLeavesAnyway(t *testing.T) {
	for name, headers := range map[string]map[string]string{
		"breaks off":   {"Content-Type": "application/json", "Content-Length": "1000"},
		"another type": {"Content-Type": "text/plain"},
	} {
		t.Run(name, func(t *testing.T) {
			deleted := make(chan string, 1)
			c := reach(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete {
					deleted <- r.Header.Get("Mcp-Session-Id")
					return
				}
				w.Header().Set("Mcp-Session-Id", "s1")
				for name, value := range headers {
					w.Header().Set(name, value)
				}
				_, _ = io.WriteString(w, `{"jsonrpc"`)
			}, nil)
			c.send(beginning)
			require.Contains(t, c.line(), `"id":0,"error":`)
			require.NoError(t, c.in.Close())
			c.ended()
			require.Len(t, deleted, 1)
			require.Equal(t, "s1", <-deleted)
		})
	}
}

// TestRemoteEnds: a request that is never answered does not keep the proxy from
// ending, nor does a client that does not read.
func TestRemoteEnds(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	const request = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`
	t.Run("the client leaves", func(t *testing.T) {
		c := reach(t, hang, func(r *mcpproxy.Remote) { r.Grace = 50 * time.Millisecond })
		c.send(request)
		require.NoError(t, c.in.Close())
		c.ended()
	})
	t.Run("the client leaves while it begins", func(t *testing.T) {
		c := reach(t, hang, func(r *mcpproxy.Remote) { r.Grace = 50 * time.Millisecond })
		c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
		require.NoError(t, c.in.Close())
		c.ended()
	})
	t.Run("a signal", func(t *testing.T) {
		signals := make(chan os.Signal, 1)
		c := reach(t, hang, func(r *mcpproxy.Remote) { r.Signals = signals })
		c.send(request)
		signals <- os.Interrupt
		c.ended()
	})
	t.Run("the client does not read", func(t *testing.T) {
		c := reach(t, document(`{"id":1,"result":{}}`), nil)
		require.NoError(t, c.outEnd.Close())
		c.send(request)
		c.ended()
	})
}
