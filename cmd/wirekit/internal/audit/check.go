package audit

import (
	"bytes"
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

// A need is a literal that a later message uses.
type need struct {
	literal, tool string
	left          bool // a result that has it is an error, which stays as it is, so that nothing else is needed
	modes         [len(modes)]struct {
		left       bool // so is a result that the mode leaves alone
		kept, body bool // it is whole in what one of the results has become, and whole where it was
	}
}

// said remembers what the messages of a context say, and the results in it.
type said struct {
	known map[string]bool // literals that are in a message
	uses  []use
	shown []shown
	told  map[string]bool // what was used, in earlier lines too where each is a whole request
}

// A use is a word of the model's that no message has said before.
type use struct {
	literals []string
	before   int // results that were shown before it
}

// A shown is a result. Its data is nil where the context has the same text already.
type shown struct {
	job
	left bool // as it is, whatever the mode: it is an error
}

// say notes what a message says.
func (s *said) say(text string, model bool) {
	eachWord(text, func(literals []string) {
		if s.known[literals[0]] {
			return
		}
		literals = slices.DeleteFunc(slices.Clone(literals), func(l string) bool { return s.known[l] })
		for i, l := range literals {
			literals[i] = strings.Clone(l)
			s.known[literals[i]] = true
		}
		if model && len(s.shown) > 0 {
			s.uses = append(s.uses, use{literals, len(s.shown)})
		}
	})
}

// settle ends a context: what is needed of its results is known, and they are measured.
func (a *Auditor) settle(s *said) {
	a.needs = append(a.needs, s.needs()...)
	for i := range s.shown {
		r := &s.shown[i]
		if r.data != nil && (!r.queued || len(r.needs) > 0) {
			r.outs = new(rewritings)
			a.start(r.job)
		}
	}
	*s = said{known: make(map[string]bool), told: s.told}
}

// needs finds the results that have what the model used, and notes what is needed in each.
func (s *said) needs() (all []*need) {
	wanted := make(map[string][]int) // results that have it
	for _, u := range s.uses {
		for _, l := range u.literals {
			wanted[l] = nil
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for i, r := range s.shown {
		eachWord(string(r.data), func(literals []string) {
			for _, l := range literals {
				if has, ok := wanted[l]; ok && !slices.Contains(has, i) {
					wanted[l] = append(has, i)
				}
			}
		})
	}
	for _, u := range s.uses {
		i := slices.IndexFunc(u.literals, func(l string) bool { return len(wanted[l]) > 0 && wanted[l][0] < u.before })
		if i < 0 || s.told[u.literals[i]] {
			continue
		}
		literal := u.literals[i]
		s.told[literal] = true
		n := &need{literal: literal, tool: s.shown[wanted[literal][0]].tool}
		for _, at := range wanted[literal] {
			if at >= u.before {
				break
			}
			r := &s.shown[at]
			if n.left = n.left || r.left; !r.left {
				r.needs = append(r.needs, n)
			}
		}
		all = append(all, n)
	}
	return all
}

// check decodes what modes have made of a text, and looks for what is needed of it.
func (a *Auditor) check(j job) {
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
func decodes(out rewrite.Text, data []byte) bool {
	if strings.HasPrefix(out.Format, "lines") {
		back, err := lines.Decode([]byte(out.Text))
		return err == nil && bytes.Equal(back, data)
	}
	v, ok := rewrite.Container(string(data))
	back, err := decode(out.Format, out.Text)
	if err != nil || !ok {
		return false
	}
	loss, _ := wire.Difference(v, back)
	return loss == 0 || loss == wire.LossOrder && strings.HasSuffix(out.Format, "+fold")
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
			if n.left || m.left {
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
