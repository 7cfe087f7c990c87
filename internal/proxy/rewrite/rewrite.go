// Package rewrite turns what a tool returned into the text that costs a model the
// fewest tokens. It is the core of packages mcp and llm, which find the texts in
// messages of their own.
//
// What becomes of a text depends on the text and on the Plan alone. There is no
// clock: work is bounded by the length of the text and by the number of candidates.
package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// These are the defaults of a Plan and of its callers.
const (
	DefaultMaxBytes   = 8 << 20  // of a result
	DefaultMaxRequest = 32 << 20 // bytes of a request to a model's API
	DefaultMinTokens  = 200
	DefaultMinSaving  = 0.10
	DefaultMaxSteps   = 64 << 20
)

// DefaultFormats returns the candidates beside compact JSON.
func DefaultFormats() []string { return []string{"gcf", "gcx", "glyph", "toon"} }

// A Plan says how texts are rewritten. It is safe for concurrent use if its Counter is.
type Plan struct {
	Counter tokens.Counter
	Formats []string // the candidates beside JSON, as [wirekit.Chooser] takes them
	// Ordered is false where members may change their order, as folding does.
	Ordered bool
	// Lines is the form of package lines for texts that are no JSON: LinesPlain,
	// LinesLegend, or "" to leave them alone.
	Lines      string
	Omit, Keep []string // paths of members that are left out, or the only ones that stay
	MinTokens  int      // texts with fewer tokens are left alone
	MinSaving  float64  // the part of the tokens that must be saved
	MaxSteps   int      // see Steps; a negative number for no bound
	// Seen is called with each value that is worth a choice, and its bytes as JSON.
	Seen func(v wire.Value, size int)
}

// Left is the reason to leave a text or a result as it is.
type Left string

func (l Left) Error() string { return string(l) }

// The reasons, as they are in events and reports.
const (
	Off      Left = "off"       // a mode, a rule or a request said so
	TooLarge Left = "too-large" // too many bytes or steps
	Small    Left = "small"
	NoGain   Left = "no-gain"
	NotJSON  Left = "not-json"  // or none that is an object or an array
	Mixed    Left = "mixed"     // structuredContent beside images or resources
	NotReady Left = "not-ready" // an error's message, or a request for input
	Kept     Left = "kept"      // the server has rewritten it, or says that it is to stay
	Failed   Left = "failed"    // something unexpected
)

// WithDefaults returns a plan with the default of each field that is not set.
func (p Plan) WithDefaults() Plan {
	if p.Formats == nil {
		p.Formats = DefaultFormats()
	}
	p.Counter = cmp.Or(p.Counter, tokens.Default())
	p.MinTokens = cmp.Or(p.MinTokens, DefaultMinTokens)
	p.MinSaving = cmp.Or(p.MinSaving, DefaultMinSaving)
	p.MaxSteps = cmp.Or(p.MaxSteps, DefaultMaxSteps)
	return p
}

// A Text is what a text was rewritten to.
type Text struct {
	Format  string // the full name of the format that it is in
	Text    string
	Tokens  int
	Omitted int // members left out
}

// Text rewrites a text that is a JSON object or array, and any other one if Lines says
// so. It returns the tokens that
// the text has as well, or 0 if they were not counted. An error that is a Left is
// why the text stays.
func (p *Plan) Text(text string) (t Text, before int, err error) {
	v, ok := Container(text)
	if !ok {
		return p.lines(text)
	}
	if before, err = p.Count(text); err != nil {
		return Text{}, 0, err
	}
	t, err = p.Value(v, len(text), before, 0)
	return t, before, err
}

// The forms of package lines.
const (
	LinesPlain  = "lines:plain"
	LinesLegend = "lines:legend"
)

// lines is Text for a text that is not JSON.
func (p *Plan) lines(text string) (t Text, before int, err error) {
	if p.Lines == "" {
		return Text{}, 0, NotJSON
	}
	if len(text) > lines.DefaultMaxBytes || p.MaxSteps >= 0 && linesSteps*len(text) > p.MaxSteps {
		return Text{}, 0, TooLarge
	}
	if before, err = p.Count(text); err != nil {
		return Text{}, 0, err
	}
	if before < p.MinTokens {
		return Text{}, before, Small
	}
	out, r := lines.Encode([]byte(text), lines.Options{Counter: p.Counter, NoLegend: p.Lines == LinesPlain, MinSaving: -1})
	if !r.Encoded || !p.Enough(before, r.After) {
		return Text{}, before, NoGain
	}
	return Text{Format: p.Lines, Text: string(out), Tokens: r.After}, before, nil
}

// Value returns the smallest text of v, which has size bytes as JSON, if that is worth
// it: if it, and further tokens beside it, save enough of those there were before.
func (p *Plan) Value(v wire.Value, size, before, beside int) (Text, error) {
	if before < p.MinTokens {
		return Text{}, Small
	}
	formats, ordered := p.Formats, p.Ordered
	if !p.allows(formats, size) {
		if formats, ordered = unfolded(formats), true; !p.allows(formats, size) {
			return Text{}, TooLarge
		}
	}
	if p.Seen != nil {
		p.Seen(v, size)
	}
	v, omitted := Thin(v, p.Keep, p.Omit)
	best, err := wirekit.Chooser{
		Formats: formats, Counter: p.Counter, MinSaving: 0.05, Precision: wirekit.PrecisionSampled, Exact: ordered,
	}.Choose(context.Background(), v)
	if err != nil {
		return Text{}, err
	}
	if !ordered { // the Chooser has let changed spellings of numbers pass too
		back, err := best.Codec.Decode(best.Encoded)
		if loss, _ := wire.Difference(v, back); err != nil || loss&^wire.LossOrder != 0 {
			return Text{}, NoGain
		}
	}
	t := Text{Format: best.Name(), Text: string(best.Encoded), Omitted: omitted}
	if t.Tokens, err = p.Count(t.Text); err != nil {
		return Text{}, err
	}
	if !p.Enough(before, t.Tokens+beside) {
		return Text{}, NoGain
	}
	return t, nil
}

// allows reports whether a choice among the formats takes no more than MaxSteps.
func (p *Plan) allows(formats []string, size int) bool {
	return p.MaxSteps < 0 || Steps(formats, size) <= p.MaxSteps
}

// foldSteps is how many times the steps of other candidates a folded one takes where
// words repeat the most, and linesSteps is that of lines.
const foldSteps, linesSteps = 48, 16

// Steps returns the steps that a choice among the formats and JSON takes for size bytes
// of JSON: one for each candidate and byte, and 48 if it is folded.
func Steps(formats []string, size int) int {
	each := 1
	for _, name := range formats {
		if strings.HasSuffix(name, "+fold") {
			each += foldSteps
		} else {
			each++
		}
	}
	return each * size
}

// Enough reports whether a number of tokens is small enough to be worth it.
func (p *Plan) Enough(before, after int) bool {
	return after < before && float64(after) <= float64(before)*(1-p.MinSaving)
}

// Count returns the tokens of a text.
func (p *Plan) Count(text string) (int, error) { return p.Counter.Count([]byte(text)) }

// Strict reads JSON whose objects have no key twice: what is rewritten must
// not depend on which of two a reader would take.
var Strict = wire.JSON{RejectDuplicates: true}

// Container returns the object or array that a text is.
func Container(text string) (wire.Value, bool) {
	text = strings.Trim(text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' {
		return wire.Value{}, false
	}
	v, err := Strict.Decode([]byte(text))
	return v, err == nil
}

// Messages returns where the messages of a request to a model's API are, of any shape; nil if
// it has none.
func Messages(body []byte) []splice.Span {
	for _, name := range []string{"messages", "input", "contents"} {
		at, _ := splice.Find(body, splice.Whole(body), name)
		if list, _ := splice.FindElements(body, at); len(list) > 0 {
			return list
		}
	}
	return nil
}

// What is noted of names and errors, in bytes.
const (
	NotedName  = 128
	NotedError = 1000
)

// Cut returns the beginning of a text that others have given, at most so many bytes of it. No
// character is cut.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// CheckFormats refuses names that are unknown or of binary formats.
func CheckFormats(what string, names []string) error {
	for _, name := range names {
		codec, err := wirekit.Lookup(name)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if codec.Info().Binary {
			return fmt.Errorf("%s: %q is binary: no model reads it", what, name)
		}
	}
	return nil
}

// Folded returns the folded forms of the formats and of JSON.
func Folded(formats []string) []string {
	folded := []string{"json+fold"}
	for _, name := range formats {
		folded = append(folded, strings.TrimSuffix(name, "+fold")+"+fold")
	}
	return folded
}

// unfolded returns the formats without folding, but JSON. A reader of the folded form of
// one reads it unfolded as well.
func unfolded(formats []string) []string {
	plain := make([]string, 0, len(formats))
	for _, name := range formats {
		if name = strings.TrimSuffix(name, "+fold"); name != "json" {
			plain = append(plain, name)
		}
	}
	return plain
}

// Matches reports whether name is one of a pattern's. It takes time in
// proportion to the product of their lengths at most.
func Matches(pattern, name string) bool {
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
