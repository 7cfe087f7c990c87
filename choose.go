package wirekit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/choose"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Text returns v as the text that is best sent to a model: the one with the
// fewest tokens of o200k_base if it saves at least 5 % against compact JSON,
// otherwise compact JSON. It is the one call for the result of a tool.
//
// v is a Go value, and means what it means to encoding/json: a string is a string, a
// []byte is bytes, and only a json.RawMessage is JSON text, for which there is
// [TextJSON]; a [wire.Value] is itself. What a tool printed, such as a log, would be one
// JSON string: [TextString] is for that. There are two exceptions for v, not for what it
// holds. An error that does not marshal itself is the text of its Error method, unless
// it is a struct with exported fields. Any other struct none of whose fields are
// exported, such as a mutex or a reader, would be an empty object; that is an error.
// The report has what was measured.
//
// The text is never empty: {} and [] are JSON. It is never TRON, on which no model has
// been tested here yet: [Choose] takes it.
func Text(v any) (string, Report, error) {
	best, err := Chooser{MinSaving: textSaving, tested: true}.Choose(context.Background(), v)
	return string(best.Encoded), best.Report, err
}

// TextJSON is [Text] for the value of a JSON text, such as a tool's result that is
// JSON already.
func TextJSON(src []byte) (string, Report, error) { return Text(json.RawMessage(src)) }

// TextString is [Text] for what a tool printed. A JSON object or array is what [TextJSON]
// returns; any other text, such as prose or a log, stays as it is, or, where folded is not
// nil, is what [lines.Encode] makes of it with these options, whose nil Counter is
// o200k_base here. The report then has the candidates "text" and "lines".
func TextString(text string, folded *lines.Options) (string, Report, error) {
	v, err := wire.JSON{RejectDuplicates: true}.Decode([]byte(text))
	if err == nil && v.Kind() >= wire.KindArray {
		return Text(v)
	}
	counter := tokens.Default()
	report := Report{Counter: counter.Name(), Candidates: []Candidate{{Name: textName, Outcome: choose.Chosen, Bytes: len(text)}}}
	plain := &report.Candidates[0]
	if folded == nil {
		plain.Tokens, err = counter.Count([]byte(text))
		return text, report, err
	}
	o := *folded
	if o.Counter == nil {
		o.Counter = counter
	} else if named, ok := o.Counter.(tokens.Counter); ok {
		report.Counter = named.Name()
	}
	out, r := lines.Encode([]byte(text), o)
	plain.Tokens = r.Before
	if !r.Encoded {
		report.Candidates = append(report.Candidates, Candidate{Name: linesName, Outcome: choose.NotSmaller, Tokens: -1, Err: errors.New(r.Why)})
		return string(out), report, nil
	}
	plain.Outcome = choose.NotSmaller
	report.Candidates = []Candidate{{Name: linesName, Outcome: choose.Chosen, Bytes: len(out), Tokens: r.After, Verified: true}, *plain}
	return string(out), report, nil
}

// The names of the candidates of TextString.
const textName, linesName = "text", "lines"

// textSaving is the part of compact JSON's tokens that Text must save to leave JSON.
const textSaving = 0.05

// Choose returns v, as [Text] takes it, in the text format that takes the fewest
// tokens of o200k_base among those that lose nothing of it: the formats of these names,
// such as "gcf" or "glyph:canonical", and JSON; without names all of [Chooser]. What was
// chosen was decoded again and compared. The answer never takes more tokens than compact
// JSON, and is compact JSON where nothing takes fewer.
func Choose(ctx context.Context, v any, formats ...string) (Choice, error) {
	return Chooser{Formats: formats}.Choose(ctx, v)
}

// A Chooser finds the text of a value that costs a model the fewest tokens and
// loses nothing. Its zero value chooses among all text formats and variants of
// this package that declare no loss, measures as [PrecisionCounted] does, and takes every
// saving.
//
//	best, err := wirekit.Chooser{
//		Formats:   []string{"gcf", "glyph"}, // those that the prompt explains
//		MinSaving: 0.1,
//		Precision: wirekit.PrecisionSampled,
//	}.Choose(ctx, rows)
//
// A loss is judged against JSON: what JSON loses too, such as the kind of a
// time, and the order of members and the spelling of numbers are none.
//
// A Chooser is safe for concurrent use if its Counter is.
type Chooser struct {
	// Registry holds the candidates; nil means this package's.
	Registry *wire.Registry
	// Formats are the candidates: names that the Registry looks up: "glyph:canonical",
	// "gcf+fold". Nil or empty means every codec and variant that writes a text
	// of its own, which [Detect] recognises, and declares no loss, unfolded: not CSV,
	// which only a name tells. Compact JSON always takes part.
	Formats []string
	// Fold makes each candidate in its default configuration one that is
	// folded too, JSON included unless Formats leave it out. A reader of a
	// folded text must know what [fold] does.
	Fold bool
	// Counter of tokens; nil means [tokens.Default].
	Counter tokens.Counter
	// MinSaving is the part of compact JSON's tokens that another text must
	// save, from 0 to below 1: 0.05 for 5 %. At less, JSON is the answer.
	MinSaving float64
	// Exact makes a changed order of members, a changed spelling of
	// numbers and a changed kind losses too. JSON stays the answer when
	// nothing else is left.
	Exact bool
	// Precision is how exactly texts are measured.
	Precision Precision
	// Limits are those of every candidate. A text that is half as long again as
	// the shortest, or a quarter unless bytes are measured, is given up before that.
	Limits wire.Limits

	tested bool // without formats that no quiz has results for
}

// A Precision is how exactly a [Chooser] measures texts.
type Precision uint8

const (
	// PrecisionCounted writes the value in the configuration of each format that is hardly
	// ever longer than its siblings, and in a few of these where it is the best. Texts of
	// up to 8 KB are counted in full; of longer ones pieces are, spread evenly, and in full
	// JSON and what comes near the smallest. YAML and JSON Lines are passed over where
	// another format saves a tenth of JSON.
	PrecisionCounted Precision = iota
	// PrecisionSampled is PrecisionCounted with one configuration of each format, without
	// YAML and JSON Lines unless they are named or the value has 2 KB at most, and
	// with one long text counted in full, the best by its pieces. JSON is then counted only
	// until it is proven to have more tokens: of it, as of all others, the report has an
	// estimate.
	PrecisionSampled
	// PrecisionBytes compares lengths and counts no tokens. The answer is never longer
	// than JSON, but may take more tokens.
	PrecisionBytes
)

var precisions = enum.New[Precision]("wirekit.Precision", "counted", "sampled", "bytes")

// String returns the precision's name in lower case.
func (p Precision) String() string { return precisions.String(p) }

// MarshalText returns the name.
func (p Precision) MarshalText() ([]byte, error) { return precisions.Marshal(p) }

// UnmarshalText takes a name that String returns.
func (p *Precision) UnmarshalText(text []byte) error { return precisions.Unmarshal(p, text) }

// A Choice is the text that a [Chooser] has chosen.
type Choice struct {
	Codec   wire.Codec
	Encoded []byte
	Report  Report
}

// Tokens returns those of Encoded, as the first of the report's candidates has them;
// -1 if none were counted.
func (c Choice) Tokens() int {
	if len(c.Report.Candidates) == 0 {
		return -1
	}
	return c.Report.Candidates[0].Tokens
}

// Name returns the codec's full name: "json", "glyph:canonical"; "" for the
// Choice that comes with an error.
func (c Choice) Name() string {
	if c.Codec == nil {
		return ""
	}
	return c.Codec.Info().FullName()
}

// A Report says why a [Chooser] chose.
type Report struct {
	Counter   string // the name of the counter; "" if none was used
	Precision Precision
	// Candidates are the formats in the order of their measure, the chosen one
	// first; those without a measure come last.
	Candidates []Candidate
}

// A Candidate is a format that took part in a choice.
type Candidate struct {
	Name string // full, as [Lookup] takes it
	// Outcome is what became of it: "chosen", the answer; "not-smaller", measured, and not
	// smaller than the choice, or saving too little; "lossy", decoded again it lost
	// something; "refused", it cannot be written or not be read back, see Err; "duplicate",
	// the text is that of another configuration of the format; "untried", the context's
	// deadline came first; "skipped", another is almost always at least as small. There are
	// no constants, since it is for people and logs: programs have Choice.Codec, Err and Loss.
	Outcome string
	Bytes   int // 0 if the value was not encoded, or not to its end
	// Tokens is -1 where none were counted. Estimated says that they are
	// those of a sample, extrapolated.
	Tokens    int
	Estimated bool
	// Verified says that the text was decoded again. Loss and LossPath are
	// then what differs, and where first. Of the chosen candidate they are
	// what the Chooser does not call a loss.
	Verified bool
	Loss     wire.Loss
	LossPath string
	// Err is why a candidate that was refused cannot carry the value.
	Err error
}

// String says in one line how the candidate fared.
func (c Candidate) String() string {
	var b strings.Builder
	b.WriteString(c.Name + ": " + c.Outcome)
	if c.Tokens >= 0 {
		about := ""
		if c.Estimated {
			about = "about "
		}
		fmt.Fprintf(&b, ", %s%d tokens", about, c.Tokens)
	}
	if c.Bytes > 0 {
		fmt.Fprintf(&b, ", %d bytes", c.Bytes)
	}
	if c.Outcome == choose.Lossy {
		fmt.Fprintf(&b, ", lost %s (first at %q)", c.Loss, c.LossPath)
	}
	if c.Err != nil {
		fmt.Fprintf(&b, ": %v", c.Err)
	}
	return b.String()
}

// String has a line for each candidate.
func (r Report) String() string {
	var b strings.Builder
	for _, c := range r.Candidates {
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// Saving returns the part of the measure of compact JSON, or of the text that [TextString]
// was given, that the choice saves: its tokens, or its bytes where none were counted. It is 0
// where that was chosen, and where JSON was not measured or refused the value.
func (r Report) Saving() float64 {
	at := slices.IndexFunc(r.Candidates, func(c Candidate) bool { return c.Name == jsonName || c.Name == textName })
	if at < 0 {
		return 0
	}
	switch best, json := r.Candidates[0], r.Candidates[at]; {
	case best.Tokens >= 0 && json.Tokens > 0:
		return 1 - float64(best.Tokens)/float64(json.Tokens)
	case best.Tokens < 0 && json.Tokens < 0 && json.Bytes > 0:
		return 1 - float64(best.Bytes)/float64(json.Bytes)
	}
	return 0
}

// jsonName is the name of the baseline.
const jsonName = "json"

// Choose returns the best text of v, which is taken as [Text] does. A text without a character that
// prints is not a candidate, nor is one of JSON Lines with a single record, which is JSON
// of another value.
//
// If ctx's deadline passes before the choice is made, compact JSON is the
// answer; if ctx is cancelled, an error that wraps [context.Canceled]. Choose
// looks at ctx before each encoding and each count, which take milliseconds for
// each megabyte, tens of them where it has many scripts.
//
// It is an error if a candidate's name is unknown or that of a binary format,
// if the counter fails, or if neither JSON nor any candidate carries v; that
// error wraps each one's.
func (c Chooser) Choose(ctx context.Context, v any) (Choice, error) {
	if !(c.MinSaving >= 0 && c.MinSaving < 1) {
		return Choice{}, fmt.Errorf("wirekit: MinSaving is %v; it is a part, from 0 to below 1", c.MinSaving)
	}
	set, err := c.candidates()
	if err = cmp.Or(precisions.Check("Chooser.Precision", c.Precision), err); err != nil {
		return Choice{}, err
	}
	if c.tested {
		set = set.Without(untested)
	}
	c.Counter = cmp.Or(c.Counter, tokens.Default())
	options := choose.Options{
		Counter: c.Counter, MinSaving: c.MinSaving, Exact: c.Exact, Measure: choose.Measure(c.Precision),
		Named: len(c.Formats) > 0, Limits: c.Limits,
	}
	var found choose.Result
	err = c.lend(v, func(value wire.Value) (err error) {
		found, err = options.Choose(ctx, value, set)
		return err
	})
	if err != nil {
		return Choice{}, err
	}
	report := Report{Precision: c.Precision, Candidates: make([]Candidate, len(found.Candidates))}
	for i, candidate := range found.Candidates {
		report.Candidates[i] = Candidate(candidate)
	}
	if c.Precision != PrecisionBytes {
		report.Counter = c.Counter.Name()
	}
	if found.Codec == nil {
		return Choice{}, failure(report.Candidates)
	}
	return Choice{Codec: found.Codec, Encoded: found.Text, Report: report}, nil
}

// lend calls f with what Choose was given as a Value.
func (c Chooser) lend(v any, f func(wire.Value) error) error {
	switch v := v.(type) {
	case wire.Value:
		return f(v)
	case json.RawMessage:
		if v == nil {
			return f(wire.Null())
		}
		return wire.View(wire.JSON{Limits: c.Limits}, v, f)
	}
	v, err := withContent(v)
	if err != nil {
		return err
	}
	return wire.Internal.ViewGo(v, f)
}

// withContent returns what is converted of v: the text of an error, and v itself of all
// else. It refuses structs that have fields, and none that takes part.
func withContent(v any) (any, error) {
	r := reflect.ValueOf(v)
	if !r.IsValid() {
		return v, nil
	}
	t, pointer := gowire.Types.Of(r.Type()), r.Kind() == reflect.Pointer
	if pointer {
		if r.IsNil() {
			return v, nil
		}
		t = t.Elem()
	}
	if t.Marshal(pointer) != gotype.NoMethod {
		return v, nil
	}
	hidden := t.Op == gotype.Struct && t.Size > 0 && len(t.Fields().List) == 0 && t.Fields().Rest == nil
	switch failed, isError := v.(error); {
	case isError && (hidden || t.Op != gotype.Struct):
		return strings.ToValidUTF8(failed.Error(), "\uFFFD"), nil
	case hidden:
		return nil, &wire.Error{Format: "wirekit", Code: "nothing_exported", Kind: wire.ErrShape,
			Message: "a Go value of type " + r.Type().String() + " has no exported field", Hint: "pass what it holds"}
	}
	return v, nil
}

// candidates returns the candidates, each once, without JSON.
func (c Chooser) candidates() (choose.Set, error) {
	r := cmp.Or(c.Registry, registry)
	switch {
	case len(c.Formats) == 0 && r == registry && !c.Fold:
		return usual[c.Exact](), nil
	case len(c.Formats) == 0:
		all := takingPart(r)
		return choose.NewSet(append(all, c.folded(r, append(names(all), jsonName))...), c.Exact), nil
	}
	seen := map[string]bool{jsonName: true}
	var named []wire.Codec
	for _, name := range c.Formats {
		codec, err := r.Lookup(name)
		if err != nil && name != jsonName {
			return nil, err
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		if codec.Info().Binary {
			return nil, fmt.Errorf("wirekit: %q is binary: no model reads it", name)
		}
		named = append(named, codec)
	}
	return choose.NewSet(append(named, c.folded(r, c.Formats)...), c.Exact), nil
}

// untested is the format that no quiz has results for.
const untested = "tron"

// usual has the candidates of this package's registry when none are named.
var usual = map[bool]func() choose.Set{
	false: sync.OnceValue(func() choose.Set { return choose.NewSet(takingPart(registry), false) }),
	true:  sync.OnceValue(func() choose.Set { return choose.NewSet(takingPart(registry), true) }),
}

// foldSuffix is what the names of folded formats end in.
const foldSuffix = "+fold"

// folded returns the candidates that Fold adds to those of the names.
func (c Chooser) folded(r *wire.Registry, names []string) []wire.Codec {
	var list []wire.Codec
	for _, name := range names {
		if !c.Fold || strings.ContainsAny(name, ":+") || slices.Contains(names, name+foldSuffix) {
			continue
		}
		if codec, err := r.Lookup(name + foldSuffix); err == nil { // r may not fold
			list = append(list, codec)
		}
	}
	return list
}

func names(codecs []wire.Codec) []string {
	list := make([]string, len(codecs))
	for i, c := range codecs {
		list[i] = c.Info().FullName()
	}
	return list
}

// takingPart returns the candidates when none are named.
func takingPart(r *wire.Registry) []wire.Codec {
	return slices.DeleteFunc(describe.All(r), func(c wire.Codec) bool { return !choose.TakesPart(c.Info()) })
}

// failure is the error of a value that nothing carries.
func failure(candidates []Candidate) error {
	errs := []error{errors.New("wirekit: no format carries the value without loss")}
	for _, c := range candidates {
		var named *wire.Error
		switch {
		case errors.As(c.Err, &named) && named.Format == c.Name:
			errs = append(errs, c.Err)
		case c.Err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", c.Name, c.Err))
		default:
			errs = append(errs, errors.New(c.String()))
		}
	}
	return errors.Join(errs...)
}
