package mcpproxy_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
)

// A forgetful server has a session until it forgets it. It notes what it has done.
type forgetful struct {
	mu       sync.Mutex
	session  string
	made     int
	done     []string // methods and ids, with the session
	forgets  []string // methods before which it does so once
	together *sync.WaitGroup
	refuses  int // status of further beginnings; 0 is none
}

func (s *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	id, method := idOf(body)
	if s.together != nil && method == "tools/call" && r.Header.Get("Mcp-Session-Id") == "s1" {
		s.together.Done()
		s.together.Wait() // all have been sent in the same session
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session := r.Header.Get("Mcp-Session-Id")
	if i := slices.Index(s.forgets, method); i >= 0 && method != "" {
		s.forgets = slices.Delete(s.forgets, i, i+1)
		s.session = ""
	}
	switch {
	case method == "initialize" && s.made > 0 && s.refuses != 0:
		s.made++
		w.WriteHeader(s.refuses)
	case method == "initialize":
		s.made++
		s.session = fmt.Sprint("s", s.made)
		s.done = append(s.done, fmt.Sprintf("initialize %s %q %q", id, session, r.Header.Get("Mcp-Protocol-Version")))
		w.Header().Set("Mcp-Session-Id", s.session)
		document(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","n":%d}}`, id, s.made))(w, r)
	case session != s.session:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		s.done = append(s.done, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", session, method, id, r.Header.Get("Mcp-Protocol-Version"))))
		if id == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		document(`{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)(w, r)
	}
}

func (s *forgetful) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.done)
}

// begun connects a client that has begun a session with it.
func (s *forgetful) begun(t *testing.T) *client {
	c := reach(t, s.ServeHTTP, nil)
	c.send(beginning)
	require.Contains(t, c.line(), `"n":1`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// TestRemoteForgotten: a session that the server has forgotten is begun again once, and what
// was asked in it is asked again.
func TestRemoteForgotten(t *testing.T) {
	s := &forgetful{forgets: []string{"tools/call", "tools/list"}}
	c := s.begun(t)
	for i, method := range []string{"tools/call", "tools/call", "ping", "tools/list", "ping"} {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"name":"t"}}`, i+1, method)
		require.JSONEq(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i+1), c.line())
	}
	require.NoError(t, c.in.Close())
	c.ended()
	first, confirmed := `initialize 0 "" ""`, "notifications/initialized  2025-06-18"
	require.Equal(t, []string{
		first, "s1 " + confirmed,
		first, "s2 " + confirmed, "s2 tools/call 1 2025-06-18", "s2 tools/call 2 2025-06-18", "s2 ping 3 2025-06-18",
		first, "s3 " + confirmed, "s3 tools/list 4 2025-06-18", "s3 ping 5 2025-06-18",
	}, s.seen())
}

// TestRemoteForgottenByMany: calls that find out at the same time share one beginning, and
// each is done once.
func TestRemoteForgottenByMany(t *testing.T) {
	const calls = 20
	s := &forgetful{forgets: []string{"tools/call"}, together: &sync.WaitGroup{}}
	s.together.Add(calls)
	c := s.begun(t)
	go func() {
		for i := range calls {
			c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}`, i+1)
		}
	}()
	ids := make(map[int]bool)
	for range calls {
		var a struct {
			ID     int
			Result *struct{}
		}
		require.NoError(t, json.Unmarshal([]byte(c.line()), &a))
		require.NotNil(t, a.Result)
		ids[a.ID] = true
	}
	require.Len(t, ids, calls)
	require.NoError(t, c.in.Close())
	c.ended()
	require.Equal(t, 2, s.made)
	done := s.seen()
	slices.Sort(done)
	require.Len(t, slices.Compact(slices.DeleteFunc(done, func(line string) bool { return !strings.Contains(line, "tools/call") })), calls)
}

// TestRemoteForgottenForGood: where no other session can be begun, a request is answered with
// the reason, and the next one tries again.
func TestRemoteForgottenForGood(t *testing.T) {
	for status, want := range map[int]string{404: "404 Not Found", 401: "401 Unauthorized", 202: "has not answered", 500: "500"} {
		s := &forgetful{forgets: []string{"tools/call"}, refuses: status}
		c := s.begun(t)
		for n := range 2 {
			c.send(asking)
			_, said := failed(t, c.line())
			require.Contains(t, said, "the server has forgotten the session, and another one could not be begun: ")
			require.Contains(t, said, want)
			require.Equal(t, 2+n, s.made)
		}
		s.mu.Lock()
		s.refuses = 0
		s.mu.Unlock()
		c.send(asking)
		require.Contains(t, c.line(), `"result":{}`)
		require.NoError(t, c.in.Close())
		c.ended()
	}
}

// TestRemoteNotTwice: what may have been done is not sent again.
func TestRemoteNotTwice(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"another status": sends(400, typed("application/json"), `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`),
		"gone":           sends(410, nil, ""),
		"the server":     sends(503, nil, ""),
		"a cut stream":   sends(200, typed("text/event-stream"), "id: 1\nretry: 1\ndata:\n\n"),
		"not found twice": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
		},
	} {
		var calls, begun atomic.Int64
		c := reach(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch id, method := idOf(body); {
			case r.Method != http.MethodPost: // the stream cannot be taken up: the session is gone
				w.WriteHeader(http.StatusNotFound)
			case method == "initialize":
				w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", begun.Add(1)))
				document(`{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)(w, r)
			default:
				calls.Add(1)
				answer(w, r)
			}
		}, nil)
		c.send(beginning)
		c.line()
		c.send(asking)
		failed(t, c.line())
		want := int64(1)
		if name == "not found twice" {
			want = 2 // in the other session, and no more
		}
		require.Equal(t, want, calls.Load(), name)
		require.Equal(t, want, begun.Load(), name)
		require.NoError(t, c.in.Close())
		c.ended()
	}
}

// TestRemoteListensAgain: what the server says unasked is heard in the other session too, from
// its beginning.
func TestRemoteListensAgain(t *testing.T) {
	s := &forgetful{forgets: []string{"tools/call"}}
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		session := r.Header.Get("Mcp-Session-Id")
		s.mu.Lock()
		known := session == s.session
		s.mu.Unlock()
		if r.Method != http.MethodGet || !known {
			s.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "id: 1\nretry: 60000\ndata: {\"method\":\"heard\",\"params\":[%q,%q]}\n\n", session, r.Header.Get("Last-Event-ID"))
		w.(http.Flusher).Flush()
		if session == "s2" {
			<-r.Context().Done()
		}
	}, nil)
	c.send(beginning)
	c.line()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.Equal(t, `{"method":"heard","params":["s1",""]}`+"\n", c.line())
	c.send(asking)
	lines := []string{c.line(), c.line()}
	slices.Sort(lines)
	require.Equal(t, `{"jsonrpc":"2.0","id":"the id","result":{}}`+"\n", lines[0])
	require.Equal(t, `{"method":"heard","params":["s2",""]}`+"\n", lines[1])
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemoteBatches: each request of a batch is answered, and batches that are under way at
// the same time do not end each other.
func TestRemoteBatches(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":"b","method":"b"}]`
	for name, c := range map[string]struct {
		f    http.HandlerFunc
		want string
	}{
		"both":     {document(`[{"jsonrpc":"2.0","id":"b","result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`), `[{"jsonrpc":"2.0","id":"b","result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`},
		"refused":  {sends(500, nil, ""), `[{"id":"b","error":"the server answers 500 Internal Server Error"},{"id":1,"error":"the server answers 500 Internal Server Error"}]`},
		"nothing":  {sends(202, nil, ""), `[{"id":"b","error":"the server has not answered: 202 Accepted, without a body"},{"id":1,"error":"the server has not answered: 202 Accepted, without a body"}]`},
		"an error": {sends(400, nil, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no batches"}}`), `[{"id":"b","error":"the server answers 400 Bad Request: no batches"},{"id":1,"error":"the server answers 400 Bad Request: no batches"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			cl := reach(t, c.f, nil)
			cl.send(batch)
			line := cl.line()
			if name == "both" {
				require.Equal(t, c.want+"\n", line)
			} else {
				require.JSONEq(t, strings.NewReplacer(`"id"`, `"jsonrpc":"2.0","id"`, `"error":`, `"error":{"code":-32603,"message":`, `"}`, `"}}`).Replace(c.want), line)
			}
			require.NoError(t, cl.in.Close())
			cl.ended()
		})
	}
	t.Run("one of two", func(t *testing.T) {
		cl := reach(t, sends(200, typed("text/event-stream"), "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"), nil)
		cl.send(batch)
		require.Contains(t, cl.line(), `"id":1,"result"`)
		require.Regexp(t, `^\[{"jsonrpc":"2.0","id":"b","error":{"code":-32603,"message":"[^"]+ended its stream[^"]+"}}\]\n$`, cl.line())
		require.NoError(t, cl.in.Close())
		cl.ended()
	})
}

// TestRemoteCancels: the end of a request leaves another one of the same id alone, and what is
// cancelled is the one that is under way, however its id is written.
func TestRemoteCancels(t *testing.T) {
	arrived, go1 := make(chan string), make(chan struct{})
	gone := make(chan struct{})
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, method := idOf(body)
		if method == "notifications/cancelled" || id == "" && body[0] != '[' {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		arrived <- method
		switch method {
		case "first":
			<-go1
			document(`{"jsonrpc":"2.0","id":1,"result":{"first":true}}`)(w, r)
		case "second":
			<-r.Context().Done()
			close(gone)
		default:
			document(`{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)(w, r)
		}
	}, nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"first"}`)
	require.Equal(t, "first", <-arrived)
	c.send(`{"jsonrpc":"2.0","id":1.0,"method":"second"}`)
	require.Equal(t, "second", <-arrived)
	close(go1)
	require.Contains(t, c.line(), `"first":true`)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"third"}`) // after the first has been forgotten
	<-arrived
	c.line()
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-gone
	require.NoError(t, c.in.Close())
	c.ended()
}

// TestRemoteLongLines: a message of the client's that is too long is not held; a request is
// answered.
func TestRemoteLongLines(t *testing.T) {
	long := strings.Repeat("x", 3<<10)
	var posts atomic.Int64
	c := reach(t, func(w http.ResponseWriter, r *http.Request) {
		posts.Add(1)
		document(`{"jsonrpc":"2.0","id":"the id","result":{}}`)(w, r)
	}, func(r *mcpproxy.Remote) { r.MaxLine = 1 << 10 })
	for _, request := range []string{
		`{"jsonrpc":"2.0","id":"the id","method":"m","params":{"x":%q,"id":8}}`,
		`{"method":"m","params":{"x":%q},"jsonrpc":"2.0","id":"the id"}`,
		`{"method":"m","params":{"x":%q,"id":3},"id":"the id","jsonrpc":"2.0" }`,
		` { "id" : "the id" , "method" : "m" , "params" : [%q] } `,
	} {
		c.send(request, long)
		_, said := failed(t, c.line())
		require.Contains(t, said, "longer than the proxy takes, see --max-line")
	}
	for _, other := range []string{ // which have no answer
		`{"jsonrpc":"2.0","id":"the id","result":{"x":%q}}`, `{"jsonrpc":"2.0","method":"n","params":{"x":%q,"id":1}}`, `{"jsonrpc":"2.0","result":%q,"id":"the id"}`, `%s`,
	} {
		c.send(other, long)
	}
	c.send(asking)
	require.Contains(t, c.line(), `"result":{}`)
	require.EqualValues(t, 1, posts.Load())
	_, err := fmt.Fprintf(c.in, `{"id":"the id","method":"m","params":%q`, long)
	require.NoError(t, err)
	require.NoError(t, c.in.Close())
	_, said := failed(t, c.line())
	require.Contains(t, said, "longer")
	c.ended()
}
