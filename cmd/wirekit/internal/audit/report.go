package audit

import (
	"cmp"
	"maps"
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
	// Share is the part of Input and Uncounted that would have been saved.
	Share float64 `json:"share_saved"`
	Worth bool    `json:"worth_installing"` // Share is at least MinShare
	Notes []Note  `json:"notes"`
}

// MinShare is the part of tokens below which nothing is worth installing.
const MinShare = 0.03

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
}

// A Note is something strange.
type Note struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	First string `json:"first,omitempty"` // a file that has it
}

func (r *Row) sums() []*int {
	return []*int{&r.Results, &r.Images, &r.Tokens, &r.Again, &r.Repeats, &r.RepeatTokens,
		&r.Saved.Formats, &r.Saved.Repeats, &r.Saved.Folding, &r.Saved.Lines, &r.SavedAgain, &r.Unchanged}
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
	share  share // of the sample
	// What folding or lines may save something of: tokens in the best format, new and
	// sent again, and those of texts that no format changed.
	open, openAgain, openSame int
}

// add adds a result.
func (c *cell) add(r record, a *Auditor) {
	row, t := &c.row, r.text
	row.Results++
	if t == nil {
		row.Images++
		return
	}
	row.Tokens += t.tokens
	row.Again += t.tokens * r.again
	if r.repeat && t.tokens > 0 {
		row.Repeats++
		row.RepeatTokens += t.tokens
	}
	if r.failed { // these are left alone
		row.Unchanged += t.tokens
		return
	}
	save := func(by *int, n int) {
		*by += n
		row.SavedAgain += n * r.again
	}
	save(&row.Saved.Formats, t.tokens-t.format)
	switch {
	case r.repeat && r.whole && t.tokens >= a.plan.MinTokens && a.plan.Enough(t.tokens, a.sentence) && a.sentence < t.format:
		save(&row.Saved.Repeats, t.format-a.sentence)
		return
	case !t.may:
	case a.o.Exact && t.kind == KindJSON:
		save(&row.Saved.Folding, t.format-t.more)
	case a.o.Exact:
		save(&row.Saved.Lines, t.format-t.more)
	default:
		c.open += t.format
		c.openAgain += t.format * r.again
		if t.format == t.tokens {
			c.openSame += t.tokens
			return
		}
	}
	if t.format == t.tokens && t.more == t.tokens {
		row.Unchanged += t.tokens
	}
}

// estimate adds what the sample says of the texts that it is of.
func (c *cell) estimate(kind Kind, s share) {
	saved := int(math.Round(s.saved() * float64(c.open)))
	if kind == KindJSON {
		c.row.Saved.Folding += saved
	} else {
		c.row.Saved.Lines += saved
	}
	c.row.SavedAgain += int(math.Round(s.saved() * float64(c.openAgain)))
	c.row.Unchanged += c.openSame - int(math.Round(s.touched()*float64(c.openSame)))
}

// repeated is the sentence that package llm has for a repeat.
const repeated = "Same result as call toolu_01A09q90qw90lq917835lq9."

// Report ends the audit and returns what was found.
func (a *Auditor) Report() (Report, error) {
	var err error
	for _, id := range slices.Sorted(maps.Keys(a.sessions)) {
		a.close(a.sessions[id])
	}
	if a.sentence, err = a.plan.Count(repeated); err != nil {
		return Report{}, err
	}
	a.addUp()
	r := &a.report
	r.Bytes, r.Tokenizer = a.Bytes(), a.plan.Counter.Name()
	if !a.o.Exact {
		a.measureSamples()
		a.estimate()
	}
	a.sum()
	for _, what := range slices.Sorted(maps.Keys(a.notes)) {
		r.Notes = append(r.Notes, *a.notes[what])
	}
	r.Share = part(r.Total.Saved.Sum()+r.Total.SavedAgain, max(r.Input+r.Uncounted, r.Total.Tokens+r.Total.Again))
	r.Worth = r.Share >= MinShare
	return *r, nil
}

// estimate puts what the samples say into the rows. Where a tool has no sample of a kind,
// because all its texts were known from another one, those of the others say it.
func (a *Auditor) estimate() {
	r := &a.report
	r.Sample = &Sample{}
	all := make(map[Kind]*share)
	for p, c := range a.cells {
		if all[p.kind] == nil {
			all[p.kind] = &share{}
		}
		all[p.kind].add(c.share)
		r.Sample.Texts += c.share.texts
		r.Sample.Bytes += c.share.size
		r.Sample.Tokens += c.share.before
		r.Sample.Of += c.open
	}
	for p, c := range a.cells {
		s := c.share
		if s.texts == 0 {
			s = *all[p.kind]
		}
		c.estimate(p.kind, s)
	}
}

// sum makes the rows of the report, and its rules.
func (a *Auditor) sum() {
	r := &a.report
	r.Total.Name = "all"
	tools, byKind := make(map[string]*Row), make(map[string]*Row)
	add := func(rows map[string]*Row, name string, row Row) {
		if rows[name] == nil {
			rows[name] = &Row{Name: name}
		}
		rows[name].add(row)
	}
	for p, c := range a.cells {
		add(tools, p.tool, c.row)
		add(byKind, string(p.kind), c.row)
		r.Total.add(c.row)
		if p.kind == KindJSON {
			r.Rules = append(r.Rules, a.rules(p.tool, c)...)
		}
	}
	r.Tools, r.Kinds, r.Notes = []Row{}, []Row{}, []Note{}
	for _, row := range tools {
		r.Tools = append(r.Tools, *row)
	}
	slices.SortFunc(r.Tools, func(x, y Row) int { return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.Name, y.Name)) })
	for _, kind := range kinds {
		if row := byKind[string(kind)]; row != nil {
			r.Kinds = append(r.Kinds, *row)
		}
	}
	slices.SortFunc(r.Rules, func(x, y Rule) int {
		return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.Tool, y.Tool), cmp.Compare(x.Rule, y.Rule))
	})
}

// most is how many rules are measured for a tool, and least the part of its JSON that one
// must save to be named.
const (
	most  = 3
	least = 0.05
)

// rules measures what it would save to leave out the members of a tool's results that take
// the most room, on the sample or what there is of one.
func (a *Auditor) rules(tool string, c *cell) (rules []Rule) {
	m := make(rewrite.Members)
	for _, t := range c.sample.texts {
		if v, ok := rewrite.Container(string(t.data)); ok {
			m.Add(v)
		}
	}
	for _, pattern := range m.Largest(most) {
		plan := a.plan
		plan.Omit = []string{pattern}
		before, after := 0, 0
		for _, t := range c.sample.texts {
			n := t.format
			if out, _, err := plan.Text(string(t.data)); err == nil {
				n = min(n, out.Tokens)
			}
			before, after = before+t.format, after+n
		}
		if saved := part(before-after, before); saved >= least {
			n := int(saved * float64(c.row.Tokens-c.row.Saved.Formats))
			rules = append(rules, Rule{Tool: tool, Rule: "omit:" + pattern, Tokens: n, Part: saved})
		}
	}
	return rules
}
