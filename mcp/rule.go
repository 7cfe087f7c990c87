package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
)

// A Mode says what becomes of a result.
type Mode uint8

const (
	// ModeDefault is ModeReplace for a Rewriter, and the Rewriter's mode for a Rule.
	ModeDefault Mode = iota
	// ModeReplace writes one text and removes structuredContent and outputSchema.
	ModeReplace
	// ModeText rewrites text blocks and keeps structuredContent and outputSchema.
	ModeText
	// ModeDryRun changes nothing, and its events say what ModeReplace would have done.
	ModeDryRun
	// ModeOff changes nothing and measures nothing.
	ModeOff
)

var modes = enum.New[Mode]("mcp.Mode", "default", "replace", "text", "dry-run", "off")

// String returns the mode's name: "dry-run".
func (m Mode) String() string { return modes.String(m) }

// MarshalText returns the name.
func (m Mode) MarshalText() ([]byte, error) { return modes.Marshal(m) }

// UnmarshalText takes a name that String returns.
func (m *Mode) UnmarshalText(text []byte) error { return modes.Unmarshal(m, text) }

// A Rule says how the results of some tools are rewritten.
type Rule struct {
	// Tool is a name, or a pattern: * stands for any characters, ? for one.
	Tool string
	Mode Mode
	// Formats are the candidates, as wirekit.Chooser takes them; nil means
	// the Rewriter's.
	Formats []string
	// Fold says once what a result repeats; see package fold. Models have to
	// look up references then, and members may change their order.
	Fold bool
	// Lines is "lines:legend" or "lines:plain" for text that is not JSON to be
	// encoded as package lines does, and "" for it to stay.
	Lines string
	// Omit leaves members out of the data: a loss, which the event counts.
	// Keep leaves out all but these members, what is in them and what they
	// are in. A path has the keys from the top, with slashes between: elements
	// of arrays are passed through, * and ? are in keys as in Tool, and **
	// for any number of keys: "**/*_url", "items/user/node_id".
	Omit, Keep []string
}

// ParseRule reads a rule as a command line has it: a tool's name or pattern,
// "=", and words with commas between: a mode, the name of a format, fold, lines
// (which is lines:legend) or lines:plain, omit:PATH or keep:PATH.
//
//	search_*=gcf,gcx   read_file=off   run_tests=lines   list_issues=fold,omit:**/*_url,omit:node_id
func ParseRule(text string) (Rule, error) {
	tool, words, ok := strings.Cut(text, "=")
	if !ok || tool == "" || words == "" {
		return Rule{}, fmt.Errorf("mcp: rule %q is not TOOL=WORDS, such as \"read_file=off\"", text)
	}
	r := Rule{Tool: tool}
	for _, word := range strings.Split(words, ",") {
		word = strings.TrimSpace(word)
		kind, path, isPath := strings.Cut(word, ":")
		var mode Mode
		err := mode.UnmarshalText([]byte(word))
		if mode == ModeDefault && err == nil {
			err = enum.ErrUnknown // a rule that says nothing of a mode has this one
		}
		switch {
		case err == nil && r.Mode != ModeDefault:
			return Rule{}, fmt.Errorf("mcp: rule %q has two modes, %s and %s", text, r.Mode, mode)
		case err == nil:
			r.Mode = mode
		case word == "fold":
			r.Fold = true
		case kind == "lines" && r.Lines != "":
			return Rule{}, fmt.Errorf("mcp: rule %q has lines twice", text)
		case word == "lines":
			r.Lines = rewrite.LinesLegend
		case kind == "lines":
			r.Lines = word
		case isPath && kind == "omit":
			r.Omit = append(r.Omit, path)
		case isPath && kind == "keep":
			r.Keep = append(r.Keep, path)
		default:
			r.Formats = append(r.Formats, word)
		}
	}
	return r, r.check()
}

// check refuses what could not be followed.
func (r Rule) check() error {
	if err := modes.Check(fmt.Sprintf("Rule.Mode for %q", r.Tool), r.Mode); err != nil {
		return err
	}
	if r.Lines != "" && r.Lines != rewrite.LinesPlain && r.Lines != rewrite.LinesLegend {
		return fmt.Errorf("mcp: rule for %q: there is no %q, but %s and %s", r.Tool, r.Lines, rewrite.LinesLegend, rewrite.LinesPlain)
	}
	for _, path := range slices.Concat(r.Omit, r.Keep) {
		if err := rewrite.CheckPath(path); err != nil {
			return fmt.Errorf("mcp: rule for %q: %w", r.Tool, err)
		}
	}
	return rewrite.CheckFormats(fmt.Sprintf("mcp: rule for %q", r.Tool), r.Formats)
}
