package gotext

import (
	"math"
	"time"
	"unsafe"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A Syntax is what a format adds to the walk of a [Writer], which it embeds and whose
// methods of these names it may take over. Its methods append to a text; those that return
// ok report false for what they leave to Values.
type Syntax interface {
	// Text appends a string that Plain does not.
	Text(dst []byte, s string) []byte
	Time(dst []byte, t time.Time) ([]byte, bool)
	// Float appends a number that is 0, no number, very small or very large.
	Float(dst []byte, f float64) ([]byte, bool)
	// Key appends the key of a map's member, as it comes after another member.
	Key(dst []byte, key string) []byte
	// List appends a list that has elements.
	List(dst []byte, list Items) ([]byte, bool)
	// Member appends a member that is not a scalar, in a row or after its label. line is what
	// Members got, 0 if they are not in lines.
	Member(dst []byte, m *Member, v Var, line int) ([]byte, bool)
	// Any appends what an empty interface holds.
	Any(dst []byte, v any) ([]byte, bool)
}

// A Writer appends the text of Go variables in a Syntax. Its methods report false for what
// they leave to Values; what was written by then does not count.
type Writer struct {
	Syntax Syntax
	// Plain appends a short string that needs no closer look. It reports false, and has
	// appended nothing, for any other, and for one that holds Mark.
	Plain func(dst []byte, s string, mark byte) ([]byte, bool)
	Mark  byte
	Null  string
	// Between is after the elements of a list, and End after each cell of a row.
	Between, End byte
	// Letters says that true and false are t and f.
	Letters bool
	// Max is the length that the text may have.
	Max int
	// Scratch is also the format's, while nothing is written.
	Scratch Scratch

	depth  int
	sorter Sorter
}

// Begin prepares for a text that may have that length.
func (w *Writer) Begin(limit int) { w.Max, w.depth = limit, 0 }

// Clear forgets what belongs to a value.
func (w *Writer) Clear() {
	w.sorter.Clear()
	w.Scratch.Clear()
}

// maxDepth bounds how deep values lie in each other; deeper ones, as cycles are,
// need Values.
const maxDepth = 100

// enter is called where a value leads to others, and whoever calls it takes one
// from depth. It reports false if they lie too deep, or the text is too long.
func (w *Writer) enter(dst []byte) bool {
	w.depth++
	return w.depth <= maxDepth && len(dst) <= w.Max
}

// Value appends a variable: objects in braces and lists in brackets.
func (w *Writer) Value(dst []byte, v Var) (_ []byte, ok bool) {
	switch v.Form {
	case Struct:
		return members[inline](w, dst, v.Members, v, 0, 0)
	case Pointer:
		if v.HoldsNil() {
			return append(dst, w.Null...), true
		}
		if !w.enter(dst) {
			return dst, false
		}
		dst, ok = w.Value(dst, v.Target())
		w.depth--
		return dst, ok
	case List:
		return w.list(dst, v.Items())
	case Map:
		return w.mapping(dst, v)
	case Any:
		return w.Syntax.Any(dst, v.Held())
	}
	return w.Scalar(dst, v)
}

// Scalar appends a scalar.
func (w *Writer) Scalar(dst []byte, v Var) ([]byte, bool) {
	switch v.Op {
	case gotype.String:
		return w.text(dst, v.Text()), true
	case gotype.Int64:
		return decimal.AppendInt(dst, v.Int64()), true
	case gotype.Float64:
		f := v.Float()
		if !isUsual(f) {
			return w.Syntax.Float(dst, f)
		}
		return decimal.AppendFloat(dst, f), true
	case gotype.Bool:
		return w.bool(dst, v.Bool()), true
	case gotype.Time:
		return w.Syntax.Time(dst, v.Time())
	}
	return v.AppendNumber(dst)
}

func (w *Writer) text(dst []byte, s string) []byte {
	if out, ok := w.Plain(dst, s, w.Mark); ok {
		return out
	}
	return w.Syntax.Text(dst, s)
}

// isUsual reports whether the shortest text of a number is that of all formats: it is
// neither very small nor very large.
func isUsual(f float64) bool {
	abs := math.Abs(f)
	return abs >= 1e-6 && abs < 1e15
}

func (w *Writer) bool(dst []byte, b bool) []byte {
	switch {
	case !w.Letters:
		return AppendBool(dst, b)
	case b:
		return append(dst, 't')
	}
	return append(dst, 'f')
}

// Where members are: a type parameter, so that members is compiled for each.
type (
	inline struct{} // in one line, in braces
	lined  [1]byte  // each in a line of its own
	cells  [2]byte  // without labels, and with what ends each
)

// Members appends the members of a struct, each in a line. Before the label of the first one
// are so many bytes of a new line and its indentation, and as many as line before the others.
func (w *Writer) Members(dst []byte, v Var, first, line int) ([]byte, bool) {
	return members[lined](w, dst, v.Members, v, first, line)
}

// Cells appends the cells of a row, each with what ends it; what a row lacks is an empty one.
func (w *Writer) Cells(dst []byte, columns []Member, row Var) ([]byte, bool) {
	return members[cells](w, dst, columns, row, 0, 0)
}

func members[P inline | lined | cells](w *Writer, dst []byte, members []Member, v Var, first, line int) (_ []byte, ok bool) {
	var place P
	const inBraces, inLines, inRow = 0, 1, 2
	from := len(dst)
	for i := range members {
		m := &members[i]
		if m.Optional { // in an if of its own, which most members leave by one jump
			if m.Lacks(v) {
				if unsafe.Sizeof(place) == inRow {
					dst = append(dst, w.End)
				}
				continue
			}
		}
		switch unsafe.Sizeof(place) {
		case inBraces:
			dst = m.Label.Append(dst)
		case inLines:
			dst = m.Label.AppendLine(dst, first)
			first = line
		}
		switch m.Op {
		case gotype.String:
			s := m.Of(v).Text()
			if dst, ok = w.Plain(dst, s, w.Mark); !ok {
				dst = w.Syntax.Text(dst, s)
			}
		case gotype.Int64:
			dst = decimal.AppendInt(dst, m.Of(v).Int64())
		case gotype.Float64:
			if f := m.Of(v).Float(); isUsual(f) {
				dst = decimal.AppendFloat(dst, f)
			} else if dst, ok = w.Syntax.Float(dst, f); !ok {
				return dst, false
			}
		case gotype.Bool:
			dst = w.bool(dst, m.Of(v).Bool())
		case gotype.Other:
			if dst, ok = w.Syntax.Member(dst, m, m.Of(v), line); !ok {
				return dst, false
			}
		default:
			if dst, ok = w.Scalar(dst, m.Of(v)); !ok {
				return dst, false
			}
		}
		if unsafe.Sizeof(place) == inRow {
			dst = append(dst, w.End)
		}
	}
	switch {
	case unsafe.Sizeof(place) != inBraces:
		return dst, true
	case len(dst) == from:
		return append(dst, "{}"...), true
	}
	dst[from] = '{' // instead of what separates members
	return append(dst, '}'), true
}

func (w *Writer) list(dst []byte, list Items) (_ []byte, ok bool) {
	switch {
	case list.IsNil():
		return append(dst, w.Null...), true
	case list.Len == 0:
		return append(dst, "[]"...), true
	case !w.enter(dst):
		return dst, false
	}
	dst, ok = w.Syntax.List(dst, list)
	w.depth--
	return dst, ok
}

// List appends the elements in brackets.
func (w *Writer) List(dst []byte, list Items) (_ []byte, ok bool) {
	if dst, ok = w.Elements(append(dst, '['), list); ok {
		dst[len(dst)-1] = ']' // instead of the last separator
	}
	return dst, ok
}

// Elements appends the elements, each with Between after it.
func (w *Writer) Elements(dst []byte, list Items) (_ []byte, ok bool) {
	for i := range list.Len {
		switch v := list.At(i); v.Form {
		case Scalar:
			dst, ok = w.Scalar(dst, v)
		case Struct:
			dst, ok = members[inline](w, dst, v.Members, v, 0, 0)
		default:
			dst, ok = w.Value(dst, v)
		}
		if !ok || len(dst) > w.Max {
			return dst, false
		}
		dst = append(dst, w.Between)
	}
	return dst, true
}

func (w *Writer) mapping(dst []byte, v Var) (_ []byte, ok bool) {
	size, from := v.Count(), len(dst)
	switch {
	case size < 0:
		return append(dst, w.Null...), true
	case size == 0:
		return append(dst, "{}"...), true
	case !w.enter(dst):
		return dst, false
	}
	if dst, ok = w.Map(dst, v, size); !ok {
		return dst, false
	}
	dst[from] = '{' // instead of what separates members
	w.depth--
	return append(dst, '}'), true
}

// Map appends the members of a map that has so many, in the order of their keys.
func (w *Writer) Map(dst []byte, v Var, size int) (_ []byte, ok bool) {
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
		dst = w.Syntax.Key(dst, keys[i])
		if q.Form == Scalar {
			dst, ok = w.Scalar(dst, q)
		} else {
			dst, ok = w.Value(dst, q)
		}
		if !ok || len(dst) > w.Max {
			return dst, false
		}
	}
	w.sorter.Put(keys)
	return dst, true
}

// Float appends any number.
func (w *Writer) Float(dst []byte, f float64) ([]byte, bool) {
	if f-f != 0 {
		return dst, false
	}
	return decimal.AppendFloat(dst, f), true
}

// Member appends any member as a value.
func (w *Writer) Member(dst []byte, _ *Member, v Var, _ int) ([]byte, bool) { return w.Value(dst, v) }

// Any leaves what an interface holds to Values.
func (w *Writer) Any(dst []byte, _ any) ([]byte, bool) { return dst, false }
