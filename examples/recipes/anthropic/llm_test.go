package anthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/wirekit/wirekit/examples/recipes/anthropic"
	"github.com/wirekit/wirekit/internal/tools/scripted"
)

// TestMessages: the SDK is told the same through the proxy and the Transport.
func TestMessages(t *testing.T) {
	scripted.Compare(t, "messages", func(t testing.TB, base string, over *http.Client, scenario string) string {
		options := []option.RequestOption{option.WithBaseURL(base), option.WithAPIKey("key"), option.WithHTTPClient(over), option.WithMaxRetries(1)}
		if scenario != "plain" && scenario != "stream" {
			options = append(options, option.WithHeader(scripted.Header, scenario))
		}
		c := sdk.NewClient(options...)
		var told strings.Builder
		chat := sdk.MessageNewParams{Model: "scripted", MaxTokens: 1000, System: []sdk.TextBlockParam{{Text: "You are an agent."}},
			Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("Look at everything."))}}
		for {
			message, err := answer(c, chat, scenario == "stream" || scenario == "cut", &told)
			var refused *sdk.Error
			if errors.As(err, &refused) {
				fmt.Fprintln(&told, refused.StatusCode, refused.RawJSON())
			}
			if err != nil {
				return told.String() + "failed"
			}
			var results []sdk.ContentBlockParamUnion
			for _, block := range message.Content {
				if call, ok := block.AsAny().(sdk.ToolUseBlock); ok {
					var in struct{ N int }
					if err := json.Unmarshal(call.Input, &in); err != nil {
						t.Fatal(err)
					}
					result := scripted.Results()[in.N]
					results = append(results, sdk.NewToolResultBlock(call.ID, result.Text, result.Failed))
				}
			}
			if results == nil {
				return told.String()
			}
			chat.Messages = append(chat.Messages, message.ToParam(), sdk.NewUserMessage(results...))
		}
	})
}

// answer notes everything that the client is told.
func answer(c sdk.Client, chat sdk.MessageNewParams, streaming bool, told *strings.Builder) (*sdk.Message, error) {
	if !streaming {
		message, err := c.Messages.New(context.Background(), chat)
		if err == nil {
			fmt.Fprintln(told, message.RawJSON())
		}
		return message, err
	}
	message := &sdk.Message{}
	stream := c.Messages.NewStreaming(context.Background(), chat)
	for stream.Next() {
		fmt.Fprintln(told, stream.Current().RawJSON())
		if err := message.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return message, stream.Err()
}

// TestNewClient: the client of the recipe sends less than it is given.
func TestNewClient(t *testing.T) {
	var sent scripted.Request
	server := httptest.NewServer(&scripted.Model{Seen: func(r *http.Request, body []byte) { sent = scripted.Request{Path: r.URL.Path, Body: body} }})
	defer server.Close()
	c := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("key"))
	text := scripted.Results()[0].Text
	_, err := c.Messages.New(t.Context(), sdk.MessageNewParams{Model: "m", MaxTokens: 1, Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewToolResultBlock("c", text, false))}})
	if err != nil || sent.Path != "/v1/messages" || len(sent.Body) > len(text) {
		t.Errorf("%v: %d bytes to %s for %d", err, len(sent.Body), sent.Path, len(text))
	}
}
