package toon

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// Records reads a document that is an array, element by element. A table or list
// is held one row or item at a time, an array in one line as a whole. The number
// of elements is checked at the end, so the last pair may be that error. A
// document that is not an array is an error.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		d := c.records(r)
		follow, err := d.open()
		d.yield(follow, err, yield)
	}
}

// viewRecords reads into memory that is reused.
func (c Codec) viewRecords(to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		d := c.records(r)
		follow, err := d.open()
		if follow && c == (Codec{}) {
			d.target = d.newTarget(to)
		}
		d.p.Records(to, func(yield func(wire.Value, error) bool) { d.yield(follow, err, yield) }, yield)
	}
}

func (c Codec) records(r io.Reader) *recordReader {
	limits := c.Limits.Resolved()
	return &recordReader{invalid: c.check(), r: bufio.NewReaderSize(r, 64<<10), limits: limits, p: new(parser).configure(c, limits), base: 1}
}

// A recordReader reads the elements of an array. It gives the parser a chunk of
// whole lines after the other: up to the header, up to a row, or an item.
type recordReader struct {
	invalid error // of the codec's options
	r       *bufio.Reader
	limits  wire.Limits
	p       *parser // of the chunk

	long   []byte // a line that is longer than the reader's buffer
	chunk  []byte
	offset int    // of the chunk in the stream
	number int    // lines before the chunk
	held   []byte // the line read last, if it belongs to the next chunk

	head     header
	headText []byte         // the chunk with the header
	inline   wire.Value     // the array, if it is in the header's line
	base     int            // the depth of the elements' lines
	n        int            // elements read
	target   *elementTarget // nil for none
}

// yield gives the elements, or the error, that [recordReader.open] has left.
func (d *recordReader) yield(follow bool, err error, yield func(wire.Value, error) bool) {
	if follow {
		d.elements(-1, yield)
		return
	}
	if err == nil {
		for e := range d.inline.Elements() {
			if !yield(e, nil) {
				return
			}
		}
		if err = d.load(d.read(false)); err == nil && !d.p.complete() { // nothing must follow
			err = d.failure()
		}
	}
	if err != nil {
		yield(wire.Value{}, err)
	}
}

// open reads the header, and the array if that is in the same line. It reports
// whether rows or items follow.
func (d *recordReader) open() (follow bool, err error) {
	if d.invalid != nil {
		return false, d.invalid
	}
	if err := d.load(d.read(false)); err != nil {
		return false, err
	}
	p := d.p
	i, end := p.line.text, p.line.end
	bracket, colon := p.colon(i, end)
	switch {
	case p.ended():
		return false, d.notAnArray()
	case p.line.depth > 0:
		p.stray()
		return false, d.failure()
	case !p.take():
		return false, d.failure()
	case colon < 0 && p.s[i:end] == "[]":
		d.inline = wire.Array()
		return false, nil
	case colon < 0 || bracket != i:
		return false, d.notAnArray()
	}
	var ok bool
	if d.head, ok = p.header(i, bracket, end); !ok {
		return false, d.failure()
	}
	switch {
	case d.head.keyed:
		return false, d.notAnArray()
	case d.head.list == nil && d.head.rest < end:
		if d.inline, ok = d.p.inline(&d.head, end); !ok {
			return false, d.failure()
		}
		return false, nil
	}
	d.headText = bytes.Clone(d.chunk)
	p.known = [knownLists]*fieldList{} // the field list outlives its chunk
	return true, nil
}

func (d *recordReader) notAnArray() error {
	d.p.fail(d.p.line.text, "not_an_array", wire.ErrShape, "the document is not an array, so it has no records", "decode it as a whole")
	return d.failure()
}

// elements gives the rows or items one by one, most of them at most unless that is
// negative, and the error that ends them.
func (d *recordReader) elements(most int, yield func(wire.Value, error) bool) {
	for n := 0; n != most; n++ {
		v, err := d.following()
		if err == io.EOF || !yield(v, err) || err != nil {
			return
		}
		d.p.EndRecord()
	}
}

// following returns the next element, null for one that is stored; io.EOF after the last.
func (d *recordReader) following() (v wire.Value, err error) {
	if err = d.next(); err == nil && d.store() {
		d.n++
		return v, nil
	}
	if err = d.load(err); err != nil {
		return v, err
	}
	if d.p.ended() {
		return v, cmp.Or(d.counted(), io.EOF)
	}
	v, ok := d.element()
	if !ok {
		wire.AtIndex(d.p.err, d.n)
		return wire.Value{}, d.failure()
	}
	d.n++
	return v, nil
}

// next reads the chunk of the next row or item.
func (d *recordReader) next() error {
	p := d.p
	p.shift, p.spans = d.base-1, min(d.n, 1)
	p.values, p.depth = d.limits.Values, d.limits.Depth-1
	return d.read(d.head.list == nil)
}

// element parses the row or item that is in the chunk.
func (d *recordReader) element() (wire.Value, bool) {
	p := d.p
	switch {
	case p.line.depth < 1 && p.line.depth+p.shift >= 1:
		return wire.Value{}, p.betweenDepths()
	case p.line.depth < 1:
		return wire.Value{}, p.complete()
	case d.n == 0:
		jump, ok := p.open(1)
		if !ok {
			return wire.Value{}, false
		}
		d.base += jump
	}
	switch {
	case d.head.list == nil && (p.line.depth > 1 || !p.isItem()):
		return wire.Value{}, p.noItem(1)
	case p.line.depth > 1:
		return wire.Value{}, p.stray()
	}
	if !p.take() {
		return wire.Value{}, false
	}
	if d.head.list != nil {
		return p.singleRow(&d.head)
	}
	p.spans = 1
	v, ok := p.item(1)
	if ok && !p.ended() {
		return wire.Value{}, p.stray()
	}
	if ok && d.held != nil && p.blank >= 0 && p.strict {
		return wire.Value{}, p.blankLine()
	}
	return v, ok
}

// counted compares the number of elements with the header's.
func (d *recordReader) counted() error {
	what := "item"
	if d.head.list != nil {
		what = "row"
	}
	d.chunk, d.offset, d.number = d.headText, 0, 0
	if err := d.load(nil); err != nil {
		return err
	}
	for !d.p.ended() {
		d.p.advance()
	}
	if d.p.counted(&d.head, d.n, what, true) {
		return nil
	}
	return d.failure()
}

// read reads a chunk: all lines of the next item of a list, or, for what is in one line, up to
// the end of the next one that is neither blank nor a comment. It has what is left of the
// stream if there is no such line.
func (d *recordReader) read(item bool) error {
	d.offset += len(d.chunk)
	d.number += bytes.Count(d.chunk, []byte{'\n'})
	began, base := d.held != nil, d.base
	d.chunk, d.held = append(d.chunk[:0], d.held...), nil
	for {
		raw, err := d.line()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		depth, content := d.depth(raw)
		switch {
		case content && began && depth <= base:
			d.held = bytes.Clone(raw)
			return nil
		case content && !item:
			d.chunk = append(d.chunk, raw...)
			return nil
		case content && !began:
			began = true
			if !d.p.strict {
				base = max(base, depth)
			}
		}
		if d.chunk = append(d.chunk, raw...); len(d.chunk) > d.limits.InputBytes {
			return d.errorAt(d.limits.InputBytes, wire.Error{Format: format, Code: wire.CodeInputTooLong, Kind: wire.ErrLimit,
				Message: "an element is longer than the limit", Hint: "raise Limits.InputBytes"})
		}
	}
}

// depth returns the depth of a line and whether it has content.
func (d *recordReader) depth(raw []byte) (int, bool) {
	n := 0
	for n < len(raw) && raw[n] == ' ' {
		n++
	}
	// No byte order mark, and no need to look closer.
	if n < len(raw) && raw[n] > ' ' && raw[n] != '#' && raw[n] < 0x80 && n%d.p.unit == 0 {
		return n / d.p.unit, true
	}
	if d.offset == 0 {
		raw = scan.TrimBOM(raw)
	}
	d.p.reset(raw) // which the next chunk is yet to come for
	d.p.advance()
	return d.p.line.depth + d.p.shift, !d.p.ended()
}

// load gives the chunk to the parser, unless it could not be read.
func (d *recordReader) load(err error) error {
	if err != nil {
		return err
	}
	text := d.chunk
	d.p.skipped = 0
	if d.offset == 0 {
		text = scan.TrimBOM(text)
		d.p.skipped = len(d.chunk) - len(text)
	}
	if !scan.IsUTF8(text) {
		return d.errorAt(d.p.skipped+scan.ValidUTF8(text), invalidUTF8)
	}
	d.p.reset(text)
	d.p.advance()
	return nil
}

// line reads a line with its end, which the next call overwrites. The error is
// io.EOF after the last line.
func (d *recordReader) line() ([]byte, error) {
	line, err := lineio.Slice(&d.long, d.r, bound.Add(d.limits.LineBytes, len("\r\n")))
	switch {
	case err == lineio.ErrTooLong:
		at := d.offset + len(d.chunk) // of the line's beginning
		e := wire.ErrorAt(nil, 0, wire.Error{Format: format, Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
			Message: "a line is longer than the limit", Hint: "raise Limits.LineBytes"})
		return nil, wire.Internal.Shift(e, at, d.number+bytes.Count(d.chunk, []byte{'\n'}), 0)
	case err == nil || err == io.EOF && len(line) > 0:
		return line, nil
	}
	return nil, err
}

// failure returns the parser's error with its position in the stream.
func (d *recordReader) failure() error { return d.errorAt(d.p.at+d.p.skipped, *d.p.err) }

// errorAt returns an error at a byte of the chunk.
func (d *recordReader) errorAt(at int, e wire.Error) error {
	return wire.Internal.Shift(wire.ErrorAt(d.chunk, at, e), d.offset, d.number, 0)
}
