package gotext

import (
	"reflect"
	"sync"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
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

	// Scratch is also the caller's, while nothing is written.
	Scratch Scratch

	depth  int
	sorter Sorter
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
	w.Scratch.Clear()
	jsonWriters.Put(w)
}

// maxDepth bounds how deep values lie in each other; deeper ones, as cycles are,
// need Values.
const maxDepth = 100

// enter is called where a value leads to others, and whoever calls it takes one
// from depth. It reports false if they lie too deep, or the text is too long.
func (w *JSONWriter) enter(dst []byte) bool {
	w.depth++
	return w.depth <= maxDepth && len(dst) <= w.Max
}

// Append appends the text of a variable.
func (w *JSONWriter) Append(dst []byte, v Var) ([]byte, bool) {
	switch v.Form {
	case Struct:
		return w.members(dst, v)
	case Pointer:
		if v.HoldsNil() {
			return append(dst, "null"...), true
		}
		if !w.enter(dst) {
			return dst, false
		}
		dst, ok := w.Append(dst, v.Target())
		w.depth--
		return dst, ok
	case List:
		return w.list(dst, v.Items())
	case Map:
		return w.mapping(dst, v)
	case Any:
		return w.any(dst, v.Held())
	}
	switch v.Op {
	case gotype.String:
		return scan.AppendQuote(dst, v.Text()), true
	case gotype.Time:
		dst, ok := AppendTime(append(dst, '"'), v.Time())
		return append(dst, '"'), ok
	}
	return v.AppendNumber(dst)
}

func (w *JSONWriter) members(dst []byte, v Var) (_ []byte, ok bool) {
	from := len(dst)
	members := v.Members
	for i := range members {
		m := &members[i]
		if m.Optional { // in an if of its own, which most members leave by one jump
			if m.Lacks(v) {
				continue
			}
		}
		dst = m.Label.Append(dst)
		switch m.Op {
		case gotype.String:
			s := m.Of(v).Text()
			if dst, ok = scan.AppendPlain(dst, s, '"'); !ok {
				dst = scan.AppendQuote(dst, s)
			}
		case gotype.Int64:
			dst = decimal.AppendInt(dst, m.Of(v).Int64())
		case gotype.Float64:
			f := m.Of(v).Float()
			if f-f != 0 {
				return dst, false
			}
			dst = decimal.AppendFloat(dst, f)
		case gotype.Bool:
			dst = AppendBool(dst, m.Of(v).Bool())
		default:
			if dst, ok = w.Append(dst, m.Of(v)); !ok {
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

func (w *JSONWriter) list(dst []byte, list Items) (_ []byte, ok bool) {
	switch {
	case list.IsNil():
		return append(dst, "null"...), true
	case list.Len == 0:
		return append(dst, "[]"...), true
	case !w.enter(dst):
		return dst, false
	}
	dst = append(dst, '[')
	switch list.Elem.Op {
	case gotype.Struct:
		for i := range list.Len {
			if dst, ok = w.members(dst, list.At(i)); !ok || len(dst) > w.Max {
				return dst, false
			}
			dst = append(dst, ',')
		}
	case gotype.Float64:
		for i := range list.Len {
			x := list.At(i).Float()
			if x-x != 0 {
				return dst, false
			}
			dst = append(decimal.AppendFloat(dst, x), ',')
		}
	default:
		for i := range list.Len {
			if dst, ok = w.Append(dst, list.At(i)); !ok || len(dst) > w.Max {
				return dst, false
			}
			dst = append(dst, ',')
		}
	}
	dst[len(dst)-1] = ']' // instead of the last comma
	w.depth--
	return dst, true
}

func (w *JSONWriter) mapping(dst []byte, v Var) (_ []byte, ok bool) {
	size := v.Count()
	switch {
	case size < 0:
		return append(dst, "null"...), true
	case size == 0:
		return append(dst, "{}"...), true
	case !w.enter(dst):
		return dst, false
	}
	from := len(dst)
	keys, own := w.sorter.Keys(v, size)
	for i := 0; i < len(keys); i++ {
		q, found := v.Load(keys[i], &w.Scratch)
		if !found {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = v.Sorted(keys), true, dst[:from], -1
			continue
		}
		dst = append(scan.AppendQuote(append(dst, ','), keys[i]), ':')
		if dst, ok = w.Append(dst, q); !ok || len(dst) > w.Max {
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
	from := len(dst)
	keys, own := w.sorter.AnyKeys(m)
	for i := 0; i < len(keys); i++ {
		v, found := m[keys[i]]
		if !found {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = SortedKeys(m, keys), true, dst[:from], -1
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

// reflected appends what an interface holds by the node of its type.
func (w *JSONWriter) reflected(dst []byte, v any) ([]byte, bool) {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Invalid:
		return dst, false
	case reflect.Slice:
		n := JSON.Of(w.Types.Of(r.Type()))
		if n == nil {
			return dst, false
		}
		return w.list(dst, ItemsOf(n, r))
	case reflect.Pointer:
		if r.IsNil() {
			return dst, false
		}
	default:
		held := reflect.New(r.Type())
		held.Elem().Set(r)
		r = held
	}
	n := JSON.Of(w.Types.Of(r.Type().Elem()))
	if n == nil || !w.enter(dst) {
		return dst, false
	}
	dst, ok := w.Append(dst, NewVar(n, r))
	w.depth--
	return dst, ok
}

// AppendRoot appends the text of v, which is not nil.
func (w *JSONWriter) AppendRoot(dst []byte, v any) ([]byte, bool) {
	switch v.(type) {
	case map[string]any, []any:
		return w.any(dst, v)
	}
	if _, p := JSON.Root(w.Types, v); !p.IsNil() {
		return w.Append(dst, p)
	}
	return w.reflected(dst, v)
}

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 't', 'r', 'u', 'e')
	}
	return append(dst, 'f', 'a', 'l', 's', 'e')
}
