package render

import (
	"bytes"
	"cmp"
	"math/bits"
	"runtime"
	"slices"

	"github.com/wirekit/wirekit/internal/base/parallel"
	"github.com/wirekit/wirekit/tokens"
)

// A table of what every item costs at every level, in tokens of the counter.
// An item is counted with the separator that follows it, so that the sum over
// items is what their texts cost together.
type costTable struct {
	items   [][levelFull + 1]int
	wrapper int // what is before and after all items
	shared  int // the line for all code that is not shown
}

// Costs that are not numbers of tokens: of a level that an item does not have,
// and of one that costs more than was counted, which no budget at hand allows.
const (
	absent = -1
	beyond = int(^uint(0)>>1) / 4
)

// Costs are counted up to a bound that is well above the budget and the same
// for many budgets: what fits must not depend on where counting stopped.
const (
	leastBound = 4096
	boundOver  = 8
)

// tokenBytes is the most text that one token is taken to stand for. A block of
// more text than the bound allows is not counted at all.
const tokenBytes = 1024

// sampled is the length of content from which the number in a placeholder is
// an estimate: that of the first part, in proportion.
const sampled = 64 << 10

func boundFor(budget int) int {
	const most = int(^uint(0)>>1) / (2 * tokenBytes)
	if budget > most/boundOver/2 {
		return most
	}
	return max(leastBound, boundOver<<bits.Len(uint(max(0, budget))))
}

// newCosts counts what every item costs at every level, as far as a budget
// can matter.
func (r *renderer) newCosts(budget int) (*costTable, error) {
	bound := boundFor(budget)
	// A tree that cannot fit is not listed to its end.
	if most := bound * tokenBytes; most < r.limit {
		defer func(limit int) { r.limit = limit }(r.limit)
		r.limit = most
	}
	t := &costTable{items: make([][levelFull + 1]int, len(r.items))}
	r.tokens = make([]int, len(r.items))
	before, after := r.wrapper()
	for _, s := range []string{before, after} {
		n, err := r.count([]byte(s))
		if err != nil {
			return nil, err
		}
		t.wrapper += n
	}
	if err := r.countItems(t, bound); err != nil {
		return nil, err
	}
	if r.o.Compact {
		return t, r.share(t)
	}
	r.fewPlaceholders(t)
	return t, nil
}

// mostPlaceholders is how many blocks a text may name that it does not show.
// The names of hundreds would leave no room for content.
const mostPlaceholders = 64

// fewPlaceholders takes placeholders away from all but the first blocks by
// rank.
func (r *renderer) fewPlaceholders(t *costTable) {
	for _, i := range r.byRank()[min(mostPlaceholders, len(r.items)):] {
		if t.top(i) != levelPlaceholder {
			t.items[i][levelPlaceholder] = absent
		}
	}
}

// byRank returns the items' indexes, the highest rank first.
func (r *renderer) byRank() []int {
	order := make([]int, len(r.items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.items[i].rank, r.items[j].rank) })
	return order
}

// leastShared is the number of items from which several goroutines count.
const leastShared = 64

// countItems fills in the costs of all items, which several goroutines count.
func (r *renderer) countItems(t *costTable, bound int) error {
	workers := 1
	if len(r.items) >= leastShared && r.o.Data == nil {
		workers = min(runtime.GOMAXPROCS(0), 16)
	}
	renderers := make([]renderer, workers)
	for n := range renderers {
		renderers[n] = *r
		renderers[n].scratch, renderers[n].invalid = nil, nil
	}
	return parallel.Each(workers, len(r.items), func(worker, i int) error { return renderers[worker].countItem(t, i, bound) })
}

// countItem fills in the costs of item i and the number in its placeholder.
func (r *renderer) countItem(t *costTable, i, bound int) error {
	it, cost := &r.items[i], &t.items[i]
	*cost = [levelFull + 1]int{levelPlaceholder: absent, levelLine: absent, levelBrief: absent, levelSummary: absent, levelFull: absent}
	for level := levelFull; level > levelOmitted; level-- {
		if !r.offers(it, level) {
			continue
		}
		r.scratch = r.appendItem(r.scratch[:0], i, level)
		long := len(r.scratch) > sampled
		n, err := r.costOf(r.scratch, bound)
		if err != nil {
			return err
		}
		if cost[level] = n; n > bound {
			cost[level] = beyond
		}
		if level == levelPlaceholder {
			break
		}
		if long {
			if n, err = r.sample(r.scratch[:len(r.scratch)-len(separator)]); err != nil {
				return err
			}
		}
		r.tokens[i] = max(r.tokens[i], n)
	}
	dropUseless(cost)
	return nil
}

// costOf counts the text of an item and its separator. Short texts are counted
// to the end, longer ones up to the bound.
func (r *renderer) costOf(text []byte, bound int) (int, error) {
	r.scratch = append(text, separator...)
	if len(text) <= sampled {
		return r.count(r.scratch)
	}
	if len(text) > bound*tokenBytes {
		return bound + 1, nil
	}
	n, err := tokens.CountUpTo(r.counter, r.scratch, bound)
	if err != nil {
		return 0, failure("counter", err, "%v", err)
	}
	return n, nil
}

// sample estimates what a long text costs.
func (r *renderer) sample(text []byte) (int, error) {
	part := text[:sampled]
	if i := bytes.LastIndexByte(part, '\n'); i > sampled/2 {
		part = part[:i+1]
	}
	n, err := r.count(part)
	return int(float64(n) * float64(len(text)) / float64(len(part))), err
}

// offers reports whether the item can be shown at a level.
func (r *renderer) offers(it *item, level amount) bool {
	isSummary := level >= levelLine && level <= levelSummary
	// decide has set the highest level that the verbosity asks for.
	return level <= it.level &&
		(!isSummary || r.o.Verbosity != VerbosityFull && r.showsSummary(it) && it.hasLevel(level))
}

// dropUseless takes away the levels that cost no less than a higher one.
func dropUseless(cost *[levelFull + 1]int) {
	least := beyond + 1
	for level := levelFull; level > levelOmitted; level-- {
		if cost[level] >= least {
			cost[level] = absent
		} else if cost[level] != absent {
			least = cost[level]
		}
	}
}

// top returns the highest level that an item has.
func (t *costTable) top(i int) amount {
	for level := levelFull; level > levelOmitted; level-- {
		if t.items[i][level] != absent {
			return level
		}
	}
	return levelOmitted
}

// lowest returns the shortest summary of an item, if it has one, else its
// lowest level.
func (t *costTable) lowest(i int) amount {
	for _, level := range []amount{levelLine, levelBrief, levelSummary, levelPlaceholder} {
		if t.items[i][level] != absent {
			return level
		}
	}
	return levelFull
}
