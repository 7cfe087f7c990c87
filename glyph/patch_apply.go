package glyph

import (
	"fmt"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// Apply returns the value that the patch makes of base. It checks the base's
// fingerprint first, if the patch has one. Base itself never changes; if an
// operation fails, the result is null and the error's path names the operation.
func (p *Patch) Apply(base wire.Value) (wire.Value, error) {
	if p.err != nil {
		return wire.Value{}, p.err
	}
	if err := p.verifyBase(base); err != nil {
		return wire.Value{}, err
	}
	root := node{v: base}
	for i, op := range p.ops {
		if err := root.apply(op); err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
	}
	var b builder.Builder
	return root.freeze(&b), nil
}

// A node is a value that is being changed. A container is opened, that is its
// children become nodes, when a path first leads into it; each is opened and
// closed once, however many operations there are.
type node struct {
	v        wire.Value // of an opened node, what it was
	opened   bool
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
	children := make([]*node, n.v.Len())
	for i := range children {
		children[i] = &node{v: n.v.Index(i)}
	}
	if n.v.Kind() == wire.KindArray {
		n.elems = newNodeList(children)
		return
	}
	n.members = children
	n.position = make(map[string]int, len(children))
	for i := range children {
		key := n.v.Keys().At(i)
		n.keys = append(n.keys, key)
		n.position[key] = i
	}
}

// freeze returns the node's value.
func (n *node) freeze(b *builder.Builder) wire.Value {
	if !n.opened {
		return n.v
	}
	if n.v.Kind() == wire.KindArray {
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

// child returns the node that one step leads to; nil for a key that is not
// there.
func (n *node) child(step pathStep, path []pathStep) (*node, error) {
	if step.isIndex {
		if n.v.Kind() != wire.KindArray {
			return nil, typeError(path, "a list", n)
		}
		if n.open(); step.index >= n.elems.n {
			return nil, fault("path_not_found", wire.ErrShape,
				fmt.Sprintf("%s: the list has %d elements", pathText(path), n.elems.n))
		}
		return n.elems.at(step.index), nil
	}
	if n.v.Kind() != wire.KindObject {
		return nil, typeError(path, "a map", n)
	}
	n.open()
	if i, ok := n.position[step.key]; ok {
		return n.members[i], nil
	}
	return nil, nil
}

func typeError(path []pathStep, want string, n *node) error {
	return fault(wire.CodeTypeMismatch, wire.ErrShape, fmt.Sprintf("%s needs %s, found %s", pathText(path), want, n.v.Kind()))
}

// find returns the node at the path and the one that it is in. If only the last key of the
// path is missing, and missing is not nil, it is put there.
func (n *node) find(path []pathStep, missing *node) (parent, at *node, err error) {
	at = n
	for i, step := range path {
		parent = at
		if at, err = parent.child(step, path[:i+1]); err != nil {
			return nil, nil, err
		}
		if at != nil {
			continue
		}
		if missing == nil || i < len(path)-1 {
			return nil, nil, fault("path_not_found", wire.ErrShape, pathText(path[:i+1])+" does not exist")
		}
		at = missing
		parent.position[step.key] = len(parent.keys)
		parent.keys = append(parent.keys, step.key)
		parent.members = append(parent.members, at)
	}
	return parent, at, nil
}

func (n *node) apply(op patchOp) error {
	var missing *node
	switch op.action {
	case actionSet:
		missing = &node{v: op.value}
	case actionAppend:
		missing = &node{v: wire.Array()}
	}
	parent, at, err := n.find(op.path, missing)
	if err != nil {
		return err
	}
	switch op.action {
	case actionSet:
		*at = node{v: op.value}
	case actionAppend:
		return at.insert(op)
	case actionDelta:
		return at.add(op)
	case actionDelete:
		parent.delete(op.path[len(op.path)-1])
	}
	return nil
}

// insert appends or inserts an element.
func (n *node) insert(op patchOp) error {
	if n.v.Kind() != wire.KindArray {
		return typeError(op.path, "a list", n)
	}
	n.open()
	i := n.elems.n
	if op.at >= 0 {
		if i = op.at; i > n.elems.n {
			return fault("path_not_found", wire.ErrShape,
				fmt.Sprintf("%s: no place %d in a list of %d elements", pathText(op.path), i, n.elems.n))
		}
	}
	n.elems.insert(i, &node{v: op.value})
	return nil
}

// delete deletes the child that a step leads to.
func (n *node) delete(step pathStep) {
	if step.isIndex {
		n.elems.delete(step.index)
		return
	}
	n.members[n.position[step.key]] = nil
	delete(n.position, step.key)
}

// add adds to a number, exactly.
func (n *node) add(op patchOp) error {
	if n.v.Kind() != wire.KindNumber {
		return typeError(op.path, "a number", n)
	}
	sum, ok := addNumbers(n.v, op.value)
	if !ok {
		return fault(wire.CodeNumberRange, wire.ErrRange, pathText(op.path)+fmt.Sprintf(": the exact sum would have more than %d digits", maxSum))
	}
	*n = node{v: sum}
	return nil
}
