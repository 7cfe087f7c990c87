package gcx

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// An Encoder writes sections and rows to an io.Writer as they come, each line
// with one Write. After an error of the writer below every call returns that
// error; a section or a row that is refused does not keep the next from being
// written. It is not safe for concurrent use.
type Encoder struct {
	w        io.Writer
	c        Codec
	buf      []byte
	fields   int  // of the open section, 0 before the first
	declared int  // rows= of the open section, -1 if none
	blanks   bool // blank lines are rows of the open section: Header.blankRows
	rows     int
	promised int // sections= of the first section, 0 if none
	sections int
	err      error
}

// NewEncoder returns an encoder that writes to w.
func (c Codec) NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w, c: c, declared: -1} }

// Section begins a section. If the header's meta has rows, the rows that
// follow must be that many; if that of the first has sections, so must the
// sections be.
func (e *Encoder) Section(h Header) error {
	if err := e.endSection(); err != nil {
		return err
	}
	h = e.c.written(h)
	if err := h.check(e.c.Interop); err != nil {
		return err
	}
	if err := e.write(h.append(e.buf[:0])); err != nil {
		return err
	}
	e.fields, e.rows, e.declared, e.blanks = len(h.Fields), 0, -1, h.blankRows()
	if rows, ok := h.Get(metaRows); ok {
		e.declared, _ = count(rows)
	}
	if e.sections++; e.sections == 1 {
		e.promised = h.sections()
	}
	return nil
}

// Row writes a row. Cells that are missing at the end are written as empty. A
// section of one column cannot have an empty cell unless its header declares
// the number of rows, or has types= and rows=*: the line would be blank, which
// readers skip.
func (e *Encoder) Row(cells ...string) error {
	if err := e.ready(); err != nil {
		return err
	}
	row, err := e.c.appendRow(e.buf[:0], cells, e.fields, e.declared >= 0 || e.blanks)
	if err != nil {
		return err
	}
	if err := e.write(row); err != nil {
		return err
	}
	e.rows++
	return nil
}

// Values writes a row of Go values, each as the typed cells of the document
// are: nothing for nil and nil pointers, numbers and booleans as in JSON,
// strings as they are, arrays and objects as compact JSON.
func (e *Encoder) Values(values ...any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		value, err := wire.FromGo(v)
		if err != nil {
			return wire.AtIndex(err, i)
		}
		if cells[i], err = cellText(value); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	return e.Row(cells...)
}

// Comment writes a comment. Line ends in it become spaces.
func (e *Encoder) Comment(text string) error {
	if err := e.ready(); err != nil {
		return err
	}
	return e.write(appendComment(e.buf[:0], text))
}

// Close ends the payload. It returns an error if rows= was declared and is not
// the number of rows written, or sections= and not that of the sections. It
// does not close the writer below.
func (e *Encoder) Close() error {
	if err := e.endSection(); err != nil {
		return err
	}
	if bad := sectionCount(e.promised, e.sections); bad != nil {
		e.promised = 0
		return bad
	}
	e.err = errClosed
	return nil
}

var errClosed = errors.New("gcx: encoder is closed")

func (e *Encoder) ready() error {
	if e.err != nil {
		return e.err
	}
	if e.fields == 0 {
		return shape("no_section", "a payload begins with a section")
	}
	return nil
}

func (e *Encoder) endSection() error {
	if e.err != nil {
		return e.err
	}
	if e.declared >= 0 && e.declared != e.rows {
		declared := strconv.Itoa(e.declared)
		e.declared = -1
		return rowsOver(declared, e.rows)
	}
	return nil
}

// write writes one or more lines.
func (e *Encoder) write(text []byte) error {
	e.buf = text[:0]
	if err := e.c.checkLine(text); err != nil {
		return err
	}
	if err := checkText(text); err != nil {
		return err
	}
	e.err = lineio.WriteWhole(e.w, text)
	return e.err
}

// A Decoder reads sections and rows from an io.Reader and holds one row at a
// time. It is not safe for concurrent use.
type Decoder struct {
	// Comment, if set, is called with the text of every comment, in order.
	Comment func(text string)

	c       Codec
	lines   lineReader
	h       *sectionHeader // of the open section; nil before the first
	header  line           // of that, or of the next section if that is pending
	pending bool
	done    bool  // the open section has no further rows
	failed  error // of the input, sticky
	cells   []string
	typed   *valueDecoder // which reads the rows as values; nil if they are text
	budget  bool          // a comment says that rows were cut

	rows      int  // of the open section
	blanks    int  // blank lines of it
	sections  int  // read so far
	promised  int  // sections= of the first, 0 if none
	omitted   int  // cells that rows omitted so far, in all sections
	looked    bool // see blankRows
	blanksAre bool
}

// NewDecoder returns a decoder that reads from r. Of the codec's fields Lenient
// and the limits InputBytes (for the whole of r, not limited by default here)
// and LineBytes count.
func (c Codec) NewDecoder(r io.Reader) *Decoder {
	limits := c.Limits.Resolved()
	if c.Limits.InputBytes == 0 {
		limits.InputBytes = int(^uint(0) >> 1)
	}
	return &Decoder{c: c, lines: lineReader{r: bufio.NewReaderSize(r, 32<<10), limits: limits}}
}

// NextSection goes to the next section, over the rows of the open one that
// were not read. At the end it returns io.EOF.
func (d *Decoder) NextSection() (Header, error) {
	h, err := d.nextSection()
	if err != nil {
		return Header{}, err
	}
	return h.Header, nil
}

func (d *Decoder) nextSection() (*sectionHeader, error) {
	for d.h != nil && !d.done {
		if _, err := d.nextRow(); err != nil && err != io.EOF {
			return nil, err
		}
	}
	for !d.pending {
		if err := d.nextLine(); err != nil {
			if err == io.EOF && d.h == nil {
				err = d.failAtEnd(noSection)
			}
			return nil, err
		}
		switch text := d.lines.body(); {
		case text == "":
		case text[0] == '#':
			d.comment(text)
		default:
			d.header, d.pending = d.lines.line, true
		}
	}
	h, bad := d.parseHeader(d.header.body())
	if bad != nil {
		return nil, d.fail(d.header.errorAt(bad.at, bad.Error))
	}
	if d.sections++; d.sections == 1 {
		d.promised = h.declared
	}
	d.h, d.pending = h, false
	d.done, d.rows, d.blanks, d.budget, d.looked, d.blanksAre = false, 0, 0, false, false, false
	return h, nil
}

func (d *Decoder) parseHeader(text string) (*sectionHeader, *headerError) {
	if d.typed != nil {
		return d.typed.parseHeader(text)
	}
	h := new(sectionHeader)
	if bad := h.parse(text, d.c.Lenient); bad != nil {
		return nil, bad
	}
	if len(h.Fields) == 1 && h.Fields[0] == "" {
		return nil, syntax(len(text), "missing_fields", "a header without fields")
	}
	if _, err := wire.NewKeys(h.Fields...); err != nil && !d.c.Lenient {
		return nil, h.twoFields()
	}
	return h, nil
}

// nextRow returns the cells of the next row, and at the end of the section io.EOF, until
// NextSection is called.
func (d *Decoder) nextRow() ([]string, error) {
	if err := d.rowLine(); err != nil {
		return nil, err
	}
	return d.row()
}

// rowLine goes to the line of the next row.
func (d *Decoder) rowLine() error {
	if d.failed != nil {
		return d.failed
	}
	if d.h == nil || d.done {
		return io.EOF
	}
	l := &d.lines.line
	for {
		err := d.nextLine()
		if err == io.EOF {
			// The generic fallback's row of a single empty cell is a blank line.
			blank := d.typed != nil && len(d.h.Fields) == 1 && d.h.rows < 0 && d.rows == 0 && d.blanks == 1
			if blank {
				d.rows = 1
			}
			if err = d.endSection(); err == io.EOF && blank {
				l.text, err = "", nil
			}
		}
		if err != nil || d.done {
			return err
		}
		switch text := l.body(); {
		case text == "":
			d.blanks++
			isRow := d.h.allBlanks() || len(d.h.Fields) == 1 && d.h.rows >= 0 && d.blankRows()
			if d.failed != nil || !isRow {
				continue
			}
		case text[0] == '#':
			d.comment(text)
			continue
		case isHeader(text):
			d.header, d.pending = *l, true
			return d.endSection()
		}
		if l.isCut() && !d.c.Lenient && (d.h.counted() || d.promised > 0) {
			return d.failAtEnd(lineCut)
		}
		d.rows++
		return nil
	}
}

// Rows iterates over the rest of the section's rows, with as many cells as there are
// fields. The slice is reused for the next one; the strings are not. The first error is
// the last pair, and the decoder's end. Where the header counts rows or sections, a last
// line without its line feed is an error and not a row.
func (d *Decoder) Rows() iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for {
			row, err := d.nextRow()
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// row returns the cells of the row that the line is.
func (d *Decoder) row() ([]string, error) {
	text := d.lines.body()
	d.cells = d.cells[:0]
	escaped := strings.IndexByte(text, '\\') >= 0
	for i := 0; ; {
		end := strings.IndexByte(text[i:], '\t') + i
		last := end < i
		if last {
			end = len(text)
		} else if len(d.cells)+1 == len(d.h.Fields) {
			return nil, d.fail(d.lines.errorAt(end, tooWide(1+strings.Count(text, "\t"), len(d.h.Fields))))
		}
		cell := text[i:end]
		if escaped {
			cell = unescaped(cell)
		}
		d.cells = append(d.cells, cell)
		if last {
			break
		}
		i = end + 1
	}
	if omitted := len(d.h.Fields) - len(d.cells); omitted > 0 {
		if !d.omit(omitted, d.lines.offset) {
			return nil, d.fail(d.lines.errorAt(len(text), tooManyOmitted))
		}
		d.cells = append(d.cells, make([]string, omitted)...)
	}
	return d.cells, nil
}

// omit counts the cells that a row omits at its end, and reports whether there may be so
// many in a payload of that many bytes. The document lets a row of one byte stand for as many
// cells as the header has fields; without a bound, so could each of a million rows.
func (d *Decoder) omit(cells, bytes int) bool {
	d.omitted += cells
	return d.omitted <= bound.Add(1<<16, 2*bytes)
}

var tooManyOmitted = wire.Error{Code: "too_many_omitted_cells", Kind: wire.ErrLimit,
	Message: "the rows omit more cells than the payload has bytes for", Hint: "write the empty cells"}

func tooWide(cells, fields int) wire.Error {
	return wire.Error{Code: wire.CodeRowWidth, Kind: wire.ErrSyntax,
		Message: "a row of " + strconv.Itoa(cells) + " cells under " + strconv.Itoa(fields) + " fields"}
}

func (d *Decoder) comment(text string) {
	d.budget = d.budget || budgetCut(text)
	if d.Comment != nil {
		d.Comment(strings.TrimPrefix(text[1:], " "))
	}
}

// budgetCut reports whether a comment says that its writer left rows out, as
// servers with a budget of tokens do; rows= then counts the original rows.
func budgetCut[T scan.Bytes](comment T) bool {
	return strings.Contains(string(comment), "truncated_by_budget=true") ||
		strings.Contains(string(comment), "truncated_by_tokens=true")
}

// blankRows decides whether the blank lines of a section of one column are
// rows: they are if only so the rows are as many as the header says. That
// needs a look at all its lines. If the rows are not as many either way, d
// fails: a row that was yielded could be in the wrong place.
func (d *Decoder) blankRows() bool {
	if d.looked {
		return d.blanksAre
	}
	d.looked = true
	l, from := &d.lines.line, d.lines
	var ahead []byte // lines that were not in memory yet
	filled, blank, budget := d.rows, 1, d.budget
	for ended := false; !ended && filled+blank <= d.h.rows; {
		known := d.lines.rest != ""
		err := d.lines.next()
		if err != nil && err != io.EOF {
			d.failed = err
			return false
		}
		text := l.body()
		ended = err == io.EOF || isHeader(text)
		switch {
		case ended:
			d.blanksAre = filled < d.h.rows && filled+blank == d.h.rows
			bad := rowCount(d.h.rows, filled, budget, err == io.EOF)
			if bad != nil && !d.blanksAre && !d.c.Lenient {
				d.failed = l.errorAt(0, *bad)
			}
		case l.isCut() && !d.c.Lenient:
			_ = d.failAtEnd(lineCut)
			return false
		case d.lines.offset-from.offset > d.c.Limits.Resolved().InputBytes:
			d.failed = l.errorAt(0, inputTooLong)
			return false
		case text == "":
			blank++
		case text[0] == '#':
			budget = budget || budgetCut(text)
		default:
			filled++
		}
		if !known && err == nil {
			ahead = append(ahead, l.text...)
		}
	}
	d.lines.line, d.lines.offset = from.line, from.offset
	d.lines.rest = from.rest + string(ahead)
	return d.blanksAre
}

var inputTooLong = wire.Error{Format: name, Code: wire.CodeInputTooLong, Kind: wire.ErrLimit,
	Message: "the payload is longer than the limit", Hint: "raise Limits.InputBytes"}

// endSection checks what the header promised and returns io.EOF.
func (d *Decoder) endSection() error {
	d.done = true
	if d.c.Lenient {
		return io.EOF
	}
	if !d.pending && d.lines.text != "" && (d.h.counted() || d.promised > 0) {
		return d.failAtEnd(lineCut)
	}
	bad := rowCount(d.h.rows, d.rows, d.budget, !d.pending)
	if bad == nil && d.typed == nil && d.promised > 0 && d.h.types != "" && !d.h.counted() && d.rows != 1 {
		// Where sections are counted, one whose rows are not is a single value.
		bad = notOneRow(d.rows, d.h.Tool)
	}
	if bad == nil && !d.pending {
		bad = sectionCount(d.promised, d.sections)
	}
	if bad == nil {
		return io.EOF
	}
	return d.failAtEnd(*bad)
}

// counted reports whether the header says that its rows are counted.
func (h *sectionHeader) counted() bool { return h.rows >= 0 || h.anyRows }

// failAtEnd fails where the section ends.
func (d *Decoder) failAtEnd(e wire.Error) error {
	if d.pending {
		return d.fail(d.header.errorAt(0, e))
	}
	return d.fail(d.lines.errorAt(len(d.lines.text), e))
}

// rowCount compares rows=, -1 for any number, with the number of rows before the end of
// the text or another section.
func rowCount(declared, rows int, budget, ended bool) *wire.Error {
	if declared < 0 || rows == declared || rows < declared && budget {
		return nil
	}
	return miscount(wire.CodeCount, rows < declared && ended, strconv.Itoa(rows)+" rows where rows="+strconv.Itoa(declared))
}

// lineCut is the error for a last line without LF where the header has rows=:
// a reader that counts the rows must know that all of them are there.
var lineCut = wire.Error{Code: "line_cut", Kind: wire.ErrTruncated, Message: "the payload ends inside a line"}

// nextLine goes to the next line. Its error is sticky.
func (d *Decoder) nextLine() error {
	if d.failed != nil {
		return d.failed
	}
	err := d.lines.next()
	if err != nil && err != io.EOF {
		d.failed = err
	}
	return err
}

func (d *Decoder) fail(err error) error {
	d.failed = err
	return err
}

// A line is one line with its LF, if there is one.
type line struct {
	text   string
	at     int // bytes before it
	number int // counted from 1
	mark   int // 1 after a byte order mark
}

// body returns the line without its line end.
func (l *line) body() string { return cutCR(strings.TrimSuffix(l.text, "\n")) }

// isCut reports whether the line has no LF.
func (l *line) isCut() bool { return !strings.HasSuffix(l.text, "\n") }

// errorAt returns an error at a byte of the line.
func (l *line) errorAt(at int, e wire.Error) *wire.Error {
	e.Format = name
	return wire.Internal.Shift(wire.ErrorAt([]byte(l.text), at, e), l.at, l.number-1, l.mark)
}

// lineReader reads lines: of a text that is at hand, and then of a stream, each into a
// string of its own.
type lineReader struct {
	line                  // the last one; at the end it is cut, or empty
	rest    string        // of the text
	checked bool          // the text is UTF-8
	r       *bufio.Reader // nil for none
	limits  wire.Limits   // resolved
	offset  int           // after the line
	long    []byte
}

// next goes to the next line.
func (r *lineReader) next() error {
	if r.rest != "" {
		n := strings.IndexByte(r.rest, '\n') + 1
		if n == 0 {
			n = len(r.rest)
		}
		text := r.rest[:n]
		r.rest = r.rest[n:]
		return r.begin(text, r.checked || utf8.ValidString(text))
	}
	var part []byte
	err := io.EOF
	if r.r != nil {
		part, err = lineio.Slice(&r.long, r.r, bound.Add(r.limits.LineBytes, len("\n")))
	}
	text := bytes.TrimSuffix(part, []byte{'\n'})
	switch {
	case err == lineio.ErrTooLong || len(text) > r.limits.LineBytes:
		return wire.Internal.Shift(wire.ErrorAt(text, r.limits.LineBytes, wire.Error{Format: name, Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
			Message: "a line is longer than the limit of " + strconv.Itoa(r.limits.LineBytes) + " bytes",
			Hint:    "raise Limits.LineBytes"}), r.offset, r.number, 0)
	case err != nil && err != io.EOF:
		return err
	case len(part) > 0:
		return r.begin(string(part), scan.IsUTF8(part))
	case r.number == 0 || !r.isCut():
		r.line = line{at: r.offset, number: r.number + 1}
	}
	return io.EOF
}

// begin makes the line one with that text.
func (r *lineReader) begin(text string, valid bool) error {
	r.line = line{text: text, at: r.offset, number: r.number + 1}
	r.offset += len(text)
	if body, ok := strings.CutPrefix(text, "\ufeff"); ok && r.number == 1 {
		r.text, r.at, r.mark = body, r.at+len(text)-len(body), 1
	}
	switch {
	case r.offset > r.limits.InputBytes:
		return r.errorAt(0, inputTooLong)
	case !valid:
		return r.errorAt(scan.ValidUTF8([]byte(r.text)), invalidUTF8)
	}
	return nil
}

var invalidUTF8 = wire.Error{Format: name, Code: wire.CodeInvalidUTF8, Kind: wire.ErrUTF8, Message: "bytes that are not UTF-8"}

// DecodeSections reads a payload as it is: its sections with their rows as
// text.
func (c Codec) DecodeSections(src []byte) ([]Section, error) {
	var sections []Section
	err := c.eachSection(src, func(s Section, _ line, _ string) { sections = append(sections, s) })
	if err != nil {
		return nil, err
	}
	return sections, nil
}

// eachSection calls f with the sections of a payload, each with its first line and its text.
func (c *Codec) eachSection(src []byte, f func(s Section, header line, text string)) error {
	limits := c.Limits.Resolved()
	if len(src) > limits.InputBytes {
		return wire.ErrorAt(src, limits.InputBytes, inputTooLong)
	}
	text := string(src)
	var comments []string
	var slab cellSlab
	d := &Decoder{c: *c, lines: lineReader{rest: text, limits: limits}}
	d.Comment = func(text string) { comments = append(comments, text) }
	for {
		h, err := d.nextSection()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		s, header := Section{Header: h.Header}, d.header
		for row, err := range d.Rows() {
			if err != nil {
				return err
			}
			cells := slab.take(len(row))
			copy(cells, row)
			s.Rows = append(s.Rows, cells)
		}
		s.Comments, comments = comments, nil
		end := len(text)
		if d.pending {
			end = d.header.at
		}
		f(s, header, text[header.at:end])
	}
}

// A cellSlab is where the cells of many rows lie.
type cellSlab []string

// take returns n empty cells.
func (s *cellSlab) take(n int) []string {
	const fewest, most = 16, 1 << 10
	if n > cap(*s)-len(*s) {
		*s = make([]string, 0, max(n, min(2*cap(*s), most), fewest))
	}
	from := len(*s)
	*s = (*s)[:from+n]
	return slices.Clip((*s)[from:])
}
