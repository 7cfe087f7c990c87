package adk_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/adk"
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

// A fake is a model that calls a tool and says what it was given.
type fake struct{ tool string }

func (f fake) Name() string { return "fake" }

func (f fake) GenerateContent(_ context.Context, request *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		part := &genai.Part{FunctionCall: &genai.FunctionCall{Name: f.tool, Args: map[string]any{}}}
		last := request.Contents[len(request.Contents)-1].Parts[0]
		if response := last.FunctionResponse; response != nil {
			part = genai.NewPartFromText(fmt.Sprint(response.Response["output"], response.Response["error"]))
		}
		yield(&model.LLMResponse{Content: genai.NewContentFromParts([]*genai.Part{part}, genai.RoleModel)}, nil)
	}
}

func newTool[Result any](t *testing.T, name string, run func() (Result, error)) tool.Tool {
	t.Helper()
	made, err := adk.NewTool(functiontool.Config{Name: name, Description: "A tool."}, func(agent.Context, none) (Result, error) { return run() })
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// ask returns what the model was given by a tool.
func ask(t *testing.T, name string) (said string) {
	t.Helper()
	a, err := llmagent.New(llmagent.Config{Name: "agent", Model: fake{name}, Tools: []tool.Tool{
		newTool(t, "list_rows", func() ([]row, error) { return rows(), nil }),
		newTool(t, "say", func() (string, error) { return "3 rows are [old].", nil }),
		newTool(t, "broken", func() (string, error) { return "", errors.New("disk on fire") }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := runner.New(runner.Config{AppName: "recipe", Agent: a, SessionService: session.InMemoryService(), AutoCreateSession: true})
	if err != nil {
		t.Fatal(err)
	}
	for event, err := range r.Run(t.Context(), "user", "session", genai.NewContentFromText("List the rows.", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range event.Content.Parts {
			said += part.Text
		}
	}
	return said
}

func TestNewTool(t *testing.T) {
	want, report, err := wirekit.Text(rows())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"list_rows": want, "say": "3 rows are [old]."} {
		if got := strings.TrimSuffix(ask(t, name), "<nil>"); got != want {
			t.Errorf("%s: the model was given %q instead of %q", name, got, want)
		}
	}
	if report.Saving() < 0.28 {
		t.Errorf("a saving of %v", report.Saving())
	}
}

func TestErrors(t *testing.T) {
	if got := ask(t, "broken"); !strings.Contains(got, "disk on fire") {
		t.Error(got)
	}
}
