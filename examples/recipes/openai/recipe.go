// Package openai gives tool results to a model with the official OpenAI SDK, in
// the smallest text that loses nothing.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/llm"
)

// NewClient returns a client whose requests are rewritten on their way, in one line: a
// program that has it gives tools' results to the model as they are.
func NewClient(options ...option.RequestOption) openai.Client {
	smaller := option.WithHTTPClient(&http.Client{Transport: &llm.Transport{}})
	return openai.NewClient(append(options, smaller)...)
}

// A Tool is what a model may call: it takes JSON and returns any Go value.
type Tool func(ctx context.Context, arguments string) (any, error)

// MaxRounds is how often Ask asks before it gives up: a model can call tools for ever.
const MaxRounds = 20

// Ask asks a model until it calls no more tools, and returns its answer.
func Ask(ctx context.Context, client openai.Client, chat openai.ChatCompletionNewParams, tools map[string]Tool) (string, error) {
	for range MaxRounds {
		completion, err := client.Chat.Completions.New(ctx, chat)
		if err != nil {
			return "", err
		}
		if len(completion.Choices) == 0 {
			return "", errors.New("the model has returned no choices")
		}
		message := completion.Choices[0].Message
		if len(message.ToolCalls) == 0 {
			return message.Content, nil
		}
		chat.Messages = append(chat.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			text, err := run(ctx, tools, call.Function.Name, call.Function.Arguments)
			if err != nil { // the model can call it in another way, or do without
				text = "error: " + err.Error()
			}
			chat.Messages = append(chat.Messages, openai.ToolMessage(text, call.ID))
		}
	}
	return "", fmt.Errorf("the model still calls tools after %d rounds", MaxRounds)
}

// run runs a tool and returns its result as text.
func run(ctx context.Context, tools map[string]Tool, name, arguments string) (string, error) {
	tool, ok := tools[name]
	if !ok {
		return "", fmt.Errorf("there is no tool named %q", name)
	}
	result, err := tool(ctx, arguments)
	if err != nil {
		return "", err
	}
	text, _, err := wirekit.Text(result)
	return text, err
}
