package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// spoken writes blocks as "role: text" lines.
func spoken(blocks []bcp.Body) string {
	var out []string
	for _, b := range blocks {
		switch b := b.(type) {
		case *bcp.Conversation:
			id := ""
			if b.ToolCallID != nil {
				id = "(" + *b.ToolCallID + ")"
			}
			out = append(out, fmt.Sprintf("%s%s: %s", b.Role, id, b.Content))
		case *bcp.ToolResult:
			out = append(out, fmt.Sprintf("%s %s= %s", b.ToolName, b.Status, b.Content))
		}
	}
	return strings.Join(out, " | ")
}

func TestConversation(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"chat completions": {`{"model":"x","messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:"}}]},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"d\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"a b"},{"role":"assistant","content":"Two."}]}`,
			`system: Be brief. | user: See` + "\n" + `[image_url] | assistant(c1): [call ls {"d":1}] | ls ok= a b | assistant: Two.`},
		"array":     {`[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"}]`, "user: Hi | assistant: Yes"},
		"lines":     {"{\"role\":\"user\",\"content\":\"Hi\"}\n{\"role\":\"assistant\",\"content\":\"Yes\"}\n", "user: Hi | assistant: Yes"},
		"ollama":    {`{"messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","tool_name":"f","content":"1"}]}`, `assistant: [call f {"a":1}] | f ok= 1`},
		"anthropic": {`{"system":[{"type":"text","text":"S"}],"messages":[{"role":"user","content":"Q"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Let me."},{"type":"tool_use","id":"t","name":"get","input":{"u":"x"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"404"}]},{"type":"text","text":"and?"}]}]}`, "system: S | user: Q | assistant: Let me.\n[call get {\"u\":\"x\"}] | get error= 404 | user: and?"},
		"gemini":    {`{"systemInstruction":{"parts":[{"text":"S"}]},"contents":[{"role":"user","parts":[{"text":"Q"},{"inlineData":{"data":""}}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}}]},{"role":"function","parts":[{"functionResponse":{"name":"f","response":{"r":2}}}]},{"role":"model","parts":[{"text":"t","thought":true},{"text":"A"}]}]}`, "system: S | user: Q\n[file] | assistant: [call f {\"a\":1}] | f ok= {\"r\":2} | assistant: A"},
		"responses": {`{"instructions":"S","input":[{"role":"user","content":[{"type":"input_text","text":"Q"}]},{"type":"reasoning","summary":[]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"A"}]}]}`, "system: S | user: Q | assistant(c): [call f {}] | f ok= 1 | assistant: A"},
		"one input": {`{"input":"Q"}`, "user: Q"},
		"export":    {`{"chat_messages":[{"sender":"human","text":"Q"},{"sender":"assistant","text":"A"}]}`, "user: Q | assistant: A"},
	} {
		blocks, err := ReadConversation([]byte(c.src))
		require.NoError(t, err, name)
		require.Equal(t, c.want, spoken(blocks), name)
	}
	for _, bad := range []string{"", "1", "{}", "[]", `[1]`, `[{"role":"x","content":""}]`, `{"messages":[{"content":"x"}]}`, `{"messages":1}`, `{"messages":[{"role":"user"}]}`, "{", "{\n{"} {
		_, err := ReadConversation([]byte(bad))
		codectest.Error(t, err)
	}
}

func FuzzConversation(f *testing.F) {
	f.Add(`[{"role":"user","content":"Hi"}]`)
	f.Add(`{"contents":[{"role":"function","parts":[{"functionResponse":{"response":[1]}}]}]}`)
	f.Add(`{"messages":[{"role":"tool","content":[{"type":"tool_result","content":{}}]}]}`)
	f.Fuzz(func(t *testing.T, src string) {
		blocks, err := ReadConversation([]byte(src))
		require.Equal(t, err == nil, len(blocks) > 0)
	})
}

func TestConversationGrowth(t *testing.T) {
	for name, c := range map[string]struct{ head, unit, tail string }{
		"turns": {`[{"role":"user","content":"a"}`, `,{"role":"user","content":"b"}`, `]`},
		"parts": {`[{"role":"user","content":["a"`, `,{"type":"text","text":"b"}`, `]}]`},
		"calls": {`[{"role":"assistant","tool_calls":[{}`, `,{"id":"b","function":{"name":"x"}}`, `]}]`},
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 300, func(n int) func() {
				src := []byte(c.head + strings.Repeat(c.unit, n) + c.tail)
				return func() {
					if _, err := ReadConversation(src); err != nil {
						panic(err)
					}
				}
			})
		})
	}
}
