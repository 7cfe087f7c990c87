package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// MetaKey is the key in _meta that names the format of a rewritten block. In
// the _meta of a request for tools/call or tools/list it is the client's wish:
// "json" leaves the result alone, the name of a format makes it the only
// candidate, "auto" is the same as nothing. In the capabilities of a client it
// is the key of what [Client.Accept] says, and in the _meta of a result or of
// its blocks, whatever its value, it keeps them as the server wrote them.
const MetaKey = "dev.wirekit/format"

// A Rewriter rewrites results. Its zero value is ready for use. It is safe for
// concurrent use as long as its fields are not changed, if Counter and Observe
// are.
type Rewriter struct {
	Mode Mode // ModeDefault means ModeReplace
	// Formats are the candidates, as [wirekit.Chooser] takes them; nil means
	// gcf, gcx, glyph and toon. Compact JSON always takes part.
	Formats []string
	// Rules are asked in their order; the first one for a tool holds.
	Rules []Rule
	// Clients returns the mode for clients of a name, instead of Mode, or ModeDefault if
	// there is none of their own; nil has none. Where a rule has a mode too, the one that
	// changes less holds. Names are the user's to compare: the protocol has them for
	// display only.
	Clients func(name string) Mode
	// Counter of tokens; nil means [tokens.Default]. The first count may have to wait for
	// a vocabulary to be loaded.
	Counter tokens.Counter
	// MinTokens is what a text must have to be rewritten; 0 means
	// 200, a negative number none.
	MinTokens int
	// MinSaving is the part of the tokens that must be saved, below 1; 0 means
	// 0.1, a negative number any saving.
	MinSaving float64
	// MaxBytes is the longest result that is looked at; 0 means 8 MiB.
	MaxBytes int
	// MaxSteps bounds the work for a text: each candidate takes a step for each
	// byte, and 48 if it is folded; where folding takes more, the formats are tried
	// without it. 0 means 67,108,864, a negative number no bound. Nothing depends on
	// time: the same result is rewritten to the same text on every machine and at any
	// load.
	MaxSteps int
	// Prune takes out of the schemas in tools/list what validators ignore and
	// what says nothing new: comments, titles that repeat the name,
	// descriptions that repeat the one of what they are in, and $schema where
	// every version means the same. What a schema accepts stays the same.
	Prune bool
	// Instructions are added to those that a server gives its client, to tell
	// the model about formats. Empty adds nothing.
	Instructions string
	// Server is the name of the server in events.
	Server string
	// Observe, if not nil, is given the event of every result. A panic in it is
	// dropped: the tool has done its work by then.
	Observe func(Event)
}

// Validate returns an error if a format's name is unknown or a number out of
// range. Results of a Rewriter that Validate refuses stay as they are.
func (r *Rewriter) Validate() error {
	err := modes.Check("Rewriter.Mode", r.Mode)
	if !(r.MinSaving < 1) {
		err = cmp.Or(err, fmt.Errorf("mcp: MinSaving is %v; it is a part, below 1", r.MinSaving))
	}
	for _, rule := range r.Rules {
		err = cmp.Or(err, rule.check())
	}
	return cmp.Or(err, rewrite.CheckFormats("mcp", r.Formats))
}

func (r *Rewriter) maxBytes() int { return cmp.Or(r.MaxBytes, rewrite.DefaultMaxBytes) }

// RewriteResult returns the result of a call, which is the raw JSON of a
// CallToolResult, rewritten or as it was. It does not change the bytes it is
// given, and may return them. The event is given to Observe as well.
func (r *Rewriter) RewriteResult(call Call, result []byte) ([]byte, Event) {
	return r.timed(call, result, (*job).run)
}

// RewriteText returns a text that a tool returned outside of the protocol, to a hook of an
// agent for example, rewritten or as it was. The codec reads the text; nil is for a JSON
// object or array. ModeText is ModeReplace here. A text with fewer bytes than MinTokens is
// not counted. The event is given to Observe as well.
func (r *Rewriter) RewriteText(call Call, text string, codec wire.Codec) (string, Event) {
	out, e := r.timed(call, []byte(text), func(j *job, text []byte) ([]byte, error) { return j.runText(text, codec) })
	return string(out), e
}

// timed runs a job and returns what it gives, with its event.
func (r *Rewriter) timed(call Call, result []byte, run func(*job, []byte) ([]byte, error)) ([]byte, Event) {
	start := time.Now()
	out, e := r.guarded(call, result, run)
	e.Time, e.Server, e.Tool = start, rewrite.Cut(cmp.Or(r.Server, call.server), rewrite.NotedName), rewrite.Cut(call.Tool, rewrite.NotedName)
	e.Error = rewrite.Cut(e.Error, rewrite.NotedError)
	if len(e.Largest) > rewrite.NotedName { // a part of it would be another pattern
		e.Largest, e.LargestPart = "", 0
	}
	e.BytesIn, e.BytesOut = len(result), len(out)
	e.Duration = time.Since(start)
	r.observe(e)
	return out, e
}

func (r *Rewriter) observe(e Event) {
	if r.Observe != nil {
		defer func() { _ = recover() }()
		r.Observe(e)
	}
}

// guarded returns the result as it was after an error or a panic.
func (r *Rewriter) guarded(call Call, result []byte, run func(*job, []byte) ([]byte, error)) (out []byte, e Event) {
	job := r.job(call)
	defer func() {
		if p := recover(); p != nil {
			out, e = result, Event{Mode: job.rule.Mode, Reason: string(rewrite.Failed), Error: fmt.Sprint(p)}
		}
	}()
	var err error
	switch {
	case job.rule.Mode == ModeOff:
		err = rewrite.Off
	case len(result) > r.maxBytes():
		err = rewrite.TooLarge
	default:
		out, err = run(job, result)
	}
	e = job.event
	var left rewrite.Left
	switch {
	case errors.As(err, &left):
		e.Reason = string(left)
	case err != nil:
		e.Reason, e.Error = string(rewrite.Failed), err.Error()
	default:
		e.Reason = ReasonConverted
	}
	if e.Reason != ReasonConverted {
		out, e.Format, e.Omitted, e.TokensOut = result, "", 0, e.TokensIn
	} else if job.rule.Mode == ModeDryRun {
		out = result
	}
	return out, e
}

// job returns what is to be done for a call.
func (r *Rewriter) job(call Call) *job {
	rule, formats := r.plan(call)
	j := &job{rule: rule}
	j.plan = rewrite.Plan{
		Counter: r.Counter, Formats: formats, Ordered: !rule.Fold, Lines: linesFor(call, rule), Omit: rule.Omit, Keep: rule.Keep,
		MinTokens: r.MinTokens, MinSaving: r.MinSaving, MaxSteps: r.MaxSteps,
	}.WithDefaults()
	j.event = Event{Mode: rule.Mode, Counter: j.plan.Counter.Name()}
	if r.Observe != nil {
		j.plan.Seen = j.seen
	}
	return j
}

// seen notes which members are the largest.
func (j *job) seen(v wire.Value, size int) {
	m := make(rewrite.Members)
	m.Add(v)
	for _, pattern := range m.Largest(1) {
		j.event.Largest, j.event.LargestPart = pattern, min(1, float64(m.Size(pattern))/float64(size))
	}
}

// RewriteTools returns the result of tools/list without the outputSchema of tools
// whose results are replaced, and with schemas pruned if that is wanted. It is
// what it was where there is a doubt. The call's Tool has no meaning.
func (r *Rewriter) RewriteTools(call Call, result []byte) []byte {
	o, ok := r.open(result, "tools")
	if !ok {
		return result
	}
	tools, _ := splice.FindElements(result, o.Members[0].Value)
	var edits []splice.Edit
	for _, tool := range tools {
		edits = append(edits, r.tool(call, result, tool)...)
	}
	return splice.Apply(result, edits)
}

// tool returns the edits for a tool in the list of them.
func (r *Rewriter) tool(call Call, result []byte, at splice.Span) (edits []splice.Edit) {
	t, ok := splice.FindMembers(result, at, "name", "outputSchema", "inputSchema", "description")
	var named bool
	if call.Tool, named = splice.StringAt(result, t.Members[0].Value); !ok || !named {
		return nil
	}
	output, input := t.Members[1], t.Members[2]
	rule := r.RuleFor(call)
	if rule.Mode != ModeReplace && rule.Mode != ModeText {
		return nil
	}
	schemas := []splice.Member{input, output}
	if rule.Mode == ModeReplace && output.Found {
		edits = splice.Remove(result, at, "outputSchema")
		schemas = schemas[:1]
	}
	if !r.Prune {
		return edits
	}
	description := splice.Word(result, t.Members[3].Value)
	for _, schema := range schemas {
		if schema.Found {
			edits = append(edits, rewrite.Prune(result, schema.Value, call.Tool, description)...)
		}
	}
	return edits
}

// RewriteInitialize returns the result of initialize or server/discover with
// Instructions added, once.
func (r *Rewriter) RewriteInitialize(result []byte) []byte {
	if r.Instructions == "" {
		return result
	}
	o, ok := r.open(result, "instructions", "protocolVersion", "supportedVersions")
	if !ok || !o.Members[1].Found && !o.Members[2].Found {
		return result
	}
	if !o.Members[0].Found {
		return splice.Apply(result, []splice.Edit{splice.Append(result, o.Span, "instructions", splice.Quote(r.Instructions))})
	}
	have, ok := splice.StringAt(result, o.Members[0].Value)
	if !ok || strings.Contains(have, r.Instructions) {
		return result
	}
	return splice.Apply(result, []splice.Edit{splice.Put(o.Members[0].Value, splice.Quote(have+"\n\n"+r.Instructions))})
}

// open finds members of a result that is JSON and not too long.
func (r *Rewriter) open(result []byte, names ...string) (splice.Object, bool) {
	if len(result) > r.maxBytes() || wire.View(rewrite.Strict, result, func(wire.Value) error { return nil }) != nil {
		return splice.Object{}, false
	}
	return splice.FindMembers(result, splice.Whole(result), names...)
}

// ReasonConverted is the Reason of a result that was rewritten, or would have been in a
// dry run.
const ReasonConverted = "converted"

// An Event reports what became of one result of a tool. It has no data of the
// result. Its JSON is a line of a statistics file. Names have at most 128 bytes, of longer
// ones the beginning.
type Event struct {
	Time   time.Time `json:"time"`
	Server string    `json:"server,omitempty"` // as the Rewriter names it, or as it names itself
	Tool   string    `json:"tool"`
	Mode   Mode      `json:"mode"`
	// Reason is [ReasonConverted], or why the result is what it was: "off" (a mode, a
	// rule or the request said so), "too-large" (above MaxBytes or MaxSteps), "small"
	// (below MinTokens), "no-gain" (less than MinSaving), "not-json" (no JSON, or none
	// that is an object or an array), "mixed" (structuredContent beside images or
	// resources), "not-ready" (an error's message, or a request for input), "kept" (the
	// server has rewritten it, or says that it is to stay), "failed" (see Error).
	Reason string `json:"reason"`
	// Format is the full name of what was chosen: "gcf", "json+fold". It is
	// "text" where structuredContent said no more than the text beside it.
	Format string `json:"format,omitempty"`
	// BytesIn and BytesOut are the lengths of the result.
	BytesIn  int `json:"bytes_in"`
	BytesOut int `json:"bytes_out"`
	// TokensIn is what a model would have been shown of the data: JSON of
	// structuredContent, or the text where there is none. TokensOut is what it
	// is shown now. Both are 0 where nothing was counted.
	TokensIn  int `json:"tokens_in,omitempty"`
	TokensOut int `json:"tokens_out,omitempty"`
	// Counter is the name of the counter. No counter is exact for models whose
	// vocabulary is not public.
	Counter string `json:"counter,omitempty"`
	// Omitted is the number of members that rules left out: a loss.
	Omitted int `json:"omitted,omitempty"`
	// Largest is the pattern of the rule omit that would leave out most of the
	// data, and LargestPart the part of its bytes that those members have.
	Largest     string  `json:"largest,omitempty"`
	LargestPart float64 `json:"largest_part,omitempty"`
	// Duration is the time that it took, in nanoseconds.
	Duration time.Duration `json:"duration_ns"`
	// Error is what happened, if Reason is "failed".
	Error string `json:"error,omitempty"`
}
