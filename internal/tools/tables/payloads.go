package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/testkit/payload"
)

// formatTable has what each payload takes in each format.
func formatTable(measures []measure) string {
	columns := formats[:len(formats)-1] // YAML, the last one, is never the smallest
	var b strings.Builder
	fmt.Fprintf(&b, "| answer | %s | `Choose` | against JSON, %% |\n| --- |%s --- | ---: |\n", strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)))
	losses := make(map[string]bool)
	for _, m := range measures {
		fmt.Fprintf(&b, "| %s |", named(m))
		for _, f := range columns {
			n, ok := m.tokens[f]
			losses[f] = losses[f] || !ok
			mark := ""
			if f == m.names[best] {
				mark = "**"
			}
			fmt.Fprintf(&b, " %s |", mark+dashed(n, !ok)+mark)
		}
		fmt.Fprintf(&b, " **%d** %s | %s |\n", m.tokens[best], m.names[best], percent(m.saved(best, "json")))
	}
	saved := savings(measures, best, "json")
	b.WriteString("| **all** |")
	for _, f := range columns {
		fmt.Fprintf(&b, " %s |", dashed(total(measures, f), losses[f]))
	}
	fmt.Fprintf(&b, " **%d** | %s |\n", total(measures, best), percent(saved.total))
	empty := strings.Repeat(" |", len(columns))
	fmt.Fprintf(&b, "| median |%s | %s |\n", empty, percent(saved.median))
	fmt.Fprintf(&b, "| `Exact` |%s | %s |\n", empty, percent(savings(measures, identical, "json").total))
	return b.String()
}

// named is a payload's name; what a program printed is set in italics.
func named(m measure) string {
	if m.Recorded {
		return "*" + m.Kind + "*"
	}
	return m.Kind
}

// dashed is a number, or a dash where a value was lost.
func dashed(n int, lost bool) string {
	if lost {
		return "–"
	}
	return strconv.Itoa(n)
}

// percent writes a saving: -12.3 is a text of 12.3 % fewer tokens.
func percent(f float64) string {
	if text := fmt.Sprintf("%.1f", -100*f); text != "-0.0" {
		return text
	}
	return "0.0"
}

// foldTable has what folding saves, those that it saves most on first.
func foldTable(measures []measure) string {
	sorted := slices.Clone(measures)
	slices.SortStableFunc(sorted, func(a, b measure) int {
		return cmp.Or(cmp.Compare(b.saved(always, best), a.saved(always, best)), strings.Compare(a.Kind, b.Kind))
	})
	var b strings.Builder
	b.WriteString("| answer | folded | against the best format, % |\n| --- | ---: | ---: |\n")
	var less, asItIs, alike int
	most := ""
	for _, m := range sorted {
		saved := percent(m.saved(always, best))
		switch {
		case m.names[always] == m.names[best]:
			alike++
		case m.names[usual] == m.names[best]:
			most = cmp.Or(most, strings.TrimPrefix(saved, "-"))
			asItIs++
		case m.saved(always, best) < 0.3:
			less++
		default:
			fmt.Fprintf(&b, "| %s | %d %s | %s |\n", named(m), m.tokens[always], m.names[always], saved)
		}
	}
	s := savings(measures, always, best)
	fmt.Fprintf(&b, "| **all** | %d | %s |\n", total(measures, always), percent(s.total))
	fmt.Fprintf(&b, "| by default | %d | %s |\n", total(measures, usual), percent(savings(measures, usual, best).total))
	fmt.Fprintf(&b, "| median | | %s |\n", percent(s.median))
	fmt.Fprintf(&b, "| pages of 4 KB | | %s |\n\n", percent(pagesFolded(measures).total))
	fmt.Fprintf(&b, "Of the others %d are folded as well and save less than 30 %%, %d could save up to %s %% and\nare left as they are by default, and %d have nothing to fold.\n", less, asItIs, most, alike)
	return b.String()
}

// A group is what the answers of one field take together.
type group struct {
	name   string
	kinds  int
	tokens map[string]int // as of a measure; JSON where the format lost something
}

// grouped sums measures up by field, in the order of payload.Groups, and all
// together as the last.
func grouped(measures []measure) []group {
	var groups []group
	for _, field := range append(payload.Groups(), payload.Group{Name: "all"}) {
		g := group{name: field.Name, tokens: make(map[string]int)}
		for _, m := range measures {
			if field.Kinds != nil && !slices.Contains(field.Kinds, m.Kind) {
				continue
			}
			g.kinds++
			for _, what := range append([]string{best, usual}, formats...) {
				// JSON is sent where the value must be kept.
				g.tokens[what] += cmp.Or(m.tokens[what], m.tokens["json"])
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// groupTable has what each field takes in each format, against JSON.
func groupTable(measures []measure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| answers | kinds | json | %s | `Choose` | folded |\n| --- | ---: | ---: |%s ---: | ---: |\n", strings.Join(formats[1:], " | "), strings.Repeat(" ---: |", len(formats)-1))
	for _, g := range grouped(measures) {
		name := g.name
		if name == "all" {
			name = "**all**"
		}
		fmt.Fprintf(&b, "| %s | %d | %d |", name, g.kinds, g.tokens["json"])
		for _, f := range formats[1:] {
			b.WriteString(" " + g.change(f) + " |")
		}
		fmt.Fprintf(&b, " **%s** | %s |\n", g.change(best), g.change(usual))
	}
	return b.String()
}

// share is what a text of the group takes of JSON's tokens, in percent.
func (g group) share(what string) float64 {
	return 100 * float64(g.tokens[what]) / float64(g.tokens["json"])
}

// change is what it takes as a change against JSON's.
func (g group) change(what string) string {
	text := percent(saving(g.tokens[what], g.tokens["json"]))
	if g.tokens[what] > g.tokens["json"] {
		return "+" + text
	}
	return text
}
