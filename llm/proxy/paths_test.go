package proxy_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// TestPaths: a path reaches the API as it is below that of Upstream, and one that could lead
// out of it does not.
func TestPaths(t *testing.T) {
	got := ""
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RequestURI }))
	defer api.Close()
	for _, base := range []string{"", "/base", "/base/"} {
		upstream, err := url.Parse(api.URL + base)
		require.NoError(t, err)
		h := &proxy.Handler{Upstream: upstream, Rewriter: &llm.Rewriter{}, Token: "T"}
		serve := func(path string) int {
			got = ""
			r := httptest.NewRequest("GET", "/", nil)
			r.URL, err = url.ParseRequestURI(path)
			require.NoError(t, err)
			r.Header.Set(proxy.TokenHeader, "T")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		for _, before := range []string{"", "/token/T"} {
			for _, path := range []string{"/v1/models", "//", "//a/b", "///a//b/", "/a%2Fb", "/a/.../b", "/..a/b..", "/./a", "/a;b", "/%25"} {
				require.Equal(t, 200, serve(before+path+"?x=//"), path)
				require.Equal(t, strings.TrimSuffix(base, "/")+path+"?x=//", got)
			}
			for _, path := range []string{"/..", "/a/../../x", "/%2e%2e/x", "/a/%2E./x", "/a%2F..%2Fx", "/a/..%2fx", `/a\..\x`, "/a%5c..%5Cx", "/..;a=b/x", "//../x", "/x/.."} {
				require.Equal(t, 400, serve(before+path), path)
				require.Empty(t, got, path)
			}
		}
	}
}

// A deadlines notes those that are set for reading.
type deadlines struct {
	*httptest.ResponseRecorder
	set []bool
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.set = append(d.set, !t.IsZero())
	return nil
}

// TestDeadline: there is a deadline for reading as long as there is something to read. With
// nothing to read it would end the answer.
func TestDeadline(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	defer api.Close()
	upstream, err := url.Parse(api.URL)
	require.NoError(t, err)
	plain, _ := chat(t)
	for _, c := range []struct {
		method, path, body string
		length             int64 // -1 is not known
		want               []bool
	}{
		{"GET", "/v1/responses/x?stream=true", "", 0, nil},
		{"DELETE", "/v1/responses/x", "", 0, nil},
		{"POST", "/v1/responses/x/cancel", "", 0, nil},
		{"POST", "/v1/messages", "", 0, nil},
		{"GET", "/metrics", "", 0, nil},
		{"POST", "/v1/messages", plain, int64(len(plain)), []bool{true, false}},
		{"POST", "/v1/files", "x", 1, []bool{true, false}},
		{"PUT", "/v1/files", "x", -1, []bool{true, false}},
		{"POST", "/v1/messages", "", -1, []bool{true, false}},
	} {
		r := httptest.NewRequest(c.method, "http://localhost"+c.path, strings.NewReader(c.body))
		r.ContentLength = c.length
		if c.length == 0 {
			r.Body = http.NoBody
		}
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		h := &proxy.Handler{Upstream: upstream, Rewriter: &llm.Rewriter{}, Metrics: &proxy.Metrics{}}
		h.ServeHTTP(w, r)
		require.Equal(t, 200, w.Code)
		for n := len(w.set); n > 2; n-- { // the end may be read more than once
			require.False(t, w.set[n-1])
			w.set = w.set[:n-1]
		}
		require.Equal(t, c.want, w.set, "%s %s", c.method, c.path)
	}
}

// TestNotesHaveNoSecrets: an address in a note is scheme, host and path.
func TestNotesHaveNoSecrets(t *testing.T) {
	api := httptest.NewServer(http.NotFoundHandler())
	api.Close()
	for _, address := range []string{"/v1?key=secret", "/token/secret/v1", "/v1#secret"} {
		for _, user := range []string{"", "secret@", "name:secret@"} {
			upstream, err := url.Parse(strings.Replace(api.URL, "://", "://"+user, 1) + address)
			require.NoError(t, err)
			var notes noteBuffer
			at := front(t, &proxy.Handler{Upstream: upstream, ErrorLog: log.New(&notes, "", 0)}, nil)
			_, err = http.Get(at + "/v1/models?key=secret")
			require.Error(t, err)
			require.Contains(t, notes.String(), "llm: "+api.URL+"/")
			require.NotContains(t, notes.String(), "secret")
		}
	}
}
