// Package adk gives the results of an ADK agent's tools to the model in the smallest text
// that loses nothing.
package adk

import (
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"

	"github.com/wirekit/wirekit"
)

// An Output is the result of a tool as the model sees it.
type Output struct {
	Output string `json:"output"`
}

// NewTool is functiontool.New for a function whose result becomes the text with the fewest
// tokens. It wraps the function, since callbacks after it are given a map, which has lost
// the order of members and long numbers' digits.
func NewTool[Args, Result any](config functiontool.Config, run functiontool.Func[Args, Result]) (tool.Tool, error) {
	return functiontool.New(config, func(ctx agent.Context, args Args) (Output, error) {
		result, err := run(ctx, args)
		if err != nil {
			return Output{}, err
		}
		if text, ok := any(result).(string); ok {
			text, _, err = wirekit.TextString(text, nil)
			return Output{text}, err
		}
		text, _, err := wirekit.Text(result)
		return Output{text}, err
	})
}
