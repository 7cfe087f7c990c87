package langchaingo_test

import (
	"context"
	"encoding/json"
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

// TestTool: the agent's model is a server of the test that calls the tool and
// then says what it was given.
func TestTool(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct {
				Role    string
				Content any
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		message := `{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"list_rows","arguments":"{\"__arg1\":\"\"}"}}]}`
		if last := request.Messages[len(request.Messages)-1]; last.Role == "tool" {
			said, _ := json.Marshal(last.Content)
			message = `{"role":"assistant","content":` + string(said) + `}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":%s}]}`, message)
	}))
	defer server.Close()
	model, err := llm.New(llm.WithBaseURL(server.URL), llm.WithToken("none"), llm.WithModel("a-model"))
	if err != nil {
		t.Fatal(err)
	}
	tool := langchaingo.Tool{ToolName: "list_rows", About: "Lists the rows.", Run: listRows}
	agent := agents.NewOpenAIFunctionsAgent(model, []tools.Tool{tool})
	given, err := chains.Run(t.Context(), agents.NewExecutor(agent), "List the rows.")
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
	if report.Saving() < 0.3 {
		t.Errorf("a saving of %v", report.Saving())
	}
}
