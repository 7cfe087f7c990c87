package wire

import (
	"encoding"
	"reflect"
	"strconv"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// compileMap returns the conversion to a map: maps with keys of type string and
// the most usual elements are written as such, all others through reflection.
func (g *toPlan) compileMap() toFunc {
	if g.typ.T.Key() == reflect.TypeFor[string]() && g.in.own[g.typ.T.Elem()].to == nil {
		switch g.typ.T.Elem() {
		case reflect.TypeFor[any]():
			return toMap(g, (*toGo).any)
		case reflect.TypeFor[string]():
			return toScalarMap(g, func(v *Value) (string, bool) {
				if v.kind != KindString {
					return "", false
				}
				return v.str(), true
			})
		case reflect.TypeFor[int]():
			return toScalarMap(g, func(v *Value) (int, bool) {
				n, ok := v.Int64()
				return int(n), ok && int64(int(n)) == n
			})
		case reflect.TypeFor[int64]():
			return toScalarMap(g, func(v *Value) (int64, bool) { return v.Int64() })
		case reflect.TypeFor[float64]():
			return toScalarMap(g, func(v *Value) (float64, bool) {
				if v.kind != KindNumber {
					return 0, false
				}
				return v.nearestFloat()
			})
		case reflect.TypeFor[bool]():
			return toScalarMap(g, func(v *Value) (bool, bool) { return v.num != 0, v.kind == KindBool })
		}
	}
	return g.compileOtherMap()
}

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

// toMap converts to a map whose elements get makes.
func toMap[V any](g *toPlan, get func(*toGo, *Value) (V, error)) toFunc {
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		if ok, err := g.begin(d, v, p); !ok {
			return err
		}
		m, children := gotype.At[map[string]V](p), v.children()
		if *m == nil {
			*m = make(map[string]V, len(children))
		}
		for i, name := range v.keys().names {
			x, err := get(d, &children[i])
			if err != nil {
				return AtKey(err, name)
			}
			(*m)[name] = x
		}
		d.depth--
		return nil
	}
}

// toScalarMap converts to a map whose elements get gives, unless they need the
// plan of their type, with its error perhaps.
func toScalarMap[V any](g *toPlan, get func(*Value) (V, bool)) toFunc {
	elem := g.in.toPlan(g.typ.T.Elem(), false)
	return toMap(g, func(d *toGo, v *Value) (V, error) {
		if x, ok := get(v); ok {
			return x, nil
		}
		other := new(V)
		err := elem.store(d, v, gotype.Ptr(other))
		return *other, err
	})
}

// compileOtherMap is compileMap through reflection.
func (g *toPlan) compileOtherMap() toFunc {
	t := g.typ.T
	elem := g.in.toPlan(t.Elem(), false)
	setKey := newSetKey(t.Key())
	return func(d *toGo, v *Value, p gotype.Ptr) error {
		if setKey == nil && v.kind != KindNull {
			return mismatch(v, t)
		}
		if ok, err := g.begin(d, v, p); !ok {
			return err
		}
		m, children := reflect.NewAt(t, p).Elem(), v.children()
		if m.IsNil() {
			m.Set(reflect.MakeMapWithSize(t, len(children)))
		}
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem())
		for i, name := range v.keys().names {
			key.SetZero()
			value.Elem().SetZero()
			if err := elem.store(d, &children[i], value.UnsafePointer()); err != nil {
				return AtKey(err, name)
			}
			if err := setKey(name, key); err != nil {
				return AtKey(err, name)
			}
			m.SetMapIndex(key, value.Elem())
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
