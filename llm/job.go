package llm

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"iter"
	"regexp"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/mcp"
)

// A job is the rewriting of one request. Its body is JSON without a key twice.
type job struct {
	r      *Rewriter
	body   []byte
	at     splice.Text // body
	report Report
	edits  []splice.Edit

	calls   map[string]call // by ids: the last one before what is looked at
	repeats bool            // may refer to an earlier result
	seen    map[key]string  // texts of results, and the ids of the first calls that had them
}

// A call is a call of a tool.
type call struct {
	id, tool string
	known    bool // it is in the request
	byCode   bool // its result is read by code

	calls, results int // with the id, up to what is looked at
}

// plainID is an id that a sentence can have in it.
var plainID = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

// named reports whether the id of a call means one call, which has one result.
func (c call) named() bool { return c.calls == 1 && c.results == 1 && plainID.MatchString(c.id) }

// run returns what is to be changed.
func (j *job) run() []splice.Edit {
	j.at = splice.Index(j.body)
	top, ok := j.at.FindMembers(splice.Whole(j.body), "messages", "input", "contents", "tools", "model",
		"context_management", "truncation", "previous_response_id", "conversation")
	if !ok {
		j.report.Reason = string(rewrite.NotJSON)
		return nil
	}
	messages, input, contents, tools, model, kept := top.Members[0], top.Members[1], top.Members[2], top.Members[3], top.Members[4], top.Members[5:]
	j.report.Model = rewrite.Cut(j.text(model), rewrite.NotedName)
	j.repeats = j.r.Repeats
	for _, m := range kept {
		j.repeats = j.repeats && (!m.Found || string(m.Value.Of(j.body)) == "null" || j.text(m) == "disabled")
	}
	j.calls, j.seen = make(map[string]call), make(map[key]string)
	switch j.report.Shape {
	case ShapeChat, ShapeMessages:
		j.messages(messages.Value)
	case ShapeResponses:
		j.input(input.Value)
	case ShapeGemini:
		j.contents(contents.Value)
	}
	if j.r.Prune && j.r.Mode != mcp.ModeDryRun {
		j.tools(tools.Value)
	}
	for _, e := range j.edits {
		j.report.BytesOut += len(e.Text) - (e.End - e.Start)
	}
	return j.edits
}

// elements returns members of each object in an array, in the order of their names. What
// is not an array has none.
func elements(body splice.Text, list splice.Span, names ...string) iter.Seq[[]splice.Member] {
	return func(yield func([]splice.Member) bool) {
		all, _ := body.FindElements(list)
		for _, s := range all {
			if o, ok := body.FindMembers(s, names...); ok && !yield(o.Members) {
				return
			}
		}
	}
}

// text returns the string that a member is; "" for anything else.
func (j *job) text(m splice.Member) string { return j.at.Word(m.Value) }

func (j *job) isString(m splice.Member) bool {
	return m.Found && j.body[m.Value.Start] == '"'
}

// messages looks at those of Chat Completions and of Anthropic's Messages; gateways
// take either in one request.
func (j *job) messages(list splice.Span) {
	for m := range elements(j.at, list, "role", "content", "tool_call_id", "tool_calls", "name") {
		role, content, id, calls, name := j.text(m[0]), m[1], m[2], m[3], m[4]
		switch role {
		case "assistant":
			for c := range elements(j.at, calls.Value, "id", "function", "custom") {
				var name splice.Span
				for _, kind := range c[1:] {
					if at, ok := j.at.Find(kind.Value, "name"); ok {
						name = at
					}
				}
				j.called(j.text(c[0]), name, splice.Member{})
			}
			for b := range elements(j.at, content.Value, "type", "id", "name", "caller", "tool_use_id") {
				kind, id, name, caller, of := j.text(b[0]), b[1], b[2], b[3], b[4]
				switch {
				case strings.HasSuffix(kind, "tool_use"): // that of the provider's own tools too
					j.called(j.text(id), name.Value, caller)
				case strings.HasSuffix(kind, "tool_result"):
					j.returned(j.text(of))
				}
			}
		case "tool":
			j.result(content, j.returned(j.text(id)))
		case "function":
			tool := j.text(name)
			j.result(content, call{tool: tool, known: tool != ""})
		case "user":
			j.said(content)
		}
	}
}

// called notes a call.
func (j *job) called(id string, name splice.Span, caller splice.Member) {
	tool, ok := splice.StringAt(j.body, name)
	before := j.calls[id]
	c := call{id: id, tool: tool, known: ok, calls: before.calls + 1, results: before.results}
	if caller.Found && string(caller.Value.Of(j.body)) != "null" {
		c.byCode = j.at.Word(caller.Value, "type") != "direct"
	}
	j.calls[id] = c
}

// returned notes that a result follows, and returns the call that it is of.
func (j *job) returned(id string) call {
	c := j.calls[id]
	c.results++
	j.calls[id] = c
	return c
}

// said looks at the content of a user's message, where Anthropic has results.
func (j *job) said(content splice.Member) {
	if j.isString(content) {
		j.user(content)
		return
	}
	for b := range elements(j.at, content.Value, "type", "text", "content", "tool_use_id", "is_error", "source", "citations") {
		kind, text, result, of, failed, source, citations := j.text(b[0]), b[1], b[2], b[3], b[4], b[5], b[6]
		switch kind {
		case "tool_result":
			c := j.returned(j.text(of))
			if failed.Found && string(failed.Value.Of(j.body)) != "false" {
				j.leave(c, rewrite.NotReady)
				continue
			}
			j.result(result, c)
		case "text", "input_text":
			j.user(text)
		case "document":
			j.document(source, citations)
		}
	}
}

func (j *job) user(text splice.Member) {
	if j.r.Users && j.isString(text) {
		j.block(kindUser, text.Value, call{}, false)
	}
}

// document looks at a document that is plain text. What is to be cited stays: the
// provider counts its characters.
func (j *job) document(source, citations splice.Member) {
	if !j.r.Documents || !source.Found {
		return
	}
	if on, ok := j.at.Find(citations.Value, "enabled"); citations.Found && ok && string(on.Of(j.body)) != "false" {
		return
	}
	o, ok := j.at.FindMembers(source.Value, "type", "data")
	if ok && j.text(o.Members[0]) == "text" && j.isString(o.Members[1]) {
		j.block(kindDocument, o.Members[1].Value, call{}, false)
	}
}

// input looks at the items of Responses.
func (j *job) input(list splice.Span) {
	if list.Start < list.End && j.body[list.Start] == '"' {
		j.user(splice.Member{Value: list, Found: true})
		return
	}
	for m := range elements(j.at, list, "type", "role", "content", "call_id", "name", "output", "caller", "error", "id") {
		kind, role, content, callID, name, output, caller, failed, id := j.text(m[0]), m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]
		switch kind {
		case "function_call", "custom_tool_call":
			j.called(j.text(callID), name.Value, caller)
		case "function_call_output", "custom_tool_call_output":
			j.result(output, j.returned(j.text(callID)))
		case "mcp_call":
			c := call{tool: j.text(name), known: name.Found}
			if failed.Found && string(failed.Value.Of(j.body)) != "null" {
				j.leave(c, rewrite.NotReady)
				continue
			}
			j.result(output, c)
		case "shell_call", "local_shell_call":
			j.called(cmp.Or(j.text(callID), j.text(id)), m[0].Value, caller)
		case "shell_call_output", "local_shell_call_output":
			c := j.returned(cmp.Or(j.text(callID), j.text(id)))
			if c.tool, c.known = strings.TrimSuffix(kind, "_call_output"), true; kind == "shell_call_output" {
				j.shell(output, c)
			} else if c.byCode || j.isString(output) {
				j.result(output, c)
			}
		case "message", "":
			if j.text(role) == "user" {
				j.said(content)
			}
		default: // a call of a tool of the provider's own, or its result
			if id := j.text(callID); strings.HasSuffix(kind, "_output") {
				j.returned(id)
			} else if callID.Found {
				j.called(id, name.Value, caller)
			}
		}
	}
}

// shell looks at the standard output of each command that a shell ran. That of one which
// ran too long may be cut.
func (j *job) shell(output splice.Member, c call) {
	for o := range elements(j.at, output.Value, "stdout", "outcome") {
		switch {
		case c.byCode:
			j.leave(c, rewrite.Off)
		case j.at.Word(o[1].Value, "type") == "timeout":
			j.leave(c, rewrite.NotReady)
		case j.isString(o[0]):
			j.block(kindResult, o[0].Value, c, false)
		}
	}
}

// contents looks at those of Gemini.
func (j *job) contents(list splice.Span) {
	for content := range elements(j.at, list, "role", "parts") {
		for part := range elements(j.at, content[1].Value, "functionResponse", "function_response", "text") {
			for _, m := range part[:2] {
				if m.Found && j.r.Objects {
					j.object(m.Value)
				}
			}
			if role := j.text(content[0]); role == "user" || role == "" {
				j.user(part[2])
			}
		}
	}
}

// object looks at Gemini's functionResponse.
func (j *job) object(at splice.Span) {
	o, ok := j.at.FindMembers(at, "name", "response")
	if !ok {
		return
	}
	name, response := o.Members[0], o.Members[1]
	if !response.Found || j.body[response.Value.Start] != '{' {
		return
	}
	c := call{tool: j.text(name), known: name.Found}
	if _, failed := j.at.Find(response.Value, "error"); failed {
		j.leave(c, rewrite.NotReady)
		return
	}
	j.block(kindResult, response.Value, c, false)
}

// result looks at what a tool returned: a string, or an array with texts in it.
func (j *job) result(content splice.Member, c call) {
	switch {
	case c.byCode:
		j.leave(c, rewrite.Off)
	case j.isString(content):
		j.block(kindResult, content.Value, c, true)
	case content.Found:
		all, _ := j.at.FindElements(content.Value)
		for b := range elements(j.at, content.Value, "type", "text", "source", "citations") {
			kind, text, source, citations := j.text(b[0]), b[1], b[2], b[3]
			switch {
			case (kind == "text" || kind == "input_text") && j.isString(text):
				j.block(kindResult, text.Value, c, len(all) == 1)
			case kind == "document":
				j.document(source, citations)
			}
		}
	}
}

// The kinds of blocks.
const (
	kindResult   = "result"
	kindUser     = "user"
	kindDocument = "document"
)

// leave notes a block that stays.
func (j *job) leave(c call, reason rewrite.Left) {
	j.report.Blocks = append(j.report.Blocks, Block{Kind: kindResult, Tool: rewrite.Cut(c.tool, rewrite.NotedName), Reason: string(reason)})
}

// block rewrites a string, or an object of Gemini's. whole says that it is all that a
// tool returned.
func (j *job) block(kind string, at splice.Span, c call, whole bool) {
	rule := len(j.r.plans) - 1
	if kind == kindResult {
		rule = j.r.ruleFor(c.tool, c.known)
	}
	p := &j.r.plans[rule]
	if p.mode == mcp.ModeOff {
		j.leave(c, rewrite.Off)
		return
	}
	raw := at.Of(j.body)
	k := keyOf(rule, raw)
	o, err := j.r.outcome(k, p, raw)
	if err != nil {
		o.reason, j.report.Error = string(rewrite.Failed), rewrite.Cut(err.Error(), rewrite.NotedError)
	} else if j.repeats && whole {
		o = j.repeated(k, o, p, c)
	}
	j.report.Blocks = append(j.report.Blocks, Block{
		Kind: kind, Tool: rewrite.Cut(c.tool, rewrite.NotedName), Reason: o.reason, Format: o.format,
		TokensIn: o.before, TokensOut: o.after, Omitted: o.omitted,
	})
	j.report.TokensIn += o.before
	j.report.TokensOut += o.after
	if o.quoted != nil && p.mode != mcp.ModeDryRun {
		j.edits = append(j.edits, splice.Put(at, o.quoted))
	}
}

// repeated returns the outcome of a result that an earlier call had too, or the one that
// it has on its own. A call is named if its id means no other call or result before this
// place; what comes after it does not count, so that the texts stay on every turn.
func (j *job) repeated(k key, o outcome, p *plan, c call) outcome {
	first := j.seen[k]
	if first == c.id || !j.calls[first].named() {
		j.seen[k] = c.id
		return o
	}
	sentence := "Same result as call " + first + "."
	n, err := p.Count(sentence)
	if err != nil || o.before < p.MinTokens || !p.Enough(o.before, n) || n >= o.after {
		return o
	}
	return outcome{reason: mcp.ReasonConverted, format: "repeat", before: o.before, after: n, quoted: scan.AppendQuote(nil, sentence)}
}

// An outcome is what a text becomes, as a Block has it, wherever the text is.
type outcome struct {
	reason, format string
	before, after  int // tokens
	omitted        int
	quoted         []byte // as JSON; nil if the text stays
}

// outcome returns what a string or an object of JSON becomes. Only an error of the
// counter is one, and is not remembered.
func (r *Rewriter) outcome(k key, p *plan, raw []byte) (outcome, error) {
	if o, ok := r.known.Get(k); ok {
		return o, nil
	}
	o, err := p.outcome(raw, r.Repeats)
	if err == nil {
		r.known.Put(k, o, cap(o.quoted)+overhead, cmp.Or(r.Memory, defaultMemory))
	}
	return o, err
}

// overhead is what an outcome takes beside its text, at most: its slot of a map, of which
// less than half may be taken.
const overhead = 288

// A key is the hash of a text as it is written, and of the plan for it.
type key [sha256.Size]byte

func keyOf(plan int, raw []byte) (k key) {
	h := sha256.New()
	h.Write(binary.AppendUvarint(nil, uint64(plan)))
	h.Write(raw)
	h.Sum(k[:0])
	return k
}

func (p *plan) outcome(raw []byte, count bool) (o outcome, err error) {
	isString := raw[0] == '"'
	text := string(raw)
	if isString {
		text, _ = splice.Unquote(raw)
	}
	t, before, err := p.Text(text)
	if err == nil && triggers.MatchString(t.Text) && !triggers.MatchString(text) {
		err = rewrite.NoGain
	}
	var left rewrite.Left
	if errors.As(err, &left) {
		if before == 0 && count {
			if before, err = p.Count(text); err != nil {
				return o, err
			}
		}
		return outcome{reason: string(left), before: before, after: before}, nil
	}
	if err != nil {
		return o, err
	}
	o = outcome{reason: mcp.ReasonConverted, format: t.Format, before: before, after: t.Tokens, omitted: t.Omitted}
	if o.quoted = scan.AppendQuote(nil, t.Text); !isString {
		o.quoted = append(append([]byte(`{"output":`), o.quoted...), '}')
	}
	return o, nil
}

// triggers are texts that LiteLLM takes for the name of something left out, for which it
// gives the model a tool. A format must not make one of data that is none as JSON.
var triggers = regexp.MustCompile(`hash=[0-9a-fA-F]{24}`)

// tools prunes the schemas of tools, of whichever shape.
func (j *job) tools(list splice.Span) {
	for t := range elements(j.at, list, "name", "description", "parameters", "input_schema", "function", "functionDeclarations", "function_declarations") {
		j.schemas(t[0], t[1], t[2:4])
		if f, ok := j.at.FindMembers(t[4].Value, "name", "description", "parameters"); ok {
			j.schemas(f.Members[0], f.Members[1], f.Members[2:])
		}
		for _, declared := range t[5:] {
			for f := range elements(j.at, declared.Value, "name", "description", "parameters", "parametersJsonSchema") {
				j.schemas(f[0], f[1], f[2:])
			}
		}
	}
}

func (j *job) schemas(name, description splice.Member, schemas []splice.Member) {
	for _, s := range schemas {
		if s.Found {
			j.edits = append(j.edits, rewrite.Prune(j.body, s.Value, j.text(name), j.text(description))...)
		}
	}
}
