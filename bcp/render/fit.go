package render

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// The policy Fit spends a budget in steps. A step lifts one block to a higher
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
	costs  [][LevelFull + 1]int // by level; -1 for a level the block does not have
	levels []Level
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
	from, to Level
}

func (r *renderer) fit(budget int) error {
	p, err := r.newPlan(budget)
	if err != nil {
		return err
	}
	p.critical()
	for threshold := firstThreshold; !p.done && !p.complete(); threshold += threshold / 4 {
		p.phase(p.spent[bcp.PriorityCritical] + threshold)
	}
	return r.apply(p, budget)
}

// newPlan counts what every block costs at every level.
func (r *renderer) newPlan(budget int) (*plan, error) {
	p := &plan{
		items:  r.items,
		costs:  make([][LevelFull + 1]int, len(r.items)),
		levels: make([]Level, len(r.items)),
		order:  make([]int, len(r.items)),
		limit:  budget,
	}
	r.tokens = make([]int, len(r.items))
	var text []byte
	for i := range r.items {
		it := &r.items[i]
		p.order[i] = i
		cost := &p.costs[i]
		*cost = [LevelFull + 1]int{LevelPlaceholder: -1, LevelSummary: -1, LevelFull: -1}
		for _, level := range []Level{LevelFull, LevelSummary, LevelPlaceholder} {
			if !r.offers(it, level) {
				continue
			}
			text = append(r.appendItem(text[:0], i, level), separator...)
			n, err := r.count(text)
			if err != nil {
				return nil, err
			}
			cost[level] = n
			r.tokens[i] = max(r.tokens[i], n)
		}
		dropUseless(cost)
	}
	slices.SortStableFunc(p.order, func(i, j int) int { return cmp.Compare(r.items[i].rank, r.items[j].rank) })
	before, after := r.wrapper()
	for _, s := range []string{before, after} {
		n, err := r.count([]byte(s))
		if err != nil {
			return nil, err
		}
		p.total += n
	}
	p.total += wrapperSlack
	return p, nil
}

// offers reports whether the item can be shown at a level.
func (r *renderer) offers(it *item, level Level) bool {
	// decide has set the highest level that the verbosity asks for.
	if level > it.level {
		return false
	}
	if level == LevelSummary {
		hidden := r.o.Verbosity == Full || r.o.Plain && it.part.what != "code"
		return r.summary(it) != nil && !hidden
	}
	return true
}

// dropUseless takes away the levels that cost no less than a higher one.
func dropUseless(cost *[LevelFull + 1]int) {
	least := -1
	for level := LevelFull; level > LevelOmitted; level-- {
		if cost[level] >= 0 && least >= 0 && cost[level] >= least {
			cost[level] = -1
		}
		if cost[level] >= 0 {
			least = cost[level]
		}
	}
}

// top returns the highest level that a block has.
func (p *plan) top(i int) Level {
	for level := LevelFull; level > LevelOmitted; level-- {
		if p.costs[i][level] >= 0 {
			return level
		}
	}
	return LevelOmitted
}

func (p *plan) complete() bool {
	for i := range p.items {
		if p.levels[i] < p.top(i) {
			return false
		}
	}
	return true
}

// rise returns what lifting a block to a level costs, and whether the block
// has that level and is below it.
func (p *plan) rise(i int, to Level) (int, bool) {
	if p.costs[i][to] < 0 || to <= p.levels[i] {
		return 0, false
	}
	return p.costs[i][to] - p.costs[i][p.levels[i]], true
}

// lift takes the step, if the budget has room for it. A step that has none
// ends the sequence.
func (p *plan) lift(i int, to Level) {
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
	if p.levels[i] == LevelPlaceholder {
		p.placeholders -= p.costs[i][LevelPlaceholder]
	}
	if to == LevelPlaceholder {
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
			low += p.costs[i][p.lowest(i)]
			top += p.costs[i][p.top(i)]
		}
	}
	if low <= top/lowerShare {
		for _, i := range blocks {
			p.lift(i, p.lowest(i))
		}
	}
	slices.SortStableFunc(blocks, func(i, j int) int {
		return cmp.Compare(p.costs[i][p.top(i)], p.costs[j][p.top(j)])
	})
	for _, i := range blocks {
		p.lift(i, p.top(i))
	}
}

// lowest returns the summary of a block, if it has one, else its lowest level.
func (p *plan) lowest(i int) Level {
	for _, level := range []Level{LevelSummary, LevelPlaceholder} {
		if p.costs[i][level] >= 0 {
			return level
		}
	}
	return LevelFull
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
		for _, to := range []Level{LevelFull, LevelSummary} {
			if rise, ok := p.rise(i, to); ok && rise <= room {
				p.lift(i, to)
			}
		}
		if p.levels[i] < p.top(i) {
			waiting = min(waiting, rank)
		}
	}
	for _, i := range p.order {
		rise, ok := p.rise(i, LevelPlaceholder)
		if ok && p.items[i].rank != bcp.PriorityCritical && rise <= threshold-p.used() &&
			p.placeholders+rise <= (threshold-base)/placeholderShare {
			p.lift(i, LevelPlaceholder)
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
		text, shown := r.assemble(nil)
		if shown == 0 {
			return r.tooSmall(p, budget)
		}
		n, err := r.count(text)
		if err != nil {
			return err
		}
		if n <= budget {
			return nil
		}
		last := p.steps[len(p.steps)-1]
		p.steps = p.steps[:len(p.steps)-1]
		r.items[last.item].level = last.from
	}
}

func (r *renderer) tooSmall(p *plan, budget int) error {
	i := p.order[0]
	e := failure("budget_too_small", wire.ErrLimit, "a budget of %d tokens has no room for any block; the first would be block %d, in full %d tokens",
		budget, r.items[i].index, r.tokens[i])
	e.Hint = "raise the budget, or give the block a summary"
	return e
}
