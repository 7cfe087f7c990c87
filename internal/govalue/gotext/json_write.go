package gotext

import (
	"reflect"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// JSON are the plans of compact JSON text.
var JSON = Plans{Label: appendKey}

func appendKey(dst []byte, key string) []byte {
	return append(scan.AppendQuote(append(dst, ','), key), ':')
}

// A JSONWriter writes values as compact JSON text, the same that wire.AppendJSON
// writes for their Values.
type JSONWriter struct {
	Writer
	// Types describes the types that interfaces hold.
	Types *gotype.Universe
}

// NewJSONWriter returns a writer.
func NewJSONWriter(types *gotype.Universe) *JSONWriter {
	w := &JSONWriter{Writer{Plain: scan.AppendPlain, Mark: '"', Null: "null", Between: ','}, types}
	w.Syntax = w
	return w
}

var jsonWriters = sync.Pool{New: func() any { return NewJSONWriter(nil) }}

// BorrowJSONWriter returns a writer from a pool.
func BorrowJSONWriter(types *gotype.Universe, limit int) *JSONWriter {
	w := jsonWriters.Get().(*JSONWriter)
	w.Types = types
	w.Begin(limit)
	return w
}

// GiveBack returns the writer to the pool, without what belongs to the caller.
func (w *JSONWriter) GiveBack() {
	w.Clear()
	jsonWriters.Put(w)
}

// Text implements [Syntax].
func (w *JSONWriter) Text(dst []byte, s string) []byte { return scan.AppendQuote(dst, s) }

// Time implements [Syntax].
func (w *JSONWriter) Time(dst []byte, t time.Time) ([]byte, bool) {
	dst, ok := AppendTime(append(dst, '"'), t)
	return append(dst, '"'), ok
}

// Key implements [Syntax].
func (w *JSONWriter) Key(dst []byte, key string) []byte { return appendKey(dst, key) }

// Any appends what an empty interface holds: what data without a schema is made
// of without a node, all else with it.
func (w *JSONWriter) Any(dst []byte, v any) (_ []byte, ok bool) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), true
	case string:
		return scan.AppendQuote(dst, v), true
	case float64:
		return w.Float(dst, v)
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
		if dst, ok = w.Any(dst, v); !ok || len(dst) > w.Max {
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
	if len(keys) == 0 { // it is small
		var pairs Pairs
		for i := range pairs.Sort(m) {
			if dst, ok = w.Any(appendKey(dst, pairs[i].Key), pairs[i].Value); !ok || len(dst) > w.Max {
				return dst, false
			}
		}
		return w.leave(dst, from), true
	}
	for i := 0; i < len(keys); i++ {
		v, found := m[keys[i]]
		if !found {
			if own {
				return dst, false // it changes meanwhile
			}
			keys, own, dst, i = SortedKeys(m, keys), true, dst[:from], -1
			continue
		}
		dst = appendKey(dst, keys[i])
		if s, isText := v.(string); isText {
			dst = scan.AppendQuote(dst, s)
		} else if dst, ok = w.Any(dst, v); !ok || len(dst) > w.Max {
			return dst, false
		}
	}
	w.sorter.Put(keys)
	return w.leave(dst, from), true
}

// leave ends an object whose members begin at from.
func (w *JSONWriter) leave(dst []byte, from int) []byte {
	dst[from] = '{' // instead of the first comma
	w.depth--
	return append(dst, '}')
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
	dst, ok := w.Value(dst, NewVar(n, r))
	w.depth--
	return dst, ok
}

// AppendRoot appends the text of v, which is not nil.
func (w *JSONWriter) AppendRoot(dst []byte, v any) ([]byte, bool) {
	switch v.(type) {
	case map[string]any, []any:
		return w.Any(dst, v)
	}
	if _, p := JSON.Root(w.Types, v); !p.IsNil() {
		return w.Value(dst, p)
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
