package llm_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
)

// roundTripper is a function that answers requests.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func body(t testing.TB) (plain, made string) {
	t.Helper()
	plain = `{"messages":[{"role":"tool","content":` + q(rows) + `}]}`
	out, _ := (&llm.Rewriter{MinTokens: -1}).RewriteRequest([]byte(plain), llm.ShapeChat)
	return plain, string(out)
}

// TestTransport: what is sent, by what the request says of itself.
func TestTransport(t *testing.T) {
	plain, made := body(t)
	for _, c := range []struct {
		name, method, path string
		header             http.Header
		stays              bool
	}{
		{"chat", "POST", "/v1/chat/completions", nil, false},
		{"with a type", "POST", "/v1/chat/completions", http.Header{"Content-Type": {"application/json; charset=utf-8"}}, false},
		{"a length of its own", "POST", "/v1/chat/completions", http.Header{"Content-Length": {"1"}}, false},
		{"another path", "POST", "/v1/embeddings", nil, true},
		{"another method", "PUT", "/v1/chat/completions", nil, true},
		{"packed", "POST", "/v1/chat/completions", http.Header{"Content-Encoding": {"gzip"}}, true},
		{"signed", "POST", "/v1/messages", http.Header{"Authorization": {"AWS4-HMAC-SHA256 Credential=x"}}, true},
		{"with a digest", "POST", "/v1/messages", http.Header{"Content-Digest": {"sha-256=:x:"}}, true},
		{"a form", "POST", "/v1/messages", http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}, true},
		{"a socket", "POST", "/v1/responses", http.Header{"Upgrade": {"websocket"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := made
			if c.stays {
				want = plain
			}
			sent := 0
			base := roundTripper(func(r *http.Request) (*http.Response, error) {
				sent++
				have, err := io.ReadAll(r.Body)
				require.NoError(t, err)
				require.Equal(t, want, string(have))
				require.Equal(t, int64(len(want)), r.ContentLength)
				if r.Header.Get("Content-Length") != "" {
					require.NotEqual(t, "1", r.Header.Get("Content-Length"))
				}
				again, err := r.GetBody()
				require.NoError(t, err)
				have, err = io.ReadAll(iotest.OneByteReader(again))
				require.NoError(t, err)
				require.Equal(t, want, string(have))
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
			})
			req, err := http.NewRequest(c.method, "http://x"+c.path, strings.NewReader(plain))
			require.NoError(t, err)
			for name, values := range c.header {
				req.Header[name] = values
			}
			was := req.Header.Clone()
			_, err = (&llm.Transport{Base: base, Rewriter: &llm.Rewriter{MinTokens: -1}}).RoundTrip(req)
			require.NoError(t, err)
			require.Equal(t, 1, sent)
			require.Equal(t, was, req.Header, "the request that was given stays as it is")
		})
	}
}

// TestTransportRefused: a 400 on a rewritten request is answered by sending the original
// once, every time anew; on any other request it is the answer.
func TestTransportRefused(t *testing.T) {
	plain, made := body(t)
	var reports []llm.Report
	r := &llm.Rewriter{MinTokens: -1, Observe: func(r llm.Report) { reports = append(reports, r) }}
	var got []string
	status := map[string]int{made: 400, plain: 200}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		have, _ := io.ReadAll(r.Body)
		got = append(got, string(have))
		w.WriteHeader(status[string(have)])
		_, _ = w.Write([]byte(strings.Repeat("x", 100)))
	}))
	defer server.Close()
	client := &http.Client{Transport: &llm.Transport{Rewriter: r}}
	post := func(body string) int {
		resp, err := client.Post(server.URL+"/v1/messages", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	for turn := range 4 {
		require.Equal(t, 200, post(plain))
		require.Equal(t, []string{made, plain}, got[2*turn:], "turn %d", turn)
		require.True(t, reports[turn].Refused)
	}
	status[plain] = 400
	require.Equal(t, 400, post(plain), "a request that is wrong itself")
	got = nil
	status[made], status[`{}`] = 500, 400
	require.Equal(t, 500, post(plain))
	require.Equal(t, 400, post(`{}`))
	require.Equal(t, []string{made, `{}`}, got, "neither is sent twice")
	require.False(t, reports[len(reports)-2].Refused)
}

// TestTransportRefusalWithoutEnd: a 400 whose body does not end, or has not begun, does not
// keep the second request, whose answer is passed on as it comes.
func TestTransportRefusalWithoutEnd(t *testing.T) {
	llm.SetRefusalTime(t, 50*time.Millisecond)
	plain, made := body(t)
	for _, start := range []string{"", `{"a":`, strings.Repeat("x", 100_000)} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			have, _ := io.ReadAll(r.Body)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, start+strconv.FormatBool(string(have) == made))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		client := &http.Client{Transport: &llm.Transport{Rewriter: &llm.Rewriter{MinTokens: -1}}}
		resp, err := client.Post(server.URL+"/v1/messages", "application/json", strings.NewReader(plain))
		require.NoError(t, err)
		got := make([]byte, len(start)+len("false"))
		_, err = io.ReadFull(resp.Body, got)
		require.NoError(t, err)
		require.Equal(t, start+"false", string(got), "the answer to the request as it was")
		require.NoError(t, resp.Body.Close())
		server.Close()
	}
}

// TestTransportLong: a body that is too long passes as it came, also where its length is
// not known, and so does one that cannot be read to its end.
func TestTransportLong(t *testing.T) {
	plain, _ := body(t)
	var got []byte
	base := roundTripper(func(r *http.Request) (res *http.Response, err error) {
		got, err = io.ReadAll(r.Body)
		return &http.Response{StatusCode: 200, Body: http.NoBody}, errors.Join(err, r.Body.Close())
	})
	for _, length := range []int64{int64(len(plain)), -1} {
		var reports []llm.Report
		transport := &llm.Transport{Base: base, Rewriter: &llm.Rewriter{MinTokens: -1, MaxBytes: len(plain) - 1, Observe: func(r llm.Report) { reports = append(reports, r) }}}
		req, err := http.NewRequest("POST", "http://x/v1/messages", io.NopCloser(strings.NewReader(plain)))
		require.NoError(t, err)
		req.ContentLength = length
		_, err = transport.RoundTrip(req)
		require.NoError(t, err)
		require.Equal(t, plain, string(got))
		req.Body = io.NopCloser(io.MultiReader(strings.NewReader(plain[:40]), iotest.ErrReader(io.ErrUnexpectedEOF)))
		_, err = transport.RoundTrip(req)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
	big := strings.Replace(plain, "[", "["+strings.Repeat(" ", 5<<20), 1)
	req, err := http.NewRequest("POST", "http://x/v1/messages", iotest.HalfReader(strings.NewReader(big)))
	require.NoError(t, err)
	_, err = (&llm.Transport{Base: base}).RoundTrip(req)
	require.NoError(t, err)
	require.Len(t, got, len(big), "read in steps")
}

// TestTransportCancel: a request that is given up is given up at once.
func TestTransportCancel(t *testing.T) {
	plain, _ := body(t)
	asked, end := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(asked)
		select {
		case <-r.Context().Done():
		case <-end:
		}
	}))
	defer server.Close()
	defer close(end)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/messages", strings.NewReader(plain))
	require.NoError(t, err)
	go func() { <-asked; cancel() }()
	_, err = (&http.Client{Transport: &llm.Transport{}}).Do(req)
	require.ErrorIs(t, err, context.Canceled)
}

// TestHandler: what goes on to the next handler.
func TestHandler(t *testing.T) {
	plain, made := body(t)
	var got []byte
	next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		require.True(t, r.ContentLength == int64(len(got)) && r.Header.Get("Content-Length") != "1")
	})
	h := (&llm.Rewriter{MinTokens: -1, MaxBytes: 1 << 20}).Handler(next)
	for path, want := range map[string]string{"/v1/chat/completions": made, "/v1/other": plain} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", path, strings.NewReader(plain)))
		require.Equal(t, want, string(got))
	}
	long := strings.Repeat(" ", 1<<20) + plain
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/messages", strings.NewReader(long)))
	require.True(t, bytes.Equal([]byte(long), got))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/messages", iotest.ErrReader(io.ErrUnexpectedEOF)))
	require.Equal(t, http.StatusBadRequest, w.Code)
}

// TestObserved: the report of a request that was sent says what became of it.
func TestObserved(t *testing.T) {
	plain, _ := body(t)
	var report llm.Report
	base := roundTripper(func(r *http.Request) (*http.Response, error) { return nil, errors.New("no network") })
	transport := &llm.Transport{Base: base, Rewriter: &llm.Rewriter{MinTokens: -1, Observe: func(r llm.Report) { report = r }}}
	req, err := http.NewRequest("POST", "http://x/v1/chat/completions", strings.NewReader(plain))
	require.NoError(t, err)
	_, err = transport.RoundTrip(req)
	require.ErrorContains(t, err, "no network")
	require.Equal(t, mcp.ReasonConverted, report.Blocks[0].Reason)
}

// TestTransportValidates: every option that Validate refuses is an error of the first request,
// whatever it is, and nothing is sent.
func TestTransportValidates(t *testing.T) {
	for name, r := range map[string]*llm.Rewriter{
		"nope":      {Formats: []string{"nope"}},
		"gcf:nope":  {Formats: []string{"gcf", "gcf:nope"}},
		"MinSaving": {MinSaving: 1},
		"Mode":      {Mode: 99},
		"rule":      {Rules: []mcp.Rule{{Tool: "search", Formats: []string{"rule"}}}},
	} {
		want := r.Validate()
		require.ErrorContains(t, want, name)
		transport := &llm.Transport{Rewriter: r, Base: roundTripper(func(*http.Request) (*http.Response, error) {
			t.Error("a request was sent")
			return nil, errors.New("sent")
		})}
		for range 2 {
			for _, path := range []string{"/v1/chat/completions", "/v1/models"} {
				plain, _ := body(t)
				closed := &closing{Reader: strings.NewReader(plain)}
				req, err := http.NewRequest("POST", "http://api.test"+path, closed)
				require.NoError(t, err)
				_, err = transport.RoundTrip(req)
				require.EqualError(t, err, want.Error())
				require.True(t, closed.closed)
			}
			req, err := http.NewRequest("GET", "http://api.test/v1/models", nil)
			require.NoError(t, err)
			_, err = transport.RoundTrip(req)
			require.EqualError(t, err, want.Error())
		}
	}
}

// closing is a body that knows whether it was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }
