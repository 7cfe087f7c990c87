// Package genkit gives the results of tools to a model of Genkit in the smallest text that
// loses nothing.
package genkit

import (
	"github.com/firebase/genkit/go/ai"
	"github.com/wirekit/wirekit"
)

// Smaller wraps the function of a tool, for genkit.DefineTool: what it returns reaches the
// model as the text with the fewest tokens, and a string that is no JSON as it is. It wraps
// the function, since what hooks after it are given has lost the order of members and long
// numbers' digits.
func Smaller[In, Out any](run ai.ToolFunc[In, Out]) ai.ToolFunc[In, string] {
	return func(ctx *ai.ToolContext, in In) (string, error) {
		result, err := run(ctx, in)
		if err != nil {
			return "", err
		}
		text, isText := any(result).(string)
		if isText {
			text, _, err = wirekit.TextString(text, nil)
		} else {
			text, _, err = wirekit.Text(result)
		}
		return text, err
	}
}
