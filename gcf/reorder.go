package gcf

import (
	"hash/maphash"

	"github.com/wirekit/wirekit/wire"
)

// reordered returns v with the members of its objects in an order that objects
// with the same members share: that of the first of them. What needs no other
// order is not copied, and neither is what lies deeper than depth.
func reordered(v wire.Value, depth int) wire.Value {
	r := reorderer{seed: maphash.MakeSeed(), first: make(map[uint64]*wire.Keys), orders: make(map[*wire.Keys]memberOrder)}
	v, _ = r.value(v, depth)
	return v
}

type reorderer struct {
	b     wire.Builder
	seed  maphash.Seed
	first map[uint64]*wire.Keys // by the hash of a set of keys, the first list of it

	orders map[*wire.Keys]memberOrder // of the lists that occur
	last   *wire.Keys
	known  memberOrder // of last
}

// memberOrder is what becomes of the objects with one key list.
type memberOrder struct {
	keys   *wire.Keys
	places []int // of each key, where its member is; nil if all stay where they are
}

// value returns v reordered, and whether that is another value.
func (r *reorderer) value(v wire.Value, depth int) (wire.Value, bool) {
	if !isContainer(v.Kind()) || depth == 0 {
		return v, false
	}
	var order memberOrder
	if v.Kind() == wire.KindObject {
		order = r.order(v.Keys())
	}
	mark := -1
	if order.places != nil {
		mark = r.b.Mark()
	}
	for i := range v.Len() {
		at := i
		if order.places != nil {
			at = order.places[i]
		}
		child, changed := r.value(v.Index(at), depth-1)
		if changed && mark < 0 {
			mark = r.b.Mark()
			for j := range i {
				r.b.Push(v.Index(j))
			}
		}
		if mark >= 0 {
			r.b.Push(child)
		}
	}
	switch {
	case mark < 0:
		return v, false
	case v.Kind() == wire.KindObject:
		return r.b.Row(order.keys, mark), true
	}
	return r.b.Array(mark), true
}

// order returns the order of objects with those keys.
func (r *reorderer) order(keys *wire.Keys) memberOrder {
	if keys == r.last {
		return r.known
	}
	order, ok := r.orders[keys]
	if !ok {
		order = r.orderOf(keys)
		r.orders[keys] = order
	}
	r.last, r.known = keys, order
	return order
}

func (r *reorderer) orderOf(keys *wire.Keys) memberOrder {
	var set uint64 // a sum, so the order of the keys does not count
	for _, key := range keys.All() {
		set += maphash.String(r.seed, key)
	}
	first, ok := r.first[set]
	if !ok {
		r.first[set] = keys
	}
	if !ok || first.Len() != keys.Len() || first.Same(keys) {
		return memberOrder{keys: keys}
	}
	places := make([]int, keys.Len())
	for i, key := range first.All() {
		if places[i] = keys.Index(key); places[i] < 0 {
			return memberOrder{keys: keys} // another set with the same hash
		}
	}
	return memberOrder{first, places}
}
