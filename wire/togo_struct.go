package wire

import (
	"reflect"
	"strings"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// toStruct stores objects in the structs of one type.
type toStruct struct {
	typ    *gotype.Type
	fields []toField
	rest   *toField // that takes what no field does; nil if there is none
}

// toField is a field that members go to.
type toField struct {
	offset  uintptr
	op      gotype.Op // Other: the plan is asked
	unquote bool
	plan    *toPlan
	hops    []gotype.Hop
}

// keyFields are, by position, the fields of a struct that the keys of an object
// mean; nil for those that mean none. A Keys has those of some structs: such that have
// the same members often lie beside each other.
type keyFields struct {
	of     *toStruct
	fields []*toField
	next   *keyFields // of another struct
	count  int        // of this and those after it
}

// maxKeyFields bounds the structs that a Keys knows.
const maxKeyFields = 8

// newToStruct returns the fields of g, a struct type's plan.
func (g *toPlan) newToStruct() *toStruct {
	t := g.typ
	list := t.Fields().List
	s := &toStruct{typ: t, fields: make([]toField, len(list))}
	if f := t.Fields().Rest; f != nil {
		rest := g.field(f)
		s.rest = &rest
	}
	for i := range list {
		f := &list[i]
		s.fields[i] = g.field(f)
		if f.Quoted {
			s.fields[i].op = gotype.Other
			s.fields[i].unquote = f.Type.Pointee().Unmarshal == gotype.NoMethod
		}
	}
	return s
}

// field returns what stores in a field of g, a struct type's plan.
func (g *toPlan) field(f *gotype.Field) toField {
	plan := g.in.toPlan(f.Type.T, f.Hidden)
	return toField{offset: f.Offset, op: plan.op, plan: plan, hops: f.Hops}
}

// fieldsOf returns the fields that the keys mean. The keys know those of the structs that
// objects of them were stored in first.
func (s *toStruct) fieldsOf(keys *Keys) []*toField {
	known := keys.fields.Load()
	for k := known; k != nil; k = k.next {
		if k.of == s {
			return k.fields
		}
	}
	fields := make([]*toField, len(keys.names))
	for i, name := range keys.names {
		if at := s.typ.Fields().Find(name); at >= 0 {
			fields[i] = &s.fields[at]
		}
	}
	count := 0
	if known != nil {
		count = known.count
	}
	if count < maxKeyFields {
		keys.fields.CompareAndSwap(known, &keyFields{s, fields, known, count + 1})
	}
	return fields
}

// store stores v in the struct at p.
func (s *toStruct) store(d *toGo, v *Value, p gotype.Ptr) error {
	if v.kind != KindObject {
		return unlessNull(v, s.typ.T)
	}
	if err := d.enter(); err != nil {
		return err
	}
	children := v.children()
	var others []Member
	for i, f := range s.fieldsOf(v.keys()) {
		if f == nil {
			if s.rest != nil {
				others = append(others, Member{v.keys().names[i], children[i]})
			} else if d.options.RejectUnknownMembers {
				return AtKey(goError(CodeUnknownMember, ErrUnknownMember, "a Go value of type %v has no field for the member", s.typ.T), v.keys().names[i])
			}
			continue
		}
		q := p
		if f.hops != nil {
			var err error
			if q, err = f.reach(p); err != nil {
				return AtKey(err, v.keys().names[i])
			}
		}
		q = gotype.Add(q, f.offset)
		e := &children[i]
		if f.op == gotype.String && e.kind == KindString {
			*gotype.At[string](q) = e.str()
			continue
		}
		if f.op != gotype.Other && storeAt(f.op, e, q) {
			continue
		}
		if err := f.store(d, e, q); err != nil {
			return AtKey(err, v.keys().names[i])
		}
	}
	d.depth--
	if len(others) > 0 {
		return s.storeRest(d, others, p)
	}
	return nil
}

// storeRest stores the members that no field of the struct at p takes.
func (s *toStruct) storeRest(d *toGo, others []Member, p gotype.Ptr) error {
	q, err := s.rest.reach(p)
	if err != nil {
		return AtKey(err, others[0].Key)
	}
	rest, err := Object(others...)
	if err != nil {
		return err
	}
	return s.rest.plan.store(d, &rest, gotype.Add(q, s.rest.offset))
}

// reach returns where the struct is that holds the field of the struct at p, and
// makes the embedded structs on the way that are not there yet.
func (f *toField) reach(p gotype.Ptr) (gotype.Ptr, error) {
	for i := range f.hops {
		hop := &f.hops[i]
		target := gotype.At[gotype.Ptr](gotype.Add(p, hop.Offset))
		if *target == nil {
			if hop.Hidden {
				return nil, unexported(hop.Type.T)
			}
			*target = reflect.New(hop.Type.T.Elem()).UnsafePointer()
		}
		p = *target
	}
	return p, nil
}

// store stores v in the field at p.
func (f *toField) store(d *toGo, v *Value, p gotype.Ptr) error {
	if !f.unquote || v.kind == KindNull {
		return f.plan.store(d, v, p)
	}
	// The option "string": the string's text is the JSON text of the value.
	t := f.plan.typ.T
	if v.kind == KindString {
		inner, err := ParseJSON([]byte(v.str()))
		if err == nil && inner.kind < KindArray && strings.Trim(v.str(), " \t\r\n") == v.str() {
			return f.plan.store(d, &inner, p)
		}
	}
	switch {
	case d.cells: // a cell may lack its quotation marks
		return f.plan.store(d, v, p)
	case v.kind == KindString:
		return misspelled(v, t, "the JSON text of a scalar")
	}
	return mismatch(v, t)
}
