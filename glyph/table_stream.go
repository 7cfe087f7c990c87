package glyph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A tableWriter makes the rows of a table.
type tableWriter struct {
	records.Base
	e       encoder
	schema  *SchemaContext
	columns []slot
	values  *goEncoder // nil if rows need Values
	flat    gotext.Flat
	checked int32 // a shape whose keys are all among the columns
	want    int   // announced in the header, negative if not
}

// maxShapes is how many key lists a writer remembers.
const maxShapes = 1024

// NewTableWriter returns a writer of a table whose columns are keys. If keys is
// nil they are the first record's. rows is their number for the header's rows=,
// which Close checks, or negative if it is not known. The codec's options apply,
// but MinRows, MaxCols and NoTabular, which say when a list becomes a table. A record
// that cannot be written leaves the table as it was. A table without columns and records
// is written as an empty list.
func (c Codec) NewTableWriter(w io.Writer, keys *wire.Keys, rows int) (wire.RecordWriter, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	limits := c.Limits.Resolved()
	t := &tableWriter{Base: records.Base{Format: format, Limits: c.Limits, Keys: keys, Learns: true}, schema: c.Schema, want: rows}
	t.e.settings = c.settings()
	t.e.strict, t.e.maxDepth = true, limits.Depth
	if variants.IsZero[Codec](c) && rows < 0 {
		t.values = newGoEncoder()
		t.values.inCell(true)
		t.flat = gotext.Flat{Cell: t.values.Value, Nested: true, End: '|'}
	}
	if rows >= 0 {
		t.e.Counts = true
	}
	return records.NewWriter(w, t)
}

// NewRecordWriter is [Codec.NewTableWriter] for an unknown number of rows.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	return c.NewTableWriter(w, keys, -1)
}

// Header implements [records.Form].
func (t *tableWriter) Header(dst []byte) ([]byte, error) {
	if t.Keys.Len() == 0 {
		return dst, fault("no_columns", wire.ErrShape, "a table needs at least one column")
	}
	t.e.dst, t.e.maxLen = dst, t.Max
	t.learn()
	t.e.header(t.schema)
	t.e.tableHead(t.columns, t.want)
	t.e.cell = true
	missing := ""
	if t.e.Profile.rounds() {
		missing = t.e.null
	}
	t.Columns(missing)
	return t.e.dst, nil
}

// learn makes the header's keys the only ones that the encoder knows.
func (t *tableWriter) learn() {
	t.e.shapes = shapeTable{}
	t.checked = t.e.shapes.of(t.Keys, &t.e.settings)
	t.columns = t.e.shapes.slots
}

// AppendGo implements [records.Form].
func (t *tableWriter) AppendGo(dst []byte, v any) ([]byte, bool, error) {
	if t.values == nil {
		return dst, false, nil
	}
	_, at := goPlans.Root(&gowire.Types, v)
	t.values.Begin(t.Max)
	dst, done := t.flat.Append(append(dst, '|'), at, t.Keys)
	t.values.Clear()
	return append(dst, '\n'), done, nil
}

// Record implements [records.Form].
func (t *tableWriter) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	if record.Kind() != wire.KindObject {
		return dst, true, fault("not_a_record", wire.ErrShape, "a row is an object, not "+record.Kind().String())
	}
	if len(t.e.shapes.byKeys) >= maxShapes {
		t.learn()
	}
	shape := t.e.shapes.like(t.checked, record.Keys(), &t.e.settings)
	if shape != t.checked {
		if err := t.check(record); err != nil {
			return dst, true, err
		}
		t.checked = shape
	}
	t.e.dst, t.e.maxLen, t.e.err = dst, t.Max, nil
	t.e.row(record, shape, t.columns, 2)
	if t.e.err == nil && len(t.e.dst) > t.e.maxLen {
		t.e.fail(wire.CodeOutputTooLong, wire.ErrLimit, "the record gets longer than the limit; raise Limits.OutputBytes")
	}
	return t.e.dst, true, t.e.err
}

// Fork implements [records.Forker].
func (t *tableWriter) Fork() records.Form {
	f := &tableWriter{Base: t.Base, schema: t.schema, want: t.want}
	f.e.settings, f.e.strict, f.e.maxDepth, f.e.cell = t.e.settings, true, t.e.maxDepth, true
	f.learn()
	return f
}

// check refuses records that the columns cannot hold.
func (t *tableWriter) check(record wire.Value) error {
	last := -1
	for _, key := range record.Keys().All() {
		at := t.Keys.Index(key)
		switch {
		case at < 0:
			return wire.AtKey(t.Refused(wire.CodeUnknownMember, wire.ErrUnknownMember, fmt.Sprintf("the table has no column %.60q", key),
				"declare all columns, or encode the whole list at once"), key)
		case at < last && !t.e.Profile.sorted():
			return t.Refused("member_order", wire.ErrShape, fmt.Sprintf("the member %.60q is not where the columns have it, and would be read back elsewhere", key),
				"Codec.Profile ProfileCanonical sorts the members")
		}
		last = at
	}
	if t.e.NoMissing && record.Len() < t.Keys.Len() {
		return fault("missing_key", wire.ErrShape, "the record lacks a column, which Codec.NoMissing forbids")
	}
	return nil
}

// End implements [records.Form].
func (t *tableWriter) End(dst []byte, n int) ([]byte, error) {
	end := "@end"
	if t.Keys == nil {
		end = "[]"
	}
	return append(dst, end...), t.Counted(t.want, n)
}

// A tableReader reads a table row by row; it holds one row at a time.
type tableReader struct {
	r       *bufio.Reader
	codec   Codec
	limits  wire.Limits
	p       parser
	head    tableHead
	line    []byte
	offset  int // of line in the stream
	number  int // lines before line
	lines   int // in line: a row with tables in it has several
	rows    int
	started bool
	whole   bool       // the line has its newline
	target  *rowTarget // nil for none
	err     error      // the end, or what ended the stream
}

// newTableReader returns a reader of the table in r, which may follow a schema
// directive.
func (c Codec) newTableReader(r io.Reader) *tableReader {
	return &tableReader{r: bufio.NewReaderSize(r, 16<<10), codec: c, limits: c.Limits.Resolved()}
}

// remaining iterates over the rows until the table's end or the first error, which
// is the last pair.
func (t *tableReader) remaining(yield func(wire.Value, error) bool) {
	for {
		v, err := t.next()
		if err == io.EOF || !yield(v, err) || err != nil {
			return
		}
	}
}

// next returns the next row, or io.EOF after the last.
func (t *tableReader) next() (wire.Value, error) {
	t.start()
	for t.err == nil {
		if !t.readLine() {
			t.finish()
			break
		}
		i := t.p.space(0)
		if i >= t.p.end {
			continue // a blank line
		}
		t.p.values = t.limits.Values
		done, next := t.p.tableEnd(i)
		switch {
		case !t.sound(next):
		case done:
			t.ended(next)
		case t.store(i):
			t.rows++
			return wire.Value{}, nil
		default:
			v, next := t.p.row(i, t.head.columns, t.rows)
			if next >= 0 {
				t.rows++
				t.p.EndRecord()
				return v, nil
			}
			if t.codec.Lenient && !t.whole {
				t.warn("row_cut_off", wire.ErrTruncated, "the stream ends inside a row, which is left out")
				t.finish()
				break
			}
			wire.AtIndex(t.p.err, t.rows)
			t.sound(next)
		}
	}
	return wire.Value{}, t.err
}

// start reads up to the end of the header.
func (t *tableReader) start() {
	if t.started || t.err != nil {
		return
	}
	t.started = true
	t.p.depth, t.p.lenient = t.limits.Depth, t.codec.Lenient
	i, ok := t.opening()
	if !ok {
		return
	}
	if !t.p.atTable(i) {
		if t.p.cutOffIn("@tab", i) {
			i = t.p.end
		}
		t.sound(t.p.expected(i, "a table"))
		return
	}
	if t.p.depth -= 2; t.p.depth < 0 {
		t.sound(t.p.tooDeep(i))
		return
	}
	if t.head, i = t.p.tableHead(i); !t.sound(i) {
		t.head.columns = nil
	}
}

// opening reads the lines before the value: blank ones and a schema directive.
// It returns where in the line the value begins.
func (t *tableReader) opening() (int, bool) {
	directed := false
	for {
		if !t.readLine() {
			if t.err == nil {
				t.sound(t.p.expected(t.p.end, "a table"))
			}
			return 0, false
		}
		i := t.p.space(0)
		if i >= t.p.end {
			continue
		}
		if directed {
			return i, true
		}
		d, next := t.p.directive(i, t.codec.schema)
		if !t.sound(next) || !d.given {
			return i, next >= 0
		}
		directed = true
		t.p.schema = d.schema
		if i = t.p.space(next); i < t.p.end {
			return i, true
		}
	}
}

// readLine reads the next line into the parser. It returns false at the end of
// the stream, with an error if the line cannot be taken.
func (t *tableReader) readLine() bool {
	if len(t.line) > 0 && !t.whole {
		return false // that was the last
	}
	t.offset += len(t.line)
	t.number += t.lines
	t.line, t.lines = t.line[:0], 0
	var err error
	for inside := true; inside; {
		if t.line, err = lineio.Append(t.line, t.r, t.limits.LineBytes); err == nil {
			t.lines++
		}
		inside = err == nil && t.inCell()
	}
	switch t.whole = err == nil; {
	case err == lineio.ErrTooLong:
		t.p.reset(nil)
		return t.sound(t.p.fail(0, wire.CodeLineTooLong, wire.ErrLimit, "a line is longer than the limit; raise Limits.LineBytes"))
	case err != nil && !errors.Is(err, io.EOF):
		t.err = err
		return false
	}
	text := t.line
	t.p.skipped = 0
	if t.offset == 0 {
		text = scan.TrimBOM(text)
		t.p.skipped = len(t.line) - len(text)
	}
	t.p.reset(text)
	t.p.spend(len(text))
	if len(t.line) == 0 {
		return false
	}
	if n := scan.ValidUTF8(text); n < len(text) {
		if t.codec.Lenient && !t.whole && !utf8.FullRune(text[n:]) { // cut off inside a character
			t.p.reset(text[:n])
			return true
		}
		e := notUTF8(text[n:])
		return t.sound(t.p.fail(n, e.Code, e.Kind, e.Message))
	}
	return true
}

// inCell reports whether the line ends in a cell with a table in it, so that the
// row goes on: such a line ends without a "|" of the row's own.
func (t *tableReader) inCell() bool {
	row := bytes.Trim(t.line, " \t\r\n")
	n := len(row) - 1
	if n < 0 || row[0] != '|' || n > 0 && row[n] == '|' && row[n-1] != '\\' {
		return false
	}
	return t.head.columns != nil && bytes.Contains(row, []byte("@tab "))
}

// sound reports whether the parser went on to a position. If it failed, its error ends the
// stream.
func (t *tableReader) sound(next int) bool {
	if next < 0 && t.err == nil {
		t.err = wire.Internal.Shift(t.p.failure(t.line), t.offset, t.number, 0)
	}
	return next >= 0
}

func (t *tableReader) warn(code string, kind error, message string) {
	if t.codec.Warn != nil {
		t.codec.Warn(wire.Internal.Shift(wire.ErrorAt(t.line, len(t.line), *fault(code, kind, message)), t.offset, t.number, 0))
	}
	t.p.err = nil
}

// ended checks what follows @end in its line, and the number of rows.
func (t *tableReader) ended(i int) {
	if i == t.p.end && t.codec.Lenient && !strings.HasSuffix(strings.TrimSpace(t.p.s[:t.p.end]), "@end") {
		t.finish()
		return
	}
	t.count(i)
	if i = t.p.space(i); t.err == nil && i != t.p.end {
		t.sound(t.p.fail(i, wire.CodeTrailingData, wire.ErrSyntax, "expected the end after the table, found "+t.p.found(i)))
	}
	for t.err == nil && t.readLine() {
		if len(bytes.TrimSpace(t.line)) > 0 {
			t.sound(t.p.fail(t.p.space(0), wire.CodeTrailingData, wire.ErrSyntax, "expected the end after the table"))
		}
	}
	if t.err == nil {
		t.err = io.EOF
	}
}

// finish ends a stream that has no @end.
func (t *tableReader) finish() {
	if t.err != nil {
		return
	}
	if !t.codec.Lenient {
		t.sound(t.p.fail(t.p.end, "missing_end", wire.ErrTruncated, "the text ends inside a table; @end is missing"))
		return
	}
	t.warn("missing_end", wire.ErrTruncated, "the stream ends inside the table; @end is missing")
	t.count(t.p.end)
	if t.err == nil {
		t.err = io.EOF
	}
}

// count compares the number of rows with the header's.
func (t *tableReader) count(i int) {
	next := t.p.checkRows(t.head, t.rows, i)
	if next < 0 && t.codec.Lenient {
		t.warn(wire.CodeCount, wire.ErrChecksum, t.p.err.Message)
		return
	}
	t.sound(next)
}

// Records reads a table row by row. It also takes a list of any other form,
// which it reads as a whole; a schema directive must have a line of its own. With
// Lenient it gives the rows that arrived of a table that was cut off.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return c.rows(r, (*tableReader).remaining)
}

// viewRecords reads into memory that is reused.
func (c Codec) viewRecords(to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return c.rows(r, func(t *tableReader, yield func(wire.Value, error) bool) {
		if t.start(); t.err == nil {
			t.target = t.newTarget(to)
		}
		t.p.Records(to, t.remaining, yield)
	})
}

// rows reads a list, as a table by that function.
func (c Codec) rows(r io.Reader, table func(t *tableReader, yield func(wire.Value, error) bool)) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		br := bufio.NewReaderSize(r, 16<<10)
		list, err := beginsList(br)
		switch {
		case err != nil:
			yield(wire.Value{}, err)
		case list:
			c.wholeList(br, yield)
		default:
			table(c.newTableReader(br), yield)
		}
	}
}

// beginsList reports whether the document in r is a list in brackets. It reads
// ahead no further than it must, so that a slow stream is not held up.
func beginsList(r *bufio.Reader) (bool, error) {
	for {
		_, err := r.Peek(r.Buffered() + 1)
		head, _ := r.Peek(r.Buffered())
		head = bytes.TrimLeft(scan.TrimBOM(head), " \t\r\n")
		if bytes.HasPrefix(head, []byte("@schema")) {
			_, rest, _ := bytes.Cut(head, []byte("\n"))
			head = bytes.TrimLeft(rest, " \t\r\n")
		}
		undecided := strings.HasPrefix("@schema", string(head)) || strings.HasPrefix("\ufeff", string(head))
		if undecided && err == nil {
			continue
		}
		if err == io.EOF || err == bufio.ErrBufferFull || !undecided {
			err = nil
		}
		return len(head) > 0 && head[0] == '[', err
	}
}

func (c Codec) wholeList(r *bufio.Reader, yield func(wire.Value, error) bool) {
	var src []byte
	var err error
	for err == nil {
		src, err = lineio.Append(src, r, c.Limits.Resolved().InputBytes)
	}
	var v wire.Value
	if err == io.EOF || err == lineio.ErrTooLong { // as Decode says
		v, err = c.Decode(src)
	}
	if err != nil {
		yield(wire.Value{}, err)
		return
	}
	for e := range v.Elements() {
		if !yield(e, nil) {
			return
		}
	}
}
