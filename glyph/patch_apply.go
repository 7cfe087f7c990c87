package glyph

import (
	"fmt"
	"math"
	"slices"

	"github.com/wirekit/wirekit/wire"
)

// Apply returns the value that the patch makes of base. It checks the base's
// fingerprint first, if the patch has one. Base itself never changes; if an
// operation fails, the result is null and the error's path names the operation.
func (p *Patch) Apply(base wire.Value) (wire.Value, error) {
	if p.err != nil {
		return wire.Value{}, p.err
	}
	if err := p.VerifyBase(base); err != nil {
		return wire.Value{}, err
	}
	root := node{v: base}
	for i, op := range p.Ops {
		if err := root.apply(op); err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
	}
	var b wire.Builder
	return root.freeze(&b), nil
}

// A node is a value that is being changed. A container is opened, that is its
// children become nodes, when a path first leads into it; each is opened and
// closed once, however many operations there are.
type node struct {
	v        wire.Value // unless opened
	opened   bool
	list     bool
	elems    nodeList       // of a list
	keys     []string       // of a map, in order, deleted ones included
	members  []*node        // of a map, beside keys; nil where deleted
	position map[string]int // of a map
}

func (n *node) open() {
	if n.opened {
		return
	}
	n.opened = true
	n.list = n.v.Kind() == wire.KindArray
	children := make([]*node, n.v.Len())
	for i := range children {
		children[i] = &node{v: n.v.Index(i)}
	}
	if n.list {
		n.elems = newNodeList(children)
		return
	}
	n.members = children
	n.position = make(map[string]int, len(children))
	for i := range children {
		key := n.v.Key(i)
		n.keys = append(n.keys, key)
		n.position[key] = i
	}
}

// freeze returns the node's value.
func (n *node) freeze(b *wire.Builder) wire.Value {
	if !n.opened {
		return n.v
	}
	if n.list {
		mark := b.Mark()
		for _, block := range n.elems.blocks {
			for _, e := range block {
				b.Push(e.freeze(b))
			}
		}
		return b.Array(mark)
	}
	o := b.Object()
	for i, m := range n.members {
		if m != nil {
			b.Key(&o, n.keys[i])
			b.Put(&o, m.freeze(b))
		}
	}
	return b.EndObject(&o)
}

// kind is the kind of the node's value.
func (n *node) kind() wire.Kind {
	switch {
	case !n.opened:
		return n.v.Kind()
	case n.list:
		return wire.KindArray
	}
	return wire.KindObject
}

// child returns the node that one step leads to; nil for a key that is not
// there.
func (n *node) child(step PathStep, path []PathStep) (*node, error) {
	if step.IsIndex {
		if n.kind() != wire.KindArray {
			return nil, typeError(path, "a list", n)
		}
		if n.open(); step.Index >= n.elems.n {
			return nil, patchError("path_not_found", wire.ErrShape,
				fmt.Sprintf("%s: the list has %d elements", pathText(path), n.elems.n))
		}
		return n.elems.at(step.Index), nil
	}
	if n.kind() != wire.KindObject {
		return nil, typeError(path, "a map", n)
	}
	n.open()
	if i, ok := n.position[step.Key]; ok {
		return n.members[i], nil
	}
	return nil, nil
}

func typeError(path []PathStep, want string, n *node) error {
	return patchError("type_mismatch", wire.ErrShape, fmt.Sprintf("%s needs %s, found %s", pathText(path), want, n.kind()))
}

// find returns the node at the path.
func (n *node) find(path []PathStep) (*node, error) {
	at := n
	for i, step := range path {
		next, err := at.child(step, path[:i+1])
		if err != nil {
			return nil, err
		}
		if next == nil {
			return nil, patchError("path_not_found", wire.ErrShape, pathText(path[:i+1])+" does not exist")
		}
		at = next
	}
	return at, nil
}

func (n *node) apply(op PatchOp) error {
	if err := op.check(); err != nil {
		return err
	}
	switch op.Action {
	case ActionSet:
		return n.set(op)
	case ActionDelete:
		return n.delete(op.Path)
	}
	at, err := n.find(op.Path)
	if err != nil {
		return err
	}
	if op.Action == ActionDelta {
		return at.add(op)
	}
	if at.kind() != wire.KindArray {
		return typeError(op.Path, "a list", at)
	}
	at.open()
	i := at.elems.n
	if op.AtIndex {
		if i = op.At; i > at.elems.n {
			return patchError("path_not_found", wire.ErrShape,
				fmt.Sprintf("%s: no place %d in a list of %d elements", pathText(op.Path), i, at.elems.n))
		}
	}
	at.elems.insert(i, &node{v: op.Value})
	return nil
}

func (n *node) set(op PatchOp) error {
	if len(op.Path) == 0 {
		*n = node{v: op.Value}
		return nil
	}
	last := len(op.Path) - 1
	parent, err := n.find(op.Path[:last])
	if err != nil {
		return err
	}
	step := op.Path[last]
	at, err := parent.child(step, op.Path)
	switch {
	case err != nil:
		return err
	case at != nil:
		*at = node{v: op.Value}
	default:
		parent.position[step.Key] = len(parent.keys)
		parent.keys = append(parent.keys, step.Key)
		parent.members = append(parent.members, &node{v: op.Value})
	}
	return nil
}

func (n *node) delete(path []PathStep) error {
	if _, err := n.find(path); err != nil {
		return err
	}
	last := len(path) - 1
	parent, _ := n.find(path[:last])
	step := path[last]
	if step.IsIndex {
		parent.elems.delete(step.Index)
		return nil
	}
	parent.members[parent.position[step.Key]] = nil
	delete(parent.position, step.Key)
	return nil
}

// add adds to a number. A whole number takes whole amounts only and must be and
// stay within int64, so nothing is rounded; other numbers are added as float64.
func (n *node) add(op PatchOp) error {
	if n.kind() != wire.KindNumber {
		return typeError(op.Path, "a number", n)
	}
	if a, ok := n.v.Int64(); ok {
		b, ok := op.Value.Int64()
		if !ok {
			return patchError("type_mismatch", wire.ErrShape, pathText(op.Path)+" is a whole number; ~ can only add whole numbers of 64 bits")
		}
		sum := a + b
		if (sum > a) != (b > 0) && b != 0 {
			return patchError("number_out_of_range", wire.ErrRange, pathText(op.Path)+" would leave the range of int64")
		}
		*n = node{v: wire.Int(sum)}
		return nil
	}
	a, _ := n.v.Float64()
	b, _ := op.Value.Float64()
	if sum := a + b; !whole(n.v) && !math.IsInf(sum, 0) {
		*n = node{v: wire.Float(sum)}
		return nil
	}
	return patchError("number_out_of_range", wire.ErrRange, pathText(op.Path)+": the numbers are beyond what float64 can add")
}

// Diff returns a patch that makes to of from: Diff(from, to).Apply(from) is
// equal to to, but for the order of members. Its base is from, so it applies to
// nothing else; a value without a canonical form makes a patch with that error.
func Diff(from, to wire.Value) *Patch {
	b := NewPatchBuilder("").WithBaseValue(from)
	d := differ{b: &b.p}
	d.value(from, to)
	return b.Build()
}

type differ struct {
	b    *Patch
	path []PathStep
}

func (d *differ) op(op PatchOp) {
	op.Path = slices.Clone(d.path)
	d.b.Ops = append(d.b.Ops, op)
}

func (d *differ) at(step PathStep, f func()) {
	d.path = append(d.path, step)
	f()
	d.path = d.path[:len(d.path)-1]
}

func (d *differ) value(from, to wire.Value) {
	switch {
	case from.Kind() == wire.KindObject && to.Kind() == wire.KindObject:
		d.maps(from, to)
	case from.Kind() == wire.KindArray && to.Kind() == wire.KindArray:
		d.lists(from, to)
	case !wire.Identical(from, to):
		d.op(PatchOp{Action: ActionSet, Value: to})
	}
}

func (d *differ) maps(from, to wire.Value) {
	for key, v := range from.Members() {
		d.at(PathStep{Key: key}, func() {
			if w, ok := to.Get(key); ok {
				d.value(v, w)
			} else {
				d.op(PatchOp{Action: ActionDelete})
			}
		})
	}
	for key, w := range to.Members() {
		if _, ok := from.Get(key); !ok {
			d.at(PathStep{Key: key}, func() { d.op(PatchOp{Action: ActionSet, Value: w}) })
		}
	}
}

// lists compares lists. Of lists of different lengths it sets apart what they
// have in common at their start and at their end.
func (d *differ) lists(from, to wire.Value) {
	n, m := from.Len(), to.Len()
	start, end := 0, 0
	if n != m {
		for start < min(n, m) && wire.Identical(from.Index(start), to.Index(start)) {
			start++
		}
		for end < min(n, m)-start && wire.Identical(from.Index(n-1-end), to.Index(m-1-end)) {
			end++
		}
	}
	both := min(n, m) - start - end
	for i := start; i < start+both; i++ {
		d.at(PathStep{Index: i, IsIndex: true}, func() { d.value(from.Index(i), to.Index(i)) })
	}
	for i := n - end - 1; i >= start+both; i-- {
		d.at(PathStep{Index: i, IsIndex: true}, func() { d.op(PatchOp{Action: ActionDelete}) })
	}
	for i := start + both; i < m-end; i++ {
		op := PatchOp{Action: ActionAppend, Value: to.Index(i)}
		if end > 0 {
			op.At, op.AtIndex = i, true
		}
		d.op(op)
	}
}
