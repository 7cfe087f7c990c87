package glyph

import (
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// goReader reads a document that has the form in which Marshal writes those of
// its type, into variables that are zero. Its methods take the position of the
// first byte that they look at and return the position after the last; -1 for
// anything else, which is left to Values, with its error perhaps.
type goReader struct {
	gotext.Arrays
	s       string // with padding
	depth   int
	cell    bool // within a table's cell: "\|" stands for "|"
	scratch gotext.Scratch
	text    []byte // of a string with escapes
}

var goReaders = sync.Pool{New: func() any { return new(goReader) }}

// maxGoText bounds the documents that are read without Values: within it no limit
// of the codec can be exceeded.
const maxGoText = 32 << 20

// unmarshalGo reads a document into what v points to, if that is zero. It reports
// false, and has stored nothing, for all else.
func unmarshalGo(src []byte, v any) bool {
	root, at := goRoots.Of(v, newGoTree)
	if len(src) > maxGoText || !root.Fresh(at) || !scan.IsUTF8(src) {
		return false
	}
	src = gotext.LineFeeds(src)
	r := goReaders.Get().(*goReader)
	r.s = gotext.Padded(src, 0)
	r.Begin(at.Node)
	ok := r.value(at, 0) == len(src)
	r.giveBack()
	if !ok {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return ok
}

// giveBack returns the reader to its pool, with nothing of the document.
func (r *goReader) giveBack() {
	const kept = 1 << 10
	if cap(r.text) > kept {
		return
	}
	*r = goReader{text: r.text[:0]}
	goReaders.Put(r)
}

// isNull reports whether null, as it is written, is at i.
func (r *goReader) isNull(i int) bool {
	return r.s[i] == '_' && class[r.s[i+1]]&classPart == 0 && r.s[i+1] < utf8.RuneSelf
}

// value reads the value at i into a variable.
func (r *goReader) value(v gotext.Var, i int) int {
	if r.isNull(i) {
		return i + 1 // what is fresh stays as it is
	}
	if v.Form == gotext.Scalar {
		return r.scalar(v, i)
	}
	if r.depth++; r.depth > maxGoDepth {
		return -1
	}
	switch v.Form {
	case gotext.Struct:
		i = r.members(v, i)
	case gotext.Pointer:
		i = r.value(v.Point(&r.Memory), i)
	case gotext.List:
		if r.s[i] == '@' {
			i = r.table(v, i)
		} else {
			i = r.list(v, i)
		}
	case gotext.Map:
		i = r.mapping(v, i)
	default:
		i = -1
	}
	r.depth--
	return i
}

// members reads an object into a struct. Its members come in the order of the struct's.
func (r *goReader) members(v gotext.Var, i int) int {
	if r.s[i] != '{' {
		return -1
	}
	if r.s[i+1] == '}' {
		return i + 2
	}
	for k := range v.Members {
		m := &v.Members[k]
		if !m.Label.At(r.s, i) {
			continue // it is absent, or is elsewhere: then the end is not the end
		}
		if i = r.member(m, v, i+len(m.Label.Text)); i < 0 {
			return -1
		}
		if r.s[i] != ' ' {
			break
		}
	}
	if r.s[i] != '}' {
		return -1
	}
	return i + 1
}

// member reads the value of a member of a struct.
func (r *goReader) member(m *gotext.Member, v gotext.Var, i int) int {
	v = m.Of(v)
	switch {
	case m.Op == gotype.Other:
		return r.value(v, i)
	case r.isNull(i):
		return i + 1
	}
	return r.scalar(v, i)
}

// scalar reads a scalar that is not null.
func (r *goReader) scalar(v gotext.Var, i int) int {
	switch v.Op {
	case gotype.String:
		s, end := r.str(i)
		if end >= 0 {
			v.SetText(s)
		}
		return end
	case gotype.Float64:
		return v.ReadFloat(r.s, i)
	case gotype.Bool:
		b := r.s[i] == 't'
		if !b && r.s[i] != 'f' {
			return -1
		}
		v.SetBool(b)
		return i + 1
	case gotype.Time:
		end := i
		for class[r.s[end]]&classToken != 0 {
			end++
		}
		t, ok := parseTime(r.s[i:end])
		if end == i || r.s[i]-'0' > 9 || !ok {
			return -1
		}
		v.SetTime(t)
		return end
	}
	return v.ReadWhole(r.s, i)
}

// str reads a string, bare or quoted.
func (r *goReader) str(i int) (string, int) {
	s := r.s
	c := s[i]
	if c == '"' {
		end := scan.StringEnd(s, i+1)
		switch s[end] {
		case '"':
			return s[i+1 : end], end + 1
		case '\\':
			return r.escaped(i+1, end)
		}
		return "", -1
	}
	end := i
	switch {
	case class[c]&classStart != 0:
	case c >= utf8.RuneSelf:
		first, n := utf8.DecodeRuneInString(s[i:])
		if !wordStart(first) {
			return "", -1
		}
		end += n
	default:
		return "", -1
	}
	end = wordEnd(s, end)
	word := s[i:end]
	if reserved(word) || s[end] == '"' {
		return "", -1
	}
	return word, end
}

// escaped reads the rest of a string from its start, whose first escape is at i.
func (r *goReader) escaped(start, i int) (string, int) {
	escapes := &scan.JSONEscapes
	if r.cell {
		escapes = &cellEscapes
	}
	b, i, _ := escapes.Unescape(append(r.text[:0], r.s[start:i]...), r.s, i)
	if r.text = b; r.s[i] != '"' {
		return "", -1
	}
	return string(b), i + 1
}

// list reads a list that is not a table.
func (r *goReader) list(v gotext.Var, i int) int {
	if r.s[i] != '[' {
		return -1
	}
	if r.s[i+1] == ']' {
		v.SetEmpty()
		return i + 2
	}
	made, start := gotext.Items{Node: v.Node}, i
	for {
		if made.Full() {
			r.Grow(&made, i-start, r.rest(i))
		}
		e := made.Next()
		if i++; e.Form == gotext.Scalar && !r.isNull(i) {
			i = r.scalar(e, i)
		} else {
			i = r.value(e, i)
		}
		if i < 0 {
			return -1
		}
		if r.s[i] != ' ' {
			break
		}
	}
	if r.s[i] != ']' {
		return -1
	}
	r.End(v, made)
	return i + 1
}

// rest returns how much of the text is left if the list under way is that of the
// whole text.
func (r *goReader) rest(i int) int {
	if r.depth > 1 {
		return 0
	}
	return len(r.s) - i
}

// table reads a list that is a table.
func (r *goReader) table(v gotext.Var, i int) int {
	row, pointers := v.Row()
	if row == nil || r.cell {
		return -1
	}
	t := row.Table(r.s[i:])
	if t == nil {
		if t = r.header(row, i); t == nil {
			return -1
		}
	}
	start := i + len(t.Declared)
	i = start
	made := gotext.Items{Node: v.Node}
	r.cell = true
	for r.s[i] == '|' {
		if made.Full() {
			r.Grow(&made, i-start, r.rest(i))
		}
		p := made.Next()
		if pointers {
			p = p.Point(&r.Memory)
		}
		if i = r.row(t.Columns, p, i); i < 0 {
			return -1
		}
	}
	r.cell = false
	const end = "@end"
	if made.Len == 0 || !strings.HasPrefix(r.s[i:], end) {
		return -1
	}
	r.End(v, made)
	return i + len(end)
}

// row reads a row of a table into a struct.
func (r *goReader) row(columns []gotext.Column, v gotext.Var, i int) int {
	i++
	for k := range columns {
		if r.s[i] == '|' { // absent
			i++
			continue
		}
		m := columns[k].Member
		if m.Op == gotype.Int64 { // without the calls between
			if n, end := gotext.ScanInt(r.s, i); end >= 0 && r.s[end] == '|' {
				m.Of(v).SetInt64(n)
				i = end + 1
				continue
			}
		}
		if i = r.member(m, v, i); i < 0 || r.s[i] != '|' {
			return -1
		}
		i++
	}
	if r.s[i] != '\n' {
		return -1
	}
	return i + 1
}

// A rowTarget is the struct that the rows of a stream are stored in where they need no
// Values.
type rowTarget struct {
	*gotext.Target[*goTree]
	columns []gotext.Column
	reader  goReader
}

// newTarget returns the target of the rows, nil if all need Values.
func (t *tableReader) newTarget(to inplace.Target) *rowTarget {
	record, c := goRoots.Target(to, newGoTree), &t.codec
	if record == nil || c.Lenient || c.Warn != nil || c.Limits != (wire.Limits{}) || t.p.schema != nil {
		return nil
	}
	r := &rowTarget{Target: record, reader: goReader{cell: true}}
	for _, name := range t.head.columns.All() {
		m := record.Member(name)
		if m == nil {
			return nil
		}
		r.columns = append(r.columns, m.Column('|'))
	}
	r.reader.Begin(record.Node)
	return r
}

// store stores the row at i in a text. It reports false, and has stored nothing, for one that
// needs Values.
func (t *rowTarget) store(p *parser, i int) bool {
	return t != nil && t.Read(func() bool {
		t.reader.s, t.reader.depth = p.s, 0
		return t.reader.row(t.columns, t.Var, i) == p.end
	})
}

// header reads the header of a table of these structs, nil if it needs Values.
func (r *goReader) header(row *gotext.Node, start int) *gotext.Table {
	const begin = "@tab _ ["
	if !strings.HasPrefix(r.s[start:], begin) {
		return nil
	}
	i, t := start+len(begin), new(gotext.Table)
	for {
		name, end := r.key(i)
		if end < 0 {
			return nil
		}
		m := row.Member(name)
		if m == nil || gotext.Has(t.Columns, m) {
			return nil
		}
		i = end
		t.Columns = append(t.Columns, m.Column('|'))
		if r.s[i] != ' ' {
			break
		}
		i++
	}
	if r.s[i] != ']' || r.s[i+1] != '\n' {
		return nil
	}
	row.Remember(t, r.s[start:i+2])
	return t
}

// key reads a key, bare or quoted.
func (r *goReader) key(i int) (string, int) {
	if r.s[i] == '"' {
		return r.str(i)
	}
	end := partRun(r.s, i)
	if end == i {
		return "", -1
	}
	return r.s[i:end], end
}

// mapping reads an object into a map.
func (r *goReader) mapping(v gotext.Var, i int) int {
	if r.s[i] != '{' {
		return -1
	}
	if r.s[i+1] == '}' {
		v.MakeMap(0)
		return i + 2
	}
	for {
		key, end := r.key(i + 1)
		if end < 0 || r.s[end] != '=' {
			return -1
		}
		i = end + 1
		r.scratch.Clear()
		e := r.scratch.At(v.Elem)
		if i = r.value(e, i); i < 0 || !v.Store(key, e) {
			return -1
		}
		if r.s[i] != ' ' {
			break
		}
	}
	if r.s[i] != '}' {
		return -1
	}
	return i + 1
}
