package render

import (
	"bytes"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
)

// What the reference charges for a placeholder of a background block. All
// others are free.
const placeholderCost = 10

// reference spends a budget as the reference implementation does.
func (r *renderer) reference(budget int) {
	remaining := budget
	costs := make([]int, len(r.items))
	for i := range r.items {
		costs[i] = r.estimate(&r.items[i])
	}
	r.tokens = costs
	for _, i := range r.byRank() {
		it := &r.items[i]
		summary := -1
		if it.block.Summary != nil {
			summary = codeAware([]byte(*it.block.Summary))
		}
		var cost int
		it.level, cost = decideByRank(it.rank, costs[i], summary, remaining)
		remaining = max(0, remaining-cost)
	}
}

// decideByRank returns a block's level and what it takes of the budget.
// summary is the cost of its summary, -1 if it has none.
func decideByRank(rank bcp.Priority, full, summary, remaining int) (amount, int) {
	hasSummary := summary >= 0 && summary <= remaining
	switch {
	case rank == bcp.PriorityCritical, rank <= bcp.PriorityNormal && full <= remaining, rank == bcp.PriorityHigh && !hasSummary:
		return levelFull, full
	case rank <= bcp.PriorityLow && hasSummary:
		return levelSummary, summary
	case rank <= bcp.PriorityLow:
		return levelPlaceholder, 0
	case remaining >= placeholderCost:
		return levelPlaceholder, placeholderCost
	}
	return levelOmitted, 0
}

// estimate returns the reference's estimate of a block: of its content alone.
func (r *renderer) estimate(it *item) int {
	switch b := it.block.Body.(type) {
	case *bcp.EmbeddingRef:
		return codeAware([]byte(r.describe(it).name))
	case *bcp.FileTree:
		return codeAware(writer{plain: r.o.Plain, most: r.limit}.tree(nil, b.Entries, 0))
	case *bcp.Image:
		return codeAwareBytes(b.Data)
	case *bcp.UnknownBody:
		return opaque(len(b.Data))
	}
	return codeAwareBytes(r.describe(it).content)
}

// codeAwareBytes is codeAware for content that may be no text.
func codeAwareBytes(b []byte) int {
	if !utf8.Valid(b) {
		return opaque(len(b))
	}
	return codeAware(b)
}

// opaque estimates content that is not text as that many letters.
func opaque(n int) int {
	return max(n/4, min(n, 1))
}

// codeAware estimates tokens: a third of the bytes if more than 30 percent of
// the lines that are not blank are indented, else a quarter.
func codeAware(text []byte) int {
	lines, indented := 0, 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		lines++
		if line[0] == ' ' || line[0] == '\t' {
			indented++
		}
	}
	if lines > 0 && indented*100/lines > 30 {
		return max(1, len(text)/3)
	}
	return opaque(len(text))
}
