package lines

import (
	"bytes"
	"cmp"
	"fmt"
	"math"

	"github.com/wirekit/wirekit/internal/base/phrases"
)

// A Counter counts the tokens of a text. The counters of package tokens are
// Counters.
type Counter interface {
	Count(text []byte) (int, error)
}

// The defaults of [Options].
const (
	DefaultMaxBytes  = 256 << 10
	DefaultMinSaving = 0.05
)

// Options say how texts are encoded. The zero Options use every step and
// normalize nothing.
type Options struct {
	// Counter counts tokens. Nil means an estimate of a token for four bytes.
	Counter Counter
	// NoLegend leaves the legend out: the result has headings and repeats.
	NoLegend bool
	// MinSaving is the share of tokens that must be saved, below 1; 0 means
	// DefaultMinSaving, a negative number any saving.
	MinSaving float64
	// MaxBytes is the longest text that is encoded; 0 means DefaultMaxBytes, a
	// negative number any length. Time and memory grow in proportion to it.
	MaxBytes int
	// Normalize is what is taken out of the text first. It does not come back.
	Normalize Normalization
}

// A Report says what encoding did.
type Report struct {
	Encoded       bool
	Before, After int // tokens of the text, as it was given, and of the result
	Entries       int // of the legend
	Headings      int
	Repeats       int     // lines in place of earlier ones
	Removed       Removed // what was normalized
	Why           string  // why the text was not encoded
}

// Encode returns a text that [Decode] turns into text again, byte for byte, or
// text itself where that does not save enough tokens. With Options.Normalize it
// does so with the normalized text. The result depends on the text and the options
// alone. Text is not changed, and may be what is returned.
//
// A text that [Sniff] takes for an encoded one is returned as it is: the reader of
// such a text decodes it, and would do so once only.
func Encode(text []byte, o Options) ([]byte, Report) {
	var r Report
	count := phrases.Counting{Counter: o.Counter}
	r.Before = count.Text(text)
	r.After = r.Before
	text, r.Removed = Normalize(text, o.Normalize)
	if r.Removed != (Removed{}) {
		r.After = count.Text(text)
	}
	if r.Why = o.hopeless(text); r.Why != "" {
		return text, r
	}
	best := o.search(text, &count)
	if r.Why = o.refuse(text, best, r.After, count.Err); r.Why != "" {
		return text, r
	}
	r.Encoded, r.After = true, best.tokens
	r.Entries, r.Headings, r.Repeats = len(best.legend), best.headings, best.repeats
	return best.text, r
}

// hopeless says why a text is not worth a search.
func (o Options) hopeless(text []byte) string {
	most := cmp.Or(o.MaxBytes, DefaultMaxBytes)
	switch {
	case most >= 0 && len(text) > most:
		return fmt.Sprintf("%d bytes are more than the limit of %d", len(text), most)
	case len(text) < shortest:
		return fmt.Sprintf("%d bytes are too few to save anything", len(text))
	case Sniff(text):
		return "the text looks like an encoded one"
	}
	return ""
}

// shortest is the length in bytes below which a head costs more than can be saved.
const shortest = 256

// refuse says why an encoding is not used.
func (o Options) refuse(text []byte, best encoding, before int, err error) string {
	share := max(cmp.Or(o.MinSaving, DefaultMinSaving), 0)
	switch {
	case err != nil:
		return "tokens cannot be counted: " + err.Error()
	case best.tokens == math.MaxInt:
		return "nothing repeats"
	case best.tokens >= before, float64(before-best.tokens) < share*float64(before):
		return fmt.Sprintf("it would take %d tokens instead of %d; %.0f %% must be saved", best.tokens, before, share*100)
	}
	back, err := Decode(best.text)
	if err != nil || !bytes.Equal(back, text) {
		return "the encoding does not decode to the text"
	}
	return ""
}

// An encoding is a candidate for the result.
type encoding struct {
	body
	text   []byte
	tokens int
}

// search encodes text in the few ways there are and returns the one with the fewest
// tokens.
func (o Options) search(text []byte, count *phrases.Counting) encoding {
	taken := beforeDigits(text)
	repeated := split(text)
	repeated = repeats(repeated).orWithout(repeated, taken)
	headed := headings(repeated).orWithout(repeated, taken)
	best := encoding{tokens: math.MaxInt}
	try := func(b body) {
		if e, ok := b.render(taken, count); ok && e.tokens < best.tokens {
			best = e
		}
	}
	try(headed)
	if o.NoLegend {
		return best
	}
	try(headed.withLegend(taken, count))
	if headed.headings > 0 {
		// What a heading takes away may be part of longer texts.
		try(repeated.withLegend(taken, count))
	}
	return best
}
