package main

import (
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
	totals := make(map[string]int)
	losses := make(map[string]bool)
	for _, m := range measures {
		fmt.Fprintf(&b, "| %s |", named(m))
		for _, f := range columns {
			n, ok := m.tokens[f]
			if !ok {
				losses[f] = true
				b.WriteString(" – |")
				continue
			}
			totals[f] += n
			b.WriteString(" " + marked(n, f == m.best.name) + " |")
		}
		fmt.Fprintf(&b, " %s | %s |\n", marked(m.best.tokens, true)+" "+m.best.name, percent(saving(m.best.tokens, m.json())))
	}
	best := savings(measures, func(m measure) int { return m.best.tokens }, measure.json)
	identical := savings(measures, func(m measure) int { return m.identical.tokens }, measure.json)
	b.WriteString("| **all** |")
	for _, f := range columns {
		if losses[f] {
			b.WriteString(" – |")
		} else {
			b.WriteString(" " + strconv.Itoa(totals[f]) + " |")
		}
	}
	sum := 0
	for _, m := range measures {
		sum += m.best.tokens
	}
	fmt.Fprintf(&b, " **%d** | %s |\n", sum, percent(best.total))
	fmt.Fprintf(&b, "| median |%s | %s |\n", strings.Repeat(" |", len(columns)), percent(best.median))
	fmt.Fprintf(&b, "| `Exact` |%s | %s |\n", strings.Repeat(" |", len(columns)), percent(identical.total))
	return b.String()
}

// named is a payload's name; what a program printed is set in italics.
func named(m measure) string {
	if m.Recorded {
		return "*" + m.Kind + "*"
	}
	return m.Kind
}

func marked(n int, bold bool) string {
	if bold {
		return "**" + strconv.Itoa(n) + "**"
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
func foldTable(measures []measure, pages sum) string {
	sorted := slices.Clone(measures)
	slices.SortStableFunc(sorted, func(a, b measure) int {
		x, y := saving(a.always.tokens, a.best.tokens), saving(b.always.tokens, b.best.tokens)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return strings.Compare(a.Kind, b.Kind)
	})
	var b strings.Builder
	b.WriteString("| answer | folded | against the best format, % |\n| --- | ---: | ---: |\n")
	best, always, usual := 0, 0, 0
	var less, asItIs, alike []string
	for _, m := range sorted {
		best, always, usual = best+m.best.tokens, always+m.always.tokens, usual+m.usual.tokens
		saved := percent(saving(m.always.tokens, m.best.tokens))
		switch {
		case m.always == m.best:
			alike = append(alike, named(m))
		case m.usual == m.best:
			asItIs = append(asItIs, named(m)+" "+saved)
		case saving(m.always.tokens, m.best.tokens) < 0.3:
			less = append(less, named(m)+" "+saved)
		default:
			fmt.Fprintf(&b, "| %s | %d %s | %s |\n", named(m), m.always.tokens, m.always.name, saved)
		}
	}
	s := savings(measures, func(m measure) int { return m.always.tokens }, func(m measure) int { return m.best.tokens })
	fmt.Fprintf(&b, "| **all** | %d | %s |\n", always, percent(s.total))
	fmt.Fprintf(&b, "| by default | %d | %s |\n", usual, percent(saving(usual, best)))
	fmt.Fprintf(&b, "| median | | %s |\n", percent(s.median))
	fmt.Fprintf(&b, "| pages of 4 KB | | %s |\n\n", percent(pages.total))
	fmt.Fprintf(&b, "Folded with less than 30 %% saved: %s.\n\n", strings.Join(less, ", "))
	fmt.Fprintf(&b, "Left as they are by default, in percent: %s.\n\n", strings.Join(asItIs, ", "))
	fmt.Fprintf(&b, "Nothing to fold: %s.\n", strings.Join(alike, ", "))
	return b.String()
}

// A group is what the answers of one field take together.
type group struct {
	name          string
	kinds         int
	tokens        map[string]int // by format; JSON where the format lost something
	best          int
	always, usual int
}

// grouped sums measures up by field, in the order of payload.Groups, and all
// together as the last.
func grouped(measures []measure) []group {
	byKind := make(map[string]measure, len(measures))
	for _, m := range measures {
		byKind[m.Kind] = m
	}
	var groups []group
	all := group{name: "all", tokens: make(map[string]int)}
	for _, field := range payload.Groups() {
		g := group{name: field.Name, tokens: make(map[string]int)}
		for _, kind := range field.Kinds {
			if m, ok := byKind[kind]; ok {
				g.add(m)
				all.add(m)
			}
		}
		groups = append(groups, g)
	}
	return append(groups, all)
}

func (g *group) add(m measure) {
	g.kinds++
	for _, f := range formats {
		n, ok := m.tokens[f]
		if !ok {
			n = m.json() // JSON is sent where the value must be kept
		}
		g.tokens[f] += n
	}
	g.best += m.best.tokens
	g.always += m.always.tokens
	g.usual += m.usual.tokens
}

// groupTable has what each field takes in each format, against JSON.
func groupTable(measures []measure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| answers | kinds | json | %s | `Choose` | folded |\n| --- | ---: | ---: |%s ---: | ---: |\n", strings.Join(formats[1:], " | "), strings.Repeat(" ---: |", len(formats)-1))
	for _, g := range grouped(measures) {
		json := g.tokens["json"]
		name := g.name
		if name == "all" {
			name = "**all**"
		}
		fmt.Fprintf(&b, "| %s | %d | %d |", name, g.kinds, json)
		for _, f := range formats[1:] {
			b.WriteString(" " + change(g.tokens[f], json) + " |")
		}
		fmt.Fprintf(&b, " **%s** | %s |\n", change(g.best, json), change(g.usual, json))
	}
	return b.String()
}

// change writes a count as a change against JSON's.
func change(n, json int) string {
	text := percent(saving(n, json))
	if n > json {
		return "+" + text
	}
	return text
}
