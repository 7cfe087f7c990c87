package middleware_test

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/mcp/middleware"
)

type issue struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	State  string `json:"state"`
}

func listIssues(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, []issue, error) {
	var list []issue
	for i := range 40 {
		list = append(list, issue{i + 1, "Something is wrong", "open"})
	}
	return nil, list, nil
}

// One line for all tools of a server, or a tool of its own with every digit.
func ExampleNew() {
	server := sdk.NewServer(&sdk.Implementation{Name: "tracker", Version: "1.0.0"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "list"}, listIssues)
	server.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{}))
	middleware.AddTool(server, &sdk.Tool{Name: "list_exactly"}, listIssues, &mcp.Rewriter{})
	_ = server.Run(context.Background(), &sdk.StdioTransport{})
}

// What a client is told.
func Example() {
	server := sdk.NewServer(&sdk.Implementation{Name: "tracker", Version: "1.0.0"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "list"}, listIssues)
	server.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{}))
	middleware.AddTool(server, &sdk.Tool{Name: "list_exactly"}, listIssues, &mcp.Rewriter{})

	ctx := context.Background()
	near, far := sdk.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		panic(err)
	}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1.0.0"}, nil).Connect(ctx, near, nil)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	for _, tool := range []string{"list", "list_exactly"} {
		result, err := client.CallTool(ctx, &sdk.CallToolParams{Name: tool})
		if err != nil {
			panic(err)
		}
		text := result.Content[0].(*sdk.TextContent)
		fmt.Printf("%s: %s, structuredContent: %t\n", tool, text.Meta[mcp.MetaKey], result.StructuredContent != nil)
	}
	// Output:
	// list: gcx, structuredContent: true
	// list_exactly: gcx, structuredContent: false
}
