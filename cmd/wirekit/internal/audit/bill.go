package audit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// Rates say what tokens cost, and by which rules a provider keeps prefixes. A price is of a
// million tokens.
type Rates struct {
	Currency string
	Models   map[string]Rate // by patterns of names
}

// A Rate is what tokens of a model cost, and how its API keeps prefixes of requests.
type Rate struct {
	API    string  `json:"api"`
	Input  float64 `json:"input"` // negative if it is not given, as each price
	Output float64 `json:"output"`
	Read   float64 `json:"read"`
	Write  float64 `json:"write"` // 0 where writing has no price of its own

	Minimum     int    `json:"minimum"`     // tokens of the shortest prefix that is kept
	Step        int    `json:"step"`        // what is read is the minimum and steps of so many tokens
	Lifetime    string `json:"lifetime"`    // after the last request
	Breakpoints int    `json:"breakpoints"` // of a request, whose prefixes are kept; 0: any prefix is
	Lookback    int    `json:"lookback"`    // how many blocks before a breakpoint an earlier one is found

	lifetime time.Duration
}

// apis are the rules of APIs, as far as a rate does not say otherwise.
var apis = map[string]Rate{
	"anthropic":          {Write: -1, Minimum: 1024, Step: 1, Lifetime: "5m", Breakpoints: 4, Lookback: 20},
	"openai":             {Minimum: 1024, Step: 128, Lifetime: "10m"},
	"openai-breakpoints": {Write: -1, Minimum: 1024, Step: 1, Lifetime: "30m", Breakpoints: 4},
	"gemini":             {Minimum: 2048, Step: 1, Lifetime: "5m"},
}

// ReadRates reads rates that are YAML or JSON.
func ReadRates(text []byte) (*Rates, error) {
	v, err := yaml.Codec{}.Decode(text)
	if err != nil {
		return nil, err
	}
	var form struct {
		Currency string                `json:"currency"`
		Models   map[string]wire.Value `json:"models"`
	}
	if err := (wire.Options{RejectUnknownMembers: true}).ToGo(v, &form); err != nil {
		return nil, err
	}
	if len(form.Models) == 0 {
		return nil, errors.New("no models: give each a name and its prices below models")
	}
	r := &Rates{Currency: form.Currency, Models: make(map[string]Rate)}
	for name, v := range form.Models {
		if r.Models[name], err = readRate(v); err != nil {
			return nil, fmt.Errorf("models: %s: %w", name, err)
		}
	}
	return r, nil
}

func readRate(v wire.Value) (Rate, error) {
	api, _ := v.Get("api")
	r, ok := apis[api.Text()]
	if !ok {
		return r, fmt.Errorf("api must be one of %q", slices.Sorted(maps.Keys(apis)))
	}
	r.Input, r.Output, r.Read = -1, -1, -1
	err := (wire.Options{RejectUnknownMembers: true}).ToGo(v, &r)
	if err != nil {
		return r, err
	}
	for i, price := range []float64{r.Input, r.Output, r.Read, r.Write} {
		if !(price >= 0 && price < math.MaxInt32) {
			return r, fmt.Errorf("%s is missing or not a price of a million tokens", []string{"input", "output", "read", "write"}[i])
		}
	}
	if min(r.Minimum, r.Step-1, r.Breakpoints, r.Lookback) < 0 || max(r.Minimum, r.Step, r.Breakpoints, r.Lookback) > math.MaxInt32 {
		return r, errors.New("minimum, breakpoints and lookback must be 0 or more, and step 1 or more")
	}
	if r.lifetime, err = time.ParseDuration(r.Lifetime); err != nil || r.lifetime < 0 {
		return r, fmt.Errorf("lifetime is %q; it must be a time such as 5m or 1h", r.Lifetime)
	}
	return r, nil
}

// of returns the rate of a model: that of the longest pattern that fits its name.
func (r *Rates) of(model string) (Rate, bool) {
	fit := slices.DeleteFunc(slices.Collect(maps.Keys(r.Models)), func(pattern string) bool { return !rewrite.Matches(pattern, model) })
	if len(fit) == 0 {
		return Rate{}, false
	}
	return r.Models[slices.MinFunc(fit, func(p, q string) int { return cmp.Or(len(q)-len(p), cmp.Compare(p, q)) })], true
}

// A turn is a request of a conversation.
type turn struct {
	at            time.Time // of the answer; zero if unknown
	model         string
	input, output int // tokens by the provider's count; 0 if unknown
	said          int // tokens of what messages say, by ours
	tokens        int // of all of it, in one of the cases of a bill
	blocks        int // of content so far
	last          int // the record that ends what it carries
	context       int // another number where it does not begin as the one before it
}

// A Bill is what requests cost, played again by the rules of their APIs.
type Bill struct {
	Currency  string   `json:"currency,omitempty"`
	Requests  int      `json:"requests"`
	Skipped   int      `json:"requests_without_rate"`
	Estimated int      `json:"requests_estimated"` // no provider's count of their tokens
	Untimed   int      `json:"requests_untimed"`   // whose prefixes count as kept
	Charges   []Charge `json:"charges"`
}

// A Charge is what the requests to a model take in one of six cases, and what that costs.
type Charge struct {
	Model     string `json:"model"`
	API       string `json:"api"`
	Requests  int    `json:"requests"`
	Cache     string `json:"cache"`     // one of caches
	Rewriting string `json:"rewriting"` // one of rewritten

	Read    int     `json:"read"` // tokens
	Written int     `json:"written"`
	Input   int     `json:"input"` // neither read nor written
	Output  int     `json:"output"`
	Cost    float64 `json:"cost"`
}

// The cases of a bill. A cold cache is empty when a conversation begins; a warm one has what
// a request has beside its messages. All rewriting is all that is measured.
var (
	caches    = [...]string{"cold", "warm"}
	rewritten = [...]string{"none", "default", "all"}
)

// add adds a request. The provider had the last one to the model, which is zero before the first,
// and so many tokens that are before its messages.
func (c *Charge) add(r Rate, t, had turn, base int) {
	read, written := 0, 0
	if common := min(r.common(t, had, base), t.tokens); common >= r.Minimum {
		read = common - (common-r.Minimum)%r.Step
	}
	if r.Write > 0 && t.tokens >= r.Minimum {
		written = t.tokens - read
	}
	input := t.tokens - read - written
	c.Requests++
	c.Read += read
	c.Written += written
	c.Input += input
	c.Output += t.output
	c.Cost += (float64(read)*r.Read + float64(written)*r.Write + float64(input)*r.Input + float64(t.output)*r.Output) / 1e6
}

// common returns how much of a request is kept. Where that takes breakpoints, a client has
// one at the end of a request, one where the last request ended, and one before the
// messages; with fewer it does without the last ones.
func (r Rate) common(t, had turn, base int) int {
	found := r.Breakpoints == 0 || r.Breakpoints >= 2 || r.Lookback > 0 && t.blocks-had.blocks <= r.Lookback
	switch {
	case !t.at.IsZero() && !had.at.IsZero() && t.at.Sub(had.at) > r.lifetime:
		return 0
	case had.tokens >= max(r.Minimum, 1) && had.context == t.context && found:
		return had.tokens
	case r.Breakpoints == 0 || r.Breakpoints >= 3:
		return base
	}
	return 0
}

// bill adds a conversation up.
func (a *Auditor) bill(t *thread) {
	b, sums := a.report.Bill, a.sumsOf(t)
	offset, base := 0, -1 // what requests have beside what is counted here
	had := make(map[Charge]turn)
	for _, turn := range t.turns {
		b.Requests++
		ours := turn.said + sums[turn.last][0]
		if turn.input > 0 {
			offset = turn.input - ours
		}
		if base < 0 {
			base = max(offset, 0)
		}
		rate, ok := a.o.Rates.of(turn.model)
		if !ok {
			b.Skipped++
			a.note(noteRate+" "+cmp.Or(turn.model, "(unknown)"), t.name)
			continue
		}
		b.Estimated += one(turn.input == 0)
		b.Untimed += one(turn.at.IsZero())
		for i, rewriting := range rewritten {
			turn.tokens = max(turn.said+sums[turn.last][i]+offset, 0)
			for _, kept := range caches {
				k, before := Charge{Model: turn.model, API: rate.API, Cache: kept, Rewriting: rewriting}, base
				last, known := had[k]
				if !known && kept == caches[0] {
					before = 0
				}
				entry(a.charges, k, k).add(rate, turn, last, before)
				had[k] = turn
			}
		}
	}
}

// sumsOf returns the tokens of a thread's records after each rewriting, each with those before it
// in its context.
func (a *Auditor) sumsOf(t *thread) [][len(rewritten)]int {
	sums := make([][len(rewritten)]int, len(t.records))
	for i, r := range t.records {
		formats, repeats, further := a.saving(r)
		for j, saved := range []int{0, formats, formats + repeats + further} {
			sums[i][j] = sums[r.before][j] + r.text.tokens - saved
		}
	}
	return sums
}
