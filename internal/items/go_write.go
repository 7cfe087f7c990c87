package items

import (
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/wire"
)

// A goWays is how a format writes and reads Go values without Values of their arrays and
// objects.
type goWays struct {
	plans   gotext.Plans
	outputs gotext.Outputs
	writers sync.Pool // of *goWriter
	readers sync.Pool // of *goReader
}

// newGoWays returns the ways of a format, see [NewKit].
func newGoWays(writer func() Writer, reader func() Reader, head func(b byte) Head) *goWays {
	var heads [256]Head
	for b := range heads {
		heads[b] = head(byte(b))
	}
	return &goWays{
		plans: gotext.Plans{Label: func(dst []byte, key string) []byte {
			w := writer()
			if w.encoder().Dst = dst; !utf8.ValidString(key) || w.Text(key) != nil {
				return nil
			}
			return w.encoder().Dst
		}},
		writers: sync.Pool{New: func() any { w := writer(); return &goWriter{w: w, Encoder: w.encoder()} }},
		readers: sync.Pool{New: func() any { r := reader(); return &goReader{r: r, Decoder: r.decoder(), heads: &heads} }},
	}
}

// Marshal encodes v as c, which is a codec of the Kit with these limits, encodes its Value.
func (k *Kit) Marshal(c wire.Codec, v any, l wire.Limits) ([]byte, error) {
	if out, ok := k.ways.outputs.Write(v, func(dst []byte) ([]byte, bool) { return k.appendGo(dst, v, l) }); ok {
		return out, nil
	}
	return gowire.Marshal(c, v)
}

func (k *Kit) appendGo(dst []byte, v any, l wire.Limits) ([]byte, bool) {
	_, root := k.ways.plans.Root(&gowire.Types, v)
	if root.IsNil() {
		return dst, false
	}
	g := k.ways.writers.Get().(*goWriter)
	g.begin(k.format, dst, l)
	g.max = min(g.max, len(dst)+bound.Values) // or there may be more values than FromGo takes
	ok := g.value(root) && len(g.Dst) <= g.max
	dst = g.Dst
	*g.Encoder = Encoder{}
	g.sorter.Clear()
	g.scratch.Clear()
	k.ways.writers.Put(g)
	return dst, ok
}

// A goWriter writes a Go value. Its methods report false for what they leave to Values;
// what was written by then does not count.
type goWriter struct {
	*Encoder // of w
	w        Writer
	sorter   gotext.Sorter
	scratch  gotext.Scratch
}

// open writes what is before n children, one level deeper until the caller adds one to depth.
func (g *goWriter) open(k wire.Kind, n int) bool {
	g.depth--
	return g.depth >= 0 && n <= g.max-len(g.Dst) && g.w.Open(k, n) == nil
}

func (g *goWriter) item(v wire.Value) bool { return g.w.Item(v) == nil }

func (g *goWriter) value(v gotext.Var) bool {
	switch v.Form {
	case gotext.Struct:
		return g.members(v)
	case gotext.List:
		list := v.Items()
		return list.IsNil() && g.item(wire.Null()) || !list.IsNil() && g.elements(list)
	case gotext.Map:
		return g.mapping(v)
	case gotext.Pointer:
		if v.HoldsNil() {
			return g.item(wire.Null())
		}
		g.depth-- // or a cycle of pointers would have no end
		ok := g.depth >= 0 && g.value(v.Target())
		g.depth++
		return ok
	case gotext.Any:
		value, err := wire.FromGo(v.Held())
		return err == nil && g.item(value)
	}
	return g.scalar(v)
}

func (g *goWriter) scalar(v gotext.Var) bool {
	switch v.Op {
	case gotype.String:
		return g.item(wire.String(v.Text()))
	case gotype.Bool:
		return g.item(wire.Bool(v.Bool()))
	case gotype.Float64:
		f := v.Float()
		return f-f == 0 && g.item(wire.Float(f))
	case gotype.Time:
		value, err := wire.FromGo(v.Time())
		return err == nil && g.item(value)
	}
	n, ok := v.Int()
	if !ok {
		return g.item(wire.Uint(uint64(n)))
	}
	return g.item(wire.Int(n))
}

func (g *goWriter) members(v gotext.Var) bool {
	n := len(v.Members)
	for i := range v.Members {
		if v.Optional > 0 && v.Members[i].Lacks(v) {
			n--
		}
	}
	if !g.open(wire.KindObject, n) {
		return false
	}
	for i := range v.Members {
		m := &v.Members[i]
		if m.Lacks(v) {
			continue
		}
		if g.Dst = m.Label.Append(g.Dst); !g.value(m.Of(v)) {
			return false
		}
	}
	g.depth++
	return true
}

func (g *goWriter) elements(list gotext.Items) bool {
	if !g.open(wire.KindArray, list.Len) {
		return false
	}
	for i := range list.Len {
		if !g.value(list.At(i)) || len(g.Dst) > g.max {
			return false
		}
	}
	g.depth++
	return true
}

func (g *goWriter) mapping(v gotext.Var) bool {
	n := v.Count()
	if n < 0 {
		return g.item(wire.Null())
	}
	if !g.open(wire.KindObject, n) {
		return false
	}
	from := len(g.Dst)
	keys, own := g.sorter.Keys(v, n)
	for i := 0; i < len(keys); i++ {
		q, found := v.Load(keys[i], &g.scratch)
		if !found && !own {
			keys, own, g.Dst, i = v.Sorted(keys), true, g.Dst[:from], -1
			continue
		}
		if !found || g.w.Text(keys[i]) != nil || g.Check(keys[i]) != nil || !g.value(q) || len(g.Dst) > g.max {
			return false // or it changes meanwhile
		}
	}
	if len(keys) != n {
		return false
	}
	g.sorter.Put(keys)
	g.depth++
	return true
}
