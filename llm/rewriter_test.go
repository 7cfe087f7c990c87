package llm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// rows is data that every table format saves a lot of.
const rows = `[{"id":12345678901234567890,"ratio":1.10,"zero":-0,"name":"<a&b>"},` +
	`{"id":2,"ratio":0.5,"zero":0,"name":"it's"},{"id":3,"ratio":2e3,"zero":0,"name":"漢字"},` +
	`{"id":4,"ratio":4,"zero":0,"name":"GCX1 x"},{"id":5,"ratio":5,"zero":0,"name":"#"}]`

// q is a text as a JSON string.
func q(text string) string { return string(scan.AppendQuote(nil, text)) }

func encoded(t testing.TB, format, json string) string {
	t.Helper()
	text, err := wirekit.Convert([]byte(json), "json", format)
	require.NoError(t, err)
	return string(text)
}

// R stands for the result of a tool in the table, W for what it is rewritten to.
func spelled(t testing.TB, text string) (in, want string) {
	r, w := q(rows), q(encoded(t, "gcx", rows))
	in = strings.NewReplacer("«R»", r, "«same»", r, "«W»", r).Replace(text)
	return in, strings.NewReplacer("«R»", r, "«same»", q("Same result as call c1."), "«W»", w).Replace(text)
}

const chatCall = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"list","arguments":"{}"}},` +
	`{"id":"c2","type":"custom","custom":{"name":"read_file","input":"x"}}]}`

const toolUse = `{"role":"assistant","content":[{"type":"thinking","thinking":"[1]","signature":"s"},{"type":"tool_use","id":"c1","name":"list","input":{"a":«R»}},` +
	`{"type":"tool_use","id":"c2","name":"read_file","input":{},"caller":{"type":"direct"}},{"type":"tool_use","id":"c3","name":"list","input":{},"caller":{"type":"code_execution_20250825","tool_id":"x"}}]}`

// TestRequest: in each text «W» is rewritten and «R» stays.
func TestRequest(t *testing.T) {
	off := []mcp.Rule{{Tool: "read_*", Mode: mcp.ModeOff}}
	for _, c := range []struct {
		name  string
		shape llm.Shape
		with  *llm.Rewriter
		text  string
	}{
		{"chat", llm.ShapeChat, &llm.Rewriter{}, ` {"model":"m","messages":[{"role":"system","content":«R»},{"role":"user","content":«R»},` + chatCall +
			`,{"role":"tool","tool_call_id":"c1","content":«W»}, {"content" : «W» , "role":"tool","tool_call_id":"c2","x":1.0},{"role":"assistant","content":«R»}],"temperature":1.00} `},
		{"chat, parts", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[` + chatCall + `,{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":«W»},{"type":"text","text":"a"},{"type":"image_url","text":«R»}]}]}`},
		{"chat, a function of old", llm.ShapeChat, &llm.Rewriter{Rules: off}, `{"messages":[{"role":"function","name":"list","content":«W»},{"role":"function","name":"read_x","content":«R»}]}`},
		{"chat, a rule", llm.ShapeChat, &llm.Rewriter{Rules: off}, `{"messages":[` + chatCall + `,{"role":"tool","tool_call_id":"c1","content":«W»},{"role":"tool","tool_call_id":"c2","content":«R»}]}`},
		{"chat, no call", llm.ShapeChat, &llm.Rewriter{Rules: off}, `{"messages":[{"role":"tool","tool_call_id":"c2","content":«W»}]}`},
		{"chat, no call, a rule for all", llm.ShapeChat, &llm.Rewriter{Rules: append(off, mcp.Rule{Tool: "*", Mode: mcp.ModeOff})}, `{"messages":[{"role":"tool","tool_call_id":"c9","content":«R»}]}`},
		{"chat, an id used again", llm.ShapeChat, &llm.Rewriter{Rules: off}, `{"messages":[` + chatCall + `,{"role":"tool","tool_call_id":"c2","content":«R»},` +
			`{"role":"assistant","tool_calls":[{"id":"c2","function":{"name":"list"}}]},{"role":"tool","tool_call_id":"c2","content":«W»}]}`},
		{"chat, blocks of Anthropic", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[` + toolUse + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":«W»}]}]}`},
		{"chat, no text", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[{"role":"tool","content":7},{"role":"tool"},7,{"role":"tool","content":{"a":«R»}},{"role":["tool"],"content":«R»}]}`},
		{"chat, prose", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[{"role":"tool","content":"it is fine"},{"role":"tool","content":"7"},{"role":"tool","content":""},{"role":"tool","content":"[1,2"},{"role":"tool","content":"{\"a\":1,\"a\":2}"}]}`},
		{"chat, a key escaped", llm.ShapeChat, &llm.Rewriter{}, `{"\u006dessages":[{"r\u006fle":"t\u006fol","content":«W»}]}`},
		{"chat, users", llm.ShapeChat, &llm.Rewriter{Users: true}, `{"messages":[{"role":"system","content":«R»},{"role":"user","content":«W»},{"role":"user","content":[{"type":"text","text":«W»},{"type":"file","text":«R»}]}]}`},
		{"responses", llm.ShapeResponses, &llm.Rewriter{Rules: off}, `{"input":[{"role":"user","content":«R»},{"type":"reasoning","encrypted_content":«R»},{"type":"function_call","call_id":"c1","name":"list","arguments":«R»},` +
			`{"type":"function_call_output","call_id":"c1","output":«W»},{"type":"function_call","call_id":"c2","name":"read_x"},{"type":"function_call_output","call_id":"c2","output":«R»},` +
			`{"type":"custom_tool_call_output","call_id":"c0","output":[{"type":"input_text","text":«W»},{"type":"input_image","image_url":«R»}]},` +
			`{"type":"mcp_call","name":"x","output":«W»,"error":null,"arguments":«R»},{"type":"mcp_call","name":"x","output":«R»,"error":"e"},{"type":"shell_call_output","output":«R»}]}`},
		{"responses, a shell", llm.ShapeResponses, &llm.Rewriter{Rules: []mcp.Rule{{Tool: "off", Mode: mcp.ModeOff}}}, `{"input":[{"type":"shell_call","call_id":"c1","action":{"commands":[«R»]}},` +
			`{"type":"shell_call_output","call_id":"c1","max_output_length":9,"output":[{"stdout":«W»,"stderr":«R»,"outcome":{"type":"exit","exit_code":0}},{"stdout":«W»,"outcome":{"type":"exit","exit_code":1}},` +
			`{"stdout":«R»,"outcome":{"type":"timeout"}},{"stdout":7},{"stdout":"text"},7]},{"type":"shell_call_output","output":[{"stdout":«W»}]},` +
			`{"type":"shell_call","call_id":"c2","caller":{"type":"program"}},{"type":"shell_call_output","call_id":"c2","output":[{"stdout":«R»}]},` +
			`{"type":"local_shell_call","id":"l1","call_id":"c3","action":{"command":["x"]}},{"type":"local_shell_call_output","id":"c3","output":«W»,"status":"completed"},` +
			`{"type":"local_shell_call_output","id":"c4","output":[{"stdout":«R»}]},{"type":"local_shell_call_output"}]}`},
		{"responses, shells by name", llm.ShapeResponses, &llm.Rewriter{Rules: []mcp.Rule{{Tool: "shell", Mode: mcp.ModeOff}}}, `{"input":[{"type":"shell_call_output","call_id":"c1","output":[{"stdout":«R»}]},{"type":"local_shell_call_output","id":"c3","output":«W»}]}`},
		{"responses, a text", llm.ShapeResponses, &llm.Rewriter{}, `{"input":«R»}`},
		{"responses, users", llm.ShapeResponses, &llm.Rewriter{Users: true}, `{"input":[{"role":"user","content":«W»},{"type":"message","role":"user","content":[{"type":"input_text","text":«W»}]},{"role":"developer","content":«R»}]}`},
		{"responses, users, a text", llm.ShapeResponses, &llm.Rewriter{Users: true}, `{"input":«W»}`},
		{"messages", llm.ShapeMessages, &llm.Rewriter{}, `{"system":«R»,"messages":[{"role":"user","content":«R»},` + toolUse + `,{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"c1","content":«W»,"cache_control":{"type":"ephemeral"}},{"type":"text","text":«R»},` +
			`{"type":"tool_result","tool_use_id":"c2","is_error":false,"content":[{"type":"text","text":«W»,"cache_control":{}},{"type":"image","source":{"data":"x"}},{"type":"search_result","text":«R»}]},` +
			`{"type":"tool_result","tool_use_id":"c3","content":«R»},{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":«R»},` +
			`{"type":"tool_result","tool_use_id":"c1"},{"type":"web_search_tool_result","content":«R»}]}]}`},
		{"messages, documents", llm.ShapeMessages, &llm.Rewriter{Documents: true}, `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":«W»}},` +
			`{"type":"document","source":{"type":"text","data":«R»},"citations":{"enabled":true}},{"type":"document","source":{"type":"base64","data":«R»}},{"type":"text","text":«R»},` +
			`{"type":"tool_result","content":[{"type":"document","source":{"type":"text","data":«W»},"citations":{"enabled":false}}]}]}]}`},
		{"gemini", llm.ShapeGemini, &llm.Rewriter{}, `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"list","response":{"a":` + rows + `}}}]}]}`},
		{"repeats", llm.ShapeChat, &llm.Rewriter{Repeats: true}, `{"messages":[` + chatCall + `,{"role":"tool","tool_call_id":"c1","content":«W»},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":«same»}]},` +
			`{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":«W»},{"type":"text","text":"and"}]}]}`},
		{"repeats, none without an id", llm.ShapeChat, &llm.Rewriter{Repeats: true}, `{"messages":[{"role":"tool","content":«W»},{"role":"tool","content":«W»}]}`},
		{"repeats, results may go", llm.ShapeMessages, &llm.Rewriter{Repeats: true}, `{"context_management":{"edits":[]},"messages":[` + toolUse + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":«W»},{"type":"tool_result","tool_use_id":"c2","content":«W»}]}]}`},
		{"repeats, nothing goes", llm.ShapeResponses, &llm.Rewriter{Repeats: true}, `{"truncation":"disabled","previous_response_id":null,"input":[{"type":"function_call","call_id":"c1","name":"x"},{"type":"function_call","call_id":"c2","name":"x"},` +
			`{"type":"function_call_output","call_id":"c1","output":«W»},{"type":"function_call_output","call_id":"c2","output":«same»}]}`},
		{"off", llm.ShapeChat, &llm.Rewriter{Mode: mcp.ModeOff}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"off but for one", llm.ShapeChat, &llm.Rewriter{Mode: mcp.ModeOff, Rules: []mcp.Rule{{Tool: "list", Mode: mcp.ModeText}}}, `{"messages":[` + chatCall + `,{"role":"tool","tool_call_id":"c1","content":«W»},{"role":"tool","tool_call_id":"c2","content":«R»}]}`},
		{"dry run", llm.ShapeChat, &llm.Rewriter{Mode: mcp.ModeDryRun}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"no shape", llm.ShapeNone, &llm.Rewriter{}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"too long", llm.ShapeChat, &llm.Rewriter{MaxBytes: 100}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"too much work", llm.ShapeChat, &llm.Rewriter{MaxSteps: 2*len(rows) - 1}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"little saved", llm.ShapeChat, &llm.Rewriter{MinSaving: 0.9}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"small", llm.ShapeChat, &llm.Rewriter{MinTokens: 1000}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"a key twice", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[{"role":"tool","content":«R»}],"a":{"b":1,"b":2}}`},
		{"half a surrogate", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[{"role":"tool","content":«R»}],"a":"\ud800"}`},
		{"invalid UTF-8", llm.ShapeChat, &llm.Rewriter{}, "{\"messages\":[{\"role\":\"tool\",\"content\":«R»}],\"a\":\"\xff\"}"},
		{"cut", llm.ShapeChat, &llm.Rewriter{}, `{"messages":[{"role":"tool","content":«R»}]`},
		{"no object", llm.ShapeChat, &llm.Rewriter{}, `[{"role":"tool","content":«R»}]`},
		{"a counter that fails", llm.ShapeChat, &llm.Rewriter{Counter: counter{errors.New("no")}}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"a counter that panics", llm.ShapeChat, &llm.Rewriter{Counter: counter{}}, `{"messages":[{"role":"tool","content":«R»}]}`},
		{"a wrong format", llm.ShapeChat, &llm.Rewriter{Formats: []string{"nosuch"}}, `{"messages":[{"role":"tool","content":«R»}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.with
			if r.Formats == nil {
				r.Formats = []string{"gcx"}
			}
			if r.MinTokens == 0 {
				r.MinTokens = -1
			}
			in, want := spelled(t, c.text)
			var seen llm.Report
			r.Observe = func(report llm.Report) { seen = report }
			for _, turn := range []string{"first", "remembered"} {
				out, report := r.RewriteRequest([]byte(in), c.shape)
				require.Equal(t, want, string(out), turn)
				require.Equal(t, report, seen)
				require.Equal(t, [2]int{len(in), len(out)}, [2]int{report.BytesIn, report.BytesOut})
				require.Equal(t, c.shape, report.Shape)
				for _, b := range report.Blocks {
					require.Equal(t, b.Reason == mcp.ReasonConverted, b.TokensOut < b.TokensIn, "%+v", b)
				}
			}
		})
	}
}

// TestKinds: a report says what a block is, whatever is done with it.
func TestKinds(t *testing.T) {
	body := `{"messages":[{"role":"user","content":"[1,2]"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"[3]"},` +
		`{"type":"document","source":{"type":"text","data":"[4]"}},{"type":"text","text":"[5]"}]}]}`
	for _, mode := range []mcp.Mode{mcp.ModeText, mcp.ModeDryRun, mcp.ModeOff} {
		r := &llm.Rewriter{Mode: mode, Users: true, Documents: true, Rules: []mcp.Rule{{Tool: "another", Mode: mcp.ModeText}}}
		_, report := r.RewriteRequest([]byte(body), llm.ShapeMessages)
		var kinds []string
		for _, b := range report.Blocks {
			kinds = append(kinds, b.Kind)
		}
		require.Equal(t, []string{"user", "result", "document", "user"}, kinds, mode)
	}
}

// counter fails, or panics if it has nothing to fail with.
type counter struct{ err error }

func (c counter) Name() string { return "broken" }
func (c counter) Exact() bool  { return false }
func (c counter) Count([]byte) (int, error) {
	if c.err == nil {
		panic("broken")
	}
	return 0, c.err
}

// TestGemini: the object becomes one with a text, which decodes to it.
func TestGemini(t *testing.T) {
	const data = `{"list":` + rows + `}`
	in := `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"list"}}]},{"parts":[{"functionResponse":{"id":"1","name":"list", "response" : ` + data + ` ,"parts":[{"inlineData":{}}]}}]},` +
		`{"parts":[{"function_response":{"name":"off","response":` + data + `}},{"functionResponse":{"name":"x","response":{"error":` + rows + `}}},{"functionResponse":{"name":"x","response":7}},{"text":` + q(rows) + `}]}]}`
	r := &llm.Rewriter{Objects: true, MinTokens: -1, Formats: []string{"gcx"}, Rules: []mcp.Rule{{Tool: "off", Mode: mcp.ModeOff}}}
	out, report := r.RewriteRequest([]byte(in), llm.ShapeGemini)
	want := strings.Replace(in, data, `{"output":`+q(encoded(t, "gcx", data))+`}`, 1)
	require.Equal(t, want, string(out))
	require.Equal(t, []string{mcp.ReasonConverted, "off", "not-ready"}, []string{report.Blocks[0].Reason, report.Blocks[1].Reason, report.Blocks[2].Reason})
}

// TestPrune: schemas of every shape lose what says nothing, and are the same each time.
func TestPrune(t *testing.T) {
	const schema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"List","properties":{"path":{"title":"Path","type":"string"}}}`
	const pruned = `{"type":"object","properties":{"path":{"type":"string"}}}`
	for text, shape := range map[string]llm.Shape{
		`{"tools":[{"type":"function","function":{"name":"list","description":"Lists.","parameters":«S»}}],"messages":[]}`: llm.ShapeChat,
		`{"tools":[{"type":"function","name":"list","parameters":«S»},{"type":"web_search"}],"input":[]}`:                  llm.ShapeResponses,
		`{"tools":[{"name":"list","input_schema":«S»}],"messages":[]}`:                                                     llm.ShapeMessages,
		`{"tools":[{"functionDeclarations":[{"name":"list","parameters":«S»}]}],"contents":[]}`:                            llm.ShapeGemini,
	} {
		in := strings.ReplaceAll(text, "«S»", schema)
		out, _ := (&llm.Rewriter{Prune: true}).RewriteRequest([]byte(in), shape)
		require.Equal(t, strings.ReplaceAll(text, "«S»", pruned), string(out))
		out, _ = (&llm.Rewriter{}).RewriteRequest([]byte(in), shape)
		require.Equal(t, in, string(out), "not by default")
	}
}

// TestTriggers: no text is made that LiteLLM would take for the name of something left
// out, unless the data has it already.
func TestTriggers(t *testing.T) {
	row := func(i int) string { return `{"hash":"` + strings.Repeat(string(rune('a'+i%6)), 24) + `"}` }
	var list []string
	for i := range 20 {
		list = append(list, `{"x":`+row(i)+`,"n":`+strings.Repeat("1", 1+i%9)+`}`)
	}
	for text, kept := range map[string]bool{"[" + strings.Join(list, ",\n  ") + "]": true, "[" + strings.Join(list, ",\n  ") + `,"hash=` + strings.Repeat("0", 24) + `"]`: false} {
		made := encoded(t, "glyph", text)
		require.Regexp(t, `hash=[0-9a-f]{24}`, made, "the format writes it")
		in := `{"messages":[{"role":"tool","content":` + q(text) + `}]}`
		out, _ := (&llm.Rewriter{Formats: []string{"glyph"}, MinTokens: -1, MinSaving: -1}).RewriteRequest([]byte(in), llm.ShapeChat)
		require.Equal(t, kept, in == string(out))
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, body string
		want       llm.Shape
	}{
		{"/v1/chat/completions", "", llm.ShapeChat},
		{"/openai/deployments/x/chat/completions", "", llm.ShapeChat},
		{"/api/chat", "", llm.ShapeChat},
		{"/v1/responses/", "", llm.ShapeResponses},
		{"/v1/messages", "", llm.ShapeMessages},
		{"/v1/messages/count_tokens", "", llm.ShapeMessages},
		{"/v1beta/models/gemini-3:generateContent", "", llm.ShapeGemini},
		{"/v1beta/models/gemini-3:streamGenerateContent", "", llm.ShapeGemini},
		{"/v1/projects/p/locations/l/publishers/anthropic/models/m:streamRawPredict", "", llm.ShapeMessages},
		{"/v1/embeddings", "", llm.ShapeNone},
		{"/v1/messages/batches", "", llm.ShapeNone},
		{"", ``, llm.ShapeNone},
		{"", `[]`, llm.ShapeNone},
		{"", `{"prompt":"x"}`, llm.ShapeNone},
		{"/x", `{"contents":[]}`, llm.ShapeGemini},
		{"/x", `{"input":"x"}`, llm.ShapeResponses},
		{"/x", `{"messages":[{"role":"user","content":"x"}]}`, llm.ShapeChat},
		{"/x", `{"system":"s","messages":[]}`, llm.ShapeMessages},
		{"/x", `{"messages":[{"role":"user","content":[{"type":"text"},{"type":"tool_result"}]}]}`, llm.ShapeMessages},
	} {
		require.Equal(t, c.want, llm.Detect(c.path, []byte(c.body)), "%s %s", c.path, c.body)
	}
	for s := range llm.ShapeGemini + 1 {
		text, err := s.MarshalText()
		require.NoError(t, err)
		var back llm.Shape
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, s, back)
	}
	require.Error(t, new(llm.Shape).UnmarshalText([]byte("x")))
}

func TestCheck(t *testing.T) {
	require.NoError(t, (&llm.Rewriter{}).Validate())
	for _, r := range []*llm.Rewriter{{Formats: []string{"nosuch"}}, {MinSaving: 1}, {Mode: 99}, {Rules: []mcp.Rule{{Tool: "x", Omit: []string{"/"}}}}} {
		require.Error(t, r.Validate())
		body := []byte(`{"messages":[{"role":"tool","content":` + q(rows) + `}]}`)
		out, report := r.RewriteRequest(body, llm.ShapeChat)
		require.Equal(t, &body[0], &out[0])
		require.Equal(t, "failed", report.Reason)
	}
}

// TestProfile: the name says whether the options are the defaults, and which they are.
func TestProfile(t *testing.T) {
	require.Equal(t, llm.Profile, (&llm.Rewriter{Memory: 5}).Profile())
	names := map[string]bool{llm.Profile: true}
	for _, r := range []*llm.Rewriter{{MinTokens: 5}, {Formats: []string{"gcf"}}, {Repeats: true}, {Users: true}, {Rules: []mcp.Rule{{Tool: "x", Fold: true}}}} {
		require.Regexp(t, `^v1-[0-9a-f]{8}$`, r.Profile())
		require.False(t, names[r.Profile()])
		names[r.Profile()] = true
	}
}

// TestRules: what is left out is said, and folding is as asked for.
func TestRules(t *testing.T) {
	rule, err := mcp.ParseRule("list=gcx,omit:ratio")
	require.NoError(t, err)
	r := &llm.Rewriter{MinTokens: -1, Rules: []mcp.Rule{rule}}
	out, report := r.RewriteRequest([]byte(`{"messages":[`+chatCall+`,{"role":"tool","tool_call_id":"c1","content":`+q(rows)+`}]}`), llm.ShapeChat)
	require.Equal(t, llm.Block{Kind: "result", Tool: "list", Reason: mcp.ReasonConverted, Format: "gcx", Omitted: 5,
		TokensIn: report.Blocks[0].TokensIn, TokensOut: report.Blocks[0].TokensOut}, report.Blocks[0])
	v := codectest.JSON(t, out)
	list, _ := v.Get("messages")
	text, _ := list.Index(1).Get("content")
	codec, err := wirekit.Lookup("gcx")
	require.NoError(t, err)
	require.NotContains(t, string(wire.AppendJSON(nil, codectest.Decoded(t, codec, text.Text()))), "ratio")
}
