package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/splice"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// MetaKey is the key in _meta that names the format of a rewritten block. In
// the _meta of a request for tools/call it is the client's wish: "json" leaves
// the result alone, the name of a format makes it the only candidate, "auto"
// is the same as nothing.
const MetaKey = "dev.wirekit/format"

// The defaults of [Rewriter].
const (
	DefaultMinTokens = 200
	DefaultMinSaving = 0.10
	DefaultMaxBytes  = 8 << 20
	// DefaultBudget is for a result of up to a megabyte, and as much again for
	// each further one.
	DefaultBudget = 100 * time.Millisecond
)

// DefaultFormats are the candidates beside compact JSON.
func DefaultFormats() []string { return []string{"gcf", "gcx", "glyph", "toon"} }

// A Rewriter rewrites results. Its zero value is ready for use. It is safe for
// concurrent use as long as its fields are not changed, if Counter and Observe
// are.
type Rewriter struct {
	Mode Mode // Default means Replace
	// Formats are the candidates, as [wirekit.Chooser] takes them; nil means
	// DefaultFormats. Compact JSON always takes part.
	Formats []string
	// Rules are asked in their order; the first one for a tool holds.
	Rules []Rule
	// Counter of tokens; nil means [tokens.Default].
	Counter tokens.Counter
	// MinTokens is what a text must have to be rewritten; 0 means
	// DefaultMinTokens, a negative number none.
	MinTokens int
	// MinSaving is the part of the tokens that must be saved, below 1; 0 means
	// DefaultMinSaving, a negative number any saving.
	MinSaving float64
	// MaxBytes is the longest result that is looked at; 0 means
	// DefaultMaxBytes.
	MaxBytes int
	// Budget is the time for a result, looked at between steps of a few
	// milliseconds; 0 means DefaultBudget, a negative one none.
	Budget time.Duration
	// Instructions are added to those that a server gives its client, to tell
	// the model about formats. Empty adds nothing.
	Instructions string
	// Server is the name of the server in events.
	Server string
	// Observe, if not nil, is given the event of every result.
	Observe func(Event)
}

// A Call is what a request for tools/call says about its result.
type Call struct {
	Tool   string // its name
	Format string // the client's wish, see MetaKey; empty is none
}

// Check returns an error if a format's name is unknown or a number out of
// range. Results of a Rewriter that Check refuses stay as they are.
func (r *Rewriter) Check() error {
	if int(r.Mode) >= len(modeNames) {
		return fmt.Errorf("mcp: there is no %v", r.Mode)
	}
	if !(r.MinSaving < 1) {
		return fmt.Errorf("mcp: MinSaving is %v; it is a part, below 1", r.MinSaving)
	}
	for _, rule := range r.Rules {
		if err := rule.check(); err != nil {
			return err
		}
	}
	return checkFormats("mcp", r.Formats)
}

// Warm loads what the first result would have to wait for: the vocabulary.
func (r *Rewriter) Warm() error {
	_, err := r.counter().Count([]byte("warm"))
	return err
}

// Result returns the result of a call, which is the raw JSON of a
// CallToolResult, rewritten or as it was. It does not change the bytes it is
// given, and may return them. The event is given to Observe as well.
func (r *Rewriter) Result(call Call, result []byte) ([]byte, Event) {
	start := time.Now()
	out, e := r.guarded(call, result)
	e.Time, e.Server, e.Tool = start, r.Server, call.Tool
	e.BytesIn, e.BytesOut = len(result), len(out)
	e.Duration = time.Since(start)
	if r.Observe != nil {
		r.Observe(e)
	}
	return out, e
}

// guarded returns the result as it was after an error or a panic.
func (r *Rewriter) guarded(call Call, result []byte) (out []byte, e Event) {
	job := r.job(call)
	defer func() {
		if p := recover(); p != nil {
			out, e = result, Event{Mode: job.rule.Mode.String(), Reason: Failed, Error: fmt.Sprint(p)}
		}
	}()
	ctx, cancel := r.context(len(result))
	defer cancel()
	job.ctx = ctx
	out, err := job.run(result)
	e = job.event
	var left leave
	switch {
	case errors.As(err, &left):
		e.Reason = left.reason
	case err != nil:
		e.Reason, e.Error = Failed, err.Error()
	}
	if e.Reason != Converted {
		out, e.Format, e.Omitted, e.TokensOut = result, "", 0, e.TokensIn
	} else if job.rule.Mode == DryRun {
		out = result
	}
	return out, e
}

// leave is the reason to leave a result as it is.
type leave struct{ reason Reason }

func (l leave) Error() string { return string(l.reason) }

func (r *Rewriter) context(bytes int) (context.Context, context.CancelFunc) {
	budget := r.Budget
	if budget < 0 {
		return context.WithCancel(context.Background())
	}
	if budget == 0 {
		budget = DefaultBudget
	}
	return context.WithTimeout(context.Background(), budget*time.Duration(1+bytes>>20))
}

// job returns what is to be done for a call.
func (r *Rewriter) job(call Call) *job {
	j := &job{counter: r.counter(), rule: r.rule(call.Tool), formats: r.Formats,
		minTokens: r.MinTokens, minSaving: r.MinSaving, maxBytes: r.MaxBytes}
	j.event = Event{Mode: j.rule.Mode.String(), Counter: j.counter.Name()}
	if j.rule.Formats != nil {
		j.formats = j.rule.Formats
	}
	if j.formats == nil {
		j.formats = DefaultFormats()
	}
	switch call.Format {
	case "", "auto":
	default:
		j.formats = []string{call.Format}
		if checkFormats("", j.formats) != nil || call.Format == "json" {
			j.rule.Mode = Off
		}
	}
	if j.minTokens == 0 {
		j.minTokens = DefaultMinTokens
	}
	if j.minSaving == 0 {
		j.minSaving = DefaultMinSaving
	}
	if j.maxBytes == 0 {
		j.maxBytes = DefaultMaxBytes
	}
	return j
}

func (r *Rewriter) counter() tokens.Counter {
	if r.Counter == nil {
		return tokens.Default()
	}
	return r.Counter
}

// rule returns the rule for a tool, with a mode that is not Default.
func (r *Rewriter) rule(tool string) Rule {
	var found Rule
	for _, rule := range r.Rules {
		if matches(rule.Tool, tool) {
			found = rule
			break
		}
	}
	if found.Mode == Default {
		found.Mode = r.Mode
	}
	if found.Mode == Default {
		found.Mode = Replace
	}
	return found
}

// strict reads JSON whose objects have no key twice: what is rewritten must
// not depend on which of two a reader would take.
var strict = wire.JSON{RejectDuplicates: true}

// Tools returns the result of tools/list without the outputSchema of tools
// whose results are replaced. It is what it was where there is a doubt.
func (r *Rewriter) Tools(result []byte) []byte {
	o, ok := r.open(result, "tools")
	if !ok || !o.Members[0].Found {
		return result
	}
	tools, ok := splice.FindElements(result, o.Members[0].Value)
	if !ok {
		return result
	}
	var edits []splice.Edit
	for _, tool := range tools {
		t, ok := splice.FindMembers(result, tool, "name", "outputSchema")
		if !ok || !t.Members[0].Found || !t.Members[1].Found {
			continue
		}
		name, ok := stringAt(result, t.Members[0].Value)
		if ok && r.rule(name).Mode == Replace {
			edits = append(edits, splice.Edit{Span: t.Members[1].Cut})
		}
	}
	if edits == nil {
		return result
	}
	return splice.Apply(result, edits)
}

// Discover returns the result of initialize or server/discover with
// Instructions added, once.
func (r *Rewriter) Discover(result []byte) []byte {
	if r.Instructions == "" {
		return result
	}
	o, ok := r.open(result, "instructions", "protocolVersion", "supportedVersions")
	if !ok || !o.Members[1].Found && !o.Members[2].Found {
		return result
	}
	if !o.Members[0].Found {
		return splice.Apply(result, []splice.Edit{o.Append("instructions", quote(r.Instructions))})
	}
	have, ok := stringAt(result, o.Members[0].Value)
	if !ok || strings.Contains(have, r.Instructions) {
		return result
	}
	return splice.Apply(result, []splice.Edit{splice.Put(o.Members[0].Value, quote(have+"\n\n"+r.Instructions))})
}

// open finds members of a result that is JSON and not too long.
func (r *Rewriter) open(result []byte, names ...string) (splice.Object, bool) {
	if len(result) > r.job(Call{}).maxBytes {
		return splice.Object{}, false
	}
	if err := wire.With(strict, result, func(wire.Value) error { return nil }); err != nil {
		return splice.Object{}, false
	}
	return splice.FindMembers(result, splice.Whole(result), names...)
}
