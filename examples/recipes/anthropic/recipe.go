// Package anthropic gives tool results to a model with the official Anthropic
// SDK, in the smallest text that loses nothing.
package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/llm"
)

// NewClient returns a client whose requests are rewritten on their way, in one line: a
// program that has it gives tools' results to the model as they are.
func NewClient(options ...option.RequestOption) anthropic.Client {
	smaller := option.WithHTTPClient(&http.Client{Transport: &llm.Transport{}})
	return anthropic.NewClient(append(options, smaller)...)
}

// A Tool is what a model may call: it takes JSON and returns any Go value.
type Tool func(ctx context.Context, input json.RawMessage) (any, error)

// MaxRounds is how often Ask asks before it gives up: a model can call tools for ever.
const MaxRounds = 20

// Ask asks a model until it calls no more tools, and returns its last message.
func Ask(ctx context.Context, client anthropic.Client, chat anthropic.MessageNewParams, tools map[string]Tool) (*anthropic.Message, error) {
	for range MaxRounds {
		message, err := client.Messages.New(ctx, chat)
		if err != nil || message.StopReason != anthropic.StopReasonToolUse {
			return message, err
		}
		var results []anthropic.ContentBlockParamUnion
		for _, block := range message.Content {
			call, ok := block.AsAny().(anthropic.ToolUseBlock)
			if !ok {
				continue
			}
			text, err := run(ctx, tools, call.Name, call.Input)
			if err != nil { // the model can call it in another way, or do without
				text = err.Error()
			}
			results = append(results, anthropic.NewToolResultBlock(call.ID, text, err != nil))
		}
		if len(results) == 0 {
			return message, nil // it stopped for a tool and called none
		}
		chat.Messages = append(chat.Messages, message.ToParam(), anthropic.NewUserMessage(results...))
	}
	return nil, fmt.Errorf("the model still calls tools after %d rounds", MaxRounds)
}

// run runs a tool and returns its result as text.
func run(ctx context.Context, tools map[string]Tool, name string, input json.RawMessage) (string, error) {
	tool, ok := tools[name]
	if !ok {
		return "", fmt.Errorf("there is no tool named %q", name)
	}
	result, err := tool(ctx, input)
	if err != nil {
		return "", err
	}
	text, _, err := wirekit.Text(result)
	return text, err
}
