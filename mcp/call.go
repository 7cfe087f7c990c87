package mcp

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
)

// A Call is what a request for tools/call or tools/list says about its result.
type Call struct {
	Tool   string // its name
	Format string // the client's wish, see MetaKey; empty is none
	Client Client

	server string // its name, where it has said it; events have it unless the Rewriter has one
}

// A Client is what a client has said of itself, when it initialized or, from
// revision 2026-07-28 of the protocol on, in the request.
type Client struct {
	Name string // of clientInfo
	// Accept are the formats in its capability, which is named like MetaKey:
	// {"extensions": {"dev.wirekit/format": {"accept": ["gcf", "toon"]}}}.
	// They narrow the choice, or are the choice where a Rewriter and its
	// rules name no formats. A client that takes none of the candidates is
	// given its results as they are; one with no such capability, which is
	// nil, has not said anything.
	Accept []string
}

// size returns the bytes of the texts of a call.
func (c *Call) size() int {
	n := len(c.Tool) + len(c.Format) + len(c.Client.Name)
	for _, name := range c.Client.Accept {
		n += len(name) + 16 // and the string itself
	}
	return n
}

// The keys of a request's _meta with what the client says of itself.
const (
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// callOf reads what the parameters of a request say about its result. What it
// says of the client holds instead of what was known.
func callOf(message []byte, params splice.Span, known Client) Call {
	c := Call{Tool: splice.Word(message, params, "name"), Format: splice.Word(message, params, "_meta", MetaKey), Client: known}
	if info, ok := splice.Find(message, params, "_meta", metaClientInfo); ok {
		c.Client.Name = splice.Word(message, info, "name")
	}
	if capabilities, ok := splice.Find(message, params, "_meta", metaCapabilities); ok {
		c.Client.Accept = acceptAt(message, capabilities)
	}
	return c
}

// clientOf reads the parameters of initialize.
func clientOf(message []byte, params splice.Span) Client {
	capabilities, _ := splice.Find(message, params, "capabilities")
	return Client{Name: splice.Word(message, params, "clientInfo", "name"), Accept: acceptAt(message, capabilities)}
}

// bounded returns what is remembered of a client. One that has said too much of itself
// takes no format, as its requests would not be remembered.
func (c Client) bounded() Client {
	if call := (Call{Client: c}); call.size() > maxRequest {
		return Client{Accept: []string{}}
	}
	return c
}

// acceptAt returns the formats that capabilities name, or nil.
func acceptAt(message []byte, capabilities splice.Span) []string {
	for _, place := range []string{"extensions", "experimental"} {
		at, _ := splice.Find(message, capabilities, place, MetaKey, "accept")
		list, ok := splice.FindElements(message, at)
		if !ok {
			continue
		}
		names := []string{}
		for _, s := range list {
			if name, ok := splice.StringAt(message, s); ok {
				names = append(names, name)
			}
		}
		return names
	}
	return nil
}

// plan returns the rule for a call, with a mode that is not ModeDefault, and the
// candidates beside JSON.
func (r *Rewriter) plan(call Call) (Rule, []string) {
	rule := r.rule(call)
	formats := r.candidates(call, rule)
	if len(formats) == 0 {
		rule.Mode = ModeOff
	}
	return rule, formats
}

// RuleFor returns the rule that holds for the result of a call, with a mode that is not
// ModeDefault.
func (r *Rewriter) RuleFor(call Call) Rule {
	rule, _ := r.plan(call)
	return rule
}

// rule returns the first rule for a tool with the mode that holds. Where the
// user has named one for the client and one for the tool, the one that changes
// less holds, which is the greater one.
func (r *Rewriter) rule(call Call) (found Rule) {
	if i := slices.IndexFunc(r.Rules, func(rule Rule) bool { return rewrite.Matches(rule.Tool, call.Tool) }); i >= 0 {
		found = r.Rules[i]
	}
	if r.Clients != nil {
		mode := r.Clients(call.Client.Name)
		if !modes.Has(mode) {
			mode = ModeOff
		}
		found.Mode = max(found.Mode, mode)
	}
	found.Mode = cmp.Or(found.Mode, r.Mode, ModeReplace)
	return found
}

// linesFor returns what a rule says of texts, unless the client takes other formats only.
func linesFor(call Call, rule Rule) string {
	accept := call.Client.Accept
	if call.Format != "" && call.Format != "auto" || accept != nil && !slices.Contains(accept, "lines") && !slices.Contains(accept, rule.Lines) {
		return ""
	}
	return rule.Lines
}

// candidates returns the formats for a call. None means that the result is to
// stay as it is.
func (r *Rewriter) candidates(call Call, rule Rule) []string {
	if call.Format == "json" {
		return nil
	}
	if call.Format != "" && call.Format != "auto" {
		return readable([]string{call.Format})
	}
	formats := rule.Formats
	if formats == nil {
		formats = r.Formats
	}
	accept := call.Client.Accept
	if formats == nil && accept == nil {
		formats = rewrite.DefaultFormats()
	} else if formats == nil {
		formats = readable(accept)
	}
	folded := formats
	if rule.Fold {
		folded = rewrite.Folded(formats)
	}
	if accept == nil {
		return folded
	}
	all := append(slices.Clone(folded), formats...)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "json" || !slices.Contains(accept, name) })
}

// readable returns the names that are those of formats of text.
func readable(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return rewrite.CheckFormats("", []string{name}) != nil })
}
