// Package mcpgo makes the results of a server that is written with mcp-go smaller for the
// model that reads them.
package mcpgo

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/wirekit/wirekit"
)

// Smaller is for server.WithToolHandlerMiddleware: texts that are JSON objects and arrays
// become the text with the fewest tokens. structuredContent, which programs read, stays as
// it is, and so do errors.
func Smaller(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := next(ctx, request)
		if err != nil || result == nil || result.IsError {
			return result, err
		}
		smaller := *result
		smaller.Content = slices.Clone(result.Content)
		for i, block := range smaller.Content {
			text, ok := block.(mcp.TextContent)
			if !ok {
				continue
			}
			if text.Text, _, err = wirekit.TextString(text.Text, nil); err != nil {
				return result, nil
			}
			smaller.Content[i] = text
		}
		return &smaller, nil
	}
}
