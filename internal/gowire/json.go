package gowire

import (
	"reflect"
	"slices"
	"time"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A JSON writes and reads the values of one type as compact JSON text, the same
// that wire.AppendJSON writes for their Values.
type JSON struct {
	// Append appends the text of the variable at p. It reports false for what
	// wire.FromGo refuses.
	Append func(dst []byte, p gotype.Ptr) ([]byte, bool)
	// Read reads the value at i of the text into the zero variable at p, and
	// returns the position behind it. It returns -1 for all text but that which
	// Append writes, and for strings with escapes.
	Read func(r *Reader, p gotype.Ptr, i int) int
}

// A Reader is text that ends with a line end, and the memory that what is read
// from it takes.
type Reader struct {
	Text   string
	Memory gotype.Slabs
}

// JSONOf returns the JSON of a type of strings, numbers, booleans and times, and
// structs, slices, pointers and maps of those; nil for all others.
func JSONOf(t *gotype.Type) *JSON { return (&jsonCompiler{}).compile(t) }

// jsonCompiler compiles a type and those in it, which are open, but no type in
// itself.
type jsonCompiler struct{ open []*gotype.Type }

// maxLevels bounds how deep types lie in each other.
const maxLevels = 16

func (c *jsonCompiler) compile(t *gotype.Type) *JSON {
	if t.ConvertsItself() || slices.Contains(c.open, t) || len(c.open) == maxLevels {
		return nil
	}
	c.open = append(c.open, t)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	switch t.Op {
	case gotype.Struct:
		return c.structure(t)
	case gotype.Pointer:
		return c.pointer(t)
	case gotype.List:
		return c.list(t)
	case gotype.Map:
		return mapJSON(t)
	}
	if !IsScalar(t) {
		return nil
	}
	op := t.Op
	return &JSON{
		Append: func(dst []byte, p gotype.Ptr) ([]byte, bool) { return appendScalar(dst, op, p) },
		Read:   func(r *Reader, p gotype.Ptr, i int) int { return r.scalar(op, p, i) },
	}
}

// IsScalar reports whether values of the type are a string, a number, a boolean
// or a time.
func IsScalar(t *gotype.Type) bool {
	switch op := t.Op; {
	case t.ConvertsItself():
		return false
	case op == gotype.String, op == gotype.Float64, op == gotype.Bool, op == gotype.Time, op.IsInt(), op.IsUint():
		return true
	}
	return false
}

// AppendTime appends what wire.Value.AppendText gives for a time. It reports
// false for those that wire.FromGo refuses.
func AppendTime(dst []byte, t time.Time) ([]byte, bool) {
	const day = 24 * 60 * 60
	if _, offset := t.Zone(); t.Year() < 0 || t.Year() > 9999 || offset <= -day || offset >= day {
		return dst, false
	}
	return wire.Time(t).AppendText(dst), true
}

func appendScalar(dst []byte, op gotype.Op, p gotype.Ptr) (_ []byte, ok bool) {
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
		if *gotype.At[bool](p) {
			return append(dst, "true"...), true
		}
		return append(dst, "false"...), true
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
		return wire.Uint(uint64(n)).AppendNumber(dst)
	}
	return decimal.AppendInt(dst, n)
}

func (r *Reader) at(i int, s string) bool {
	return i+len(s) <= len(r.Text) && r.Text[i:i+len(s)] == s
}

func (r *Reader) scalar(op gotype.Op, p gotype.Ptr, i int) int {
	switch op {
	case gotype.String, gotype.Time:
		if r.Text[i] != '"' {
			return -1
		}
		end := scan.StringEnd(r.Text, i+1)
		if r.Text[end] != '"' {
			return -1
		}
		if op == gotype.String {
			*gotype.At[string](p) = r.Text[i+1 : end]
			return end + 1
		}
		var t time.Time
		if t.UnmarshalText([]byte(r.Text[i+1:end])) != nil {
			return -1
		}
		*gotype.At[time.Time](p) = t
		return end + 1
	case gotype.Float64:
		f, end := decimal.ScanFloat(r.Text, i)
		if end >= 0 {
			*gotype.At[float64](p) = f
		}
		return end
	case gotype.Bool:
		b := r.at(i, "true")
		if !b && !r.at(i, "false") {
			return -1
		}
		*gotype.At[bool](p) = b
		if b {
			return i + len("true")
		}
		return i + len("false")
	}
	return r.integer(op, p, i)
}

func (r *Reader) integer(op gotype.Op, p gotype.Ptr, i int) int {
	const most = 18 // digits that always fit
	text := r.Text
	negative := text[i] == '-'
	if negative {
		i++
	}
	from, n := i, int64(0)
	for ; text[i]-'0' <= 9 && i-from <= most; i++ {
		n = n*10 + int64(text[i]-'0')
	}
	if i == from || i-from > most || text[from] == '0' && i > from+1 || text[i] == '.' || text[i]|0x20 == 'e' {
		return -1
	}
	if negative {
		n = -n
	}
	if !gotype.SetInt(op, p, n) {
		return -1
	}
	return i
}

// null reports whether the text has null at i.
func (r *Reader) null(i int) bool { return r.at(i, "null") }

func (c *jsonCompiler) pointer(t *gotype.Type) *JSON {
	elem := c.compile(t.Elem())
	if elem == nil {
		return nil
	}
	return &JSON{
		Append: func(dst []byte, p gotype.Ptr) ([]byte, bool) {
			target := *gotype.At[gotype.Ptr](p)
			if target == nil {
				return append(dst, "null"...), true
			}
			return elem.Append(dst, target)
		},
		Read: func(r *Reader, p gotype.Ptr, i int) int {
			if r.null(i) {
				return i + len("null")
			}
			target := r.Memory.Make(t.Elem(), 1)
			*gotype.At[gotype.Ptr](p) = target
			return elem.Read(r, target, i)
		},
	}
}

func (c *jsonCompiler) list(t *gotype.Type) *JSON {
	of := t.Elem()
	elem, size := c.compile(of), of.Size
	if elem == nil || t.IsBytes() {
		return nil
	}
	return &JSON{
		Append: func(dst []byte, p gotype.Ptr) (_ []byte, ok bool) {
			list := gotype.At[gotype.Slice](p)
			switch {
			case list.Data == nil:
				return append(dst, "null"...), true
			case list.Len == 0:
				return append(dst, "[]"...), true
			}
			for i := range list.Len {
				sep := byte(',')
				if i == 0 {
					sep = '['
				}
				if dst, ok = elem.Append(append(dst, sep), gotype.Add(list.Data, uintptr(i)*size)); !ok {
					return dst, false
				}
			}
			return append(dst, ']'), true
		},
		Read: func(r *Reader, p gotype.Ptr, i int) int { return r.list(gotype.At[gotype.Slice](p), elem, of, i) },
	}
}

// list reads the elements of an array into memory that grows with them.
func (r *Reader) list(list *gotype.Slice, elem *JSON, of *gotype.Type, i int) int {
	if r.null(i) {
		return i + len("null")
	}
	if r.Text[i] != '[' {
		return -1
	}
	if r.Text[i+1] == ']' {
		*list = gotype.Slice{Data: gotype.Empty}
		return i + 2
	}
	const least = 4
	var made gotype.Slice
	for {
		if made.Len == made.Cap {
			made.Cap = max(least, 2*made.Cap)
			grown := r.Memory.Make(of, made.Cap)
			gotype.Copy(of, grown, made.Data, made.Len)
			made.Data = grown
		}
		i = elem.Read(r, gotype.Add(made.Data, uintptr(made.Len)*of.Size), i+1)
		if i < 0 {
			return -1
		}
		made.Len++
		if r.Text[i] != ',' {
			break
		}
	}
	if r.Text[i] != ']' {
		return -1
	}
	made.Cap = made.Len // what lies behind it is nobody's
	*list = made
	return i + 1
}

// member is a field of a struct.
type member struct {
	label    string // a comma, the quoted key and a colon
	offset   uintptr
	op       gotype.Op // of a scalar
	json     *JSON
	optional bool
	absence  gotype.Absence
}

func (c *jsonCompiler) structure(t *gotype.Type) *JSON {
	list := t.Fields().List
	members := make([]member, len(list))
	for i := range list {
		f, m := &list[i], &members[i]
		if f.Quoted || f.Hidden || len(f.Hops) > 0 {
			return nil
		}
		m.label, m.offset = string(append(scan.AppendQuote([]byte{','}, f.Name), ':')), f.Offset
		if m.json = c.compile(f.Type); m.json == nil {
			return nil
		}
		if IsScalar(f.Type) {
			m.op = f.Type.Op
		}
		if m.optional = f.Optional(); m.optional {
			m.absence = f.Absence()
		}
	}
	return &JSON{
		Append: func(dst []byte, p gotype.Ptr) ([]byte, bool) { return appendMembers(dst, members, p) },
		Read:   func(r *Reader, p gotype.Ptr, i int) int { return r.members(members, p, i) },
	}
}

func appendMembers(dst []byte, members []member, p gotype.Ptr) (_ []byte, ok bool) {
	from := len(dst)
	for i := range members {
		m := &members[i]
		if m.optional && m.absence.Of(p) {
			continue
		}
		dst = append(dst, m.label...)
		q := gotype.Add(p, m.offset)
		if m.op != gotype.Other {
			dst, ok = appendScalar(dst, m.op, q)
		} else {
			dst, ok = m.json.Append(dst, q)
		}
		if !ok {
			return dst, false
		}
	}
	if len(dst) == from {
		return append(dst, "{}"...), true
	}
	dst[from] = '{' // instead of the first comma
	return append(dst, '}'), true
}

func (r *Reader) members(members []member, p gotype.Ptr, i int) int {
	if r.null(i) {
		return i + len("null")
	}
	if r.Text[i] != '{' {
		return -1
	}
	if r.Text[i+1] == '}' {
		return i + 2
	}
	open := byte('{')
	for k := range members {
		m := &members[k]
		if r.Text[i] != open || !r.at(i+1, m.label[1:]) {
			continue // it is not there, or stands elsewhere: then the end is not the end
		}
		open = ','
		i += len(m.label)
		q := gotype.Add(p, m.offset)
		if m.op != gotype.Other && !r.null(i) {
			i = r.scalar(m.op, q, i)
		} else if m.op != gotype.Other {
			i += len("null")
		} else {
			i = m.json.Read(r, q, i)
		}
		if i < 0 {
			return -1
		}
	}
	if r.Text[i] != '}' {
		return -1
	}
	return i + 1
}

// mapJSON is the JSON of a map with keys of type string and scalars of the most
// usual types.
func mapJSON(t *gotype.Type) *JSON {
	if t.T.Key() != reflect.TypeFor[string]() {
		return nil
	}
	switch t.T.Elem() {
	case reflect.TypeFor[string]():
		return newMapJSON[string](gotype.String)
	case reflect.TypeFor[int]():
		return newMapJSON[int](t.Elem().Op)
	case reflect.TypeFor[float64]():
		return newMapJSON[float64](gotype.Float64)
	case reflect.TypeFor[bool]():
		return newMapJSON[bool](gotype.Bool)
	}
	return nil
}

func newMapJSON[V any](op gotype.Op) *JSON {
	return &JSON{
		Append: func(dst []byte, p gotype.Ptr) (_ []byte, ok bool) {
			m := *gotype.At[map[string]V](p)
			if m == nil {
				return append(dst, "null"...), true
			}
			if len(m) == 0 {
				return append(dst, "{}"...), true
			}
			var few [16]string
			keys := few[:0]
			for key := range m {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			from := len(dst)
			for _, key := range keys {
				dst = append(scan.AppendQuote(append(dst, ','), key), ':')
				v := m[key]
				if dst, ok = appendScalar(dst, op, gotype.Ptr(&v)); !ok {
					return dst, false
				}
			}
			dst[from] = '{' // instead of the first comma
			return append(dst, '}'), true
		},
		Read: func(r *Reader, p gotype.Ptr, i int) int {
			if r.null(i) {
				return i + len("null")
			}
			if r.Text[i] != '{' {
				return -1
			}
			m := make(map[string]V)
			*gotype.At[map[string]V](p) = m
			if r.Text[i+1] == '}' {
				return i + 2
			}
			for {
				var key string
				if i = r.scalar(gotype.String, gotype.Ptr(&key), i+1); i < 0 || r.Text[i] != ':' {
					return -1
				}
				if _, ok := m[key]; ok {
					return -1
				}
				var v V
				if i = r.scalar(op, gotype.Ptr(&v), i+1); i < 0 {
					return -1
				}
				m[key] = v
				if r.Text[i] != ',' {
					break
				}
			}
			if r.Text[i] != '}' {
				return -1
			}
			return i + 1
		},
	}
}
