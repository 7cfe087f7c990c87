// Package anthropic gives tool results to a model with the official Anthropic
// SDK, in the smallest text that loses nothing.
package anthropic

import (
	"context"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/wirekit/wirekit"
)

// A Tool is what a model may call: it takes JSON and returns any Go value.
type Tool func(ctx context.Context, input json.RawMessage) (any, error)

// Ask asks a model until it calls no more tools, and returns its last message.
func Ask(ctx context.Context, client anthropic.Client, chat anthropic.MessageNewParams, tools map[string]Tool) (*anthropic.Message, error) {
	for {
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
			result, err := tools[call.Name](ctx, call.Input)
			if err != nil {
				return nil, err
			}
			text, _, err := wirekit.Text(result)
			if err != nil {
				return nil, err
			}
			results = append(results, anthropic.NewToolResultBlock(call.ID, text, false))
		}
		chat.Messages = append(chat.Messages, message.ToParam(), anthropic.NewUserMessage(results...))
	}
}
