package wirekit

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// A candidate is what takes part in a choice, with its measure so far.
type candidate struct {
	Candidate
	codec   wire.Codec
	format  string
	variant string
	base    int // the place of its format's leader among all, or its own
	loss    wire.Loss
	folded  bool

	lossy bool    // declares losses that the Chooser counts
	size  float64 // of the text, or what that of a part comes to; 0 if unknown
	final bool    // size is that of the whole text
	out   bool    // it cannot be chosen any more
}

func newCandidate(codec wire.Codec) candidate {
	info := codec.Info()
	return candidate{
		Candidate: Candidate{Name: info.FullName(), Tokens: -1},
		codec:     codec, format: info.Name + info.Suffix, variant: info.Variant, loss: info.Loss, folded: info.Suffix != "",
	}
}

// newCandidates returns the candidates in the order in which they are tried: the
// leaders of the formats before their other configurations, and formats made for
// models before those that people have, so that what is short is known early.
func newCandidates(codecs []wire.Codec, identical bool) []candidate {
	candidates := make([]candidate, len(codecs))
	for i, codec := range codecs {
		candidates[i] = newCandidate(codec)
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.place(identical), b.place(identical)), cmp.Compare(late[a.format], late[b.format]))
	})
	for i, e := range candidates {
		candidates[i].base = slices.IndexFunc(candidates, func(d candidate) bool { return d.format == e.format })
	}
	return candidates
}

// leaders are the variants that are hardly ever longer than their siblings: where
// the order of members does not matter, and where it does.
var leaders = map[bool]map[string]string{
	false: {"glyph": "reorder", "gcf": "reorder", "gcx": "reorder"},
	true:  {"glyph": "keys", "toon": "exact"},
}

// place orders the configurations of a format: the leader, the default, the others.
func (e *candidate) place(identical bool) int {
	switch e.variant {
	case leaders[identical][e.format]:
		return 0
	case "":
		return 1
	}
	return 2
}

// late has the formats for people, which are seldom short, above zero, and below it the
// one that is most often the shortest, so that others are known not to be.
var late = map[string]int{"glyph": -1, "jsonl": 1, "yaml": 2}

// followers are the configurations that are sometimes shorter than their leader by
// more than a few tokens.
var followers = map[string]bool{
	"gcf:3.1": true, "gcf:dense": true, "gcx": true, "toon:tab": true, "toon:pipe": true, "csv:tsv": true,
}

// defaultCandidates are those of this package's registry when none are named, for
// Identical and without.
var (
	defaultCandidates   = sync.OnceValue(func() []candidate { return newCandidates(takingPart(registry), false) })
	identicalCandidates = sync.OnceValue(func() []candidate { return newCandidates(takingPart(registry), true) })
)

// refused notes why e cannot carry the value.
func (e *candidate) refused(err error) { e.Outcome, e.Err, e.out = outcomeRefused, err, true }

// outgrown notes that the whole text is longer than is worth measuring.
func (e *candidate) outgrown() { e.out, e.size, e.Tokens = true, 0, -1 }

// measured notes the measure of the whole text.
func (e *candidate) measured(tokens int) {
	e.size, e.final = float64(tokens), true
	e.Tokens, e.Estimated = tokens, false
}

// estimated notes the measure of a part, extrapolated.
func (e *candidate) estimated(tokens float64) {
	e.size = tokens
	e.Tokens, e.Estimated = int(e.size+0.5), true
}

// rank puts the chosen candidate first and those without a measure last.
func (e *candidate) rank() int {
	switch {
	case e.Outcome == outcomeChosen:
		return 0
	case e.size > 0:
		return 1
	}
	return 2
}

func smaller(a, b *candidate) int { return cmp.Compare(a.size, b.size) }

// tooLong reports whether err is that of a text beyond Limits.OutputBytes, for
// which all codecs have one code.
func tooLong(err error) bool {
	if err == nil {
		return false
	}
	var e *wire.Error
	return errors.As(err, &e) && e.Kind == wire.ErrLimit && e.Code == wire.CodeOutputTooLong
}

// shortText is the length of texts of which all configurations are looked at.
const shortText = 2 << 10

// simplest returns the default of best's format, and its text, if that takes no
// more tokens: a variant should be worth its name.
func (k *selection) simplest(best *candidate, text []byte) (*candidate, []byte, error) {
	if best.variant == "" || len(text) > shortText || len(k.Formats) > 0 || k.Precision == PrecisionBytes {
		return best, text, nil
	}
	for _, e := range k.others {
		if e.format != best.format || e.variant != "" || e.Err != nil || e.Outcome == outcomeLossy {
			continue
		}
		plain, err := limited(e.codec, k.Limits).AppendEncode(nil, k.value)
		if err != nil || k.misleads(e, k.value, plain) != nil {
			continue
		}
		n, err := k.tokensOf(plain, noBound)
		if err != nil {
			return nil, nil, err
		}
		if n > best.Tokens {
			continue
		}
		c := k.check(e, plain)
		if c.err != nil || k.counts(c.loss) != 0 {
			continue
		}
		e.measured(n)
		e.Verified, e.Loss, e.LossPath = true, c.loss, c.path
		best.Outcome = outcomeNotSmaller
		if bytes.Equal(plain, text) {
			best.Outcome = outcomeDuplicate
		}
		return e, plain, nil
	}
	return best, text, nil
}
