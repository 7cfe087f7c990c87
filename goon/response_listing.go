package goon

import (
	"cmp"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// ListOptions are the options of [FromList]. The zero value takes objects that have
// members type and id.
type ListOptions struct {
	// QueryType of the response. "" means querySearch.
	QueryType string
	// Type is the type of objects without a type of their own.
	Type string
	// TypeKey and IDKey are the members that hold type and id. "" means type
	// and id. The id must be a whole number of 64 bits, or a string of one.
	TypeKey, IDKey string
	// Number numbers the objects from 1 instead of taking their ids.
	Number bool
}

// FromList returns the response whose nodes are the objects of list, an array of
// objects, such as the records of a table. That is a decision of the caller's, never of
// a codec's: GOON truncates long texts, leaves out null and empty members, sorts, and
// turns nested arrays and objects into texts. Members named type or id that are
// neither the type nor the id become record_type and record_id: the names are
// reserved.
func FromList(list wire.Value, o ListOptions) (*Response, error) {
	if list.Kind() != wire.KindArray {
		return nil, misfit("a list is an array of objects, not "+article(list), "")
	}
	typeKey, idKey := cmp.Or(o.TypeKey, "type"), cmp.Or(o.IDKey, "id")
	r := &Response{QueryType: cmp.Or(o.QueryType, querySearch), Nodes: make([]Node, list.Len()), Edges: []Edge{}}
	var b builder.Builder
	for i := range r.Nodes {
		n, err := o.node(&b, list.Index(i), typeKey, idKey, int64(i)+1)
		if err != nil {
			return nil, wire.AtIndex(err, i)
		}
		r.Nodes[i] = n
	}
	return r, nil
}

func (o ListOptions) node(b *builder.Builder, v wire.Value, typeKey, idKey string, number int64) (Node, error) {
	if v.Kind() != wire.KindObject {
		return Node{}, misfit("a record is an object, not "+article(v), "")
	}
	n := Node{Type: o.Type, ID: number}
	if o.Number {
		idKey = ""
	}
	typ, ok := v.Get(typeKey)
	switch {
	case typ.Kind() == wire.KindString:
		n.Type = typ.Text()
	case o.Type == "":
		if !ok {
			return Node{}, misfit("a record has no member "+typeKey, "set Type for records without one")
		}
		return Node{}, wire.AtKey(misfit("the type of a record is a string, not "+article(typ), ""), typeKey)
	default:
		typeKey = "" // the member is a property
	}
	if !o.Number {
		id, ok := v.Get(idKey)
		if !ok {
			return Node{}, misfit("a record has no member "+idKey, "set IDKey, or Number to number the records")
		}
		var err error
		if n.ID, err = wholeID(id); err != nil {
			return Node{}, wire.AtKey(err, idKey)
		}
	}
	made := b.Object()
	for key, value := range v.Members() {
		if key == typeKey || key == idKey {
			continue
		}
		if reserved(key) {
			key = "record_" + key
		}
		if !b.Key(&made, key) {
			return Node{}, wire.AtKey(fault(wire.CodeDuplicateKey, wire.ErrDuplicateKey,
				"the record has members %q and %q", key, key[len("record_"):]), key)
		}
		b.Put(&made, value)
	}
	n.props = b.EndObject(&made)
	return n, nil
}
