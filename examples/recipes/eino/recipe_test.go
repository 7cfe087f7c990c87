package eino_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/examples/recipes/eino"
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

// results returns what a model is given that calls the tools.
func results(t *testing.T, names ...string) ([]string, error) {
	t.Helper()
	list, err := utils.InferTool("list_rows", "Lists the rows.", func(context.Context, none) ([]row, error) { return rows(), nil })
	if err != nil {
		t.Fatal(err)
	}
	say, err := utils.InferTool("say", "Says something.", func(context.Context, none) (string, error) { return "3 rows are [old].", nil })
	if err != nil {
		t.Fatal(err)
	}
	broken, err := utils.InferTool("broken", "Fails.", func(context.Context, none) (string, error) { return "", errors.New("disk on fire") })
	if err != nil {
		t.Fatal(err)
	}
	node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{
		Tools: []tool.BaseTool{list, say, broken}, ToolCallMiddlewares: []compose.ToolMiddleware{eino.Smaller},
	})
	if err != nil {
		t.Fatal(err)
	}
	var calls []schema.ToolCall
	for _, name := range names {
		calls = append(calls, schema.ToolCall{ID: name, Function: schema.FunctionCall{Name: name, Arguments: "{}"}})
	}
	var texts []string
	messages, err := node.Invoke(t.Context(), schema.AssistantMessage("", calls))
	for _, m := range messages {
		texts = append(texts, m.Content)
	}
	return texts, err
}

func TestSmaller(t *testing.T) {
	given, err := results(t, "list_rows", "say")
	if err != nil {
		t.Fatal(err)
	}
	want, report, err := wirekit.Text(rows())
	if err != nil {
		t.Fatal(err)
	}
	if given[0] != want || given[1] != "3 rows are [old]." {
		t.Errorf("the model was given %q instead of %q", given, want)
	}
	if report.Saving() < 0.28 {
		t.Errorf("a saving of %v", report.Saving())
	}
}

func TestErrors(t *testing.T) {
	if _, err := results(t, "broken"); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Error(err)
	}
}
