package audit

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/lines"
)

// A Kind is what a text is.
type Kind string

// The kinds. All but JSON are guesses, from how lines begin and end.
const (
	KindJSON  Kind = "JSON"
	KindTable Kind = "tables"
	KindLog   Kind = "logs, listings"
	KindCode  Kind = "code"
	KindProse Kind = "prose"
	KindImage Kind = "images"
)

// kinds are all of them, in the order of reports.
var kinds = []Kind{KindJSON, KindTable, KindLog, KindCode, KindProse, KindImage}

// A text is what a tool returned, once for all times that it did.
type text struct {
	key    key
	kind   Kind
	size   int // bytes
	tokens int
	format int    // tokens in the best format
	more   int    // folded, or as lines; as format if that was not measured or saves nothing
	may    bool   // folding or lines may save something
	done   bool   // more was measured
	queued bool   // it is measured, or is about to be
	data   string // while it is in a sample
}

// image is the text of every result that is an image. It has no tokens.
var image = &text{kind: KindImage}

// A job is a result whose text is to be measured.
type job struct {
	record
	data  string
	first bool // it has not been measured before
	needs []*need
	outs  rewritings // to check
}

// measure counts a text and rewrites it.
func (a *Auditor) measure(j *job) {
	t := j.text
	if a.o.Check {
		defer a.check(j)
	}
	best, before, err := a.plan.Text(j.data)
	kind, longest := KindJSON, a.further.MaxSteps/rewrite.Steps(a.further.Formats, 1)
	if errors.Is(err, rewrite.NotJSON) {
		kind, longest = kindOf(j.data), lines.DefaultMaxBytes
		before, err = a.plan.Count(j.data)
	}
	if left := rewrite.Left(""); err != nil && !errors.As(err, &left) {
		panic(err)
	}
	j.outs[modeFormats] = best
	t.kind, t.size, t.tokens, t.format = kind, len(j.data), before, cmp.Or(best.Tokens, before)
	t.more = t.format
	t.may = before >= a.plan.MinTokens && t.size <= longest
	if t.may && j.first {
		a.sample(j)
	}
	if t.may && (a.o.Exact || a.Bytes() <= a.below || t.key.isSampled()) {
		a.measureFurther(j)
	}
}

// measureFurther counts the tokens of a text that is folded, or as lines; those of the best
// format where that saves nothing or fails.
func (a *Auditor) measureFurther(j *job) {
	t := j.text
	t.done = true
	out, _, err := a.further.Text(j.data)
	if err == nil {
		t.more = min(out.Tokens, t.format)
	}
	switch {
	case t.kind == KindJSON:
		j.outs[modeFolding] = out
	case a.o.Check:
		j.outs[modeLegend] = out
		j.outs[modePlain], _, _ = a.plain.Text(j.data) // an error leaves the text as it is
	}
}

// sample puts a text into the sample of its place.
func (a *Auditor) sample(j *job) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := entry(a.cells, place{j.tool, j.text.kind}, cell{})
	c.sample.add(j.text, j.data)
	c.texts++
	if j.text.key.isSampled() {
		c.shared = append(c.shared, j.text)
	}
}

// isSampled reports whether a text is in the tenth of all texts that is measured of every
// tool and kind.
func (k key) isSampled() bool { return k[0] < 26 }

// looked is how much of a text decides its kind.
const looked = 16 << 10

// kindOf guesses what a text is that is not JSON.
func kindOf(s string) Kind {
	s = s[:min(len(s), looked)]
	all, code, prose, markdown := 0, 0, 0, 0
	columns := map[[2]int]int{}
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(numbered.ReplaceAllString(line, ""))
		if line == "" {
			continue
		}
		all++
		switch {
		case line[0] == '|' && strings.HasSuffix(line, "|"):
			markdown++
		case isCode(line):
			code++
		case isSentence(line):
			prose++
		}
		for i, c := range ",\t;" {
			if n := strings.Count(line, string(c)); n > 1 || n == 1 && c == '\t' {
				columns[[2]int{i, n}]++
			}
		}
	}
	most := slices.Max(append(slices.Collect(maps.Values(columns)), 0))
	switch {
	case all == 0:
		return KindProse
	case markdown >= 3 && 2*markdown > all, most >= 3 && 10*most >= 9*all:
		return KindTable
	case 5*code >= 2*all:
		return KindCode
	case 2*(prose+markdown) >= all:
		return KindProse
	}
	return KindLog
}

// numbered is the number that tools put before the lines of a file.
var numbered = regexp.MustCompile(`^( *\d+→| +\d+\t)`)

// beginnings are how lines of programs begin.
var beginnings = []string{"//", "/*", "* ", "#include", "#!", "@", "</", "import ", "from ", "package ", "func ", "def ", "class ", "return", "if ",
	"for ", "while ", "const ", "let ", "var ", "type ", "use ", "pub ", "fn ", "public ", "private ", "static ", "export ", "case ", "else"}

// isCode reports whether a line looks like one of a program. A record of JSON Lines
// does not.
func isCode(line string) bool {
	if line[0] == '{' && len(line) > 1 && line[len(line)-1] == '}' {
		return false
	}
	if slices.ContainsFunc(beginnings, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
		return !isSentence(line) || strings.HasPrefix(line, "//")
	}
	return strings.IndexByte("{};()[],:", line[len(line)-1]) >= 0 && !isSentence(line)
}

// isSentence reports whether a line looks like words of a language.
func isSentence(line string) bool {
	words, letters := 1+strings.Count(line, " "), 0
	for _, r := range line {
		if unicode.IsLetter(r) || r == ' ' || r == ',' || r == '.' || r == '\'' {
			letters++
		}
	}
	return words >= 5 && 10*letters >= 9*utf8.RuneCountInString(line) && !strings.ContainsAny(line, "{}=;")
}

// sampled is how many bytes of texts the sample of each tool and kind has at most, and
// one text, beside a tenth of its texts.
const sampled = 96 << 10

// A sample has the texts whose hashes are the smallest, whatever their order was: as many
// as there is room for.
type sample struct {
	texts []*text // by their keys
	size  int
	bound *key // the smallest key that found no room
}

func (s *sample) add(t *text, data string) {
	i, has := slices.BinarySearchFunc(s.texts, t.key, func(have *text, k key) int { return bytes.Compare(have.key[:], k[:]) })
	if has || s.bound != nil && bytes.Compare(t.key[:], s.bound[:]) >= 0 {
		return
	}
	t.data = data
	s.texts = slices.Insert(s.texts, i, t)
	s.size += len(data)
	for last := len(s.texts) - 1; last > 0 && s.size > sampled; last-- {
		out := s.texts[last]
		s.size -= len(out.data)
		s.bound, out.data, s.texts = &out.key, "", s.texts[:last]
	}
}

// A share is what folding or lines make of texts.
type share struct {
	texts, size   int // of a sample
	before, after int // tokens
	same, changed int // of the texts that no format changed: tokens, and those of texts that became smaller

	// off are the squares of how far what is saved of a text is from saved of its tokens.
	off float64
}

func shareOf(texts []*text) share {
	s := share{texts: len(texts)}
	for _, t := range texts {
		s.size += t.size
		s.add(t, 1)
	}
	for _, t := range texts {
		d := float64(t.format-t.more) - s.saved()*float64(t.format)
		s.off += d * d
	}
	return s
}

// add adds a text that was sent so many times.
func (s *share) add(t *text, times int) {
	s.before += t.format * times
	s.after += t.more * times
	if t.format == t.tokens {
		s.same += t.tokens * times
		s.changed += one(t.more < t.tokens) * t.tokens * times
	}
}

// estimate puts what the texts of a sample became in the place of what these did.
func (s *share) estimate(sample share) {
	of := func(part float64, tokens int) int { return int(math.Round(part * float64(tokens))) }
	s.after, s.changed = s.before-of(sample.saved(), s.before), of(part(sample.changed, sample.same), s.same)
}

// saved is the part of the tokens that was saved.
func (s share) saved() float64 { return part(s.before-s.after, s.before) }

// deviation is the standard error of saved as an estimate of what would be saved of all
// texts: that of a ratio of two sums over a sample without replacement.
func (s share) deviation(all int) float64 {
	if s.texts >= all {
		return 0
	}
	if s.texts < 2 || s.before == 0 {
		return 0.5
	}
	n := float64(s.texts)
	return math.Sqrt((1-n/float64(all))*n/(n-1)*s.off) / float64(s.before)
}

// part is a part of a number, 0 of nothing.
func part(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
