package render

import (
	"cmp"
	"path"
	"slices"

	"github.com/wirekit/wirekit/bcp"
)

// A payload whose blocks say what they are worth, or have several summaries, is shown by
// steps in one order that does not depend on the budget: what is worth most, the core,
// first by its names, then by its heads, then in full beside the names and heads of the
// rest; then the rest in full, then what is of low rank. Within a stage the steps are in
// the order of worth for length, in the stages of the core's names and heads in that of
// worth.
//
// Steps are taken as far as the budget goes. After the first that does not fit, only
// those of what is not the core are taken, each that still fits. So more budget never
// shows less of the core.

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
var rankShare = [bcp.PriorityBackground + 1]int{bcp.PriorityLow: 10, bcp.PriorityBackground: 3}

// levelPart is the part of its worth that a level shows, in percent.
var levelPart = [LevelFull + 1]int{LevelPlaceholder: 2, LevelLine: 10, LevelBrief: 30, LevelSummary: 60, LevelFull: 100}

// shortText is the length of a text, in bytes, that is shown as soon as others by their heads.
const shortText = 1500

// longHeads is from which length, in bytes, the heads of a file of the core are shown with
// texts: the first that does not fit keeps those of all others out.
const longHeads = 20_000

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
		return it.extra != nil && (it.extra.worth > 0 || it.hasSteps() && it.rank == bcp.PriorityHigh)
	})
}

// A stage is one of the order of steps.
type stage int

const (
	coreNames stage = iota // of the outlines of folders
	coreHeads              // and names, and other summaries
	coreLongHeads
	coreTexts // and the names and heads of the rest
	texts
	low
	background
)

// A climb is a step of an item, with its place in the order.
type climb struct {
	item     int
	from, to Level
	core     bool
	stage    stage
	value    float64
}

// climbs returns the steps of all items but critical ones, in their order. They are
// compared by lengths, which do not depend on how far a budget lets count.
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
		c := climb{item: i, core: worth >= coreWorth}
		inOutline := ok && outlined[path.Dir(code.Path)]
		at, before := 0, levelPart[LevelOmitted]
		for to := LevelPlaceholder; to <= LevelFull; to++ {
			if t.items[i][to] == absent {
				continue
			}
			part := levelPart[to]
			if inOutline && to < LevelFull {
				part /= 4 // the outline of the folder has what is declared for others
			}
			length := r.lengthAt(it, to)
			c.from, c.to, c.stage = c.to, to, stageOf(it.rank, c.core, inOutline, to)
			if c.stage == coreHeads && it.extra != nil && it.extra.isOutline && to < LevelSummary {
				c.stage = coreNames
			}
			if ok && to == LevelSummary && it.hasLevel(LevelLine) {
				c.stage = max(c.stage, coreTexts) // of three summaries of a file the longest is more than its heads
			}
			if c.stage == coreHeads && length > longHeads {
				c.stage = coreLongHeads
			}
			if to == LevelFull && length < shortText && !inOutline && (it.extra == nil || !it.extra.isOutline) {
				c.stage = stageOf(it.rank, c.core, false, LevelSummary) // no longer than heads are
			}
			value := float64(worth*(part-before)) / float64(max(length-at, 0)+4*markup)
			if n := len(all) - 1; n >= 0 && all[n].item == i && all[n].stage == c.stage {
				value = min(value, all[n].value)
			}
			c.value = value
			all = append(all, c)
			at, before = length, part
		}
	}
	slices.SortStableFunc(all, func(a, b climb) int { return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(b.value, a.value)) })
	return all
}

func stageOf(rank bcp.Priority, core, inOutline bool, to Level) stage {
	switch {
	case core && !inOutline && to < LevelFull:
		return coreHeads
	case core:
		return coreTexts
	case rank == bcp.PriorityLow:
		return low
	case rank == bcp.PriorityBackground:
		return background
	case to < LevelFull:
		return coreTexts
	}
	return texts
}

// lengthAt returns about how long the text of an item is at a level, in bytes.
func (r *renderer) lengthAt(it *item, level Level) int {
	switch {
	case level == LevelPlaceholder:
		return 0
	case r.showsContent(it, level):
		return contentLength(it.block.Body)
	}
	return len(r.summaryAt(it, level))
}

// fitWorth is fit for a payload that is rated.
func (r *renderer) fitWorth(t *costTable, budget int) error {
	forCore := r.boundTrees(t, budget)
	critical := newKnapsack(r.items, t, func(rank bcp.Priority) bool { return rank == bcp.PriorityCritical })
	steps := r.climbs(t)
	return r.within(t, budget, func(levels []Level, limit int) int {
		cost := t.wrapper + t.shared
		cost += critical.solve(levels, limit-cost)
		return r.take(t, steps, levels, limit, min(limit, forCore), cost)
	})
}

// boundTrees takes away the levels of file trees that cost more than their share of the
// budget. It returns how much of the budget is for them and the core: a larger budget, at
// which a tree rises, leaves no less for the core.
func (r *renderer) boundTrees(t *costTable, budget int) int {
	left := budget
	for i := range r.items {
		if _, ok := r.items[i].block.Body.(*bcp.FileTree); !ok {
			continue
		}
		share, shown := budget*treeShare/100, 0
		for level := LevelPlaceholder; level <= LevelFull; level++ {
			switch cost := t.items[i][level]; {
			case cost == absent:
			case cost <= share:
				shown = cost
			default:
				if cost < beyond {
					left = min(left, cost*100/treeShare-(cost-shown))
				}
				t.items[i][level] = absent
			}
		}
	}
	return left
}

// take takes the steps that a limit has room for, those of the core as far as its own
// limit goes, and returns what all costs.
func (r *renderer) take(t *costTable, steps []climb, levels []Level, limit, coreLimit, cost int) int {
	var spent [bcp.PriorityBackground + 1]int
	r.missed = make([]Step, len(r.items))
	ended, missed := false, false
	for i := range steps {
		s := &steps[i]
		if levels[s.item] != s.from {
			continue // the step before did not fit
		}
		rank := r.items[s.item].rank
		rise := t.items[s.item][s.to] - t.items[s.item][s.from]
		room := limit - cost
		if !ended {
			room = min(room, coreLimit-cost)
		}
		if share := rankShare[rank]; share > 0 && missed {
			room = min(room, limit*share/100-spent[rank])
		}
		ended = ended || rise > room
		if rise > limit-cost || s.core && ended || rise > room && rankShare[rank] > 0 {
			missed = missed || rank <= bcp.PriorityNormal
			if s.core && ended {
				room = min(room, coreLimit-cost)
			}
			r.missed[s.item] = Step{s.to, rise, max(0, room)}
			continue
		}
		levels[s.item] = s.to
		cost += rise
		spent[rank] += rise
	}
	return cost
}
