package check

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// check runs the checks on what front makes for the address of an API.
func check(t *testing.T, wait time.Duration, front func(upstream *url.URL) http.Handler) []Finding {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := httptest.NewServer(front(&url.URL{Scheme: "http", Host: l.Addr().String()}))
	defer server.Close()
	found, err := Run(l, Options{Proxy: server.URL, Model: "gpt-5", Wait: wait})
	require.NoError(t, err)
	return found
}

// TestOwnProxy: the project's proxy has no fault, and rewrites what it is sent.
func TestOwnProxy(t *testing.T) {
	rewritten := 0
	for name, r := range map[string]*llm.Rewriter{"default": {}, "all": {Objects: true, Repeats: true, Users: true}} {
		r.Observe = func(report llm.Report) {
			for _, b := range report.Blocks {
				if b.Format != "" {
					rewritten++
				}
			}
		}
		found := check(t, time.Minute, func(upstream *url.URL) http.Handler {
			return &proxy.Handler{Upstream: upstream, Rewriter: r}
		})
		require.Len(t, found, len(shapes)*len(checks))
		for _, f := range found {
			require.Empty(t, f.Faults, "%s: %s, %s", name, f.API, f.Check)
			require.Empty(t, f.Skipped)
		}
	}
	require.Greater(t, rewritten, 100)
}

// bad returns a proxy with a fault: in what it sends, in what it answers, or in both.
func bad(request func(*http.Request), answer func(*http.Response) error) func(*url.URL) http.Handler {
	return func(upstream *url.URL) http.Handler {
		return &httputil.ReverseProxy{
			FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), ModifyResponse: answer,
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(upstream)
				if request != nil {
					request(r.Out)
				}
			},
		}
	}
}

// edited returns a request's fault that changes its body.
func edited(edit func(body []byte) []byte) func(*http.Request) {
	return func(r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		body = edit(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
}

// anew writes a JSON text as a map of Go's.
func anew(body []byte) []byte {
	var v map[string]any
	if json.Unmarshal(body, &v) != nil {
		return body
	}
	out, _ := json.Marshal(v)
	return out
}

// answered returns an answer's fault that changes the body of answers of a kind.
func answered(kind string, from int, edit func(body []byte) []byte) func(*http.Response) error {
	return func(r *http.Response) error {
		if r.StatusCode < from || !strings.Contains(r.Header.Get("Content-Type"), kind) {
			return nil
		}
		body, _ := io.ReadAll(r.Body) // what there is of it
		body = edit(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Del("Content-Length")
		return nil
	}
}

// TestFaults: each fault of a proxy is named, for each API, and no check that it does not
// concern finds one.
func TestFaults(t *testing.T) {
	seen := 0
	for _, f := range []struct {
		name  string
		front func(*url.URL) http.Handler
		want  map[string]string // by checks
	}{
		{"reorders members", bad(edited(anew), nil), map[string]string{"members": "another order"}},
		{"changes an old turn", bad(edited(func(body []byte) []byte {
			seen++
			return bytes.Replace(body, []byte("What is open?"), []byte("What is open"+strings.Repeat("?", seen)), 1)
		}), nil), map[string]string{"prefix": "turn 1 does not begin with turn 0, in message 0: byte ", "retry": "second attempt arrives otherwise"}},
		{"clears old results", bad(edited(func(body []byte) []byte {
			if n := bytes.Count(body, []byte("refus")); n > 45 {
				body = bytes.Replace(body, []byte("refus"), []byte("gone"), 40)
			}
			return body
		}), nil), map[string]string{"prefix": "turn 6 does not begin with turn 5, in message 6: byte "}},
		{"puts the time before the messages", bad(edited(func(body []byte) []byte {
			seen++
			return append([]byte(`{"n":`+strings.Repeat("1", seen)+","), body[1:]...)
		}), nil), map[string]string{"prefix": "outside the messages", "retry": "second attempt"}},
		{"loses the header of attempts", bad(func(r *http.Request) { r.Header.Del(attempts) }, nil), map[string]string{"retry": `arrives as "", not "1"`}},
		{"writes answers anew", bad(nil, answered("json", 0, anew)), map[string]string{"answers": "the body of an answer 400 does not arrive as it was sent: byte 2"}},
		{"swallows the body of errors", bad(nil, answered("json", 400, func([]byte) []byte { return nil })), map[string]string{"answers": `answer 429 does not arrive as it was sent: byte 0, "{\"type\":\"error\"`}},
		{"makes all errors 502", bad(nil, func(r *http.Response) error {
			if r.StatusCode >= 500 {
				r.StatusCode = 502
			}
			return nil
		}), map[string]string{"answers": "an answer 529 arrives as 502"}},
		{"loses Retry-After", bad(nil, func(r *http.Response) error {
			r.Header.Del("Retry-After")
			return nil
		}), map[string]string{"answers": `the header Retry-After of an answer 429 arrives as "", not "0"`}},
		{"joins events", bad(nil, answered("event-stream", 0, slices.Clone)), map[string]string{"stream": "events are held back, or joined", "cut stream": "ends as if it were whole"}},
		{"loses an event", bad(nil, func(r *http.Response) error {
			if strings.Contains(r.Header.Get("Content-Type"), "event-stream") {
				_, err := io.ReadFull(r.Body, make([]byte, 40))
				return err
			}
			return nil
		}), map[string]string{"stream": "had not arrived"}},
		{"tries again by itself", func(upstream *url.URL) http.Handler {
			h := bad(nil, nil)(upstream).(*httputil.ReverseProxy)
			h.Transport = again{}
			return h
		}, map[string]string{"retry": "the proxy makes 2 attempts"}},
		{"forgets a turn", bad(edited(func(body []byte) []byte {
			return []byte(`{"model":"m"}`)
		}), nil), map[string]string{"prefix": `turn 0 arrives without messages: "{\"model\":\"m\"}"`}},
		{"cuts requests", bad(edited(func(body []byte) []byte { return body[:len(body)-1] }), nil), map[string]string{"members": "does not arrive as JSON", "prefix": "without messages"}},
	} {
		t.Run(f.name, func(t *testing.T) {
			wait := time.Minute
			if f.want["stream"] != "" { // what is waited for does not come
				wait = 100 * time.Millisecond
			}
			for _, found := range check(t, wait, f.front) {
				want, ok := f.want[found.Check]
				if !ok {
					require.Empty(t, found.Faults, "%s, %s", found.API, found.Check)
					continue
				}
				require.Contains(t, strings.Join(found.Faults, "\n"), want, "%s, %s", found.API, found.Check)
			}
		})
	}
}

// again sends what was answered with 429 once more.
type again struct{}

func (again) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusTooManyRequests {
		return resp, err
	}
	_ = resp.Body.Close()
	r.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(r)
}

// TestSkipped: an API that the proxy does not have is said not to be checked; one that cannot
// be reached is an error.
func TestSkipped(t *testing.T) {
	found := check(t, time.Minute, func(upstream *url.URL) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/v1/messages", bad(nil, nil)(upstream))
		return mux
	})
	for _, f := range found {
		require.Empty(t, f.Faults)
		if f.API != "messages" {
			require.Contains(t, f.Skipped, "the proxy answers 404 itself")
		}
	}
	require.Len(t, found, len(shapes)-1+len(checks))

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	_, err = Run(l, Options{Proxy: elsewhere.URL, Model: "m"})
	require.ErrorContains(t, err, "must be the proxy's upstream: the proxy answers 404 itself")

	l, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	gone := httptest.NewServer(nil)
	gone.Close()
	_, err = Run(l, Options{Proxy: gone.URL, Model: "m"})
	require.ErrorContains(t, err, "chat, prefix: ")
}
