package wirekit

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// An entrant is a candidate with its measure so far.
type entrant struct {
	Candidate
	codec   wire.Codec
	format  string
	variant string
	base    int // the place of its format's default among all, or its own
	loss    wire.Loss
	folded  bool

	lossy bool    // declares losses that the Chooser counts
	size  float64 // of the text, or what that of a part comes to; 0 if unknown
	final bool    // size is that of the whole text
	out   bool    // it cannot be chosen any more
}

func newEntrant(codec wire.Codec) entrant {
	info := codec.Info()
	return entrant{
		Candidate: Candidate{Name: info.FullName(), Tokens: -1},
		codec:     codec, format: info.Name + info.Suffix, variant: info.Variant, loss: info.Loss, folded: info.Suffix != "",
	}
}

// newEntrants returns the entrants in the order in which they are tried: defaults
// before variants, and formats made for models before those that people have, so
// that what is short is known early.
func newEntrants(codecs []wire.Codec) []entrant {
	entrants := make([]entrant, len(codecs))
	for i, codec := range codecs {
		entrants[i] = newEntrant(codec)
	}
	slices.SortStableFunc(entrants, func(a, b entrant) int {
		return cmp.Or(cmp.Compare(min(1, len(a.variant)), min(1, len(b.variant))), cmp.Compare(late[a.format], late[b.format]))
	})
	for i, e := range entrants {
		entrants[i].base = slices.IndexFunc(entrants, func(d entrant) bool { return d.format == e.format })
	}
	return entrants
}

// late are formats for people, which are seldom short.
var late = map[string]int{"jsonl": 1, "yaml": 2}

// defaultEntrants are those of this package's registry when none are named.
var defaultEntrants = sync.OnceValue(func() []entrant { return newEntrants(takingPart(registry)) })

// refused notes why e cannot carry the value.
func (e *entrant) refused(err error) { e.Outcome, e.Err, e.out = OutcomeRefused, err, true }

// measured notes the measure of the whole text.
func (e *entrant) measured(tokens int) {
	e.size, e.final = float64(tokens), true
	e.Tokens, e.Estimated = tokens, false
}

// estimated notes the measure of a part, extrapolated.
func (e *entrant) estimated(tokens, scale float64) {
	e.size = tokens * scale
	e.Tokens, e.Estimated = int(e.size+0.5), true
}

// rank puts the chosen candidate first and those without a measure last.
func (e *entrant) rank() int {
	switch {
	case e.Outcome == OutcomeChosen:
		return 0
	case e.size > 0:
		return 1
	}
	return 2
}

func smaller(a, b *entrant) int { return cmp.Compare(a.size, b.size) }

// tooLong reports whether err is that of a text beyond Limits.OutputBytes, for
// which all codecs have one code.
func tooLong(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Kind == wire.ErrLimit && e.Code == "output_too_long"
}
