package main

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// sorted returns v with the members of every object in the order of their
// keys.
func sorted(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		elements := make([]wire.Value, 0, v.Len())
		for e := range v.Elements() {
			elements = append(elements, sorted(e))
		}
		return wire.Array(elements...)
	case wire.KindObject:
		members := make([]wire.Member, 0, v.Len())
		for key, e := range v.Members() {
			members = append(members, wire.Member{Key: key, Value: sorted(e)})
		}
		slices.SortFunc(members, func(a, b wire.Member) int { return strings.Compare(a.Key, b.Key) })
		return object(members)
	}
	return v
}

// shape counts what a value holds.
type shape struct {
	values, depth        int
	kinds                [wire.KindObject + 1]int
	tables, rows, ragged int
}

func (s *shape) add(v wire.Value, depth int) {
	s.values++
	s.kinds[v.Kind()]++
	switch v.Kind() {
	case wire.KindArray, wire.KindObject:
		depth++
		s.depth = max(s.depth, depth)
	}
	if v.Kind() == wire.KindArray && v.Len() > 1 && v.Index(0).Kind() == wire.KindObject {
		s.addTable(v)
	}
	for e := range v.Elements() {
		s.add(e, depth)
	}
}

// addTable counts a list whose first element is an object.
func (s *shape) addTable(v wire.Value) {
	uniform := true
	for e := range v.Elements() {
		if e.Kind() != wire.KindObject {
			return
		}
		uniform = uniform && wire.Internal.SameKeys(e, v.Index(0))
	}
	if uniform {
		s.tables++
		s.rows += v.Len()
	} else {
		s.ragged++
	}
}
