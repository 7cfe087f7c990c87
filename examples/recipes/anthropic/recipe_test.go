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
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/anthropic"
)

type row struct {
	ID   uint64 `json:"id"`
	Name string `json:"name"`
}

func listRows(context.Context, json.RawMessage) (any, error) {
	var rows []row
	for i := range 30 {
		rows = append(rows, row{12345678901234567890, fmt.Sprint("row ", i)})
	}
	return rows, nil
}

// A model is a server that is given the last message's blocks and answers with
// blocks of its own.
type model func(last []block) (blocks []string)

type block struct {
	Type    string
	IsError bool `json:"is_error"`
	Content []struct{ Text string }
}

// ask asks a model, with a tool that works and one that fails.
func ask(t *testing.T, m model) (*sdk.Message, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Messages []struct{ Content []block } }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		blocks := strings.Join(m(request.Messages[len(request.Messages)-1].Content), ",")
		stop := "tool_use"
		if strings.Contains(blocks, `"type":"text"`) {
			stop = "end_turn"
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","type":"message","role":"assistant","content":[%s],"stop_reason":%q}`, blocks, stop)
	}))
	defer server.Close()
	client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
	return anthropic.Ask(t.Context(), client, sdk.MessageNewParams{
		Model: "a-model", MaxTokens: 1024, Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("List the rows."))},
	}, map[string]anthropic.Tool{"list_rows": listRows, "broken": func(context.Context, json.RawMessage) (any, error) {
		return nil, errors.New("disk on fire")
	}})
}

func call(tools ...string) (blocks []string) {
	for i, name := range tools {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","id":"%d","name":%q,"input":{}}`, i, name))
	}
	return blocks
}

func say(text string) []string {
	quoted, _ := json.Marshal(text)
	return []string{`{"type":"text","text":` + string(quoted) + `}`}
}

// TestAsk: the model calls the tool and then says what it was given.
func TestAsk(t *testing.T) {
	answer, err := ask(t, func(last []block) []string {
		if last[0].Type == "tool_result" {
			return say(last[0].Content[0].Text)
		}
		return call("list_rows")
	})
	if err != nil {
		t.Fatal(err)
	}
	check(t, answer.Content[0].Text)
}

// TestAskErrors: what goes wrong with a tool is for the model.
func TestAskErrors(t *testing.T) {
	answer, err := ask(t, func(last []block) []string {
		if last[0].Type != "tool_result" {
			return call("imagined", "broken", "list_rows")
		}
		if !last[0].IsError || !last[1].IsError || last[2].IsError {
			t.Errorf("which are errors: %v", last)
		}
		return say(last[0].Content[0].Text + "; " + last[1].Content[0].Text)
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := `there is no tool named "imagined"; disk on fire`; answer.Content[0].Text != want {
		t.Errorf("%q", answer.Content[0].Text)
	}
}

// TestAskEnds: a model that answers nothing ends the conversation, and one that
// never ends is an error.
func TestAskEnds(t *testing.T) {
	if message, err := ask(t, func([]block) []string { return nil }); err != nil || len(message.Content) != 0 {
		t.Errorf("%v, %v", message, err)
	}
	rounds := 0
	if _, err := ask(t, func([]block) []string { rounds++; return call("list_rows") }); err == nil || rounds != anthropic.MaxRounds {
		t.Errorf("after %d rounds: %v", rounds, err)
	}
}

// check compares what the model was given with the tool's result.
func check(t *testing.T, given string) {
	t.Helper()
	rows, _ := listRows(t.Context(), nil)
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
