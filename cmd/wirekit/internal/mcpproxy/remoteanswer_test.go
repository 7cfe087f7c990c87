package mcpproxy_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
)

// failed returns the message of an answer to "the id" that is an error as JSON-RPC 2.0,
// section 5.1, has it.
func failed(t *testing.T, line string) (code int, said string) {
	t.Helper()
	var a struct {
		JSONRPC string
		ID      string
		Result  json.RawMessage
		Error   *struct {
			Code    *int
			Message *string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(line), &a), "%s", line)
	require.Equal(t, "2.0", a.JSONRPC)
	require.Equal(t, "the id", a.ID)
	require.Nil(t, a.Result)
	require.True(t, a.Error != nil && a.Error.Code != nil && a.Error.Message != nil, "%s", line)
	return *a.Error.Code, *a.Error.Message
}

// packed is a text as gzip.
func packed(t *testing.T, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// sends answers POST with a status, headers and a body.
func sends(status int, headers http.Header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header()["Content-Type"] = nil
		for name, values := range headers {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func typed(kind string) http.Header { return http.Header{"Content-Type": {kind}} }

const asking = `{"jsonrpc":"2.0","id":"the id","method":"tools/call","params":{"name":"t"}}`

// ask returns the answer to a request over standard input and output.
func ask(t *testing.T, f http.HandlerFunc, change func(*mcpproxy.Remote)) string {
	t.Helper()
	c := reach(t, f, change)
	c.send(asking)
	line := c.line()
	require.NoError(t, c.in.Close())
	c.ended()
	return line
}

// TestRemoteRefused: an error of HTTP is an error of JSON-RPC, whatever its body is; to a
// client over HTTP it passes as it is.
func TestRemoteRefused(t *testing.T) {
	html := "<html>\n<h1>\"Bad\" gateway</h1>"
	for _, c := range []struct{ name, kind, body, want string }{
		{"nothing", "", "", ""},
		{"nothing as JSON", "application/json", "", ""},
		{"HTML", "text/html", html, `: text/html, "<html>\n<h1>\"Bad\" gateway</h1>"`},
		{"no type", "", "oops", `: no Content-Type, "oops"`},
		{"OAuth", "application/json", `{"error":"invalid_token","error_description":"The access token expired"}`, ": invalid_token: The access token expired"},
		{"a word", "application/json; charset=utf-8", `{"error":"slow down"}`, ": slow down"},
		{"a model's API", "application/json", `{"type":"error","error":{"type":"forbidden","message":"no\u2028"}}`, ": no\u2028"},
		{"null", "application/json", `{"error":null}`, `: application/json, "{\"error\":null}"`},
		{"a list", "application/json", `{"error":[]}`, `: application/json, "{\"error\":[]}"`},
		{"a code that is text", "application/json", `{"error":{"code":"E1","message":"no"}}`, ": no"},
		{"a code that is not whole", "application/json", `{"jsonrpc":"2.0","id":"the id","error":{"code":1.5,"message":"no"}}`, ": no"},
		{"a code that is too long", "application/json", `{"jsonrpc":"2.0","id":"the id","error":{"code":1e99,"message":"no"}}`, ": no"},
		{"no code", "application/json", `{"jsonrpc":"2.0","id":"the id","error":{"message":"no"}}`, ": no"},
		{"no message", "application/json", `{"jsonrpc":"2.0","id":"the id","error":{"code":5}}`, `"error\":{\"code\":5}}"`},
		{"a text", "application/json", `{"jsonrpc":"2.0","id":"the id","error":"no"}`, ": no"},
		{"problem details", "application/problem+json", `{"title":"Gone","detail":"long ago"}`, ": Gone: long ago"},
		{"another object", "application/json", `{"method":"POST","path":"/"}`, `: application/json, "{\"method\":\"POST\",\"path\":\"/\"}"`},
		{"a result of another", "application/json", `{"jsonrpc":"2.0","id":9,"result":{}}`, `: application/json, `},
		{"a string", "application/json", `"oops"`, `: application/json, "\"oops\""`},
		{"cut off", "application/json", `{"error":"slo`, `: application/json, "{\"error\":\"slo"`},
		{"a stream", "text/event-stream", "data: {}\n\n", `: text/event-stream, "data: {}"`},
		{"long", "text/plain", strings.Repeat("é", 3<<20), "ééé…\""},
		{"a long error", "application/json", `{"error":"` + strings.Repeat("é", 1000) + `"}`, "ééé…"},
	} {
		for _, status := range []int{400, 401, 403, 404, 429, 500, 502, 503, 302} {
			f := sends(status, typed(c.kind), c.body)
			code, said := failed(t, ask(t, f, nil))
			require.Equal(t, -32603, code)
			require.True(t, strings.HasPrefix(said, fmt.Sprintf("the server answers %d %s", status, http.StatusText(status))), "%s: %s", c.name, said)
			require.Contains(t, said+"\n", c.want, c.name)
			require.Less(t, len(said), 1000)
			if status != http.StatusFound {
				r := post(t, upstream(t, f), asking)
				require.Equal(t, status, r.StatusCode)
				require.Equal(t, c.body, all(t, r), c.name)
			}
		}
	}
}

// TestRemoteErrors: an error of JSON-RPC is that of the request, whose id it need not have.
func TestRemoteErrors(t *testing.T) {
	for _, id := range []string{``, `"id":null,`, `"id":7,`, `"id":"server-error",`, `"id":"the id",`, `"id":"\u0074he id",`} {
		for _, status := range []int{200, 202, 400, 404, 500} {
			for _, code := range []string{"-32001", "401", "-32600.0"} {
				line := ask(t, sends(status, typed("application/json"), "\ufeff\n"+`{"jsonrpc":"2.0",`+id+`"error":{"code":`+code+`,"message":"no","data":{"n":1.10}}}`), nil)
				require.Contains(t, line, `"error":{"code":`+code+`,"message":"no","data":{"n":1.10}}}`)
				require.JSONEq(t, `{"jsonrpc":"2.0","id":"the id","error":{"code":`+code+`,"message":"no","data":{"n":1.10}}}`, line)
			}
		}
	}
	line := ask(t, sends(200, typed("text/event-stream"), "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"no\"}}\n\n"), nil)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"the id","error":{"code":1,"message":"no"}}`, line)
}

// TestRemoteNames: what came instead of an answer is named: status, type and first bytes.
func TestRemoteNames(t *testing.T) {
	ok := `{"jsonrpc":"2.0","id":"the id","result":{}}`
	zip := typed("application/json")
	zip.Set("Content-Encoding", "gzip")
	zipped := typed("text/event-stream")
	zipped.Set("Content-Encoding", "gzip")
	for _, c := range []struct {
		name    string
		status  int
		headers http.Header
		body    string
		want    []string
	}{
		{"a page", 200, typed("text/html; charset=utf-8"), "<html>log in</html>", []string{"200 OK", "text/html; charset=utf-8", `"<html>log in</html>"`}},
		{"nothing", 200, typed("application/json"), "", []string{"200 OK", "without a body"}},
		{"white space", 200, typed("application/json"), " \n", []string{"without a body"}},
		{"accepted", 202, nil, "", []string{"202 Accepted", "without a body"}},
		{"no content", 204, nil, "", []string{"204 No Content"}},
		{"no type", 200, nil, "hello", []string{"no Content-Type", `"hello"`}},
		{"gzip", 200, zip, packed(t, ok), []string{"200 OK", "application/json packed with gzip, which was not asked for"}},
		{"a packed stream", 200, zipped, packed(t, "data: "+ok+"\n\n"), []string{"text/event-stream packed with gzip"}},
		{"a packed refusal", 500, zip, packed(t, ok), []string{"500 Internal Server Error: application/json packed with gzip"}},
		{"gzip that does not say so", 200, typed("application/json"), packed(t, ok), []string{`application/json, "\x1f\x8b`}},
		{"a scalar", 200, typed("application/json"), "null", []string{`application/json, "null"`}},
		{"a mark alone", 200, typed("application/json"), "\ufeff", []string{"without a body"}},
		{"cut JSON", 200, typed("application/json"), ok[:20], []string{"no message", `"{\"jsonrpc\":`}},
		{"another id", 200, typed("application/json"), strings.Replace(ok, "the id", "x", 1), []string{"no message", `\"id\":\"x\"`}},
		{"no id", 200, typed("application/json"), `{"jsonrpc":"2.0","result":{}}`, []string{"no message"}},
		{"a null id", 200, typed("application/json"), `{"jsonrpc":"2.0","id":null,"result":{}}`, []string{"no message"}},
		{"an error that is not one", 200, typed("application/json"), `{"jsonrpc":"2.0","id":"the id","error":"bad"}`, []string{"no message", `\"bad\"`}},
		{"both", 200, typed("application/json"), `{"jsonrpc":"2.0","id":"the id","result":{},"error":"bad"}`, []string{"no message"}},
		{"neither", 200, typed("application/json"), `{"jsonrpc":"2.0","id":"the id"}`, []string{"no message"}},
		{"the request", 200, typed("application/json"), asking, []string{"no message"}},
		{"an id twice", 200, typed("application/json"), `{"id":"the id","id":"the id","result":{}}`, []string{"no message"}},
		{"two documents", 200, typed("application/json"), ok + ok, []string{"no message"}},
		{"an empty batch", 200, typed("application/json"), "[]", []string{"no message"}},
		{"a page that is longer", 200, typed("text/html"), "<" + strings.Repeat("x", 9<<20), []string{`"<xxx`}},
		{"an empty stream", 200, typed("text/event-stream"), "", []string{"ended its stream"}},
		{"comments", 200, typed("text/event-stream"), ": hello\n\n:\n\n", []string{"ended its stream"}},
		{"an event that is not JSON", 200, typed("text/event-stream"), "data: bad gateway\n\n", []string{"ended its stream", `"bad gateway"`}},
		{"JSON as a stream", 200, typed("text/event-stream"), ok, []string{"ended its stream"}},
		{"an event without its end", 200, typed("text/event-stream"), "data: " + ok + "\n", []string{"ended its stream"}},
		{"an event of another name", 200, typed("text/event-stream"), "event: error\ndata: " + ok + "\n\n", []string{"ended its stream"}},
		{"an event for another", 200, typed("text/event-stream"), "data: {\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}\n\n", []string{"ended its stream"}},
		{"an event with a bad error", 200, typed("text/event-stream"), "data: {\"id\":\"the id\",\"error\":null}\n\n", []string{"ended its stream"}},
		{"a place that is not there", 200, typed("text/event-stream"), "id: 5\nretry: 1\ndata:\n\n", []string{"ended its stream"}},
	} {
		_, said := failed(t, ask(t, sends(c.status, c.headers, c.body), nil))
		for _, want := range c.want {
			require.Contains(t, said, want, c.name)
		}
		require.Less(t, len(said), 1000, c.name)
	}
}

// TestRemoteTakes: an answer is one whatever type it has, with a byte order mark, and where
// the server writes the id in its own way.
func TestRemoteTakes(t *testing.T) {
	ok := `{"jsonrpc":"2.0","id":"the id","result":{}}`
	for _, kind := range []string{"", "text/plain", "application/json", "application/json-rpc", "no type"} {
		for _, status := range []int{200, 202, 500} {
			for _, before := range []string{"", "\ufeff", " \r\n", "\ufeff\t"} {
				require.Equal(t, ok+"\n", ask(t, sends(status, typed(kind), before+ok+"\r\n"), nil))
			}
		}
	}
	ids := map[string]string{"1.0": "1", `"\u0061"`: `"a"`, "1e0": "1", "12345678901234567890": "12345678901234567890", "null": "null", `"1"`: `"1"`}
	for sent, answered := range ids {
		c := reach(t, sends(200, typed("application/json"), `{"jsonrpc":"2.0","id":`+answered+`,"result":{}}`), nil)
		c.send(strings.Replace(asking, `"the id"`, sent, 1))
		require.Contains(t, c.line(), `"result":{}`, sent)
		require.NoError(t, c.in.Close())
		c.ended()
	}
	require.Contains(t, ask(t, sends(200, typed("application/json"), strings.Replace(ok, `"the id"`, `1`, 1)), nil), `"error"`)
}

// TestRemoteBroken: connections that do not bring an answer.
func TestRemoteBroken(t *testing.T) {
	mcpproxy.SetRefusalTime(t, 50*time.Millisecond)
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}
	endless := func(status int, kind, start string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			sends(status, typed(kind), start)(w, r)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}
	flood := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, strings.Repeat("x", 1<<16))
		}
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: "
	for name, c := range map[string]struct {
		f    http.HandlerFunc
		want string
	}{
		"nothing":                       {raw(""), "cannot be reached"},
		"not HTTP":                      {raw("SSH-2.0-x\r\n"), "cannot be reached"},
		"half a head":                   {raw(head), "cannot be reached"},
		"a cut document":                {raw(head + "application/json\r\nContent-Length: 99\r\n\r\n{\"id\""), "breaks off"},
		"a cut chunk":                   {raw(head + "application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"), "breaks off"},
		"a cut stream":                  {raw(head + "text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: {\"i"), "ended its stream"},
		"a cut page":                    {raw(head + "text/html\r\nContent-Length: 99\r\n\r\n<html>"), `"<html>"`},
		"a cut refusal":                 {raw("HTTP/1.1 403 No\r\nContent-Length: 99\r\n\r\n{\"error\":\"x\""), "403 No: "},
		"a refusal that is not UTF-8":   {raw("HTTP/1.1 403 Verbot\xe9n\r\nContent-Type: t\xe4xt\r\nContent-Length: 2\r\n\r\n\xff\xfe"), "403 Verbot\ufffdn: t\ufffdxt, \"\\xff\\xfe\""},
		"a refusal without an end":      {endless(400, "application/json", `{"a":`), `400 Bad Request: application/json, "{\"a\":"`},
		"a refusal that does not begin": {endless(500, "application/json", ""), "500 Internal Server Error"},
		"a page without an end":         {endless(200, "text/html", "<html>"), `200 OK, text/html, "<html>"`},
		"a refusal that never stops":    {flood, `502 Bad Gateway: text/plain`},
		"an answer elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other?key=secret", http.StatusFound)
		}, "302 Found, and points to http://"},
		"an answer that goes in circles": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		}, "307"},
	} {
		t.Run(name, func(t *testing.T) {
			line := ask(t, c.f, nil)
			require.True(t, utf8.ValidString(line))
			_, said := failed(t, line)
			require.Contains(t, said, c.want)
			require.NotContains(t, said, "secret")
		})
	}
	t.Run("a batch with a notification", func(t *testing.T) {
		const batch = `[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":"the id","result":{}}]`
		require.Equal(t, batch+"\n", ask(t, document(batch), nil))
	})
	t.Run("a long answer", func(t *testing.T) {
		for _, cut := range []string{"", "\"}"} {
			long := raw(head + "application/json\r\nContent-Length: 5026\r\n\r\n{\"id\":\"the id\",\"result\":\"" + strings.Repeat("x", 5000) + cut)
			_, said := failed(t, ask(t, long, func(r *mcpproxy.Remote) { r.MaxLine = 1000 }))
			require.Contains(t, said, "more than 1000 bytes, see --max-line")
		}
	})
}
