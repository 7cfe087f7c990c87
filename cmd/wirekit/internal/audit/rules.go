package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/wirekit/wirekit/internal/rewrite"
	"github.com/wirekit/wirekit/wire"
)

// most is how many rules are measured for a tool, and least the part of its JSON that one
// must save to be named.
const (
	most  = 3
	least = 0.05
)

// rules measures what it would save to leave out the members of a tool's results that take
// the most room, on the sample or what there is of one.
func (a *Auditor) rules(tool string, c *cell) (rules []Rule) {
	m := members{sizes: make(map[string]int), names: make(map[string]map[string]bool)}
	for _, t := range c.sample.texts {
		if v, ok := rewrite.Container(string(t.data)); ok {
			m.count(v)
		}
	}
	for _, pattern := range m.largest() {
		plan := a.plan
		plan.Omit = []string{pattern}
		before, after := 0, 0
		for _, t := range c.sample.texts {
			before += t.format
			if out, _, err := plan.Text(string(t.data)); err == nil {
				after += min(out.Tokens, t.format)
			} else {
				after += t.format
			}
		}
		if saved := part(before-after, before); saved >= least {
			n := int(saved * float64(c.row.Tokens-c.row.Saved.Formats))
			rules = append(rules, Rule{Tool: tool, Rule: "omit:" + pattern, Tokens: n, Part: saved})
		}
	}
	return rules
}

// members are those of objects that are neither objects nor arrays, by patterns of their
// names.
type members struct {
	sizes map[string]int             // bytes of JSON
	names map[string]map[string]bool // that a pattern is of
}

func (m members) count(v wire.Value) {
	switch v.Kind() {
	case wire.KindArray:
		for e := range v.Elements() {
			m.count(e)
		}
	case wire.KindObject:
		for name, e := range v.Members() {
			if k := e.Kind(); k == wire.KindArray || k == wire.KindObject {
				m.count(e)
				continue
			}
			size := len(wire.AppendJSON(nil, e))
			for _, pattern := range patternsOf(name) {
				m.sizes[pattern] += size
				if m.names[pattern] == nil {
					m.names[pattern] = make(map[string]bool)
				}
				m.names[pattern][name] = true
			}
		}
	}
}

// patternsOf returns the patterns that a name may go with: itself, and its last word.
// A name that is not plain has none: a rule could not have it.
func patternsOf(name string) []string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return nil
	}
	list := []string{"**/" + name}
	if i := strings.LastIndexByte(name, '_'); i > 0 && i < len(name)-1 {
		list = append(list, "**/*"+name[i:])
	} else if i := strings.LastIndexFunc(name, unicode.IsUpper); i > 0 {
		list = append(list, "**/*"+name[i:])
	}
	return list
}

// largest returns the patterns with the most bytes. One of many names goes before those of
// each of them.
func (m members) largest() (best []string) {
	all := slices.SortedFunc(maps.Keys(m.sizes), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.sizes[b], m.sizes[a]), cmp.Compare(a, b))
	})
	taken := make(map[string]bool)
	for _, pattern := range all {
		names := m.names[pattern]
		isGroup := strings.HasPrefix(pattern, "**/*")
		if isGroup && len(names) < 2 || !isGroup && taken[pattern[len("**/"):]] || len(best) == most {
			continue
		}
		best = append(best, pattern)
		for name := range names {
			taken[name] = true
		}
	}
	return best
}
