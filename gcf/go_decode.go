package gcf

import (
	"bytes"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"time"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// goReader reads a document that has the form in which Marshal writes those of its
// type, into variables that are zero. A scalar in any other form is read by the reader
// of Values, that one only. Its methods take the position of the first byte that they
// look at and return the position after the last; -1 for anything else, which is left to
// Values, with its error perhaps. The text ends with a line end, and every scan stops
// there.
type goReader struct {
	src  []byte
	text string
	// separator is what is between the scalars of the current line: a bare
	// string holds none.
	separator byte
	depth     int
	groups    int // objects of path columns that may still be made
	memory    gotype.Slabs
	claims    gotext.Claims
	scratch   gotext.Scratch
	general   *decoder // for what has another form, nil before the first
}

const (
	// maxGoText bounds the documents that are read without Values: within it no
	// limit of the codec can be exceeded but those of a line, of depth, and of what
	// path columns make.
	maxGoText  = 32 << 20
	maxGoDepth = 100
)

// unmarshalGo reads a document into what v points to, a nil slice of structs or
// a zero struct. It reports false, and has stored nothing, for all else.
func unmarshalGo(src []byte, v any) bool {
	const header = lex.GenericHeader
	root, p := goPlans.Root(&gowire.Types, v)
	n := root.Plan
	if n == nil || !root.Fresh(p) || len(src) > maxGoText || len(src) <= len(header) || string(src[:len(header)]) != header ||
		src[len(src)-1] != '\n' || !scan.IsUTF8(src) {
		return false
	}
	if n.Form == gotext.List && bytes.HasPrefix(src[len(header):], []byte("## [")) {
		if row, _ := n.Row(); row == nil {
			return false
		}
	} else if n.Form != gotext.Struct {
		return false
	}
	r := goReader{src: src, text: string(src), groups: bound.Add(len(src)/2, freeGroups)}
	var i int
	if n.Form == gotext.Struct {
		i = r.object(n, p, len(header), 0)
	} else {
		i = r.rows(n, gotype.At[gotype.Slice](p), nil, len(header)+len("## "), 0)
	}
	if i != len(r.text) {
		reflect.ValueOf(v).Elem().SetZero()
		return false
	}
	return true
}

// at reports whether the text has s at i.
func (r *goReader) at(i int, s string) bool {
	return i+len(s) <= len(r.text) && r.text[i:i+len(s)] == s
}

// count reads a count in brackets and returns the position after them.
func (r *goReader) count(i int) (n, next int) {
	const most = 9 // digits
	if r.text[i] != '[' {
		return 0, -1
	}
	count, end := gotext.ScanInt(r.text, i+1)
	if end < 0 || count < 0 || end-i > 1+most || r.text[i+1] == '-' || r.text[end] != ']' {
		return 0, -1
	}
	return int(count), end + 1
}

// rows reads an array of structs from its count on. shared is what an earlier
// array declared, where its fields may be left out.
func (r *goReader) rows(n *gotext.Node, list *gotype.Slice, shared **gotext.Table, i, indent int) int {
	length, i := r.count(i)
	row, pointers := n.Row()
	if i < 0 || row == nil {
		return -1
	}
	var t *gotext.Table
	switch {
	case r.text[i] == '{':
		if t = r.table(row, i); t == nil {
			return -1
		}
		if i += len(t.Declared); shared != nil && *shared == nil {
			*shared = t
		}
	case r.text[i] != '\n':
		return -1
	case length == 0:
		*list = gotype.Slice{Data: gotype.Empty}
		return i + 1
	case shared == nil || *shared == nil:
		return -1
	default:
		t = *shared
		i++
	}
	left := len(r.text) - i
	if length == 0 || length > left/(2*len(t.Columns)) { // a cell takes two bytes at least
		return -1
	}
	r.depth += 2
	r.groups -= length * t.Groups
	claimed, ok := r.claims.Begin(length, n.Size, left, len(r.text))
	if !ok || r.depth > maxGoDepth || r.groups < 0 {
		return -1
	}
	made := gotype.Slice{Data: r.memory.Make(n.Elem.Type, length), Len: length, Cap: length}
	var fields [maxGoLists]*gotext.Table // that arrays of the first row declared
	for k := range length {
		p := gotype.Add(made.Data, uintptr(k)*n.Size)
		if pointers {
			p = r.memory.Point(p, row.Type)
		}
		if i = r.row(t, p, i, indent, k, &fields); i < 0 {
			return -1
		}
	}
	r.claims.End(claimed)
	r.depth -= 2
	*list = made
	return i
}

// row reads a row, of that number in its table, into the struct at p.
func (r *goReader) row(t *gotext.Table, p gotype.Ptr, i, indent, number int, fields *[maxGoLists]*gotext.Table) int {
	from := i
	if i = r.indentation(i, indent); i < 0 {
		return -1
	}
	hasID := r.text[i] == '@'
	if hasID {
		id, end := gotext.ScanInt(r.text, i+1)
		if end < 0 || id != int64(number) || r.text[i+1] == '-' || r.text[end] != ' ' {
			return -1
		}
		i = end + 1
	} else if r.text[i] == '#' || r.text[i] == '.' {
		return -1
	}
	waiting, i := r.cells(t.Columns, p, i)
	if i < 0 || i-from > bound.LineBytes || hasID != (waiting != 0) {
		return -1
	}
	for ; waiting != 0; waiting &= waiting - 1 {
		c := &t.Columns[bits.TrailingZeros64(waiting)]
		shared := &fields[c.List]
		if number > 0 && *shared == nil {
			shared = nil
		}
		if i = r.attached(c, gotype.Add(p, c.Offset), shared, i, indent); i < 0 {
			return -1
		}
	}
	return i
}

// cells reads the cells of a row into the struct at p. It returns the columns of lists
// that are attached, a bit each.
func (r *goReader) cells(columns []gotext.Column, p gotype.Ptr, i int) (waiting uint64, next int) {
	r.separator = '|'
	text := r.text
	for k := range columns {
		c := &columns[k]
		q, delim := gotype.Add(p, c.Offset), c.End
		switch b := text[i]; {
		case c.Op == gotype.String && b > '"' && lex.Class[b]&lex.LookFirst == 0:
			if end := cellEnd(text, i, '|'); end > i && text[end] == delim && text[end-1] > ' ' {
				*gotype.At[string](q) = text[i:end]
				i = end + 1
				continue
			}
		case c.Op == gotype.Int64 && b-'0' <= 9:
			if n, end := digitsAt(text, i); end >= 0 && text[end] == delim {
				*gotype.At[int64](q) = n
				i = end + 1
				continue
			}
		case c.Group != nil:
			if i = r.group(c, q, i); i < 0 {
				return 0, -1
			}
			continue
		case (b == '-' || b == '~') && text[i+1] == delim:
			i += 2 // what is fresh stays as it is
			continue
		case b == '^' && text[i+1] == delim && c.Node.Form == gotext.List && k < 64:
			waiting |= 1 << k
			i += 2
			continue
		}
		if i = r.scalar(c.Node, q, i, delim); i < 0 {
			return 0, -1
		}
		i++
	}
	return waiting, i
}

// indentation returns the position after so many spaces, if no blank follows.
func (r *goReader) indentation(i, indent int) int {
	if i >= len(r.text) || lex.SpacesEnd(r.text, i) != i+indent || r.text[i+indent] <= ' ' {
		return -1
	}
	return i + indent
}

// group reads the cells of a struct that a pointer points to, or of a map.
func (r *goReader) group(c *gotext.Column, p gotype.Ptr, i int) int {
	var made gotype.Ptr
	nulls, absent := 0, 0
	for k := range c.Group {
		g := &c.Group[k]
		switch b := r.text[i]; {
		case b == '-' && r.text[i+1] == g.End:
			nulls++
			i++
		case b == '~' && r.text[i+1] == g.End:
			absent++
			i++
		case c.Node.Form == gotext.Map:
			i = r.element(c.Node, p, g.Key, i, g.End)
		default:
			if made == nil {
				made = r.memory.Point(p, c.Node.Elem.Type)
			}
			i = r.scalar(g.Node, gotype.Add(made, g.Offset), i, g.End)
		}
		if i < 0 {
			return -1
		}
		i++
	}
	switch {
	case nulls == len(c.Group), absent == len(c.Group): // it stays nil
	case c.Node.Form == gotext.Map && nulls+absent > 0, c.Node.Form != gotext.Map && made == nil:
		return -1
	}
	return i
}

// element reads the scalar at i as the element of a map with that key.
func (r *goReader) element(n *gotext.Node, p gotype.Ptr, key string, i int, delim byte) int {
	r.scratch.Clear()
	q := r.scratch.At(n.Elem)
	if i = r.scalar(n.Elem, q, i, delim); i < 0 || !n.Maps.Store(p, key, q) {
		return -1
	}
	return i
}

// attached reads the array of a column that is below its row.
func (r *goReader) attached(c *gotext.Column, p gotype.Ptr, shared **gotext.Table, i, indent int) int {
	label := keyOf(c.Member)
	if i = r.indentation(i, indent); i < 0 || r.text[i] != '.' || !r.at(i+1, label) {
		return -1
	}
	if i += 1 + len(label); r.text[i] != ' ' {
		return -1
	}
	if c.Node.Elem.Form == gotext.Scalar {
		return r.list(c.Node, gotype.At[gotype.Slice](p), i+1)
	}
	return r.rows(c.Node, gotype.At[gotype.Slice](p), shared, i+1, indent+4)
}

// list reads an array of scalars from its count on.
func (r *goReader) list(n *gotext.Node, list *gotype.Slice, i int) int {
	from := i
	length, i := r.count(i)
	switch {
	case i < 0:
		return -1
	case length == 0:
		if r.text[i] != '\n' {
			return -1
		}
		*list = gotype.Slice{Data: gotype.Empty}
		return i + 1
	case !r.at(i, ": ") || length > (len(r.text)-i)/2:
		return -1
	}
	r.separator = ','
	i += len(": ")
	made := gotype.Slice{Data: r.memory.Make(n.Elem.Type, length), Len: length, Cap: length}
	for k := range length {
		delim := byte(',')
		if k == length-1 {
			delim = '\n'
		}
		if i = r.scalar(n.Elem, gotype.Add(made.Data, uintptr(k)*n.Size), i, delim); i < 0 {
			return -1
		}
		i++
	}
	if i-from > bound.LineBytes/2 {
		return -1
	}
	*list = made
	return i
}

// object reads the lines of an object's members into the struct at p, up to the
// first line with less indentation. They come in the order of the struct's.
func (r *goReader) object(n *gotext.Node, p gotype.Ptr, i, indent int) int {
	if r.depth++; r.depth > maxGoDepth {
		return -1
	}
	next := 0
	for i < len(r.text) {
		if lex.SpacesEnd(r.text, i)-i < indent {
			break
		}
		from := i
		if i = r.indentation(i, indent); i < 0 {
			return -1
		}
		section := r.at(i, "## ")
		if section {
			i += len("## ")
		}
		for next < len(n.Members) && !r.isKey(i, keyOf(&n.Members[next])) {
			next++
		}
		if next == len(n.Members) {
			return -1
		}
		m := &n.Members[next]
		next++
		q := gotype.Add(p, m.Offset)
		if i += len(keyOf(m)); section {
			i = r.section(m.Node, q, i, indent)
		} else if i = r.line(m.Node, q, i); i-from > bound.LineBytes {
			return -1
		}
		if i < 0 {
			return -1
		}
	}
	r.depth--
	return i
}

// isKey reports whether the key at i is that one.
func (r *goReader) isKey(i int, key string) bool {
	if !r.at(i, key) {
		return false
	}
	c := r.text[i+len(key)]
	return c == '=' || c == '[' || c == ' ' || c == '\n'
}

// line reads a member that is one line, from the end of its key on.
func (r *goReader) line(n *gotext.Node, p gotype.Ptr, i int) int {
	if r.text[i] == '[' {
		if n.Form != gotext.List || n.Elem.Form != gotext.Scalar {
			return -1
		}
		return r.list(n, gotype.At[gotype.Slice](p), i)
	}
	if r.text[i] != '=' {
		return -1
	}
	if i++; r.at(i, "-\n") {
		return i + 2 // null: what is fresh stays as it is
	}
	r.separator = '\n'
	if i = r.scalar(n, p, i, '\n'); i < 0 {
		return -1
	}
	return i + 1
}

// section reads a member that has a block of its own, from the end of its key on.
func (r *goReader) section(n *gotext.Node, p gotype.Ptr, i, indent int) int {
	switch {
	case r.text[i] == ' ' && n.Form == gotext.List && n.Elem.Form == gotext.Scalar:
		if !r.at(i, " [0]\n") {
			return -1
		}
		return r.list(n, gotype.At[gotype.Slice](p), i+1)
	case r.text[i] == ' ' && n.Form == gotext.List:
		return r.rows(n, gotype.At[gotype.Slice](p), nil, i+1, indent)
	case r.text[i] != '\n':
		return -1
	}
	if n.Form == gotext.Pointer {
		n, p = n.Elem, r.memory.Point(p, n.Elem.Type)
	}
	switch n.Form {
	case gotext.Struct:
		return r.object(n, p, i+1, indent+2)
	case gotext.Map:
		return r.members(n, p, i+1, indent+2)
	}
	return -1
}

// members is object for a map.
func (r *goReader) members(n *gotext.Node, p gotype.Ptr, i, indent int) int {
	from := i
	for i < len(r.text) && lex.SpacesEnd(r.text, i)-i >= indent {
		if i = r.indentation(i, indent); i < 0 {
			return -1
		}
		key := i
		if r.text[i] == '"' {
			if i = scan.StringEnd(r.text, i+1); r.text[i] != '"' {
				return -1
			}
			key++
		} else if i = lex.BareKeyEnd(r.text, i); i == key {
			return -1
		}
		name := r.text[key:i]
		if r.text[i] == '"' {
			i++
		}
		if r.text[i] != '=' {
			return -1
		}
		r.separator = '\n'
		if i = r.element(n, p, name, i+1, '\n'); i < 0 {
			return -1
		}
		i++
	}
	if i == from {
		return -1 // an empty map is not nil
	}
	return i
}

// cellEnd returns the position of the first separator or line end at or after i.
func cellEnd(text string, i int, separator byte) int {
	pattern := uint64(separator) * lex.Ones
	for ; i+8 <= len(text); i += 8 {
		w := scan.Load64(text, i)
		cell, line := w^pattern, w^'\n'*lex.Ones
		// A difference of zero borrows into the flag; what a borrow reaches lies
		// above the first zero.
		if n := lex.FirstFlag(((cell-lex.Ones)&^cell | (line-lex.Ones)&^line) & lex.Highs); n < 8 {
			return i + n
		}
	}
	for text[i] != separator && text[i] != '\n' {
		i++
	}
	return i
}

// scalar reads a scalar that delim ends, and is not null, into the variable at p. It
// returns the position of delim.
func (r *goReader) scalar(n *gotext.Node, p gotype.Ptr, i int, delim byte) int {
	op, q := n.Op, p
	if n.Form == gotext.Pointer {
		op, q = n.Elem.Op, r.memory.Make(n.Elem.Type, 1)
	}
	end := r.plain(op, q, i, delim)
	switch {
	case end < 0:
		return r.odd(n, p, i, delim)
	case n.Form == gotext.Pointer:
		*gotype.At[gotype.Ptr](p) = q
	}
	return end
}

// plain is scalar for one as Marshal writes it.
func (r *goReader) plain(op gotype.Op, p gotype.Ptr, i int, delim byte) int {
	end := -1
	switch {
	case op == gotype.String:
		var s string
		if s, end = r.str(i); end < 0 || r.text[end] != delim {
			return -1
		}
		*gotype.At[string](p) = s
	case op == gotype.Float64:
		var x float64
		// Integers beyond int64 and what is too small for a double are outside the
		// numeric domain (section 2.3.2), perhaps.
		if x, end = decimal.ScanFloat(r.text, i); end < 0 || r.text[end] != delim || x == 0 && end != i+1 || math.Abs(x) >= 1<<63 {
			return -1
		}
		*gotype.At[float64](p) = x
	case op == gotype.Bool:
		b := r.text[i] == 't'
		word := "false"
		if b {
			word = "true"
		}
		if end = i + len(word); !r.at(i, word) || r.text[end] != delim {
			return -1
		}
		*gotype.At[bool](p) = b
	case op == gotype.Time:
		var s string
		if s, end = r.str(i); end < 0 || r.text[end] != delim || gotype.At[time.Time](p).UnmarshalText([]byte(s)) != nil {
			return -1
		}
	case op.IsInt(), op.IsUint():
		if end = gotext.ReadInt(op, p, r.text, i); end < 0 || r.text[end] != delim {
			return -1
		}
	}
	return end
}

// odd is scalar for one in another form: the reader of Values reads it.
func (r *goReader) odd(n *gotext.Node, p gotype.Ptr, i int, delim byte) int {
	d, line := r.values(), r.lineEnd(i)
	end := d.TrimBlanks(i, i+len(strings.TrimSuffix(r.text[i:line], "\r")))
	v, next, err := d.Token(i, end, r.separator)
	if err != nil || wire.Internal.Tag(v) != 0 || v.IsNull() || (next == end) != (delim == '\n') ||
		wire.ToGo(v, reflect.NewAt(n.Type.T, p).Interface()) != nil {
		return -1
	}
	if next == end {
		return line
	}
	return next
}

// values returns the reader of Values for a part of the text.
func (r *goReader) values() *decoder {
	if r.general == nil {
		r.general = &decoder{place: place{depth: maxGoDepth}}
		r.general.Doc, r.general.Src = r.text, r.src
	}
	return r.general
}

// lineEnd returns the position of the line end at or after i.
func (r *goReader) lineEnd(i int) int { return i + strings.IndexByte(r.text[i:], '\n') }

// str reads a string, bare or quoted.
func (r *goReader) str(i int) (string, int) {
	text, c := r.text, r.text[i]
	if c == '"' {
		end := scan.StringEnd(text, i+1)
		if text[end] != '"' {
			return "", -1
		}
		return text[i+1 : end], end + 1
	}
	end := cellEnd(text, i, r.separator)
	if end == i || c <= ' ' || text[end-1] <= ' ' || lex.Class[c]&lex.LookFirst != 0 && lex.ReadsOtherwise(text[i:end]) {
		return "", -1
	}
	return text[i:end], end
}

// digitsAt returns the number that begins at text[i] and where its digits end; -1
// if none does that is an int64 for certain. The text does not end with a digit.
func digitsAt(text string, i int) (n int64, end int) {
	from := i
	for c := text[i] - '0'; c <= 9; c = text[i] - '0' {
		n = n*10 + int64(c)
		i++
	}
	if digits := i - from; digits-1 >= lex.SafeDigits || digits == 0 || digits > 1 && text[from] == '0' {
		return 0, -1
	}
	return n, i
}
