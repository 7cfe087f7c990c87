package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// formatTable has what each payload takes in each format.
func formatTable(measures []measure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| answer | %s | `Choose` | against JSON | `Exact` |\n| --- |%s --- | ---: | ---: |\n", strings.Join(formats, " | "), strings.Repeat(" ---: |", len(formats)))
	totals := make(map[string]int)
	losses := make(map[string]bool)
	for _, m := range measures {
		fmt.Fprintf(&b, "| %s |", named(m))
		for _, f := range formats {
			n, ok := m.tokens[f]
			if !ok {
				losses[f] = true
				b.WriteString(" – |")
				continue
			}
			totals[f] += n
			b.WriteString(" " + marked(n, f == m.best.name) + " |")
		}
		fmt.Fprintf(&b, " %s | %s | %s |\n", marked(m.best.tokens, true)+" "+m.best.name, percent(saving(m.best.tokens, m.json())), percent(saving(m.identical.tokens, m.json())))
	}
	best := savings(measures, func(m measure) int { return m.best.tokens }, measure.json)
	identical := savings(measures, func(m measure) int { return m.identical.tokens }, measure.json)
	b.WriteString("| **all** |")
	for _, f := range formats {
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
	fmt.Fprintf(&b, " **%d** | %s | %s |\n", sum, percent(best.total), percent(identical.total))
	fmt.Fprintf(&b, "| median |%s | %s | %s |\n", strings.Repeat(" |", len(formats)), percent(best.median), percent(identical.median))
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

// percent writes a saving: -12.3 % is a text of 12.3 % fewer tokens.
func percent(f float64) string {
	if text := fmt.Sprintf("%.1f", -100*f); text != "-0.0" && text != "0.0" {
		return text + " %"
	}
	return "0.0 %"
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
	b.WriteString("| answer | folded | against the best format | rules | entries | by default |\n| --- | ---: | ---: | ---: | ---: | --- |\n")
	best, always, usual := 0, 0, 0
	var alike []string
	for _, m := range sorted {
		by := "folded"
		if m.usual == m.best {
			by = "as it is"
		}
		best, always, usual = best+m.best.tokens, always+m.always.tokens, usual+m.usual.tokens
		if m.always == m.best {
			alike = append(alike, named(m))
			continue
		}
		fmt.Fprintf(&b, "| %s | %d %s | %s | %d | %d | %s |\n", named(m), m.always.tokens, m.always.name,
			percent(saving(m.always.tokens, m.best.tokens)), m.folding.Constants+m.folding.Templates, m.folding.Entries, by)
	}
	s := savings(measures, func(m measure) int { return m.always.tokens }, func(m measure) int { return m.best.tokens })
	fmt.Fprintf(&b, "| **all** | %d | %s | | | %d: %s |\n", always, percent(s.total), usual, percent(saving(usual, best)))
	fmt.Fprintf(&b, "| median | | %s | | | |\n", percent(s.median))
	fmt.Fprintf(&b, "| pages of 4 KB | | %s | | | |\n\n", percent(pages.total))
	fmt.Fprintf(&b, "Nothing to fold: %s.\n", strings.Join(alike, ", "))
	return b.String()
}
