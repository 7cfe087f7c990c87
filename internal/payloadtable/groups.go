package main

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/payload"
)

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
			n = m.json() // who must keep the value sends JSON
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
