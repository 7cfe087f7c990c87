package rewrite

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// paths are patterns of paths with what is left of each on the way down.
type paths [][]string

func newPaths(patterns []string) paths {
	var p paths
	for _, pattern := range patterns {
		p = append(p, strings.Split(pattern, "/"))
	}
	return p
}

// below returns what is left of the patterns under a key, and whether one of
// them ends there.
func (p paths) below(key string) (rest paths, ends bool) {
	for _, pattern := range p {
		for len(pattern) > 0 && pattern[0] == "**" {
			rest = rest.add(pattern)
			if pattern = pattern[1:]; len(pattern) == 0 {
				return rest, true
			}
		}
		if len(pattern) > 0 && Matches(pattern[0], key) {
			if len(pattern) == 1 {
				ends = true
			} else {
				rest = rest.add(pattern[1:])
			}
		}
	}
	return rest, ends
}

// add adds a rest that is not there yet: rests of one pattern are told apart
// by their length and first element's place.
func (p paths) add(rest []string) paths {
	for _, have := range p {
		if len(have) == len(rest) && &have[0] == &rest[0] {
			return p
		}
	}
	return append(p, rest)
}

// A thinner leaves members out of a value.
type thinner struct {
	omitted int
}

// omit leaves out the members that patterns name.
func (t *thinner) omit(v wire.Value, p paths) wire.Value {
	return t.each(v, p, func(m wire.Value, rest paths, ends bool) (wire.Value, bool) {
		if ends {
			return m, false
		}
		return t.omit(m, rest), true
	})
}

// keep leaves out the members that patterns do not name, and that nothing
// which they name is in.
func (t *thinner) keep(v wire.Value, p paths) wire.Value {
	return t.each(v, p, func(m wire.Value, rest paths, ends bool) (wire.Value, bool) {
		if ends {
			return m, true
		}
		if k := m.Kind(); len(rest) == 0 || k != wire.KindObject && k != wire.KindArray {
			return m, false
		}
		return t.keep(m, rest), true
	})
}

// each makes v anew from what f gives for each member of its objects.
func (t *thinner) each(v wire.Value, p paths, f func(m wire.Value, rest paths, ends bool) (wire.Value, bool)) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		elems := make([]wire.Value, 0, v.Len())
		for e := range v.Elements() {
			elems = append(elems, t.each(e, p, f))
		}
		return wire.Array(elems...)
	case wire.KindObject:
		members := make([]wire.Member, 0, v.Len())
		for key, m := range v.Members() {
			rest, ends := p.below(key)
			if m, stays := f(m, rest, ends); stays {
				members = append(members, wire.Member{Key: key, Value: m})
			} else {
				t.omitted++
			}
		}
		o, err := wire.Object(members...)
		if err != nil {
			panic(err) // a key twice, in an object that has none
		}
		return o
	}
	return v
}

// Thin returns v without the members that omit names and without those that keep does
// not, and how many members that is.
func Thin(v wire.Value, keep, omit []string) (wire.Value, int) {
	var t thinner
	if len(keep) > 0 {
		v = t.keep(v, newPaths(keep))
	}
	if len(omit) > 0 {
		v = t.omit(v, newPaths(omit))
	}
	return v, t.omitted
}

// CheckPath refuses a path that no member could have.
func CheckPath(path string) error {
	if path == "" || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//") {
		return fmt.Errorf("the path %q has an empty key; write keys with one slash between them, such as user/name", path)
	}
	return nil
}
