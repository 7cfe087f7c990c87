package gotext

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
)

// JSON are the plans of compact JSON text.
var JSON = Plans{Label: func(dst []byte, key string) []byte {
	return append(scan.AppendQuote(append(dst, ','), key), ':')
}}

// A JSONWriter writes values as compact JSON text, the same that wire.AppendJSON
// writes for their Values. Its methods report false for what they leave to
// Values; what was written by then does not count.
type JSONWriter struct {
	// Types describes the types that interfaces hold.
	Types *gotype.Universe
	// Max is the length that the text may have.
	Max int

	depth   int
	sorter  Sorter
	scratch Scratch
}

var jsonWriters = sync.Pool{New: func() any { return new(JSONWriter) }}

// BorrowJSONWriter returns a writer from a pool.
func BorrowJSONWriter(types *gotype.Universe, limit int) *JSONWriter {
	w := jsonWriters.Get().(*JSONWriter)
	w.Types, w.Max, w.depth = types, limit, 0
	return w
}

// GiveBack returns the writer to the pool, without what belongs to the caller.
func (w *JSONWriter) GiveBack() {
	w.sorter.Clear()
	w.scratch.Clear()
	jsonWriters.Put(w)
}

// Element returns a variable for the elements of a map of that node, which is the
// caller's until the writer is given back.
func (w *JSONWriter) Element(elem *Node) gotype.Ptr { return w.scratch.At(elem) }

// maxDepth bounds how deep values lie in each other; deeper ones, as cycles are,
// need Values.
const maxDepth = 100

// enter is called where a value leads to others, and whoever calls it takes one
// from depth. It reports false if they lie too deep, or the text is too long.
func (w *JSONWriter) enter(dst []byte) bool {
	w.depth++
	return w.depth <= maxDepth && len(dst) <= w.Max
}

// Append appends the text of the variable at p.
func (w *JSONWriter) Append(dst []byte, n *Node, p gotype.Ptr) ([]byte, bool) {
	switch n.Form {
	case Struct:
		return w.members(dst, n, p)
	case Pointer:
		target := *gotype.At[gotype.Ptr](p)
		if target == nil {
			return append(dst, "null"...), true
		}
		if !w.enter(dst) {
			return dst, false
		}
		dst, ok := w.Append(dst, n.Elem, target)
		w.depth--
		return dst, ok
	case List:
		return w.list(dst, n, *gotype.At[gotype.Slice](p))
	case Map:
		return w.mapping(dst, n, p)
	case Any:
		return w.any(dst, *gotype.At[any](p))
	}
	return appendJSONScalar(dst, n.Op, p)
}

func (w *JSONWriter) members(dst []byte, n *Node, p gotype.Ptr) (_ []byte, ok bool) {
	from := len(dst)
	members := n.Members
	for i := range members {
		m := &members[i]
		if m.Optional {
			if m.Absence.Of(p) {
				continue
			}
		}
		dst = m.Label.Append(dst)
		q := gotype.Add(p, m.Offset)
		switch m.Op {
		case gotype.String:
			s := *gotype.At[string](q)
			if dst, ok = scan.AppendPlain(dst, s, '"'); !ok {
				dst = scan.AppendQuote(dst, s)
			}
		case gotype.Int64:
			dst = decimal.AppendInt(dst, *gotype.At[int64](q))
		case gotype.Float64:
			f := *gotype.At[float64](q)
			if f-f != 0 {
				return dst, false
			}
			dst = decimal.AppendFloat(dst, f)
		case gotype.Bool:
			dst = AppendBool(dst, *gotype.At[bool](q))
		case gotype.Other:
			if dst, ok = w.Append(dst, m.Node, q); !ok {
				return dst, false
			}
		default:
			if dst, ok = appendJSONScalar(dst, m.Op, q); !ok {
				return dst, false
			}
		}
	}
	if len(dst) == from {
		return append(dst, "{}"...), true
	}
	dst[from] = '{' // instead of the first comma
	return append(dst, '}'), true
}

func (w *JSONWriter) list(dst []byte, n *Node, list gotype.Slice) (_ []byte, ok bool) {
	switch {
	case list.Data == nil:
		return append(dst, "null"...), true
	case list.Len == 0:
		return append(dst, "[]"...), true
	case !w.enter(dst):
		return dst, false
	}
	dst = append(dst, '[')
	switch elem := n.Elem; elem.Op {
	case gotype.Struct:
		for i := range list.Len {
			if dst, ok = w.members(dst, elem, gotype.Add(list.Data, uintptr(i)*n.Size)); !ok || len(dst) > w.Max {
				return dst, false
			}
			dst = append(dst, ',')
		}
	case gotype.Float64:
		for i := range list.Len {
			x := *gotype.At[float64](gotype.Add(list.Data, uintptr(i)*n.Size))
			if x-x != 0 {
				return dst, false
			}
			dst = append(decimal.AppendFloat(dst, x), ',')
		}
	default:
		for i := range list.Len {
			if dst, ok = w.Append(dst, elem, gotype.Add(list.Data, uintptr(i)*n.Size)); !ok || len(dst) > w.Max {
				return dst, false
			}
			dst = append(dst, ',')
		}
	}
	dst[len(dst)-1] = ']' // instead of the last comma
	w.depth--
	return dst, true
}

func (w *JSONWriter) mapping(dst []byte, n *Node, p gotype.Ptr) (_ []byte, ok bool) {
	size := n.Maps.Len(p)
	switch {
	case size < 0:
		return append(dst, "null"...), true
	case size == 0:
		return append(dst, "{}"...), true
	case !w.enter(dst):
		return dst, false
	}
	from := len(dst)
	keys, own := w.sorter.Keys(n.Maps, p, size)
	for i := 0; i < len(keys); i++ {
		q := w.scratch.At(n.Elem)
		if !n.Maps.Load(p, keys[i], q) {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = n.Maps.Sorted(p, keys), true, dst[:from], -1
			continue
		}
		dst = append(scan.AppendQuote(append(dst, ','), keys[i]), ':')
		if n.Elem.Form == Any {
			dst, ok = w.any(dst, w.scratch.Held)
		} else {
			dst, ok = appendJSONScalar(dst, n.Elem.Op, q)
		}
		if !ok || len(dst) > w.Max {
			return dst, false
		}
	}
	w.sorter.Put(keys)
	dst[from] = '{' // instead of the first comma
	w.depth--
	return append(dst, '}'), true
}

// any appends what an empty interface holds: what data without a schema is made
// of without a node, all else with it.
func (w *JSONWriter) any(dst []byte, v any) (_ []byte, ok bool) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), true
	case string:
		return scan.AppendQuote(dst, v), true
	case float64:
		if v-v != 0 {
			return dst, false
		}
		return decimal.AppendFloat(dst, v), true
	case bool:
		return AppendBool(dst, v), true
	case int:
		return decimal.AppendInt(dst, int64(v)), true
	case int64:
		return decimal.AppendInt(dst, v), true
	case map[string]any:
		return w.anyMap(dst, v)
	case []any:
		return w.anyList(dst, v)
	}
	return w.reflected(dst, v)
}

func (w *JSONWriter) anyList(dst []byte, list []any) (_ []byte, ok bool) {
	switch {
	case list == nil:
		return append(dst, "null"...), true
	case len(list) == 0:
		return append(dst, "[]"...), true
	case !w.enter(dst):
		return dst, false
	}
	dst = append(dst, '[')
	for _, v := range list {
		if dst, ok = w.any(dst, v); !ok || len(dst) > w.Max {
			return dst, false
		}
		dst = append(dst, ',')
	}
	dst[len(dst)-1] = ']' // instead of the last comma
	w.depth--
	return dst, true
}

func (w *JSONWriter) anyMap(dst []byte, m map[string]any) (_ []byte, ok bool) {
	switch {
	case m == nil:
		return append(dst, "null"...), true
	case len(m) == 0:
		return append(dst, "{}"...), true
	case !w.enter(dst):
		return dst, false
	}
	from, keys := len(dst), w.sorter.take(len(m))
	own := len(keys) == 0
	if own {
		keys = sortedKeys(m, keys)
	}
	for i := 0; i < len(keys); i++ {
		v, found := m[keys[i]]
		if !found {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = sortedKeys(m, keys), true, dst[:from], -1
			continue
		}
		dst = append(scan.AppendQuote(append(dst, ','), keys[i]), ':')
		if s, isText := v.(string); isText {
			dst = scan.AppendQuote(dst, s)
		} else if dst, ok = w.any(dst, v); !ok || len(dst) > w.Max {
			return dst, false
		}
	}
	w.sorter.Put(keys)
	dst[from] = '{' // instead of the first comma
	w.depth--
	return append(dst, '}'), true
}

func sortedKeys(m map[string]any, keys []string) []string {
	keys = slices.AppendSeq(keys[:0], maps.Keys(m))
	slices.Sort(keys)
	return keys
}

// reflected appends what an interface holds by the node of its type.
func (w *JSONWriter) reflected(dst []byte, v any) ([]byte, bool) {
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Slice {
		t := w.Types.Of(r.Type())
		n := JSON.Of(t)
		if n == nil {
			return dst, false
		}
		return w.list(dst, n, gotype.Slice{Data: r.UnsafePointer(), Len: r.Len(), Cap: r.Cap()})
	}
	t, p := Variable(w.Types, r)
	if t == nil || !w.enter(dst) {
		return dst, false
	}
	n := JSON.Of(t)
	if n == nil {
		return dst, false
	}
	dst, ok := w.Append(dst, n, p)
	w.depth--
	return dst, ok
}

// AppendRoot appends the text of v, which is not nil.
func (w *JSONWriter) AppendRoot(dst []byte, v any) ([]byte, bool) {
	switch v.(type) {
	case map[string]any, []any:
		return w.any(dst, v)
	}
	if root, p := JSON.Root(w.Types, v); root.Plan != nil && p != nil {
		return w.Append(dst, root.Plan, p)
	}
	return w.reflected(dst, v)
}

// Variable returns the variable that r points to, or one that holds r; nil for a
// nil pointer or nothing.
func Variable(types *gotype.Universe, r reflect.Value) (*gotype.Type, gotype.Ptr) {
	if r.Kind() == reflect.Pointer {
		if r.IsNil() {
			return nil, nil
		}
		return types.Of(r.Type().Elem()), r.UnsafePointer()
	}
	if !r.IsValid() {
		return nil, nil
	}
	held := reflect.New(r.Type())
	held.Elem().Set(r)
	return types.Of(r.Type()), held.UnsafePointer()
}

func appendJSONScalar(dst []byte, op gotype.Op, p gotype.Ptr) (_ []byte, ok bool) {
	switch op {
	case gotype.String:
		return scan.AppendQuote(dst, *gotype.At[string](p)), true
	case gotype.Float64:
		f := *gotype.At[float64](p)
		if f-f != 0 {
			return dst, false
		}
		return decimal.AppendFloat(dst, f), true
	case gotype.Bool:
		return AppendBool(dst, *gotype.At[bool](p)), true
	case gotype.Time:
		dst, ok = AppendTime(append(dst, '"'), *gotype.At[time.Time](p))
		return append(dst, '"'), ok
	}
	return AppendInt(dst, op, p), true
}

// AppendInt appends the integer at p, whose type has that op.
func AppendInt(dst []byte, op gotype.Op, p gotype.Ptr) []byte {
	n, ok := gotype.Int(op, p)
	if !ok {
		return strconv.AppendUint(dst, uint64(n), 10)
	}
	return decimal.AppendInt(dst, n)
}

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 't', 'r', 'u', 'e')
	}
	return append(dst, 'f', 'a', 'l', 's', 'e')
}
