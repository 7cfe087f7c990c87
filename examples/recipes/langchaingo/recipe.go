// Package langchaingo gives tool results to an agent of LangChainGo, in the
// smallest text that loses nothing.
package langchaingo

import (
	"context"
	"net/http"

	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/llm"
)

// NewModel returns a model whose requests are rewritten on their way, in one line: an
// agent that has it gives tools' results to the model as they are.
func NewModel(options ...openai.Option) (*openai.LLM, error) {
	return openai.New(append(options, openai.WithHTTPClient(&http.Client{Transport: &llm.Transport{}}))...)
}

// A Tool is one of an agent's; Run takes the input and returns any Go value.
type Tool struct {
	ToolName, About string
	Run             func(ctx context.Context, input string) (any, error)
}

var _ tools.Tool = Tool{}

// Name and Description are what the model reads.
func (t Tool) Name() string        { return t.ToolName }
func (t Tool) Description() string { return t.About }

// Call runs the tool. Its errors are texts for the model, which can call it in
// another way or do without; an error of Call would end the agent. Agents bound
// their rounds themselves, see agents.WithMaxIterations.
func (t Tool) Call(ctx context.Context, input string) (string, error) {
	text, err := t.run(ctx, input)
	if err != nil {
		text = "error: " + err.Error()
	}
	return text, ctx.Err()
}

func (t Tool) run(ctx context.Context, input string) (string, error) {
	result, err := t.Run(ctx, input)
	if err != nil {
		return "", err
	}
	text, _, err := wirekit.Text(result)
	return text, err
}
