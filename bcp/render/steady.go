package render

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/bcp"
)

// The policy PolicySteady spends a budget in steps. A step lifts one block to a higher
// level. The sequence of steps depends on the payload and the counter only,
// not on the budget, and the budget decides how many of them are taken. That
// is why more budget never shows less: it takes the same steps and some more.
//
// The sequence must not stall at a large block in front of many small ones, so
// it is made in phases, each with a threshold a fourth above the one before. In
// a phase blocks are lifted by rank as far as the threshold allows, and those
// that do not fit are passed over until a later phase.

// firstThreshold is the threshold of the first phase, in tokens.
const firstThreshold = 8

// While a block waits for more room, all blocks of lower rank together may
// take a fourth of the threshold, so that they cannot keep it out; and all
// placeholders together an eighth, so that they leave room for content.
const (
	lowerShare       = 4
	placeholderShare = 8
)

// wrapperSlack is what the text can cost beyond the sum of its parts: the last
// block is followed by one line break where two were counted.
const wrapperSlack = 2

// A plan makes the sequence of steps.
type plan struct {
	items  []item
	costs  *costTable
	levels []amount
	order  []int // of blocks, by rank
	total  int
	limit  int // the budget
	steps  []step
	done   bool // a step did not fit in the budget

	spent        [bcp.PriorityBackground + 1]int // by rank
	placeholders int
}

type step struct {
	item     int
	from, to amount
}

func (r *renderer) steady(budget int) error {
	t, err := r.newCosts(budget)
	if err != nil {
		return err
	}
	if done, err := r.fitAll(t, budget); done || err != nil {
		return err
	}
	p := &plan{items: r.items, costs: t, levels: make([]amount, len(r.items)), order: r.byRank(),
		total: t.wrapper + t.shared + wrapperSlack, limit: budget}
	p.critical()
	// A threshold that leaves room for the largest block within the budget,
	// at the share of the lowest rank, has seen every step that fits.
	most := 2 * placeholderShare * boundFor(budget)
	for threshold := firstThreshold; !p.done && !p.complete() && threshold < most; threshold += threshold / 4 {
		p.phase(p.spent[bcp.PriorityCritical] + threshold)
	}
	return r.apply(p, budget)
}

func (p *plan) complete() bool {
	for i := range p.items {
		if p.levels[i] < p.costs.top(i) {
			return false
		}
	}
	return true
}

// rise returns what lifting a block to a level costs, and whether the block
// has that level and is below it.
func (p *plan) rise(i int, to amount) (int, bool) {
	if p.costs.items[i][to] < 0 || to <= p.levels[i] {
		return 0, false
	}
	return p.costs.items[i][to] - p.costs.items[i][p.levels[i]], true
}

// lift takes the step, if the budget has room for it. A step that has none
// ends the sequence.
func (p *plan) lift(i int, to amount) {
	rise, ok := p.rise(i, to)
	if !ok || p.done {
		return
	}
	if rise > p.limit-p.total {
		p.done = true
		return
	}
	p.steps = append(p.steps, step{i, p.levels[i], to})
	p.total += rise
	p.spent[p.items[i].rank] += rise
	if p.levels[i] == levelPlaceholder {
		p.placeholders -= p.costs.items[i][levelPlaceholder]
	}
	if to == levelPlaceholder {
		p.placeholders += rise
	}
	p.levels[i] = to
}

// critical lifts the critical blocks, the cheapest first. Before that it lifts
// them to their lowest levels, if that costs little in comparison, so that a
// budget too small for all of them shows at least what there is.
func (p *plan) critical() {
	var blocks []int
	low, top := 0, 0
	for _, i := range p.order {
		if p.items[i].rank == bcp.PriorityCritical {
			blocks = append(blocks, i)
			low += p.costs.items[i][p.costs.lowest(i)]
			top += p.costs.items[i][p.costs.top(i)]
		}
	}
	if low <= top/lowerShare {
		for _, i := range blocks {
			p.lift(i, p.costs.lowest(i))
		}
	}
	slices.SortStableFunc(blocks, func(i, j int) int {
		return cmp.Compare(p.costs.items[i][p.costs.top(i)], p.costs.items[j][p.costs.top(j)])
	})
	for _, i := range blocks {
		p.lift(i, p.costs.top(i))
	}
}

// phase lifts blocks by rank as far as the threshold allows.
func (p *plan) phase(threshold int) {
	base := p.spent[bcp.PriorityCritical]
	waiting := bcp.PriorityBackground // the highest rank with a block that does not fit
	for _, i := range p.order {
		rank := p.items[i].rank
		if rank == bcp.PriorityCritical {
			continue
		}
		room := threshold - p.used()
		if rank > waiting {
			room = min(room, (threshold-base)/lowerShare-p.below(waiting))
		}
		for to := levelFull; to >= levelLine; to-- {
			if rise, ok := p.rise(i, to); ok && rise <= room {
				p.lift(i, to)
			}
		}
		if p.levels[i] < p.costs.top(i) {
			waiting = min(waiting, rank)
		}
	}
	for _, i := range p.order {
		rise, ok := p.rise(i, levelPlaceholder)
		if ok && p.items[i].rank != bcp.PriorityCritical && rise <= threshold-p.used() &&
			p.placeholders+rise <= (threshold-base)/placeholderShare {
			p.lift(i, levelPlaceholder)
		}
	}
}

// used returns what all blocks cost so far.
func (p *plan) used() int { return p.below(0) }

// below returns what the blocks of lower rank cost so far.
func (p *plan) below(rank bcp.Priority) int {
	n := 0
	for r := rank + 1; int(r) < len(p.spent); r++ {
		n += p.spent[r]
	}
	return n
}

// apply sets the levels that the plan arrived at and holds the text against
// the budget. It takes steps back only if the counter is not one as Counter
// describes.
func (r *renderer) apply(p *plan, budget int) error {
	for i := range r.items {
		r.items[i].level = p.levels[i]
	}
	for {
		n, shown, err := r.tokensOf(nil)
		if err != nil {
			return err
		}
		if shown == 0 {
			return r.tooSmall(p.costs, budget)
		}
		if n <= budget {
			return nil
		}
		last := p.steps[len(p.steps)-1]
		p.steps = p.steps[:len(p.steps)-1]
		r.items[last.item].level = last.from
	}
}
