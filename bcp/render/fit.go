package render

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// The policy PolicyFit shows what is worth most: every block has a weight by its
// rank, and its summary and its placeholder are worth a part of it. This is the
// knapsack problem with one choice per block. It is solved in two steps.
//
// First blocks are lifted from level to level in the order of worth for cost,
// as far as the budget goes. At each point of this sequence the levels are the
// best there are for what they cost. Then the rest of the budget, which is
// smaller than the next step, is spent by dynamic programming over the worth
// that can still be gained, which is less than that step's: a number below a
// hundred. Blocks may also be set back for it.
//
// More budget never is worth less: within the reach of one step the second part
// finds the least cost for each worth, and at the next step the first part is
// the best there is.

// What a level is worth, in parts of the block's weight.
var levelWorth = [levelFull + 1]int{levelPlaceholder: 1, levelLine: 2, levelBrief: 3, levelSummary: 4, levelFull: 10}

// rankWeight is what a block is worth by its rank. Critical blocks have a
// knapsack of their own; only what they leave is for the others.
var rankWeight = [bcp.PriorityBackground + 1]int{bcp.PriorityCritical: 8, bcp.PriorityHigh: 8, bcp.PriorityNormal: 4, bcp.PriorityLow: 2, bcp.PriorityBackground: 1}

// maxSetBack is the most worth that the second step takes from blocks to give
// more to others.
const maxSetBack = 80

// separatorSlack is how far the sum of costs can lie above what the text
// costs: the last block is counted with a separator.
const separatorSlack = 3

func (r *renderer) fit(t *costTable, budget int) error {
	critical := newKnapsack(r.items, t, func(rank bcp.Priority) bool { return rank == bcp.PriorityCritical })
	others := newKnapsack(r.items, t, func(rank bcp.Priority) bool { return rank != bcp.PriorityCritical })
	return r.within(t, budget, budget+separatorSlack, func(levels []amount, limit int) int {
		cost := t.wrapper + t.shared
		cost += critical.solve(levels, limit-cost)
		return cost + others.solve(levels, limit-cost)
	})
}

// within shows what choose chooses for the largest limit at which the text is within the
// budget, from a first one on.
func (r *renderer) within(t *costTable, budget, limit int, choose func(levels []amount, limit int) (cost int)) error {
	var cost, n, shown int
	var err error
	fits := func(limit int) bool {
		if err != nil {
			return false
		}
		levels := make([]amount, len(r.items))
		cost = choose(levels, limit)
		n, shown, err = r.tokensOf(levels)
		return n <= budget
	}
	for limit > budget-8*separatorSlack && limit > 0 && !fits(limit) {
		limit = min(limit, cost) - 1 // what costs as much is the same choice
	}
	if n > budget { // not a counter as Counter describes
		fits(sort.Search(limit, func(i int) bool { return !fits(i + 1) }))
	}
	switch {
	case err != nil:
		return err
	case shown == 0:
		return r.tooSmall(t, budget)
	}
	return nil
}

// fitAll shows everything, if that is possible.
func (r *renderer) fitAll(t *costTable, budget int) (bool, error) {
	r.dropOutlines()
	left := budget + budget/16 + 64 - t.wrapper // by what the items cost, which is not quite what the text does
	for i := range r.items {
		if r.items[i].level != levelOmitted {
			left -= t.items[i][t.top(i)]
		}
		if left < 0 {
			return false, nil
		}
	}
	n, _, err := r.tokensOf(nil)
	return n <= budget, err
}

// tokensOf sets the levels, nil for those that are set, and counts the text.
func (r *renderer) tokensOf(levels []amount) (tokens, shown int, err error) {
	for i := range levels {
		r.items[i].level = levels[i]
	}
	r.text, shown, err = r.assemble(r.text[:0])
	if err != nil {
		return 0, 0, err
	}
	r.textTokens, err = r.count(r.text)
	return r.textTokens, shown, err
}

// tooSmall is the error for a budget without room for any block. It names the
// least budget that shows something, markup around all blocks included.
func (r *renderer) tooSmall(t *costTable, budget int) error {
	least, at, level := beyond, 0, levelFull
	for i := range t.items {
		for l := levelPlaceholder; l <= levelFull; l++ {
			if cost := t.items[i][l]; cost != absent && cost < least {
				least, at, level = cost, i, l
			}
		}
	}
	levels := make([]amount, len(r.items))
	levels[at] = level
	n, _, err := r.tokensOf(levels)
	if err != nil {
		return err
	}
	e := failure("budget_too_small", wire.ErrLimit, "a budget of %d tokens has no room for any block; the least is %d, for block %d as %s",
		budget, n, r.items[at].index, levelNames[level])
	e.Hint = "raise the budget, or give blocks short summaries"
	return e
}

// A knapsack chooses levels for a limit of cost.
type knapsack struct {
	costs   *costTable
	weights []uint8 // of all items; 0 for those of others
	steps   []lift
}

// A lift takes an item from one level to a higher one.
type lift struct {
	item, cost int32
	worth      int16
	from, to   amount
}

// newKnapsack returns that of the items whose rank belongs to it.
func newKnapsack(items []item, t *costTable, belongs func(bcp.Priority) bool) *knapsack {
	k := &knapsack{costs: t, weights: make([]uint8, len(items))}
	for i := range items {
		if belongs(items[i].rank) {
			k.weights[i] = uint8(rankWeight[items[i].rank])
			k.addSteps(i)
		}
	}
	// By worth for cost; of equal ones the higher rank first.
	slices.SortStableFunc(k.steps, func(a, b lift) int {
		return cmp.Or(cmp.Compare(int64(b.worth)*int64(a.cost), int64(a.worth)*int64(b.cost)), cmp.Compare(k.weights[b.item], k.weights[a.item]))
	})
	return k
}

// addSteps adds the lifts of an item through those of its levels that no
// combination of two others beats, so that their worth for cost falls.
func (k *knapsack) addSteps(i int) {
	first := len(k.steps)
	at := levelOmitted
	for to := at + 1; to <= levelFull; to++ {
		if !k.has(i, to) {
			continue
		}
		step := k.lift(i, at, to)
		for len(k.steps) > first {
			last := k.steps[len(k.steps)-1]
			if int64(last.worth)*int64(step.cost) > int64(step.worth)*int64(last.cost) {
				break
			}
			k.steps = k.steps[:len(k.steps)-1]
			step = k.lift(i, last.from, to)
		}
		k.steps = append(k.steps, step)
		at = to
	}
}

// has reports whether an item can be shown at a level.
func (k *knapsack) has(i int, level amount) bool {
	cost := k.costs.items[i][level]
	return cost != absent && cost <= math.MaxInt32
}

func (k *knapsack) lift(i int, from, to amount) lift {
	cost := &k.costs.items[i]
	worth := (levelWorth[to] - levelWorth[from]) * int(k.weights[i])
	return lift{item: int32(i), from: from, to: to, cost: int32(cost[to] - cost[from]), worth: int16(worth)}
}

// solve sets the levels to show for a limit and returns what they cost.
func (k *knapsack) solve(levels []amount, limit int) int {
	cost, next := 0, 0
	for ; next < len(k.steps) && int(k.steps[next].cost) <= limit-cost; next++ {
		s := &k.steps[next]
		levels[s.item] = s.to
		cost += int(s.cost)
	}
	if next < len(k.steps) && limit > cost {
		cost += k.spend(levels, limit-cost, int(k.steps[next].worth))
	}
	return cost
}

// spend changes levels so that the rest of the limit buys as much worth as it
// can, at most gain. It returns what that costs.
func (k *knapsack) spend(levels []amount, rest, gain int) int {
	core := k.core(levels, gain)
	// least[v] is the least cost of a change by v-maxSetBack of worth, and
	// choices[g] what the item core[g] does for it.
	width := maxSetBack + gain + maxSetBack + 1
	least := slices.Repeat([]int{unreachable}, width)
	least[maxSetBack] = 0
	choices := make([][]amount, len(core))
	from := make([]int, width)
	for g, i := range core {
		choices[g] = slices.Repeat([]amount{levels[i]}, width)
		copy(from, least)
		for to := levelOmitted; to <= levelFull; to++ {
			if to == levels[i] || !k.has(i, to) {
				continue
			}
			step := k.lift(i, levels[i], to)
			worth := int(step.worth)
			for v := max(0, worth); v < min(width, width+worth); v++ {
				if cost := from[v-worth]; cost < unreachable && cost+int(step.cost) < least[v] {
					least[v] = cost + int(step.cost)
					choices[g][v] = to
				}
			}
		}
	}
	best := width - 1
	for best > maxSetBack && least[best] > rest {
		best--
	}
	cost := least[best]
	v := best
	for g, i := range slices.Backward(core) {
		to := choices[g][v]
		v -= int(k.lift(i, levels[i], to).worth)
		levels[i] = to
	}
	return cost
}

const unreachable = int(^uint(0)>>1) / 2

// core returns the items that spend has to look at: of all changes by the same
// worth only the cheapest can be part of the best choice, as many as fit into
// the range of worth.
func (k *knapsack) core(levels []amount, gain int) []int {
	byWorth := make(map[int16][]lift)
	for i := range levels {
		if k.weights[i] == 0 {
			continue
		}
		for to := levelOmitted; to <= levelFull; to++ {
			if to == levels[i] || !k.has(i, to) {
				continue
			}
			step := k.lift(i, levels[i], to)
			byWorth[step.worth] = append(byWorth[step.worth], step)
		}
	}
	var core []int
	for worth, steps := range byWorth {
		slices.SortFunc(steps, func(a, b lift) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.item, b.item)) })
		most := 2 + 2*(gain+2*maxSetBack)/max(int(worth), -int(worth))
		for _, s := range steps[:min(len(steps), most)] {
			core = append(core, int(s.item))
		}
	}
	slices.Sort(core)
	return slices.Compact(core)
}
