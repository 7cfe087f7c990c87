package wire

import (
	"sync"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// kindGo is the kind of arrays and objects that are Go values already. Only the Builder
// and the decoder that it belongs to meet one.
const kindGo = KindObject + 1

// goValues makes Go values of the arrays and objects of one document.
type goValues struct {
	toGo
	keys *Keys      // of the object made last
	made gotype.Ptr // which is this map
	err  error      // that With was ended for

	slots []Value // idle
}

// maxGoSlots is how many slots are kept from one document to the next: most need few, as
// those of children are free again when their parent is a Go value.
const maxGoSlots = 64

// goPool has goValues with nothing of a document.
var goPool = sync.Pool{New: func() any { return new(goValues) }}

// Target implements [inplace.Target].
func (*goValues) Target() {}

// unmarshalAny stores what src says in v, if that is an empty interface, map or
// slice of them, and nothing is in it. It reports false for what it leaves to
// Values: other targets, and all errors but that of what the document becomes.
func (o Options) unmarshalAny(c Codec, d *description, src []byte, v any) (done bool, err error) {
	if !d.BuildsGo || !takesAny(v) || o.Marshalers != nil {
		return false, nil
	}
	g := goPool.Get().(*goValues)
	defer func() {
		if g.err != nil {
			_ = recover()
			done, err = true, g.err
		}
	}()
	g.options, g.most = o, memoryFor(c, len(src))
	err = d.View(c, g, src, func(value Value) error {
		x, err := g.any(&value)
		if err == nil {
			done = store(v, x)
		}
		return err
	})
	*g = goValues{slots: g.slots}
	goPool.Put(g)
	return done && err == nil, nil
}

// stop ends the decoder with err: what it has not read yet would only take more memory.
// Nothing that it has borrowed is reused.
func (g *goValues) stop(err error) {
	g.err = err
	panic(err)
}

// takesAny reports whether v points to a variable that takes what [toGo.any] makes, with
// nothing in it.
func takesAny(v any) bool {
	switch p := v.(type) {
	case *any:
		return p != nil && *p == nil
	case *map[string]any:
		return p != nil && *p == nil
	case *[]any:
		return p != nil && *p == nil
	case *[]map[string]any:
		return p != nil && *p == nil
	}
	return false
}

// store stores x in what v points to, if that takes it.
func store(v, x any) (ok bool) {
	switch p := v.(type) {
	case *any:
		*p, ok = x, true
	case *map[string]any:
		*p, ok = x.(map[string]any)
	case *[]any:
		*p, ok = x.([]any)
	case *[]map[string]any:
		return storeMaps(p, x)
	}
	return ok
}

// storeMaps stores x in p if it is a list of maps.
func storeMaps(p *[]map[string]any, x any) (ok bool) {
	list, ok := x.([]any)
	maps := make([]map[string]any, len(list))
	for i, e := range list {
		if maps[i], ok = e.(map[string]any); !ok {
			return false
		}
	}
	if ok {
		*p = maps
	}
	return ok
}

// object returns the map of the members as a Value.
func (g *goValues) object(keys *Keys, members []Value) Value {
	m, err := g.anyMap(keys, members)
	if err != nil {
		g.stop(err)
	}
	_, p := gotype.Held(m)
	g.keys, g.made = keys, p
	return Value{ptr: p, num: goMap, meta: meta{kind: kindGo}}
}

// array returns the list of the elements as a Value.
func (g *goValues) array(elements []Value) Value {
	list, err := g.anyList(elements)
	if err != nil {
		g.stop(err)
	}
	_, p := gotype.Held(list)
	return Value{ptr: p, num: goList, meta: meta{kind: kindGo}}
}

// What num says of a Value of kindGo: what ptr is.
const (
	goMap = iota
	goList
)

// held returns the map or the list of a Value of kindGo.
func (v *Value) held() any {
	if v.num == goMap {
		return gotype.HoldMap(v.ptr)
	}
	return gotype.HoldList(v.ptr)
}
