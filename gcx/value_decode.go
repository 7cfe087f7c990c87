package gcx

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/wire"
)

// valueDecoder reads a payload as one value, or the rows of a stream as values.
type valueDecoder struct {
	*Decoder
	cellReader
	text      string // of the document, or of the line that is read; values point into it
	wholeRows int    // length of the text up to its last line feed
	// stream is the line that text is, if the payload is read line by line.
	stream *line
	values int // left of the limit

	room  decoderRoom
	known *knownHeaders // if the decoder is reused and the text written over
}

// decoderRoom is memory that a decoder has for sections, one after the other, and
// leaves to the next document.
type decoderRoom struct {
	sections []decodedSection
	headers  []*sectionHeader
	used     int // of the headers
	gaps     []int
	partial  builder.PartialRows
}

// header returns room for the header of the next section.
func (r *decoderRoom) header() *sectionHeader {
	if r.used == len(r.headers) {
		r.headers = append(r.headers, new(sectionHeader))
	}
	r.used++
	return r.headers[r.used-1]
}

// reset empties the room for another document, and gives up what is too large.
func (r *decoderRoom) reset() {
	if r.used > 0 {
		for _, h := range r.headers[:r.used] {
			h.clear()
		}
		if r.used = 0; cap(r.headers) > mostIdle {
			r.headers = nil
		}
	}
	r.sections = emptied(r.sections)
	if cap(r.gaps) > mostIdle {
		r.gaps = nil
	}
}

// mostIdle is how many sections, columns or pairs of a header an idle decoder has
// room for.
const mostIdle = 64

// emptied returns the memory of a list for another one, nil if it is large.
func emptied[T any](list []T) []T {
	if cap(list) > mostIdle {
		return nil
	}
	clear(list)
	return list[:0]
}

// decodedSection is a section with its rows as an array.
type decodedSection struct {
	*sectionHeader
	rows wire.Value
}

// decoders are idle, with the headers that they read last.
var decoders = sync.Pool{New: func() any {
	d := newValueDecoder(new(Decoder))
	d.known = new(knownHeaders)
	return d
}}

// newValueDecoder returns what reads the sections of d as values.
func newValueDecoder(d *Decoder) *valueDecoder {
	v := &valueDecoder{Decoder: d, cellReader: cellReader{b: builder.NewCells()}}
	d.typed = v
	return v
}

// release makes the decoder ready for another document.
func (d *valueDecoder) release() {
	*d.Decoder, d.text = Decoder{typed: d}, ""
	if cap(d.scratch) > maxKeptCell {
		d.scratch = nil
	}
	d.room.reset()
	d.known.inUse = [len(d.known.inUse)]bool{}
	decoders.Put(d)
}

// maxKeptCell bounds the room for texts with escapes that an idle decoder keeps.
const maxKeptCell = 16 << 10

// begin checks src and copies its text.
func (d *valueDecoder) begin(c *Codec, src []byte) error {
	limits := c.Limits.Resolved()
	if len(src) > limits.InputBytes {
		return wire.ErrorAt(src, limits.InputBytes, inputTooLong)
	}
	if n := scan.ValidUTF8(src); n < len(src) {
		return wire.ErrorAt(src, n, invalidUTF8)
	}
	d.text = d.b.CopyCells(src)
	d.wholeRows = strings.LastIndexByte(d.text, '\n') + 1
	d.c, d.lines.rest, d.lines.checked, d.lines.limits = *c, d.text, true, limits
	d.values = limits.Values
	return nil
}

func (d *valueDecoder) decode(c *Codec, src []byte) (wire.Value, error) {
	if err := d.begin(c, src); err != nil {
		return wire.Value{}, err
	}
	for {
		s, err := d.section()
		if err != nil {
			return wire.Value{}, err
		}
		if d.room.sections = append(d.room.sections, s); !d.pending {
			return d.document(d.room.sections)
		}
	}
}

// section reads the next section.
func (d *valueDecoder) section() (decodedSection, error) {
	h, err := d.nextSection()
	if err != nil {
		return decodedSection{}, err
	}
	rows, err := d.sectionRows()
	return decodedSection{h, rows}, err
}

// errorAt returns an error at a byte of the text.
func (d *valueDecoder) errorAt(i int, e wire.Error) error {
	if d.stream != nil {
		return d.stream.errorAt(i, e)
	}
	e.Format = name
	return wire.ErrorAt([]byte(d.text), i, e)
}

// rowReader reads the rows of one section.
type rowReader struct {
	*valueDecoder
	keys     *wire.Keys
	types    []byte       // of each column
	bare     bool         // rows are values, not objects
	optional bool         // some column's empty cell is a missing member
	depth    int          // levels of nesting that a cell may have
	array    []wire.Value // the rows
	blank    wire.Value   // the row of a single empty cell, once there was one

	slots []wire.Value // of the row being read
	n     int          // how many of them are set; before, how many the last row had
	gaps  []int        // the columns of the missing ones
}

// minMembers is the least that the room for a row grows by.
const minMembers = 8

// sectionRows reads the rows of the section.
func (d *valueDecoder) sectionRows() (wire.Value, error) {
	var r rowReader
	r.begin(d)
	if !d.h.counted() { // one row, most likely
		r.array = d.b.Elements(1)[:0]
	} else if !d.c.Lenient { // else no one checks whether the rows are as many
		// An empty cell and what separates it from the next are one byte.
		r.array = d.b.Slots(max(0, min(d.h.rows, len(d.lines.rest)/len(r.types))))[:0]
	}
	err := r.all()
	if r.optional {
		d.room.gaps, d.room.partial = r.gaps, builder.PartialRows{}
	}
	if err != nil {
		return wire.Value{}, err
	}
	return wire.Array(r.array...), nil
}

// begin makes r read the rows of the section that d is in.
func (r *rowReader) begin(d *valueDecoder) {
	h := d.h
	r.valueDecoder, r.keys, r.types, r.bare, r.optional = d, h.keys, h.letters, h.bare, h.optional
	if r.optional {
		r.gaps = d.room.gaps[:0]
	}
	r.n = min(len(r.types), 1<<8)
	r.depth = d.lines.limits.Depth - 2
	if r.bare {
		r.depth++
	}
	if h.dotted {
		r.depth--
	}
	if !h.counted() && (!h.dotted || h.types != "") {
		r.depth++ // the row is the value, not an element
	}
}

// all reads the rows of a document.
func (r *rowReader) all() error {
	for {
		if err := r.plainLines(); err != nil {
			return err
		}
		err := r.rowLine()
		if err == nil {
			err = r.line(r.lines.at)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// plainLines reads the lines of a document up to one that may be no row.
func (r *rowReader) plainLines() (err error) {
	text, from, rows := r.text[:r.wholeRows], len(r.text)-len(r.lines.rest), len(r.array)
	i := from
	for startsRow(text, i) {
		if r.bare {
			if next := r.numbers(i); next > i {
				i = next
				continue
			}
		}
		if i, err = r.row(i); err != nil {
			return err
		}
	}
	rows = len(r.array) - rows
	r.rows += rows
	r.lines.rest = r.text[i:]
	r.lines.offset += i - from
	r.lines.number += rows
	return nil
}

// line reads the row that is the decoder's line, which begins at i.
func (r *rowReader) line(i int) error {
	if r.lines.body() == "" {
		return r.empty(i)
	}
	_, err := r.row(i)
	return err
}

// numbers reads rows from i on that are bare numbers, and returns where another
// row, or whatever it is, begins.
func (r *rowReader) numbers(i int) int {
	if verbatim(r.types[0]) {
		return i
	}
	text, array, left := r.text, r.array, r.values
	for i < len(text) && left > 2 && (text[i]-'0' <= 9 || text[i] == '-') {
		v, end := numberAt(text, i)
		if end < 0 || end == len(text) || text[end] != '\n' {
			break
		}
		array = append(array, v)
		left -= 2
		i = end + 1
	}
	r.array, r.values = array, left
	return i
}

// empty makes the row of a single empty cell. A payload can have as many of
// them as bytes, so they are one value.
func (r *rowReader) empty(i int) error {
	if r.values -= 2; r.values < 0 {
		return r.errorAt(i, tooManyValues)
	}
	if r.blank.Kind() == wire.KindObject {
		r.array = append(r.array, r.blank)
		return nil
	}
	r.beginRow()
	if r.optional {
		r.gaps = append(r.gaps, 0)
	} else {
		r.push(emptyCell(r.types[0]))
	}
	r.endRow()
	if !r.bare {
		r.blank = r.array[len(r.array)-1]
	}
	return nil
}

// beginRow makes room for a row with as many members as the last one: where
// cells may be missing, room for all could be far more than the text is long.
func (r *rowReader) beginRow() {
	if !r.bare {
		r.slots = r.b.Slots(r.n)
	}
	r.n, r.gaps = 0, r.gaps[:0]
}

// emptyCell returns what an empty cell of a column is that does not stand for
// a missing member.
func emptyCell(letter byte) wire.Value {
	if keepsEmpty(letter) {
		return wire.String("")
	}
	return wire.Value{}
}

// row reads the row at i and returns where the next line begins.
func (r *rowReader) row(i int) (int, error) {
	width := len(r.types)
	if r.values -= width + 1; r.values < 0 {
		return 0, r.errorAt(i, tooManyValues)
	}
	r.beginRow()
	text, all := r.text, !r.bare && !r.optional // whether every cell is a member
	for col := 0; ; col++ {
		if col == width {
			rest, _, _ := strings.Cut(text[i:], "\n")
			return 0, r.errorAt(i-1, tooWide(col+1+strings.Count(rest, "\t"), width))
		}
		letter := r.types[col]
		v, end := plainCell(text, i, letter)
		if end < 0 {
			var err error
			if v, end, err = r.cell(col, i); err != nil {
				return 0, err
			}
		}
		if all && col < len(r.slots) {
			r.slots[col] = v
			r.n = col + 1
		} else if end > i || !r.optional || !optional(letter) {
			r.push(v)
		} else {
			r.gaps = append(r.gaps, col)
		}
		if end < len(text) && text[end] == '\t' {
			i = end + 1
			continue
		}
		if err := r.finish(col+1, end); err != nil {
			return 0, err
		}
		if end < len(text) && text[end] == '\r' {
			end++
		}
		return min(end+1, len(text)), nil
	}
}

func (r *rowReader) push(v wire.Value) {
	if r.bare {
		r.array = append(r.array, v)
		return
	}
	if r.n == len(r.slots) {
		more := r.b.Slots(min(len(r.types), 2*r.n+minMembers))
		copy(more, r.slots)
		r.slots = more
	}
	r.slots[r.n] = v
	r.n++
}

// finish makes the row; the first n columns were there.
func (r *rowReader) finish(n, i int) error {
	width := len(r.types)
	if n < width {
		if !r.omit(width-n, r.lines.offset+len(r.lines.rest)) {
			return r.errorAt(i, tooManyOmitted)
		}
		for col := n; col < width; col++ {
			if !optional(r.types[col]) {
				r.push(emptyCell(r.types[col]))
			} else {
				r.gaps = append(r.gaps, col)
			}
		}
	}
	r.endRow()
	return nil
}

// endRow makes the row. A bare cell is one.
func (r *rowReader) endRow() {
	switch {
	case r.bare:
	case len(r.gaps) == 0:
		r.array = append(r.array, r.b.RowOf(r.keys, r.slots))
	default:
		r.array = append(r.array, r.room.partial.Compact(r.b, r.keys, r.gaps, r.slots))
	}
}

// cell returns the value of the cell at i, of a column, and where the cell ends.
func (r *rowReader) cell(col, i int) (wire.Value, int, error) {
	text, letter := r.text, r.types[col]
	if i < len(text) && !verbatim(letter) {
		switch c := text[i]; {
		case opensJSON(c, letter) && r.stream == nil:
			end := cellEnd(text, i)
			if v, left, err := r.b.ParseCell(nil, i, end, col, r.depth, r.values); err == nil {
				r.values = left
				return v, end, nil
			}
		case c-'0' <= 9 || c == '-':
			if v, end := numberAt(text, i); end >= 0 && endsCell(text, end) {
				return v, end, nil
			}
		}
	}
	s, end := r.cellText(text, i)
	switch {
	case i == end:
		return emptyCell(letter), end, nil
	case verbatim(letter) || !firstByte[s[0]]:
		return wire.String(s), end, nil
	case opensJSON(s[0], letter):
		v, err := r.copied(col, s, i)
		return v, end, err
	}
	if s == "null" && letter == 'a' {
		return wire.String(s), end, nil
	}
	return columns.Scalar(s), end, nil
}

// opensJSON reports whether the text of a cell that is not verbatim may be JSON.
func opensJSON(c, letter byte) bool { return c == '[' || c == '{' || c == '"' && letter != 'a' }

// copied returns the value of a cell as cell does, from a copy of its text.
func (r *rowReader) copied(col int, s string, at int) (wire.Value, error) {
	r.scratch = append(r.scratch[:0], s...)
	v, left, err := r.b.ParseCell(r.scratch, 0, 0, col, r.depth, r.values)
	switch {
	case err == nil:
		r.values = left
		return v, nil
	case err.Code == wire.CodeTooDeep:
		return v, r.errorAt(at, *tooDeep())
	case err.Code == wire.CodeTooManyValues:
		return v, r.errorAt(at, tooManyValues)
	}
	return wire.String(s), nil
}

var tooManyValues = wire.Error{Code: wire.CodeTooManyValues, Kind: wire.ErrLimit,
	Message: "the payload holds more values than the limit", Hint: "raise Limits.Values"}

// document puts the sections together: the value of the only one, or an object
// of them and of the meta pairs.
func (d *valueDecoder) document(sections []decodedSection) (wire.Value, error) {
	if first := &sections[0]; len(sections) == 1 && !first.dotted && !first.hasMembers() {
		return first.alone(), nil
	}
	o := d.b.Object()
	distinct, mark := true, d.b.Mark()
	for i := range sections {
		s := &sections[i]
		v, err := d.member(s)
		if err != nil {
			return wire.Value{}, err
		}
		distinct = d.pairs(&o, s, s.Meta[:s.before]) && distinct
		distinct = d.b.Key(&o, s.memberKey(len(sections))) && distinct
		d.b.Put(&o, v)
		distinct = d.pairs(&o, s, s.Meta[s.before:]) && distinct
	}
	if !distinct {
		d.b.Array(mark)
		return d.listed(sections), nil
	}
	return d.b.EndObject(&o), nil
}

// pairs adds pairs of a header to the object, and reports whether it had none of their
// keys.
func (d *valueDecoder) pairs(o *wire.ObjectBuilder, s *decodedSection, pairs []Meta) bool {
	distinct := true
	for i := range pairs {
		if m := &pairs[i]; s.isMember(m.Key) {
			distinct = d.b.Key(o, m.Key) && distinct
			d.b.Put(o, metaValue(d.c.AllStrings, m.Value))
		}
	}
	return distinct
}

// alone returns the value of a payload's only section: an array if rows= says
// so or there is any other number of rows than one.
func (s *decodedSection) alone() wire.Value {
	if !s.counted() && s.rows.Len() == 1 {
		return s.rows.Index(0)
	}
	return s.rows
}

// member returns the value of a section among others: an array, unless types=
// without rows= says that it is its row.
func (d *valueDecoder) member(s *decodedSection) (wire.Value, error) {
	if s.counted() || s.types == "" {
		return s.rows, nil
	}
	if s.rows.Len() != 1 {
		return wire.Value{}, d.errorAt(len(d.text), *notOneRow(s.rows.Len(), s.Tool))
	}
	return s.rows.Index(0), nil
}

// notOneRow is the error for a section that is one object, with n rows.
func notOneRow(n int, tool string) *wire.Error {
	return miscount(wire.CodeCount, n == 0, strconv.Itoa(n)+" rows in section "+strconv.Quote(tool)+", which has one")
}

// memberKey returns the key of a section in the object of n sections. A section
// without a dot comes from another producer.
func (s *decodedSection) memberKey(n int) string {
	switch {
	case s.dotted:
		return s.key
	case n == 1:
		return metaRows
	}
	return s.Tool
}

// isMember reports whether the meta pair with that key is data.
func (s *sectionHeader) isMember(key string) bool {
	switch key {
	case metaRows, metaTypes:
		return false
	case metaSections:
		return s.declared == 0
	}
	return true
}

func (s *sectionHeader) hasMembers() bool {
	return slices.ContainsFunc(s.Meta, func(m Meta) bool { return s.isMember(m.Key) })
}

// metaValue returns the value of a meta pair: what a cell of a column without
// a type would be, and null.
func metaValue(asText bool, s string) wire.Value {
	switch {
	case asText || s == "":
		return wire.String(s)
	case s == "[]":
		return wire.Array()
	case s == "{}":
		empty, _ := wire.Object()
		return empty
	}
	return columns.Scalar(s)
}

// listed returns the sections of a payload that make no object, because two
// have one name or their headers one key: an array with the tool, the meta
// pairs and the rows of each.
func (d *valueDecoder) listed(sections []decodedSection) wire.Value {
	mark := d.b.Mark()
	for i := range sections {
		s := &sections[i]
		o := d.b.Object()
		d.b.Key(&o, metaTool)
		d.b.Put(&o, wire.String(s.Tool))
		d.b.Key(&o, "meta")
		meta := d.b.Object()
		d.pairs(&meta, s, s.Meta)
		d.b.Put(&o, d.b.EndObject(&meta))
		d.b.Key(&o, metaRows)
		d.b.Put(&o, s.rows)
		d.b.Push(d.b.EndObject(&o))
	}
	return d.b.Array(mark)
}
