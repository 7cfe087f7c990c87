package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
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

// TestAsk: the model is a server of the test that calls the tool and then says
// what it was given.
func TestAsk(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		message := `{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"list_rows","arguments":"{}"}}]}`
		if last := request.Messages[len(request.Messages)-1]; last.Role == "tool" {
			said, _ := json.Marshal(last.Content)
			message = `{"role":"assistant","content":` + string(said) + `}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":%s}]}`, message)
	}))
	defer server.Close()
	client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
	answer, err := openai.Ask(t.Context(), client, sdk.ChatCompletionNewParams{
		Model: "a-model", Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage("List the rows.")},
	}, map[string]openai.Tool{"list_rows": listRows})
	if err != nil {
		t.Fatal(err)
	}
	check(t, answer)
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
	if report.Saving() < 0.3 {
		t.Errorf("a saving of %v", report.Saving())
	}
}
