package gcx

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A goReader reads payloads into structs or lists of structs, in the form that goRows give
// them, with all cells.
type goReader struct {
	cellReader
	gotext.JSONReader            // of what is in cells
	seen              uint64     // the members of the root that were read
	ahead             int        // the one after the last that was
	columns           []goColumn // of a stream's rows
}

// goTexts reads payloads into Go variables.
var goTexts = gotext.Format[*goMember, *goReader]{
	Root: func(v any) (*gotext.Root[*goMember], gotext.Var) { return goRoots.Of(v, goRootOf) },
	New: func() *goReader {
		r := &goReader{cellReader: cellReader{b: new(builder.Builder)}, JSONReader: *gotext.NewJSONReader()}
		r.Blanks = false
		return r
	},
	Longest: 32 << 20, // the values in cells are not counted
}

// unmarshalGo decodes a payload into the struct or the list of structs that v points
// to, if that is zero. It reports false, and has stored nothing, for what needs Values.
func (c *Codec) unmarshalGo(src []byte, v any) bool {
	return c.readsGo() && len(src) > 0 && src[len(src)-1] == '\n' && goTexts.Store(src, v)
}

// readsGo reports whether there is a codec's reading without Values.
func (c *Codec) readsGo() bool { return c.Limits == (wire.Limits{}) && !c.Lenient && !c.AllStrings }

// A rowTarget is the struct that the rows of a stream are stored in where they need no
// Values.
type rowTarget = gotext.Target[*goMember, *goReader]

// newTarget returns the target of rows with that header, nil if all need Values.
func (c *Codec) newTarget(to inplace.Target, h *sectionHeader) *rowTarget {
	record := goTexts.Target(to)
	if record == nil || !c.readsGo() {
		return nil
	}
	columns := record.Plan.rows.heading(&goSection{fields: strings.Join(h.Fields, ","), types: h.types})
	if len(columns) != len(h.Fields) { // or there are names with commas
		return nil
	}
	record.Reader.columns = columns
	return record
}

// storeRow stores the row that is a line. It reports false, and has stored nothing, for one
// that needs Values.
func storeRow(t *rowTarget, line string) bool {
	return t.Store(line, len(line), func(r *goReader, v gotext.Var) bool {
		r.Depth = 1 // there is more around what is in a cell
		return strings.HasSuffix(line, "\n") && r.row(r.columns, v, 0) == len(line)
	})
}

// Reset implements [gotext.Grammar].
func (r *goReader) Reset() bool {
	if r.scratch != nil { // else there was no escape
		*r.b, r.scratch = builder.Builder{}, nil
	}
	return r.JSONReader.Reset()
}

// A goSection is the header of a section.
type goSection struct {
	dotted        bool
	key           string // after the tool's dot
	fields, types string
	rows          int // -1 without rows=
	sections      int // 0 without sections=
}

// bare reports whether the rows are values.
func (h *goSection) bare() bool { return h.fields == valueField }

// Document implements [gotext.Documents].
func (r *goReader) Document(t *goMember, v gotext.Var) int {
	r.seen, r.ahead = 0, 0
	r.Depth = 1 // there is more around what is in a cell
	var h goSection
	i := r.header(&h, t, v, 0)
	switch {
	case i < 0:
		return -1
	case v.Form == gotext.List:
		if h.dotted || h.sections > 0 || h.rows < 0 {
			return -1
		}
		return r.list(v, t.rows, &h, i)
	case !h.dotted:
		if r.seen != 0 || h.sections > 0 || h.rows >= 0 || h.bare() {
			return -1
		}
		return r.object(t.rows, &h, v, i)
	}
	sections := 1
	for declared := h.sections; ; sections++ {
		if i = r.member(t.rows, &h, v, i); i < 0 {
			return -1
		}
		if i == r.Size {
			if declared > 0 && declared != sections {
				return -1
			}
			return i
		}
		if i = r.header(&h, t, v, i); i < 0 || !h.dotted || h.sections > 0 {
			return -1
		}
	}
}

// header reads the header at i. Pairs in it that are members go into the struct v.
func (r *goReader) header(h *goSection, t *goMember, v gotext.Var, i int) int {
	const begin = tag + " " + metaTool + "="
	text := r.Text
	if !strings.HasPrefix(text[i:], begin) {
		return -1
	}
	i += len(begin)
	end := headerWord(text, i)
	*h = goSection{rows: -1}
	_, h.key, h.dotted = strings.Cut(text[i:end], ".")
	ok := end > i
	for ok && text[end] == ' ' {
		var key, value string
		start := end + 1
		end = headerWord(text, start)
		if key, value, ok = strings.Cut(text[start:end], "="); ok {
			if reserved(key) {
				ok = h.set(key, value)
			} else {
				ok = r.pair(t, key, v, end-len(value), end)
			}
		}
	}
	if !ok || h.fields == "" || text[end] != '\n' {
		return -1
	}
	return end + 1
}

// set stores a reserved pair. It reports false for one that occurs twice or needs Values.
func (h *goSection) set(key, value string) (ok bool) {
	switch {
	case key == metaFields && h.fields == "":
		h.fields = value
		return value != ""
	case key == metaTypes && h.types == "":
		h.types = value
		return value != "" && afterLetters(value) == ""
	case key == metaRows && h.rows < 0:
		h.rows, ok = count(value)
	case key == metaSections && h.sections == 0:
		h.sections, ok = count(value)
		ok = ok && h.sections > 0
	}
	return ok
}

// headerWord returns where the part of a header that is at i ends: at a space, a
// control character or a backslash, of which one is before the text's end.
func headerWord(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		w := scan.Load64(text, i)
		slash := w ^ '\\'*scan.Ones
		// A borrow can only set bits above the first true one.
		if stop := ((w-0x21*scan.Ones)&^w | (slash-scan.Ones)&^slash) & scan.Highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for text[i] > ' ' && text[i] != '\\' {
		i++
	}
	return i
}

// find returns which member has that very key: perhaps the one at next. It returns
// -1 if none has, or if one has it in another case.
func (s *goStruct) find(key string, next int) int {
	if next < len(s.members) && s.members[next].Name == key {
		return next
	}
	i := s.node.Type.Fields().Find(key)
	if i >= 0 && s.members[i].Name != key {
		return -1
	}
	return i
}

// once notes that a member of the root is read, and reports whether it was not yet.
func (r *goReader) once(member int) bool {
	if member > 63 || r.seen>>member&1 != 0 {
		return false
	}
	r.seen |= 1 << member
	r.ahead = member + 1
	return true
}

// pair stores the value of a pair, from start to end, see metaValue, in the member of a
// struct that has that key.
func (r *goReader) pair(t *goMember, key string, v gotext.Var, start, end int) bool {
	s := r.Text[start:end]
	if key == "" || v.Form != gotext.Struct {
		return false
	}
	at := t.rows.find(key, r.ahead)
	if at < 0 || !r.once(at) {
		return false
	}
	if s == "null" {
		return true // what is fresh stays as it is
	}
	v = r.Through(t.rows.members[at].Of(v))
	switch v.Form {
	case gotext.Scalar:
	case gotext.List:
		v.SetEmpty()
		return s == "[]"
	case gotext.Map:
		v.MakeMap(0)
		return s == "{}"
	default:
		return v.Form == gotext.Struct && s == "{}"
	}
	switch {
	case v.Op == gotype.String:
		v.SetText(s)
		return s == "" || readableLetters(s) == anyLetter
	case s == "", v.Op == gotype.Time:
		return false
	}
	return r.Scalar(v, start) == end
}

// member reads the rows of the section of a member of a struct.
func (r *goReader) member(s *goStruct, h *goSection, v gotext.Var, i int) int {
	at := s.find(h.key, r.ahead)
	if at < 0 || !r.once(at) {
		return -1
	}
	m := &s.members[at]
	v = m.Of(v)
	if h.rows < 0 && h.bare() {
		if h.types == "" || !startsRow(r.Text[:r.Size], i) {
			return -1
		}
		return r.next(r.cell(v, h.types[0], i), '\n')
	}
	v = r.Through(v)
	switch {
	case h.rows >= 0 && v.Form == gotext.List:
		return r.list(v, m.rows, h, i)
	case h.rows >= 0 || h.types == "":
	case v.Form == gotext.Struct && m.rows != nil:
		return r.object(m.rows, h, v, i)
	case v.Form == gotext.Map && v.Elem.Form != gotext.Any:
		return r.mapping(v, h, i)
	}
	return -1
}

// next returns the position after the byte at i, if it is that one.
func (r *goReader) next(i int, c byte) int {
	if i < 0 || r.Text[i] != c {
		return -1
	}
	return i + 1
}

// A goColumns is what the columns of rows mean, in memory of its own.
type goColumns struct {
	fields, types string
	columns       []goColumn
}

// A goColumn is a column of rows.
type goColumn struct {
	gotext.Place // without a node for a column that no field wants
	letter       byte
}

// heading returns the columns of rows of a type, nil for fields that need Values.
func (s *goStruct) heading(h *goSection) []goColumn {
	if known := s.read.Load(); known != nil && known.fields == h.fields && known.types == h.types {
		return known.columns
	}
	head := &goColumns{fields: strings.Clone(h.fields), types: strings.Clone(h.types)}
	names := strings.Split(head.fields, ",")
	keys, err := wire.NewKeys(names...)
	if err != nil || !areFields(keys) {
		return nil
	}
	head.columns = make([]goColumn, len(names))
	for i, name := range names {
		c := &head.columns[i]
		c.letter = columnType(head.types, i)
		if at := s.find(name, i); at >= 0 {
			c.Place = s.members[at].cell()
		} else if s.node.Type.Fields().Find(name) >= 0 {
			return nil
		}
	}
	s.read.Store(head)
	return head.columns
}

// object reads the only row of a section into a struct.
func (r *goReader) object(s *goStruct, h *goSection, v gotext.Var, i int) int {
	columns := s.heading(h)
	if columns == nil || !startsRow(r.Text[:r.Size], i) {
		return -1
	}
	return r.row(columns, v, i)
}

// list reads the rows of a section.
func (r *goReader) list(v gotext.Var, s *goStruct, h *goSection, i int) int {
	var columns []goColumn
	shortest := 2 // bytes of a row
	letter := columnType(h.types, 0)
	if !h.bare() {
		if s == nil {
			return -1
		}
		if columns = s.heading(h); columns == nil {
			return -1
		}
		shortest = max(shortest, len(columns))
	}
	if h.rows > (r.Size-i)/shortest {
		return -1
	}
	return r.Counted(v, h.rows, i, func(e gotext.Var, _, i int) int {
		switch {
		case !startsRow(r.Text[:r.Size], i):
			return -1
		case columns == nil:
			return r.next(r.cell(e, letter, i), '\n')
		}
		return r.row(columns, r.Through(e), i)
	})
}

// row reads the row at i into a struct.
func (r *goReader) row(columns []goColumn, v gotext.Var, i int) int {
	for col := range columns {
		c := &columns[col]
		if b := r.Text[i]; (b == '\t' || b == '\n') && !keepsEmpty(c.letter) {
			// What is fresh stays as it is.
		} else if c.Node == nil {
			s, end := r.cellText(r.Text, i)
			if s != "" && (s[0] == '[' || s[0] == '{') && !verbatim(c.letter) {
				return -1 // it might exceed a limit
			}
			i = end
		} else if end := r.plain(c.Op, c.Of(v), c.letter, i); end >= 0 {
			i = end
		} else {
			i = r.cell(c.Of(v), c.letter, i)
		}
		separator := byte('\t')
		if col == len(columns)-1 {
			separator = '\n'
		}
		if i < 0 || r.Text[i] != separator {
			return -1
		}
		i++
	}
	return i
}

// mapping reads the only row of a section into a map.
func (r *goReader) mapping(v gotext.Var, h *goSection, i int) int {
	if !startsRow(r.Text[:r.Size], i) {
		return -1
	}
	v.MakeMap(0)
	fields := h.fields
	for col := 0; ; col++ {
		key, rest, more := strings.Cut(fields, ",")
		letter := columnType(h.types, col)
		elem := r.Entry(v)
		end := r.cell(elem, letter, i)
		if end < 0 || (end > i || !optional(letter)) && !v.Store(key, elem) {
			return -1
		}
		if !more {
			return r.next(end, '\n')
		}
		if i = r.next(end, '\t'); i < 0 {
			return -1
		}
		fields = rest
	}
}

// cell reads the cell at i, of a column of that letter, into a variable that is zero, and
// returns where the cell ends.
func (r *goReader) cell(v gotext.Var, letter byte, i int) int {
	text := r.Text
	c := text[i]
	inferred := !verbatim(letter)
	if c == '\t' || c == '\n' {
		if !keepsEmpty(letter) {
			return i // what is fresh stays as it is
		}
		if v = r.Through(v); v.Op != gotype.String || v.Form != gotext.Scalar {
			return -1
		}
		return i
	}
	if c == 'n' && inferred && letter != 'a' && strings.HasPrefix(text[i:], "null") && endsCell(text, i+len("null")) {
		return i + len("null")
	}
	if v.Form == gotext.Pointer {
		v = r.Through(v)
	}
	if v.Form == gotext.Scalar {
		return r.scalar(v, letter, i)
	}
	if v.Form == gotext.Any || !inferred || c != '{' && c != '[' {
		return -1
	}
	return r.Value(v, i)
}

// scalar is cell for a cell that is not empty.
func (r *goReader) scalar(v gotext.Var, letter byte, i int) int {
	text := r.Text
	switch inferred := !verbatim(letter); {
	case v.Op == gotype.String && inferred && text[i] == '"' && letter != 'a':
		return r.Scalar(v, i)
	case v.Op == gotype.String, v.Op == gotype.Time:
		s, end := r.cellText(text, i)
		if end == i || readableLetters(s)&letterOf(letter) == 0 { // a CR LF is at i, or perhaps no string
			return -1
		}
		if v.Op == gotype.String {
			v.SetText(s)
		} else if !v.ParseTime(s) {
			return -1
		}
		return end
	case !inferred:
		return -1
	}
	return r.Scalar(v, i)
}

// plain reads a scalar as it is mostly written, which a TAB or a line feed ends: a string
// without escapes, which cannot be read as anything else, or a number. It returns where it
// ends, -1 for all else.
func (r *goReader) plain(op gotype.Op, v gotext.Var, letter byte, i int) int {
	text := r.Text
	switch op {
	case gotype.String:
		if i+8 >= len(text) || firstByte[text[i]] && !verbatim(letter) {
			return -1
		}
		end := i
		if stop := specials(scan.Load64(text, i)); stop != 0 {
			end += bits.TrailingZeros64(stop) / 8
		} else {
			end = special(text, i+8)
		}
		if end > i && separates(text, end) {
			v.SetText(text[i:end])
			return end
		}
	case gotype.Int64:
		if n, end := gotext.ScanInt(text, i); end >= 0 && separates(text, end) && !verbatim(letter) {
			v.SetInt64(n)
			return end
		}
	case gotype.Float64:
		if x, end := decimal.ScanFloat(text, i); end >= 0 && separates(text, end) && !verbatim(letter) {
			v.SetFloat(x)
			return end
		}
	}
	return -1
}
