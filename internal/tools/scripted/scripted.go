// Package scripted plays a model by a script, over the APIs of OpenAI and Anthropic, for
// tests with the official SDKs: on each turn it calls one tool or two, until it has had as
// many results as it should, and then says so. What it answers depends on the number of
// results in the request and on nothing else, so a conversation goes the same way with
// anything between the client and the model.
package scripted

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/testkit/payload"
)

// Header is the header of a request that says how it is answered:
//
//	429      refused, unless the client says that it tries again
//	401      refused
//	strict   400 if a result is not the JSON or the prose that it was
//	cut      the connection is closed in the middle of the answer
//	hang     no answer, until the client has gone
const Header = "X-Script"

// A Result is what a tool returns.
type Result struct {
	Tool   string `json:"tool"`
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

const longest = 16 << 10

// Results are what the tools return, in the order of the calls: answers of programs, some
// of them indented, prose, code, a log, errors, one read twice.
var Results = sync.OnceValue(func() []Result {
	var list []Result
	add := func(tool, text string) { list = append(list, Result{Tool: tool, Text: text}) }
	for _, p := range payload.All() {
		if len(p.JSON) > longest {
			continue
		}
		tool := "get_" + strings.NewReplacer(" ", "_", ":", "", ",", "").Replace(strings.ToLower(p.Kind))
		text := string(p.JSON)
		if len(list)%7 == 2 {
			var indented bytes.Buffer
			_ = json.Indent(&indented, p.JSON, "", "  ") // it is part of the program
			text = indented.String()
		}
		add(tool, text)
		switch len(list) % 9 {
		case 1:
			add("read_file", "package main\n\nfunc main() {\n"+strings.Repeat("\tprintln(\"hello\") // and \\ \"quotes\"\n", 30)+"}\n")
		case 4:
			add("web_fetch", strings.Repeat("It was a bright cold day, and the clocks were striking thirteen – once more. ", 20))
		case 6:
			list = append(list, Result{Tool: "run", Text: `{"error":"exit status 1","stderr":"` + strings.Repeat("no such file ", 40) + `"}`, Failed: true})
		case 8:
			list = append(list, list[max(0, len(list)-3)])
		}
	}
	return list
})

// A Model answers requests. Its fields must not be changed once it does.
type Model struct {
	Turns int // results that it wants, at most len(Results())
	// Seen, if not nil, is given each request, one after another.
	Seen func(r *http.Request, body []byte)

	mu sync.Mutex
}

// ServeHTTP answers what the APIs would, GET /results with all Results, and 404.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/results" {
		reply(w, Results())
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	m.mu.Lock()
	if m.Seen != nil {
		m.Seen(r, body)
	}
	m.mu.Unlock()
	if m.refused(w, r, body) {
		return
	}
	t := turn{n: countResults(body), stream: bytes.Contains(body, []byte(`"stream":true`)), cut: r.Header.Get(Header) == "cut"}
	if t.n < m.Turns {
		t.calls = Results()[t.n:min(m.Turns, t.n+1)]
		if t.n%5 == 3 {
			t.calls = Results()[t.n:min(m.Turns, t.n+2)]
		}
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		reply(w, map[string]any{"input_tokens": 10 * t.n})
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		t.chat(w)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		t.responses(w)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		t.messages(w)
	default:
		http.NotFound(w, r)
	}
}

func countResults(body []byte) (n int) {
	for _, mark := range []string{`"role":"tool"`, `"type":"function_call_output"`, `"type":"tool_result"`} {
		n += bytes.Count(body, []byte(mark))
	}
	return n
}

// refused does what Header says, and reports whether that was the answer.
func (m *Model) refused(w http.ResponseWriter, r *http.Request, body []byte) bool {
	status := 0
	switch r.Header.Get(Header) {
	case "429":
		if tries := r.Header.Get("X-Stainless-Retry-Count"); tries == "" || tries == "0" {
			w.Header().Set("Retry-After-Ms", "1")
			status = 429
		}
	case "401":
		status = 401
	case "strict":
		for _, result := range Results()[:countResults(body)] {
			if quoted, _ := json.Marshal(result.Text); !bytes.Contains(body, quoted[1:20]) {
				status = 400
			}
		}
	case "hang":
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
	if status == 0 {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"type":"error","error":{"type":"script","message":"status %d by the script"}}`, status)
	return true
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// A turn is one answer.
type turn struct {
	n           int
	calls       []Result
	stream, cut bool
}

func (t turn) text() string {
	if t.calls == nil {
		return "Done – after " + strconv.Itoa(t.n) + " results."
	}
	return "Next."
}

func (t turn) arguments(i int) string { return fmt.Sprintf(`{"n":%d}`, t.n+i) }

type object = map[string]any

// send streams events, each after a pause in which a client could have had it.
func (t turn) send(w http.ResponseWriter, named bool, events ...object) {
	w.Header().Set("Content-Type", "text/event-stream")
	for i, e := range events {
		text, _ := json.Marshal(e) // maps and strings
		if t.cut && i == len(events)/2 {
			panic(http.ErrAbortHandler)
		}
		if named {
			fmt.Fprintf(w, "event: %s\n", e["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", text)
		w.(http.Flusher).Flush()
		time.Sleep(time.Millisecond)
	}
}

func (t turn) chat(w http.ResponseWriter) {
	var calls []any
	for i, c := range t.calls {
		calls = append(calls, object{"index": i, "id": fmt.Sprintf("call_%03d", t.n+i), "type": "function", "function": object{"name": c.Tool, "arguments": t.arguments(i)}})
	}
	reason := "stop"
	if calls != nil {
		reason = "tool_calls"
	}
	head := object{"id": "chatcmpl-1", "created": 1, "model": "scripted", "object": "chat.completion"}
	usage := object{"prompt_tokens": t.n, "completion_tokens": 1, "total_tokens": t.n + 1}
	if !t.stream {
		message := object{"role": "assistant", "content": t.text(), "refusal": nil}
		if calls != nil {
			message["tool_calls"] = calls
		}
		head["choices"], head["usage"] = []any{object{"index": 0, "message": message, "finish_reason": reason, "logprobs": nil}}, usage
		reply(w, head)
		return
	}
	chunk := func(delta object, reason any) object {
		return object{"id": "chatcmpl-1", "created": 1, "model": "scripted", "object": "chat.completion.chunk",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": reason}}}
	}
	events := []object{chunk(object{"role": "assistant", "content": ""}, nil), chunk(object{"content": t.text()}, nil)}
	for _, c := range calls {
		events = append(events, chunk(object{"tool_calls": []any{c}}, nil))
	}
	t.send(w, false, append(events, chunk(object{}, reason))...)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func (t turn) responses(w http.ResponseWriter) {
	output := []any{object{"type": "message", "id": fmt.Sprintf("msg_%03d", t.n), "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": t.text(), "annotations": []any{}}}}}
	for i, c := range t.calls {
		output = append(output, object{"type": "function_call", "id": fmt.Sprintf("fc_%03d", t.n+i), "call_id": fmt.Sprintf("call_%03d", t.n+i),
			"name": c.Tool, "arguments": t.arguments(i), "status": "completed"})
	}
	whole := object{"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "scripted", "output": output,
		"parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{}, "error": nil, "incomplete_details": nil, "instructions": nil, "metadata": object{},
		"usage": object{"input_tokens": t.n, "output_tokens": 1, "total_tokens": t.n + 1, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0}}}
	if !t.stream {
		reply(w, whole)
		return
	}
	begun := maps.Clone(whole)
	begun["output"], begun["status"] = []any{}, "in_progress"
	events := []object{{"type": "response.created", "sequence_number": 0, "response": begun}}
	for i, item := range output {
		events = append(events,
			object{"type": "response.output_item.added", "sequence_number": len(events), "output_index": i, "item": item},
			object{"type": "response.output_item.done", "sequence_number": len(events) + 1, "output_index": i, "item": item})
	}
	t.send(w, true, append(events, object{"type": "response.completed", "sequence_number": len(events), "response": whole})...)
}

func (t turn) messages(w http.ResponseWriter) {
	content := []object{{"type": "text", "text": t.text()}}
	for i, c := range t.calls {
		content = append(content, object{"type": "tool_use", "id": fmt.Sprintf("toolu_%03d", t.n+i), "name": c.Tool, "input": object{"n": t.n + i}})
	}
	reason := "end_turn"
	if t.calls != nil {
		reason = "tool_use"
	}
	message := object{"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": content, "stop_reason": reason,
		"stop_sequence": nil, "usage": object{"input_tokens": t.n, "output_tokens": 1, "cache_read_input_tokens": 0}}
	if !t.stream {
		reply(w, message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	events := []object{{"type": "message_start", "message": message}}
	for i, block := range content {
		begun, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": t.text()}
		if block["type"] == "tool_use" {
			begun = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": t.arguments(i - 1)}
		}
		events = append(events, object{"type": "content_block_start", "index": i, "content_block": begun},
			object{"type": "content_block_delta", "index": i, "delta": delta}, object{"type": "content_block_stop", "index": i})
	}
	t.send(w, true, append(events, object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 1}},
		object{"type": "message_stop"})...)
}

// A Request is one that a client has sent.
type Request struct {
	Path string
	Body []byte
}

// turnLine is how a file has a request: what it shares with the one before is a length.
type turnLine struct {
	Path   string `json:"path"`
	Shared int    `json:"shared"`
	Rest   string `json:"rest"`
}

// Save writes a recorded conversation.
func Save(file string, conversation []Request) error {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // which is a level
	lines := json.NewEncoder(w)
	var before []byte
	for _, r := range conversation {
		shared := len(rewrite.Cut(string(r.Body), scan.CommonPrefix(before, r.Body)))
		_ = lines.Encode(turnLine{r.Path, shared, string(r.Body[shared:])}) // a bytes.Buffer takes everything
		before = r.Body
	}
	_ = w.Close()
	return os.WriteFile(file, packed.Bytes(), 0o644)
}

// Load reads a recorded conversation.
func Load(file string) ([]Request, error) {
	packed, err := os.ReadFile(file)
	r, failed := gzip.NewReader(bytes.NewReader(packed))
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	var list []Request
	var before []byte
	for lines := json.NewDecoder(r); ; {
		var line turnLine
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		before = append(before[:line.Shared:line.Shared], line.Rest...)
		list = append(list, Request{line.Path, before})
	}
}
