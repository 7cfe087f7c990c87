package wire

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// compileMap returns the conversion of a map: maps with keys of type string and
// the most usual elements are read as such, all others through reflection.
func (g *fromPlan) compileMap() fromFunc {
	if key := g.typ.T.Key(); key == reflect.TypeFor[string]() && g.in.own[g.typ.T.Elem()].from == nil {
		switch g.typ.T.Elem() {
		case reflect.TypeFor[any]():
			if g.in == &common { // or functions may be for what it holds
				return usualMap(plainAny)
			}
		case reflect.TypeFor[string]():
			return usualMap(func(s string, out *Value) bool { *out = String(s); return true })
		case reflect.TypeFor[int]():
			return usualMap(func(n int, out *Value) bool { *out = Int(int64(n)); return true })
		case reflect.TypeFor[int64]():
			return usualMap(func(n int64, out *Value) bool { *out = Int(n); return true })
		case reflect.TypeFor[float64]():
			return usualMap(plainFloat)
		case reflect.TypeFor[bool]():
			return usualMap(func(b bool, out *Value) bool { *out = Bool(b); return true })
		}
	}
	return g.compileOtherMap()
}

func usualMap[V any](plain func(V, *Value) bool) fromFunc {
	return func(c *fromGo, p gotype.Ptr, out *Value) error {
		return fromMap(c, *gotype.At[map[string]V](p), out, plain)
	}
}

// plainAny converts what holds nothing else, and reports whether v is such.
func plainAny(v any, out *Value) bool {
	switch v := v.(type) {
	case string:
		*out = String(v)
	case float64:
		return plainFloat(v, out)
	case bool:
		*out = Bool(v)
	default:
		return false
	}
	return true
}

func plainFloat(f float64, out *Value) bool {
	if f-f != 0 {
		return false
	}
	*out = Float(f)
	return true
}

// mapKeys remembers, by length, the keys of the last few maps with keys of type
// string: the next one mostly has those of one of them.
type mapKeys [8][4]*Keys

// keysOfMap returns the keys of m, which has n elements: those of one of the last maps if
// take has taken the elements under them, else its own, sorted.
func keysOfMap[V any](c *fromGo, m map[string]V, n int, take func(names []string) bool) *Keys {
	if c.mapKeys == nil {
		c.mapKeys = new(mapKeys)
	}
	likely := &c.mapKeys[n%len(c.mapKeys)] // the last ones first
	for turn, keys := range likely {
		if keys != nil && len(keys.names) == n && take(keys.names) {
			copy(likely[1:turn+1], likely[:turn])
			likely[0] = keys
			return keys
		}
	}
	c.names = c.names[:0]
	length := 0
	for name := range m {
		c.names = append(c.names, name)
		length += len(name)
	}
	c.longKeys = c.longKeys || length > maxKeptKeys || len(m) > maxSharedKeys
	slices.Sort(c.names)
	keys := c.shared(c.names)
	copy(likely[1:], likely[:])
	likely[0] = keys
	take(keys.names)
	return keys
}

// fromMap converts a map. plain converts an element, unless that holds others or is at
// fault: these wait until all are found.
func fromMap[V any](c *fromGo, m map[string]V, out *Value, plain func(V, *Value) bool) error {
	if m == nil {
		return fromNil(out)
	}
	n := len(m) // which a method of an element may change
	if err := c.enter(n); err != nil {
		return err
	}
	mark, slots := len(c.waiting), c.take(n+1)
	keys := keysOfMap(c, m, n, func(names []string) bool {
		c.waiting = c.waiting[:mark]
		for i, name := range names {
			v, ok := m[name]
			if !ok {
				return false
			}
			if !plain(v, &slots[i]) {
				c.waiting = append(c.waiting, waitingValue{i, v})
			}
		}
		return true
	})
	for i, end := mark, len(c.waiting); i < end; i++ {
		w := c.waiting[i]
		if err := c.any(w.value, &slots[w.slot]); err != nil {
			return AtKey(err, keys.names[w.slot])
		}
	}
	c.waiting = c.waiting[:mark]
	slots[n] = keysValue(keys)
	*out = objectOf(keys, slots)
	c.depth--
	return nil
}

// waitingValue is an element of a map that is converted once all are found.
type waitingValue struct {
	slot  int
	value any
}

// maxSharedKeys is the number of keys up to which maps share their key lists
// through the Builder's shapes; larger ones are rarely alike.
const maxSharedKeys = 64

// shared returns the key list of distinct names.
func (c *fromGo) shared(names []string) *Keys {
	if len(names) > maxSharedKeys {
		return &Keys{names: slices.Clone(names)}
	}
	o := c.Object()
	for _, name := range names {
		c.Key(&o, name)
	}
	return c.keysOf(&o)
}

// compileOtherMap is compileMap through reflection.
func (g *fromPlan) compileOtherMap() fromFunc {
	t := g.typ.T
	key := goTypes.Of(t.Key())
	method := gotype.TextMarshal(t.Key())
	if t.Key().Kind() == reflect.String && !gotype.OnV2() {
		method = gotype.NoMethod
	}
	if method == gotype.NoMethod && key.Op != gotype.String && key.Op != gotype.Number && !key.Op.IsInt() && !key.Op.IsUint() {
		return func(*fromGo, gotype.Ptr, *Value) error { return unsupported(t) }
	}
	elem := g.in.fromPlan(t.Elem(), 0)
	return func(c *fromGo, p gotype.Ptr, out *Value) error {
		m := reflect.NewAt(t, p).Elem()
		if m.IsNil() {
			return fromNil(out)
		}
		if err := c.enter(m.Len()); err != nil {
			return err
		}
		mark := len(c.entries)
		values, err := c.mapEntries(m, key.Op, method)
		if err != nil {
			return err
		}
		entries := c.entries[mark:]
		keys, err := c.sorted(entries)
		if err != nil {
			return err
		}
		slots := c.take(len(entries) + 1)
		for i, e := range entries {
			if err := elem.convert(c, gotype.Add(values, uintptr(e.at)*elem.typ.Size), &slots[i]); err != nil {
				return AtKey(err, e.key)
			}
		}
		slots[len(entries)] = keysValue(keys)
		*out = objectOf(keys, slots)
		c.entries = c.entries[:mark]
		c.depth--
		return nil
	}
}

// mapEntries appends the texts of m's keys to the entries, and returns the address of
// copies of its elements: those of a map have no address, so no method gets one, and
// which element's fault is reported must not depend on the order that Go gives a map.
func (c *fromGo) mapEntries(m reflect.Value, op gotype.Op, method gotype.Method) (values gotype.Ptr, fault error) {
	n := m.Len()
	copies := reflect.MakeSlice(reflect.SliceOf(m.Type().Elem()), n, n)
	key, at := reflect.New(m.Type().Key()).Elem(), 0
	for i := m.MapRange(); at < n && i.Next(); at++ { // a method may add to the map
		key.SetIterKey(i)
		text, err := c.mapKey(key, op, method)
		if err != nil && (fault == nil || err.Error() < fault.Error()) {
			fault = err
		}
		copies.Index(at).SetIterValue(i)
		c.entries = append(c.entries, mapEntry{text, at})
	}
	return copies.UnsafePointer(), fault
}

// sorted sorts the entries of a map, and returns their keys.
func (c *fromGo) sorted(entries []mapEntry) (*Keys, error) {
	slices.SortFunc(entries, func(a, b mapEntry) int { return cmp.Compare(a.key, b.key) })
	c.names = c.names[:0]
	for i, e := range entries {
		if i > 0 && e.key == entries[i-1].key {
			return nil, goError(CodeDuplicateKey, ErrDuplicateKey, "two keys of the map have the text %.60q", e.key)
		}
		c.names = append(c.names, e.key)
	}
	return c.shared(c.names), nil
}

func (c *fromGo) mapKey(key reflect.Value, op gotype.Op, method gotype.Method) (string, error) {
	switch {
	case method != gotype.NoMethod:
		if key.Kind() == reflect.Pointer && key.IsNil() {
			return "", nil
		}
		if key.Kind() == reflect.Interface && key.IsNil() {
			return "", unsupported(key.Type())
		}
		text, err := c.callText(method, key)
		return string(text), err
	case op.IsInt():
		return strconv.FormatInt(key.Int(), 10), nil
	case op.IsUint():
		return strconv.FormatUint(key.Uint(), 10), nil
	}
	return key.String(), nil
}
