package arrange

import (
	"cmp"
	"slices"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// WordFirst returns v with a member first in its objects whose values begin with a
// letter or a quotation mark: after a blank or an indentation these are one token
// with it, and digits are not. All objects with the same keys get the same order.
// What lies deeper than depth stays as it is.
func WordFirst(b *builder.Builder, v wire.Value, depth int) wire.Value {
	return order(b, v, depth, beginsWithDigit, false)
}

// ClosedLast returns v with a member last in its objects whose values end in a
// quotation mark or a bracket, which are one token with the bracket of the object.
// All objects with the same keys get the same order. What lies deeper than depth
// stays as it is.
func ClosedLast(b *builder.Builder, v wire.Value, depth int) wire.Value {
	return order(b, v, depth, endsInWord, true)
}

// forms are the key lists of a value's objects.
type forms struct {
	// cost is how bad it is if a value is at the end that is decided on: the last one, or
	// the first.
	cost func(wire.Value) int
	last bool
	left int // values that are still looked at

	byKeys  map[*wire.Keys]*form
	byNames map[uint64]*form // by a hash: objects that were made one by one have Keys of their own
	list    []*form
	recent  [16]struct {
		keys *wire.Keys
		form *form
	}
	made *builder.Builder
}

// A form is a key list and what values its members have. Forms that move the same member are
// in one set, which is a tree of parents and is represented by its root.
type form struct {
	keys     *wire.Keys
	costs    []int   // the sum of those of each member's values
	nested   []*form // of the members that are objects, that of the last one
	parent   *form   // nil for a root
	set      []*form // of a root
	decided  bool
	end      int        // the member at the end
	arranged *wire.Keys // nil where the order stays
}

func order(b *builder.Builder, v wire.Value, depth int, cost func(wire.Value) int, last bool) wire.Value {
	w := forms{cost: cost, last: last, left: maxLooked, byKeys: make(map[*wire.Keys]*form), byNames: make(map[uint64]*form)}
	if w.look(v, depth); w.left < 0 {
		return v
	}
	for _, f := range w.list {
		r := f.root()
		r.set = append(r.set, f)
	}
	moved := false
	for _, f := range w.list {
		w.decide(f.root(), depth)
		moved = moved || f.arranged != nil
	}
	if moved {
		b.Borrow(nil)
		w.made = b
		v, _ = w.arranged(v, depth)
	}
	return v
}

// maxLooked is the number of containers up to which a value's order is looked for. One
// that holds another twice, which holds one twice, and so on, may have any number.
const maxLooked = 1 << 22

// of returns the form of the keys, which equal lists share.
func (w *forms) of(keys *wire.Keys) *form {
	slot := &w.recent[uintptr(keys.Len())%uintptr(len(w.recent))]
	if slot.keys == keys {
		return slot.form
	}
	f, ok := w.byKeys[keys]
	if !ok {
		sum := wire.Internal.Hash(keys)
		if f = w.byNames[sum]; f == nil || !wire.Internal.Same(f.keys, keys) {
			f = &form{keys: keys, costs: make([]int, keys.Len()), nested: make([]*form, keys.Len())}
			w.list = append(w.list, f)
			w.byNames[sum] = f
		}
		w.byKeys[keys] = f
	}
	slot.keys, slot.form = keys, f
	return f
}

// look gathers the forms of all objects.
func (w *forms) look(v wire.Value, depth int) {
	if w.left--; w.left < 0 || depth <= 0 || !isContainer(v) || v.Len() == 0 {
		return
	}
	if v.Kind() == wire.KindArray {
		for e := range v.Elements() {
			w.look(e, depth-1)
		}
		if depth > 1 {
			w.unite(v)
		}
		return
	}
	f := w.of(v.Keys())
	for i := range f.costs {
		m := v.Index(i)
		f.costs[i] += w.cost(m)
		if !isContainer(m) {
			continue
		}
		w.look(m, depth-1)
		if !w.last && m.Kind() == wire.KindObject && m.Len() > 0 && depth > 1 {
			f.nested[i] = w.of(m.Keys())
		}
	}
}

// unite has objects move the same member that are the rows of a list, which may be
// one table as long as no two contradict each other.
func (w *forms) unite(list wire.Value) {
	first := list.Index(0)
	if first.Kind() != wire.KindObject || first.Len() == 0 {
		return
	}
	f := w.of(first.Keys())
	keys := first.Keys()
	for e := range list.Elements() {
		if e.Kind() == wire.KindObject && e.Keys() != keys && e.Len() > 0 {
			keys = e.Keys()
			if g := w.of(keys); g.root() != f.root() {
				g.root().parent = f.root()
			}
		}
	}
}

// root returns the root of f's set.
func (f *form) root() *form {
	for f.parent != nil {
		if f.parent.parent != nil {
			f.parent = f.parent.parent // so that paths stay short
		}
		f = f.parent
	}
	return f
}

func isContainer(v wire.Value) bool {
	return v.Kind() == wire.KindArray || v.Kind() == wire.KindObject
}

// beginsWithDigit is 1 for a value that does that as it is written, or is a list,
// which is elsewhere. A text that looks like a number is quoted.
func beginsWithDigit(v wire.Value) int {
	switch v.Kind() {
	case wire.KindNumber, wire.KindTime, wire.KindArray:
		return 1
	case wire.KindString:
		text := v.Text()
		if text == "" || text[0]-'0' > 9 {
			return 0
		}
		for i := range len(text) {
			if c := text[i]; c-'0' > 9 && c != '.' {
				return 1
			}
		}
	}
	return 0
}

// endsInWord is 1 for a value that has neither brackets nor quotation marks.
func endsInWord(v wire.Value) int {
	if isContainer(v) {
		return 0
	}
	if v.Kind() != wire.KindString {
		return 1
	}
	text := v.Text()
	if text == "" || !isLetter(text[0]) {
		return 0
	}
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && c-'0' > 9 && (c < '-' || c > '/') {
			return 0
		}
	}
	return 1
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 || c == '_' }

// decide decides on the member at the end of the forms of a root's set.
func (w *forms) decide(root *form, depth int) {
	if root.decided || depth <= 0 {
		return
	}
	root.decided = true
	for _, f := range root.set {
		if w.last {
			f.end = f.keys.Len() - 1
		}
		for i, n := range f.nested {
			if n != nil {
				w.decide(n.root(), depth-1)
				f.costs[i] += n.costs[n.end]
			}
		}
	}
	have, best, name := 0, 0, ""
	for _, f := range root.set {
		have += f.costs[f.end]
	}
	best = have
	for i := range root.keys.Len() {
		at := i
		if w.last {
			at = root.keys.Len() - 1 - i // the one that is nearest
		}
		if n, ok := root.cost(root.keys.At(at)); ok && n < best {
			best, name = n, root.keys.At(at)
		}
	}
	// A few values are not worth another order.
	if best == have || 2*best > have {
		return
	}
	for _, f := range root.set {
		if end := f.keys.Index(name); end != f.end {
			f.end, f.arranged = end, f.moved(end)
		}
	}
}

// cost returns that of a member of all forms of a root's set, and whether all have it.
func (root *form) cost(name string) (int, bool) {
	n := 0
	for _, f := range root.set {
		at := f.keys.Index(name)
		if at < 0 {
			return 0, false
		}
		n += f.costs[at]
	}
	return n, true
}

// moved returns the keys with that one at the end.
func (f *form) moved(end int) *wire.Keys {
	names := make([]string, 0, f.keys.Len())
	for i, name := range f.keys.All() {
		if i != end {
			names = append(names, name)
		}
	}
	arranged, err := wire.NewKeys(slices.Insert(names, f.end, f.keys.At(end))...)
	if err != nil {
		return nil // not of distinct keys
	}
	return arranged
}

// arranged returns v in the new order, and whether that is another value.
func (w *forms) arranged(v wire.Value, depth int) (wire.Value, bool) {
	if depth <= 0 || !isContainer(v) || v.Len() == 0 {
		return v, false
	}
	if v.Kind() == wire.KindArray {
		if elements := w.children(v, depth, nil); elements != nil {
			return w.made.ArrayOf(elements), true
		}
		return v, false
	}
	f := w.of(v.Keys())
	values := w.children(v, depth, f)
	if values == nil {
		return v, false
	}
	return w.made.RowOf(cmp.Or(f.arranged, f.keys), values), true
}

// children returns those of v in the new order, the members of an object of a form that is
// not nil; nil if they stay as they are.
func (w *forms) children(v wire.Value, depth int, f *form) (list []wire.Value) {
	take, n := w.made.Elements, v.Len()
	if f != nil {
		take = w.made.Slots
	}
	moved := f != nil && f.arranged != nil
	if moved {
		list = take(n)
	}
	for i := range n {
		c, other := w.arranged(v.Index(i), depth-1)
		if other && list == nil {
			list = take(n)
			for j := range i {
				list[j] = v.Index(j)
			}
		}
		switch {
		case moved:
			list[f.place(i, w.last)] = c
		case list != nil:
			list[i] = c
		}
	}
	return list
}

// place returns where a member is in the new order.
func (f *form) place(i int, last bool) int {
	switch {
	case last && i < f.end || !last && i > f.end:
		return i
	case i == f.end && last:
		return f.keys.Len() - 1
	case i == f.end:
		return 0
	case last:
		return i - 1
	}
	return i + 1
}
