package llm

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
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
	failed   bool // its result is an error

	calls, results int // with the id, up to what is looked at
}

// plainID is an id that a sentence can have in it.
var plainID = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

// named reports whether the id of a call means one call, which has one result.
func (c call) named() bool { return c.calls == 1 && c.results == 1 && plainID.MatchString(c.id) }

// run returns what is to be changed.
func (j *job) run() []splice.Edit {
	top, ok := splice.Index(j.body).MembersAt(splice.Whole(j.body))
	if !ok {
		j.report.Reason = string(rewrite.NotJSON)
		return nil
	}
	j.report.Model = rewrite.Cut(top.Word("model"), rewrite.NotedName)
	j.repeats = j.r.Repeats
	for _, name := range []string{"context_management", "truncation", "previous_response_id", "conversation"} {
		j.repeats = j.repeats && (isNone(top, name) || top.Word(name) == "disabled")
	}
	j.calls, j.seen = make(map[string]call), make(map[key]string)
	switch j.report.Shape {
	case ShapeChat, ShapeMessages:
		j.messages(top)
	case ShapeResponses:
		j.input(top)
	case ShapeGemini:
		j.contents(top)
	}
	if j.r.Prune && j.r.Mode != mcp.ModeDryRun {
		j.tools(top)
	}
	for _, e := range j.edits {
		j.report.BytesOut += len(e.Text) - (e.End - e.Start)
	}
	return j.edits
}

// isNone reports whether an object lacks a member, or has null.
func isNone(o splice.Members, name string) bool { return !o.Has(name) || string(o.Raw(name)) == "null" }

// isOff reports whether an object lacks a member, or has false.
func isOff(o splice.Members, name string) bool { return !o.Has(name) || string(o.Raw(name)) == "false" }

// messages looks at those of Chat Completions and of Anthropic's Messages; gateways
// take either in one request.
func (j *job) messages(top splice.Members) {
	for m := range top.Objects("messages") {
		switch m.Word("role") {
		case "assistant":
			for c := range m.Objects("tool_calls") {
				name := cmp.Or(c.Object("custom").At("name"), c.Object("function").At("name"))
				j.called(c.Word("id"), name, splice.Members{})
			}
			for b := range m.Objects("content") {
				switch kind := b.Word("type"); {
				case strings.HasSuffix(kind, "tool_use"): // that of the provider's own tools too
					j.called(b.Word("id"), b.At("name"), b)
				case strings.HasSuffix(kind, "tool_result"):
					j.returned(b.Word("tool_use_id"))
				}
			}
		case "tool":
			j.result(m, "content", j.returned(m.Word("tool_call_id")))
		case "function":
			tool := m.Word("name")
			j.result(m, "content", call{tool: tool, known: tool != ""})
		case "user":
			j.said(m)
		}
	}
}

// called notes a call, which an object has with its caller.
func (j *job) called(id string, name splice.Span, in splice.Members) {
	tool, ok := splice.StringAt(j.body, name)
	before := j.calls[id]
	j.calls[id] = call{
		id: id, tool: tool, known: ok, calls: before.calls + 1, results: before.results,
		byCode: !isNone(in, "caller") && in.Object("caller").Word("type") != "direct",
	}
}

// returned notes that a result follows, and returns the call that it is of.
func (j *job) returned(id string) call {
	c := j.calls[id]
	c.results++
	j.calls[id] = c
	return c
}

// said looks at the content of a user's message, where Anthropic has results.
func (j *job) said(m splice.Members) {
	j.user(m, "content")
	for b := range m.Objects("content") {
		switch b.Word("type") {
		case "tool_result":
			c := j.returned(b.Word("tool_use_id"))
			c.failed = !isOff(b, "is_error")
			j.result(b, "content", c)
		case "text", "input_text":
			j.user(b, "text")
		case "document":
			j.document(b)
		}
	}
}

func (j *job) user(m splice.Members, name string) {
	if j.r.Users && m.Begins(name, '"') {
		j.block(kindUser, m.At(name), call{}, false)
	}
}

// document looks at a document that is plain text. What is to be cited stays: the
// provider counts its characters.
func (j *job) document(b splice.Members) {
	source := b.Object("source")
	if j.r.Documents && isOff(b.Object("citations"), "enabled") && source.Word("type") == "text" && source.Begins("data", '"') {
		j.block(kindDocument, source.At("data"), call{}, false)
	}
}

// input looks at the items of Responses.
func (j *job) input(top splice.Members) {
	j.user(top, "input")
	for m := range top.Objects("input") {
		id, name := m.Word("call_id"), m.At("name")
		switch kind := m.Word("type"); kind {
		case "function_call", "custom_tool_call":
			j.called(id, name, m)
		case "function_call_output", "custom_tool_call_output":
			j.result(m, "output", j.returned(id))
		case "mcp_call":
			j.result(m, "output", call{tool: m.Word("name"), known: m.Has("name"), failed: !isNone(m, "error")})
		case "shell_call", "local_shell_call":
			j.called(cmp.Or(id, m.Word("id")), m.At("type"), m)
		case "shell_call_output", "local_shell_call_output":
			c := j.returned(cmp.Or(id, m.Word("id")))
			if c.tool, c.known = strings.TrimSuffix(kind, "_call_output"), true; kind == "shell_call_output" {
				j.shell(m, c)
			} else if c.byCode || m.Begins("output", '"') {
				j.result(m, "output", c)
			}
		case "message", "":
			if m.Word("role") == "user" {
				j.said(m)
			}
		default: // a call of a tool of the provider's own, or its result
			if strings.HasSuffix(kind, "_output") {
				j.returned(id)
			} else if m.Has("call_id") {
				j.called(id, name, m)
			}
		}
	}
}

// shell looks at the standard output of each command that a shell ran. That of one which
// ran too long may be cut.
func (j *job) shell(m splice.Members, c call) {
	for o := range m.Objects("output") {
		switch {
		case c.byCode:
			j.leave(kindResult, c, rewrite.Off)
		case o.Object("outcome").Word("type") == "timeout":
			j.leave(kindResult, c, rewrite.NotReady)
		case o.Begins("stdout", '"'):
			j.block(kindResult, o.At("stdout"), c, false)
		}
	}
}

// contents looks at those of Gemini.
func (j *job) contents(top splice.Members) {
	for content := range top.Objects("contents") {
		for part := range content.Objects("parts") {
			j.object(part.Object("functionResponse"))
			j.object(part.Object("function_response"))
			if role := content.Word("role"); role == "user" || role == "" {
				j.user(part, "text")
			}
		}
	}
}

// object looks at Gemini's functionResponse.
func (j *job) object(of splice.Members) {
	if !j.r.Objects || !of.Begins("response", '{') {
		return
	}
	c := call{tool: of.Word("name"), known: of.Has("name")}
	if of.Object("response").Has("error") {
		j.leave(kindResult, c, rewrite.NotReady)
		return
	}
	j.block(kindResult, of.At("response"), c, false)
}

// result looks at what a tool returned: a string, or an array with texts in it.
func (j *job) result(m splice.Members, name string, c call) {
	switch {
	case c.failed:
		j.leave(kindResult, c, rewrite.NotReady)
		return
	case c.byCode:
		j.leave(kindResult, c, rewrite.Off)
		return
	case m.Begins(name, '"'):
		j.block(kindResult, m.At(name), c, true)
		return
	}
	all, _ := m.FindElements(m.At(name))
	for b := range m.Objects(name) {
		switch kind := b.Word("type"); {
		case (kind == "text" || kind == "input_text") && b.Begins("text", '"'):
			j.block(kindResult, b.At("text"), c, len(all) == 1)
		case kind == "document":
			j.document(b)
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
func (j *job) leave(kind string, c call, reason rewrite.Left) {
	j.report.Blocks = append(j.report.Blocks, Block{Kind: kind, Tool: rewrite.Cut(c.tool, rewrite.NotedName), Reason: string(reason)})
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
		j.leave(kind, c, rewrite.Off)
		return
	}
	raw := at.Of(j.body)
	k := keyOf(rule, raw)
	o, err := j.r.outcome(k, p, raw)
	if err != nil {
		o.Reason, j.report.Error = string(rewrite.Failed), rewrite.Cut(err.Error(), rewrite.NotedError)
	} else if j.repeats && whole {
		o = j.repeated(k, o, p, c)
	}
	o.Kind, o.Tool = kind, rewrite.Cut(c.tool, rewrite.NotedName)
	j.report.Blocks = append(j.report.Blocks, o.Block)
	j.report.TokensIn += o.TokensIn
	j.report.TokensOut += o.TokensOut
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
	if err != nil || o.TokensIn < p.MinTokens || !p.Enough(o.TokensIn, n) || n >= o.TokensOut {
		return o
	}
	return outcome{Block{Reason: mcp.ReasonConverted, Format: "repeat", TokensIn: o.TokensIn, TokensOut: n}, scan.AppendQuote(nil, sentence)}
}

// An outcome is what a text becomes wherever it is: a Block that has neither kind nor tool.
type outcome struct {
	Block
	quoted []byte // as JSON; nil if the text stays
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
const overhead = 352

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
		return outcome{Block: Block{Reason: string(left), TokensIn: before, TokensOut: before}}, nil
	}
	if err != nil {
		return o, err
	}
	o.Block = Block{Reason: mcp.ReasonConverted, Format: t.Format, TokensIn: before, TokensOut: t.Tokens, Omitted: t.Omitted}
	if o.quoted = scan.AppendQuote(nil, t.Text); !isString {
		o.quoted = append(append([]byte(`{"output":`), o.quoted...), '}')
	}
	return o, nil
}

// triggers are texts that LiteLLM takes for the name of something left out, for which it
// gives the model a tool. A format must not make one of data that is none as JSON.
var triggers = regexp.MustCompile(`hash=[0-9a-fA-F]{24}`)

// tools prunes the schemas of tools, of whichever shape.
func (j *job) tools(top splice.Members) {
	for t := range top.Objects("tools") {
		j.schemas(t, "parameters", "input_schema")
		j.schemas(t.Object("function"), "parameters")
		for _, name := range []string{"functionDeclarations", "function_declarations"} {
			for f := range t.Objects(name) {
				j.schemas(f, "parameters", "parametersJsonSchema")
			}
		}
	}
}

func (j *job) schemas(of splice.Members, names ...string) {
	for _, name := range names {
		if of.Has(name) {
			j.edits = append(j.edits, rewrite.Prune(j.body, of.At(name), of.Word("name"), of.Word("description"))...)
		}
	}
}
