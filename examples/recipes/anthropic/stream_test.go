package anthropic_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/wirekit/wirekit/examples/recipes/anthropic"
	"github.com/wirekit/wirekit/partial"
)

// TestStreamCalls reads streams in the form that the API documents, from whole ones to one that
// max_tokens has cut and one whose connection ended.
func TestStreamCalls(t *testing.T) {
	for _, c := range []struct {
		file  string
		cut   string // after which the connection ends
		calls string
		shown string // what was seen of the last call that was shown
		err   error
	}{
		{"whole", "", `get_weather {"location":"San Francisco, CA","days":[1,12]}; list_all {}`, `{"location":"San Francisco, CA","days":[1,12]}`, nil},
		{"max_tokens", "", `list_all {}`, `{"location":"San Fra"}`, partial.ErrCut},
		{"max_tokens_empty", "", ``, ``, partial.ErrCut},
		{"input_at_start", "", `get_weather {"location":"Oslo"}`, ``, nil},
		{"whole", `San Fra`, ``, `{"location":""}`, partial.ErrCut},
		{"whole", `message_delta`, `get_weather {"location":"San Francisco, CA","days":[1,12]}`, `{"location":"San Francisco, CA","days":[1,12]}`, partial.ErrCut},
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
		client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
		shown := ""
		calls, err := anthropic.StreamCalls(client.Messages.NewStreaming(t.Context(), sdk.MessageNewParams{Model: "a-model", MaxTokens: 100,
			Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("The weather?"))}}), func(call *anthropic.Call) {
			v, _ := call.Input.Value()
			shown = v.String()
		})
		server.Close()
		var got []string
		for _, call := range calls {
			v, _ := call.Input.Value()
			got = append(got, call.Name+" "+v.String())
		}
		if text := strings.Join(got, "; "); text != c.calls || shown != c.shown || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: calls %q, shown %q, %v", c.file, text, shown, err)
		}
	}
}
