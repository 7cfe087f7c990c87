package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/mcp/middleware"
	"github.com/wirekit/wirekit/wire"
)

// A row has what the SDK's way through a map sorts and rounds.
type row struct {
	ID   uint64      `json:"id"`
	Name string      `json:"name"`
	Big  json.Number `json:"big"`
	Zero float64     `json:"a_zero"`
}

type rows struct {
	Rows []row `json:"rows"`
}

const exactRow = `{"id":12345678901234567890,"name":"<row & 0>","big":1.10,"a_zero":-0}`

func table(n int) rows {
	var r rows
	for i := range n {
		r.Rows = append(r.Rows, row{ID: 12345678901234567890, Name: fmt.Sprintf("<row & %d>", i), Big: "1.10", Zero: math.Copysign(0, -1)})
	}
	return r
}

// A plain row is one that the SDK can make a schema of.
type plainRow struct {
	Name string  `json:"name"`
	ID   int     `json:"id"`
	X    float64 `json:"x"`
}

func plainTool(_ context.Context, _ *sdk.CallToolRequest, in asked) (*sdk.CallToolResult, map[string][]plainRow, error) {
	if in.Rows < 0 {
		return nil, nil, errors.New("fewer than no rows")
	}
	list := []plainRow{}
	for i := range in.Rows {
		list = append(list, plainRow{fmt.Sprintf("<row & %d>", i), i, 0.5})
	}
	return nil, map[string][]plainRow{"rows": list}, nil
}

type asked struct {
	Rows int `json:"rows,omitempty"`
}

func rowsTool(_ context.Context, _ *sdk.CallToolRequest, in asked) (*sdk.CallToolResult, rows, error) {
	if in.Rows < 0 {
		return nil, rows{}, errors.New("fewer than no rows")
	}
	return nil, table(in.Rows), nil
}

func newServer(versions ...string) *sdk.Server {
	return sdk.NewServer(&sdk.Implementation{Name: "s", Version: "1"}, &sdk.ServerOptions{SupportedProtocolVersions: versions, Instructions: "Be nice."})
}

// connect returns a client's session and what goes over the wire to it.
func connect(t testing.TB, s *sdk.Server, o *sdk.ClientOptions) (*sdk.ClientSession, *bytes.Buffer) {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	server, err := s.Connect(t.Context(), far, nil)
	require.NoError(t, err)
	var wire bytes.Buffer
	client, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, o).Connect(t.Context(), &sdk.LoggingTransport{Transport: near, Writer: &wire}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Wait()
	})
	return client, &wire
}

func call(t testing.TB, c *sdk.ClientSession, tool string, n int, meta sdk.Meta) *sdk.CallToolResult {
	t.Helper()
	result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Meta: meta, Name: tool, Arguments: asked{Rows: n}})
	require.NoError(t, err)
	return result
}

// text returns the only block's format and, decoded, its data.
func text(t testing.TB, r *sdk.CallToolResult) (format, data string) {
	t.Helper()
	require.Len(t, r.Content, 1)
	block := r.Content[0].(*sdk.TextContent)
	format, _ = block.Meta[mcp.MetaKey].(string)
	if format == "" {
		return "", block.Text
	}
	codec, err := wirekit.Lookup(format)
	require.NoError(t, err)
	v, err := codec.Decode([]byte(block.Text))
	require.NoError(t, err)
	return format, string(wire.AppendJSON(nil, v))
}

func jsonOf(t testing.TB, n int) string {
	data, err := wire.Marshal(wire.JSON{}, table(n))
	require.NoError(t, err)
	return string(data)
}

// eras are the versions of the protocol with and without sessions.
func eras(t *testing.T, f func(t *testing.T, versions []string)) {
	t.Run("2026-07-28", func(t *testing.T) { f(t, nil) })
	t.Run("2025-11-25", func(t *testing.T) { f(t, []string{"2025-11-25"}) })
}

func TestNew(t *testing.T) {
	eras(t, func(t *testing.T, versions []string) {
		for _, mode := range []mcp.Mode{mcp.ModeDefault, mcp.ModeText, mcp.ModeReplace, mcp.ModeDryRun, mcp.ModeOff} {
			t.Run(mode.String(), func(t *testing.T) {
				s := newServer(versions...)
				tool := &sdk.Tool{Name: "rows"}
				sdk.AddTool(s, tool, plainTool)
				var own []*sdk.Tool // as the server has them
				s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
					return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
						result, err := next(ctx, method, req)
						if list, ok := result.(*sdk.ListToolsResult); ok {
							own = list.Tools
						}
						return result, err
					}
				})
				var events []mcp.Event
				s.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{Mode: mode, Instructions: "Tables.", Observe: func(e mcp.Event) { events = append(events, e) }}))
				c, _ := connect(t, s, nil)
				require.Equal(t, "Be nice.\n\nTables.", c.InitializeResult().Instructions)
				for range 2 {
					list, err := c.ListTools(t.Context(), nil)
					require.NoError(t, err)
					require.Equal(t, mode == mcp.ModeReplace, list.Tools[0].OutputSchema == nil)
					require.NotNil(t, own[0].OutputSchema, "the server's own tool was changed")
				}
				result := call(t, c, "rows", 50, nil)
				require.Equal(t, mode == mcp.ModeReplace, result.StructuredContent == nil)
				format, data := text(t, result)
				require.Equal(t, mode == mcp.ModeDryRun || mode == mcp.ModeOff, format == "")
				require.Contains(t, data, `"name":"`)
				require.Equal(t, mode == mcp.ModeOff, events[0].Reason == "off")
				small := call(t, c, "rows", 1, nil)
				require.NotNil(t, small.StructuredContent)
				format, _ = text(t, small)
				require.Empty(t, format)
				failed := call(t, c, "rows", -1, nil)
				require.True(t, failed.IsError)
			})
		}
	})
}

// TestAddTool: every digit and the order of the members arrive as they are.
func TestAddTool(t *testing.T) {
	eras(t, func(t *testing.T, versions []string) {
		for _, mode := range []mcp.Mode{mcp.ModeDefault, mcp.ModeReplace, mcp.ModeText, mcp.ModeDryRun, mcp.ModeOff} {
			for _, both := range []bool{false, true} {
				t.Run(fmt.Sprint(mode, both), func(t *testing.T) {
					s := newServer(versions...)
					tool := &sdk.Tool{Name: "rows"}
					middleware.AddTool(s, tool, rowsTool, &mcp.Rewriter{Mode: mode})
					require.Nil(t, tool.OutputSchema, "the caller's tool was changed")
					if both {
						s.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{Mode: max(mode, mcp.ModeText)}))
					}
					c, wire := connect(t, s, nil)
					list, err := c.ListTools(t.Context(), nil)
					require.NoError(t, err)
					replaces := mode == mcp.ModeDefault || mode == mcp.ModeReplace
					require.Equal(t, replaces, list.Tools[0].OutputSchema == nil)

					result := call(t, c, "rows", 50, nil)
					format, data := text(t, result)
					require.Equal(t, jsonOf(t, 50), data)
					require.Contains(t, data, exactRow)
					require.Equal(t, mode == mcp.ModeDryRun || mode == mcp.ModeOff, format == "")
					require.Equal(t, replaces, result.StructuredContent == nil)
					if !replaces {
						require.Contains(t, unescaped(wire.String()), `"structuredContent":{"rows":[`+exactRow)
					}
					wire.Reset()
					format, data = text(t, call(t, c, "rows", 1, nil))
					require.Empty(t, format)
					require.Equal(t, `{"rows":[`+exactRow+`]}`, data)
					require.Contains(t, unescaped(wire.String()), `"structuredContent":{"rows":[`+exactRow)
				})
			}
		}
	})
}

// unescaped takes away the escapes for HTML that encoding/json writes.
func unescaped(text string) string {
	for _, c := range []string{"<", ">", "&"} {
		text = string(bytes.ReplaceAll([]byte(text), fmt.Appendf(nil, `\u%04x`, c[0]), []byte(c)))
	}
	return text
}

func TestAddToolValues(t *testing.T) {
	s := newServer()
	r := mcp.Rewriter{MinTokens: -1, Formats: []string{"gcx"}}
	add := func(name string, out any, schema any, mode mcp.Mode) {
		r := r
		r.Mode = mode
		middleware.AddTool(s, &sdk.Tool{Name: name, OutputSchema: schema}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, any, error) {
			return nil, out, nil
		}, &r)
	}
	add("none", nil, nil, mcp.ModeReplace)
	add("nan", math.NaN(), nil, mcp.ModeReplace)
	add("broken", map[string]any{"a": "x"}, json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`), mcp.ModeText)
	add("array", table(20).Rows, nil, mcp.ModeReplace)
	add("array beside", table(20).Rows, nil, mcp.ModeText)
	middleware.AddTool(s, &sdk.Tool{Name: "pointer"}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, *rows, error) {
		return nil, nil, nil
	}, &r)
	middleware.AddTool(s, &sdk.Tool{Name: "prose"}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, rows, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "20 rows"}}}, table(20), nil
	}, &r)
	middleware.AddTool(s, &sdk.Tool{Name: "error"}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, rows, error) {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "no"}}}, rows{}, nil
	}, &r)
	c, _ := connect(t, s, nil)
	try := func(name string) (*sdk.CallToolResult, error) {
		return c.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
	}
	for name, want := range map[string]string{"nan": "not JSON", "broken": "breaks its output schema"} {
		_, err := try(name)
		require.ErrorContains(t, err, want)
	}
	none, err := try("none")
	require.NoError(t, err)
	require.Empty(t, none.Content)
	require.Nil(t, none.StructuredContent)
	pointer, err := try("pointer")
	require.NoError(t, err)
	_, data := text(t, pointer)
	require.Equal(t, `{"rows":null}`, data)
	for _, name := range []string{"array", "array beside"} {
		array, err := try(name)
		require.NoError(t, err)
		format, data := text(t, array)
		require.Equal(t, "gcx", format)
		require.Contains(t, data, "["+exactRow)
	}
	prose, err := try("prose")
	require.NoError(t, err)
	require.Nil(t, prose.StructuredContent)
	require.Len(t, prose.Content, 2)
	require.Equal(t, "20 rows", prose.Content[0].(*sdk.TextContent).Text)
	require.Equal(t, "gcx", prose.Content[1].(*sdk.TextContent).Meta[mcp.MetaKey])
	failed, err := try("error")
	require.NoError(t, err)
	require.True(t, failed.IsError)
	require.Equal(t, "no", failed.Content[0].(*sdk.TextContent).Text)
}

// TestWishes: of two clients at the same time each gets what it asked for.
func TestWishes(t *testing.T) {
	eras(t, func(t *testing.T, versions []string) {
		s := newServer(versions...)
		sdk.AddTool(s, &sdk.Tool{Name: "sdk"}, plainTool)
		middleware.AddTool(s, &sdk.Tool{Name: "exact"}, rowsTool, &mcp.Rewriter{})
		s.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{Mode: mcp.ModeReplace}))
		options := func(accept ...any) *sdk.ClientOptions {
			return &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{Extensions: map[string]any{mcp.MetaKey: map[string]any{"accept": append([]any{}, accept...)}}}}
		}
		var wait sync.WaitGroup
		for _, w := range []struct {
			options *sdk.ClientOptions
			meta    sdk.Meta
			want    string
		}{
			{options("glyph"), nil, "glyph"}, {options("csv", 7, "gcx"), nil, "gcx"}, {options(), nil, ""},
			{nil, sdk.Meta{mcp.MetaKey: "glyph"}, "glyph"}, {nil, sdk.Meta{mcp.MetaKey: "json"}, ""}, {options("glyph"), sdk.Meta{mcp.MetaKey: "gcx"}, "gcx"},
		} {
			c, _ := connect(t, s, w.options)
			wait.Go(func() {
				for _, tool := range []string{"sdk", "exact"} {
					for range 5 {
						result := call(t, c, tool, 50, w.meta)
						format, _ := text(t, result)
						require.Equal(t, w.want, format)
						require.Equal(t, w.want == "", result.StructuredContent != nil)
					}
				}
			})
		}
		wait.Wait()
	})
}

// TestObservePanics: a result is given to its client, whatever observes it does.
func TestObservePanics(t *testing.T) {
	r := mcp.Rewriter{Observe: func(mcp.Event) { panic("observe") }}
	s := newServer()
	s.AddReceivingMiddleware(middleware.New(&r))
	sdk.AddTool(s, &sdk.Tool{Name: "sdk"}, plainTool)
	middleware.AddTool(s, &sdk.Tool{Name: "exact"}, rowsTool, &r)
	c, _ := connect(t, s, nil)
	for _, tool := range []string{"sdk", "exact"} {
		_, data := text(t, call(t, c, tool, 1, nil))
		require.NotEmpty(t, data)
	}
}

// TestDeclaredForAll: a tool that has declared its schema keeps
// structuredContent for every client.
func TestDeclaredForAll(t *testing.T) {
	s := newServer()
	middleware.AddTool(s, &sdk.Tool{Name: "rows"}, rowsTool, &mcp.Rewriter{Mode: mcp.ModeText, Clients: func(name string) mcp.Mode { return map[string]mcp.Mode{"c": mcp.ModeReplace}[name] }})
	c, _ := connect(t, s, nil)
	result := call(t, c, "rows", 50, nil)
	require.NotNil(t, result.StructuredContent)
	format, _ := text(t, result)
	require.NotEmpty(t, format)
}

// TestBlocks: other blocks, annotations and _meta stay, and the server's result
// is not changed.
func TestBlocks(t *testing.T) {
	data := jsonOf(t, 50)
	marks := sdk.Meta{"a/b": 1}
	own := &sdk.CallToolResult{Meta: sdk.Meta{"x/y": 2}, Content: []sdk.Content{
		&sdk.ImageContent{Data: []byte("hi"), MIMEType: "image/png"},
		&sdk.TextContent{Text: data, Meta: marks, Annotations: &sdk.Annotations{Priority: 0.5}},
		&sdk.TextContent{Text: "prose"},
	}}
	s := newServer()
	s.AddTool(&sdk.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return own, nil })
	s.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{Mode: mcp.ModeReplace}))
	c, _ := connect(t, s, nil)
	for range 2 {
		result := call(t, c, "t", 0, nil)
		require.Equal(t, own.Content[0], result.Content[0])
		require.Equal(t, own.Content[2], result.Content[2])
		block := result.Content[1].(*sdk.TextContent)
		require.NotEqual(t, data, block.Text)
		require.Len(t, block.Meta, 2)
		require.Equal(t, 0.5, block.Annotations.Priority)
		require.EqualValues(t, 2, result.Meta["x/y"])
		require.Equal(t, data, own.Content[1].(*sdk.TextContent).Text)
		require.Len(t, marks, 1)
	}
}

// TestOverHTTP: with and without sessions.
func TestOverHTTP(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		t.Run(fmt.Sprint(stateless), func(t *testing.T) {
			s := newServer()
			middleware.AddTool(s, &sdk.Tool{Name: "exact"}, rowsTool, &mcp.Rewriter{})
			sdk.AddTool(s, &sdk.Tool{Name: "sdk"}, plainTool)
			s.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{}))
			front := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: stateless}))
			defer front.Close()
			c, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: front.URL}, nil)
			require.NoError(t, err)
			defer c.Close()
			_, data := text(t, call(t, c, "exact", 50, nil))
			require.Equal(t, jsonOf(t, 50), data)
			format, _ := text(t, call(t, c, "sdk", 50, nil))
			require.NotEmpty(t, format)
		})
	}
}

// TestPrune: a client is given the pruned schema, and it accepts what the
// server's own does.
func TestPrune(t *testing.T) {
	const schema = `{"$schema":"http://json-schema.org/draft-07/schema#","title":"read_file","type":"object","required":["filePath"],` +
		`"properties":{"filePath":{"title":"File Path","type":"string","minLength":1},"title":{"$comment":"?","enum":["title",1.0]}},"additionalProperties":false}`
	s := newServer()
	tool := &sdk.Tool{Name: "read_file", InputSchema: json.RawMessage(schema)}
	s.AddTool(tool, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, nil
	})
	s.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{Prune: true}))
	c, _ := connect(t, s, nil)
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	pruned, err := json.Marshal(list.Tools[0].InputSchema)
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"object","required":["filePath"],"properties":{"filePath":{"type":"string","minLength":1},"title":{"enum":["title",1]}},"additionalProperties":false}`, string(pruned))
	require.Equal(t, schema, string(tool.InputSchema.(json.RawMessage)))
	accepts := func(text, instance string) bool {
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal([]byte(text), &schema))
		schema.Schema = "" // the validator knows one version
		resolved, err := schema.Resolve(nil)
		require.NoError(t, err)
		var v any
		require.NoError(t, json.Unmarshal([]byte(instance), &v))
		return resolved.Validate(v) == nil
	}
	for instance, want := range map[string]bool{
		`{"filePath":"x"}`: true, `{"filePath":"x","title":1}`: true, `{"filePath":"x","title":"title"}`: true,
		`{}`: false, `{"filePath":""}`: false, `{"filePath":"x","title":2}`: false, `{"filePath":"x","more":1}`: false, `7`: false,
	} {
		require.Equal(t, want, accepts(schema, instance), instance)
		require.Equal(t, want, accepts(string(pruned), instance), instance)
	}
}

func TestWrongRewriter(t *testing.T) {
	wrong := mcp.Rewriter{Formats: []string{"nosuch"}}
	require.Panics(t, func() { middleware.New(&wrong) })
	require.Panics(t, func() { middleware.AddTool(newServer(), &sdk.Tool{Name: "t"}, rowsTool, &wrong) })
}

// TestSharedRewriter: a rewriter that several are made of stays what it is.
func TestSharedRewriter(t *testing.T) {
	var r mcp.Rewriter
	middleware.New(&r)
	require.Equal(t, mcp.ModeDefault, r.Mode)
}
