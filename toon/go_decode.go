package toon

import (
	"bytes"
	"math/bits"
	"reflect"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// goReader reads a document that has the form in which Marshal writes those of its
// type, into variables that are zero. Its methods take the position of the first
// byte that they look at and return the position after the last; -1 for anything
// else, which is left to Values, with its error perhaps.
type goReader struct {
	s       string // with a line end and padding
	end     int    // length of the document
	tree    *goTree
	memory  gotype.Slabs
	scratch gotext.Scratch
	text    []byte // of a string with escapes
	groups  int    // objects of nested groups
	claims  gotext.Claims
}

var goReaders = sync.Pool{New: func() any { return new(goReader) }}

// maxGoText bounds the documents that are read without Values: within it no limit
// of the codec can be exceeded.
const maxGoText = 16 << 20

// unmarshalGo reads a document into what v points to, if that is zero. It reports
// false, and has stored nothing, for all else.
func unmarshalGo(src []byte, v any) bool {
	root, at := goRoots.Of(v, newGoTree)
	if len(src) > maxGoText || !root.Fresh(at) || !scan.IsUTF8(src) {
		return false
	}
	src = gotext.LineFeeds(src)
	r := goReaders.Get().(*goReader)
	r.s, r.end, r.tree = gotext.Padded(src, '\n'), len(src), root.Plan
	i := -1
	if at.Form == gotext.List {
		i = r.array(at, 0, 0)
	} else if at.Form == gotext.Struct {
		i = r.fields(at, 0, 0)
	}
	ok := i == len(src) || i >= 0 && i == len(src)-1 && src[i] == '\n'
	r.giveBack()
	if !ok {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return ok
}

// giveBack returns the reader to its pool, with nothing of the document.
func (r *goReader) giveBack() {
	if cap(r.text) > maxKept {
		return
	}
	r.s, r.end, r.tree, r.groups, r.text = "", 0, nil, 0, r.text[:0]
	r.claims = gotext.Claims{}
	r.memory.Clear()
	r.scratch.Clear()
	goReaders.Put(r)
}

// An elementTarget is the struct that the elements of a stream are stored in where they need no
// Values.
type elementTarget struct {
	*gotext.Target[*goTree]
	table  *gotext.Table // nil for a list
	reader goReader
}

// newTarget returns the target of the elements, nil if all need Values.
func (d *recordReader) newTarget(to inplace.Target) *elementTarget {
	head := d.headText[bytes.LastIndexByte(d.headText[:len(d.headText)-1], '\n')+1:]
	t := &elementTarget{Target: goRoots.Target(to, newGoTree)}
	end := bytes.IndexByte(head, ']')
	if t.Target == nil || head[0] != '[' || head[end-1]-'0' > 9 {
		return nil
	}
	r := &t.reader
	r.s, r.tree = gotext.Padded(head, '\n'), t.Plan
	if d.head.list != nil {
		t.table = r.columns(t.Node, end+1)
		if t.table == nil || t.table.Groups > sparseGroups {
			return nil
		}
	}
	return t
}

// store stores the element that is a reader's chunk. It reports false, and has stored nothing,
// for one that needs Values, as the first does, which says how far all are indented.
func (t *elementTarget) store(d *recordReader) bool {
	const row, item = "  ", "  - "
	return t != nil && d.n > 0 && d.base == 1 && len(d.chunk) <= maxGoText && scan.IsUTF8(d.chunk) && t.Read(func() bool {
		r, i := &t.reader, -1
		r.s, r.end, r.groups, r.claims = gotext.Padded(d.chunk, '\n'), len(d.chunk), 0, gotext.Claims{}
		switch {
		case t.table != nil && r.at(0, row):
			i = r.row(t.table.Columns, t.Var, len(row), true)
		case t.table == nil && r.at(0, item):
			i = r.fields(t.Var, len(item), 2)
		}
		return i >= 0 && r.lineEnds(i) && i >= r.end-1
	})
}

// line returns the position after the indentation of the next line, if that is so
// deep; else -1. i is the end of a line.
func (r *goReader) line(i, depth int) int {
	if r.s[i] != '\n' {
		return -1
	}
	n := depth * defaultIndent
	to := i + 1 + n
	if to >= r.end || !indented(r.s, i+1, n) {
		return -1
	}
	return to
}

// goLines are how the lines of a struct's members begin at a depth: line end,
// indentation and key, and what is between that and a scalar.
type goLines struct {
	depth  int
	labels []label
}

// goDepths is the number of depths for which a type's lines are known at a time.
const goDepths = 4

// lines returns how the members of a struct begin at the depth.
func (r *goReader) lines(n *gotext.Node, depth int) []label {
	known := &r.tree.lines[n.Number*goDepths+depth%goDepths]
	l := known.Load()
	if l == nil || l.depth != depth {
		l = &goLines{depth, make([]label, len(n.Members))}
		begin := "\n" + strings.Repeat(" ", depth*defaultIndent)
		for k := range n.Members {
			m := &n.Members[k]
			if m.Op == gotype.Other {
				l.labels[k] = newLabel(begin + keyOf(m))
			} else {
				l.labels[k] = newLabel(begin + m.Label.Text)
			}
		}
		known.Store(l)
	}
	return l.labels
}

// fields reads the members of an object, which are at the depth, into a struct. The first
// one begins at i, and they come in the order of the struct's.
func (r *goReader) fields(v gotext.Var, i, depth int) int {
	lines, begun, k := r.lines(v.Node, depth), 1+depth*defaultIndent, 0
	for ; ; k++ {
		if k == len(lines) {
			return -1
		}
		if key := lines[k].text[begun:]; r.at(i, key) && r.keyed(&v.Members[k], i+len(key)) {
			i += len(key)
			break
		}
	}
	for {
		m := &v.Members[k]
		switch q := m.Of(v); m.Op {
		case gotype.Other:
			i = r.field(q, i, depth)
		case gotype.String:
			i = r.rest(q, i)
		default:
			i = r.scalar(m.Op, q, i)
		}
		if i < 0 {
			return -1
		}
		for k++; ; k++ {
			if k == len(lines) {
				return i // what follows decides
			}
			if next := lines[k].after(r.s, i, r.end); next >= 0 && r.keyed(&v.Members[k], next) {
				i = next
				break
			}
		}
	}
}

// keyed reports whether the key of a member ends at i, where its label does.
func (r *goReader) keyed(m *gotext.Member, i int) bool {
	return m.Op != gotype.Other || r.s[i] == ':' || r.s[i] == '['
}

// rest reads a string that goes on to the end of the line, or null.
func (r *goReader) rest(v gotext.Var, i int) int {
	s := r.s
	switch cellStart[s[i]] {
	case cellWord:
		if _, n := word(scan.Load64(s, i), '\n'); n == 0 {
			break
		}
		fallthrough
	case cellNumber, cellOther:
		return r.scalar(gotype.String, v, i)
	}
	end := lineEnd(s, i)
	if last := s[end-1]; last == ' ' || last == '\r' {
		return -1
	}
	v.SetText(s[i:end])
	return end
}

// field reads what follows the key of a field that is at the depth and is no
// scalar.
func (r *goReader) field(v gotext.Var, i, depth int) int {
	if r.s[i] == '[' {
		if v.Form != gotext.List {
			return -1
		}
		return r.array(v, i, depth)
	}
	i++
	if r.s[i] == ' ' {
		i++
		switch {
		case r.at(i, "null") && r.lineEnds(i+len("null")):
			return i + len("null") // what is fresh stays as it is
		case v.Form == gotext.List && r.at(i, "[]") && r.lineEnds(i+len("[]")):
			v.SetEmpty()
			return i + len("[]")
		case v.Form == gotext.Pointer && v.Elem.Form == gotext.Scalar:
			return r.scalar(v.Elem.Op, v.Point(&r.memory), i)
		}
		return -1
	}
	if !r.lineEnds(i) {
		return -1
	}
	next := r.line(i, depth+1)
	if next >= 0 && (r.s[next] == ' ' || r.s[next] == '-') {
		return -1
	}
	switch {
	case v.Form == gotext.Map && next < 0:
		v.MakeMap(0)
		return i
	case v.Form == gotext.Map:
		return r.mapping(v, next, depth+1)
	case v.Form == gotext.Pointer && v.Elem.Form == gotext.Struct:
		v = v.Point(&r.memory)
	case v.Form != gotext.Struct:
		return -1
	}
	if next < 0 {
		return i
	}
	return r.fields(v, next, depth+1)
}

func (r *goReader) at(i int, s string) bool { return strings.HasPrefix(r.s[i:], s) }

// lineEnds reports whether a line ends at i.
func (r *goReader) lineEnds(i int) bool { return r.s[i] == '\n' }

// mapping reads the members of an object, which are at the depth, into a map.
func (r *goReader) mapping(v gotext.Var, i, depth int) int {
	for {
		key, next := r.key(i)
		if i = next; i < 0 || r.s[i] != ':' || r.s[i+1] != ' ' {
			return -1
		}
		r.scratch.Clear()
		q := r.scratch.At(v.Elem)
		if q.Op == gotype.String {
			i = r.rest(q, i+2)
		} else {
			i = r.scalar(q.Op, q, i+2)
		}
		if i < 0 || !r.lineEnds(i) || !v.Store(key, q) {
			return -1
		}
		if next = r.line(i, depth); next < 0 || r.s[next] == ' ' {
			return i
		}
		i = next
	}
}

// array reads an array from its bracket on, whose header is at the depth.
func (r *goReader) array(v gotext.Var, i, depth int) int {
	if r.s[i] != '[' {
		return -1
	}
	count, i := gotext.ScanInt(r.s, i+1)
	if i < 0 || count < 0 || r.s[i] != ']' {
		return -1
	}
	i++
	left := r.end - i
	if count > int64(left/2+1) { // each element takes two bytes at least
		return -1
	}
	claimed, ok := r.claims.Begin(int(count), v.Size, left, r.end)
	if !ok {
		return -1
	}
	if count == 0 {
		if r.s[i] != ':' || !r.lineEnds(i+1) || depth == 0 {
			return -1
		}
		v.SetEmpty()
		return i + 1
	}
	made := gotext.NewItems(v.Node, int(count), &r.memory)
	switch {
	case r.s[i] == '{':
		i = r.table(made, i, depth)
	case r.s[i] == ':' && r.s[i+1] == ' ':
		i = r.inline(made, i+2)
	case r.s[i] == ':':
		i = r.items(made, i+1, depth+1)
	default:
		return -1
	}
	r.claims.End(claimed)
	v.SetItems(made)
	return i
}

// inline reads the elements of an array that are in one line.
func (r *goReader) inline(list gotext.Items, i int) int {
	if list.Elem.Form != gotext.Scalar {
		return -1
	}
	for k := range list.Len {
		if i = r.scalar(list.Elem.Op, list.At(k), i); i < 0 {
			return -1
		}
		if k < list.Len-1 {
			if r.s[i] != ',' {
				return -1
			}
			i++
		}
	}
	if !r.lineEnds(i) {
		return -1
	}
	return i
}

// items reads the elements of an array in list form, at the depth.
func (r *goReader) items(list gotext.Items, i, depth int) int {
	for k := range list.Len {
		if i = r.line(i, depth); i < 0 || r.s[i] != '-' {
			return -1
		}
		i++
		v := list.At(k)
		if v.Form == gotext.Pointer {
			v = v.Point(&r.memory)
		}
		switch {
		case v.Form == gotext.Struct && r.lineEnds(i):
		case r.s[i] != ' ':
			return -1
		case v.Form == gotext.Struct:
			i = r.fields(v, i+1, depth+1)
		case list.Elem.Form == gotext.List:
			i = r.array(v, i+1, depth)
		default:
			return -1
		}
		if i < 0 || !r.lineEnds(i) {
			return -1
		}
	}
	if next := r.line(i, depth); next >= 0 {
		return -1 // more elements than were counted
	}
	return i
}

// table reads the rows of a table from its field list on.
func (r *goReader) table(list gotext.Items, i, depth int) int {
	row, pointers := list.Row()
	if row == nil {
		return -1
	}
	t := r.columns(row, i)
	if t == nil {
		return -1
	}
	if r.groups += t.Groups * list.Len; r.groups > sparseGroups {
		return -1
	}
	i += len(t.Declared)
	for k := range list.Len {
		if i = r.line(i, depth+1); i < 0 {
			return -1
		}
		v := list.At(k)
		if pointers {
			v = v.Point(&r.memory)
		}
		if i = r.row(t.Columns, v, i, true); i < 0 || !r.lineEnds(i) {
			return -1
		}
	}
	if next := r.line(i, depth+1); next >= 0 {
		return -1 // more rows than were counted
	}
	return i
}

// columns returns the columns of structs whose field list is at i, nil for none.
func (r *goReader) columns(row *gotext.Node, i int) *gotext.Table {
	t := row.Table(r.s[i:])
	if t == nil {
		t = new(gotext.Table)
		var next int
		if t.Columns, next = r.fieldList(row, t, i); next < 0 || r.s[next] != ':' {
			return nil
		}
		row.Remember(t, r.s[i:next+1])
	}
	return t
}

// row reads the cells of a row; last says that no cell follows them.
func (r *goReader) row(columns []gotext.Column, v gotext.Var, i int, last bool) int {
	for k := range columns {
		c := &columns[k]
		q := c.Of(v)
		final := last && k == len(columns)-1
		switch {
		case c.Group != nil:
			if q.Form == gotext.Pointer {
				q = q.Point(&r.memory)
			}
			if i = r.row(c.Group, q, i, final); i < 0 {
				return -1
			}
			continue
		case c.Op != gotype.Other:
			i = r.scalar(c.Op, q, i)
		case r.at(i, "null") && (r.s[i+4] == ',' || r.lineEnds(i+4)):
			i += len("null")
		case q.Form == gotext.Pointer && q.Elem.Form == gotext.Scalar:
			i = r.scalar(q.Elem.Op, q.Point(&r.memory), i)
		default:
			return -1
		}
		if i < 0 {
			return -1
		}
		if !final {
			if r.s[i] != ',' {
				return -1
			}
			i++
		}
	}
	return i
}

// fieldList reads the names of the columns of structs, for a table.
func (r *goReader) fieldList(n *gotext.Node, t *gotext.Table, i int) ([]gotext.Column, int) {
	var columns []gotext.Column
	for {
		name, next := r.key(i + 1) // after the brace or a comma
		if i = next; i < 0 {
			return nil, -1
		}
		m := n.Member(name)
		if m == nil || gotext.Has(columns, m) {
			return nil, -1
		}
		c := m.Column(',')
		if r.s[i] == '{' {
			inner := c.Node
			if inner.Form == gotext.Pointer {
				inner = inner.Elem
			}
			if inner.Form != gotext.Struct {
				return nil, -1
			}
			t.Groups++
			if c.Group, i = r.fieldList(inner, t, i); i < 0 {
				return nil, -1
			}
		}
		columns = append(columns, c)
		if r.s[i] != ',' {
			break
		}
	}
	if r.s[i] != '}' {
		return nil, -1
	}
	return columns, i + 1
}

// scalar reads a scalar, which a comma or the end of the line follows; null leaves
// the variable as it is.
func (r *goReader) scalar(op gotype.Op, v gotext.Var, i int) int {
	if r.s[i] == 'n' && r.at(i, "null") && (r.s[i+4] == ',' || r.lineEnds(i+4)) {
		return i + len("null")
	}
	end := -1
	switch op {
	case gotype.Int64: // most are
		if n, end := gotext.ScanInt(r.s, i); end >= 0 && (r.s[end] == ',' || r.lineEnds(end)) {
			v.SetInt64(n)
			return end
		}
		end = v.ReadWhole(r.s, i)
	case gotype.String:
		var s string
		if s, end = r.str(i); end >= 0 {
			v.SetText(s)
		}
	case gotype.Float64:
		end = v.ReadFloat(r.s, i)
	case gotype.Bool:
		end = v.ReadBool(r.s, i)
	case gotype.Time:
		if r.s[i] != '"' {
			return -1
		}
		var s string
		if s, end = r.quoted(i); end < 0 || !v.ParseTime(s) {
			return -1
		}
	default:
		end = v.ReadWhole(r.s, i)
	}
	if end < 0 || r.s[end] != ',' && !r.lineEnds(end) {
		return -1
	}
	return end
}

// str reads a string, quoted or as bare as appendString writes it.
func (r *goReader) str(i int) (string, int) {
	if r.s[i] == '"' {
		return r.quoted(i)
	}
	end := i
	for {
		found := suspects(scan.Load64(r.s, end), ','*scan.Ones) & scan.Highs // what pads the text is
		if end += bits.TrailingZeros64(found) / 8; found != 0 && r.s[end] != '|' {
			break
		}
		if found != 0 {
			end++
		}
	}
	s := r.s[i:end]
	if s == "" || s[len(s)-1] == ' ' || !firstPlain[s[0]] && !bareMeaning(s) {
		return "", -1
	}
	return s, end
}

// key reads a key, quoted or as bare as appendKey writes it.
func (r *goReader) key(i int) (string, int) {
	if r.s[i] == '"' {
		return r.quoted(i)
	}
	end := i
	for class[r.s[end]]&classKeyPart != 0 {
		end++
	}
	if class[r.s[i]]&classKeyStart == 0 {
		return "", -1
	}
	return r.s[i:end], end
}

// quoted reads a string in quotation marks.
func (r *goReader) quoted(i int) (string, int) {
	end := scan.StringEnd(r.s, i+1)
	if r.s[end] == '"' {
		return r.s[i+1 : end], end + 1
	}
	b, end, _ := scan.FewEscapes.Unescape(append(r.text[:0], r.s[i+1:end]...), r.s, end)
	if r.text = b; r.s[end] != '"' {
		return "", -1
	}
	return string(b), end + 1
}
