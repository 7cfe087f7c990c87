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
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/openai"
)

type row struct {
	ID   uint64 `json:"id"`
	Name string `json:"name"`
}

func listRows(context.Context, string) (any, error) {
	var rows []row
	for i := range 30 {
		rows = append(rows, row{12345678901234567890, fmt.Sprint("row ", i)})
	}
	return rows, nil
}

// A model is a server that is given the messages so far and answers with choices.
type model func(messages []message) (choices string)

type message struct{ Role, Content string }

// ask asks a model, with a tool that works and one that fails.
func ask(t *testing.T, m model) (string, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Messages []message }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","choices":[%s]}`, m(request.Messages))
	}))
	defer server.Close()
	client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
	return openai.Ask(t.Context(), client, sdk.ChatCompletionNewParams{
		Model: "a-model", Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage("List the rows.")},
	}, map[string]openai.Tool{"list_rows": listRows, "broken": func(context.Context, string) (any, error) {
		return nil, errors.New("disk on fire")
	}})
}

func call(tools ...string) string {
	var calls []string
	for i, name := range tools {
		calls = append(calls, fmt.Sprintf(`{"id":"%d","type":"function","function":{"name":%q,"arguments":"{}"}}`, i, name))
	}
	return `{"index":0,"message":{"role":"assistant","tool_calls":[` + strings.Join(calls, ",") + `]}}`
}

func say(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"index":0,"message":{"role":"assistant","content":` + string(quoted) + `}}`
}

// TestAsk: the model calls the tool and then says what it was given.
func TestAsk(t *testing.T) {
	answer, err := ask(t, func(messages []message) string {
		if last := messages[len(messages)-1]; last.Role == "tool" {
			return say(last.Content)
		}
		return call("list_rows")
	})
	if err != nil {
		t.Fatal(err)
	}
	check(t, answer)
}

// TestAskErrors: what goes wrong with a tool is for the model.
func TestAskErrors(t *testing.T) {
	answer, err := ask(t, func(messages []message) string {
		if len(messages) == 1 {
			return call("imagined", "broken", "list_rows")
		}
		if !strings.Contains(messages[4].Content, "row 29") {
			t.Errorf("the third tool's result is %q", messages[4].Content)
		}
		return say(messages[2].Content + "; " + messages[3].Content)
	})
	if want := `error: there is no tool named "imagined"; error: disk on fire`; err != nil || answer != want {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestAskEnds: a model that answers nothing or never ends is an error.
func TestAskEnds(t *testing.T) {
	if _, err := ask(t, func([]message) string { return "" }); err == nil {
		t.Error("no choices are no error")
	}
	rounds := 0
	if _, err := ask(t, func([]message) string { rounds++; return call("list_rows") }); err == nil || rounds != openai.MaxRounds {
		t.Errorf("after %d rounds: %v", rounds, err)
	}
}

// check compares what the model was given with the tool's result.
func check(t *testing.T, given string) {
	t.Helper()
	rows, _ := listRows(t.Context(), "")
	want, report, err := wirekit.Text(rows)
	if err != nil {
		t.Fatal(err)
	}
	if given != want {
		t.Errorf("the model was given %q instead of %q", given, want)
	}
	if report.Saving() < 0.28 {
		t.Errorf("a saving of %v", report.Saving())
	}
}
