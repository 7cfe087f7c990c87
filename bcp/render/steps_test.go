package render

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/tokens"
)

// stepped adds a high block with three summaries.
func stepped(b *bcp.Builder, name string, sizes ...int) {
	text := func(n int) string { return strings.Repeat(name+" word\n", n) }
	b.Add(code("go", name, text(sizes[0]))).Summary(text(sizes[1])).Priority(bcp.PriorityHigh)
	p, _ := b.Build()
	target := uint32(0)
	for i, block := range p.Blocks {
		if block.Type() == bcp.BlockCode {
			target = uint32(i)
		}
	}
	for _, n := range sizes[2:] {
		b.Add(&bcp.Annotation{Target: target, Kind: "summary", Value: []byte(text(n))})
	}
}

// Blocks with several summaries degrade together: all by their shortest one
// before any by more.
func TestSteps(t *testing.T) {
	trials.OneGoroutine(t)
	b := new(bcp.Builder)
	for i := range 6 {
		stepped(b, fmt.Sprintf("f%d.go", i), 400*(i+1), 60*(i+1), 12*(i+1), 2)
	}
	stepped(b, "f6.go", 1, 1, 1, 1) // costs less in full than by a summary
	for i := range 20 {
		b.Add(code("go", fmt.Sprintf("small%d.go", i), "x = y\n"))
	}
	p := build(t, b)
	seen := make(map[amount]bool)
	last := levelOmitted
	for budget := 50; budget < 15_000; budget = budget * 5 / 4 {
		r, err := Options{Mode: ModeMinimal, Budget: &budget, Counter: tokens.O200k{}}.Render(p)
		if err != nil {
			continue
		}
		require.LessOrEqual(t, r.Tokens, budget)
		least := levelFull
		for i := range p.Blocks {
			if c, ok := p.Blocks[i].Body.(*bcp.Code); ok && strings.HasPrefix(c.Path, "f") {
				least = min(least, amounts(r)[i])
				seen[amounts(r)[i]] = true
			}
		}
		require.GreaterOrEqual(t, least, min(last, levelSummary), "budget %d", budget)
		last = least
	}
	require.Equal(t, levelSummary, last)
	for _, l := range []amount{levelLine, levelBrief, levelSummary, levelFull} {
		require.True(t, seen[l], l)
	}
	// Plain text and the reference know one summary.
	r, err := Options{Mode: ModeMinimal, Budget: ptr(100), Plain: true, Policy: PolicyReference}.Render(p)
	require.NoError(t, err)
	require.NotContains(t, amounts(r), levelBrief)
	r, err = Options{Mode: ModeMinimal, Verbosity: VerbositySummary}.Render(p)
	require.NoError(t, err)
	require.Equal(t, levelSummary, amounts(r)[0])
	budget := 300
	r, err = Options{Mode: ModeMinimal, Budget: &budget, Policy: PolicySteady, Counter: tokens.O200k{}}.Render(p)
	require.NoError(t, err)
	require.LessOrEqual(t, r.Tokens, budget)
}

// Whatever the packs and the options, the budget holds.
func TestCompactBudget(t *testing.T) {
	trials.OneGoroutine(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range 15 {
		b := new(bcp.Builder)
		for i := range 1 + r.IntN(30) {
			name := fmt.Sprintf("d%d/f%d.go", r.IntN(3), i)
			if r.IntN(3) == 0 {
				stepped(b, name, 1+r.IntN(90), 1+r.IntN(30), 1+r.IntN(9), r.IntN(3))
			} else {
				b.Add(code("go", name, strings.Repeat("some text\n", r.IntN(100)))).Priority(bcp.Priority(1 + r.IntN(5))).Tag(fmt.Sprintf("worth:%d", r.IntN(1200)))
			}
			if r.IntN(8) == 0 {
				b.Add(&bcp.Document{Title: "d1", Content: []byte("outline\n")}).Tag("outline:d1")
			}
		}
		p := build(t, b)
		for _, o := range []Options{{Mode: ModeXML}, {Mode: ModeMarkdown}, {Mode: ModeMinimal, LineNumbers: true}} {
			o.Counter, o.Compact = tokens.O200k{}, true
			all, err := o.Render(p)
			require.NoError(t, err)
			for _, percent := range []int{5, 20, 50, 90, 99, 100} {
				for _, o.Policy = range []Policy{PolicyFit, PolicySteady} {
					budget := all.Tokens * percent / 100
					o.Budget = &budget
					got, err := o.Render(p)
					if err != nil {
						continue
					}
					require.LessOrEqual(t, got.Tokens, budget)
					if percent == 100 {
						require.Equal(t, string(all.Text), string(got.Text))
					}
				}
			}
			o.Budget = nil
		}
	}
}

// What a block says it is worth decides, whatever its length.
func TestWorth(t *testing.T) {
	b := new(bcp.Builder)
	for i := range 10 {
		b.Add(code("go", fmt.Sprintf("%d.go", i), strings.Repeat("a = b + c\n", 200+20*i)))
		b.Tag(fmt.Sprintf("worth:%d", map[bool]int{true: 900, false: 20}[i == 7]))
	}
	p := build(t, b)
	all, err := Options{}.Render(p)
	require.NoError(t, err)
	got := levels(t, Options{Budget: ptr(all.Tokens / 6)}, p)
	require.Equal(t, "f", got[7:8], got)
	require.Equal(t, 1, strings.Count(got, "f"), got)
}

// A quarter more budget never shows less of the core, a tree takes its share at most, and
// what is low no more than its own while others are missing. How often less of a block of
// the core is shown by less than a quarter more, and how much less, is recorded.
func TestCoreGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	lines := func(n int) string { return strings.Repeat("some words of text\n", n) }
	compared, fell, steps := 0, 0, 0
	for round := range trials.Of(12) {
		b := new(bcp.Builder)
		var names []bcp.FileEntry
		for range 1 + r.IntN(200) {
			names = append(names, bcp.FileEntry{Name: fmt.Sprintf("name%d.go", r.IntN(999))})
		}
		b.Add(&bcp.FileTree{Root: ".", Entries: names}).Summary(lines(1 + r.IntN(9))).Priority(bcp.PriorityCritical)
		worth := make(map[int]int)
		for i := range 5 + r.IntN(40) {
			full := 1 + r.IntN(300)
			b.Add(code("go", fmt.Sprintf("f%d.go", i), lines(full)))
			rank := []bcp.Priority{bcp.PriorityNormal, bcp.PriorityNormal, bcp.PriorityHigh, bcp.PriorityLow, bcp.PriorityBackground}[r.IntN(5)]
			if full > 4 && r.IntN(3) > 0 {
				b.Summary(lines(full / 4))
			}
			p, _ := b.Build()
			at := 0
			for n, block := range p.Blocks {
				if block.Type() == bcp.BlockCode {
					at = n
				}
			}
			worth[at] = map[bcp.Priority]int{bcp.PriorityNormal: 10 + r.IntN(400), bcp.PriorityHigh: 1000, bcp.PriorityLow: 5, bcp.PriorityBackground: 1}[rank]
			b.Priority(rank).Tag(fmt.Sprintf("worth:%d", worth[at]))
		}
		p := build(t, b)
		ranks := p.Priorities()
		o := Options{Mode: Mode(r.IntN(3)), Counter: tokens.O200k{}, Compact: true}
		all, err := o.Render(p)
		require.NoError(t, err)
		before := make([]amount, len(p.Blocks))
		for budget := 30; budget < all.Tokens; budget += 1 + all.Tokens/150 {
			got, err := withBudget(o, budget).Render(p)
			if err != nil {
				continue
			}
			larger, err := withBudget(o, budget*5/4).Render(p)
			require.NoError(t, err)
			require.LessOrEqual(t, got.Tokens, budget)
			lowTokens, missing := 0, false
			for i, block := range p.Blocks {
				c, ok := block.Body.(*bcp.Code)
				switch {
				case !ok:
					continue
				case worth[i] >= coreWorth:
					require.GreaterOrEqual(t, amounts(larger)[i], amounts(got)[i], "round %d, budget %d, %s", round, budget, c.Path)
					compared++
					if less := before[i] - amounts(got)[i]; less > 0 && less <= levelFull {
						fell++
						steps += int(less)
					}
				}
				if ranks[i] >= bcp.PriorityLow && amounts(got)[i] == levelFull {
					n, _ := o.Counter.Count(c.Content)
					lowTokens += n
				} else if ranks[i] < bcp.PriorityLow {
					missing = missing || amounts(got)[i] != levelFull
				}
			}
			if missing {
				require.LessOrEqual(t, lowTokens, budget*(rankShare[bcp.PriorityLow]+rankShare[bcp.PriorityBackground])/100+2)
			}
			if amounts(got)[0] >= levelLine {
				rest := Options{Mode: o.Mode, Counter: o.Counter, Compact: true, Include: []bcp.BlockType{bcp.BlockFileTree}}
				if amounts(got)[0] < levelFull {
					rest.Verbosity = VerbositySummary
				}
				tree, err := rest.Render(p)
				require.NoError(t, err)
				require.LessOrEqual(t, tree.Tokens, budget*treeShare/100+12, "beside the marks around the text")
			}
			before = amounts(got)
		}
	}
	t.Logf("by less than a quarter more: of %d blocks %d were shown by less, by %d levels in all", compared, fell, steps)
	require.LessOrEqual(t, fell*100, 2*compared)
}

func TestFolders(t *testing.T) {
	file := func(name string) bcp.FileEntry { return bcp.FileEntry{Name: name, Size: 9} }
	tree := &bcp.FileTree{Root: ".", Entries: []bcp.FileEntry{
		file("Makefile"), file("a.go"), file("a_test.go"), file("b.md"), file(".env.sample"), file("my file.go"), file(`q"`), file("x:y"),
		{Name: "only", Kind: "directory", Children: []bcp.FileEntry{
			{Name: "in side", Kind: "directory", Children: []bcp.FileEntry{file("z.tar.gz"), file("y.tar.gz"), file("c.c"), file("d.c"), file("e.")}},
			{Name: "empty", Kind: "directory"},
		}},
	}}
	p := build(t, new(bcp.Builder).Add(tree))
	got, err := Options{Mode: ModeMinimal, Compact: true}.Text(p)
	require.NoError(t, err)
	require.Equal(t, `--- tree: . ---
./ Makefile "my file.go" "q\"" "x:y" b.md .env.sample *.go: a a_test
"only/in side/" e. *.gz: z.tar y.tar; *.c: c d
only/empty/
`, got)
	got, err = Options{Mode: ModeMinimal, Compact: true, Plain: true}.Text(p)
	require.NoError(t, err)
	require.Contains(t, got, "a.go (9 bytes)\n")
}

// Files of the core that are not shown are named, those that are worth most first.
func TestOmittedCore(t *testing.T) {
	b := new(bcp.Builder).Add(code("go", "small.go", "x = y\n")).Tag("worth:20")
	for i, name := range []string{"a.go", "b\"<&>.go", "c\n--- d ---.go", "d.go", "e.go", "f.go", "g.go"} {
		b.Add(code("go", name, strings.Repeat("a = b + c\n", 2000))).Tag(fmt.Sprintf("worth:%d", 100+i))
	}
	b.Add(code("go", "other.go", strings.Repeat("a = b + c\n", 2000))).Tag("worth:99")
	p := build(t, b)
	for mode, want := range []string{
		`core="g.go f.go e.go d.go c --- d ---.go" />`, "tokens, among them g.go, f.go, e.go, d.go, c --- d ---.go]_", "tok, among them g.go, f.go, e.go, d.go, c --- d ---.go]",
	} {
		r, err := Options{Mode: Mode(mode), Budget: ptr(200), Compact: true, Counter: tokens.O200k{}}.Render(p)
		require.NoError(t, err)
		require.Contains(t, strings.ReplaceAll(string(r.Text), "c&#10;---", "c ---"), want)
		require.Equal(t, Step{To: "full", Tokens: r.Next[2].Tokens, Left: r.Next[2].Left}, r.Next[2])
		require.Greater(t, r.Next[2].Tokens, r.Next[2].Left)
		require.Zero(t, r.Next[0])
	}
}

func TestOmittedLine(t *testing.T) {
	b := new(bcp.Builder).Add(code("go", "a.go", "package a\n"))
	for i := range 3 {
		b.Add(code("go", fmt.Sprintf("large%d.go", i), strings.Repeat("x = y + z\n", 100)))
	}
	b.Add(&bcp.Conversation{Role: "user", Content: []byte("Why?")}).Priority(bcp.PriorityCritical)
	p := build(t, b)
	for mode, want := range []string{
		"\n</code>\n\n<omitted files=\"3\" tokens=\"1845\" />\n\n<turn", "\n```\n\n_[Omitted: 3 files, ~1830 tokens]_\n\n**User**", "\n\n[omitted: 3 files ~1824tok]\n\n[user] Why?"} {
		got, err := Options{Mode: Mode(mode), Compact: true, Budget: ptr(120), Counter: tokens.O200k{}}.Text(p)
		require.NoError(t, err)
		require.Contains(t, got, want)
	}
}

func TestLineNumbers(t *testing.T) {
	start := uint32(9)
	b := new(bcp.Builder).Add(&bcp.Code{Lang: "go", Path: "a.go", Content: []byte("x\n\ny"), LineStart: &start})
	got, err := Options{Mode: ModeMinimal, LineNumbers: true}.Text(build(t, b))
	require.NoError(t, err)
	require.Equal(t, "--- a.go:9- [go] ---\n9 : x\n10: \n11: y", got)
	got, err = Options{Mode: ModeMinimal, LineNumbers: true, Plain: true}.Text(build(t, b))
	require.NoError(t, err)
	require.Equal(t, "--- a.go [go] ---\nx\n\ny", got)
}

func TestHunkRanges(t *testing.T) {
	b := new(bcp.Builder).Add(&bcp.Diff{Path: "a", Hunks: []bcp.DiffHunk{
		{OldStart: 3, NewStart: 4, Lines: []byte(" a\n-b\n+c\n+d\n\n\\ No newline at end of file\n")},
		{OldStart: 1, NewStart: 1, Lines: []byte("@@ -1 +1 @@ func\n-x\n+y\n")},
		{Lines: []byte("+z\n")},
	}})
	got, err := Options{Mode: ModeMinimal}.Text(build(t, b))
	require.NoError(t, err)
	require.Equal(t, "--- diff: a ---\n@@ -3,3 +4,4 @@\n a\n-b\n+c\n+d\n\n\\ No newline at end of file\n@@ -1 +1 @@ func\n-x\n+y\n+z\n", got)
}

func TestData(t *testing.T) {
	calls := 0
	o := Options{Mode: ModeMarkdown, Counter: tokens.O200k{}, Data: func(d *bcp.StructuredData) (string, string) {
		calls++
		if len(d.Content) < 5 {
			return "", ""
		}
		return "id\n1", "gcf"
	}}
	p := build(t, new(bcp.Builder).Add(&bcp.StructuredData{Format: "json", Content: []byte(`[{"id":1}]`)}).Add(&bcp.StructuredData{Format: "json", Content: []byte(`{}`)}))
	got, err := o.Text(p)
	require.NoError(t, err)
	require.Equal(t, "```gcf\nid\n1\n```\n\n```json\n{}\n```", got)
	require.Equal(t, 2, calls)
	o.Budget = ptr(20)
	_, err = o.Text(p)
	require.NoError(t, err)
	require.Equal(t, 4, calls, "each block once")
	file := build(t, new(bcp.Builder).Add(&bcp.Code{Lang: "json", Path: "a.json", Content: []byte(`[{"id":1}]`)}))
	got, err = Options{Mode: ModeMinimal, Data: o.Data}.Text(file)
	require.NoError(t, err)
	require.Equal(t, "--- a.json [gcf] ---\nid\n1", got)
	o.Plain = true
	got, err = o.Text(p)
	require.NoError(t, err)
	require.Contains(t, got, `[{"id":1}]`)
}

// TestSentencesAreLater: of three summaries of a file the longest, which has more than its
// heads, comes after the heads of what is worth less, but belongs to the core.
func TestSentencesAreLater(t *testing.T) {
	var b bcp.Builder
	for i, path := range []string{"a.py", "b.py"} {
		target := uint32(4 * i)
		b.Add(code("python", path, strings.Repeat("text\n", 500))).Summary(strings.Repeat("sentence ", 40))
		b.Add(&bcp.Annotation{Target: target, Kind: "summary", Value: []byte(strings.Repeat("head ", 30))})
		b.Add(&bcp.Annotation{Target: target, Kind: "summary", Value: []byte("name")})
		b.Add(&bcp.Annotation{Target: target, Kind: "tag", Value: []byte([]string{"worth:1000", "worth:100"}[i])})
	}
	p, err := b.Build()
	require.NoError(t, err)
	last := []amount{levelOmitted, levelOmitted}
	var order [][]amount
	for budget := 30; budget < 600; budget += 5 {
		r, err := withBudget(Options{Mode: ModeMinimal}, budget).Render(p)
		require.NoError(t, err)
		levels := []amount{}
		for i, block := range p.Blocks {
			if block.Type() == bcp.BlockCode {
				levels = append(levels, amounts(r)[i])
			}
		}
		if !slices.Equal(levels, last) {
			order, last = append(order, levels), levels
		}
	}
	heads := slices.IndexFunc(order, func(l []amount) bool { return l[0] == levelBrief && l[1] == levelBrief })
	sentences := slices.IndexFunc(order, func(l []amount) bool { return l[0] == levelSummary })
	require.GreaterOrEqual(t, heads, 0, "%v", order)
	require.Greater(t, sentences, heads, "%v", order)
}

// TestShortCoreIsShown: a short file of the core with three summaries is shown in full once
// there is room, beside one that never has it.
func TestShortCoreIsShown(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("var a = b\n", n) }
	b := new(bcp.Builder).Add(code("js", "small.js", lines(90))).Summary(lines(40)).Tag("worth:500")
	for _, n := range []int{20, 5} {
		b.Add(&bcp.Annotation{Kind: "summary", Value: []byte(lines(n))})
	}
	p := build(t, b.Add(code("js", "big.js", lines(20_000))).Tag("worth:500"))
	last := levelOmitted
	for budget := 100; budget <= 2000; budget += 50 {
		r, err := withBudget(Options{Mode: ModeMinimal, Counter: tokens.O200k{}, Compact: true}, budget).Render(p)
		require.NoError(t, err)
		require.GreaterOrEqual(t, amounts(r)[0], last, "budget %d", budget)
		last = amounts(r)[0]
	}
	require.Equal(t, levelFull, last)
}
