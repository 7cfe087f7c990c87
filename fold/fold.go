package fold

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// The defaults of Options.
const (
	defaultMinSaving  = 0.15
	defaultMinTokens  = 200
	defaultMaxEntries = 64
)

// Options say how values are folded. The zero Options fold columns and texts.
type Options struct {
	// Counter counts tokens. Nil means an estimate of a token for four bytes.
	Counter tokens.Counter
	// MinSaving is the share of tokens that folding must save to be done, of
	// the whole text, below 1; 0 means 0.15, a negative number none.
	MinSaving float64
	// MinTokens is the number of tokens that it must save; 0 means
	// 200, a negative number none. Whatever both are, a folded
	// text that does not have fewer tokens, or has more bytes, is not used.
	MinTokens int
	// MaxEntries bounds the legend; 0 means 64.
	MaxEntries int
	// RefPrefix follows the sigil in every reference, so that references of
	// two answers differ: at most 16 letters from a to z.
	RefPrefix string
	// KeepOrder records the positions of members that are left out, so that
	// the value comes back Identical. Objects of different order keep theirs.
	KeepOrder bool
	// BasicTimes writes times of the form 2026-01-09T12:05:00Z in ISO 8601's
	// basic form, if no string of the value has that already.
	BasicTimes bool
	// NoColumns and NoLegend leave one of the two out.
	NoColumns, NoLegend bool
	// Limits bound what is unfolded; see [Unfold]. What would not be is not
	// folded.
	Limits wire.Limits
}

// A Report says what folding did.
type Report struct {
	Folded bool
	Before int // tokens of the value's text
	After  int // tokens of the text that the result has; Before if nothing was folded
	// Entries of the legend, and strings that refer to them.
	Entries, References int
	// Constants and Templates are the numbers of rules, Members that of the
	// members that they restore. Frames are rules as well.
	Constants, Templates, Members, Frames int
	// Reason is why the value was not folded.
	Reason string
}

// Fold returns a value that says what v says in fewer tokens, or v itself if
// that does not save enough. A value that looks like a folded one is wrapped in
// any case, so that [Unfold] gives it back. c is the codec that will write the value:
// its text is what is counted, and its notation decides about sigils and rows; nil means
// wire.JSON{}. The error is the codec's, which cannot write v, or the Counter's.
func Fold(c wire.Codec, v wire.Value, o Options) (wire.Value, Report, error) {
	r, err := newFolding(o, c).fold(v, nil)
	return r.value, r.Report, err
}

// check returns an error for an option outside its range.
func (o *Options) check() error {
	switch {
	case !validName(o.RefPrefix):
		return variants.Invalid("fold", "Options.RefPrefix", fmt.Sprintf("%.40q", o.RefPrefix), fmt.Sprintf("at most %d letters from a to z", maxName))
	case o.MaxEntries < 0:
		return variants.Invalid("fold", "Options.MaxEntries", o.MaxEntries, "0 or more")
	case !(o.MinSaving < 1):
		return variants.Invalid("fold", "Options.MinSaving", o.MinSaving, "a share below 1")
	}
	return nil
}

// A folding is the folding of a value for a codec.
type folding struct {
	Options
	inner wire.Codec
	style style
	count *counting
}

func newFolding(o Options, inner wire.Codec) folding {
	inner = cmp.Or[wire.Codec](inner, wire.JSON{})
	return folding{o, inner, styleOf(inner.Info()), &counting{Counting: phrases.Counting{Counter: o.Counter}}}
}

// fold returns the value that Fold does, and its text after dst.
func (o folding) fold(v wire.Value, dst []byte) (result, error) {
	if err := o.check(); err != nil {
		return result{}, err
	}
	plain := result{value: v}
	if IsFolded(v) {
		w := wrapper{data: v}
		plain.value = w.value(o.style)
	}
	text, err := o.inner.AppendEncode(dst, plain.value)
	tooLong := err
	if errors.Is(err, wire.ErrLimit) {
		// What is too long in full may fit when it is folded.
		text, err = o.roomy(v).AppendEncode(dst, plain.value)
	}
	if err != nil {
		return result{}, err
	}
	plain.text = text
	size := len(text) - len(dst)
	plain.Before = o.count.Text(text[len(dst):])
	plain.After = plain.Before
	if plain.Reason = o.hopeless(plain.Before); plain.Reason == "" {
		best := o.withPhrases(o.search(v, plain.Report))
		if plain.Reason = o.refuse(best, v, size); plain.Reason == "" && o.count.Err == nil {
			best.Folded, best.text = true, append(dst, best.text...)
			return best, nil
		}
	}
	if err := cmp.Or(o.count.Err, tooLong); err != nil {
		return result{}, err
	}
	return plain, nil
}

// roomy returns the inner codec with a limit of output in which folding may find what
// repeats: several times the limit that is set, or some megabytes, and without one
// what a reader would unfold.
func (o folding) roomy(v wire.Value) wire.Codec {
	const times, least = 8, 8 << 20
	limits := o.Limits
	if limits.OutputBytes == 0 {
		limits.OutputBytes = budgetOf(limits, v).bytes
	} else {
		limits.OutputBytes = max(bound.Times(limits.Resolved().OutputBytes, times), least)
	}
	return wire.WithLimits(o.inner, limits)
}

func (o folding) minTokens() int { return max(cmp.Or(o.MinTokens, defaultMinTokens), 1) }

// lossy are the losses that would damage a wrapper.
const lossy = wire.LossPrecision | wire.LossMissing | wire.LossContent

// hopeless says why a value whose text has so many tokens is not folded.
func (o folding) hopeless(before int) string {
	if loss := o.inner.Info().Loss & lossy; loss != 0 {
		return "the inner codec may lose " + loss.String()
	}
	if least := o.minTokens(); before <= least {
		return fmt.Sprintf("%d tokens are too few to save %d", before, least)
	}
	return ""
}

// refuse says why the folded form of v, whose text has size bytes, is not used.
func (o folding) refuse(folded result, v wire.Value, size int) string {
	saved, least, share := folded.Before-folded.After, o.minTokens(), max(cmp.Or(o.MinSaving, defaultMinSaving), 0)
	switch {
	case folded.Reason != "":
		return folded.Reason
	case saved < least || float64(saved) < share*float64(folded.Before):
		return fmt.Sprintf("folding takes %d tokens instead of %d; it must save %d and %.0f %%", folded.After, folded.Before, least, share*100)
	case len(folded.text) > size: // who limits bytes gets no longer text than without folding
		return fmt.Sprintf("folding takes %d bytes instead of %d", len(folded.text), size)
	case !o.unfoldable(v, folded.value):
		return "the value has more values or bytes than are unfolded within the limits"
	}
	return ""
}

// A result is a folded value with its text.
type result struct {
	Report
	value wire.Value
	text  []byte
	rules ruled // without a legend
}

// ruled is a wrapper with what is reported of it.
type ruled struct {
	wrapper
	Report
}

// clearly is the part of the tokens that rules with frames must save, beyond what rules
// without save, for that to be enough to know.
const clearly = 6

// search finds what can be folded and returns what takes the fewest tokens:
// rules alone, or rules with a legend.
// What takes how many is counted, not guessed: a format may have said shortly
// what a rule takes away.
func (o folding) search(v wire.Value, r Report) result {
	c := columns{style: o.style, count: o.count, keepOrder: o.KeepOrder}
	if !o.NoColumns {
		r.Members = c.find(v)
		r.Constants, r.Templates = len(c.constants), len(c.templates)-c.frames
	}
	plain := result{Report: r}
	plain.Reason, plain.After = "nothing repeats", math.MaxInt
	w := ruled{wrapper{data: v}, r}
	if r.Members > 0 {
		w.constants, w.data = c.constants, c.cut(v)
		w.templates = slices.DeleteFunc(slices.Clone(c.templates), func(t rule) bool { return t.isFrame() })
		plain = o.attempt(w)
	}
	if c.frames == 0 {
		return o.withTexts(plain, w)
	}
	c.framing, r.Frames = true, c.frames
	f := ruled{wrapper{constants: c.constants, templates: c.templates, data: c.cut(v)}, r}
	framed, least := o.attempt(f), min(plain.After, r.Before)
	clear := framed.After < least-least/clearly
	if framed = o.withTexts(framed, f); clear {
		return framed
	}
	if plain = o.withTexts(plain, w); plain.After <= framed.After {
		return plain
	}
	return framed
}

// withTexts returns the better of a result and the wrapper with times and a legend.
func (o folding) withTexts(best result, w ruled) result {
	if o.BasicTimes {
		w.data, w.basic = withBasicTimes(w.data)
	}
	rules := w
	if !o.NoLegend {
		o.addLegend(&w)
	}
	if w.basic || w.Entries > 0 {
		if with := o.attempt(w); with.After < best.After {
			best = with
		}
	}
	best.rules = rules
	return best
}

// withPhrases returns the better of a result and its rules with references anywhere in
// strings.
func (o folding) withPhrases(best result) result {
	if w := best.rules; !o.NoLegend && o.addPhrases(&w) {
		if with := o.attempt(w); with.After < best.After-best.After/worthwhile {
			return with
		}
	}
	return best
}

// entries is the most entries that a legend may have.
func (o folding) entries() int { return min(cmp.Or(o.MaxEntries, defaultMaxEntries), maxEntries) }

// addLegend adds a legend of strings and what they begin with.
func (o folding) addLegend(w *ruled) {
	d := dictionary{notation: notation{o.style.sigil, o.RefPrefix}, style: o.style, count: o.count, most: o.entries()}
	d.find(w.data)
	w.data, w.legend, w.References = d.apply(w.data)
	w.Entries = len(w.legend.texts)
}

// attempt writes what a wrapper holds and counts it.
func (o folding) attempt(w ruled) result {
	r := result{Report: w.Report, value: w.value(o.style)}
	text, err := o.inner.AppendEncode(nil, r.value)
	if err != nil {
		// A codec that takes arrays only, say, or a limit.
		r.Reason, r.After = "the inner codec refuses the folded value: "+err.Error(), math.MaxInt
		return r
	}
	r.text, r.After = text, o.count.Text(text)
	return r
}

// A shape is one that a list of a wrapper can have.
type shape uint8

const (
	asObject shape = iota
	asRows         // an entry or a rule each
	asPaths        // rules only: a row for each path
)

// A style is what a format does to strings and keys, as far as costs go, and
// the shapes in which it shows an entry or a path on a line of its own.
type style struct {
	sigil         string
	legend, rules shape
	loose         bool // members may change their order
	fewest        int  // rows that the format has a table for; fewer are an object
	// before and after are around a string in most of its places.
	before, after string
	keys          bool // the keys of objects are repeated, as a rule
}

// styleOf knows the formats of this module; others are taken for JSON.
func styleOf(info wire.Info) style {
	s := style{sigil: "$", before: `:"`, after: `",`, keys: true}
	switch info.Name {
	case "gcf":
		s = style{sigil: "$", legend: asRows, rules: asRows, before: "|", after: "|"}
	case "gcx", "csv":
		s = style{sigil: "$", legend: asRows, rules: asPaths, before: "\t", after: "\t"}
	case "toon":
		s = style{sigil: "$", legend: asRows, rules: asObject, before: ",", after: ","}
	case "glyph":
		s = style{sigil: "_", legend: asRows, rules: asPaths, fewest: 3, before: "=", after: " ", keys: true}
	}
	if info.Loss&wire.LossOrder != 0 {
		s.legend, s.loose = asRows, true
	}
	return s
}

// counting counts tokens.
type counting struct {
	phrases.Counting
	buf []byte
}

// cell counts a string in its usual place.
func (c *counting) cell(s style, ref, text string) int {
	c.buf = append(append(append(append(c.buf[:0], s.before...), ref...), text...), s.after...)
	return c.Text(c.buf)
}
