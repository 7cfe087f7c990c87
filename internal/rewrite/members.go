package rewrite

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/wirekit/wirekit/wire"
)

// Members are those of objects that are neither objects nor arrays, by patterns of their
// names, which rules that omit them have.
type Members struct {
	sizes map[string]int             // bytes of JSON
	names map[string]map[string]bool // that a pattern is of
}

// Add adds the members of a value.
func (m *Members) Add(v wire.Value) {
	if m.sizes == nil {
		m.sizes, m.names = make(map[string]int), make(map[string]map[string]bool)
	}
	switch v.Kind() {
	case wire.KindArray:
		for e := range v.Elements() {
			m.Add(e)
		}
	case wire.KindObject:
		for name, e := range v.Members() {
			if k := e.Kind(); k == wire.KindArray || k == wire.KindObject {
				m.Add(e)
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

// Size returns the bytes of JSON that the members of a pattern have.
func (m *Members) Size(pattern string) int { return m.sizes[pattern] }

// Largest returns the patterns with the most bytes, at most so many. One of many names goes
// before those of each of them.
func (m *Members) Largest(most int) (best []string) {
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
