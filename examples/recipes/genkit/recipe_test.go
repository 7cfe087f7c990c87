package genkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	sdk "github.com/firebase/genkit/go/genkit"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/genkit"
)

type row struct {
	ID   uint64 `json:"id"`
	Name string `json:"name"`
}

type none struct{}

func rows() (rows []row) {
	for i := range 30 {
		rows = append(rows, row{12345678901234567890, fmt.Sprint("row ", i)})
	}
	return rows
}

// ask has a model call a tool and say what it was given.
func ask(t *testing.T, name string) (string, error) {
	t.Helper()
	g := sdk.Init(t.Context())
	model := sdk.DefineModel(g, "local/fake", &ai.ModelOptions{Supports: &ai.ModelSupports{Tools: true, Multiturn: true}},
		func(_ context.Context, request *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
			part := ai.NewToolRequestPart(&ai.ToolRequest{Name: name, Input: map[string]any{}})
			if last := request.Messages[len(request.Messages)-1]; last.Role == ai.RoleTool {
				part = ai.NewTextPart(fmt.Sprint(last.Content[0].ToolResponse.Output))
			}
			return &ai.ModelResponse{Request: request, Message: ai.NewModelMessage(part)}, nil
		})
	list := sdk.DefineTool(g, "list_rows", "Lists the rows.", genkit.Smaller(func(*ai.ToolContext, none) ([]row, error) { return rows(), nil }))
	say := sdk.DefineTool(g, "say", "Says something.", genkit.Smaller(func(*ai.ToolContext, none) (string, error) { return "3 rows are [old].", nil }))
	broken := sdk.DefineTool(g, "broken", "Fails.", genkit.Smaller(func(*ai.ToolContext, none) (string, error) { return "", errors.New("disk on fire") }))
	return sdk.GenerateText(t.Context(), g, ai.WithModel(model), ai.WithPrompt("List the rows."),
		ai.WithTools(list, say, broken))
}

func TestSmaller(t *testing.T) {
	want, report, err := wirekit.Text(rows())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"list_rows": want, "say": "3 rows are [old]."} {
		if got, err := ask(t, name); err != nil || got != want {
			t.Errorf("%s: the model was given %q instead of %q, %v", name, got, want, err)
		}
	}
	if report.Saving() < 0.28 {
		t.Errorf("a saving of %v", report.Saving())
	}
}

func TestErrors(t *testing.T) {
	if _, err := ask(t, "broken"); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Error(err)
	}
}
