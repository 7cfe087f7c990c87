package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/hooks"
)

// shorter rewrites what begins with a bracket.
func shorter(_, text string) string {
	if strings.HasPrefix(text, "[") {
		return "short \"é\"\n"
	}
	return text
}

func event(tool, input, response string) string {
	return `{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"` + tool + `","tool_input":` + input + `, "tool_response" : ` + response + ` ,"cwd":"/"}`
}

// TestClaude: the answer has the shape of the tool's output, and no other bytes of it change.
func TestClaude(t *testing.T) {
	call := `{"command":"curl -s x"}`
	for _, c := range []struct{ name, event, want string }{
		{"shell", event("Bash", call, `{"stdout": "[1, 2]", "stderr":"[1]","interrupted":false , "isImage":false,"n":1.10}`),
			`{"stdout": SHORT, "stderr":"[1]","interrupted":false , "isImage":false,"n":1.10}`},
		{"text", event("Bash", call, `{"stdout":"text","stderr":"","interrupted":false}`), ""},
		{"interrupted", event("Bash", call, `{"stdout":"[1]","stderr":"","interrupted":true}`), ""},
		{"image", event("Bash", call, `{"stdout":"[1]","stderr":"","isImage":true}`), ""},
		{"file", event("Bash", `{"command":"cd a && cat b.json"}`, `{"stdout":"[1]","stderr":"","interrupted":false}`), ""},
		{"git", event("Bash", `{"command":"git -C x show HEAD:b.json"}`, `{"stdout":"[1]","stderr":"","interrupted":false}`), ""},
		{"file as input", event("Bash", `{"command":"jq . <b.json"}`, `{"stdout":"[1]","stderr":"","interrupted":false}`), ""},
		{"no command", event("Bash", `{}`, `{"stdout":"[1]"}`), ""},
		{"fetch", event("WebFetch", `{"url":"u"}`, `{"bytes":3,"code":200,"result":"[1]","url":"u"}`), `{"bytes":3,"code":200,"result":SHORT,"url":"u"}`},
		{"MCP blocks", event("mcp__a__list", `{}`, `[{"type":"text","text":"[1]","x":1},{"type":"image","data":"[1]"},{"type":"text","text":"x"}]`),
			`[{"type":"text","text":SHORT,"x":1},{"type":"image","data":"[1]"},{"type":"text","text":"x"}]`},
		{"MCP string", event("mcp__a__list", `{}`, `"[1]"`), `SHORT`},
		{"MCP object", event("mcp__a__list", `{}`, `{"content":[{"type":"text","text":"[1]"}]}`), `{"content":[{"type":"text","text":SHORT}]}`},
		{"MCP structured", event("mcp__a__list", `{}`, `{"content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}`), ""},
		{"MCP null", event("mcp__a__list", `{}`, `{"content":[{"type":"text","text":"[1]"}],"structuredContent": null ,"isError":false}`),
			`{"content":[{"type":"text","text":SHORT}],"structuredContent": null ,"isError":false}`},
		{"MCP nulls", event("mcp__a__list", `{}`, `{"isError":null,"content":[{"type":"text","text":"[1]"}]}`), `{"isError":null,"content":[{"type":"text","text":SHORT}]}`},
		{"MCP error in a string", event("mcp__a__list", `{}`, `{"content":[{"type":"text","text":"[1]"}],"isError":"true"}`), ""},
		{"a failure", strings.Replace(event("mcp__a__b", `{}`, `"[1]"`), "PostToolUse", "PostToolUseFailure", 1), ""},
		{"a subagent", event("Task", `{}`, `{"content":[{"type":"text","text":"[1]"}]}`), ""},
		{"MCP error", event("mcp__a__list", `{}`, `{"content":[{"type":"text","text":"[1]"}],"isError":true}`), ""},
		{"MCP file", event("mcp__fs__read_text_file", `{}`, `[{"type":"text","text":"[1]"}]`), ""},
		{"Read", event("Read", `{"file_path":"x"}`, `{"type":"text","file":{"content":"[1]"}}`), ""},
		{"unknown tool", event("Grapefruit", `{}`, `"[1]"`), ""},
		{"response is null", event("mcp__a__b", `{}`, `null`), ""},
		{"response is a number", event("Bash", call, `1`), ""},
		{"other event", strings.Replace(event("mcp__a__b", `{}`, `"[1]"`), "PostToolUse", "PreToolUse", 1), ""},
		{"twice", strings.Replace(event("mcp__a__b", `{}`, `"[1]"`), "{", `{"tool_name":"x",`, 1), ""},
		{"no event", `[]`, ""}, {"cut", `{"hook_event_name":"PostToolUse",`, ""}, {"nothing", ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			have := string(hooks.Claude([]byte(c.event), shorter))
			if c.want == "" {
				require.Empty(t, have)
				return
			}
			want := strings.ReplaceAll(c.want, "SHORT", `"short \"é\"\n"`)
			require.Equal(t, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":`+want+"}}\n", have)
			require.True(t, json.Valid([]byte(have)))
		})
	}
}

func TestOpenCode(t *testing.T) {
	for text, want := range map[string]string{
		`{"tool":"bash","args":{"command":"curl x"},"output":"[1]"}`:                `{"output":"short \"é\"\n"}` + "\n",
		`{"tool":"bash","args":{"command":"cat x"},"output":"[1]"}`:                 "",
		`{"tool":"bash","args":{"command":"curl x"},"output":null}`:                 "",
		`{"tool":"webfetch","args":{},"output":"[1]"}`:                              `{"output":"short \"é\"\n"}` + "\n",
		`{"tool":"read","args":{},"output":"[1]"}`:                                  "",
		`{"tool":"a_list","args":{},"output":[{"type":"text","text":"[1]"}]}`:       `{"output":[{"type":"text","text":"short \"é\"\n"}]}` + "\n",
		`{"tool":"fs_read_file","args":{},"output":[{"type":"text","text":"[1]"}]}`: "",
		`{"tool":"bash"}`: "",
	} {
		require.Equal(t, want, string(hooks.OpenCode([]byte(text), shorter)), text)
	}
}

// TestOneLine: an answer has no line end of any reader of lines but its own, not even where
// the event had one.
func TestOneLine(t *testing.T) {
	short := func(_, text string) string { return strings.TrimPrefix(text, "[") }
	for _, separator := range []string{"\u2028", "\u2029", `\u2028`, `\u2029\u2028`} {
		for name, out := range map[string][]byte{
			"shell":  hooks.Claude([]byte(event("Bash", `{"command":"curl x"}`, `{"stdout":"[a`+separator+`","stderr":"b`+separator+`"}`)), short),
			"fetch":  hooks.Claude([]byte(event("WebFetch", `{}`, `{"result":"[`+separator+`"}`)), short),
			"blocks": hooks.Claude([]byte(event("mcp__a__list", `{}`, `[{"type":"text","text":"[`+separator+`","`+separator+`":1}]`)), short),
			"plugin": hooks.OpenCode([]byte(`{"tool":"webfetch","args":{},"output":"[`+separator+`"}`), short),
		} {
			line, ended := strings.CutSuffix(string(out), "\n")
			require.True(t, ended && json.Valid(out), name)
			require.False(t, strings.ContainsAny(line, "\n\u2028\u2029"), "%s: %q", name, line)
		}
	}
}
