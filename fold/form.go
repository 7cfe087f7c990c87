package fold

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/wire"
)

// A form is what becomes of the objects at a place that have the same keys. It
// is found once for all of them.
type form struct {
	from   *wire.Keys
	next   []*place  // of each member
	source []int     // of each rule, the position among the members and then the rules' ones, or -1
	frames []framing // of its members, in the order that they apply in
	// keys are those of the restored object and order the positions that its
	// values come from; err is why there are none.
	keys  *wire.Keys
	order []int
	err   error
}

// A framing is the frame of a member.
type framing struct {
	*activeRule
	position int   // its own
	inner    []int // those of the members that the frame names, or -1
}

// form returns the form of objects with these keys.
func (p *place) form(keys *wire.Keys) *form {
	if p.last != nil && p.last.from == keys {
		return p.last
	}
	f := p.forms[keys]
	if f == nil {
		f = p.newForm(keys)
		if p.forms == nil {
			p.forms = make(map[*wire.Keys]*form)
		}
		p.forms[keys] = f
	}
	p.last = f
	return f
}

func (p *place) newForm(keys *wire.Keys) *form {
	f := &form{from: keys, next: make([]*place, keys.Len())}
	for i, key := range keys.All() {
		next := p.members[step{key: key}]
		if f.next[i] = next; next != nil && next.frame != nil {
			member := framing{activeRule: next.frame, position: i}
			for _, name := range next.frame.template.inner {
				member.inner = append(member.inner, keys.Index(name))
			}
			f.frames = append(f.frames, member)
		}
	}
	slices.SortFunc(f.frames, func(a, b framing) int {
		return cmp.Or(cmp.Compare(min(len(a.inner), 1), min(len(b.inner), 1)), cmp.Compare(a.order, b.order))
	})
	if len(p.rules)+len(f.frames) == 0 {
		return f
	}
	names := make([]string, 0, keys.Len()+len(p.rules))
	known := make(map[string]int, cap(names))
	for i, key := range keys.All() {
		names = append(names, key)
		known[key] = i
	}
	f.source = make([]int, len(p.rules))
	for i, r := range p.rules {
		f.source[i] = -1
		if from, ok := known[r.template.source]; ok && r.template.source != "" {
			f.source[i] = from
		}
		if _, there := known[r.member]; there {
			f.err = wire.AtKey(fault("member_is_there", wire.ErrDuplicateKey, "a rule at %q restores a member that the object has", r.at), r.member)
			return f
		}
		known[r.member] = len(names)
		names = append(names, r.member)
	}
	if f.order, f.err = positioned(len(names), p.rules); f.err != nil {
		return f
	}
	ordered := make([]string, len(names))
	for i, from := range f.order {
		ordered[i] = names[from]
	}
	f.keys, f.err = wire.NewKeys(ordered...)
	return f
}

// positioned returns where each of n members comes from: those that rules
// restore, the last ones, are at their positions, and the others take those
// that are left, in their order.
func positioned(n int, rules []*activeRule) ([]int, error) {
	own := n - len(rules)
	order, taken := make([]int, n), make([]bool, n)
	for i, r := range rules {
		if r.index < 0 {
			continue
		}
		if r.index >= n || taken[r.index] {
			return nil, wire.AtKey(fault("bad_position", wire.ErrRange,
				"a rule at %.80q puts the member at position %d, which an object of %d does not have free", r.at, r.index, n), r.member)
		}
		order[r.index], taken[r.index] = own+i, true
	}
	free := 0
	for i := range n {
		if i >= own && rules[i-own].index >= 0 {
			continue
		}
		for taken[free] {
			free++
		}
		order[free] = i
		free++
	}
	return order, nil
}
