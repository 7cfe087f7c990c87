package render

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func TestCodeAware(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "x": 1, "hello world": 2, "a\n b\n c": 2, "a\nb\n c\n d\n e": 4, "éééé": 2,
	} {
		require.Equal(t, want, codeAware([]byte(text)), "%q", text)
	}
}

// levels renders and returns what is shown of the blocks that are not
// annotations, one letter each.
func levels(t *testing.T, o Options, p *bcp.Payload) string {
	r, err := o.Render(p)
	if err != nil {
		return "error"
	}
	s := ""
	for i, l := range amounts(r) {
		if p.Blocks[i].Type() != bcp.BlockAnnotation {
			s += string(levelNames[l][0])
		}
	}
	return s
}

func TestReferencePolicy(t *testing.T) {
	p := corpus(t)["budget_constrained"]
	for _, c := range []struct {
		from, to int
		want     string
	}{{0, 25, "fpo"}, {26, 31, "fpp"}, {32, 41, "ffo"}, {42, 60, "ffp"}, {200, 200, "ffp"}, {500, 500, "ffp"}} {
		for budget := c.from; budget <= c.to; budget++ {
			require.Equal(t, c.want, levels(t, Options{Policy: PolicyReference, Budget: &budget, Plain: true}, p), budget)
		}
	}
	// 400 bytes of content are 100 tokens, a summary of 40 bytes is 10.
	content, summary := strings.Repeat("x", 400), strings.Repeat("s", 40)
	for _, c := range []struct {
		rank       bcp.Priority
		hasSummary bool
		budget     int
		want       string
	}{
		{bcp.PriorityCritical, true, 0, "f"}, {bcp.PriorityCritical, false, 0, "f"},
		{bcp.PriorityHigh, false, 0, "f"}, {bcp.PriorityHigh, true, 9, "f"}, {bcp.PriorityHigh, true, 10, "s"}, {bcp.PriorityHigh, true, 99, "s"}, {bcp.PriorityHigh, true, 100, "f"},
		{bcp.PriorityNormal, false, 99, "p"}, {bcp.PriorityNormal, false, 100, "f"}, {bcp.PriorityNormal, true, 9, "p"}, {bcp.PriorityNormal, true, 10, "s"}, {bcp.PriorityNormal, true, 100, "f"},
		{bcp.PriorityLow, false, 100_000, "p"}, {bcp.PriorityLow, true, 9, "p"}, {bcp.PriorityLow, true, 100_000, "s"},
		{bcp.PriorityBackground, true, 9, "error"}, {bcp.PriorityBackground, true, 10, "p"}, {bcp.PriorityBackground, false, 100_000, "p"},
	} {
		b := new(bcp.Builder).Add(code("go", "a", content)).Priority(c.rank)
		if c.hasSummary {
			b.Summary(summary)
		}
		require.Equal(t, c.want, levels(t, Options{Policy: PolicyReference, Budget: &c.budget, Plain: true}, build(t, b)), "%+v", c)
	}
	// A verbosity other than adaptive has no budget.
	require.Equal(t, "fff", levels(t, Options{Policy: PolicyReference, Verbosity: VerbosityFull, Budget: ptr(0)}, p))
	b := new(bcp.Builder)
	b.Add(&bcp.EmbeddingRef{Model: strings.Repeat("m", 29)}).Add(&bcp.Image{MediaType: "png", Data: make([]byte, 400)}).Add(&bcp.Image{MediaType: "png", Data: []byte("\xFF\xFF")})
	b.Add(&bcp.UnknownBody{Type: 0x42, Data: make([]byte, 7)})
	r, err := newRenderer(Options{}, build(t, b))
	require.NoError(t, err)
	for i, want := range []int{10, 100, 1, 1} {
		require.Equal(t, want, r.estimate(&r.items[i]))
	}
}

func TestFitByRank(t *testing.T) {
	content := strings.Repeat("word and word again\n", 40)
	b := new(bcp.Builder)
	for _, rank := range []bcp.Priority{bcp.PriorityBackground, bcp.PriorityNormal, bcp.PriorityCritical, bcp.PriorityHigh, bcp.PriorityLow} {
		b.Add(code("go", rank.String()+".go", content)).Priority(rank)
	}
	p := build(t, b)
	full, err := Options{}.Render(p)
	require.NoError(t, err)
	one := full.Tokens/5 + 20
	// background, normal, critical, high, low
	for n, want := range []string{"error", "..f..", "..ff.", ".fff.", ".ffff", "fffff"} {
		got := levels(t, Options{Budget: ptr(max(10, n*one))}, p)
		for i := range want {
			if want[i] == 'f' {
				require.Equal(t, "f", got[i:i+1], "budget for %d: %s", n, got)
			}
		}
		require.Equal(t, strings.Count(want, "f"), strings.Count(got, "f"), got)
	}
	require.Equal(t, "error", levels(t, Options{Budget: ptr(10)}, p))
	_, err = Options{Budget: ptr(10)}.Render(p)
	require.ErrorIs(t, err, wire.ErrLimit)
}

// A large block does not keep small ones from being shown, and critical ones
// come before everything.
func TestFitDoesNotStall(t *testing.T) {
	b := new(bcp.Builder).Add(code("go", "large.go", strings.Repeat("x = y + z\n", 10_000))).Priority(bcp.PriorityHigh)
	for i := range 20 {
		b.Add(code("go", fmt.Sprintf("%d.go", i), strings.Repeat("a = b + c\n", 5)))
	}
	p := build(t, b)
	r, err := Options{Budget: ptr(2000)}.Render(p)
	require.NoError(t, err)
	require.LessOrEqual(t, r.Tokens, 2000)
	shown := 0
	for _, l := range amounts(r) {
		if l == levelFull {
			shown++
		}
	}
	require.Equal(t, 20, shown)

	b.Add(code("go", "critical.go", strings.Repeat("x = y + z\n", 100))).Priority(bcp.PriorityCritical)
	require.Contains(t, must(t, Options{Budget: ptr(300)}, build(t, b)), "critical.go")
}

func must(t *testing.T, o Options, p *bcp.Payload) string {
	text, err := o.Text(p)
	require.NoError(t, err)
	return text
}

func TestFitVerbosity(t *testing.T) {
	p := build(t, new(bcp.Builder).Add(code("go", "a.go", strings.Repeat("x = y + z\n", 100))).Summary("sums"))
	require.Equal(t, "s", levels(t, Options{Budget: ptr(60)}, p))
	require.Equal(t, "p", levels(t, Options{Budget: ptr(60), Verbosity: VerbosityFull}, p))
	require.Equal(t, "s", levels(t, Options{Budget: ptr(10_000), Verbosity: VerbositySummary}, p))
	require.Equal(t, "f", levels(t, Options{Budget: ptr(10_000)}, p))
	// A summary that is longer than the content is of no use.
	p = build(t, new(bcp.Builder).Add(code("go", "a.go", "x")).Summary(strings.Repeat("long ", 100)))
	require.Equal(t, "f", levels(t, Options{Budget: ptr(30)}, p))
}

var sentences = strings.Fields("func main return the error 0x1F \t </code> ``` --- [user] **User**: 日本語 naïve \u200d if err != nil { } ;;; ,")

// randomPack makes a payload with blocks of every kind and size.
func randomPack(r *rand.Rand) *bcp.Payload {
	text := func(most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString(sentences[r.IntN(len(sentences))])
			b.WriteString([]string{" ", "\n", "\n\n", "  ", ""}[r.IntN(5)])
		}
		return b.String()
	}
	var b bcp.Builder
	for range 1 + r.IntN(12) {
		most := []int{3, 30, 300}[r.IntN(3)]
		switch r.IntN(9) {
		case 0, 1:
			b.Add(code([]string{"go", "rust", "", "other(66)"}[r.IntN(4)], text(4), text(most)))
		case 2:
			b.Add(turn([]string{"system", "user", "assistant", "tool"}[r.IntN(4)], text(most)))
		case 3:
			b.Add(tool(text(4), text(most)))
		case 4:
			b.Add(&bcp.Document{Title: text(4), Content: []byte(text(most)), FormatHint: []string{"markdown", "plain", "html"}[r.IntN(3)]})
		case 5:
			b.Add(&bcp.Diff{Path: text(4), Hunks: []bcp.DiffHunk{{Lines: []byte(text(most))}, {Lines: []byte(text(most))}}})
		case 6:
			b.Add(&bcp.FileTree{Root: text(3), Entries: []bcp.FileEntry{{Name: text(4)}, {Name: "d", Kind: "directory", Children: []bcp.FileEntry{{Name: text(9)}}}}})
		case 7:
			b.Add(&bcp.UnknownBody{Type: 0x42, Data: []byte(text(most))})
		case 8:
			b.Add(&bcp.EmbeddingRef{Model: text(3)})
		}
		if r.IntN(2) == 0 {
			b.Summary(text(15))
		}
		if r.IntN(2) == 0 {
			b.Priority(bcp.Priority(1 + r.IntN(5)))
		}
	}
	p, _ := b.Build()
	return p
}

// For every budget: the text never costs more, and a larger budget never shows
// less of any block with PolicySteady, nor what is worth less with PolicyFit.
func TestFitProperties(t *testing.T) {
	counters := map[string]tokens.Counter{"o200k": tokens.O200k{}, "cl100k": tokens.Cl100k{}, "claude estimate": tokens.Estimate{}, "bytes": nil}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range trials.Of(40) {
		p := randomPack(r)
		for name, counter := range counters {
			o := Options{Mode: Mode(r.IntN(3)), Counter: counter, Plain: r.IntN(4) == 0}
			full, err := o.Render(p)
			require.NoError(t, err)
			for _, o.Policy = range []Policy{PolicyFit, PolicySteady} {
				before := newShown(p)
				for budget := 0; budget <= full.Tokens+20; budget += 1 + full.Tokens/60 {
					checkFit(t, o, p, budget, before, fmt.Sprintf("round %d, %s, %s, budget %d", round, name, o.Mode, budget))
				}
				for _, budget := range []int{full.Tokens, full.Tokens + 1, full.Tokens * 2} {
					all, err := withBudget(o, budget).Render(p)
					require.NoError(t, err)
					require.Equal(t, full.Text, all.Text)
				}
			}
		}
	}
}

func withBudget(o Options, budget int) Options {
	o.Budget = &budget
	return o
}

// shown is what smaller budgets have shown.
type shown struct {
	levels           []amount
	critical, others int
}

func newShown(p *bcp.Payload) *shown { return &shown{levels: make([]amount, len(p.Blocks))} }

func checkFit(t *testing.T, o Options, p *bcp.Payload, budget int, before *shown, what string) {
	t.Helper()
	got, err := withBudget(o, budget).Render(p)
	if err != nil {
		require.ErrorIs(t, err, wire.ErrLimit, what)
		require.Zero(t, before.critical+before.others, what)
		return
	}
	n, err := cmp.Or[tokens.Counter](o.Counter, estimate{}).Count(got.Text)
	require.NoError(t, err)
	require.LessOrEqual(t, n, budget, what)
	require.Equal(t, n, got.Tokens)
	critical, others := worth(p, amounts(got))
	require.GreaterOrEqual(t, critical, before.critical, what)
	if critical == before.critical {
		require.GreaterOrEqual(t, others, before.others, what)
	}
	for i, l := range amounts(got) {
		if o.Policy == PolicySteady {
			require.GreaterOrEqual(t, l, before.levels[i], "%s, block %d", what, i)
		}
	}
	*before = shown{amounts(got), critical, others}
}

func BenchmarkRender(b *testing.B) {
	var list bcp.Builder
	for i := range 33 {
		list.Add(code("go", fmt.Sprintf("file%d.go", i), strings.Repeat("\tif err := call(a, b); err != nil {\n\t\treturn err\n\t}\n", 200)))
	}
	p := build(b, &list)
	for name, o := range map[string]Options{
		"all": {}, "plain": {Plain: true}, "fit bytes": {Budget: ptr(20_000)}, "fit o200k": {Budget: ptr(20_000), Counter: tokens.O200k{}},
		"reference policy": {Budget: ptr(20_000), Policy: PolicyReference, Plain: true},
	} {
		b.Run(name, func(b *testing.B) {
			text, err := Options{}.Text(p)
			require.NoError(b, err)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := o.Text(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A counter that does not add up still keeps the budget.
type oddCounter struct{ tokens.Estimate }

func (oddCounter) Count(text []byte) (int, error) { return len(text) * len(text) / 1000, nil }

func TestOddCounter(t *testing.T) {
	p := corpus(t)["mixed_blocks"]
	for budget := range 200 {
		r, err := Options{Counter: oddCounter{}, Budget: &budget}.Render(p)
		if err == nil {
			require.LessOrEqual(t, r.Tokens, budget)
		}
	}
}

// TestOddCounterSteady: more budget never shows less, by a counter that does not add up.
func TestOddCounterSteady(t *testing.T) {
	var b bcp.Builder
	for i := range 40 {
		b.Add(code("go", fmt.Sprintf("%d.go", i), strings.Repeat("word ", 5+3*i))).Summary("word")
	}
	p := build(t, &b)
	before := make([]amount, len(p.Blocks))
	for budget := 1; budget < 2000; budget += 7 {
		r, err := withBudget(Options{Counter: oddCounter{}, Policy: PolicySteady}, budget).Render(p)
		if err != nil {
			continue
		}
		require.LessOrEqual(t, r.Tokens, budget)
		for i, l := range amounts(r) {
			require.GreaterOrEqual(t, l, before[i], "budget %d, block %d", budget, i)
		}
		before = amounts(r)
	}
	require.Positive(t, before[0], "something is shown")
}

func FuzzFit(f *testing.F) {
	f.Add([]byte("func main() {}\n"), []byte("sum"), uint16(30), uint8(0))
	f.Add([]byte("```\n</code>"), []byte("\n\n"), uint16(60), uint8(1))
	f.Add([]byte("--- a ---\n[user] x"), []byte("\r"), uint16(90), uint8(2))
	f.Fuzz(func(t *testing.T, content, summary []byte, budget uint16, mode uint8) {
		var b bcp.Builder
		b.Add(code("go", string(summary), string(content))).Summary(string(summary))
		b.Add(turn("user", string(content))).Priority(bcp.PriorityLow)
		b.Add(tool(string(summary), string(content))).Priority(bcp.PriorityCritical)
		p, _ := b.Build()
		o := Options{Mode: Mode(mode % 3), Counter: tokens.O200k{}}
		for _, o.Policy = range []Policy{PolicyFit, PolicySteady} {
			before := newShown(p)
			for _, n := range []int{int(budget) / 4, int(budget) / 2, int(budget), 2 * int(budget)} {
				checkFit(t, o, p, n, before, fmt.Sprint(n))
			}
		}
	})
}

// A large block does not keep small ones out, and nothing fits is said only
// where nothing does.
func TestFitFindsRoom(t *testing.T) {
	words := func(n int) string { return strings.Repeat("word ", n) }
	b := new(bcp.Builder).Add(code("go", "", words(100))).Priority(bcp.PriorityHigh)
	for range 19 {
		b.Add(code("go", "", words(20))).Priority(bcp.PriorityLow)
	}
	p := build(t, b)
	o := Options{Mode: ModeMinimal, Counter: tokens.O200k{}}
	for budget := 11; budget < 110; budget++ {
		r, err := withBudget(o, budget).Render(p)
		require.NoError(t, err, budget)
		if budget >= 30 {
			require.Greater(t, r.Tokens, budget*2/3, budget)
			require.Contains(t, amounts(r), levelFull, budget)
		}
	}
	// What costs the budget to the token is shown, in every mode.
	for mode := range ModeMinimal + 1 {
		for _, text := range []string{"x", "a line\n", words(50), "\n\n"} {
			o.Mode = mode
			p := pack(tool("ls", text))
			all, err := o.Render(p)
			require.NoError(t, err)
			for _, o.Policy = range []Policy{PolicyFit, PolicySteady} {
				require.Equal(t, "f", levels(t, withBudget(o, all.Tokens), p))
			}
			o.Policy = PolicyFit
		}
	}
	// Budgets are spent, though one block is too large.
	b = new(bcp.Builder).Add(code("go", "large.go", words(900))).Priority(bcp.PriorityHigh)
	for i := range 399 {
		b.Add(code("go", fmt.Sprintf("%d.go", i), words(20))).Priority(bcp.PriorityLow)
	}
	r, err := withBudget(o, 1000).Render(build(t, b))
	require.NoError(t, err)
	require.Greater(t, r.Tokens, 970)
}

// Hundreds of names do not take the place of content.
func TestFewPlaceholders(t *testing.T) {
	b := new(bcp.Builder)
	for i := range 300 {
		b.Add(code("go", fmt.Sprintf("pkg/file%d.go", i), strings.Repeat("a = b + c\n", 100)))
	}
	b.Add(code("go", "high.go", strings.Repeat("a = b + c\n", 20_000))).Priority(bcp.PriorityHigh)
	p := build(t, b)
	for _, budget := range []int{500, 3000, 8000} {
		r, err := Options{Budget: &budget}.Render(p)
		require.NoError(t, err)
		count := make(map[amount]int)
		for _, l := range amounts(r) {
			count[l]++
		}
		require.LessOrEqual(t, count[levelPlaceholder], mostPlaceholders)
		require.Equal(t, levelPlaceholder, amounts(r)[300])
	}
}

// Critical blocks come before all others, which get what they leave.
func TestCriticalFirst(t *testing.T) {
	b := new(bcp.Builder)
	for i := range 3 {
		b.Add(code("go", fmt.Sprintf("critical%d.go", i), strings.Repeat("x = y + z\n", 100*(i+1)))).Priority(bcp.PriorityCritical)
	}
	for i := range 10 {
		b.Add(code("go", fmt.Sprintf("%d.go", i), "a = b + c\n")).Priority(bcp.PriorityHigh)
	}
	p := build(t, b)
	for budget, want := range map[int]string{20: "ppo", 40: "ppp", 300: "fpp", 310: "fpp", 850: "ffp", 1700: "fff"} {
		got := levels(t, Options{Mode: ModeMinimal, Budget: &budget}, p)
		require.Equal(t, want, got[:3], budget)
		if budget == 310 || budget == 1700 {
			require.Contains(t, got[3:], "f")
		}
	}
}

// The error for a budget without room names the least one that has some.
func TestTooSmallTellsTheLeast(t *testing.T) {
	p := corpus(t)["mixed_blocks"]
	for mode := range ModeMinimal + 1 {
		for _, policy := range []Policy{PolicyFit, PolicySteady} {
			o := Options{Mode: mode, Policy: policy, Counter: tokens.O200k{}}
			_, err := withBudget(o, 0).Render(p)
			require.ErrorIs(t, err, wire.ErrLimit)
			var least, index int
			var level string
			_, scanErr := fmt.Sscanf(err.Error()[strings.Index(err.Error(), "the least is"):], "the least is %d, for block %d as %s", &least, &index, &level)
			require.NoError(t, scanErr, err)
			if policy == PolicyFit {
				_, err = withBudget(o, least).Render(p)
				require.NoError(t, err)
			}
			_, err = withBudget(o, least-1).Render(p)
			require.ErrorIs(t, err, wire.ErrLimit)
		}
	}
}
