package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
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

// TestAsk: the model is a server of the test that calls the tool and then says
// what it was given.
func TestAsk(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct {
				Content []struct {
					Type    string
					Content []struct{ Text string }
				}
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		content, stop := `{"type":"tool_use","id":"1","name":"list_rows","input":{}}`, "tool_use"
		if last := request.Messages[len(request.Messages)-1].Content[0]; last.Type == "tool_result" {
			said, _ := json.Marshal(last.Content[0].Text)
			content, stop = `{"type":"text","text":`+string(said)+`}`, "end_turn"
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","type":"message","role":"assistant","content":[%s],"stop_reason":%q}`, content, stop)
	}))
	defer server.Close()
	client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
	answer, err := anthropic.Ask(t.Context(), client, sdk.MessageNewParams{
		Model: "a-model", MaxTokens: 1024, Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("List the rows."))},
	}, map[string]anthropic.Tool{"list_rows": listRows})
	if err != nil {
		t.Fatal(err)
	}
	check(t, answer.Content[0].Text)
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
	if report.Saving() < 0.3 {
		t.Errorf("a saving of %v", report.Saving())
	}
}
