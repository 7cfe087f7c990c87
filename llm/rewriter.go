package llm

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/recent"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Profile names what blocks become with the default options. With others its name has
// a hash of them after it: "v1-5f0c2a91".
const Profile = "v1"

const defaultMemory = 64 << 20

// A Rewriter rewrites requests. Its zero value is ready for use. It is safe for
// concurrent use as long as its fields are not changed after the first call, if Counter
// and Observe are.
type Rewriter struct {
	// Mode is ModeDefault, ModeReplace or ModeText, which are the same here, or
	// ModeDryRun or ModeOff.
	Mode mcp.Mode
	// Formats are the candidates, as wirekit.Chooser takes them; nil means
	// gcf, gcx, glyph and toon. Compact JSON always takes part.
	Formats []string
	// Rules are asked in their order; the first one for a tool holds. A result whose
	// call is not in the request has no name, so only rules for "*" hold for it.
	Rules []mcp.Rule
	// Counter of tokens; nil means [tokens.Default]. The first count may have to wait for
	// a vocabulary to be loaded.
	Counter tokens.Counter
	// MinTokens is what a text must have to be rewritten; 0 means
	// 200, a negative number none.
	MinTokens int
	// MinSaving is the part of the tokens that must be saved, below 1; 0 means
	// 0.1, a negative number any saving.
	MinSaving float64
	// MaxBytes is the longest body that is looked at; 0 means 32 MiB.
	MaxBytes int
	// MaxSteps bounds the work for a text, as that of [mcp.Rewriter] does.
	MaxSteps int

	// Objects lets the object that Gemini has for a result become {"output": text}.
	// Without it Gemini's requests stay as they are.
	Objects bool
	// Users and Documents let JSON in the user's messages, and in documents that are
	// plain text and not to be cited, be rewritten too.
	Users, Documents bool
	// Repeats replaces a result that an earlier call in the same request has had, byte
	// for byte, by a sentence that names that call. Requests whose provider may take
	// earlier results away (context_management, truncation, previous_response_id,
	// conversation) keep theirs.
	Repeats bool
	// Prune takes out of the schemas of tools what [mcp.Rewriter] does.
	Prune bool

	// Memory is how many bytes of results are remembered, by their hashes, so that
	// they need not be rewritten on every turn; 0 means 64 MiB, a negative
	// number none. It changes the time that a request takes and nothing else.
	Memory int
	// Observe, if not nil, is given the report of every request.
	Observe func(Report)

	ready sync.Once
	slots chan struct{} // of requests that are rewritten at once
	plans []plan        // of the rules, and of texts without one
	known recent.Memory[key, outcome]
	bad   error // of Validate
	named string
}

// A plan is what a rule says.
type plan struct {
	rewrite.Plan
	tool string // a pattern
	mode mcp.Mode
}

// Validate returns an error if a format's name is unknown or a number out of range.
// Requests of a Rewriter that Validate refuses stay as they are; a [Transport] refuses them.
func (r *Rewriter) Validate() error {
	inner := mcp.Rewriter{Mode: r.Mode, Formats: r.Formats, Rules: r.Rules, MinSaving: r.MinSaving}
	return inner.Validate()
}

func (r *Rewriter) maxBytes() int { return cmp.Or(r.MaxBytes, rewrite.DefaultMaxRequest) }

// Profile returns the name of what this Rewriter makes of blocks.
func (r *Rewriter) Profile() string {
	r.ready.Do(r.prepare)
	return r.named
}

// prepare makes what does not depend on a request.
func (r *Rewriter) prepare() {
	r.bad = r.Validate()
	r.slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, rule := range append(slices.Clip(r.Rules), mcp.Rule{Tool: "*"}) {
		r.plans = append(r.plans, r.plan(rule))
	}
	r.named = Profile // with a hash of the options if they are not the defaults
	if mine := r.options(); mine != new(Rewriter).options() {
		h := fnv.New32a()
		h.Write([]byte(mine))
		r.named = fmt.Sprintf("%s-%08x", Profile, h.Sum32())
	}
}

func (r *Rewriter) plan(rule mcp.Rule) plan {
	formats := rule.Formats
	if formats == nil {
		formats = r.Formats
	}
	p := rewrite.Plan{
		Counter: r.Counter, Formats: formats, Ordered: !rule.Fold, Lines: rule.Lines, Omit: rule.Omit, Keep: rule.Keep,
		MinTokens: r.MinTokens, MinSaving: r.MinSaving, MaxSteps: r.MaxSteps,
	}.WithDefaults()
	if rule.Fold {
		p.Formats = rewrite.Folded(p.Formats)
	}
	return plan{p, rule.Tool, cmp.Or(rule.Mode, r.Mode)}
}

// options writes everything that texts depend on.
func (r *Rewriter) options() string {
	p := r.plan(mcp.Rule{})
	return fmt.Sprint(p.mode == mcp.ModeOff, p.Formats, r.Rules, p.Counter.Name(), p.MinTokens, p.MinSaving, p.MaxSteps, r.maxBytes(),
		r.Objects, r.Users, r.Documents, r.Repeats, r.Prune)
}

// ruleFor returns the index of the plan for a tool. Without a name only rules for all hold.
func (r *Rewriter) ruleFor(tool string, isNamed bool) int {
	return slices.IndexFunc(r.plans, func(p plan) bool { return p.tool == "*" || isNamed && rewrite.Matches(p.tool, tool) })
}

// RewriteRequest returns the body of a request rewritten, or as it was. It does not change the
// bytes it is given, and may return them. The report is given to Observe as well.
func (r *Rewriter) RewriteRequest(body []byte, shape Shape) ([]byte, Report) {
	edits, report := r.edits(body, shape)
	r.observe(report)
	return splice.Apply(body, edits), report
}

func (r *Rewriter) observe(report Report) {
	if r.Observe != nil {
		r.Observe(report)
	}
}

// edits returns what is to be changed in a body; after an error or a panic nothing is.
func (r *Rewriter) edits(body []byte, shape Shape) (edits []splice.Edit, report Report) {
	start := time.Now()
	r.ready.Do(r.prepare)
	j := &job{r: r, body: body, report: Report{
		Time: start, Profile: r.named, Shape: shape, Counter: r.plans[len(r.plans)-1].Counter.Name(), BytesIn: len(body), BytesOut: len(body),
	}}
	r.slots <- struct{}{} // what it works with is bounded, not what waits
	defer func() {
		<-r.slots
		if p := recover(); p != nil {
			j.report.fail(fmt.Sprint(p))
			edits = nil
		}
		report = j.report
		report.Duration = time.Since(start)
	}()
	switch {
	case r.bad != nil:
		j.report.fail(r.bad.Error())
	case shape == ShapeNone || r.Mode == mcp.ModeOff && len(r.Rules) == 0:
		j.report.Reason = string(rewrite.Off)
	case len(body) > r.maxBytes():
		j.report.Reason = string(rewrite.TooLarge)
	case wire.View(rewrite.Strict, body, func(wire.Value) error { return nil }) != nil:
		j.report.Reason = string(rewrite.NotJSON)
	default:
		return j.run(), j.report
	}
	return nil, j.report
}

// A Report says what became of a request. It has no data of the request but the names
// of the model and of tools, at most 128 bytes of each. Its JSON is a line of a statistics
// file.
type Report struct {
	Time    time.Time `json:"time"`
	Profile string    `json:"profile"`
	Shape   Shape     `json:"shape"`
	Model   string    `json:"model,omitempty"`
	// Reason is why nothing of the request was looked at, as in an event of package mcp;
	// empty if it was.
	Reason string `json:"reason,omitempty"`
	// Blocks are the texts that could be rewritten, in their order.
	Blocks []Block `json:"blocks,omitempty"`
	// BytesIn and BytesOut are the lengths of the body.
	BytesIn  int `json:"bytes_in"`
	BytesOut int `json:"bytes_out"`
	// TokensIn and TokensOut are those of the blocks that were counted.
	TokensIn  int `json:"tokens_in,omitempty"`
	TokensOut int `json:"tokens_out,omitempty"`
	// Counter is the name of the counter. No counter is exact for models whose
	// vocabulary is not public.
	Counter string `json:"counter,omitempty"`
	// Refused says that the provider answered 400 to the rewritten request, so that
	// the original was sent after it.
	Refused bool `json:"refused,omitempty"`
	// Duration is the time that it took, in nanoseconds.
	Duration time.Duration `json:"duration_ns"`
	// Error is what happened, if Reason is "failed".
	Error string `json:"error,omitempty"`
}

func (r *Report) fail(why string) {
	*r = Report{
		Time: r.Time, Profile: r.Profile, Shape: r.Shape, Reason: string(rewrite.Failed), Counter: r.Counter,
		BytesIn: r.BytesIn, BytesOut: r.BytesIn, Error: rewrite.Cut(why, rewrite.NotedError),
	}
}

// A Block is a text of a request.
type Block struct {
	// Kind is "result" (of a tool), "user" (a user's message, with Users) or "document"
	// (with Documents).
	Kind string `json:"kind"`
	Tool string `json:"tool,omitempty"` // if its call is in the request
	// Reason is that of an event of package mcp.
	Reason string `json:"reason"`
	// Format is what it was rewritten to: "gcx"; "repeat" for the name of an earlier
	// call.
	Format    string `json:"format,omitempty"`
	TokensIn  int    `json:"tokens_in,omitempty"` // 0 if not counted
	TokensOut int    `json:"tokens_out,omitempty"`
	Omitted   int    `json:"omitted,omitempty"` // members that rules left out: a loss
}
