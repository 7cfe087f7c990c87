package toon

import (
	"bytes"
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// A goReader reads TOON text into Go variables.
type goReader struct {
	gotext.Reader
	tree   *goTree
	groups int           // objects of nested groups
	table  *gotext.Table // of a stream's elements, nil for a list
}

// goTexts reads TOON into Go variables.
var goTexts = gotext.Format[*goTree, *goReader]{
	Root: func(v any) (*gotext.Root[*goTree], gotext.Var) { return goRoots.Of(v, newGoTree) },
	New: func() *goReader {
		return &goReader{Reader: gotext.Reader{Marks: gotext.Marks{Null: 'n', Between: ',', Assign: ':', Cell: ',', True: "true", False: "false"}}}
	},
	Longest: 16 << 20, // within it no limit of the codec can be exceeded
	Narrow:  true,
	End:     '\n',
}

// Document implements [gotext.Documents].
func (r *goReader) Document(tree *goTree, root gotext.Var) int {
	r.tree, r.groups = tree, 0
	i := -1
	if root.Form == gotext.List {
		i = r.array(root, 0, 0)
	} else if root.Form == gotext.Struct {
		i = r.fields(root, 0, 0)
	}
	if i >= 0 && i == r.Size-1 && r.lineEnds(i) {
		i++
	}
	return i
}

// An elementTarget is the struct that the elements of a stream are stored in where they need no
// Values.
type elementTarget = gotext.Target[*goTree, *goReader]

// newTarget returns the target of the elements, nil if all need Values.
func (d *recordReader) newTarget(to inplace.Target) *elementTarget {
	head := d.headText[bytes.LastIndexByte(d.headText[:len(d.headText)-1], '\n')+1:]
	t := goTexts.Target(to)
	end := bytes.IndexByte(head, ']')
	if t == nil || head[0] != '[' || head[end-1]-'0' > 9 {
		return nil
	}
	r := t.Reader
	r.Text, r.tree = gotext.Padded(head, '\n'), t.Plan
	if d.head.list != nil {
		r.table = r.Table(t.Node, end+1, r.fieldList)
		if r.table == nil || r.table.Groups > sparseGroups {
			return nil
		}
	}
	return t
}

// store stores the current chunk, which is an element. It reports false, and has stored nothing,
// for one that needs Values, as the first does, which says how far all are indented.
func (d *recordReader) store() bool {
	const row, item = "  ", "  - "
	if d.target == nil || d.n == 0 || d.base != 1 || len(d.chunk) > goTexts.Longest || !scan.IsUTF8(d.chunk) {
		return false
	}
	return d.target.Store(gotext.Padded(d.chunk, '\n'), len(d.chunk), func(r *goReader, v gotext.Var) bool {
		i := -1
		r.groups = 0
		switch {
		case r.table != nil && r.At(0, row):
			i = r.Row(r.table.Columns, v, len(row)) - 1
		case r.table == nil && r.At(0, item):
			i = r.fields(v, len(item), 2)
		}
		return i >= r.Size-1 && i >= 0 && r.lineEnds(i)
	})
}

// line returns the position after the indentation of the next line, if that is so
// deep; else -1. i is the end of a line.
func (r *goReader) line(i, depth int) int {
	if r.Text[i] != '\n' {
		return -1
	}
	n := depth * defaultIndent
	to := i + 1 + n
	if to >= r.Size || !indented(r.Text, i+1, n) {
		return -1
	}
	return to
}

// goLines are how the lines of a struct's members begin at a depth: line end,
// indentation and key, and what is between that and a scalar.
type goLines struct {
	depth  int
	labels []string
}

// goDepths is the number of depths for which a type's lines are known at a time.
const goDepths = 4

// members returns how the members of a struct begin at the depth.
func (r *goReader) members(n *gotext.Node, depth int) []string {
	known := &r.tree.lines[n.Number*goDepths+depth%goDepths]
	l := known.Load()
	if l == nil || l.depth != depth {
		l = &goLines{depth, make([]string, len(n.Members))}
		begin := "\n" + strings.Repeat(" ", depth*defaultIndent)
		for k := range n.Members {
			m := &n.Members[k]
			if m.Op == gotype.Other {
				l.labels[k] = begin + keyOf(m)
			} else {
				l.labels[k] = begin + m.Label.Text
			}
		}
		known.Store(l)
	}
	return l.labels
}

// fields reads the members of an object, which are at the depth, into a struct. The first
// one begins at i, and they come in the order of the struct's.
func (r *goReader) fields(v gotext.Var, i, depth int) int {
	lines, begun := r.members(v.Node, depth), 1+depth*defaultIndent // what the first line has before i
	for k := 0; ; k++ {
		for ; ; k++ {
			if k == len(lines) {
				if begun > 0 {
					return -1
				}
				return i // what follows decides
			}
			if key := lines[k][begun:]; r.At(i, key) && r.keyed(&v.Members[k], i+len(key)) {
				i += len(key)
				break
			}
		}
		begun = 0
		m := &v.Members[k]
		switch q := m.Of(v); m.Op {
		case gotype.Other:
			i = r.field(q, i, depth)
		case gotype.String:
			i = r.rest(q, i)
		default:
			i = r.scalar(q, i)
		}
		if i < 0 {
			return -1
		}
	}
}

// keyed reports whether the key of a member ends at i, where its label does.
func (r *goReader) keyed(m *gotext.Member, i int) bool {
	return m.Op != gotype.Other || r.Text[i] == ':' || r.Text[i] == '['
}

// rest reads a string that goes on to the end of the line, or null.
func (r *goReader) rest(v gotext.Var, i int) int {
	s := r.Text
	switch cellStart[s[i]] {
	case cellWord:
		if _, n := word(scan.Load64(s, i), '\n'); n == 0 {
			break
		}
		fallthrough
	case cellNumber, cellOther:
		return r.scalar(v, i)
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
	if r.Text[i] == '[' {
		if v.Form != gotext.List {
			return -1
		}
		return r.array(v, i, depth)
	}
	i++
	if r.Text[i] == ' ' {
		if i++; v.Form == gotext.List && r.At(i, "[]\n") {
			v.SetEmpty()
			return i + len("[]")
		}
		return r.pointed(v, i)
	}
	if !r.lineEnds(i) {
		return -1
	}
	next := r.line(i, depth+1)
	if next >= 0 && (r.Text[next] == ' ' || r.Text[next] == '-') {
		return -1
	}
	switch {
	case v.Form == gotext.Map && next < 0:
		v.MakeMap(0)
		return i
	case v.Form == gotext.Map:
		return r.mapping(v, next, depth+1)
	case v.Form == gotext.Pointer && v.Elem.Form == gotext.Struct:
		v = v.Point(&r.Memory)
	case v.Form != gotext.Struct:
		return -1
	}
	if next < 0 {
		return i
	}
	return r.fields(v, next, depth+1)
}

// lineEnds reports whether a line ends at i.
func (r *goReader) lineEnds(i int) bool { return r.Text[i] == '\n' }

// mapping reads the members of an object, which are at the depth, into a map.
func (r *goReader) mapping(v gotext.Var, i, depth int) int {
	for {
		key, next := r.Key(i)
		if i = next; i < 0 || r.Text[i] != ':' || r.Text[i+1] != ' ' {
			return -1
		}
		q := r.Entry(v)
		if q.Op == gotype.String {
			i = r.rest(q, i+2)
		} else {
			i = r.scalar(q, i+2)
		}
		if i < 0 || !r.lineEnds(i) || !v.Store(key, q) {
			return -1
		}
		if next = r.line(i, depth); next < 0 || r.Text[next] == ' ' {
			return i
		}
		i = next
	}
}

// array reads an array from its bracket on, whose header is at the depth.
func (r *goReader) array(v gotext.Var, i, depth int) int {
	if r.Text[i] != '[' {
		return -1
	}
	count, i := gotext.ScanInt(r.Text, i+1)
	if i < 0 || count < 0 || r.Text[i] != ']' {
		return -1
	}
	i++
	left := r.Size - i
	if count > int64(left/2+1) { // each element takes two bytes at least
		return -1
	}
	if count == 0 {
		if r.Text[i] != ':' || !r.lineEnds(i+1) || depth == 0 {
			return -1
		}
		v.SetEmpty()
		return i + 1
	}
	switch n := int(count); {
	case r.Text[i] == '{':
		return r.rows(v, n, i, depth)
	case r.Text[i] == ':' && r.Text[i+1] == ' ':
		return r.inline(v, n, i+2)
	case r.Text[i] == ':':
		return r.items(v, n, i+1, depth+1)
	}
	return -1
}

// inline reads the elements of an array that are in one line.
func (r *goReader) inline(v gotext.Var, n, i int) int {
	if v.Elem.Form != gotext.Scalar {
		return -1
	}
	i = r.Counted(v, n, i, func(e gotext.Var, k, i int) int {
		if i = r.scalar(e, i); i >= 0 && k < n-1 {
			if r.Text[i] != ',' {
				return -1
			}
			i++
		}
		return i
	})
	if i < 0 || !r.lineEnds(i) {
		return -1
	}
	return i
}

// items reads the elements of an array in list form, at the depth.
func (r *goReader) items(v gotext.Var, n, i, depth int) int {
	return r.lines(v, n, i, depth, func(e gotext.Var, i int) int {
		if r.Text[i] != '-' {
			return -1
		}
		if e.Form == gotext.Pointer {
			e = e.Point(&r.Memory)
		}
		switch i++; {
		case e.Form == gotext.Struct && r.lineEnds(i):
			return i
		case r.Text[i] != ' ':
		case e.Form == gotext.Struct:
			return r.fields(e, i+1, depth+1)
		case v.Elem.Form == gotext.List:
			return r.array(e, i+1, depth)
		}
		return -1
	})
}

// lines reads the elements of an array that have lines of their own at the depth.
func (r *goReader) lines(v gotext.Var, n, i, depth int, each func(e gotext.Var, i int) int) int {
	i = r.Counted(v, n, i, func(e gotext.Var, _, i int) int {
		if i = r.line(i, depth); i < 0 {
			return -1
		}
		if i = each(e, i); i < 0 || !r.lineEnds(i) {
			return -1
		}
		return i
	})
	if i < 0 || r.line(i, depth) >= 0 {
		return -1 // there are more elements than were counted
	}
	return i
}

// rows reads the rows of a table from its field list on.
func (r *goReader) rows(v gotext.Var, n, i, depth int) int {
	row, _ := v.Row()
	if row == nil {
		return -1
	}
	t := r.Table(row, i, r.fieldList)
	if t == nil {
		return -1
	}
	if r.groups += t.Groups * n; r.groups > sparseGroups {
		return -1
	}
	return r.lines(v, n, i+len(t.Declared), depth+1, func(e gotext.Var, i int) int {
		return r.Row(t.Columns, r.Through(e), i) - 1
	})
}

// fieldList reads the field list of structs.
func (r *goReader) fieldList(row *gotext.Node, t *gotext.Table, i int) int {
	if t.Columns, i = r.Columns(row, t, i); i < 0 || r.Text[i] != ':' {
		return -1
	}
	t.EndWith('\n')
	return i + 1
}

// Odd implements [gotext.Grammar].
func (r *goReader) Odd(c *gotext.Column, row gotext.Var, i int) int {
	v := c.Of(row)
	if c.Group == nil {
		return r.pointed(v, i)
	}
	return r.Row(c.Group, r.Through(v), i) - 1
}

// pointed reads a scalar, or one that a pointer leads to.
func (r *goReader) pointed(v gotext.Var, i int) int {
	if v.Form == gotext.Pointer && r.IsNull(i) < 0 {
		v = v.Point(&r.Memory)
	}
	return r.scalar(v, i)
}

// IsNull implements [gotext.Grammar].
func (r *goReader) IsNull(i int) int {
	const null = "null"
	if end := i + len(null); r.At(i, null) && (r.Text[end] == ',' || r.lineEnds(end)) {
		return end
	}
	return -1
}

// scalar reads a scalar, which a comma or the end of the line follows; null leaves
// the variable as it is.
func (r *goReader) scalar(v gotext.Var, i int) int {
	if r.Text[i] == 'n' {
		if end := r.IsNull(i); end >= 0 {
			return end
		}
	}
	if v.Form != gotext.Scalar {
		return -1
	}
	end := r.Scalar(v, i)
	if end < 0 || r.Text[end] != ',' && !r.lineEnds(end) {
		return -1
	}
	return end
}

// Str implements [gotext.Grammar]: it reads a string, quoted or as bare as appendString
// writes it.
func (r *goReader) Str(i int, op gotype.Op) (string, int) {
	if r.Text[i] == '"' {
		return r.quoted(i)
	}
	if op == gotype.Time {
		return "", -1
	}
	end := i
	for {
		found := suspects(scan.Load64(r.Text, end), ','*scan.Ones) & scan.Highs // what pads the text is
		if end += bits.TrailingZeros64(found) / 8; found != 0 && r.Text[end] != '|' {
			break
		}
		if found != 0 {
			end++
		}
	}
	s := r.Text[i:end]
	if s == "" || s[len(s)-1] == ' ' || !firstPlain[s[0]] && !bareMeaning(s) {
		return "", -1
	}
	return s, end
}

// Key implements [gotext.Grammar]: it reads a key, quoted or as bare as appendKey writes it.
func (r *goReader) Key(i int) (string, int) {
	if r.Text[i] == '"' {
		return r.quoted(i)
	}
	end := i
	for class[r.Text[end]]&classKeyPart != 0 {
		end++
	}
	if class[r.Text[i]]&classKeyStart == 0 {
		return "", -1
	}
	return r.Text[i:end], end
}

// quoted reads a string in quotation marks.
func (r *goReader) quoted(i int) (string, int) {
	end := scan.StringEnd(r.Text, i+1)
	if r.Text[end] == '"' {
		return r.Text[i+1 : end], end + 1
	}
	return r.Unescaped(&scan.FewEscapes, i+1, end)
}
