package render

import "github.com/wirekit/wirekit/bcp"

// A floor holds the levels below which high blocks with several summaries are
// not shown: the highest summary that all of them can have together.
type floor struct {
	costs  *costTable
	items  []int   // those with steps
	levels []Level // of all items
	tier   Level
}

func newFloor(items []item, t *costTable) *floor {
	f := &floor{costs: t, levels: make([]Level, len(items))}
	for i := range items {
		if items[i].rank == bcp.PriorityHigh && items[i].hasSteps() {
			f.items = append(f.items, i)
		}
	}
	return f
}

// rise sets the floor that a limit has room for, and reports whether it has
// changed.
func (f *floor) rise(limit int) bool {
	before := f.tier
	f.tier = LevelOmitted
	for tier := LevelSummary; tier >= LevelLine && f.tier == LevelOmitted; tier-- {
		room := limit
		if tier == LevelSummary {
			room /= 2
		}
		if f.cost(tier, room) <= room {
			f.tier = tier
		}
	}
	if f.tier == before {
		return false
	}
	for _, i := range f.items {
		f.levels[i] = f.at(i, f.tier)
	}
	return true
}

// at returns the level of an item that a tier stands for. A level that an item
// does not have costs no less than the next one above, which takes its place.
func (f *floor) at(i int, tier Level) Level {
	if tier == LevelOmitted {
		return LevelOmitted
	}
	for level := tier; level <= LevelFull; level++ {
		if f.costs.items[i][level] != absent {
			return level
		}
	}
	return f.costs.top(i)
}

// cost returns what the items cost at a tier, or a number above most.
func (f *floor) cost(tier Level, most int) int {
	n := 0
	for _, i := range f.items {
		if n += f.costs.items[i][f.at(i, tier)]; n > most {
			break
		}
	}
	return n
}
