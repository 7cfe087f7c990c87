package audit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/wirekit/wirekit/internal/rewrite"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// Rates say what tokens cost, and by which rules a provider keeps prefixes. A price is of a
// million tokens.
type Rates struct {
	Currency string          `json:"currency"`
	Models   map[string]Rate `json:"models"` // by patterns of names
}

// A Rate is what a model costs.
type Rate struct {
	API         string   `json:"api"`
	Input       *float64 `json:"input"`
	Output      *float64 `json:"output"`
	Read        *float64 `json:"read"`
	Write       *float64 `json:"write"`
	Minimum     *int     `json:"minimum"`
	Step        *int     `json:"step"`
	Lifetime    *string  `json:"lifetime"`
	Breakpoints *int     `json:"breakpoints"`
	Lookback    *int     `json:"lookback"`

	rules
}

// rules are how an API keeps prefixes of requests.
type rules struct {
	minimum     int           // tokens of the shortest prefix that is kept
	step        int           // what is read is the minimum and steps of so many tokens
	lifetime    time.Duration // after it was last written or read
	breakpoints int           // of a request, whose prefixes are kept; 0: any prefix is
	lookback    int           // how many blocks before a breakpoint an earlier one is found; 0: none
	written     bool          // writing has a price of its own
}

// apis are the rules of APIs, as far as a rate does not say otherwise.
var apis = map[string]rules{
	"anthropic":          {minimum: 1024, step: 1, lifetime: 5 * time.Minute, breakpoints: 4, lookback: 20, written: true},
	"openai":             {minimum: 1024, step: 128, lifetime: 10 * time.Minute},
	"openai-breakpoints": {minimum: 1024, step: 1, lifetime: 30 * time.Minute, breakpoints: 4, written: true},
	"gemini":             {minimum: 2048, step: 1, lifetime: 5 * time.Minute},
}

// ReadRates reads rates that are YAML or JSON.
func ReadRates(text []byte) (*Rates, error) {
	v, err := yaml.Codec{}.Decode(text)
	if err != nil {
		return nil, err
	}
	r := new(Rates)
	if err := (wire.Options{RejectUnknownMembers: true}).ToGo(v, r); err != nil {
		return nil, err
	}
	if len(r.Models) == 0 {
		return nil, errors.New("no models: give each a name and its prices below models")
	}
	for name, rate := range r.Models {
		if err := rate.resolve(); err != nil {
			return nil, fmt.Errorf("models: %s: %w", name, err)
		}
		r.Models[name] = rate
	}
	return r, nil
}

// resolve checks a rate and sets its rules.
func (r *Rate) resolve() (err error) {
	var ok bool
	if r.rules, ok = apis[r.API]; !ok {
		return fmt.Errorf("api is %q; it must be one of %q", r.API, slices.Sorted(maps.Keys(apis)))
	}
	for _, p := range []struct {
		name  string
		price *float64
		must  bool
	}{{"input", r.Input, true}, {"output", r.Output, true}, {"read", r.Read, true}, {"write", r.Write, r.written}} {
		if p.price == nil && p.must || p.price != nil && !(*p.price >= 0 && *p.price < math.MaxInt32) {
			return fmt.Errorf("%s is missing or not a price of a million tokens", p.name)
		}
	}
	r.written = r.Write != nil
	for _, n := range []struct {
		name  string
		value *int
		rule  *int
		least int
	}{{"minimum", r.Minimum, &r.minimum, 0}, {"step", r.Step, &r.step, 1}, {"breakpoints", r.Breakpoints, &r.breakpoints, 0}, {"lookback", r.Lookback, &r.lookback, 0}} {
		if n.value != nil {
			*n.rule = *n.value
		}
		if *n.rule < n.least || *n.rule > math.MaxInt32 {
			return fmt.Errorf("%s must be at least %d", n.name, n.least)
		}
	}
	if r.Lifetime != nil {
		if r.lifetime, err = time.ParseDuration(*r.Lifetime); err != nil || r.lifetime < 0 {
			return fmt.Errorf("lifetime is %q; it must be a time such as 5m or 1h", *r.Lifetime)
		}
	}
	return nil
}

// of returns the rate of a model: that of the longest pattern that fits its name.
func (r *Rates) of(model string) (rate Rate, ok bool) {
	most := ""
	for pattern, have := range r.Models {
		if rewrite.Matches(pattern, model) && (!ok || len(pattern) > len(most) || len(pattern) == len(most) && pattern < most) {
			rate, most, ok = have, pattern, true
		}
	}
	return rate, ok
}

// A turn is a request of a conversation.
type turn struct {
	at            time.Time // of the answer; zero if unknown
	model         string
	input, output int   // tokens by the provider's count; 0 if unknown
	said          int   // tokens of what messages say, by ours
	blocks        int   // of content so far
	results       []int // records that it carries, or
	from, to      int   // these
	context       int   // another number where it does not begin as the one before it
}

// A Bill is what requests cost, played again by the rules of their APIs.
type Bill struct {
	Currency  string      `json:"currency,omitempty"`
	Requests  int         `json:"requests"`
	Skipped   int         `json:"requests_without_rate"`
	Estimated int         `json:"requests_estimated"` // no provider's count of their tokens
	Untimed   int         `json:"requests_untimed"`   // whose prefixes count as kept
	Models    []ModelBill `json:"models"`
	Total     Costs       `json:"total"`
}

// A ModelBill is the part of a model.
type ModelBill struct {
	Model    string `json:"model"`
	API      string `json:"api"`
	Requests int    `json:"requests"`
	// Cold begins each conversation without a cache; Warm has in it what is the same in
	// all conversations: what a request has beside its messages.
	Cold Cases `json:"cold"`
	Warm Cases `json:"warm"`
}

// Cases are the same requests as they were, with what is done by default, and with all that
// is measured.
type Cases struct {
	AsTheyWere Charge `json:"as_they_were"`
	Default    Charge `json:"default"`
	All        Charge `json:"all"`
}

// Costs are the sums over all models.
type Costs struct {
	Cold [3]float64 `json:"cold"`
	Warm [3]float64 `json:"warm"`
}

// A Charge is tokens and what they cost.
type Charge struct {
	Read    int     `json:"read"`
	Written int     `json:"written"`
	Input   int     `json:"input"` // neither read nor written
	Output  int     `json:"output"`
	Cost    float64 `json:"cost"`
}

func (c *Cases) all() [3]*Charge { return [3]*Charge{&c.AsTheyWere, &c.Default, &c.All} }

// A cache is what a provider has of a conversation: the last request to a model. What is
// zero but its time is there before the first one.
type cache struct {
	turn
	tokens int // of the request
	base   int // of what is before its messages
}

// charge adds a request of so many tokens to a bill.
func (c *Charge) charge(r Rate, t turn, tokens int, had cache) {
	common := 0
	if t.at.IsZero() || had.at.IsZero() || t.at.Sub(had.at) <= r.lifetime {
		common = min(r.common(t, had), tokens)
	}
	read := 0
	if common >= r.minimum {
		read = common - (common-r.minimum)%r.step
	}
	written := 0
	if r.written && tokens >= r.minimum {
		written = tokens - read
	}
	c.Read += read
	c.Written += written
	c.Input += tokens - read - written
	c.Output += t.output
	price := func(n int, p *float64) float64 {
		if p == nil {
			return 0
		}
		return float64(n) * *p / 1e6
	}
	c.Cost += price(read, r.Read) + price(written, r.Write) + price(tokens-read-written, r.Input) + price(t.output, r.Output)
}

// common returns how much of a request is kept. Where that takes breakpoints, a client has
// one at the end of a request, one where the last request ended, and one before the
// messages; with fewer it does without the last ones.
func (r rules) common(t turn, had cache) int {
	found := r.breakpoints == 0 || r.breakpoints >= 2 || r.lookback > 0 && t.blocks-had.blocks <= r.lookback
	if had.tokens >= max(r.minimum, 1) && had.context == t.context && found {
		return had.tokens
	}
	if r.breakpoints == 0 || r.breakpoints >= 3 {
		return had.base
	}
	return 0
}

// bill adds a conversation up.
func (a *Auditor) bill(t *thread) {
	before, savings := sumsOf(t, a)
	offset, base := 0, -1          // what requests have beside what is counted here
	var had [2][3]map[string]cache // by models
	for i := range had {
		for j := range had[i] {
			had[i][j] = make(map[string]cache)
		}
	}
	for _, turn := range t.turns {
		rate, ok := a.o.Rates.of(turn.model)
		if !ok {
			a.bills.Skipped++
			a.note(noteRate+" "+cmp.Or(turn.model, "(unknown)"), t.name)
		}
		ours := turn.said + turn.carried(before)
		if turn.input > 0 {
			offset = turn.input - ours
		}
		if base < 0 {
			base = max(offset, 0)
		}
		a.bills.Requests++
		if !ok {
			continue
		}
		b := a.bills.model(turn.model, rate.API)
		b.Requests++
		if turn.input == 0 {
			a.bills.Estimated++
		}
		if turn.at.IsZero() {
			a.bills.Untimed++
		}
		for j, saved := range [3]int{0, turn.carried(savings[0]), turn.carried(savings[1])} {
			sent := max(ours+offset-saved, 0)
			for i, cases := range [2]*Cases{&b.Cold, &b.Warm} {
				last, known := had[i][j][turn.model]
				if !known && i == 1 {
					last = cache{base: base}
				}
				cases.all()[j].charge(rate, turn, sent, last)
				had[i][j][turn.model] = cache{turn, sent, base}
			}
		}
	}
}

// sumsOf returns the tokens of a thread's records and what is saved of them, by default and
// in all, as sums of those before each.
func sumsOf(t *thread, a *Auditor) (before []int, savings [2][]int) {
	before = make([]int, len(t.records)+1)
	savings = [2][]int{make([]int, len(t.records)+1), make([]int, len(t.records)+1)}
	for i, r := range t.records {
		s, n := Saving{}, 0
		if r.text != nil {
			s, n = a.saving(r), r.text.tokens
		}
		before[i+1] = before[i] + n
		savings[0][i+1] = savings[0][i] + s.Formats
		savings[1][i+1] = savings[1][i] + s.Sum()
	}
	return before, savings
}

// carried returns the sum of the records that a request carries.
func (t turn) carried(sums []int) (n int) {
	for _, i := range t.results {
		n += sums[i+1] - sums[i]
	}
	return n + sums[t.to] - sums[t.from]
}

func (b *Bill) model(name, api string) *ModelBill {
	i := slices.IndexFunc(b.Models, func(m ModelBill) bool { return m.Model == name })
	if i < 0 {
		i, b.Models = len(b.Models), append(b.Models, ModelBill{Model: name, API: api})
	}
	return &b.Models[i]
}

// billed returns the bill.
func (a *Auditor) billed() *Bill {
	b := &a.bills
	b.Currency = a.o.Rates.Currency
	slices.SortFunc(b.Models, func(x, y ModelBill) int { return cmp.Compare(x.Model, y.Model) })
	for i := range b.Models {
		m := &b.Models[i]
		for j := range 3 {
			b.Total.Cold[j] += m.Cold.all()[j].Cost
			b.Total.Warm[j] += m.Warm.all()[j].Cost
		}
	}
	return b
}
