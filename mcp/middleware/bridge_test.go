package middleware_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/mcp"
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
// over HTTP, with and without sessions.
func TestStdioToHTTP(t *testing.T) {
	for _, o := range []*sdk.StreamableHTTPOptions{{}, {Stateless: true}, {JSONResponse: true}} {
		t.Run(fmt.Sprintf("stateless=%t,json=%t", o.Stateless, o.JSONResponse), func(t *testing.T) {
			s := bridged()
			server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, o))
			defer server.Close()
			at, err := url.Parse(server.URL)
			require.NoError(t, err)
			inRead, inWrite := io.Pipe()
			outRead, outWrite := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				ended <- mcpproxy.Remote{Upstream: at, Rewriter: &mcp.Rewriter{}, Stdin: inRead, Stdout: outWrite}.Run()
				outWrite.Close()
			}()
			var p progress
			c, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, p.options()).Connect(t.Context(), &sdk.IOTransport{Reader: outRead, Writer: inWrite}, nil)
			require.NoError(t, err)
			use(t, c)
			if !o.JSONResponse {
				p.check(t)
			}
			require.NoError(t, c.Close())
			inWrite.Close()
			require.NoError(t, <-ended)
		})
	}
}

// TestHTTPToStdio: the SDK's client over HTTP, its server a process for each
// session or for all that have none.
func TestHTTPToStdio(t *testing.T) {
	for _, version := range []string{"", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			t.Setenv(serverVariable, version)
			self, err := os.Executable()
			require.NoError(t, err)
			spawner := &mcpproxy.Spawner{Args: []string{self}, Rewriter: &mcp.Rewriter{}, Stderr: os.Stderr, Local: true}
			front := httptest.NewServer(spawner)
			defer front.Close()
			defer spawner.Close()
			var wait sync.WaitGroup
			for range 2 {
				wait.Go(func() {
					var p progress
					c, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, p.options()).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: front.URL}, nil)
					require.NoError(t, err)
					defer c.Close()
					use(t, c)
					p.check(t)
				})
			}
			wait.Wait()
		})
	}
}
