package audit

import (
	"cmp"
	"math"
	"slices"

	"github.com/wirekit/wirekit/internal/proxy/rewrite"
)

// A Report is what transcripts have.
type Report struct {
	Files    int   `json:"files"`
	Bytes    int64 `json:"bytes"`
	Requests int   `json:"requests"`
	// Input is the tokens of these requests by the providers' counts, and Uncounted those
	// of results in conversations where no such count is noted.
	Input     int    `json:"input_tokens"`
	Uncounted int    `json:"tokens_without_input"`
	Tokenizer string `json:"tokenizer"`

	Total Row    `json:"total"`
	Tools []Row  `json:"tools"` // the largest first
	Kinds []Row  `json:"kinds"`
	Rules []Rule `json:"rules"` // what leaves members out, and loses them

	// Sample is what folding and lines were measured on; nil if on everything.
	Sample *Sample `json:"sample,omitempty"`
	// Runs is what runs of lines would save that an earlier result of the same conversation
	// has; nil if that was not asked for. So are Check and Bill.
	Runs  *Runs  `json:"runs,omitempty"`
	Check *Check `json:"check,omitempty"`
	Bill  *Bill  `json:"bill,omitempty"`
	// Cost is in units of Options.Price, without a cache, and Window a part of Options.Window.
	Cost   *Cost   `json:"cost,omitempty"`
	Window *Window `json:"window,omitempty"`
	// Share is the part of Input and Uncounted that would have been saved.
	Share float64 `json:"share_saved"`
	Worth bool    `json:"worth_installing"` // Share is at least MinShare
	Notes []Note  `json:"notes"`
}

// MinShare is the part of tokens below which nothing is worth installing.
const MinShare = 0.03

// A Cost is what results cost each time that they were sent, and what of it would have been
// saved.
type Cost struct {
	Price float64 `json:"price"` // of a million tokens
	Sent  float64 `json:"sent"`
	Saved float64 `json:"saved"`
}

// A Window is what the results that a request carries take of a context window, in the mean
// over all requests.
type Window struct {
	Tokens int     `json:"tokens"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// A Row sums results up. Savings follow each other: each is what the ones before leave.
type Row struct {
	Name    string `json:"name"`
	Results int    `json:"results"`
	Images  int    `json:"images,omitempty"` // which have no tokens here
	Tokens  int    `json:"tokens"`           // of results when they were new
	Again   int    `json:"tokens_again"`     // of results that later requests carried again
	Repeats int    `json:"repeats"`          // results that are equal to an earlier one of the same context
	// RepeatTokens are those of the repeats.
	RepeatTokens int    `json:"repeat_tokens"`
	Saved        Saving `json:"saved"`
	SavedAgain   int    `json:"saved_again"` // of Again
	// Unchanged are the tokens of results that no exact rewriting changes.
	Unchanged int `json:"tokens_unchanged"`
	Runs      int `json:"saved_by_runs,omitempty"`
}

// A Saving is tokens of new results that are not needed any more.
type Saving struct {
	Formats int `json:"formats"`
	Repeats int `json:"repeats"`
	Folding int `json:"folding"`
	Lines   int `json:"lines"`
}

// Sum is all that is saved.
func (s Saving) Sum() int { return s.Formats + s.Repeats + s.Folding + s.Lines }

// A Rule is what a rule for a tool would save beyond formats.
type Rule struct {
	Tool   string  `json:"tool"`
	Rule   string  `json:"rule"`
	Tokens int     `json:"tokens"`
	Part   float64 `json:"part"` // of the tool's JSON
}

// A Sample is the texts that folding and lines were measured on.
type Sample struct {
	Texts  int `json:"texts"`
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
	Of     int `json:"of_tokens"` // of the results that it stands for
	// Low and High are tokens of new results: in 95 of 100 samples all that would be saved
	// is between them.
	Low  int `json:"saved_low"`
	High int `json:"saved_high"`
}

// Runs is what a line in the place of each run of lines that an earlier result has would
// save, after that line. It overlaps the other savings.
type Runs struct {
	References int `json:"references"`
	Results    int `json:"results"` // that have one
	Saved      int `json:"saved"`
	SavedAgain int `json:"saved_again"`
}

// A Note is something strange.
type Note struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	First string `json:"first,omitempty"` // a file that has it
}

func (r *Row) sums() []*int {
	return []*int{&r.Results, &r.Images, &r.Tokens, &r.Again, &r.Repeats, &r.RepeatTokens,
		&r.Saved.Formats, &r.Saved.Repeats, &r.Saved.Folding, &r.Saved.Lines, &r.SavedAgain, &r.Unchanged, &r.Runs}
}

func (r *Row) add(o Row) {
	for i, n := range o.sums() {
		*r.sums()[i] += *n
	}
}

// A cell is the results of a tool that are of one kind.
type cell struct {
	row    Row
	sample sample
	texts  int     // that folding or lines may save something of
	shared []*text // the sample, and all texts that are sampled by their hash
	// What folding or lines may save something of, new and sent again. What they do save is
	// known if all was measured.
	open, again share
}

// saving returns what is saved of a result, new or sent again: by formats, then by naming it where
// it is a repeat, or else by folding or lines.
func (a *Auditor) saving(r record) (formats, repeats, further int) {
	switch t := r.text; {
	case r.failed: // these are left alone
		return 0, 0, 0
	case r.repeat && r.whole && t.tokens >= a.plan.MinTokens && a.plan.Enough(t.tokens, a.sentence) && a.sentence < t.format:
		return t.tokens - t.format, t.format - a.sentence, 0
	default:
		return t.tokens - t.format, 0, t.format - t.more
	}
}

// add adds a result.
func (c *cell) add(r record, a *Auditor) {
	t := r.text
	formats, repeats, _ := a.saving(r)
	row := Row{Results: 1, Images: one(t == image), Tokens: t.tokens, Again: t.tokens * r.again}
	row.Saved, row.SavedAgain = Saving{Formats: formats, Repeats: repeats}, (formats+repeats)*r.again
	if r.repeat && t.tokens > 0 {
		row.Repeats, row.RepeatTokens = 1, t.tokens
	}
	if r.run != nil && t.kind != KindJSON && t.tokens >= a.plan.MinTokens && t.tokens > r.run.tokens {
		row.Runs = t.tokens - r.run.tokens
		runs := a.report.Runs
		runs.Results++
		runs.References += r.run.references
		runs.Saved += row.Runs
		runs.SavedAgain += row.Runs * r.again
	}
	switch {
	case repeats > 0:
	case r.failed, !t.may && t.format == t.tokens:
		row.Unchanged = t.tokens
	case t.may:
		c.open.add(t, 1)
		c.again.add(t, r.again)
	}
	c.row.add(row)
}

// repeated is the sentence that package llm has for a repeat.
const repeated = "Same result as call toolu_01A09q90qw90lq917835lq9."

// Report ends the audit and returns what was found.
func (a *Auditor) Report() (Report, error) {
	if a.err != nil {
		return Report{}, a.err
	}
	a.close(a.sessions)
	a.addUp()
	r := &a.report
	r.Bytes, r.Tokenizer = a.Bytes(), a.plan.Counter.Name()
	if !a.o.Exact && r.Bytes > a.below {
		a.estimate()
	}
	if r.Check != nil {
		a.checked(r.Check)
	}
	if r.Bill != nil {
		r.Bill.Charges = sorted(a.charges, func(x, y Charge) int {
			return cmp.Or(cmp.Compare(x.Model, y.Model), cmp.Compare(x.Cache, y.Cache), slices.Index(rewritten[:], x.Rewriting)-slices.Index(rewritten[:], y.Rewriting))
		})
	}
	a.sum()
	r.Notes = sorted(a.notes, func(x, y Note) int { return cmp.Compare(x.What, y.What) })
	sent, saved := r.Total.Tokens+r.Total.Again, r.Total.Saved.Sum()+r.Total.SavedAgain
	if price := float64(a.o.Price); price > 0 {
		r.Cost = &Cost{price, float64(sent) * price / 1e6, float64(saved) * price / 1e6}
	}
	if w := int(a.o.Window); w > 0 {
		all := w * max(r.Requests, 1)
		r.Window = &Window{w, part(sent, all), part(sent-saved, all)}
	}
	r.Share = part(saved, max(r.Input+r.Uncounted, sent))
	r.Worth = r.Share >= MinShare
	return *r, nil
}

// estimate measures the samples, and puts what they say of all texts in the place of what was
// measured. Where a tool has no sample of a kind, because all its texts were known from another
// one, those of the others say it.
func (a *Auditor) estimate() {
	r := &a.report
	r.Sample = &Sample{}
	all := make(map[Kind][]*text)
	for p, c := range a.cells {
		for _, t := range c.sample.texts {
			if !t.done {
				a.later(func() { a.measureFurther(&job{record: record{text: t}, data: t.data}) })
			}
			if !t.key.isSampled() {
				c.shared = append(c.shared, t)
			}
		}
		all[p.kind] = append(all[p.kind], c.shared...)
		r.Sample.Of += c.open.before
	}
	a.pending.Wait()
	var variances []float64
	estimated := 0
	for p, c := range a.cells {
		s, texts := shareOf(c.shared), max(c.texts, 1)
		r.Sample.Texts += s.texts
		r.Sample.Bytes += s.size
		r.Sample.Tokens += s.before
		if s.texts == 0 { // texts that are another tool's too
			s, texts = shareOf(all[p.kind]), math.MaxInt
		}
		c.open.estimate(s)
		c.again.estimate(s)
		d := s.deviation(texts) * float64(c.open.before)
		variances = append(variances, d*d)
		estimated += c.open.before - c.open.after + c.row.Saved.Sum()
	}
	slices.Sort(variances) // or their sum would depend on the order of the cells
	variance := 0.0
	for _, v := range variances {
		variance += v
	}
	off := int(math.Ceil(2 * math.Sqrt(variance)))
	r.Sample.Low, r.Sample.High = max(0, estimated-off), estimated+off
}

// sum makes the rows of the report, and its rules.
func (a *Auditor) sum() {
	r := &a.report
	r.Total.Name = "all"
	tools, byKind := make(map[string]*Row), make(map[Kind]*Row)
	for p, c := range a.cells {
		saved := Saving{Lines: c.open.before - c.open.after}
		if p.kind == KindJSON {
			saved = Saving{Folding: saved.Lines}
		}
		c.row.add(Row{Saved: saved, SavedAgain: c.again.before - c.again.after, Unchanged: c.open.same - c.open.changed})
		entry(tools, p.tool, Row{Name: p.tool}).add(c.row)
		entry(byKind, p.kind, Row{Name: string(p.kind)}).add(c.row)
		r.Total.add(c.row)
		if p.kind == KindJSON {
			r.Rules = append(r.Rules, a.rules(p.tool, c)...)
		}
	}
	r.Tools = sorted(tools, func(x, y Row) int { return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.Name, y.Name)) })
	r.Kinds = sorted(byKind, func(x, y Row) int { return slices.Index(kinds, Kind(x.Name)) - slices.Index(kinds, Kind(y.Name)) })
	slices.SortStableFunc(r.Rules, func(x, y Rule) int {
		return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.Tool, y.Tool), cmp.Compare(x.Rule, y.Rule))
	})
}

// most is how many rules are measured for a tool, and least the part of its JSON that one
// must save to be named.
const most, least = 3, 0.05

// rules measures what it would save to leave out the members of a tool's results that take
// the most room, on the sample or what there is of one.
func (a *Auditor) rules(tool string, c *cell) (rules []Rule) {
	m, before := make(rewrite.Members), 0
	for _, t := range c.sample.texts {
		before += t.format
		if v, ok := rewrite.Container(t.data); ok {
			m.Add(v)
		}
	}
	for _, pattern := range m.Largest(most) {
		plan := a.plan
		plan.Omit = []string{pattern}
		saved := 0
		for _, t := range c.sample.texts {
			if out, _, err := plan.Text(t.data); err == nil {
				saved += max(0, t.format-out.Tokens)
			}
		}
		if share := part(saved, before); share >= least {
			n := int(share * float64(c.row.Tokens-c.row.Saved.Formats))
			rules = append(rules, Rule{Tool: tool, Rule: "omit:" + pattern, Tokens: n, Part: share})
		}
	}
	return rules
}
