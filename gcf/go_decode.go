package gcf

import (
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// goReader reads a document that has the form in which marshalGo writes those of
// its type, into structs. Its methods take the position of the first byte that
// they look at and return the position behind the last; -1 for anything else,
// which is left to Values, with its error perhaps. The text ends with a line end,
// and every scan stops there.
type goReader struct {
	text string
	// separator is what stands between the scalars of the current line: a bare
	// string holds none.
	separator byte
	memory    gotype.Slabs
	claims    gotext.Claims
	scratch   gotext.Scratch
}

// maxGoText bounds the documents that are read without Values: within it no
// limit of the codec can be exceeded but those of a line.
const maxGoText = 32 << 20

// unmarshalGo reads a document into what v points to, a nil slice of structs or
// a zero struct. It reports false, and has stored nothing, for all else.
func unmarshalGo(src []byte, v any) bool {
	root, p := goRoots.Of(v, newGoRoot)
	t := root.Plan
	if t == nil || !root.Pointer || p == nil || len(src) > maxGoText {
		return false
	}
	if len(src) <= len(lex.GenericHeader) || string(src[:len(lex.GenericHeader)]) != lex.GenericHeader || src[len(src)-1] != '\n' || !scan.IsUTF8(src) {
		return false
	}
	r := goReader{text: string(src)}
	if t.list {
		return r.rootRows(t, p)
	}
	if !gotype.IsZero(p, root.Size) {
		return false
	}
	if r.object(t.goStruct, p, len(lex.GenericHeader), 0) != len(r.text) {
		reflect.ValueOf(v).Elem().SetZero()
		return false
	}
	return true
}

func (r *goReader) rootRows(t *goRoot, p gotype.Ptr) bool {
	target := gotype.At[gotype.Slice](p)
	i := len(lex.GenericHeader)
	if target.Cap > 0 || t.pointers || !t.tabular || !strings.HasPrefix(r.text[i:], "## [") {
		return false
	}
	var list gotype.Slice
	if r.rows(t.goStruct, &list, nil, i+len("## "), 0) != len(r.text) {
		return false
	}
	*target = list
	return true
}

// at reports whether the text has s at i.
func (r *goReader) at(i int, s string) bool {
	return i+len(s) <= len(r.text) && r.text[i:i+len(s)] == s
}

// count reads a count in brackets and returns the position behind them.
func (r *goReader) count(i int) (n, next int) {
	const most = 9 // digits
	if r.text[i] != '[' {
		return 0, -1
	}
	from := i + 1
	for i = from; r.text[i]-'0' <= 9; i++ {
		n = n*10 + int(r.text[i]-'0')
		if i-from == most {
			return 0, -1
		}
	}
	if i == from || r.text[from] == '0' && i > from+1 || r.text[i] != ']' {
		return 0, -1
	}
	return n, i + 1
}

// rows reads an array of structs from its count on. shared is what an earlier
// array declared, where its fields may be left out.
func (r *goReader) rows(s *goStruct, list *gotype.Slice, shared **goProgram, i, indent int) int {
	n, i := r.count(i)
	if i < 0 {
		return -1
	}
	var g *goProgram
	switch {
	case r.text[i] == '{':
		end := cellEnd(r.text, i, '\n')
		if g = s.program(r.text[i:end]); g == nil {
			return -1
		}
		if i = end + 1; shared != nil && *shared == nil {
			*shared = g
		}
	case r.text[i] != '\n':
		return -1
	case n == 0:
		*list = gotype.Slice{Data: gotype.Empty}
		return i + 1
	case shared == nil || *shared == nil:
		return -1
	default:
		g = *shared
		i++
	}
	left := len(r.text) - i
	if n == 0 || n > left/(2*len(g.cells)) { // a cell takes two bytes at least
		return -1
	}
	claimed, ok := r.claims.Begin(n, s.Type.Size, left, len(r.text))
	if !ok {
		return -1
	}
	first := r.memory.Make(s.Type, n)
	var fields [maxGoAttached]*goProgram // that arrays of the first row declared
	for row := range n {
		p := gotype.Add(first, uintptr(row)*s.Type.Size)
		if i = r.row(g, p, i, indent, row, &fields); i < 0 {
			return -1
		}
	}
	r.claims.End(claimed)
	*list = gotype.Slice{Data: first, Len: n, Cap: n}
	return i
}

// row reads a row into the struct at p.
func (r *goReader) row(g *goProgram, p gotype.Ptr, i, indent, row int, fields *[maxGoAttached]*goProgram) int {
	from := i
	if i = r.indentation(i, indent); i < 0 {
		return -1
	}
	hasID := false
	switch r.text[i] {
	case '#', '.':
		return -1
	case '@':
		n, next := 0, i+1
		for ; r.text[next]-'0' <= 9 && next < i+10; next++ {
			n = n*10 + int(r.text[next]-'0')
		}
		if next == i+1 || n != row || r.text[i+1] == '0' && next > i+2 || r.text[next] != ' ' {
			return -1
		}
		hasID, i = true, next+1
	}
	r.separator = '|'
	waiting := 0 // attachments, a bit each
	for k := 0; k < len(g.cells); k++ {
		c := &g.cells[k]
		delim := c.delim
		switch {
		case c.group == 0 && c.op == gotype.String && r.text[i] > '"' && lex.Class[r.text[i]]&lex.LookFirst == 0:
			end := cellEnd(r.text, i, '|')
			if end == i || r.text[end] != delim || r.text[end-1] <= ' ' {
				return -1
			}
			*gotype.At[string](gotype.Add(p, c.offset)) = r.text[i:end]
			i = end
		case c.group == 0 && c.op == gotype.Int64 && r.text[i]-'0' <= 9:
			n, end := digitsAt(r.text, i)
			if end < 0 || r.text[end] != delim {
				return -1
			}
			*gotype.At[int64](gotype.Add(p, c.offset)) = n
			i = end
		case c.group > 0:
			if i = r.group(g.cells[k:k+c.group], p, i, delim); i < 0 {
				return -1
			}
			k += c.group - 1
		case c.leaf != nil:
			if i = r.leaf(c, p, i, delim); i < 0 {
				return -1
			}
		case r.text[i] == '\n' || r.text[i+1] != delim:
			return -1
		default: // null or absent, unless it is an array
			switch r.text[i] {
			case '-', '~':
			case '^':
				if c.top.form != goRows && c.top.form != goList {
					return -1
				}
				waiting |= 1 << c.number
			default:
				return -1
			}
			i++
		}
		i++
	}
	if i-from > wire.DefaultLineBytes || hasID != (waiting != 0) {
		return -1
	}
	for k := 0; waiting != 0; k++ {
		c := &g.cells[k]
		if c.leaf != nil || c.key != "" || c.top.form != goRows && c.top.form != goList || waiting>>c.number&1 == 0 {
			continue
		}
		waiting &^= 1 << c.number
		shared := &fields[c.number]
		if row > 0 && *shared == nil {
			shared = nil
		}
		if i = r.attached(c.top, gotype.Add(p, c.offset), shared, i, indent); i < 0 {
			return -1
		}
	}
	return i
}

// indentation returns the position behind so many spaces, if no blank follows.
func (r *goReader) indentation(i, indent int) int {
	if i >= len(r.text) || lex.SpacesEnd(r.text, i) != i+indent || r.text[i+indent] <= ' ' {
		return -1
	}
	return i + indent
}

// leaf reads the cell of a scalar, or of a pointer to one, of the struct at p.
func (r *goReader) leaf(c *goCell, p gotype.Ptr, i int, delim byte) int {
	if b := r.text[i]; (b == '-' || b == '~') && r.text[i+1] == delim {
		return i + 1
	}
	return r.member(c.leaf, gotype.Add(p, c.offset), i, delim)
}

// member reads a scalar that is not null into a field.
func (r *goReader) member(f *goField, p gotype.Ptr, i int, delim byte) int {
	if f.form == goPointer {
		target := gotype.At[gotype.Ptr](p)
		*target = r.memory.Make(f.of.Type, 1)
		p = *target
	}
	return r.scalar(f.of.Op, p, i, delim)
}

// group reads the cells of a struct that a pointer points to, or of a map.
func (r *goReader) group(cells []goCell, p gotype.Ptr, i int, last byte) int {
	f := cells[0].top
	p = gotype.Add(p, f.Offset)
	var made gotype.Ptr
	nulls, absent := 0, 0
	for k := range cells {
		delim := byte('|')
		if k == len(cells)-1 {
			delim = last
		}
		switch b := r.text[i]; {
		case b == '-' && r.text[i+1] == delim:
			nulls++
			i++
		case b == '~' && r.text[i+1] == delim:
			absent++
			i++
		case f.form == goMap:
			if i = r.element(f, p, cells[k].key, i, delim); i < 0 {
				return -1
			}
		default:
			if made == nil {
				made = r.memory.Make(f.of.Type, 1)
				*gotype.At[gotype.Ptr](p) = made
			}
			if i = r.member(cells[k].leaf, gotype.Add(made, cells[k].offset), i, delim); i < 0 {
				return -1
			}
		}
		i++
	}
	switch {
	case nulls == len(cells), absent == len(cells): // it stays nil
	case f.form == goMap && nulls+absent > 0, made == nil && f.form != goMap:
		return -1
	}
	return i - 1
}

// attached reads the array of a field that stands below its row.
func (r *goReader) attached(f *goField, p gotype.Ptr, shared **goProgram, i, indent int) int {
	if i = r.indentation(i, indent); i < 0 || r.text[i] != '.' || !r.at(i+1, f.key()) {
		return -1
	}
	if i += 1 + len(f.key()); r.text[i] != ' ' {
		return -1
	}
	if f.form == goRows {
		return r.rows(f.inner, gotype.At[gotype.Slice](p), shared, i+1, indent+4)
	}
	return r.list(f, gotype.At[gotype.Slice](p), i+1)
}

// list reads an array of scalars from its count on.
func (r *goReader) list(f *goField, list *gotype.Slice, i int) int {
	from := i
	n, i := r.count(i)
	switch {
	case i < 0:
		return -1
	case n == 0:
		if r.text[i] != '\n' {
			return -1
		}
		*list = gotype.Slice{Data: gotype.Empty}
		return i + 1
	case !r.at(i, ": ") || n > (len(r.text)-i)/2:
		return -1
	}
	r.separator = ','
	i += len(": ")
	first := r.memory.Make(f.of.Type, n)
	for k := range n {
		delim := byte(',')
		if k == n-1 {
			delim = '\n'
		}
		if b := r.text[i]; (b == '-' || b == '~') && r.text[i+1] == delim {
			return -1
		}
		if i = r.scalar(f.of.Op, gotype.Add(first, uintptr(k)*f.Node.Size), i, delim); i < 0 {
			return -1
		}
		i++
	}
	if i-from > wire.DefaultLineBytes/2 {
		return -1
	}
	*list = gotype.Slice{Data: first, Len: n, Cap: n}
	return i
}

// object reads the lines of an object's members into the struct at p, up to the
// first line with less indentation.
func (r *goReader) object(s *goStruct, p gotype.Ptr, i, indent int) int {
	next := 0
	for i < len(r.text) {
		spaces := lex.SpacesEnd(r.text, i) - i
		if spaces < indent {
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
		for ; next < len(s.fields); next++ {
			if r.at(i, s.fields[next].key()) {
				if c := r.text[i+len(s.fields[next].key())]; c == '=' || c == '[' || c == ' ' || c == '\n' {
					break
				}
			}
		}
		if next == len(s.fields) {
			return -1
		}
		f := &s.fields[next]
		next++
		q := gotype.Add(p, f.Offset)
		if i += len(f.key()); section {
			i = r.section(f, q, i, indent)
		} else {
			i = r.line(f, q, i)
		}
		if i < 0 || i-from > wire.DefaultLineBytes && !section {
			return -1
		}
	}
	return i
}

// line reads a member that is one line, from behind its key.
func (r *goReader) line(f *goField, p gotype.Ptr, i int) int {
	if r.text[i] == '[' {
		if f.form != goList {
			return -1
		}
		return r.list(f, gotype.At[gotype.Slice](p), i)
	}
	if r.text[i] != '=' {
		return -1
	}
	if i++; r.at(i, "-\n") {
		return i + 2 // null: what is fresh stays as it is
	}
	if f.form > goPointer {
		return -1
	}
	r.separator = '\n'
	if i = r.member(f, p, i, '\n'); i < 0 {
		return -1
	}
	return i + 1
}

// section reads a member that has a block of its own, from behind its key.
func (r *goReader) section(f *goField, p gotype.Ptr, i, indent int) int {
	if r.text[i] == ' ' {
		switch f.form {
		case goRows:
			return r.rows(f.inner, gotype.At[gotype.Slice](p), nil, i+1, indent)
		case goList:
			if n, next := r.count(i + 1); next >= 0 && n == 0 {
				return r.list(f, gotype.At[gotype.Slice](p), i+1)
			}
		}
		return -1
	}
	if r.text[i] != '\n' {
		return -1
	}
	i++
	switch f.form {
	case goStructValue:
		return r.object(f.inner, p, i, indent+2)
	case goStructPointer:
		made := r.memory.Make(f.of.Type, 1)
		*gotype.At[gotype.Ptr](p) = made
		return r.object(f.inner, made, i, indent+2)
	case goMap:
		return r.mapMembers(f, p, i, indent+2)
	}
	return -1
}

// mapMembers is object for a map.
func (r *goReader) mapMembers(f *goField, p gotype.Ptr, i, indent int) int {
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
		if r.text[i] != '=' || r.at(i+1, "-\n") {
			return -1
		}
		r.separator = '\n'
		if i = r.element(f, p, name, i+1, '\n'); i < 0 {
			return -1
		}
		i++
	}
	if i == from {
		return -1 // an empty map is not nil
	}
	return i
}

// element reads the element of a map with that key, which it makes if there is none. The
// map must not have the key.
func (r *goReader) element(f *goField, p gotype.Ptr, key string, i int, delim byte) int {
	q := r.scratch.At(f.of)
	if i = r.scalar(f.of.Op, q, i, delim); i < 0 || !f.Node.Maps.Store(p, key, q) {
		return -1
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

// scalar reads a scalar that delim ends, and is not null, into the variable at p.
// It returns the position of delim.
func (r *goReader) scalar(op gotype.Op, p gotype.Ptr, i int, delim byte) int {
	switch op {
	case gotype.String:
		s, end := r.str(i, delim)
		if end >= 0 {
			*gotype.At[string](p) = s
		}
		return end
	case gotype.Float64:
		return r.float(gotype.At[float64](p), i, delim)
	case gotype.Bool:
		b := r.text[i] == 't'
		word := "false"
		if b {
			word = "true"
		}
		end := i + len(word)
		if !r.at(i, word) || r.text[end] != delim {
			return -1
		}
		*gotype.At[bool](p) = b
		return end
	case gotype.Time:
		s, end := r.str(i, delim)
		if end < 0 {
			return -1
		}
		var t time.Time
		if t.UnmarshalText([]byte(s)) != nil {
			return -1
		}
		*gotype.At[time.Time](p) = t
		return end
	}
	return r.integer(op, p, i, delim)
}

// str reads a string, bare or quoted.
func (r *goReader) str(i int, delim byte) (string, int) {
	text, c := r.text, r.text[i]
	if c == '"' {
		end := scan.StringEnd(text, i+1)
		if text[end] != '"' || text[end+1] != delim {
			return "", -1
		}
		return text[i+1 : end], end + 1
	}
	end := cellEnd(text, i, r.separator)
	if end == i || text[end] != delim || c <= ' ' || text[end-1] <= ' ' || lex.Class[c]&lex.LookFirst != 0 && lex.ReadsOtherwise(text[i:end]) {
		return "", -1
	}
	return text[i:end], end
}

func (r *goReader) integer(op gotype.Op, p gotype.Ptr, i int, delim byte) int {
	negative := r.text[i] == '-'
	if negative {
		i++
	}
	n, end := digitsAt(r.text, i)
	if negative {
		n = -n
	}
	if end < 0 || r.text[end] != delim || !gotype.SetInt(op, p, n) {
		return -1
	}
	return end
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

func (r *goReader) float(f *float64, i int, delim byte) int {
	x, end := decimal.ScanFloat(r.text, i)
	if end < 0 || end-i > 40 || r.text[end] != delim {
		return -1
	}
	// Integers beyond int64 and what is too small for a double are outside the
	// numeric domain (section 2.3.2).
	if text := r.text[i:end]; x == 0 && text != "0" || math.Abs(x) >= 1<<63 && strings.IndexByte(text, '.') < 0 && !lex.HasExponent(text) {
		return -1
	}
	*f = x
	return end
}
