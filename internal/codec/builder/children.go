package builder

import "github.com/wirekit/wirekit/wire"

// Object returns an object of members whose keys differ.
func Object(members ...wire.Member) wire.Value {
	o, err := wire.Object(members...)
	if err != nil {
		panic(err) // a key twice
	}
	return o
}

// Children returns the members of an object, or the elements of an array, which have no key.
func Children(v wire.Value) []wire.Member {
	children := make([]wire.Member, 0, v.Len())
	for e := range v.Elements() {
		children = append(children, wire.Member{Value: e})
	}
	if v.Kind() == wire.KindObject {
		for i, key := range v.Keys().All() {
			children[i].Key = key
		}
	}
	return children
}

// With returns an array or an object, as v is one, with these children.
func With(v wire.Value, children []wire.Member) wire.Value {
	if v.Kind() == wire.KindObject {
		return Object(children...)
	}
	elements := make([]wire.Value, len(children))
	for i, c := range children {
		elements[i] = c.Value
	}
	return wire.Array(elements...)
}
