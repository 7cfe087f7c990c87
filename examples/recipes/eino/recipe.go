// Package eino gives the results of an Eino agent's tools to the model in the smallest text
// that loses nothing.
package eino

import (
	"context"

	"github.com/cloudwego/eino/compose"
	"github.com/wirekit/wirekit"
)

// Smaller is for compose.ToolsNodeConfig.ToolCallMiddlewares: results that are JSON objects
// and arrays become the text with the fewest tokens, all others stay as they are.
var Smaller = compose.ToolMiddleware{Invokable: func(next compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
	return func(ctx context.Context, call *compose.ToolInput) (*compose.ToolOutput, error) {
		out, err := next(ctx, call)
		if err != nil || out == nil {
			return out, err
		}
		text, _, err := wirekit.TextString(out.Result, nil)
		return &compose.ToolOutput{Result: text}, err
	}
}}
