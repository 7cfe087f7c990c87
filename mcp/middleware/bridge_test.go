package middleware_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// serverVariable makes the test's own program a server over standard input and
// output, of that version of the protocol or of all.
const serverVariable = "WIREKIT_TEST_SERVER"

func TestMain(m *testing.M) {
	version, asServer := os.LookupEnv(serverVariable)
	if !asServer {
		os.Exit(m.Run())
	}
	var versions []string
	if version != "" {
		versions = append(versions, version)
	}
	if err := bridged(versions...).Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// bridged is a server with a tool that reports its progress, and one whose
// argument is in a header as well.
func bridged(versions ...string) *sdk.Server {
	s := newServer(versions...)
	sdk.AddTool(s, &sdk.Tool{Name: "rows"}, func(ctx context.Context, req *sdk.CallToolRequest, in asked) (*sdk.CallToolResult, map[string][]plainRow, error) {
		if token := req.Params.GetProgressToken(); token != nil {
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(in.Rows)})
		}
		return plainTool(ctx, req, in)
	})
	sdk.AddTool(s, &sdk.Tool{Name: "region", InputSchema: map[string]any{"type": "object", "properties": map[string]any{
		"place": map[string]any{"type": "string", "x-mcp-header": "Place"},
	}}}, func(_ context.Context, _ *sdk.CallToolRequest, in struct {
		Place string `json:"place"`
	}) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "here: " + in.Place}}}, nil, nil
	})
	return s
}

// use calls tools at the same time and looks at what comes back.
func use(t *testing.T, c *sdk.ClientSession) {
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 2)
	for _, tool := range list.Tools {
		require.Nil(t, tool.OutputSchema)
	}
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			result := call(t, c, "rows", 40+i, sdk.Meta{"progressToken": fmt.Sprint(i)})
			format, data := text(t, result)
			require.NotEmpty(t, format)
			require.Nil(t, result.StructuredContent)
			require.Contains(t, data, fmt.Sprintf(`{"id":%d,`, 39+i))
			require.NotContains(t, data, fmt.Sprintf(`{"id":%d,`, 40+i))
		})
	}
	wait.Wait()
	place, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "region", Arguments: map[string]any{"place": " Zürich "}})
	require.NoError(t, err)
	require.Equal(t, "here:  Zürich ", place.Content[0].(*sdk.TextContent).Text)
	_, err = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "nosuch"})
	require.Error(t, err)
}

// progress counts what a client hears of its requests.
type progress struct {
	mu   sync.Mutex
	seen map[any]float64
}

func (p *progress) options() *sdk.ClientOptions {
	p.seen = make(map[any]float64)
	return &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.seen[req.Params.ProgressToken] = req.Params.Progress
	}}
}

func (p *progress) check(t *testing.T) {
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.seen) == 20 && p.seen["7"] == 47
	}, time.Minute, 10*time.Millisecond)
}

// TestStdioToHTTP: the SDK's client over standard input and output, its server
// over HTTP, with and without sessions, and the command between.
func TestStdioToHTTP(t *testing.T) {
	bin := command(t)
	for _, o := range []*sdk.StreamableHTTPOptions{{}, {Stateless: true}, {JSONResponse: true}} {
		t.Run(fmt.Sprintf("stateless=%t,json=%t", o.Stateless, o.JSONResponse), func(t *testing.T) {
			s := bridged()
			server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, o))
			defer server.Close()
			proxy := exec.Command(bin, "mcp", "proxy", "--upstream", server.URL)
			var p progress
			c, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, p.options()).Connect(t.Context(), &sdk.CommandTransport{Command: proxy}, nil)
			require.NoError(t, err)
			use(t, c)
			if !o.JSONResponse {
				p.check(t)
			}
			require.NoError(t, c.Close())
			require.True(t, proxy.ProcessState.Success())
		})
	}
}

// TestHTTPToStdio: the SDK's client over HTTP, its server a process for each
// session or for all that have none, and the command between.
func TestHTTPToStdio(t *testing.T) {
	bin := command(t)
	for _, version := range []string{"", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			t.Setenv(serverVariable, version)
			self, err := os.Executable()
			require.NoError(t, err)
			proxy := exec.Command(bin, "mcp", "proxy", "--listen", "127.0.0.1:0", "--", self)
			notes, err := proxy.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, proxy.Start())
			line, err := bufio.NewReader(notes).ReadString('\n')
			require.NoError(t, err)
			_, at, _ := strings.Cut(line, "http://")
			at, _, ok := strings.Cut(at, "/ forwards to ")
			require.True(t, ok, line)
			go func() { _, _ = io.Copy(io.Discard, notes) }()
			var wait sync.WaitGroup
			for range 2 {
				wait.Go(func() {
					var p progress
					c, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, p.options()).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + at}, nil)
					require.NoError(t, err)
					defer c.Close()
					use(t, c)
					p.check(t)
				})
			}
			wait.Wait()
			require.NoError(t, proxy.Process.Signal(os.Interrupt))
			require.NoError(t, proxy.Wait())
		})
	}
}
