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
type Members map[string]*group // by patterns

// A group is the members that a pattern goes with.
type group struct {
	size  int // bytes of JSON
	names map[string]bool
}

// Add adds the members of a value.
func (m Members) Add(v wire.Value) {
	if v.Kind() == wire.KindArray {
		for e := range v.Elements() {
			m.Add(e)
		}
		return
	}
	for name, e := range v.Members() {
		if k := e.Kind(); k == wire.KindArray || k == wire.KindObject {
			m.Add(e)
			continue
		}
		size := len(wire.AppendJSON(nil, e))
		for _, pattern := range patternsOf(name) {
			if m[pattern] == nil {
				m[pattern] = &group{names: make(map[string]bool)}
			}
			m[pattern].size += size
			m[pattern].names[name] = true
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
	i := strings.LastIndexByte(name, '_')
	if i <= 0 || i == len(name)-1 {
		i = strings.LastIndexFunc(name, unicode.IsUpper)
	}
	if i > 0 {
		list = append(list, "**/*"+name[i:])
	}
	return list
}

// Size returns the bytes of JSON that the members of a pattern have.
func (m Members) Size(pattern string) int { return m[pattern].size }

// Largest returns the patterns with the most bytes, at most so many. One of many names goes
// before those of each of them.
func (m Members) Largest(most int) (best []string) {
	all := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b].size, m[a].size), cmp.Compare(a, b))
	})
	taken := make(map[string]bool)
	for _, pattern := range all {
		names := m[pattern].names
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
