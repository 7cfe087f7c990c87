package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// TestLLMProxy runs the command in front of an API, beside one that has its address, and
// ends it while an answer is under way: that one comes to its end.
func TestLLMProxy(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	var got string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		fmt.Fprint(w, "half")
		w.(http.Flusher).Flush()
		close(begun)
		<-end
		fmt.Fprint(w, " and half")
	}))
	defer api.Close()
	self, err := os.Executable()
	require.NoError(t, err)
	stats := filepath.Join(t.TempDir(), "stats.jsonl")
	start := func(args ...string) (*exec.Cmd, *bufio.Reader) {
		cmd := exec.Command(self, append([]string{"llm", "proxy", "--upstream", api.URL}, args...)...)
		cmd.Args[0] = "wirekit"
		cmd.Env = append(os.Environ(), "LLM_TEST_TOKEN=abc")
		notes, err := cmd.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		return cmd, bufio.NewReader(notes)
	}
	cmd, notes := start("--listen", "127.0.0.1:0", "--stats", stats, "--token", "${LLM_TEST_TOKEN}", "--formats", "gcx")
	line, err := notes.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "profile v1-")
	at := strings.Fields(line)[2]

	other, otherNotes := start("--listen", strings.TrimSuffix(strings.TrimPrefix(at, "http://"), "/"))
	message, err := io.ReadAll(otherNotes)
	require.NoError(t, err)
	require.Error(t, other.Wait())
	require.Equal(t, cli.ExitUsage, other.ProcessState.ExitCode())
	require.Equal(t, 1, strings.Count(string(message), "\n"), "one line: %s", message)

	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf(`{\"id\":%d,\"name\":\"row\",\"url\":\"https://example.org/%d\"}`, i, i))
	}
	client := http.Client{Timeout: time.Minute}
	response, err := client.Post(at+"token/abc/v1/messages", "application/json", strings.NewReader(
		`{"model":"m","messages":[{"role":"user","content":[{"type":"tool_result","content":"[`+strings.Join(rows, ",")+`]"}]}]}`))
	require.NoError(t, err)
	<-begun
	require.Contains(t, got, `"content":"GCX1 `)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	time.AfterFunc(50*time.Millisecond, func() { close(end) })
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, "half and half", string(text))
	rest, err := io.ReadAll(notes)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
	require.Contains(t, string(rest), "llm: 1 of 1 results rewritten")
	written, err := os.ReadFile(stats)
	require.NoError(t, err)
	require.Contains(t, string(written), `"profile":"v1-`)
	require.NotContains(t, string(written), "example.org")
	require.NotContains(t, string(written), "abc")
}

// TestStartHasNoSecrets: what a proxy says at its start of the address that it forwards to is
// scheme, host and path.
func TestStartHasNoSecrets(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for _, group := range []string{"mcp", "llm"} {
		for _, rest := range []string{"/v1?key=secret", "/token/secret/v1#secret"} {
			cmd := exec.Command(self, group, "proxy", "--listen", "127.0.0.1:0", "--upstream", "http://name:secret@127.0.0.1:1"+rest)
			cmd.Args[0] = "wirekit"
			notes, err := cmd.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			line, err := bufio.NewReader(notes).ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "forwards to http://127.0.0.1:1/")
			require.NotContains(t, line, "secret")
			require.NoError(t, cmd.Process.Kill())
			_ = cmd.Wait()
		}
	}
}

// TestLLMCheck: the command finds no fault in its own proxy, and names one of a proxy that
// answers in the API's place.
func TestLLMCheck(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	upstream := &url.URL{Scheme: "http", Host: address}
	run := func(h http.Handler, args ...string) (string, int) {
		server := httptest.NewServer(h)
		defer server.Close()
		var out strings.Builder
		code := run(append([]string{"llm", "check", "--listen", address, "--proxy", server.URL}, args...), &cli.Console{Out: &out, Err: io.Discard})
		return out.String(), code
	}
	out, code := run(&proxy.Handler{Upstream: upstream, Rewriter: &llm.Rewriter{}})
	require.Equal(t, cli.ExitOK, code, out)
	require.Regexp(t, `(?m)^gemini +cut stream +holds$`, out)

	broken := httputil.NewSingleHostReverseProxy(upstream)
	broken.ModifyResponse = func(r *http.Response) error {
		r.StatusCode = min(r.StatusCode, 500)
		return nil
	}
	out, code = run(broken, "--json")
	require.Equal(t, cli.ExitInput, code)
	require.Contains(t, out, `"an answer 529 arrives as 500"`)
}
