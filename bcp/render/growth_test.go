package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/tokens"
)

// Time grows with the payload and not faster, in every mode and for every
// policy.
func TestLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures time")
	}
	text := func(form string) func(n int) *bcp.Payload {
		return func(n int) *bcp.Payload {
			content := strings.Repeat(form, n)
			return pack(tool(content[:min(len(content), 1000)], content), turn("user", content), code("go", "a.go", content))
		}
	}
	many := func(content func(i int) string) func(n int) *bcp.Payload {
		return func(n int) *bcp.Payload {
			b := new(bcp.Builder)
			for i := range n / 4 {
				b.Add(code("go", fmt.Sprint(i), content(i))).Summary("sum").Priority(bcp.Priority(1 + i%5))
			}
			p, _ := b.Build()
			return p
		}
	}
	packs := map[string]func(n int) *bcp.Payload{
		"a tree":          func(n int) *bcp.Payload { return pack(branch(1, n)) },
		"a deep tree":     func(n int) *bcp.Payload { return pack(branch(100, n)) },
		"equal blocks":    many(func(int) string { return "text\n" }),
		"growing blocks":  many(func(i int) string { return strings.Repeat("x = y\n", i%200) }),
		"hunks":           func(n int) *bcp.Payload { return pack(&bcp.Diff{Hunks: make([]bcp.DiffHunk, n)}) },
		"one long line":   text("word "),
		"text":            text("a line of text\n"),
		"carriage return": text("\r\r\n"),
		"white space":     text(" \t\u00a0"),
		"invisible":       text("\u200b"),
	}
	for _, form := range []string{">", "- ", "-", "=", "`", "[", "<", "*_", "1.", "#", "&", "]]>", "\u2028", "\x00", "\xFF", "é"} {
		packs[fmt.Sprintf("%q", form)] = text(form)
		packs[fmt.Sprintf("lines of %q", form)] = text(form + "\n")
	}
	for name, input := range packs {
		t.Run(name, func(t *testing.T) {
			for mode := range ModeMinimal + 1 {
				for _, o := range []Options{{}, {Budget: ptr(5000)}, {Budget: ptr(5000), Counter: tokens.O200k{}}, {Budget: ptr(5000), Policy: PolicySteady},
					{Budget: ptr(5000), Policy: PolicyReference, Plain: true}} {
					o.Mode = mode
					t.Run(fmt.Sprintf("%s, policy %d, budget %t, counter %t", o.Mode, o.Policy, o.Budget != nil, o.Counter != nil), func(t *testing.T) {
						growth.Linear(t, 100, func(n int) func() {
							p := input(n)
							return func() { _, _ = o.Render(p) }
						})
					})
				}
			}
		})
	}
}
