package render

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/wirekit/wirekit/bcp"
)

// The policy PolicySteady spends a budget in steps. A step lifts one block to a higher
// level. The sequence of steps depends on the payload and the counter only,
// not on the budget, which decides how many of them are taken. That
// is why more budget never shows less: it takes the same steps and some more.
//
// The first step that does not fit ends the sequence, so those to large levels come
// late: critical blocks before others, then what costs fewer tokens, in powers of two,
// then the higher rank.

func (r *renderer) steady(t *costTable, budget int) error {
	steps := r.steadySteps(t)
	return r.within(t, budget, budget+separatorSlack, func(levels []amount, limit int) int {
		cost := t.wrapper + t.shared
		for _, s := range steps {
			rise := t.items[s.item][s.to] - t.items[s.item][levels[s.item]]
			if rise > limit-cost {
				break
			}
			levels[s.item] = s.to
			cost += rise
		}
		return cost
	})
}

// steadySteps returns the steps of all items, in their order.
func (r *renderer) steadySteps(t *costTable) []climb {
	var steps []climb
	for i := range r.items {
		for to := levelPlaceholder; to <= levelFull; to++ {
			if cost := t.items[i][to]; cost != absent {
				steps = append(steps, climb{item: i, to: to, size: bits.Len(uint(cost))})
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b climb) int {
		rankA, rankB := r.items[a.item].rank, r.items[b.item].rank
		if rankA != rankB && min(rankA, rankB) == bcp.PriorityCritical {
			return cmp.Compare(rankA, rankB)
		}
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(rankA, rankB))
	})
	return steps
}
