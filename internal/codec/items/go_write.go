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
func NewGoWays(format string, short Short, writer func() Writer) *GoWays {
	ways := &GoWays{
		format: format,
		plans: gotext.Plans{Label: func(dst []byte, key string) []byte {
			if dst, err := writer().Text(dst, key); err == nil && utf8.ValidString(key) {
				return dst
			}
			return nil
		}},
	}
	ways.writers.New = func() any { w := writer(); return &goWriter{w: w, Encoder: w.encoder(), Short: short, ways: ways} }
	return ways
}

// Short are the forms of a byte that what is written most has in a binary format. Those of
// numbers have them, and those of texts, which follow, their lengths.
type Short struct {
	Null, False, True byte
	Ints              uint64 // numbers of 0 and more below it are short
	Int8, Int16       byte   // and what is before those of one byte and of two
	Texts             int    // and texts of ASCII that are shorter
	Text              byte   // that of the empty text
	Counts            int    // arrays and objects of fewer children are short
	Array, Object     byte   // those of the empty ones
}

// Append appends v as the Writer writes its Value, within limits that are resolved. It reports
// false for what it leaves to that.
func (w *GoWays) Append(dst []byte, v any, l *wire.Limits) (_ []byte, ok bool) {
	root := gotext.Var{}
	if _, isMap := v.(map[string]any); !isMap {
		if root = w.variable(v); root.IsNil() {
			return dst, false
		}
	}
	g := w.writers.Get().(*goWriter)
	g.Begin(w.format, dst, l)
	g.Max = min(g.Max, len(dst)+bound.Values) // or there may be more values than FromGo takes
	if root.IsNil() {
		dst, ok = g.any(dst, v)
	} else {
		dst, ok = g.value(dst, root)
	}
	ok = ok && len(dst) <= g.Max
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
	Short
	w       Writer
	ways    *GoWays
	sorter  gotext.Sorter
	scratch gotext.Scratch
}

// open writes what is before n children, which are a level deeper, up to close.
func (g *goWriter) open(dst []byte, k wire.Kind, n int) ([]byte, bool) {
	g.Depth--
	if g.Depth < 0 || n > g.Max-len(dst) {
		return dst, false
	}
	var err error
	switch {
	case n >= g.Counts:
		dst, err = g.w.Open(dst, k, n)
	case k == wire.KindArray:
		dst = append(dst, g.Array|byte(n))
	default:
		dst = append(dst, g.Object|byte(n))
	}
	g.Level++
	return dst, err == nil
}

func (g *goWriter) close() { g.Depth++; g.Level-- }

func (g *goWriter) item(dst []byte, v wire.Value) ([]byte, bool) {
	dst, err := g.w.Item(dst, v)
	return dst, err == nil
}

func (g *goWriter) value(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	switch v.Form {
	case gotext.Struct:
		return g.members(dst, v)
	case gotext.List:
		if v.Type.T == anyList {
			return g.anyList(dst, *gotext.As[[]any](v))
		}
		if list := v.Items(); !list.IsNil() {
			return g.elements(dst, list)
		}
	case gotext.Map:
		return g.mapping(dst, v)
	case gotext.Pointer:
		if !v.HoldsNil() {
			if g.Depth--; g.Depth < 0 { // or a cycle of pointers would have no end
				return dst, false
			}
			dst, ok = g.value(dst, v.Target())
			g.Depth++
			return dst, ok
		}
	case gotext.Any:
		return g.any(dst, v.Held())
	default:
		return g.scalar(dst, v)
	}
	return g.null(dst)
}

// any writes what an empty interface holds.
func (g *goWriter) any(dst []byte, v any) ([]byte, bool) {
	one := [1]any{v}
	return g.anys(dst, nil, one[:])
}

// anys writes what empty interfaces hold, one after the other, with the mark before each: what
// data without a schema is made of without a node, and what has none by its Value.
func (g *goWriter) anys(dst []byte, mark *gotext.Label, values []any) (_ []byte, ok bool) {
	line := g.Line
	for i, v := range values {
		if mark != nil {
			dst = mark.AppendLine(dst, min(i, 1)*line)
		}
		switch v := v.(type) {
		case nil:
			dst, ok = g.null(dst)
		case string:
			dst, ok = g.text(dst, v)
		case bool:
			dst, ok = g.bool(dst, v)
		case int:
			dst, ok = g.int(dst, int64(v)), true
		case int64:
			dst, ok = g.int(dst, v), true
		case float64:
			dst, ok = g.float(dst, v)
		case time.Time:
			dst, ok = g.time(dst, v)
		case map[string]any:
			dst, ok = g.anyMap(dst, v)
		case []any:
			dst, ok = g.anyList(dst, v)
		default:
			dst, ok = g.other(dst, v)
		}
		if !ok || len(dst) > g.Max {
			return dst, false
		}
	}
	return dst, true
}

// other is any for what has a schema.
func (g *goWriter) other(dst []byte, v any) (_ []byte, ok bool) {
	at := g.ways.variable(v)
	if at.IsNil() {
		value, err := wire.FromGo(v)
		if err != nil {
			return dst, false
		}
		return g.item(dst, value)
	}
	if g.Depth--; g.Depth < 0 { // or a cycle of interfaces would have no end
		return dst, false
	}
	dst, ok = g.value(dst, at)
	g.Depth++
	return dst, ok
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

func (g *goWriter) text(dst []byte, s string) ([]byte, bool) {
	if len(s) < g.Texts && isASCII(s) {
		return append(append(dst, g.Text|byte(len(s))), s...), true
	}
	dst, err := g.w.String(dst, s)
	return dst, err == nil
}

func (g *goWriter) null(dst []byte) ([]byte, bool) {
	if g.Null != 0 {
		return append(dst, g.Null), true
	}
	return g.item(dst, wire.Null())
}

func (g *goWriter) bool(dst []byte, b bool) ([]byte, bool) {
	short := g.False
	if b {
		short = g.True
	}
	if short != 0 {
		return append(dst, short), true
	}
	return g.item(dst, wire.Bool(b))
}

func (g *goWriter) int(dst []byte, n int64) []byte {
	switch u := uint64(n); {
	case u < g.Ints:
		return append(dst, byte(n))
	case g.Ints == 0 || u >= 1<<16:
		return g.w.Int(dst, n)
	case u < 1<<8:
		return append(dst, g.Int8, byte(n))
	}
	return append(dst, g.Int16, byte(n>>8), byte(n))
}

func (g *goWriter) float(dst []byte, f float64) ([]byte, bool) {
	const exact = 1 << 53
	switch near := math.Abs(f) < exact; {
	case near && float64(int64(f)) != f:
		return g.w.Float(dst, f), true
	case near && math.Float64bits(f) != 1<<63: // not the zero below 0
		return g.int(dst, int64(f)), true
	case f-f != 0:
		return dst, false
	}
	return g.item(dst, wire.Float(f))
}

func (g *goWriter) time(dst []byte, t time.Time) ([]byte, bool) {
	if !gotext.HasText(t) {
		return dst, false
	}
	dst, err := g.w.Time(dst, t)
	return dst, err == nil
}

func (g *goWriter) scalar(dst []byte, v gotext.Var) ([]byte, bool) {
	switch v.Op {
	case gotype.String:
		return g.text(dst, v.Text())
	case gotype.Bool:
		return g.bool(dst, v.Bool())
	case gotype.Float64:
		return g.float(dst, v.Float())
	case gotype.Time:
		return g.time(dst, v.Time())
	}
	switch n, ok := v.Int(); {
	case ok:
		return g.int(dst, n), true
	case v.Op == gotype.Uint64:
		return g.item(dst, wire.Uint(uint64(n)))
	}
	return dst, false
}

func (g *goWriter) members(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	n := len(v.Members)
	if v.Optional > 0 {
		for i := range v.Members {
			if v.Members[i].Lacks(v) {
				n--
			}
		}
	}
	if dst, ok = g.open(dst, wire.KindObject, n); !ok {
		return dst, false
	}
	before, rest := 0, g.Line
	for i := range v.Members {
		m := &v.Members[i]
		if m.Lacks(v) {
			continue
		}
		if rest == 0 { // there are no lines
			dst = m.Label.Append(dst)
		} else {
			dst = m.Label.AppendLine(dst, before)
			before = rest
		}
		switch at := m.Of(v); m.Op {
		case gotype.String:
			dst, ok = g.text(dst, at.Text())
		case gotype.Float64:
			dst, ok = g.float(dst, at.Float())
		default:
			dst, ok = g.value(dst, at)
		}
		if !ok {
			return dst, false
		}
	}
	g.close()
	return dst, true
}

func (g *goWriter) elements(dst []byte, list gotext.Items) (_ []byte, ok bool) {
	if dst, ok = g.open(dst, wire.KindArray, list.Len); !ok {
		return dst, false
	}
	before, rest := 0, g.Line
	for i := range list.Len {
		if g.Mark != nil {
			dst = g.Mark.AppendLine(dst, before)
			before = rest
		}
		if dst, ok = g.value(dst, list.At(i)); !ok || len(dst) > g.Max {
			return dst, false
		}
	}
	g.close()
	return dst, true
}

// anyList is elements for a list of what has no schema.
func (g *goWriter) anyList(dst []byte, list []any) (_ []byte, ok bool) {
	if list == nil {
		return g.null(dst)
	}
	if dst, ok = g.open(dst, wire.KindArray, len(list)); !ok {
		return dst, false
	}
	dst, ok = g.anys(dst, g.Mark, list)
	g.close()
	return dst, ok
}

// noLabel is of keys that have none, but begin a line.
var noLabel = gotext.NewLabel("")

var anyMap, anyList = reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any]()

func (g *goWriter) mapping(dst []byte, v gotext.Var) (_ []byte, ok bool) {
	if v.Type.T == anyMap {
		return g.anyMap(dst, *gotext.As[map[string]any](v))
	}
	n := v.Count()
	if n < 0 {
		return g.null(dst)
	}
	if dst, ok = g.open(dst, wire.KindObject, n); !ok {
		return dst, false
	}
	from, line := len(dst), g.Line
	keys, own := g.sorter.Keys(v, n)
	for i := 0; i < len(keys); i++ {
		q, found := v.Load(keys[i], &g.scratch)
		if !found && !own {
			keys, own, dst, i = v.Sorted(keys), true, dst[:from], -1
			continue
		}
		if dst, ok = g.key(dst, keys[i], i, line); ok && found {
			dst, ok = g.value(dst, q)
		}
		if !ok || !found || len(dst) > g.Max {
			return dst, false // or it changes meanwhile
		}
	}
	g.sorter.Put(keys)
	g.close()
	return dst, len(keys) == n
}

func (g *goWriter) anyMap(dst []byte, m map[string]any) (_ []byte, ok bool) {
	if m == nil {
		return g.null(dst)
	}
	if dst, ok = g.open(dst, wire.KindObject, len(m)); !ok {
		return dst, false
	}
	from, line := len(dst), g.Line
	keys, own := g.sorter.AnyKeys(m)
	if len(keys) == 0 {
		return g.pairs(dst, m)
	}
	for i := 0; i < len(keys); i++ {
		v, found := m[keys[i]]
		if !found && !own {
			keys, own, dst, i = gotext.SortedKeys(m, keys), true, dst[:from], -1
			continue
		}
		if dst, ok = g.key(dst, keys[i], i, line); ok && found {
			dst, ok = g.any(dst, v)
		}
		if !ok || !found || len(dst) > g.Max {
			return dst, false // or it changes meanwhile
		}
	}
	g.sorter.Put(keys)
	g.close()
	return dst, true
}

// pairs writes the members of a small map, the first of its size.
func (g *goWriter) pairs(dst []byte, m map[string]any) (_ []byte, ok bool) {
	var pairs gotext.Pairs
	line := g.Line
	for i := range pairs.Sort(m) {
		if dst, ok = g.key(dst, pairs[i].Key, i, line); ok {
			dst, ok = g.any(dst, pairs[i].Value)
		}
		if !ok || len(dst) > g.Max {
			return dst, false
		}
	}
	g.close()
	return dst, true
}

// key writes the key of the i-th member of a map.
func (g *goWriter) key(dst []byte, key string, i, line int) ([]byte, bool) {
	if len(key) < g.Texts && isASCII(key) {
		return append(append(dst, g.Text|byte(len(key))), key...), true
	}
	if i > 0 && line > 0 {
		dst = noLabel.AppendLine(dst, line)
	}
	dst, err := g.w.Text(dst, key)
	return dst, err == nil && g.Check(dst, key) == nil
}
