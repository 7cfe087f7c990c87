package glyph

import (
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// Diff returns a patch that makes to of from: Diff(from, to).Apply(from) is
// equal to to, but for the order of members. Its base is from, by both
// fingerprints, so it applies to nothing else. A value without a canonical form is
// an error.
//
// Elements that lists have in common stay where they are, also in lists of one
// length. Where the changes within a value would be longer than the value, the
// patch sets it as a whole. Diff takes time in proportion to the values, but for
// a search in lists that is bounded.
func Diff(from, to wire.Value) (*Patch, error) {
	p := NewPatchBuilder("").WithBaseValue(from)
	if p.err != nil {
		return nil, p.err
	}
	d := differ{patch: p, seed: maphash.MakeSeed()}
	d.e.settings = patchValues.settings()
	if c := d.change(d.digest(from), d.digest(to), 0); c != nil {
		d.emit(c)
	}
	return p, nil
}

type differ struct {
	patch *Patch
	path  []pathStep
	seed  maphash.Seed
	e     encoder // measures
}

// A digest is a value with what Diff has to know of it over and over.
type digest struct {
	v        wire.Value
	hash     uint64 // of identical values the same
	size     int    // length of its text in a patch
	children []digest
}

// digest takes the value's digest, of all levels.
func (d *differ) digest(v wire.Value) digest {
	var h maphash.Hash
	h.SetSeed(d.seed)
	g := digest{v: v}
	d.e.dst = d.e.dst[:0]
	if v.Kind() < wire.KindArray {
		d.e.value(v, 0)
		g.size = len(d.e.dst)
		_, _ = h.Write(d.e.dst)
		g.hash = h.Sum64()
		return g
	}
	g.size = max(2, 1+v.Len()) // brackets and blanks
	_ = h.WriteByte(byte(v.Kind()))
	g.children = make([]digest, v.Len())
	for i := range g.children {
		c := d.digest(v.Index(i))
		if v.Kind() == wire.KindObject {
			key := v.Keys().At(i)
			d.e.dst = appendKey(d.e.dst[:0], key, false)
			g.size += len(d.e.dst) + len("=")
			_, _ = h.WriteString(key)
			_ = h.WriteByte(0)
		}
		g.size += c.size
		maphash.WriteComparable(&h, c.hash)
		g.children[i] = c
	}
	g.hash = h.Sum64()
	return g
}

// same reports whether the values are identical. What is the same is never
// looked into again, so that all calls together take linear time.
func (g digest) same(h digest) bool { return g.hash == h.hash && wire.Identical(g.v, h.v) }

// A change is what makes one value of another: an operation of its own, or the
// changes of the value's children.
type change struct {
	step     pathStep // to the child that it is of
	action   patchAction
	value    wire.Value
	at       int // the index of an insertion, below zero at the list's end
	children []*change
	size     int // length of the operations' text
}

// op returns a change of one operation at a path whose text has the length.
func op(action patchAction, length int, v digest) *change {
	size := len("= \n") + max(1, length)
	if action != actionDelete {
		size += len(" ") + v.size
	}
	return &change{action: action, value: v.v, at: -1, size: size}
}

// change returns what makes to of from, nil if nothing does. length is that of
// the path's text.
func (d *differ) change(from, to digest, length int) *change {
	if from.same(to) {
		return nil
	}
	set := op(actionSet, length, to)
	var parts []*change
	switch {
	case from.v.Kind() == wire.KindObject && to.v.Kind() == wire.KindObject:
		parts = d.maps(from, to, length)
	case from.v.Kind() == wire.KindArray && to.v.Kind() == wire.KindArray:
		parts = d.lists(from, to, length)
	default:
		return set
	}
	group := &change{children: parts}
	for _, c := range parts {
		group.size += c.size
	}
	switch {
	case len(parts) == 0: // the members are in another order, which does not count
		return nil
	case group.size > set.size:
		return set
	}
	return group
}

func (d *differ) maps(from, to digest, length int) []*change {
	var list changes
	for i, key := range from.v.Keys().All() {
		step := pathStep{key: key}
		if j := to.v.Keys().Index(key); j >= 0 {
			list.add(d.change(from.children[i], to.children[j], d.below(length, step)), step)
		} else {
			list.add(op(actionDelete, d.below(length, step), digest{}), step)
		}
	}
	for j, key := range to.v.Keys().All() {
		if step := (pathStep{key: key}); from.v.Keys().Index(key) < 0 {
			list.add(op(actionSet, d.below(length, step), to.children[j]), step)
		}
	}
	return list
}

// changes are those of the children of one value.
type changes []*change

// add adds the change of the child that a step leads to, if there is one.
func (l *changes) add(c *change, step pathStep) {
	if c != nil {
		c.step = step
		*l = append(*l, c)
	}
}

// below is the length of the text of a path with one more step.
func (d *differ) below(length int, step pathStep) int {
	d.e.dst = appendPath(d.e.dst[:0], []pathStep{step})
	if length > 0 && !step.isIndex {
		length++ // the dot
	}
	return length + len(d.e.dst)
}

// lists aligns two lists and compares what lies between the elements that they
// have in common: pairs first, which move nothing, then from the end on what
// goes and what is new.
func (d *differ) lists(from, to digest, length int) []*change {
	gaps := aligned(from.children, to.children)
	var list changes
	for _, g := range gaps {
		for i := range g.Both() {
			step := pathStep{index: g.From + i, isIndex: true}
			list.add(d.change(from.children[g.From+i], to.children[g.To+i], d.below(length, step)), step)
		}
	}
	for _, g := range slices.Backward(gaps) {
		for i := g.FromEnd - 1; i >= g.From+g.Both(); i-- {
			step := pathStep{index: i, isIndex: true}
			list.add(op(actionDelete, d.below(length, step), digest{}), step)
		}
		for i := g.To + g.Both(); i < g.ToEnd; i++ {
			c := op(actionAppend, length, to.children[i])
			if g.FromEnd < len(from.children) {
				c.at = g.From + i - g.To
				c.size += len(" @idx=") + len(strconv.Itoa(c.at))
			}
			list = append(list, c)
		}
	}
	return list
}

// emit appends the operations of a change at the path.
func (d *differ) emit(c *change) {
	if c.action != 0 {
		d.patch.ops = append(d.patch.ops, patchOp{action: c.action, path: slices.Clone(d.path), value: c.value, at: c.at})
		return
	}
	for _, part := range c.children {
		if part.action == actionAppend { // is at the list's own path
			d.emit(part)
			continue
		}
		d.path = append(d.path, part.step)
		d.emit(part)
		d.path = d.path[:len(d.path)-1]
	}
}
