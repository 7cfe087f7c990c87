package gcf

import (
	"bytes"
	"math"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// A goReader reads GCF text into Go variables. A scalar in another form than Marshal's is
// read by the reader of Values, that one only. The text ends with a line end, and every scan
// stops there.
type goReader struct {
	gotext.Reader
	// separator is what is between the scalars of the current line: a bare
	// string holds none.
	separator byte
	groups    int              // objects of path columns that may still be made
	waiting   []*gotext.Column // of the rows around, those whose values are attached
	general   *decoder         // for what has another form, nil before the first
	body      goBody           // of a stream's rows
}

const maxGoDepth = 100

// goTexts reads GCF into Go variables.
var goTexts = gotext.Format[*gotext.Node, *goReader]{
	Root: func(v any) (*gotext.Root[*gotext.Node], gotext.Var) { return goPlans.Root(&gowire.Types, v) },
	New: func() *goReader {
		return &goReader{Reader: gotext.Reader{Marks: gotext.Marks{True: "true", False: "false"}}}
	},
	// Within it no limit of the codec can be exceeded but those of a line, of depth, and of
	// what path columns make.
	Longest: 32 << 20,
	Narrow:  true,
}

// unmarshalGo reads a document into what v points to, a nil slice of structs or
// a zero struct. It reports false, and has stored nothing, for all else.
func unmarshalGo(src []byte, v any) bool {
	return bytes.HasPrefix(src, []byte(strings.TrimSuffix(lex.GenericHeader, "\n"))) && goTexts.Store(src, v)
}

// Document implements [gotext.Documents].
func (r *goReader) Document(_ *gotext.Node, root gotext.Var) int {
	const header, list = lex.GenericHeader, "## "
	r.groups, r.waiting = bound.Add(r.Size/2, freeGroups), r.waiting[:0]
	switch i := len(header); {
	case !r.At(0, header) || i == r.Size || r.Text[r.Size-1] != '\n':
	case root.Form == gotext.Struct:
		return r.object(root, i, 0)
	case root.Form == gotext.List && r.At(i, list+"["):
		return r.rows(root, new(*gotext.Table), i+len(list), 0)
	}
	return -1
}

// Reset implements [gotext.Grammar].
func (r *goReader) Reset() bool {
	r.general = nil
	clear(r.waiting[:cap(r.waiting)])
	return r.Reader.Reset()
}

// A rowTarget is the struct that the rows of a stream are stored in where they need no
// Values.
type rowTarget = gotext.Target[*gotext.Node, *goReader]

// newTarget returns the target of the rows of the table that is declared at i, nil if all
// need Values.
func (s *recordDecoder) newTarget(i int) *rowTarget {
	t, a := goTexts.Target(s.to), &s.array
	if t == nil || a.count.keyed || a.rows.plan.identity >= 0 || !strings.HasSuffix(s.d.Doc, "\n") {
		return nil
	}
	r := t.Reader
	r.Text, r.Size = s.d.Doc, len(s.d.Doc)
	r.body = goBody{Table: r.Table(t.Node, i, r.declaration), indent: a.rows.indent}
	if r.body.Table == nil || r.body.Groups > freeGroups {
		return nil
	}
	return t
}

// store stores the current row, if it certainly is whole. It reports false, and has stored
// nothing, for one that needs Values, as the first does, which is read for what it establishes.
func (s *recordDecoder) store() bool {
	d, end := &s.d, -1
	stored := s.target.Store(d.Doc, len(d.Doc), func(r *goReader, v gotext.Var) bool {
		start := d.Start - d.Indent
		if !strings.HasSuffix(d.Doc, "\n") {
			return false
		}
		r.Depth, r.groups, r.waiting = 2, freeGroups-r.body.Groups, r.waiting[:0]
		end = r.row(&r.body, s.array.n, v, start)
		return s.array.n > 0 && end >= 0 && end-start <= s.partBytes() && end < len(d.Doc) && d.Doc[end] > '.'
	})
	if stored {
		d.Pos, d.lastIndent, s.array.rows.inline = end, -1, 0
	}
	return stored
}

// count reads a count in brackets and returns the position after them.
func (r *goReader) count(i int) (n, next int) {
	const most = 9 // digits
	if r.Text[i] != '[' {
		return 0, -1
	}
	count, end := gotext.ScanInt(r.Text, i+1)
	if end < 0 || count < 0 || end-i > 1+most || r.Text[i+1] == '-' || r.Text[end] != ']' {
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
	row, _ := v.Row()
	if i < 0 || row == nil {
		return -1
	}
	if length == 0 {
		return r.empty(v, i)
	}
	if r.Text[i] == '{' {
		if *declared = r.Table(row, i, r.declaration); *declared != nil {
			i += len((*declared).Declared) - 1
		}
	}
	if *declared == nil || r.Text[i] != '\n' {
		return -1
	}
	i++
	t := goBody{Table: *declared, indent: indent}
	if length > (r.Size-i)/(2*len(t.Columns)) { // a cell takes two bytes at least
		return -1
	}
	r.Depth += 2
	r.groups -= length * t.Groups
	if r.Depth > maxGoDepth || r.groups < 0 {
		return -1
	}
	i = r.Counted(v, length, i, func(e gotext.Var, k, i int) int { return r.row(&t, k, r.Through(e), i) })
	r.Depth -= 2
	return i
}

// empty ends an array without elements.
func (r *goReader) empty(v gotext.Var, i int) int {
	if r.Text[i] != '\n' {
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
	r.separator = '|'
	mark := len(r.waiting)
	next := r.cells(t.Columns, v, cells)
	waiting := r.waiting[mark:]
	if next < 0 || next-i > bound.LineBytes || (cells > start) != (len(waiting) > 0) {
		return -1
	}
	for _, c := range waiting {
		declared := t.declared[c.List]
		if next = r.attached(c, c.Of(v), &declared, next, t.indent); next < 0 {
			return -1
		}
		if number == 0 && c.Node.Form == gotext.List {
			t.declared[c.List] = declared
		}
	}
	r.waiting = r.waiting[:mark]
	return next
}

// rowID returns the position after the id that a row with attachments begins with, i for
// a row without.
func (r *goReader) rowID(number, i int) int {
	if i < 0 || r.Text[i] == '#' || r.Text[i] == '.' {
		return -1
	}
	if r.Text[i] != '@' {
		return i
	}
	id, end := gotext.ScanInt(r.Text, i+1)
	if end < 0 || id != int64(number) || r.Text[i+1] == '-' || r.Text[end] != ' ' {
		return -1
	}
	return end + 1
}

// cells reads the cells of a row, each with what ends it. It is a loop of its own for the
// sake of speed: a string without a call between.
func (r *goReader) cells(columns []gotext.Column, v gotext.Var, i int) int {
	text := r.Text
	for k := range columns {
		c := &columns[k]
		switch b := text[i]; {
		case c.Op == gotype.String && b > '"' && lex.Class[b]&lex.LookFirst == 0:
			if end := cellEnd(text, i, '|'); end > i && text[end] == c.End && text[end-1] > ' ' {
				c.Of(v).SetText(text[i:end])
				i = end + 1
				continue
			}
		case c.Op == gotype.Int64 && b-'0' <= 9:
			if n, end := gotext.ScanInt(text, i); end >= 0 && text[end] == c.End {
				c.Of(v).SetInt64(n)
				i = end + 1
				continue
			}
		case c.Op == gotype.Float64:
			if x, end := decimal.ScanFloat(text, i); end >= 0 && text[end] == c.End && x != 0 && math.Abs(x) < 1<<63 {
				c.Of(v).SetFloat(x)
				i = end + 1
				continue
			}
		}
		if i = r.oddCell(c, v, i); i < 0 || text[i] != c.End {
			return -1
		}
		i++
	}
	return i
}

// oddCell reads the cell of a column in another form, up to what ends it.
func (r *goReader) oddCell(c *gotext.Column, row gotext.Var, i int) int {
	v := c.Of(row)
	if c.Group != nil {
		return r.group(c, v, i) - 1
	}
	switch b := r.Text[i]; { // only at the line end, which is none of these, may nothing follow
	case (b == '-' || b == '~') && r.Text[i+1] == c.End:
		return i + 1 // what is fresh stays as it is
	case b == '^' && r.Text[i+1] == c.End && c.Node.Form != gotext.Scalar:
		r.waiting = append(r.waiting, c)
		return i + 1
	}
	return r.scalar(v, i, c.End)
}

// indentation returns the position after so many spaces, if no blank follows.
func (r *goReader) indentation(i, indent int) int {
	if i >= r.Size || lex.SpacesEnd(r.Text, i) != i+indent || r.Text[i+indent] <= ' ' {
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
		switch b := r.Text[i]; {
		case b == '-' && r.Text[i+1] == g.End:
			nulls++
			i++
		case b == '~' && r.Text[i+1] == g.End:
			absent++
			i++
		case v.Form == gotext.Map:
			i = r.element(v, g.Key, i, g.End)
		default:
			if made.IsNil() {
				made = v.Point(&r.Memory)
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
	elem := r.Entry(v)
	if i = r.scalar(elem, i, delim); i < 0 || !v.Store(key, elem) {
		return -1
	}
	return i
}

// attached reads the object or array of a column that is below its row.
func (r *goReader) attached(c *gotext.Column, v gotext.Var, declared **gotext.Table, i, indent int) int {
	label := keyOf(c.Member)
	if i = r.indentation(i, indent); i < 0 || r.Text[i] != '.' || !r.At(i+1, label) {
		return -1
	}
	i += 1 + len(label)
	switch {
	case r.At(i, " {}\n"):
		return r.block(v, i+len(" {}\n"), indent+4)
	case r.Text[i] != ' ' || v.Form != gotext.List:
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
	case !r.At(i, ": ") || length > (r.Size-i)/2:
		return -1
	}
	r.separator = ','
	i += len(": ")
	i = r.Counted(v, length, i, func(e gotext.Var, k, i int) int {
		delim := byte(',')
		if k == length-1 {
			delim = '\n'
		}
		if i = r.scalar(e, i, delim); i < 0 {
			return -1
		}
		return i + 1
	})
	if i-from > bound.LineBytes/2 {
		return -1
	}
	return i
}

// object reads the lines of an object's members into a struct, up to the first line with
// less indentation. They come in the order of the struct's.
func (r *goReader) object(v gotext.Var, i, indent int) int {
	if r.Depth++; r.Depth > maxGoDepth {
		return -1
	}
	for next := 0; i < r.Size; next++ {
		from := i
		if r.Text[i] == ' ' { // in the root there are none
			i = lex.SpacesEnd(r.Text, i)
		}
		switch {
		case i < from+indent:
			r.Depth--
			return from
		case i > from+indent || r.Text[i] <= ' ':
			return -1
		}
		section := r.Text[i] == '#' && r.At(i, "## ")
		if section {
			i += len("## ")
		}
		for next < len(v.Members) && !r.isKey(i, &v.Members[next]) {
			next++
		}
		if next == len(v.Members) {
			return -1
		}
		m := &v.Members[next]
		if i += len(keyOf(m)); section {
			i = r.section(m.Of(v), i, indent)
		} else if i = r.line(m.Of(v), i); i-from > bound.LineBytes {
			return -1
		}
		if i < 0 {
			return -1
		}
	}
	r.Depth--
	return i
}

// isKey reports whether the key at i is that of a member.
func (r *goReader) isKey(i int, m *gotext.Member) bool {
	switch key := keyOf(m); {
	case r.Text[i] != key[0]: // which Label.At does not look at
		return false
	case m.Label.At(r.Text, i):
		return true
	case r.At(i, key):
		c := r.Text[i+len(key)]
		return c == '[' || c == ' ' || c == '\n'
	}
	return false
}

// line reads a member that is one line, from the end of its key on.
func (r *goReader) line(v gotext.Var, i int) int {
	if r.Text[i] == '[' {
		if v.Form != gotext.List || v.Elem.Form != gotext.Scalar {
			return -1
		}
		return r.list(v, i)
	}
	if r.Text[i] != '=' {
		return -1
	}
	if i++; r.At(i, "-\n") {
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
	case r.Text[i] == ' ' && v.Form == gotext.List && v.Elem.Form == gotext.Scalar:
		if !r.At(i, " [0]\n") {
			return -1
		}
		return r.list(v, i+1)
	case r.Text[i] == ' ' && v.Form == gotext.List:
		return r.rows(v, new(*gotext.Table), i+1, indent)
	case r.Text[i] != '\n':
		return -1
	}
	return r.block(v, i+1, indent+2)
}

// block reads the lines of an object's members, which are indented so far, into a variable.
func (r *goReader) block(v gotext.Var, i, indent int) int {
	if v.Form == gotext.Pointer {
		v = v.Point(&r.Memory)
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
	for i < r.Size && lex.SpacesEnd(r.Text, i)-i >= indent {
		if i = r.indentation(i, indent); i < 0 {
			return -1
		}
		key := i
		if r.Text[i] == '"' {
			if i = scan.StringEnd(r.Text, i+1); r.Text[i] != '"' {
				return -1
			}
			key++
		} else if i = lex.BareKeyEnd(r.Text, i); i == key {
			return -1
		}
		name := r.Text[key:i]
		if r.Text[i] == '"' {
			i++
		}
		if r.Text[i] != '=' {
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
	pattern := uint64(separator) * scan.Ones
	for ; i+8 <= len(text); i += 8 {
		w := scan.Load64(text, i)
		cell, line := w^pattern, w^'\n'*scan.Ones
		// A difference of zero borrows into the flag; what a borrow reaches lies
		// above the first zero.
		if n := lex.FirstFlag(((cell-scan.Ones)&^cell | (line-scan.Ones)&^line) & scan.Highs); n < 8 {
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
		to = v.Point(&r.Memory)
	}
	if end := r.plain(to, i); end >= 0 && r.Text[end] == delim {
		return end
	}
	return r.odd(v, i, delim)
}

// plain is scalar for one as Marshal writes it, with any byte after it. Integers beyond int64
// and what is too small for a double are outside the numeric domain (section 2.3.2), perhaps.
func (r *goReader) plain(v gotext.Var, i int) int {
	if v.Op == gotype.Float64 {
		x, end := decimal.ScanFloat(r.Text, i)
		if end < 0 || x == 0 && end != i+1 || math.Abs(x) >= 1<<63 {
			return -1
		}
		v.SetFloat(x)
		return end
	}
	if v.Form != gotext.Scalar {
		return -1
	}
	end := r.Scalar(v, i)
	if v.Op.IsUint() {
		if _, ok := v.Int(); !ok {
			return -1
		}
	}
	return end
}

// odd is scalar for one in another form: the reader of Values reads it.
func (r *goReader) odd(v gotext.Var, i int, delim byte) int {
	d, line := r.values(), r.lineEnd(i)
	end := d.TrimBlanks(i, i+len(strings.TrimSuffix(r.Text[i:line], "\r")))
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
	}
	r.general.Doc = r.Text[:r.Size]
	return r.general
}

// lineEnd returns the position of the line end at or after i.
func (r *goReader) lineEnd(i int) int { return i + strings.IndexByte(r.Text[i:], '\n') }

// Str implements [gotext.Grammar].
func (r *goReader) Str(i int, _ gotype.Op) (string, int) {
	text, c := r.Text, r.Text[i]
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
