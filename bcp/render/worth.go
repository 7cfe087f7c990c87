package render

import (
	"cmp"
	"math/bits"
	"path"
	"slices"

	"github.com/wirekit/wirekit/bcp"
)

// A payload whose blocks say what they are worth, or have several summaries, is shown by
// steps in one order that does not depend on the budget: what is worth most, the core,
// first by its names, then by its heads, then in full beside the names and heads of the
// rest; then the rest in full, then what is of low rank. Within a stage the steps are in
// the order of worth for length, in the first that of worth; and longer heads come after
// shorter ones.
//
// Steps are taken as far as the budget goes. After the first of the core that does not fit
// come those of the core that still do, then those of the rest.

// coreWorth is from which worth a block belongs to the core. What is high and does not
// say more is worth mostWorth.
const (
	coreWorth = 100
	mostWorth = 1000
)

// treeShare is the part of a budget, in percent, that a file tree takes at most.
const treeShare = 15

// What a block of low or background rank may take of the budget together, in percent,
// while others are not shown in full.
var rankShare = [bcp.PriorityBackground + 1]int{bcp.PriorityLow: 5, bcp.PriorityBackground: 3}

// levelPart is the part of its worth that a level shows, in percent.
var levelPart = [levelFull + 1]int{levelPlaceholder: 2, levelLine: 10, levelBrief: 30, levelSummary: 60, levelFull: 100}

// shortText is the length of a text, in bytes, that is shown as soon as others by their heads.
const shortText = 1500

// restLength is the length that heads of the rest are taken for.
const restLength = 30

// shortHeads is up to which length, in bytes, heads do not wait for others.
const shortHeads = 4000

// worth returns what an item is worth.
func (it *item) worth() int {
	if it.extra != nil && it.extra.worth > 0 {
		return it.extra.worth
	}
	return [...]int{bcp.PriorityCritical: mostWorth, bcp.PriorityHigh: mostWorth, bcp.PriorityNormal: 50, bcp.PriorityLow: 5, bcp.PriorityBackground: 1}[it.rank]
}

// rated reports whether blocks say what they are worth, or have several summaries.
func (r *renderer) rated() bool {
	return slices.ContainsFunc(r.items, func(it item) bool {
		return it.extra != nil && (it.extra.worth > 0 || it.hasLevel(levelBrief) && it.rank == bcp.PriorityHigh)
	})
}

// A stage is one of the order of steps.
type stage int

const (
	first     stage = iota // the names of folders' outlines, and the heads of what is worth most
	coreHeads              // and names, and other summaries
	coreTexts              // and more of trees, and the names and heads of the rest
	texts
	low
	background
)

// A climb is a step of an item, with its place in the order.
type climb struct {
	item     int
	from, to amount
	core     bool
	stage    stage
	size     int // of heads, in powers of two: the first that does not fit keeps out all after it
	value    float64
}

// climbs returns the steps of all items but critical ones, in their order, in which no step
// of an item comes before a lower one. They are compared by lengths, which do not depend on
// how far a budget lets count.
func (r *renderer) climbs(t *costTable) []climb {
	outlined := make(map[string]bool)
	for i := range r.items {
		if e := r.items[i].extra; e != nil && e.isOutline {
			outlined[e.outline] = true
		}
	}
	var all []climb
	for i := range r.items {
		it := &r.items[i]
		if it.rank == bcp.PriorityCritical {
			continue
		}
		worth := it.worth()
		code, ok := it.block.Body.(*bcp.Code)
		inOutline := ok && it.rank > bcp.PriorityHigh && outlined[path.Dir(code.Path)]
		c := climb{item: i, core: worth >= coreWorth, size: bits.Len(uint(r.headsLength(it) / shortHeads))}
		at, before := 0, levelPart[levelOmitted]
		for to := levelPlaceholder; to <= levelFull; to++ {
			if t.items[i][to] == absent || it.isTree() && to < t.lowest(i) {
				continue
			}
			part := levelPart[to]
			length := r.lengthAt(it, to)
			c.from, c.to, c.stage = c.to, to, max(c.stage, r.stageOf(it, c.to, to, inOutline))
			value := float64(worth*(part-before)) / float64(max(length-at, 0)+4*markup)
			if c.stage == first {
				value = float64(worth)
			}
			if !c.core && to <= it.heads() {
				value = float64(worth*(part-before)) / restLength
			}
			if n := len(all) - 1; n >= 0 && all[n].item == i && all[n].stage == c.stage {
				value = min(value, all[n].value)
			}
			c.value = value
			all = append(all, c)
			at, before = length, part
		}
	}
	slices.SortStableFunc(all, func(a, b climb) int {
		n := cmp.Compare(a.stage, b.stage)
		if n == 0 && a.stage == coreHeads {
			n = cmp.Compare(a.size, b.size)
		}
		return cmp.Or(n, cmp.Compare(b.value, a.value))
	})
	return all
}

// isTree reports whether an item is a file tree.
func (it *item) isTree() bool { return it.block.Type() == bcp.BlockFileTree }

// heads returns the level of an item's heads: the longest summary, but for sentences about
// them, or the first screen of a README.
func (it *item) heads() amount {
	if it.block.Type() == bcp.BlockCode && (it.hasLevel(levelLine) || it.rank == bcp.PriorityHigh && it.hasLevel(levelBrief)) {
		return levelBrief
	}
	return levelSummary
}

func (r *renderer) headsLength(it *item) int {
	if it.hasLevel(it.heads()) {
		return r.lengthAt(it, it.heads())
	}
	return 0
}

// stageOf returns the stage in which an item rises from one level to another.
func (r *renderer) stageOf(it *item, from, to amount, inOutline bool) stage {
	core := it.worth() >= coreWorth
	short := to == levelFull && !inOutline && !it.isOutline() && r.lengthAt(it, to) < shortText // no longer than heads are
	switch {
	case it.isTree() && from == levelOmitted:
		return first
	case core && !it.isTree() && !inOutline && (to <= it.heads() || short):
		if it.isOutline() && to < levelBrief || it.worth() == mostWorth && to < levelFull && r.lengthAt(it, to) < 2*shortHeads {
			return first
		}
		return coreHeads
	case core:
		return coreTexts
	case it.rank == bcp.PriorityLow:
		return low
	case it.rank == bcp.PriorityBackground:
		return background
	case to < levelFull || short:
		return coreTexts
	}
	return texts
}

// lengthAt returns about how long the text of an item is at a level, in bytes.
func (r *renderer) lengthAt(it *item, level amount) int {
	switch {
	case level == levelPlaceholder:
		return 0
	case r.showsContent(it, level):
		return contentLength(it.block.Body)
	}
	return len(r.summaryAt(it, level))
}

// fitWorth is fit for a payload that is rated.
func (r *renderer) fitWorth(t *costTable, budget int) error {
	for i := range r.items {
		if r.items[i].isTree() {
			r.items[i].rank = bcp.PriorityHigh
		}
	}
	critical := newKnapsack(r.items, t, func(rank bcp.Priority) bool { return rank == bcp.PriorityCritical })
	steps := r.climbs(t)
	return r.within(t, budget, budget, func(levels []amount, limit int) int {
		cost := t.wrapper + t.shared
		cost += critical.solve(levels, limit-cost)
		return r.take(t, steps, levels, limit, cost)
	})
}

// take takes the steps that a limit has room for and returns what all costs.
//
// It begins with what four fifths of the limit show of the core, which is found in the same
// way, so that each quarter more shows no less of it.
func (r *renderer) take(t *costTable, steps []climb, levels []amount, limit, cost int) int {
	limits := []int{limit}
	for limits[0] > leastLimit {
		limits = slices.Insert(limits, 0, (limits[0]*4+4)/5)
	}
	a := ascent{renderer: r, costs: t, levels: levels, cost: cost}
	for _, a.limit = range limits {
		a.waiting, r.missed = false, make([]Step, len(r.items))
		ended := slices.IndexFunc(steps, func(s climb) bool { return !a.climb(&s) && s.core })
		if ended < 0 {
			continue
		}
		a.ahead(steps[ended:])
	}
	for i := range steps {
		if !steps[i].core {
			a.climb(&steps[i])
		}
	}
	return a.cost
}

// What steps of the core take which come after one that does not fit: a part of the limit, in
// percent, but as many tokens as this in a small one.
const (
	aheadShare = 10
	leastAhead = 100
)

// leastLimit is a limit of which no part is looked at.
const leastLimit = 100

// An ascent takes steps as far as a limit goes.
type ascent struct {
	*renderer
	costs       *costTable
	levels      []amount
	limit, cost int
	spent       [bcp.PriorityBackground + 1]int
	waiting     bool // a block of normal rank or higher is not shown as far as it could be
}

// ahead takes steps of the core after one that does not fit. What they take in all is
// bounded, so that it is not kept out for long, and none is of a later stage than heads or
// the missing one.
func (a *ascent) ahead(steps []climb) {
	spent := 0
	for i := range steps {
		if s := &steps[i]; a.levels[s.item] >= s.to {
			spent += a.rise(s)
		}
	}
	for i := range steps {
		s := &steps[i]
		if !s.core || a.levels[s.item] != s.from {
			continue
		}
		share := 0
		if s.stage <= max(steps[0].stage, coreHeads) {
			share = max(a.limit*aheadShare/100, leastAhead)
		}
		if rise := a.rise(s); rise > share-spent {
			a.missed[s.item] = Step{levelNames[s.to], rise, max(0, share-spent)}
		} else if a.climb(s) {
			spent += rise
		}
	}
}

func (a *ascent) rise(s *climb) int {
	return a.costs.items[s.item][s.to] - a.costs.items[s.item][s.from]
}

// climb takes a step that follows what its item is shown by, if there is room, and reports
// false if there is none for it.
func (a *ascent) climb(s *climb) bool {
	if a.levels[s.item] != s.from {
		return true // it was taken, or the one before it was not
	}
	rank := a.items[s.item].rank
	rise := a.rise(s)
	room := a.limit - a.cost
	if share := rankShare[rank]; share > 0 && a.waiting {
		room = min(room, a.limit*share/100-a.spent[rank])
	}
	if a.items[s.item].isTree() && a.costs.items[s.item][s.to] > a.limit*treeShare/100 {
		return true // more than its share, which keeps nothing else out
	}
	if rise > room {
		a.waiting = a.waiting || rank <= bcp.PriorityNormal
		a.missed[s.item] = Step{levelNames[s.to], rise, max(0, room)}
		return false
	}
	a.levels[s.item] = s.to
	a.cost += rise
	a.spent[rank] += rise
	return true
}
