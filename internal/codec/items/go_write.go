package items

import (
	"math"
	"reflect"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// GoWays are how a format writes Go values without Values of their arrays and objects.
type GoWays struct {
	format  string
	plans   gotext.Plans
	writers sync.Pool // of *goWriter
}

// NewGoWays returns the ways of a format whose texts a Writer writes.
func NewGoWays(format string, writer func() Writer) *GoWays {
	ways := &GoWays{
		format: format,
		plans: gotext.Plans{Label: func(dst []byte, key string) []byte {
			w := writer()
			if w.encoder().Dst = dst; !utf8.ValidString(key) || w.Text(key) != nil {
				return nil
			}
			return w.encoder().Dst
		}},
	}
	ways.writers.New = func() any { w := writer(); return &goWriter{w: w, Encoder: w.encoder(), ways: ways} }
	return ways
}

// Append appends v as the Writer writes its Value. It reports false for what it leaves to
// that.
func (w *GoWays) Append(dst []byte, v any, l wire.Limits) ([]byte, bool) {
	m, isMap := v.(map[string]any)
	root := gotext.Var{}
	if !isMap {
		if root = w.variable(v); root.IsNil() {
			return dst, false
		}
	}
	g := w.writers.Get().(*goWriter)
	g.Begin(w.format, dst, l)
	g.Max = min(g.Max, len(dst)+bound.Values) // or there may be more values than FromGo takes
	ok := (isMap && g.anyMap(m) || !isMap && g.value(root)) && len(g.Dst) <= g.Max
	dst = g.Dst
	*g.Encoder = Encoder{}
	g.sorter.Clear()
	g.scratch.Clear()
	w.writers.Put(g)
	return dst, ok
}

// A goWriter writes a Go value. Its methods report false for what they leave to Values;
// what was written by then does not count.
type goWriter struct {
	*Encoder // of w
	w        Writer
	ways     *GoWays
	sorter   gotext.Sorter
	scratch  gotext.Scratch
}

// open writes what is before n children, which are a level deeper, up to close.
func (g *goWriter) open(k wire.Kind, n int) bool {
	g.Depth--
	ok := g.Depth >= 0 && n <= g.Max-len(g.Dst) && g.w.Open(k, n) == nil
	g.Level++
	return ok
}

func (g *goWriter) close() bool { g.Depth++; g.Level--; return true }

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
		g.Depth-- // or a cycle of pointers would have no end
		ok := g.Depth >= 0 && g.value(v.Target())
		g.Depth++
		return ok
	case gotext.Any:
		return g.any(v.Held())
	}
	return g.scalar(v)
}

// any writes what an empty interface holds: what data without a schema is made of without
// a node, and what has none by its Value.
func (g *goWriter) any(v any) bool {
	switch v := v.(type) {
	case nil:
		return g.item(wire.Null())
	case string:
		return g.w.String(v) == nil
	case bool:
		return g.item(wire.Bool(v))
	case int:
		return g.int(int64(v))
	case int64:
		return g.int(v)
	case float64:
		return g.float(v)
	case time.Time:
		return g.time(v)
	case map[string]any:
		return g.anyMap(v)
	}
	at := g.ways.variable(v)
	if at.IsNil() {
		value, err := wire.FromGo(v)
		return err == nil && g.item(value)
	}
	g.Depth-- // or a cycle of interfaces would have no end
	ok := g.Depth >= 0 && g.value(at)
	g.Depth++
	return ok
}

// variable returns the variable that v points to or holds, or that holds a copy of it; none
// if its type has no node.
func (w *GoWays) variable(v any) gotext.Var {
	_, at := w.plans.Root(&gowire.Types, v)
	if !at.IsNil() {
		return at
	}
	if r := reflect.ValueOf(v); r.IsValid() && r.Kind() != reflect.Pointer {
		if n := w.plans.Of(gowire.Types.Of(r.Type())); n != nil {
			held := reflect.New(r.Type())
			held.Elem().Set(r)
			at = gotext.NewVar(n, held)
		}
	}
	return at
}

func (g *goWriter) int(n int64) bool { g.w.Int(n); return true }

func (g *goWriter) float(f float64) bool {
	if f == math.Trunc(f) || f-f != 0 {
		return f-f == 0 && g.item(wire.Float(f))
	}
	g.w.Float(f)
	return true
}

func (g *goWriter) time(t time.Time) bool { return gotext.HasText(t) && g.w.Time(t) == nil }

func (g *goWriter) scalar(v gotext.Var) bool {
	switch v.Op {
	case gotype.String:
		return g.w.String(v.Text()) == nil
	case gotype.Bool:
		return g.item(wire.Bool(v.Bool()))
	case gotype.Float64:
		return g.float(v.Float())
	case gotype.Time:
		return g.time(v.Time())
	}
	switch n, ok := v.Int(); {
	case ok:
		return g.int(n)
	case v.Op == gotype.Uint64:
		return g.item(wire.Uint(uint64(n)))
	}
	return false
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
	before, rest := 0, g.Line
	for i := range v.Members {
		m := &v.Members[i]
		if m.Lacks(v) {
			continue
		}
		if g.Dst = m.Label.AppendLine(g.Dst, before); !g.value(m.Of(v)) {
			return false
		}
		before = rest
	}
	return g.close()
}

func (g *goWriter) elements(list gotext.Items) bool {
	if !g.open(wire.KindArray, list.Len) {
		return false
	}
	before, rest := 0, g.Line
	anys := list.Elem.Form == gotext.Any
	for i := range list.Len {
		if g.Mark != nil {
			g.Dst = g.Mark.AppendLine(g.Dst, before)
			before = rest
		}
		at, ok := list.At(i), false
		if anys { // most of what has no schema
			ok = g.any(at.Held())
		} else {
			ok = g.value(at)
		}
		if !ok || len(g.Dst) > g.Max {
			return false
		}
	}
	return g.close()
}

// noLabel is of keys that have none, but begin a line.
var noLabel = gotext.NewLabel("")

var anyMap = reflect.TypeFor[map[string]any]()

func (g *goWriter) mapping(v gotext.Var) bool {
	if v.Type.T == anyMap {
		return g.anyMap(*gotext.As[map[string]any](v))
	}
	n := v.Count()
	if n < 0 {
		return g.item(wire.Null())
	}
	if !g.open(wire.KindObject, n) {
		return false
	}
	from, line := len(g.Dst), g.Line
	keys, own := g.sorter.Keys(v, n)
	for i := 0; i < len(keys); i++ {
		q, found := v.Load(keys[i], &g.scratch)
		if !found && !own {
			keys, own, g.Dst, i = v.Sorted(keys), true, g.Dst[:from], -1
			continue
		}
		if i > 0 && line > 0 {
			g.Dst = noLabel.AppendLine(g.Dst, line)
		}
		if !found || g.w.Text(keys[i]) != nil || g.Check(keys[i]) != nil || !g.value(q) || len(g.Dst) > g.Max {
			return false // or it changes meanwhile
		}
	}
	if len(keys) != n {
		return false
	}
	g.sorter.Put(keys)
	return g.close()
}

func (g *goWriter) anyMap(m map[string]any) bool {
	if m == nil {
		return g.item(wire.Null())
	}
	if !g.open(wire.KindObject, len(m)) {
		return false
	}
	from, line := len(g.Dst), g.Line
	keys, own := g.sorter.AnyKeys(m)
	for i := 0; i < len(keys); i++ {
		v, found := m[keys[i]]
		if !found && !own {
			keys, own, g.Dst, i = gotext.SortedKeys(m, keys), true, g.Dst[:from], -1
			continue
		}
		if i > 0 && line > 0 {
			g.Dst = noLabel.AppendLine(g.Dst, line)
		}
		if !found || g.w.Text(keys[i]) != nil || g.Check(keys[i]) != nil || !g.any(v) || len(g.Dst) > g.Max {
			return false // or it changes meanwhile
		}
	}
	g.sorter.Put(keys)
	return g.close()
}
