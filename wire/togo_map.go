package wire

import (
	"encoding"
	"reflect"
	"strconv"

	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// begin reports whether v, an object, is to be stored in the map at p, and goes a level
// deeper then. Null has made the map nil.
func (g *toPlan) begin(d *toGo, v *Value, p gotype.Ptr) (bool, error) {
	switch v.kind {
	case KindNull:
		*gotype.At[gotype.Ptr](p) = nil
		return false, nil
	case KindObject:
		if err := d.enter(); err != nil {
			return false, err
		}
		err := d.addMap(int(v.num))
		return err == nil, err
	}
	return false, mismatch(v, g.typ.T)
}

// compileMap returns the conversion to a map: maps with keys of type string and
// the most usual elements are written as such, all others through reflection.
func (g *toPlan) compileMap() toFunc {
	t, usual := g.typ.T, gotext.JSON.Of(g.typ)
	elem, setKey := g.in.toPlan(t.Elem(), false), newSetKey(t.Key())
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		if setKey == nil && v.kind != KindNull {
			return mismatch(v, t)
		}
		if ok, err := g.begin(d, v, p); !ok {
			return err
		}
		m, children := reflect.NewAt(t, p), v.children()
		if m.Elem().IsNil() {
			m.Elem().Set(reflect.MakeMapWithSize(t, len(children)))
		}
		var key, held reflect.Value
		if usual != nil {
			held = d.scratch.At(usual.Elem).Reflect()
		} else {
			key, held = reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		}
		for i, name := range v.keys().names {
			held.SetZero()
			if err := elem.store(d, &children[i], held.Addr().UnsafePointer()); err != nil {
				return AtKey(err, name)
			}
			if usual != nil {
				gotext.NewVar(usual, m).Store(name, d.scratch.At(usual.Elem))
				continue
			}
			key.SetZero()
			if err := setKey(name, key); err != nil {
				return AtKey(err, name)
			}
			m.Elem().SetMapIndex(key, held)
		}
		d.depth--
		return nil
	}
}

// newSetKey returns the conversion of an object's key to a map's key of type
// t, nil if there is none.
func newSetKey(t reflect.Type) func(name string, key reflect.Value) error {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return func(name string, key reflect.Value) error {
			err := key.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name))
			if err != nil {
				return methodError(t, "UnmarshalText", ErrType, err)
			}
			return nil
		}
	}
	switch op := goTypes.Of(t).Op; {
	case op == gotype.String, op == gotype.Number:
		return func(name string, key reflect.Value) error {
			key.SetString(name)
			return nil
		}
	case op.IsInt():
		return setNumber(t, strconv.ParseInt, reflect.Value.SetInt)
	case op.IsUint():
		return setNumber(t, strconv.ParseUint, reflect.Value.SetUint)
	}
	return nil
}

// setNumber is newSetKey for a type of integers.
func setNumber[N any](t reflect.Type, parse func(string, int, int) (N, error), set func(reflect.Value, N)) func(string, reflect.Value) error {
	return func(name string, key reflect.Value) error {
		n, err := parse(name, 10, t.Bits())
		if err != nil {
			return invalidKey(name, t, err)
		}
		set(key, n)
		return nil
	}
}

// invalidKey turns an error of strconv into one of this package.
func invalidKey(name string, t reflect.Type, err error) error {
	e := goError("invalid_key", ErrType, "key %.40q is not a map key of type %s", name, t)
	if ne, ok := err.(*strconv.NumError); ok && ne.Err == strconv.ErrRange {
		e.Kind = ErrRange
	}
	return e
}
