package audit

import (
	"bytes"
	"cmp"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
)

// maxDepth is how deep messages are looked for. Those of known shapes are less deep.
const maxDepth = 12

// containers are the members that messages are looked for in.
var containers = []string{"message", "messages", "payload", "item", "request", "body", "response", "input", "contents", "content", "parts",
	"output", "tool_calls", "toolCalls", "result", "info"}

// An object is a JSON object in the text of a line.
type object struct {
	text    []byte
	members []splice.Member
}

func objectAt(text []byte, at splice.Span) (object, bool) {
	o, ok := splice.AllMembers(text, at)
	return object{text, o.Members}, ok
}

// at returns the value of a member, an empty span if there is none.
func (o object) at(name string) splice.Span {
	for _, m := range o.members {
		if key := m.Key.Of(o.text); len(key) == len(name)+2 && string(key[1:len(key)-1]) == name {
			return m.Value
		}
	}
	return splice.Span{}
}

func (o object) has(name string) bool { return o.at(name) != splice.Span{} }

// begins reports whether a member begins with a byte: it is a string, an object or an array.
func (o object) begins(name string, c byte) bool {
	at := o.at(name)
	return at.Start < at.End && o.text[at.Start] == c
}

// word returns the first of the members that is a string.
func (o object) word(names ...string) string {
	for _, name := range names {
		if o.begins(name, '"') {
			text, _ := splice.StringAt(o.text, o.at(name))
			return text
		}
	}
	return ""
}

func (o object) isTrue(name string) bool { return string(o.at(name).Of(o.text)) == "true" }

func (o object) object(name string) object {
	in, _ := objectAt(o.text, o.at(name))
	return in
}

// sum adds up members that are whole numbers.
func (o object) sum(names ...string) (sum int) {
	for _, name := range names {
		n, _ := strconv.Atoi(string(o.at(name).Of(o.text)))
		sum += max(n, 0)
	}
	return sum
}

// line looks at a line of a transcript, or at one that is a single JSON text. It reports
// whether that is JSON as far as it was looked at.
func (f *file) line(text []byte) bool {
	whole := splice.Whole(text)
	if whole.Start == whole.End {
		return true
	}
	if list, ok := splice.FindElements(text, whole); ok {
		for _, s := range list {
			f.top(text, s)
		}
		return true
	}
	return f.top(text, whole)
}

// top looks at an object that is in nothing else.
func (f *file) top(text []byte, at splice.Span) bool {
	o, ok := objectAt(text, at)
	if !ok {
		return false
	}
	f.thread = f.threadOf(o)
	switch kind := o.word("type"); {
	case o.isTrue("isCompactSummary"), kind == "compacted", kind == "compaction", o.word("subtype") == "compact_boundary":
		f.known++
		f.a.settle(&f.thread.said)
		f.thread.forget()
	case f.isRequest(o):
		f.thread.begin()
		defer func() {
			f.a.settle(&f.thread.said)
			f.thread.sendAll()
		}()
	}
	f.context(o)
	f.node(text, at, 0)
	return true
}

// isRequest reports whether an object is a whole request to an API, or has one in it, and
// not a session that has been kept as one object.
func (f *file) isRequest(o object) bool {
	if o.has("sessionId") || o.has("sessionID") || o.has("info") || o.has("type") {
		return false
	}
	for _, name := range []string{"request", "body"} {
		if in := o.object(name); in.members != nil {
			o = in
		}
	}
	return o.begins("messages", '[') || o.begins("input", '[') || o.begins("contents", '[')
}

// threadOf returns the conversation that a line is a part of.
func (f *file) threadOf(o object) *thread {
	session := o.word("sessionId", "session_id", "sessionID")
	if o.has("messageID") { // OpenCode has a file for each part
		f.known++
		return f.threadIn(f.a.sessions, session)
	}
	if session == "" {
		return f.threadIn(f.threads, "")
	}
	return f.threadIn(f.threads, session+"\x00"+o.word("agentId")+"\x00"+string(o.at("isSidechain").Of(o.text)))
}

// node looks at a value and at what is in it.
func (f *file) node(text []byte, at splice.Span, depth int) {
	if at.Start >= at.End || depth > maxDepth {
		return
	}
	if list, ok := splice.FindElements(text, at); ok {
		for _, s := range list {
			f.node(text, s, depth+1)
		}
		return
	}
	o, ok := objectAt(text, at)
	if !ok {
		return
	}
	role := f.role
	defer func() { f.role = role }()
	f.dates(o)
	f.answers(o)
	f.speaks(o)
	if f.leaf(o) {
		f.known++
		return
	}
	for _, name := range containers {
		f.node(text, o.at(name), depth+1)
	}
}

// answers notes what a model has said: a request came before it.
func (f *file) answers(o object) {
	switch kind, role := o.word("type"), o.word("role"); {
	case o.has("modelID"): // OpenCode's, which has a part for each request
		f.known++
	case role == "assistant" && kind == "message" && o.has("usage"), kind == "gemini":
		f.known++
		f.use(o, f.thread.answer(o.word("id")))
	case role == "assistant", role == "model", kind == "reasoning", kind == "function_call", kind == "custom_tool_call":
		f.known++
		f.thread.answer("")
	case kind == "step-start":
		f.known++
		f.thread.request()
	case kind == "step-finish":
		f.use(o, true)
	case kind == "token_count": // the sum of the session so far, and the last request
		total, last := o.object("info").object("total_token_usage"), o.object("info").object("last_token_usage")
		f.thread.used = max(f.thread.used, total.sum("input_tokens"))
		f.thread.count(last.sum("input_tokens"), last.sum("output_tokens"))
	case role == "user", kind == "user":
		f.known++
		f.thread.waiting = true
	}
}

// use notes what a provider has counted of a request, which may be new, and of its answer.
func (f *file) use(o object, isNew bool) {
	usage, spent := o.object("usage"), o.object("tokens")
	input := usage.sum("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens") +
		spent.sum("input") + spent.object("cache").sum("read", "write") // OpenCode's input is without these
	if isNew {
		f.thread.used += input
	}
	f.thread.count(input, usage.sum("output_tokens")+spent.sum("output", "reasoning", "thoughts"))
}

// responded begins the ids of calls whose functionResponse was seen.
const responded = "response "

// calls are the types of calls, and where each has its id.
var calls = map[string]string{"tool_use": "id", "server_tool_use": "id", "function_call": "call_id", "custom_tool_call": "call_id", "local_shell_call": "call_id"}

// outputs are the types of results, and where each has the id of its call and its content.
var outputs = map[string][2]string{
	"tool_result":             {"tool_use_id", "content"},
	"function_call_output":    {"call_id", "output"},
	"custom_tool_call_output": {"call_id", "output"},
	"local_shell_call_output": {"call_id", "output"},
}

// leaf looks at calls and results, and reports whether an object is one.
func (f *file) leaf(o object) bool {
	kind, role := o.word("type"), o.word("role")
	if id := calls[kind]; id != "" {
		f.calls[o.word(id)] = cmp.Or(o.word("name"), kind)
		return true
	}
	if names, ok := outputs[kind]; ok {
		f.result(o, names[1], f.calls[o.word(names[0])], o.isTrue("is_error"))
		return true
	}
	switch {
	case role == "tool", role == "function":
		f.result(o, "content", cmp.Or(f.calls[o.word("tool_call_id")], o.word("name", "tool_name")), false)
	case kind == "mcp_call":
		f.result(o, "output", o.word("name"), o.has("error") && string(o.at("error").Of(o.text)) != "null")
	case kind == "tool" && o.has("state"): // OpenCode
		if state := o.object("state"); state.has("output") || state.has("error") {
			f.result(state, "output", o.word("tool"), state.word("status") == "error")
		}
	case o.has("function") && o.has("id"):
		f.calls[o.word("id")] = o.object("function").word("name")
	case o.has("toolUse"):
		use := o.object("toolUse")
		f.calls[use.word("toolUseId")] = use.word("name")
	case o.has("toolResult"):
		result := o.object("toolResult")
		f.result(result, "content", f.calls[result.word("toolUseId")], result.word("status") == "error")
	case o.has("functionResponse"):
		f.response(o.object("functionResponse"))
	default:
		return false
	}
	return true
}

// context notes what a line says beside messages, which every request has too.
func (f *file) context(o object) {
	if f.a.o.Check {
		f.thread.said.say(o.word("cwd"), false)
	}
	for _, in := range []object{o, o.object("payload"), o.object("request"), o.object("body")} {
		for _, name := range []string{"system", "instructions"} {
			f.say(in.at(name).Of(in.text), false)
		}
	}
	f.dates(o.object("time"))
	f.dates(o.object("state").object("time"))
	f.dates(o)
}

// dates notes when something was said, and by which model.
func (f *file) dates(o object) {
	if at := timeOf(o); !at.IsZero() {
		f.thread.next.at = at
	}
	f.thread.next.model = cmp.Or(o.word("model", "modelID"), f.thread.next.model)
}

// timeOf returns the time that an object has: as RFC 3339, or a number of seconds or
// milliseconds.
func timeOf(o object) time.Time {
	if at, err := time.Parse(time.RFC3339, o.word("timestamp", "time", "ts")); err == nil {
		return at
	}
	for _, name := range []string{"timestamp", "time", "ts", "created", "start"} {
		if n, err := strconv.ParseFloat(string(o.at(name).Of(o.text)), 64); err == nil && n > 1e9 && n < 1e14 {
			if n < 1e11 {
				n *= 1000
			}
			return time.UnixMilli(int64(n))
		}
	}
	return time.Time{}
}

// say notes what a message says, as JSON.
func (f *file) say(text []byte, model bool) {
	if len(text) == 0 {
		return
	}
	t := f.thread
	t.next.blocks++
	if f.a.o.Check {
		t.said.say(string(text), model)
	}
	if f.a.o.Rates != nil {
		n, _ := f.a.plan.Count(string(text)) // the counter has failed before
		t.next.said += n
	}
}

// arguments are where calls have theirs.
var arguments = []string{"input", "arguments", "args", "action"}

// speaks notes what an object says: a text of a message, or the arguments of a call.
func (f *file) speaks(o object) {
	kind := o.word("type")
	own := cmp.Or(o.word("role"), o.object("info").word("role"))
	switch kind {
	case "user", "gemini", "assistant":
		own = cmp.Or(own, kind)
	case "step-start":
		f.message = o.word("messageID")
	}
	f.role = cmp.Or(own, f.role)
	model := f.role == "assistant" || f.role == "model" || f.role == "gemini" || f.message != "" && o.word("messageID") == f.message
	switch kind {
	case "", "text", "input_text", "output_text":
		if o.begins("text", '"') {
			f.say(o.at("text").Of(o.text), model)
		}
	}
	if own != "" && own != "tool" && own != "function" && o.begins("content", '"') {
		f.say(o.at("content").Of(o.text), model)
	}
	call, isCall := o, calls[kind] != "" || kind == "mcp_call" || o.has("name") && o.has("args")
	for _, name := range []string{"state", "function", "toolUse", "functionCall"} {
		if in := o.object(name); in.members != nil {
			call, isCall = in, true
		}
	}
	if !isCall {
		return
	}
	for _, name := range arguments {
		f.say(call.at(name).Of(o.text), true)
	}
}

// response looks at Gemini's functionResponse. Its object has the text as its only member
// where the tool returned one. Gemini CLI notes a result twice: with the call, and as what
// was said next.
func (f *file) response(o object) {
	if id := o.word("id"); id != "" && !f.thread.whole {
		if _, twice := f.calls[responded+id]; twice {
			return
		}
		f.calls[responded+id] = ""
	}
	in, name := o.object("response"), o.word("name")
	if len(in.members) == 1 && in.begins("output", '"') {
		f.result(in, "output", name, false)
		return
	}
	f.result(o, "response", name, in.has("error"))
}

// result looks at what a tool returned: a string, blocks, or an object that is data.
func (f *file) result(o object, name, tool string, failed bool) {
	f.thread.waiting = true
	at := o.at(name)
	list, isList := splice.FindElements(o.text, at)
	switch raw := at.Of(o.text); {
	case len(raw) == 0, bytes.Equal(raw, []byte("null")):
		f.add(tool, nil, failed, true)
	case raw[0] == '"':
		f.add(tool, []byte(o.word(name)), failed, true)
	case raw[0] == '{':
		f.add(tool, raw, failed, true)
	case isList:
		for _, s := range list {
			f.block(o.text, s, tool, failed, len(list) == 1)
		}
	default:
		f.a.note(noteResult, f.name)
	}
}

// block looks at a part of a result.
func (f *file) block(text []byte, at splice.Span, tool string, failed, whole bool) {
	b, ok := objectAt(text, at)
	switch kind := b.word("type"); {
	case ok && b.begins("text", '"'):
		f.add(tool, []byte(b.word("text")), failed, whole)
	case ok && b.has("json"):
		f.add(tool, b.at("json").Of(text), failed, whole)
	case kind == "image", kind == "input_image", kind == "image_url", b.has("image"), b.has("inlineData"):
		f.thread.add(record{tool: tool, failed: failed}, key{})
	case kind == "tool_reference", kind == "document", kind == "resource", kind == "input_file": // content that is not text
	default:
		f.a.note(noteResult, f.name)
	}
}
