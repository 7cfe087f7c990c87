package langchaingo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	llm "github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/langchaingo"
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

// A model is a server that is given the last message and answers with choices.
type model func(last message) (choices string)

type message struct {
	Role    string
	Content any
}

// ask asks an agent, with a tool that works and one that fails.
func ask(t *testing.T, m model) (string, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Messages []message }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","choices":[%s]}`, m(request.Messages[len(request.Messages)-1]))
	}))
	defer server.Close()
	client, err := llm.New(llm.WithBaseURL(server.URL), llm.WithToken("none"), llm.WithModel("a-model"))
	if err != nil {
		t.Fatal(err)
	}
	broken := func(context.Context, string) (any, error) { return nil, errors.New("disk on fire") }
	agent := agents.NewOpenAIFunctionsAgent(client, []tools.Tool{
		langchaingo.Tool{ToolName: "list_rows", About: "Lists the rows.", Run: listRows},
		langchaingo.Tool{ToolName: "broken", About: "Fails.", Run: broken},
	})
	return chains.Run(t.Context(), agents.NewExecutor(agent), "List the rows.")
}

func call(tool string) string {
	return `{"index":0,"finish_reason":"stop","message":{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"` +
		tool + `","arguments":"{\"__arg1\":\"\"}"}}]}}`
}

func say(text any) string {
	quoted, _ := json.Marshal(text)
	return `{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":` + string(quoted) + `}}`
}

// TestTool: the model calls the tool and then says what it was given.
func TestTool(t *testing.T) {
	given, err := ask(t, func(last message) string {
		if last.Role == "tool" {
			return say(last.Content)
		}
		return call("list_rows")
	})
	if err != nil {
		t.Fatal(err)
	}
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

// TestToolErrors: what goes wrong with a tool is for the model.
func TestToolErrors(t *testing.T) {
	for tool, want := range map[string]string{"broken": "error: disk on fire", "imagined": "imagined is not a valid tool, try another one"} {
		given, err := ask(t, func(last message) string {
			if last.Role == "tool" {
				return say(last.Content)
			}
			return call(tool)
		})
		if err != nil || given != want {
			t.Errorf("%s: %q, %v", tool, given, err)
		}
	}
}

// TestEnds: a model that answers nothing or never ends is an error.
func TestEnds(t *testing.T) {
	if _, err := ask(t, func(message) string { return "" }); err == nil {
		t.Error("no choices are no error")
	}
	rounds := 0
	if _, err := ask(t, func(message) string { rounds++; return call("list_rows") }); err == nil || rounds > 10 {
		t.Errorf("after %d rounds: %v", rounds, err)
	}
}
