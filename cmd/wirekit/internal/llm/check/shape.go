package check

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A shape is how requests and answers of an API look. Messages come last in a request, as in
// those of the official SDKs. White space, escapes and digits are such as are lost where JSON
// is written anew.
type shape struct {
	name, path string
	streamPath string // where streams have another
	head       string // of a request, with its first message
	turn       string // with the number of the turn, what a tool returned, and that as a string
	answer     string
	stream     string
}

const (
	// turns is how many turns a conversation has.
	turns = 8
	// fail is an error of all APIs.
	fail = `{"type":"error", "error":{"type":"invalid_request_error","message":"caf\u00e9: no","code":400,"status":"INVALID_ARGUMENT"}}`
)

var shapes = []shape{
	{
		name: "chat", path: "/v1/chat/completions",
		head: `{"model":MODEL,"temperature":1.0,"tools":[{"type":"function","function":{"name":"list","parameters":{"type":"object"}}}],` +
			`"messages":[{"role":"user","content":"What is open? \u00fc ✓"}`,
		turn: `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_%[1]d","type":"function","function":{"name":"list","arguments":"{\"page\": %[1]d}"}}]},` +
			`{"role":"tool","tool_call_id":"call_%[1]d","content":%[3]s}`,
		answer: `{"object":"chat.completion", "id":"c1","choices":[{"index":0,"message":{"role":"assistant","content":"Nine\u2026"}}],"usage":{"prompt_tokens":1000}}`,
		stream: "data: {\"object\":\"chat.completion.chunk\", \"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Nine\"}}]}\n\n" +
			"data: {\"object\":\"chat.completion.chunk\", \"id\":\"c1\",\"choices\":[],\"usage\":{\"prompt_tokens\":1000}}\n\ndata: [DONE]\n\n",
	},
	{
		name: "responses", path: "/v1/responses",
		head: `{"model":MODEL,"instructions":"Be brief.","tools":[{"type":"function","name":"list","parameters":{"type":"object"}}],` +
			`"input":[{"type":"message","role":"user","content":"What is open? \u00fc ✓"}`,
		turn: `,{"type":"function_call","call_id":"call_%[1]d","name":"list","arguments":"{\"page\": %[1]d}"},` +
			`{"type":"function_call_output","call_id":"call_%[1]d","output":%[3]s}`,
		answer: `{"object":"response", "id":"r1","output":[{"type":"message","content":[{"type":"output_text","text":"Nine\u2026"}]}],"usage":{"input_tokens":1000}}`,
		stream: "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\", \"delta\":\"Nine\"}\n\n" +
			"event: response.completed\ndata: {\"type\":\"response.completed\", \"response\":{\"id\":\"r1\",\"usage\":{\"input_tokens\":1000}}}\n\n",
	},
	{
		name: "messages", path: "/v1/messages",
		head: `{"model":MODEL,"max_tokens":1000,"system":"Be brief.","tools":[{"name":"list","input_schema":{"type":"object"}}],` +
			`"messages":[{"role":"user","content":"What is open? \u00fc ✓"}`,
		turn: `,{"role":"assistant","content":[{"type":"tool_use","id":"call_%[1]d","name":"list","input":{"page": %[1]d}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_%[1]d","content":%[3]s}]}`,
		answer: `{"type":"message", "id":"m1","role":"assistant","content":[{"type":"text","text":"Nine\u2026"}],"usage":{"input_tokens":1000}}`,
		stream: "event: message_start\ndata: {\"type\":\"message_start\", \"message\":{\"id\":\"m1\",\"usage\":{\"input_tokens\":1000}}}\n\n" +
			"event: ping\ndata: {\"type\": \"ping\"}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
	},
	{
		name: "gemini", path: "/v1beta/models/MODEL:generateContent", streamPath: "/v1beta/models/MODEL:streamGenerateContent?alt=sse",
		head: `{"systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":[{"functionDeclarations":[{"name":"list"}]}],` +
			`"contents":[{"role":"user","parts":[{"text":"What is open? \u00fc ✓"}]}`,
		turn: `,{"role":"model","parts":[{"functionCall":{"name":"list","args":{"page": %[1]d}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"list","response":{"result":%[2]s}}}]}`,
		answer: `{"candidates":[ {"content":{"role":"model","parts":[{"text":"Nine\u2026"}]}}],"usageMetadata":{"promptTokenCount":1000}}`,
		stream: "data: {\"candidates\":[ {\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"Nine\"}]}}]}\n\n" +
			"data: {\"candidates\":[], \"usageMetadata\":{\"promptTokenCount\":1000}}\n\n",
	},
}

// request returns the path and the body of a request after so many turns.
func (s shape) request(model string, turns int, stream bool) (path string, body []byte) {
	path, head := s.path, s.head
	switch {
	case stream && s.streamPath != "":
		path = s.streamPath
	case stream:
		head = `{"stream":true,` + head[1:]
	}
	body = []byte(strings.Replace(head, "MODEL", string(scan.AppendQuote(nil, model)), 1))
	for turn := range turns {
		text := result(turn)
		quoted := scan.AppendQuote(nil, text)
		if text[0] != '{' {
			text = string(quoted)
		}
		body = fmt.Appendf(body, s.turn, turn, text, quoted)
	}
	return strings.Replace(path, "MODEL", model, 1), append(body, "]}"...)
}

// result returns what the tool returned on a turn: mostly rows, which proxies are there for;
// on every third turn a text, and on one turn what an earlier one had.
func result(turn int) string {
	if turn%3 == 2 {
		return strings.Repeat("error: connexion refusée → retry\n", 40)
	}
	var rows []string
	for id := range 60 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"title":"Issue %[1]d","state":"open","author":{"name":"ada","score":1.0}}`, 4000+id+60*(turn%6)))
	}
	return `{"items":[` + strings.Join(rows, ",") + `],"next":null}`
}
