package audit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
)

// maxDepth is how deep messages are looked for. Those of known shapes are less deep.
const maxDepth = 12

// containers are the members that messages are looked for in.
var containers = []string{"message", "messages", "payload", "item", "request", "body", "response", "input", "contents", "content", "parts",
	"output", "tool_calls", "toolCalls", "result", "info"}

// An object is a JSON object in the text of a line.
type object = splice.Members

func objectAt(text []byte, at splice.Span) (object, bool) {
	return splice.Text{Bytes: text}.MembersAt(at)
}

// sum adds up members of an object that are whole numbers.
func sum(o object, names ...string) (sum int) {
	for _, name := range names {
		n, _ := strconv.Atoi(string(o.Raw(name)))
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
	switch kind := o.Word("type"); {
	case string(o.Raw("isCompactSummary")) == "true", kind == "compacted", kind == "compaction", o.Word("subtype") == "compact_boundary":
		f.known = true
		f.a.settle(&f.thread.said)
		f.thread.forget()
	case f.isRequest(o):
		f.thread.begin()
	}
	f.context(o)
	f.node(text, at, "", 0)
	if f.thread.whole {
		f.a.settle(&f.thread.said)
		f.thread.sendAll()
	}
	return true
}

// isRequest reports whether an object is a whole request to an API, or has one in it, and
// not a session that has been kept as one object.
func (f *file) isRequest(o object) bool {
	if o.Has("sessionId") || o.Has("sessionID") || o.Has("info") || o.Has("type") {
		return false
	}
	for _, name := range []string{"request", "body"} {
		if in := o.Object(name); in.Len() > 0 {
			o = in
		}
	}
	return o.Begins("messages", '[') || o.Begins("input", '[') || o.Begins("contents", '[')
}

// threadOf returns the conversation that a line is a part of, a new one if there is none yet.
func (f *file) threadOf(o object) *thread {
	threads, name := f.threads, o.Word("sessionId", "session_id", "sessionID")
	if o.Has("messageID") { // OpenCode has a file for each part
		f.known, threads = true, f.a.sessions
	} else {
		name += "\x00" + o.Word("agentId") + "\x00" + string(o.Raw("isSidechain"))
	}
	if threads[name] == nil {
		threads[name] = &thread{name: f.name, records: []record{{text: image}}, from: 1, seen: make(map[key]bool)}
		threads[name].said = newSaid(make(map[string]bool))
	}
	return threads[name]
}

// node looks at a value, which is in a message of a role, and at what is in it.
func (f *file) node(text []byte, at splice.Span, role string, depth int) {
	if at.Start >= at.End || depth > maxDepth {
		return
	}
	if list, ok := splice.FindElements(text, at); ok {
		for _, s := range list {
			f.node(text, s, role, depth+1)
		}
		return
	}
	o, ok := objectAt(text, at)
	if !ok {
		return
	}
	f.dates(o)
	f.answers(o)
	role = f.speaks(o, role)
	if f.leaf(o) {
		f.known = true
		return
	}
	for _, name := range containers {
		f.node(text, o.At(name), role, depth+1)
	}
}

// answers notes what a model has said, since a request came before it, and what a user has.
func (f *file) answers(o object) {
	t := f.thread
	switch kind, role := o.Word("type"), o.Word("role"); {
	case o.Has("modelID"): // OpenCode's, which has a part for each request
	case role == "assistant" && kind == "message" && o.Has("usage"), kind == "gemini":
		f.use(o, t.answer(o.Word("id")))
	case role == "assistant", role == "model", kind == "reasoning", kind == "function_call", kind == "custom_tool_call":
		t.answer("")
	case kind == "step-start":
		t.request()
	case kind == "step-finish":
		f.use(o, true)
		return
	case kind == "token_count": // the sum of the session so far, and the last request
		total, last := o.Object("info").Object("total_token_usage"), o.Object("info").Object("last_token_usage")
		t.used = max(t.used, sum(total, "input_tokens"))
		t.count(sum(last, "input_tokens"), sum(last, "output_tokens"))
		return
	case role == "user", kind == "user":
		t.waiting = true
	default:
		return
	}
	f.known = true
}

// use notes what a provider has counted of a request, which may be new, and of its answer.
func (f *file) use(o object, isNew bool) {
	usage, spent := o.Object("usage"), o.Object("tokens")
	input := sum(usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens") +
		sum(spent, "input") + sum(spent.Object("cache"), "read", "write") // OpenCode's input is without these
	if isNew {
		f.thread.used += input
	}
	f.thread.count(input, sum(usage, "output_tokens")+sum(spent, "output", "reasoning", "thoughts"))
}

// responded begins the ids of calls whose functionResponse was seen.
const responded = "response "

// calls are the types of calls, and where each has its id. Results of those with a call_id have
// the same type and _output.
var calls = map[string]string{"tool_use": "id", "server_tool_use": "id", "function_call": "call_id", "custom_tool_call": "call_id", "local_shell_call": "call_id"}

// leaf looks at calls and results, and reports whether an object is one.
func (f *file) leaf(o object) bool {
	kind, role, failed := o.Word("type"), o.Word("role"), string(o.Raw("is_error")) == "true"
	switch {
	case calls[kind] != "":
		f.calls[o.Word(calls[kind])] = cmp.Or(o.Word("name"), kind)
	case kind == "tool_result":
		f.result(o, "content", f.calls[o.Word("tool_use_id")], failed)
	case calls[strings.TrimSuffix(kind, "_output")] == "call_id":
		f.result(o, "output", f.calls[o.Word("call_id")], failed)
	case role == "tool", role == "function":
		f.result(o, "content", cmp.Or(f.calls[o.Word("tool_call_id")], o.Word("name", "tool_name")), false)
	case kind == "mcp_call":
		f.result(o, "output", o.Word("name"), o.Has("error") && string(o.Raw("error")) != "null")
	case kind == "tool" && o.Has("state"): // OpenCode
		if state := o.Object("state"); state.Has("output") || state.Has("error") {
			f.result(state, "output", o.Word("tool"), state.Word("status") == "error")
		}
	case o.Has("function") && o.Has("id"):
		f.calls[o.Word("id")] = o.Object("function").Word("name")
	case o.Has("toolUse"):
		use := o.Object("toolUse")
		f.calls[use.Word("toolUseId")] = use.Word("name")
	case o.Has("toolResult"):
		result := o.Object("toolResult")
		f.result(result, "content", f.calls[result.Word("toolUseId")], result.Word("status") == "error")
	case o.Has("functionResponse"):
		f.response(o.Object("functionResponse"))
	default:
		return false
	}
	return true
}

// context notes what a line says beside messages, which every request has too.
func (f *file) context(o object) {
	if f.a.o.Check {
		f.thread.said.say(o.Word("cwd"), false)
	}
	for _, in := range []object{o, o.Object("payload"), o.Object("request"), o.Object("body")} {
		f.say(in.Raw("system"), false)
		f.say(in.Raw("instructions"), false)
	}
	f.dates(o.Object("time"))
	f.dates(o.Object("state").Object("time"))
}

// dates notes when something was said, as RFC 3339, or a number of seconds or milliseconds, and
// by which model.
func (f *file) dates(o object) {
	next := &f.thread.next
	next.model = cmp.Or(o.Word("model", "modelID"), next.model)
	for _, name := range []string{"timestamp", "time", "ts", "created", "start"} {
		if at, err := time.Parse(time.RFC3339, o.Word(name)); err == nil {
			next.at = at
			return
		}
		if n, err := strconv.ParseFloat(string(o.Raw(name)), 64); err == nil && n > 1e9 && n < 1e14 {
			if n < 1e11 {
				n *= 1000
			}
			next.at = time.UnixMilli(int64(n))
			return
		}
	}
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

// speaks notes what an object in a message of a role says: a text of it, or the arguments of a
// call. It returns the role of what is in the object.
func (f *file) speaks(o object, role string) string {
	kind := o.Word("type")
	own := cmp.Or(o.Word("role"), o.Object("info").Word("role"))
	switch kind {
	case "user", "gemini", "assistant":
		own = cmp.Or(own, kind)
	case "step-start":
		f.message = o.Word("messageID")
	}
	role = cmp.Or(own, role)
	model := role == "assistant" || role == "model" || role == "gemini" || f.message != "" && o.Word("messageID") == f.message
	if o.Begins("text", '"') && slices.Contains([]string{"", "text", "input_text", "output_text"}, kind) {
		f.say(o.Raw("text"), model)
	}
	if own != "" && own != "tool" && own != "function" && o.Begins("content", '"') {
		f.say(o.Raw("content"), model)
	}
	call, isCall := o, calls[kind] != "" || kind == "mcp_call" || o.Has("name") && o.Has("args")
	for _, name := range []string{"state", "function", "toolUse", "functionCall"} {
		if in := o.Object(name); in.Len() > 0 {
			call, isCall = in, true
		}
	}
	for _, name := range arguments {
		if isCall {
			f.say(call.Raw(name), true)
		}
	}
	return role
}

// response looks at Gemini's functionResponse. Its object has the text as its only member
// where the tool returned one. Gemini CLI notes a result twice: with the call, and as what
// was said next.
func (f *file) response(o object) {
	if id := o.Word("id"); id != "" && !f.thread.whole {
		if _, twice := f.calls[responded+id]; twice {
			return
		}
		f.calls[responded+id] = ""
	}
	in, name := o.Object("response"), o.Word("name")
	if in.Len() == 1 && in.Begins("output", '"') {
		f.result(in, "output", name, false)
		return
	}
	f.result(o, "response", name, in.Has("error"))
}

// result looks at what a tool returned: a string, blocks, or an object that is data.
func (f *file) result(o object, name, tool string, failed bool) {
	f.thread.waiting = true
	list, isList := splice.FindElements(o.Bytes, o.At(name))
	switch raw := o.Raw(name); {
	case len(raw) == 0, raw[0] == '"', string(raw) == "null":
		f.add(tool, []byte(o.Word(name)), failed, true)
	case raw[0] == '{':
		f.add(tool, raw, failed, true)
	case isList:
		for _, s := range list {
			f.block(o.Bytes, s, tool, failed, len(list) == 1)
		}
	default:
		f.a.note(noteResult, f.name)
	}
}

// block looks at a part of a result.
func (f *file) block(text []byte, at splice.Span, tool string, failed, whole bool) {
	b, ok := objectAt(text, at)
	switch kind := b.Word("type"); {
	case ok && b.Begins("text", '"'):
		f.add(tool, []byte(b.Word("text")), failed, whole)
	case ok && b.Has("json"):
		f.add(tool, b.Raw("json"), failed, whole)
	case kind == "image", kind == "input_image", kind == "image_url", b.Has("image"), b.Has("inlineData"):
		f.thread.add(record{tool: tool, text: image, failed: failed})
	case kind == "tool_reference", kind == "document", kind == "resource", kind == "input_file": // content that is not text
	default:
		f.a.note(noteResult, f.name)
	}
}
