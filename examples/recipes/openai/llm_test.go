package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/wirekit/wirekit/examples/recipes/openai"
	"github.com/wirekit/wirekit/internal/tools/scripted"
)

// client returns the SDK's client for a scenario of the scripted model.
func client(base string, over *http.Client, scenario string) sdk.Client {
	options := []option.RequestOption{option.WithBaseURL(base + "/v1"), option.WithAPIKey("key"), option.WithHTTPClient(over), option.WithMaxRetries(1)}
	if scenario != "plain" && scenario != "stream" {
		options = append(options, option.WithHeader(scripted.Header, scenario))
	}
	return sdk.NewClient(options...)
}

// A transcript is what a client was told.
type transcript struct{ strings.Builder }

func (told *transcript) note(raw string) { fmt.Fprintln(told, raw) }

// failed notes an error as a program sees it: its status and what the API said.
func (told *transcript) failed(err error) string {
	var refused *sdk.Error
	if errors.As(err, &refused) {
		fmt.Fprintln(told, refused.StatusCode, refused.RawJSON())
	} else {
		fmt.Fprintf(told, "failed: %t\n", err != nil)
	}
	return told.String()
}

func output(t testing.TB, arguments string) string {
	var in struct{ N int }
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		t.Fatal(err)
	}
	return scripted.Results()[in.N].Text
}

// TestChat and TestResponses: the SDK is told the same through the proxy and the Transport.
func TestChat(t *testing.T) {
	scripted.Compare(t, "chat", func(t testing.TB, base string, over *http.Client, scenario string) string {
		c, told := client(base, over, scenario), &transcript{}
		chat := sdk.ChatCompletionNewParams{Model: "scripted", Messages: []sdk.ChatCompletionMessageParamUnion{
			sdk.SystemMessage("You are an agent."), sdk.UserMessage("Look at everything."),
		}, Temperature: sdk.Float(0.5)}
		for {
			var message sdk.ChatCompletionMessage
			if scenario == "stream" || scenario == "cut" {
				all := sdk.ChatCompletionAccumulator{}
				stream := c.Chat.Completions.NewStreaming(context.Background(), chat)
				for stream.Next() {
					all.AddChunk(stream.Current())
					told.note(stream.Current().RawJSON())
				}
				if err := stream.Err(); err != nil {
					return told.failed(err)
				}
				message = all.Choices[0].Message
			} else {
				completion, err := c.Chat.Completions.New(context.Background(), chat)
				if err != nil {
					return told.failed(err)
				}
				told.note(completion.RawJSON())
				message = completion.Choices[0].Message
			}
			if chat.Messages = append(chat.Messages, message.ToParam()); len(message.ToolCalls) == 0 {
				return told.String()
			}
			for _, call := range message.ToolCalls {
				chat.Messages = append(chat.Messages, sdk.ToolMessage(output(t, call.Function.Arguments), call.ID))
			}
		}
	})
}

func TestResponses(t *testing.T) {
	scripted.Compare(t, "responses", func(t testing.TB, base string, over *http.Client, scenario string) string {
		c, told := client(base, over, scenario), &transcript{}
		input := responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage("Look at everything.", responses.EasyInputMessageRoleUser)}
		for {
			request := responses.ResponseNewParams{Model: "scripted", Instructions: sdk.String("You are an agent."), Store: sdk.Bool(false),
				Input: responses.ResponseNewParamsInputUnion{OfInputItemList: input}}
			var response responses.Response
			if scenario == "stream" || scenario == "cut" {
				stream := c.Responses.NewStreaming(context.Background(), request)
				for stream.Next() {
					told.note(stream.Current().RawJSON())
					if stream.Current().Type == "response.completed" {
						response = stream.Current().Response
					}
				}
				if err := stream.Err(); err != nil {
					return told.failed(err)
				}
			} else {
				answer, err := c.Responses.New(context.Background(), request)
				if err != nil {
					return told.failed(err)
				}
				told.note(answer.RawJSON())
				response = *answer
			}
			called := false
			for _, item := range response.Output {
				switch item := item.AsAny().(type) {
				case responses.ResponseOutputMessage:
					message := item.ToParam()
					input = append(input, responses.ResponseInputItemUnionParam{OfOutputMessage: &message})
				case responses.ResponseFunctionToolCall:
					called = true
					call := item.ToParam()
					result := responses.ResponseInputItemParamOfFunctionCallOutput(output(t, item.Arguments))
					result.OfFunctionCallOutput.CallID = sdk.String(item.CallID)
					input = append(input, responses.ResponseInputItemUnionParam{OfFunctionCall: &call}, result)
				}
			}
			if !called {
				return told.String()
			}
		}
	})
}

// TestNewClient: the client of the recipe sends less than it is given.
func TestNewClient(t *testing.T) {
	var sent scripted.Request
	server := httptest.NewServer(&scripted.Model{Seen: func(r *http.Request, body []byte) { sent = scripted.Request{Path: r.URL.Path, Body: body} }})
	defer server.Close()
	c := openai.NewClient(option.WithBaseURL(server.URL+"/v1"), option.WithAPIKey("key"))
	text := scripted.Results()[0].Text
	_, err := c.Chat.Completions.New(t.Context(), sdk.ChatCompletionNewParams{Model: "m", Messages: []sdk.ChatCompletionMessageParamUnion{sdk.ToolMessage(text, "c")}})
	if err != nil || sent.Path != "/v1/chat/completions" || len(sent.Body) > len(text) {
		t.Errorf("%v: %d bytes to %s for %d", err, len(sent.Body), sent.Path, len(text))
	}
}
