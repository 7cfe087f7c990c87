package wire

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// fromStruct converts the structs of one type.
type fromStruct struct {
	typ      *gotype.Type
	fields   []fromField
	optional []optionalField
	all      fromVariant // of structs without optional fields
	rest     *fromField  // whose members become the struct's; nil if there is none

	variants atomic.Pointer[map[uint64]*fromVariant] // met so far, by which optional fields are present
}

// An optionalField is a field that can be absent.
type optionalField struct {
	index int // in the fields
	gotype.Absence
}

// A fromVariant is a struct with some of its optional fields.
type fromVariant struct {
	keys   *Keys
	fields []fromField
}

// fromField is a field that becomes a member.
type fromField struct {
	offset uintptr
	op     gotype.Op // Other: the plan is asked
	quoted bool
	plan   *fromPlan
	hops   []gotype.Hop
	name   string
}

const (
	// maskedOptional is the number up to which they are kept at all, and
	// maxVariants how many of them.
	maskedOptional = 64
	maxVariants    = 256
)

// newFromStruct compiles the fields of g, a struct type's plan.
func (g *fromPlan) newFromStruct() *fromStruct {
	list := g.typ.Fields().List
	s := &fromStruct{typ: g.typ, fields: make([]fromField, len(list))}
	for i := range list {
		f := &list[i]
		s.fields[i] = g.field(f)
		mode := s.fields[i].plan.mode
		if f.Quoted {
			// What a method gave stays as it is, as in encoding/json.
			inner := f.Type.Pointee()
			s.fields[i].quoted = inner.Marshal(mode&addressable != 0 || f.Type.Op == gotype.Pointer) == gotype.NoMethod
			s.fields[i].op = gotype.Other
		}
		switch {
		case !f.Optional():
		case mode&addressable != 0:
			s.optional = append(s.optional, optionalField{i, f.Absence()})
		default:
			s.optional = append(s.optional, optionalField{i, f.AbsenceInCopy()})
		}
	}
	switch n := len(s.optional); {
	case g.typ.Fields().Rest != nil:
		rest := g.field(g.typ.Fields().Rest)
		s.rest = &rest
	case n == 0:
		s.all = fromVariant{structKeys(s.typ, 0, s.fields), s.fields}
	}
	return s
}

// field returns what converts a field of g, a struct type's plan.
func (g *fromPlan) field(f *gotype.Field) fromField {
	mode := g.mode & addressable
	if len(f.Hops) > 0 {
		mode = addressable
	}
	if f.Hidden {
		mode |= hidden
	}
	plan := g.in.fromPlan(f.Type.T, mode)
	return fromField{offset: f.Offset, op: plan.op, plan: plan, hops: f.Hops, name: f.Name}
}

// keysOfStructs are those of all plans.
var keysOfStructs gotype.Memo[structShape, *Keys]

// A structShape is a struct type with some of its optional fields.
type structShape struct {
	t    reflect.Type
	mask uint64
}

// structKeys returns the keys of the fields, the same list in every mode.
func structKeys(t *gotype.Type, mask uint64, fields []fromField) *Keys {
	return keysOfStructs.Of(structShape{t.T, mask}, func(structShape) *Keys {
		names := make([]string, len(fields))
		for i := range fields {
			names[i] = fields[i].name
		}
		return &Keys{names: names}
	})
}

// convert converts the struct at p.
func (s *fromStruct) convert(c *fromGo, p gotype.Ptr, out *Value) error {
	if err := c.count(len(s.fields)); err != nil {
		return err
	}
	v := &s.all
	if len(s.optional) > 0 || s.rest != nil {
		v = s.variantOf(p)
	}
	if v != nil {
		slots := c.take(len(v.fields) + 1)
		err := c.row(v, p, slots)
		if err == nil {
			*out = objectOf(v.keys, slots)
		}
		if err != errGone {
			return err
		}
	}
	return s.wide(c, p, out)
}

// rows converts n structs all of whose fields are members. Their number is
// known, so the slots of all of them are taken at once.
func (s *fromStruct) rows(c *fromGo, first gotype.Ptr, n int, size uintptr, out *Value) error {
	width := len(s.fields) + 1
	if err := c.count(n * len(s.fields)); err != nil {
		return err
	}
	rows, slots := c.take(n), c.take(n*width)
	for i := range rows {
		row := slots[i*width : (i+1)*width : (i+1)*width]
		if err := c.row(&s.all, gotype.Add(first, uintptr(i)*size), row); err != nil {
			return AtIndex(err, i)
		}
		rows[i] = childrenValue(KindObject, &row[0], width-1)
	}
	*out = childrenValue(KindArray, &rows[0], n)
	return nil
}

// row converts the fields of the struct at p into slots: one per field and the
// last for the keys.
func (c *fromGo) row(v *fromVariant, p gotype.Ptr, slots []Value) error {
	slots = slots[:len(v.fields)+1]
	for i := range v.fields {
		f := &v.fields[i]
		q := f.at(p)
		if q == nil {
			return errGone
		}
		switch f.op {
		case gotype.String:
			slots[i] = String(*gotype.At[string](q))
		case gotype.Int64:
			slots[i] = Int(*gotype.At[int64](q))
		case gotype.Float64:
			x := *gotype.At[float64](q)
			if x-x != 0 {
				return AtKey(notANumber(x), f.name)
			}
			slots[i] = Float(x)
		case gotype.Other:
			if err := f.convert(c, q, &slots[i]); err != nil {
				return AtKey(err, f.name)
			}
		default:
			slots[i] = scalarAt(f.op, q)
		}
	}
	slots[len(v.fields)] = keysValue(v.keys)
	return nil
}

// errGone says that an embedded pointer is nil which was not when the members were
// chosen: a method that was called since has set it.
var errGone = errors.New("an embedded pointer has become nil")

// at returns where the field of the struct at p is, nil if an embedded pointer on the
// way is nil.
func (f *fromField) at(p gotype.Ptr) gotype.Ptr {
	for i := range f.hops {
		if p = *gotype.At[gotype.Ptr](gotype.Add(p, f.hops[i].Offset)); p == nil {
			return nil
		}
	}
	return gotype.Add(p, f.offset)
}

func (f *fromField) convert(c *fromGo, p gotype.Ptr, out *Value) error {
	if err := f.plan.convert(c, p, out); err != nil || !f.quoted || out.Kind() == KindNull {
		return err
	}
	// The option "string": the value's JSON text becomes a string.
	*out = String(string(AppendJSON(nil, *out)))
	return nil
}

// variantOf returns the variant that the struct at p is, nil if none is kept.
func (s *fromStruct) variantOf(p gotype.Ptr) *fromVariant {
	if s.rest != nil || len(s.optional) > maskedOptional {
		return nil
	}
	mask := uint64(0)
	for i := range s.optional {
		if !s.optional[i].Of(p) {
			mask |= 1 << i
		}
	}
	return s.variant(mask)
}

// variant returns the variant with the optional fields of mask, nil if too many
// others are known already.
func (s *fromStruct) variant(mask uint64) *fromVariant {
	known := s.variants.Load()
	if known != nil {
		if v := (*known)[mask]; v != nil {
			return v
		}
		if len(*known) >= maxVariants {
			return nil
		}
	}
	v := s.newVariant(mask)
	more := make(map[uint64]*fromVariant)
	if known != nil {
		maps.Copy(more, *known)
	}
	more[mask] = v
	s.variants.CompareAndSwap(known, &more) // who lost makes it again
	return v
}

func (s *fromStruct) newVariant(mask uint64) *fromVariant {
	v := &fromVariant{fields: slices.Clone(s.fields)}
	for i, o := range slices.Backward(s.optional) {
		if mask>>i&1 == 0 {
			v.fields = slices.Delete(v.fields, o.index, o.index+1)
		}
	}
	v.keys = structKeys(s.typ, mask, v.fields)
	return v
}

// wide converts a struct of which no variant is kept, or that changes meanwhile: field
// by field, as encoding/json does.
func (s *fromStruct) wide(c *fromGo, p gotype.Ptr, out *Value) error {
	o := c.Object()
	optional, w := s.optional, new(Value)
	for i := range s.fields {
		f := &s.fields[i]
		if len(optional) > 0 && optional[0].index == i {
			absent := optional[0].Of(p)
			optional = optional[1:]
			if absent {
				continue
			}
		}
		q := f.at(p)
		if q == nil {
			continue
		}
		if err := f.convert(c, q, w); err != nil {
			return AtKey(err, f.name)
		}
		c.Key(&o, f.name)
		c.Put(&o, *w)
	}
	if s.rest != nil {
		if err := s.members(c, p, &o); err != nil {
			return err
		}
	}
	*out = c.EndObject(&o)
	return nil
}

// members puts the members of the rest to the object that has the other ones.
func (s *fromStruct) members(c *fromGo, p gotype.Ptr, o *ObjectBuilder) error {
	q, rest := s.rest.at(p), new(Value)
	if q == nil {
		return nil
	}
	if err := s.rest.convert(c, q, rest); err != nil {
		return err
	}
	if kind := rest.Kind(); kind != KindObject && kind != KindNull {
		return goError("not_an_object", ErrShape, "the field %s of type %v, whose members are to be the struct's, is a value of kind %v", s.rest.name, s.rest.plan.typ.T, kind)
	}
	for name, member := range rest.Members() {
		if !c.Key(o, name) {
			return goError(CodeDuplicateKey, ErrDuplicateKey, "the struct has another member %.60q than that in its field %s", name, s.rest.name)
		}
		c.Put(o, member)
	}
	return nil
}
