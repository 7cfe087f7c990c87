package audit

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/resident"
)

// A simBlock is content of a request, by its tokens.
type simBlock struct{ id, tokens, saved int }

// A simRequest has its blocks, of which the first is what is before the messages.
type simRequest struct {
	at     time.Time
	model  string
	blocks []simBlock
	output int
}

// A simRule is what a test says of an API, in its own words.
type simRule struct {
	yaml                        string
	minimum, step               int
	minutes                     float64
	breakpoints, lookback       int
	input, read, write, outputs float64 // write is 0 where writing has no price
}

// simulate is the bill, computed from blocks: every prefix that a request leaves in the
// cache is an entry, and a later request looks for the longest that it begins with.
func simulate(rule simRule, requests []simRequest, warm, rewritten bool) (cost float64) {
	prefix := func(r simRequest, n int) (key string, tokens int) {
		key = r.model
		for _, b := range r.blocks[:n] {
			key += fmt.Sprint(" ", b.id)
			if tokens += b.tokens; rewritten {
				tokens -= b.saved
			}
		}
		return key, tokens
	}
	entries := map[string]time.Time{}
	last := map[string]int{} // blocks of the last request to a model
	for _, r := range requests {
		alive := func(n int) bool {
			key, tokens := prefix(r, n)
			at, ok := entries[key]
			return ok && tokens >= rule.minimum && r.at.Sub(at).Minutes() <= rule.minutes
		}
		if _, known := last[r.model]; warm && !known && (rule.breakpoints == 0 || rule.breakpoints >= 3) {
			key, _ := prefix(r, 1)
			entries[key] = r.at
		}
		points := []int{len(r.blocks)}
		if rule.breakpoints >= 2 && last[r.model] > 0 && last[r.model] <= len(r.blocks) {
			points = append(points, last[r.model])
		}
		if rule.breakpoints >= 3 {
			points = append(points, 1)
		}
		best := 0
		look := func(from, back int) {
			for n := from; n > 0 && n >= from-back; n-- {
				if alive(n) {
					best = max(best, n)
				}
			}
		}
		if rule.breakpoints == 0 {
			look(len(r.blocks), len(r.blocks))
		}
		for _, p := range points {
			if rule.breakpoints > 0 {
				look(p, rule.lookback)
			}
		}
		_, all := prefix(r, len(r.blocks))
		_, read := prefix(r, best)
		read = rule.minimum + (read-rule.minimum)/rule.step*rule.step
		if best == 0 {
			read = 0
		}
		rest, price := all-read, rule.input
		if rule.write > 0 && all >= rule.minimum {
			price = rule.write
		}
		cost += (float64(read)*rule.read + float64(rest)*price + float64(r.output)*rule.outputs) / 1e6
		for n := 1; n <= len(r.blocks); n++ {
			key, _ := prefix(r, n)
			if rule.breakpoints == 0 || n == len(r.blocks) || n == 1 && rule.breakpoints >= 3 {
				entries[key] = r.at
			}
		}
		last[r.model] = len(r.blocks)
	}
	return cost
}

// conversation returns a random one, and what Claude Code would write of it.
func conversation(r *rand.Rand, texts []string, sizes map[string]simBlock, turns int) ([]simRequest, string) {
	var out strings.Builder
	at, id := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC), 0
	block := func(b simBlock) simBlock {
		id++
		b.id = id
		return b
	}
	line := func(form string, args ...any) {
		fmt.Fprintf(&out, `{"sessionId":"s","timestamp":%q,`+form+"}\n", append([]any{at.Format(time.RFC3339)}, args...)...)
	}
	base := block(simBlock{tokens: []int{100, 900, 5000}[r.IntN(3)]})
	blocks := []simBlock{base, block(sizes[`"go"`])}
	line(`"type":"user","message":{"role":"user","content":"go"}`)
	var requests []simRequest
	for i := range turns {
		at = at.Add(time.Duration(r.IntN(9*60)) * time.Second)
		if r.IntN(8) == 0 {
			at = at.Add(50 * time.Minute)
		}
		request := simRequest{at: at, model: []string{"m-1", "m-1", "m-1", "m-2"}[r.IntN(4)], blocks: append([]simBlock(nil), blocks...), output: r.IntN(500)}
		requests = append(requests, request)
		input := 0
		for _, b := range blocks {
			input += b.tokens
		}
		line(`"type":"assistant","message":{"id":"msg_%d","type":"message","role":"assistant","model":%q,"content":[{"type":"tool_use","id":"t%[2]d","name":"sh","input":{}}],"usage":{"input_tokens":%[4]d,"output_tokens":%[5]d}}`, i, request.model, input, request.output)
		blocks = append(blocks, block(sizes[`{}`]))
		for range 1 + r.IntN(2)*r.IntN(30) {
			text := "ok"
			if r.IntN(3) == 0 {
				text = texts[r.IntN(len(texts))]
			}
			line(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]}`, i, text)
			blocks = append(blocks, block(sizes[text]))
		}
		if r.IntN(10) == 0 {
			line(`"type":"user","isCompactSummary":true,"message":{"role":"user","content":"in short"}`)
			blocks = []simBlock{base, block(sizes[`"in short"`])}
		}
	}
	return requests, out.String()
}

// TestBill: a replayed bill is what an independent computation makes of the same requests,
// for the rules of each API, with and without rewriting, cold and warm.
func TestBill(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector: it computes for long, and other tests run audits with it")
	}
	sizes := savedByDefault(t)
	texts := slices.DeleteFunc(slices.Sorted(maps.Keys(sizes)), func(text string) bool { return text[0] != '[' })
	for name, rule := range map[string]simRule{
		"anthropic": {"api: anthropic", 1024, 1, 5, 4, 20, 3, 0.3, 3.75, 15},
		"hour":      {"api: anthropic\n    lifetime: 1h\n    minimum: 4096", 4096, 1, 60, 4, 20, 3, 0.3, 6, 15},
		"one point": {"api: anthropic\n    breakpoints: 1", 1024, 1, 5, 1, 20, 3, 0.3, 3.75, 15},
		"two":       {"api: anthropic\n    breakpoints: 2\n    lookback: 3", 1024, 1, 5, 2, 3, 3, 0.3, 3.75, 15},
		"openai":    {"api: openai", 1024, 128, 10, 0, 0, 1.25, 0.125, 0, 10},
		"from 5.6":  {"api: openai-breakpoints", 1024, 1, 30, 4, 0, 1.25, 0.125, 1.5625, 10},
		"gemini":    {"api: gemini\n    minimum: 1024", 1024, 1, 5, 0, 0, 2, 0.2, 0, 12},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(len(name))))
			write := ""
			if rule.write > 0 {
				write = fmt.Sprintf("    write: %v\n", rule.write)
			}
			rates, err := ReadRates(fmt.Appendf(nil, "models:\n  m-*:\n    input: %v\n    output: %v\n    read: %v\n%s    %s\n", rule.input, rule.outputs, rule.read, write, rule.yaml))
			require.NoError(t, err)
			for range 5 {
				requests, text := conversation(r, texts, sizes, 1+r.IntN(25))
				b := audit(t, Options{Rates: rates}, text).Bill
				require.Equal(t, len(requests), b.Requests)
				require.Zero(t, b.Estimated+b.Untimed+b.Skipped)
				for _, warm := range caches {
					for _, rewritten := range rewritten[:2] {
						require.InDelta(t, simulate(rule, requests, warm == "warm", rewritten == "default"), b.cost(warm, rewritten), 1e-9, "%s %s", warm, rewritten)
					}
				}
				require.LessOrEqual(t, b.cost("warm", "all"), b.cost("warm", "none")+1e-9)
			}
		})
	}
}

// cost sums the charges of a case up.
func (b *Bill) cost(cache, rewriting string) (sum float64) {
	for _, c := range b.Charges {
		if c.Cache == cache && c.Rewriting == rewriting {
			sum += c.Cost
		}
	}
	return sum
}

// savedByDefault returns texts, their tokens, and what formats save of these.
func savedByDefault(t *testing.T) map[string]simBlock {
	texts := []string{"ok", `"go"`, `"in short"`, `{}`}
	for i := range 4 {
		var rows []string
		for j := range 30 + 40*i {
			rows = append(rows, fmt.Sprintf(`{"number":%d,"state":"open","title":"row %d"}`, j, i))
		}
		texts = append(texts, "["+strings.Join(rows, ",")+"]")
	}
	a, sizes := New(Options{}), make(map[string]simBlock)
	for _, text := range texts {
		n, err := a.plan.Count(text)
		require.NoError(t, err)
		sizes[text] = simBlock{tokens: n}
		if out, _, err := a.plan.Text(text); err == nil {
			sizes[text] = simBlock{tokens: n, saved: n - out.Tokens}
		}
	}
	return sizes
}

// TestBillWithoutCounts: without a provider's counts ours are taken, which is said; models
// without a rate are skipped and counted, and a longer pattern comes first.
func TestBillWithoutCounts(t *testing.T) {
	rates, err := ReadRates([]byte(`{"currency":"EUR","models":{"*":{"api":"openai","input":9,"output":9,"read":9},"gpt-*":{"api":"openai","input":1,"output":2,"read":0.5}}}`))
	require.NoError(t, err)
	word := strings.Repeat("word ", 3000)
	line := func(model string, n int) string {
		messages := fmt.Sprintf(`{"role":"user","content":%q}`, word)
		for i := range n {
			messages += fmt.Sprintf(`,{"role":"tool","name":"get","content":"%d %s"}`, i, word)
		}
		return fmt.Sprintf(`{"model":%q,"messages":[%s]}`+"\n", model, messages)
	}
	b := audit(t, Options{Rates: rates}, line("gpt-9", 0)+line("gpt-9", 1)+line("gpt-9", 2)).Bill
	require.Equal(t, "EUR", b.Currency)
	require.Equal(t, 3, b.Estimated)
	require.Equal(t, 3, b.Untimed)
	charge := b.Charges[0]
	require.InDelta(t, 3000+6000, charge.Read, 2*128+40)
	require.InDelta(t, 3*3000, charge.Input, 2*128+40)
	require.InDelta(t, (0.5*float64(charge.Read)+float64(charge.Input))/1e6, charge.Cost, 1e-12)

	delete(rates.Models, "*")
	r := audit(t, Options{Rates: rates}, line("gpt-9", 0)+line("other", 1)+line("other", 2))
	require.Equal(t, 2, r.Bill.Skipped)
	require.Equal(t, []Note{{"requests skipped: the rates lack the model other", 2, "file0.jsonl"}}, r.Notes)
	cut := line("gpt-9", 0)
	require.Equal(t, 1, audit(t, Options{Rates: rates}, cut+cut[:len(cut)/2]).Bill.Requests)
}

// TestBillRepeats: the costs of many conversations in a file are the same to the last digit each
// time that they are summed up.
func TestBillRepeats(t *testing.T) {
	rates, err := ReadRates([]byte(`{"models":{"*":{"api":"openai","input":0.1,"output":0.7,"read":0.3}}}`))
	require.NoError(t, err)
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, `{"sessionId":"s%d","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":%d}}}`+"\n", i, 7*i*i+1)
	}
	first := audit(t, Options{Rates: rates}, text.String()).Bill
	require.Positive(t, first.cost("cold", "none"))
	for range 20 {
		require.Equal(t, first, audit(t, Options{Rates: rates}, text.String()).Bill)
	}
}

// TestRates: what is wrong with rates is said, with the model and the member.
func TestRates(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "no models",
		"models: {}":                 "no models",
		"models: {m: {api: x}}":      `models: m: api must be one of ["anthropic" "gemini" "openai" "openai-breakpoints"]`,
		"models: {m: {api: openai}}": "models: m: input is missing or not a price",
		"models: {m: {api: anthropic, input: 1, output: 1, read: 1}}":              "write is missing",
		"models: {m: {api: openai, input: -1, output: 1, read: 1}}":                "input is missing or not a price",
		"models: {m: {api: openai, input: 1, output: 1, read: 1, lifetime: long}}": `lifetime is "long"`,
		"models: {m: {api: openai, input: 1, output: 1, read: 1, step: 0}}":        "step 1 or more",
		"models: {m: {api: openai, input: 1, output: 1, read: 1, minimum: -1}}":    "minimum, breakpoints and lookback must be 0 or more",
		"models: {m: {api: openai, input: 1, output: 1, read: 1, cached: 1}}":      "cached",
		"models: {m: {api: openai, input: one, output: 1, read: 1}}":               "input",
		"models: [1": "",
	} {
		_, err := ReadRates([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}
