package mcpproxy_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/mcp"
)

// TestNoSecrets: of an address clients and notes have scheme, host and path, in every way in
// which a server has no answer.
func TestNoSecrets(t *testing.T) {
	broken := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(broken.Close)
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://name:secret@nowhere.invalid/x?"+r.URL.RawQuery+"secret#secret", http.StatusTemporaryRedirect)
	}))
	t.Cleanup(away.Close)
	odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://secret:%zz/?secret")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	t.Cleanup(odd.Close)
	for _, server := range []string{nowhere(t).String(), broken.URL, away.URL, odd.URL} {
		for _, rest := range []string{"/mcp?api_key=secret", "/mcp?secret", "/mcp#secret", "/token/secret/mcp?a=secret"} {
			for _, user := range []string{"", "secret@", "name:secret@"} {
				at, err := url.Parse(strings.Replace(server, "://", "://"+user, 1) + rest)
				require.NoError(t, err)
				var notes noteBuffer
				errorLog := log.New(&notes, "", 0)
				change := func(r *mcpproxy.Remote) { r.Upstream, r.ErrorLog = at, errorLog }
				c := reach(t, nil, change)
				c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
				c.send(asking)
				line := c.line()
				require.Contains(t, line, `"error":`)
				require.NotContains(t, line, "secret")
				require.NoError(t, c.in.Close())
				c.ended()
				w := httptest.NewRecorder()
				(&mcpproxy.Handler{Upstream: at, Rewriter: &mcp.Rewriter{}, ErrorLog: errorLog}).ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(asking)))
				if w.Code == http.StatusBadGateway {
					require.Contains(t, w.Body.String(), server+"/")
					require.NotContains(t, w.Body.String(), "secret")
				}
				require.NotEmpty(t, notes.String())
				require.NotContains(t, notes.String(), "secret")
			}
		}
	}
}

// A noteBuffer is a log, of several goroutines.
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

// TestToken: who does not know the token reaches nothing, and the server does not get it.
func TestToken(t *testing.T) {
	var seen *http.Request
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r }))
	defer server.Close()
	at, err := url.Parse(server.URL + "/mcp")
	require.NoError(t, err)
	front := httptest.NewServer(mcpproxy.Guard{Token: "T", Metrics: &mcpproxy.Metrics{}, Handler: &mcpproxy.Handler{Upstream: at, Rewriter: &mcp.Rewriter{}}})
	defer front.Close()
	for _, c := range []struct {
		path, token string
		want        int
		reached     string
	}{
		{"/", "", 401, ""}, {"/", "t", 401, ""}, {"/metrics", "", 401, ""}, {"/token/t/", "", 401, ""}, {"/token/t/", "T", 200, "/mcp"},
		{"/", "T", 200, "/mcp"}, {"/token/T", "", 200, "/mcp"}, {"/token/T/", "", 200, "/mcp"}, {"/token/T//x", "", 200, "//x"}, {"/metrics", "T", 200, ""},
	} {
		seen = nil
		r, err := http.NewRequest(http.MethodGet, front.URL+c.path, nil)
		require.NoError(t, err)
		r.Header.Set("X-Wirekit-Token", c.token)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, c.want, answer.StatusCode, "%v: %s", c, text)
		if c.reached == "" {
			require.Nil(t, seen)
			continue
		}
		require.Equal(t, c.reached, seen.URL.Path)
		require.Empty(t, seen.Header.Get("X-Wirekit-Token"))
	}
}
