package audit

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/wire"
)

// The modes that may rewrite a result.
const (
	modeFormats = iota
	modeFolding
	modeLegend
	modePlain
)

var modes = [...]string{"formats", "fold", "lines", "lines:plain"}

// rewritings are what modes make of a text. One without a format says that a mode leaves it as
// it is.
type rewritings [len(modes)]rewrite.Text

// A Check is what results have kept that were rewritten.
type Check struct {
	Rows   []CheckRow `json:"rows"`   // by tool and mode; those of all tools come first
	Hidden []Hidden   `json:"hidden"` // literals that are not there verbatim, MaxHidden at most
}

// MaxHidden is how many hidden literals a Check lists. Its rows count all.
const MaxHidden = 1000

// A CheckRow is about the results of a tool that a mode rewrites.
type CheckRow struct {
	Tool     string `json:"tool,omitempty"` // empty for all tools
	Mode     string `json:"mode"`
	Texts    int    `json:"texts"`            // distinct ones that are rewritten
	Decoded  int    `json:"decoded_equal"`    // of these, decoded to what they were
	Literals int    `json:"literals"`         // in these, that a later message uses
	Verbatim int    `json:"verbatim"`         // of these, whole in what the mode writes
	Referred int    `json:"after_references"` // not whole where they were: a reference is read before them
}

// A Hidden is a literal that a mode takes apart.
type Hidden struct {
	Mode    string `json:"mode"`
	Tool    string `json:"tool"`
	Literal string `json:"literal"`
}

// A need is a literal that a message of the model uses, and none before it has.
type need struct {
	literal string
	before  int    // how many results were shown before
	in      []*job // those of them that have it, until their context ends
	tool    string // of the first of these
	modes   [len(modes)]struct {
		left       bool // one of the results stays as it is, so that nothing else is needed
		kept, body bool // it is whole in what one of the results has become, and whole where it was
	}
}

// said remembers what the messages of a context say, and the results in it.
type said struct {
	known map[string]*need // literals that are in a message; nil where the model does not use a result
	words [][]*need        // what is needed if a result has it, by words
	shown []*job           // distinct results
	used  int              // how many of these were shown before the model's last word
	told  map[string]bool  // what was used, in earlier lines too where each is a whole request
}

func newSaid(told map[string]bool) said { return said{known: make(map[string]*need), told: told} }

// say notes what a message says.
func (s *said) say(text string, model bool) {
	eachWord(text, func(literals []string) {
		if _, known := s.known[literals[0]]; known {
			return
		}
		var word []*need
		for _, l := range literals {
			if _, known := s.known[l]; known {
				continue
			}
			l = strings.Clone(l)
			s.known[l] = nil
			if model && len(s.shown) > 0 {
				s.used, s.known[l] = len(s.shown), &need{literal: l, before: len(s.shown)}
				word = append(word, s.known[l])
			}
		}
		s.words = append(s.words, word)
	})
}

// settle ends a context: what is needed of its results is known, and they are measured.
func (a *Auditor) settle(s *said) {
	a.needs = append(a.needs, s.needs()...)
	for _, j := range s.shown {
		if !j.text.queued || len(j.needs) > 0 {
			a.start(j)
		}
	}
	*s = newSaid(s.told)
}

// needs finds the results that have what the model used, of each word the first literal that one
// has, and notes what is needed in each. An error stays as it is, so that nothing else is needed.
func (s *said) needs() (all []*need) {
	for i, j := range s.shown[:s.used] {
		eachWord(j.data, func(literals []string) {
			for _, l := range literals {
				if n := s.known[l]; n != nil && i < n.before && (len(n.in) == 0 || n.in[len(n.in)-1] != j) {
					n.in = append(n.in, j)
				}
			}
		})
	}
	for _, word := range s.words {
		i := slices.IndexFunc(word, func(n *need) bool { return len(n.in) > 0 })
		if i < 0 || s.told[word[i].literal] {
			continue
		}
		n := word[i]
		s.told[n.literal] = true
		if slices.ContainsFunc(n.in, func(j *job) bool { return j.failed }) {
			continue
		}
		for _, j := range n.in {
			j.needs = append(j.needs, n)
		}
		n.tool, n.in = n.in[0].tool, nil
		all = append(all, n)
	}
	return all
}

// check decodes what modes have made of a text, and looks for what is needed of it.
func (a *Auditor) check(j *job) {
	for mode, out := range j.outs {
		isNew := j.first && out.Format != ""
		equal := isNew && decodes(out, j.data)
		var whole, body map[string]bool
		if len(j.needs) > 0 {
			whole, body = literalsIn(out.Text), literalsIn(bodyOf(out))
		}
		a.mu.Lock()
		if isNew {
			for _, row := range a.checkRows(j.tool, mode) {
				row.Texts++
				row.Decoded += one(equal)
			}
		}
		for _, n := range j.needs {
			m := &n.modes[mode]
			m.left = m.left || out.Format == ""
			m.kept = m.kept || whole[n.literal]
			m.body = m.body || body[n.literal]
		}
		a.mu.Unlock()
	}
}

// decodes reports whether what a mode has made of a text decodes to it again. Folding may
// change the order of members.
func decodes(out rewrite.Text, data string) bool {
	if strings.HasPrefix(out.Format, "lines") {
		back, err := lines.Decode([]byte(out.Text))
		return err == nil && string(back) == data
	}
	v, ok := rewrite.Container(data)
	back, err := decode(out.Format, out.Text)
	loss, _ := wire.Difference(v, back)
	return ok && err == nil && (loss == 0 || loss == wire.LossOrder && strings.HasSuffix(out.Format, "+fold"))
}

func decode(format, text string) (wire.Value, error) {
	codec, err := wirekit.Lookup(format)
	if err != nil {
		return wire.Value{}, err
	}
	return codec.Decode([]byte(text))
}

// legend finds how many entries of a legend are below the head of lines.
var legend = regexp.MustCompile(`^lines v1; \S1 to \S(\d+) stand`)

// bodyOf returns what a reader reads in the place of a text: what a mode has made of it,
// without a legend, and without what folding says for all rows.
func bodyOf(out rewrite.Text) string {
	if found := legend.FindStringSubmatch(out.Text); found != nil {
		entries, _ := strconv.Atoi(found[1])
		rest := strings.SplitN(out.Text, "\n", entries+2)
		return rest[len(rest)-1]
	}
	if name, folded := strings.CutSuffix(out.Format, "+fold"); folded {
		if v, err := decode(name, out.Text); err == nil && fold.IsFolded(v) {
			data, _ := v.Get("data")
			return string(wire.AppendJSON(nil, data))
		}
	}
	return out.Text
}

func literalsIn(text string) map[string]bool {
	found := make(map[string]bool)
	eachWord(text, func(literals []string) {
		for _, l := range literals {
			found[l] = true
		}
	})
	return found
}

// checkRows returns the rows of a mode, for all tools and for one. The caller holds the lock.
func (a *Auditor) checkRows(tool string, mode int) (rows [2]*CheckRow) {
	for i, tool := range []string{"", tool} {
		rows[i] = entry(a.checks, [2]string{tool, modes[mode]}, CheckRow{Tool: tool, Mode: modes[mode]})
	}
	return rows
}

// sumNeeds adds up what is needed of results that are measured.
func (a *Auditor) sumNeeds() {
	for _, n := range a.needs {
		for mode, m := range n.modes {
			if m.left {
				continue
			}
			if !m.kept {
				a.report.Check.Hidden = append(a.report.Check.Hidden, Hidden{modes[mode], n.tool, n.literal})
			}
			for _, row := range a.checkRows(n.tool, mode) {
				row.Literals++
				row.Verbatim += one(m.kept)
				row.Referred += one(!m.body)
			}
		}
	}
	a.needs = nil
}

// one is 1 of what is so.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// checked ends what was found.
func (a *Auditor) checked(c *Check) {
	c.Rows = sorted(a.checks, func(x, y CheckRow) int {
		return cmp.Or(cmp.Compare(x.Tool, y.Tool), slices.Index(modes[:], x.Mode)-slices.Index(modes[:], y.Mode))
	})
	slices.SortFunc(c.Hidden, func(x, y Hidden) int {
		return cmp.Or(cmp.Compare(x.Mode, y.Mode), cmp.Compare(x.Tool, y.Tool), cmp.Compare(x.Literal, y.Literal))
	})
	c.Hidden = c.Hidden[:min(len(c.Hidden), MaxHidden)]
}
