// Package openai gives tool results to a model with the official OpenAI SDK, in
// the smallest text that loses nothing.
package openai

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/wirekit/wirekit"
)

// A Tool is what a model may call: it takes JSON and returns any Go value.
type Tool func(ctx context.Context, arguments string) (any, error)

// Ask asks a model until it calls no more tools, and returns its answer.
func Ask(ctx context.Context, client openai.Client, chat openai.ChatCompletionNewParams, tools map[string]Tool) (string, error) {
	for {
		completion, err := client.Chat.Completions.New(ctx, chat)
		if err != nil {
			return "", err
		}
		message := completion.Choices[0].Message
		if len(message.ToolCalls) == 0 {
			return message.Content, nil
		}
		chat.Messages = append(chat.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			result, err := tools[call.Function.Name](ctx, call.Function.Arguments)
			if err != nil {
				return "", err
			}
			text, _, err := wirekit.Text(result)
			if err != nil {
				return "", err
			}
			chat.Messages = append(chat.Messages, openai.ToolMessage(text, call.ID))
		}
	}
}
