package gcf

import (
	"bytes"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
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

var goReaders = sync.Pool{New: func() any { return new(goReader) }}

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
	root, at := goPlans.Root(&gowire.Types, v)
	if !root.Fresh(at) || len(src) > maxGoText {
		return false
	}
	src = gotext.LineFeeds(src)
	if len(src) <= len(header) || string(src[:len(header)]) != header ||
		src[len(src)-1] != '\n' || !scan.IsUTF8(src) {
		return false
	}
	if at.Form == gotext.List && bytes.HasPrefix(src[len(header):], []byte("## [")) {
		if row, _ := at.Row(); row == nil {
			return false
		}
	} else if at.Form != gotext.Struct {
		return false
	}
	r := goReaders.Get().(*goReader)
	*r = goReader{src: src, text: string(src), groups: bound.Add(len(src)/2, freeGroups)}
	var i int
	if at.Form == gotext.Struct {
		i = r.object(at, len(header), 0)
	} else {
		i = r.rows(at, new(*gotext.Table), len(header)+len("## "), 0)
	}
	ok := i == len(r.text)
	*r = goReader{} // nothing of the document
	goReaders.Put(r)
	if !ok {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return ok
}

// A rowTarget is the struct that the rows of a stream are stored in where they need no
// Values.
type rowTarget struct {
	*gotext.Target[*gotext.Node]
	body   goBody
	reader goReader
}

// newTarget returns the target of the rows of the table that is declared at i, nil if all
// need Values.
func (s *recordDecoder) newTarget(i int) *rowTarget {
	record, a := goPlans.Target(&gowire.Types, s.to), &s.array
	if record == nil || a.count.keyed || a.rows.plan.identity >= 0 {
		return nil
	}
	t := &rowTarget{Target: record, body: goBody{indent: a.rows.indent}}
	if !t.reader.load(&s.d) {
		return nil
	}
	if t.body.Table = t.reader.table(record.Node, i); t.body.Table == nil || t.body.Groups > freeGroups {
		return nil
	}
	return t
}

// load gives the reader the text of a decoder, and reports whether that has a line end.
func (r *goReader) load(d *decoder) bool {
	if r.text != d.Doc {
		r.src, r.text, r.general = d.Src, d.Doc, nil
	}
	return strings.HasSuffix(r.text, "\n")
}

// store stores the current row, if it certainly is whole. It reports false, and has stored
// nothing, for one that needs Values, as the first does, which is read for what it establishes.
func (t *rowTarget) store(s *recordDecoder) bool {
	if t == nil {
		return false
	}
	d, end := &s.d, -1
	read := func() bool {
		r, start := &t.reader, d.Start-d.Indent
		if !r.load(d) {
			return false
		}
		r.depth, r.groups, r.claims = 2, freeGroups-t.body.Groups, gotext.Claims{}
		end = r.row(&t.body, s.array.n, t.Var, start)
		return end >= 0 && end-start <= s.partBytes() && end < len(d.Doc) && d.Doc[end] > '.'
	}
	if s.array.n == 0 {
		read()
		t.Reflect().SetZero()
		return false
	}
	if !t.Read(read) {
		return false
	}
	d.Pos, d.lastIndent, s.array.rows.inline = end, -1, 0
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

// A goBody is the rows of a table that is being read.
type goBody struct {
	*gotext.Table
	indent int
	// declared are the tables of the arrays attached to the first row, by column: later
	// rows may leave out their fields (section 7.4.5.3).
	declared [maxGoLists]*gotext.Table
}

// rows reads an array of structs from its count on. declared is the table of rows whose
// fields are left out, nil if there is none; it becomes the table of those that are there.
func (r *goReader) rows(v gotext.Var, declared **gotext.Table, i, indent int) int {
	length, i := r.count(i)
	row, pointers := v.Row()
	if i < 0 || row == nil {
		return -1
	}
	if length == 0 {
		return r.empty(v, i)
	}
	if r.text[i] == '{' {
		if *declared = r.table(row, i); *declared != nil {
			i += len((*declared).Declared) - 1
		}
	}
	if *declared == nil || r.text[i] != '\n' {
		return -1
	}
	i++
	t, left := goBody{Table: *declared, indent: indent}, len(r.text)-i
	if length > left/(2*len(t.Columns)) { // a cell takes two bytes at least
		return -1
	}
	r.depth += 2
	r.groups -= length * t.Groups
	claimed, ok := r.claims.Begin(length, v.Size, left, len(r.text))
	if !ok || r.depth > maxGoDepth || r.groups < 0 {
		return -1
	}
	made := gotext.NewItems(v.Node, length, &r.memory)
	for k := range length {
		p := made.At(k)
		if pointers {
			p = p.Point(&r.memory)
		}
		if i = r.row(&t, k, p, i); i < 0 {
			return -1
		}
	}
	r.claims.End(claimed)
	r.depth -= 2
	v.SetItems(made)
	return i
}

// empty ends an array without elements.
func (r *goReader) empty(v gotext.Var, i int) int {
	if r.text[i] != '\n' {
		return -1
	}
	v.SetEmpty()
	return i + 1
}

// row reads the row with that number, and what is attached to it, into a struct.
func (r *goReader) row(t *goBody, number int, v gotext.Var, i int) int {
	start := r.indentation(i, t.indent)
	cells := r.rowID(number, start)
	if cells < 0 {
		return -1
	}
	waiting, next := r.cells(t.Columns, v, cells)
	if next < 0 || next-i > bound.LineBytes || (cells > start) != (waiting != 0) {
		return -1
	}
	for ; waiting != 0; waiting &= waiting - 1 {
		c := &t.Columns[bits.TrailingZeros64(waiting)]
		declared := t.declared[c.List]
		if next = r.attached(c, c.Of(v), &declared, next, t.indent); next < 0 {
			return -1
		}
		if number == 0 && c.Node.Form == gotext.List {
			t.declared[c.List] = declared
		}
	}
	return next
}

// rowID returns the position after the id that a row with attachments begins with, i for
// a row without.
func (r *goReader) rowID(number, i int) int {
	if i < 0 || r.text[i] == '#' || r.text[i] == '.' {
		return -1
	}
	if r.text[i] != '@' {
		return i
	}
	id, end := gotext.ScanInt(r.text, i+1)
	if end < 0 || id != int64(number) || r.text[i+1] == '-' || r.text[end] != ' ' {
		return -1
	}
	return end + 1
}

// cells reads the cells of a row into a struct. It returns the columns whose values are
// attached, a bit each.
func (r *goReader) cells(columns []gotext.Column, v gotext.Var, i int) (waiting uint64, next int) {
	r.separator = '|'
	text := r.text
	for k := range columns {
		c := &columns[k]
		q, delim := c.Of(v), c.End
		switch b := text[i]; {
		case c.Op == gotype.String && b > '"' && lex.Class[b]&lex.LookFirst == 0:
			if end := cellEnd(text, i, '|'); end > i && text[end] == delim && text[end-1] > ' ' {
				q.SetText(text[i:end])
				i = end + 1
				continue
			}
		case c.Op == gotype.Int64 && b-'0' <= 9:
			if n, end := gotext.ScanInt(text, i); end >= 0 && text[end] == delim {
				q.SetInt64(n)
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
		case b == '^' && text[i+1] == delim && c.Node.Form != gotext.Scalar && k < 64:
			waiting |= 1 << k
			i += 2
			continue
		}
		if i = r.scalar(q, i, delim); i < 0 {
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
func (r *goReader) group(c *gotext.Column, v gotext.Var, i int) int {
	var made gotext.Var
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
		case v.Form == gotext.Map:
			i = r.element(v, g.Key, i, g.End)
		default:
			if made.IsNil() {
				made = v.Point(&r.memory)
			}
			i = r.scalar(g.Of(made), i, g.End)
		}
		if i < 0 {
			return -1
		}
		i++
	}
	switch {
	case nulls == len(c.Group), absent == len(c.Group): // it stays nil
	case v.Form == gotext.Map && nulls+absent > 0, v.Form != gotext.Map && made.IsNil():
		return -1
	}
	return i
}

// element reads the scalar at i as the element of a map with that key.
func (r *goReader) element(v gotext.Var, key string, i int, delim byte) int {
	r.scratch.Clear()
	elem := r.scratch.At(v.Elem)
	if i = r.scalar(elem, i, delim); i < 0 || !v.Store(key, elem) {
		return -1
	}
	return i
}

// attached reads the object or array of a column that is below its row.
func (r *goReader) attached(c *gotext.Column, v gotext.Var, declared **gotext.Table, i, indent int) int {
	label := keyOf(c.Member)
	if i = r.indentation(i, indent); i < 0 || r.text[i] != '.' || !r.at(i+1, label) {
		return -1
	}
	i += 1 + len(label)
	switch {
	case r.at(i, " {}\n"):
		return r.block(v, i+len(" {}\n"), indent+4)
	case r.text[i] != ' ' || v.Form != gotext.List:
		return -1
	case v.Elem.Form == gotext.Scalar:
		return r.list(v, i+1)
	}
	return r.rows(v, declared, i+1, indent+4)
}

// list reads an array of scalars from its count on.
func (r *goReader) list(v gotext.Var, i int) int {
	from := i
	length, i := r.count(i)
	switch {
	case i < 0:
		return -1
	case length == 0:
		return r.empty(v, i)
	case !r.at(i, ": ") || length > (len(r.text)-i)/2:
		return -1
	}
	r.separator = ','
	i += len(": ")
	made := gotext.NewItems(v.Node, length, &r.memory)
	for k := range length {
		delim := byte(',')
		if k == length-1 {
			delim = '\n'
		}
		if i = r.scalar(made.At(k), i, delim); i < 0 {
			return -1
		}
		i++
	}
	if i-from > bound.LineBytes/2 {
		return -1
	}
	v.SetItems(made)
	return i
}

// object reads the lines of an object's members into a struct, up to the first line with
// less indentation. They come in the order of the struct's.
func (r *goReader) object(v gotext.Var, i, indent int) int {
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
		for next < len(v.Members) && !r.isKey(i, keyOf(&v.Members[next])) {
			next++
		}
		if next == len(v.Members) {
			return -1
		}
		m := &v.Members[next]
		next++
		if i += len(keyOf(m)); section {
			i = r.section(m.Of(v), i, indent)
		} else if i = r.line(m.Of(v), i); i-from > bound.LineBytes {
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
func (r *goReader) line(v gotext.Var, i int) int {
	if r.text[i] == '[' {
		if v.Form != gotext.List || v.Elem.Form != gotext.Scalar {
			return -1
		}
		return r.list(v, i)
	}
	if r.text[i] != '=' {
		return -1
	}
	if i++; r.at(i, "-\n") {
		return i + 2 // null: what is fresh stays as it is
	}
	r.separator = '\n'
	if i = r.scalar(v, i, '\n'); i < 0 {
		return -1
	}
	return i + 1
}

// section reads a member that has a block of its own, from the end of its key on.
func (r *goReader) section(v gotext.Var, i, indent int) int {
	switch {
	case r.text[i] == ' ' && v.Form == gotext.List && v.Elem.Form == gotext.Scalar:
		if !r.at(i, " [0]\n") {
			return -1
		}
		return r.list(v, i+1)
	case r.text[i] == ' ' && v.Form == gotext.List:
		return r.rows(v, new(*gotext.Table), i+1, indent)
	case r.text[i] != '\n':
		return -1
	}
	return r.block(v, i+1, indent+2)
}

// block reads the lines of an object's members, which are indented so far, into a variable.
func (r *goReader) block(v gotext.Var, i, indent int) int {
	if v.Form == gotext.Pointer {
		v = v.Point(&r.memory)
	}
	switch v.Form {
	case gotext.Struct:
		return r.object(v, i, indent)
	case gotext.Map:
		return r.members(v, i, indent)
	}
	return -1
}

// members is object for a map.
func (r *goReader) members(v gotext.Var, i, indent int) int {
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
		if i = r.element(v, name, i+1, '\n'); i < 0 {
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

// scalar reads a scalar that delim ends, and is not null, into a variable. It returns the
// position of delim.
func (r *goReader) scalar(v gotext.Var, i int, delim byte) int {
	to := v
	if v.Form == gotext.Pointer {
		to = v.Point(&r.memory)
	}
	if end := r.plain(to, i); end >= 0 && r.text[end] == delim {
		return end
	}
	return r.odd(v, i, delim)
}

// plain is scalar for one as Marshal writes it, with any byte after it.
func (r *goReader) plain(v gotext.Var, i int) int {
	switch op := v.Op; {
	case op == gotype.String:
		s, end := r.str(i)
		v.SetText(s)
		return end
	case op == gotype.Float64:
		// Integers beyond int64 and what is too small for a double are outside the
		// numeric domain (section 2.3.2), perhaps.
		x, end := decimal.ScanFloat(r.text, i)
		if end < 0 || x == 0 && end != i+1 || math.Abs(x) >= 1<<63 {
			return -1
		}
		v.SetFloat(x)
		return end
	case op == gotype.Bool:
		return v.ReadBool(r.text, i)
	case op == gotype.Time:
		s, end := r.str(i)
		if end < 0 || !v.ParseTime(s) {
			return -1
		}
		return end
	case op.IsInt(), op.IsUint():
		n, end := gotext.ScanInt(r.text, i)
		if end < 0 || !v.SetInt(n) {
			return -1
		}
		return end
	}
	return -1
}

// odd is scalar for one in another form: the reader of Values reads it.
func (r *goReader) odd(v gotext.Var, i int, delim byte) int {
	d, line := r.values(), r.lineEnd(i)
	end := d.TrimBlanks(i, i+len(strings.TrimSuffix(r.text[i:line], "\r")))
	x, next, err := d.Token(i, end, r.separator)
	if err != nil || wire.Internal.Tag(x) != 0 || x.Kind() == wire.KindNull || (next == end) != (delim == '\n') ||
		wire.ToGo(x, v.Reflect().Addr().Interface()) != nil {
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
