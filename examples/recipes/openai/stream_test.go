package openai_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/wirekit/wirekit/examples/recipes/openai"
	"github.com/wirekit/wirekit/partial"
)

// TestStreamCalls reads streams of both APIs in the form that they document, from whole ones to
// those that a limit of tokens has cut and those whose connection ended.
func TestStreamCalls(t *testing.T) {
	chat := func(t *testing.T, c sdk.Client, show func(*openai.Call)) ([]*openai.Call, error) {
		return openai.StreamCalls(c.Chat.Completions.NewStreaming(t.Context(), sdk.ChatCompletionNewParams{
			Model: "a-model", Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage("The weather?")}}), show)
	}
	response := func(t *testing.T, c sdk.Client, show func(*openai.Call)) ([]*openai.Call, error) {
		return openai.StreamResponse(c.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{Model: "a-model"}), show)
	}
	const weather = `{"location":"San Francisco, CA","days":[1,12]}`
	for _, c := range []struct {
		file  string
		cut   string // after which the connection ends
		read  func(*testing.T, sdk.Client, func(*openai.Call)) ([]*openai.Call, error)
		calls string
		shown string // what was seen of the call of the weather
		err   error
	}{
		{"whole", "", chat, "get_weather " + weather + "; list_all {}", weather, nil},
		{"length", "", chat, "list_all {}", `{"location":"San Fra"}`, partial.ErrCut},
		{"whole", "ncisco", chat, "", `{"location":"San Fra"}`, partial.ErrCut},
		{"responses", "", response, "get_weather " + weather, weather, nil},
		{"responses_incomplete", "", response, "", `{"location":"San Fra"}`, partial.ErrCut},
		{"responses", "San Fra", response, "", `{"location":""}`, partial.ErrCut},
	} {
		recording, err := os.ReadFile("testdata/" + c.file + ".sse")
		if err != nil {
			t.Fatal(err)
		}
		text := string(recording)
		if c.cut != "" {
			text = text[:strings.Index(text, c.cut)]
			text = text[:strings.LastIndex(text, "\n\n")+2]
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, text)
		}))
		shown := ""
		calls, err := c.read(t, sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none")), func(call *openai.Call) {
			if v, _ := call.Arguments.Value(); call.Name == "get_weather" {
				shown = v.String()
			}
		})
		server.Close()
		var got []string
		for _, call := range calls {
			v, _ := call.Arguments.Value()
			got = append(got, call.Name+" "+v.String())
		}
		if text := strings.Join(got, "; "); text != c.calls || shown != c.shown || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: calls %q, shown %q, %v", c.file, text, shown, err)
		}
	}
}
