package choose

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/wire"
)

// A Candidate is a format that took part in a choice, and what became of it.
type Candidate struct {
	Name      string
	Outcome   string
	Bytes     int // 0 if the value was not encoded, or not to its end
	Tokens    int // -1 where none were counted
	Estimated bool
	Verified  bool
	Loss      wire.Loss
	LossPath  string
	Err       error
}

// What became of candidates.
const (
	NotSmaller = "not-smaller"
	Chosen     = "chosen"
	Lossy      = "lossy"
	Refused    = "refused"
	Duplicate  = "duplicate"
	Untried    = "untried"
	Skipped    = "skipped"
)

// A Set is a list of candidates in the order in which they are tried. It is not changed
// by a search.
type Set []entry

// An entry is a candidate with what the search knows of it so far.
type entry struct {
	Candidate
	codec   wire.Codec
	format  string
	variant string
	loss    wire.Loss // declared

	size  float64 // tokens or bytes of the text, or an estimate of them; 0 if unknown
	final bool    // size is not an estimate
	sum   uint64  // a hash of the text
	out   bool    // it cannot be chosen any more
}

// NewSet returns the set of the codecs: the leaders of the formats, then the defaults,
// then their other configurations; of each the formats made for models before those that
// people have, so that what is short is known early. Where the order of members counts,
// exact is set.
func NewSet(codecs []wire.Codec, exact bool) Set {
	set := make(Set, len(codecs))
	for i, codec := range codecs {
		set[i] = newEntry(codec)
	}
	slices.SortStableFunc(set, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.place(exact), b.place(exact)), cmp.Compare(late[a.format], late[b.format]))
	})
	return set
}

// Without returns the set without a format.
func (s Set) Without(format string) Set {
	return slices.DeleteFunc(slices.Clone(s), func(e entry) bool { return e.format == format })
}

func newEntry(codec wire.Codec) entry {
	info := codec.Info()
	return entry{
		Candidate: Candidate{Name: info.FullName(), Tokens: -1},
		codec:     codec, format: info.Name + info.Suffix, variant: info.Variant, loss: info.Loss,
	}
}

// leaders are the variants that are hardly ever longer than their siblings: where the
// order of members does not count, and where it does.
var leaders = map[bool]map[string]string{
	false: {"glyph": "reorder", "gcf": "reorder", "gcx": "reorder"},
	true:  {"glyph": "keys", "toon": "exact"},
}

// place orders the configurations of a format: the leader, the default, the others.
func (e *entry) place(exact bool) int {
	switch e.variant {
	case leaders[exact][e.format]:
		return 0
	case "":
		return 1
	}
	return 2
}

// followers are the configurations that are shorter than their leader by more than a few
// tokens in some texts that are not short: of 273 documents toon:tab was in 17, by 4 % of
// the best text, each default in at most one.
var followers = map[string]bool{"glyph": true, "gcf": true, "gcx": true, "toon:tab": true}

// late has the formats for people, whose texts are JSON's with other white space, above
// zero, and below it the one that is most often the shortest.
var late = map[string]int{"glyph": -1, "jsonl": 1, "yaml": 2}

// TakesPart reports whether a codec is a candidate when none are named: it writes a text
// of its own, declares no loss that JSON has not, and its texts are told from others.
func TakesPart(info wire.Info) bool {
	if info.Variant == "strict" || info.Variant == "lenient" {
		return false // in all formats the names of those that only read otherwise
	}
	switch info.FullName() {
	case "md", "md:kv":
		return false // for readers that Markdown is easier for, which tokens do not show
	case "toon:v3", "gcf:no-trailer", "gcx:interop":
		return false // they write what the default writes, or refuse it
	}
	if info.Name == "json" || info.Name == "csv" { // what is in CSV no one can tell from the bytes
		return false
	}
	return !info.Binary && info.Loss&^measure.BeyondJSON == 0
}

// refuse notes why e cannot carry the value.
func (e *entry) refuse(err error) { e.Outcome, e.Err, e.out = Refused, err, true }

// outgrow notes that the text is longer than is worth measuring.
func (e *entry) outgrow() { e.out, e.size, e.Tokens = true, 0, -1 }

// counted notes the tokens of the text.
func (e *entry) counted(n int) {
	e.size, e.final, e.Tokens, e.Estimated = float64(n), true, n, false
}

// estimated notes about how many tokens the text has.
func (e *entry) estimated(n float64) {
	e.size, e.Tokens, e.Estimated = n, int(n+0.5), true
}

// rank puts the chosen candidate first and those without a measure last.
func (e *entry) rank() int {
	switch {
	case e.Outcome == Chosen:
		return 0
	case e.size > 0:
		return 1
	}
	return 2
}
