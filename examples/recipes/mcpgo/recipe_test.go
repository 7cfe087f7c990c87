package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/mcpgo"
)

type row struct {
	ID   uint64 `json:"id"`
	Name string `json:"name"`
}

func rows() (rows []row) {
	for i := range 30 {
		rows = append(rows, row{12345678901234567890, fmt.Sprint("row ", i)})
	}
	return rows
}

// call calls a tool of a server in this process.
func call(t *testing.T, name string) (*mcp.CallToolResult, error) {
	t.Helper()
	s := server.NewMCPServer("rows", "1", server.WithToolHandlerMiddleware(mcpgo.Smaller))
	s.AddTool(mcp.NewTool("list_rows"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text, err := json.Marshal(rows())
		result := mcp.NewToolResultText(string(text))
		result.StructuredContent = map[string]any{"rows": rows()}
		return result, err
	})
	s.AddTool(mcp.NewTool("say"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("3 rows are [old]."), nil
	})
	s.AddTool(mcp.NewTool("refuse"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError(`{"error": "no such row"}`), nil
	})
	s.AddTool(mcp.NewTool("broken"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("disk on fire")
	})
	c, err := client.NewInProcessClient(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	var request mcp.CallToolRequest
	request.Params.Name = name
	return c.CallTool(t.Context(), request)
}

func textOf(t *testing.T, name string) string {
	t.Helper()
	result, err := call(t, name)
	if err != nil {
		t.Fatal(err)
	}
	return result.Content[0].(mcp.TextContent).Text
}

func TestSmaller(t *testing.T) {
	want, report, err := wirekit.Text(rows())
	if err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, "list_rows"); got != want {
		t.Errorf("the model was given %q instead of %q", got, want)
	}
	if report.Saving() < 0.28 {
		t.Errorf("a saving of %v", report.Saving())
	}
	for name, want := range map[string]string{"say": "3 rows are [old].", "refuse": `{"error": "no such row"}`} {
		if got := textOf(t, name); got != want {
			t.Errorf("%s: %q instead of %q", name, got, want)
		}
	}
	result, err := call(t, "list_rows")
	if err != nil || result.StructuredContent == nil {
		t.Errorf("what programs read is gone: %v, %v", result, err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := call(t, "broken"); err == nil {
		t.Error("an error was lost")
	}
}
