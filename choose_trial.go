package wirekit

import (
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// A long value is tried by a part of it: so many elements of each array and of
// each large object that the part has some kilobytes as JSON. What all formats
// write alike, and above all what a format writes for each row, is in the part as
// it is in the whole.
const (
	leastTrial = 4 << 10 // bytes of JSON that a part has at least, about
	mostTrial  = 12 << 10
	trialPart  = 24 // one byte in so many is tried, between these bounds
	// mostWhole is the length of JSON up to which the value itself is tried.
	mostWhole = 8 << 10
	// manyMembers is above how many members an object is a map, of which some
	// stand for all. Members of others are columns, and stay.
	manyMembers = 100
	// fewElements is how many elements stay of every array, so that a table in
	// the whole is one in the part. Where that leaves too much it is one.
	fewElements = 3
	// longText is what stays of a string.
	longText = 1 << 10
)

// Two parts are tried: a smaller one in every format, and all of the part in those
// few that have up to refinedFrom times the tokens of the best there.
const (
	smallPart   = 0.3
	tooAlike    = 0.6 // a smaller part that is more than this of the larger is none
	refinedFrom = 1.15
	mostRefined = 5
	mostOnce    = 0.15 // of a part's text at most stands there once
)

// trialSize returns how many bytes of JSON are tried of a value that has n.
func trialSize(n int) int { return min(mostTrial, max(leastTrial, n/trialPart)) }

// part returns about that part of v, from 0 to 1, in which arrays have at least
// a few of their elements.
func part(v wire.Value, of float64, few int) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		n := v.Len()
		kept := keptOf(n, of, few)
		rest := of * float64(n) / float64(max(1, kept))
		if kept == n && rest >= 1 {
			return v
		}
		elements := make([]wire.Value, kept)
		for i := range elements {
			elements[i] = rested(v.Index(spread(i, kept, n)), rest, few)
		}
		return wire.Array(elements...)
	case wire.KindObject:
		return partOfObject(v, of, few)
	case wire.KindString:
		if text := v.Text(); len(text) > longText && v.Tag() == 0 {
			end := longText
			for !utf8.RuneStart(text[end]) {
				end--
			}
			return wire.String(text[:end])
		}
	}
	return v
}

func partOfObject(v wire.Value, of float64, few int) wire.Value {
	n := v.Len()
	if n <= manyMembers {
		values := make([]wire.Value, n)
		for i := range values {
			values[i] = part(v.Index(i), of, few)
		}
		return wire.ObjectOf(v.Keys(), values...)
	}
	kept := keptOf(n, of, few)
	rest := of * float64(n) / float64(kept)
	names, values := make([]string, kept), make([]wire.Value, kept)
	for i := range values {
		at := spread(i, kept, n)
		names[i], values[i] = v.Key(at), rested(v.Index(at), rest, few)
	}
	keys, err := wire.NewKeys(names...)
	if err != nil {
		return v // not of distinct keys
	}
	return wire.ObjectOf(keys, values...)
}

// rested is part for what is left to leave out within what was kept.
func rested(v wire.Value, of float64, few int) wire.Value {
	if of >= 0.75 {
		return v
	}
	return part(v, of, few)
}

// keptOf returns how many of n elements stay.
func keptOf(n int, of float64, few int) int {
	return min(n, max(few, int(float64(n)*of+0.5)))
}

// spread returns the place of the i-th of k among n, in the middle of its share.
func spread(i, k, n int) int { return (2*i + 1) * n / (2 * k) }

// A shape says whether the objects that a format may make rows of have the same
// members in the same order.
type shape uint8

const (
	unknownShape shape = iota
	regular
	irregular
)

// isRegular reports whether all objects that stand at one place of the rows of an
// array, or are the members of one object, have the same members in the same
// order.
func isRegular(v wire.Value) bool {
	var places places
	return places.take(v)
}

// places are the places of objects below each other. Elements of an array share
// one place, and so do the members of a map.
type places struct {
	keys    *wire.Keys // of the first object here
	members []*places  // by the place in keys
	element *places
}

// take reports whether v fits with what was seen at its place.
func (p *places) take(v wire.Value) bool {
	switch v.Kind() {
	case wire.KindArray:
		if p.element == nil {
			p.element = new(places)
		}
		for e := range v.Elements() {
			if isContainer(e) && !p.element.take(e) {
				return false
			}
		}
	case wire.KindObject:
		if p.keys == nil {
			p.keys, p.members = v.Keys(), make([]*places, v.Len())
		} else if !p.keys.Same(v.Keys()) {
			return false
		}
		var first *wire.Keys // of members that are objects themselves
		for i := range v.Len() {
			m := v.Index(i)
			if !isContainer(m) {
				continue
			}
			if m.Kind() == wire.KindObject {
				if first == nil {
					first = m.Keys()
				} else if !first.Same(m.Keys()) {
					return false
				}
			}
			if p.members[i] == nil {
				p.members[i] = new(places)
			}
			if !p.members[i].take(m) {
				return false
			}
		}
	}
	return true
}

func isContainer(v wire.Value) bool {
	return v.Kind() == wire.KindArray || v.Kind() == wire.KindObject
}
