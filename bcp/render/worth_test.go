package render

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/tokens"
)

// amounts returns the levels of a result.
func amounts(r *Result) []amount {
	list := make([]amount, len(r.Levels))
	for i, name := range r.Levels {
		list[i] = amount(slices.Index(levelNames[:], name))
	}
	return list
}

// worth returns what a rendering shows: of critical blocks, and of others.
func worth(p *bcp.Payload, levels []amount) (critical, others int) {
	for i, rank := range p.Priorities() {
		if p.Blocks[i].Type() == bcp.BlockAnnotation {
			continue
		}
		if n := rankWeight[rank] * levelWorth[levels[i]]; rank == bcp.PriorityCritical {
			critical += n
		} else {
			others += n
		}
	}
	return critical, others
}

// optimum returns the most that a budget can be worth, by what levels really
// cost: dynamic programming over the tokens.
func optimum(t *costTable, items []item, budget int) int {
	best := make([]int, max(0, budget-t.wrapper)+1)
	for i := range items {
		for room := len(best) - 1; room >= 0; room-- {
			for level, cost := range t.items[i] {
				if amount(level) != levelOmitted && cost != absent && cost <= room {
					best[room] = max(best[room], best[room-cost]+rankWeight[items[i].rank]*levelWorth[level])
				}
			}
		}
	}
	return best[len(best)-1]
}

// logNormalPack makes 30 blocks of 5 to 4,000 tokens, ranked high to
// background, a third of them with a summary.
func logNormalPack(r *rand.Rand) *bcp.Payload {
	words := strings.Fields("return error value func if nil range append string index token header block frame length the of and read write")
	text := func(tokens float64) string {
		var b strings.Builder
		for n := 0; n < int(tokens); n++ {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteByte(" \n"[n%9/8])
		}
		return b.String()
	}
	var b bcp.Builder
	for i := range 30 {
		size := min(4000, max(5, math.Exp(5+1.3*r.NormFloat64())))
		b.Add(code("go", fmt.Sprintf("pkg/file%d.go", i), text(size)))
		if r.IntN(3) == 0 {
			b.Summary(text(5 + size/10*r.Float64()))
		}
		b.Priority(bcp.Priority(2 + r.IntN(4)))
	}
	p, _ := b.Build()
	return p
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// Budgets are used, and what is shown is close to the best there is.
func TestFitIsNearTheOptimum(t *testing.T) {
	packs := 60
	if testing.Short() {
		packs = 8
	}
	for _, percent := range []int{5, 10, 25, 50, 75, 90} {
		r := rand.New(rand.NewPCG(uint64(percent), 1))
		var used, value []float64
		for range packs {
			p := logNormalPack(r)
			o := Options{Mode: ModeMinimal, Counter: tokens.O200k{}}
			all, err := o.Render(p)
			require.NoError(t, err)
			budget := all.Tokens * percent / 100
			got, err := withBudget(o, budget).Render(p)
			require.NoError(t, err)
			require.LessOrEqual(t, got.Tokens, budget)
			used = append(used, float64(got.Tokens)/float64(budget))

			rr, err := newRenderer(o, p)
			require.NoError(t, err)
			rr.decide()
			costs, err := rr.newCosts(all.Tokens)
			require.NoError(t, err)
			_, reached := worth(p, amounts(got))
			value = append(value, float64(reached)/float64(optimum(costs, rr.items, budget)))
		}
		t.Logf("%2d %%: used %.3f (least %.3f), worth %.3f of the optimum (least %.3f)", percent, median(used), slices.Min(used), median(value), slices.Min(value))
		require.GreaterOrEqual(t, median(used), 0.97)
		require.GreaterOrEqual(t, median(value), 0.95)
		require.GreaterOrEqual(t, slices.Min(value), 0.75)
	}
}
