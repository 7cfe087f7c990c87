package rewrite

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/builder"
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

// A thinner leaves members out of a value: those that patterns name or, if it keeps
// these, the others that nothing which the patterns name is in.
type thinner struct {
	keeps   bool
	omitted int
}

func (t *thinner) thin(v wire.Value, p paths) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		elems := make([]wire.Value, 0, v.Len())
		for e := range v.Elements() {
			elems = append(elems, t.thin(e, p))
		}
		return wire.Array(elems...)
	case wire.KindObject:
		members := make([]wire.Member, 0, v.Len())
		for key, m := range v.Members() {
			rest, ends := p.below(key)
			leftOut := ends
			if t.keeps {
				holds := len(rest) > 0 && (m.Kind() == wire.KindObject || m.Kind() == wire.KindArray)
				leftOut = !ends && !holds
			}
			if leftOut {
				t.omitted++
				continue
			}
			if !ends {
				m = t.thin(m, rest)
			}
			members = append(members, wire.Member{Key: key, Value: m})
		}
		return builder.Object(members...)
	}
	return v
}

// Thin returns v without the members that omit names and without those that keep does
// not, and how many members that is.
func Thin(v wire.Value, keep, omit []string) (wire.Value, int) {
	kept, omitted := thinner{keeps: true}, thinner{}
	if len(keep) > 0 {
		v = kept.thin(v, newPaths(keep))
	}
	if len(omit) > 0 {
		v = omitted.thin(v, newPaths(omit))
	}
	return v, kept.omitted + omitted.omitted
}

// CheckPath refuses a path that no member could have.
func CheckPath(path string) error {
	if path == "" || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//") {
		return fmt.Errorf("the path %q has an empty key; write keys with one slash between them, such as user/name", path)
	}
	return nil
}
