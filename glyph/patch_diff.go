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
	d := differ{seed: maphash.MakeSeed()}
	d.e.settings = patchValues.settings()
	d.change(d.digest(from), d.digest(to), nil, pathStep{})
	for _, c := range d.changes {
		p.ops = append(p.ops, patchOp{action: c.action, path: c.at.path(), value: c.value, at: c.index})
	}
	return p, nil
}

type differ struct {
	changes []change // so far
	seed    maphash.Seed
	e       encoder // measures
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

// A location is where a value is. Those in one container share the way to it.
type location struct {
	outer  *location // nil: it is the whole value
	step   pathStep
	depth  int
	length int // of the path's text
}

// in returns the location that a step leads to, or that of the whole value.
func (d *differ) in(p *location, step pathStep) *location {
	if p == nil {
		return new(location)
	}
	d.e.dst = appendPath(d.e.dst[:0], []pathStep{step})
	length := p.length + len(d.e.dst)
	if p.length > 0 && !step.isIndex {
		length++ // the dot
	}
	return &location{p, step, p.depth + 1, length}
}

func (p *location) path() []pathStep {
	path := make([]pathStep, p.depth)
	for ; p.outer != nil; p = p.outer {
		path[p.depth-1] = p.step
	}
	return path
}

// A change is one operation.
type change struct {
	at     *location
	action patchAction
	value  wire.Value
	index  int // of an insertion, below zero at the list's end
}

// size returns the length of the text of an operation with the value.
func (p *location) size(v digest) int { return len("=  \n") + max(1, p.length) + v.size }

// noValue is the value of an operation without one, which has no blank before it.
var noValue = digest{size: -len(" ")}

// op adds an operation and returns its length.
func (d *differ) op(action patchAction, at *location, v digest) int {
	d.changes = append(d.changes, change{at, action, v.v, -1})
	return at.size(v)
}

// change adds the changes that make to of from, which is where a step leads to, and returns
// the length of their text, 0 if there are none.
func (d *differ) change(from, to digest, outer *location, step pathStep) (size int) {
	if from.same(to) {
		return 0
	}
	at, before := d.in(outer, step), len(d.changes)
	switch kind := to.v.Kind(); {
	case kind == wire.KindObject && from.v.Kind() == kind: // the order of members is no change
		size = d.maps(from, to, at)
	case kind == wire.KindArray && from.v.Kind() == kind:
		size = d.lists(from, to, at)
	default:
		return d.op(actionSet, at, to)
	}
	if size > at.size(to) {
		d.changes = d.changes[:before]
		return d.op(actionSet, at, to)
	}
	return size
}

func (d *differ) maps(from, to digest, at *location) (size int) {
	for i, key := range from.v.Keys().All() {
		if j := to.v.Keys().Index(key); j >= 0 {
			size += d.change(from.children[i], to.children[j], at, pathStep{key: key})
		} else {
			size += d.op(actionDelete, d.in(at, pathStep{key: key}), noValue)
		}
	}
	for j, key := range to.v.Keys().All() {
		if from.v.Keys().Index(key) < 0 {
			size += d.op(actionSet, d.in(at, pathStep{key: key}), to.children[j])
		}
	}
	return size
}

// lists aligns two lists and compares what lies between the elements that they
// have in common: pairs first, which move nothing, then from the end on what
// goes and what is new.
func (d *differ) lists(from, to digest, at *location) (size int) {
	gaps := aligned(from.children, to.children)
	for _, g := range gaps {
		for i := range g.Both() {
			size += d.change(from.children[g.From+i], to.children[g.To+i], at, pathStep{index: g.From + i, isIndex: true})
		}
	}
	for _, g := range slices.Backward(gaps) {
		for i := g.FromEnd - 1; i >= g.From+g.Both(); i-- {
			size += d.op(actionDelete, d.in(at, pathStep{index: i, isIndex: true}), noValue)
		}
		for i := g.To + g.Both(); i < g.ToEnd; i++ {
			size += d.op(actionAppend, at, to.children[i])
			if g.FromEnd < len(from.children) {
				index := g.From + i - g.To
				d.changes[len(d.changes)-1].index = index
				size += len(" @idx=") + len(strconv.Itoa(index))
			}
		}
	}
	return size
}
