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
			return func(c *fromGo, p gotype.Ptr, out *Value) error { return c.anyMap(*gotype.At[map[string]any](p), out) }
		case reflect.TypeFor[string]():
			return scalarMap(func(s string, out *Value) error { *out = String(s); return nil })
		case reflect.TypeFor[int]():
			return scalarMap(func(n int, out *Value) error { *out = Int(int64(n)); return nil })
		case reflect.TypeFor[int64]():
			return scalarMap(func(n int64, out *Value) error { *out = Int(n); return nil })
		case reflect.TypeFor[float64]():
			return scalarMap(fromFloat)
		case reflect.TypeFor[bool]():
			return scalarMap(func(b bool, out *Value) error { *out = Bool(b); return nil })
		}
	}
	return g.compileOtherMap()
}

// mapKeys remembers, by length, the keys of the last few maps with keys of type
// string: the next one mostly has those of one of them.
type mapKeys [8]likelyKeys

// likelyKeys are the keys of the last maps of some lengths.
type likelyKeys struct {
	known [4]*Keys
	last  int // which of them were right last
}

// likely returns the keys that a map with n entries may have.
func (c *fromGo) likely(n int) *likelyKeys {
	if c.mapKeys == nil {
		c.mapKeys = new(mapKeys)
	}
	return &c.mapKeys[n%len(c.mapKeys)]
}

// next returns those to try in that turn, the ones that were right last first; nil
// if they are none, or not n.
func (l *likelyKeys) next(turn, n int) *Keys {
	keys := l.known[(l.last+turn)%len(l.known)]
	if keys == nil || len(keys.names) != n {
		return nil
	}
	return keys
}

// right notes that the keys of that turn were those of a map.
func (l *likelyKeys) right(turn int) { l.last = (l.last + turn) % len(l.known) }

// add notes new keys, in the place of some that were not right last.
func (l *likelyKeys) add(keys *Keys) {
	l.right(len(l.known) - 1)
	l.known[l.last] = keys
}

// keysOfMap returns the keys of m, which has n elements: those of one of the last maps if
// has reports that m has them, else its own, sorted.
func keysOfMap[V any](c *fromGo, m map[string]V, n int, has func(names []string) bool) (keys *Keys, found bool) {
	likely := c.likely(n)
	for turn := range likely.known {
		if keys = likely.next(turn, n); keys != nil && has(keys.names) {
			likely.right(turn)
			return keys, true
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
	keys = c.shared(c.names)
	likely.add(keys)
	return keys, false
}

// scalarMap converts maps whose elements need no conversion of their own: they
// are looked up under the keys that the last map had, which mostly are right.
func scalarMap[V any](set func(V, *Value) error) fromFunc {
	return func(c *fromGo, p gotype.Ptr, out *Value) error {
		m := *gotype.At[map[string]V](p)
		if m == nil {
			*out = Value{}
			return nil
		}
		if err := c.enter(len(m)); err != nil {
			return err
		}
		slots := c.take(len(m) + 1)
		keys, found := keysOfMap(c, m, len(m), func(names []string) bool { return lookUp(m, names, slots, set) })
		if !found {
			for i, name := range keys.names {
				if err := set(m[name], &slots[i]); err != nil {
					return AtKey(err, name)
				}
			}
		}
		slots[len(m)] = keysValue(keys)
		*out = objectOf(keys, slots)
		c.depth--
		return nil
	}
}

// lookUp converts the elements of m if it has these keys and none is at fault.
func lookUp[V any](m map[string]V, names []string, slots []Value, set func(V, *Value) error) bool {
	for i, name := range names {
		v, ok := m[name]
		if !ok || set(v, &slots[i]) != nil {
			return false
		}
	}
	return true
}

func (c *fromGo) anyMap(m map[string]any, out *Value) error {
	if m == nil {
		*out = Value{}
		return nil
	}
	n := len(m) // which a method of an element may change
	if err := c.enter(n); err != nil {
		return err
	}
	mark, slots := len(c.waiting), c.take(n+1)
	has := func(names []string) bool {
		c.waiting = c.waiting[:mark]
		return c.found(m, names, slots)
	}
	keys, found := keysOfMap(c, m, n, has)
	if !found {
		has(keys.names)
	}
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

// found converts the elements of m if it has these keys. Those that hold others, and
// those at fault, are put on the stack of waiting ones.
func (c *fromGo) found(m map[string]any, names []string, slots []Value) bool {
	for i, name := range names {
		v, ok := m[name]
		if !ok {
			return false
		}
		switch v := v.(type) {
		case string:
			slots[i] = String(v)
			continue
		case float64:
			if v-v == 0 {
				slots[i] = Float(v)
				continue
			}
		case bool:
			slots[i] = Bool(v)
			continue
		}
		c.waiting = append(c.waiting, waitingValue{i, v})
	}
	return true
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
			*out = Value{}
			return nil
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
