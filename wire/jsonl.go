package wire

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// What package jsonl calls: JSON Lines are parsed as JSON is, without a call for each line.

// AppendLines appends the elements of v as JSON Lines.
func (internal) AppendLines(dst []byte, v Value, l *Limits) ([]byte, error) {
	if v.kind != KindArray {
		return dst, &Error{Format: "jsonl", Code: "not_an_array", Kind: ErrShape,
			Message: "JSON Lines holds an array, not " + Internal.WithArticle(v.kind), Hint: "use json, or put the value into an array"}
	}
	var w jsonWriter
	w.begin("jsonl", dst, "", l)
	for i, e := range v.children() {
		w.value(e, 1)
		if !w.fits() {
			return dst, AtIndex(w.err, i)
		}
		w.dst = append(w.dst, '\n')
	}
	if err := w.check(v, len(dst)); err != nil {
		return dst, err
	}
	return w.dst, nil
}

// WithArticle names a kind: an array, a number, null.
func (internal) WithArticle(k Kind) string {
	switch k {
	case KindNull, KindBytes:
		return k.String()
	case KindArray, KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// ViewLines calls f with the array of the values on the lines of src.
func (internal) ViewLines(to inplace.Target, l *Limits, rejectDuplicates bool, src []byte, f func(Value) error) error {
	p := borrowParser(to, "jsonl", l, rejectDuplicates)
	v, err := p.lines(src)
	if err == nil {
		err = f(v)
	}
	p.giveBack(err)
	return err
}

// LineRecords yields the value on each line.
func (internal) LineRecords(to inplace.Target, l *Limits, rejectDuplicates bool, in *lineio.Reader, yield func(Value, error) bool) {
	p := borrowParser(to, "jsonl", l, rejectDuplicates)
	g, _ := to.(*inplace.Record)
	p.records(in, g, &JSON{Limits: *l, RejectDuplicates: rejectDuplicates}, yield)
	p.giveBack(nil)
}

// lines parses a text of one value a line, straight into the slots of the array.
func (p *jsonParser) lines(src []byte) (Value, error) {
	text := scan.TrimBOM(src)
	if err := p.load(src, text); err != nil {
		return Value{}, err
	}
	p.depth-- // the array of the lines
	most := min(p.values, 1+bytes.Count(text, []byte{'\n'}), 1+len(text)/2)
	if most < maxChunk/4 {
		p.chunk += most
	}
	slots, n, buf := p.take(most), 0, p.buf
	for i := p.space(0); ; n++ {
		if buf[i] == byteOrderMark[0] {
			i = afterMark(buf, i, p.space)
		}
		if i >= p.end {
			break
		}
		if p.values--; p.values < 0 {
			p.tooMany(i)
			break
		}
		if end := numberEnd(buf, i); end > 0 && buf[end] == '\n' {
			slots[n] = spanValue(KindNumber, formText, buf, i, end)
			if i = end + 1; buf[i] <= ' ' {
				i = p.space(i)
			}
			continue
		}
		line := i
		if i = p.value(i, &slots[n], &p.top().inside); i < 0 {
			p.within(strconv.Itoa(n))
			break
		}
		end := i
		i = p.space(i)
		// The parser's own copy of the text has escapes decoded in it.
		if bytes.IndexByte(text[line:end], '\n') >= 0 {
			p.fail(line, "line_end_in_value", ErrSyntax, "a value spans more than one line; use json for indented text")
			break
		}
		if i < p.end && bytes.IndexByte(text[end:i], '\n') < 0 {
			p.fail(i, CodeTrailingData, ErrSyntax, "expected the end of the line after a value, found "+p.found(i))
			break
		}
	}
	if err := p.check(src, text); err != nil {
		return Value{}, err
	}
	return Array(p.first(slots, n)...), nil
}

const byteOrderMark = "\ufeff"

// afterMark returns where the text at i goes on that may begin with byte order marks, which
// files that were put together have at the beginning of lines.
func afterMark[T scan.Bytes](text T, i int, space func(int) int) int {
	for i > 0 && text[i-1] == '\n' && i+len(byteOrderMark) <= len(text) && string(text[i:i+len(byteOrderMark)]) == byteOrderMark {
		i = space(i + len(byteOrderMark))
	}
	return i
}

// records parses one value a line, unless g stores what c reads of it.
func (p *jsonParser) records(in *lineio.Reader, g *inplace.Record, c *JSON, yield func(Value, error) bool) {
	for {
		line, err := in.Next()
		if err == io.EOF {
			return
		}
		if errors.Is(err, lineio.ErrTooLong) {
			e := ErrorAt(nil, 0, Error{Format: "jsonl", Code: CodeLineTooLong, Kind: ErrLimit,
				Message: "a line is longer than the limit", Hint: "raise Limits.LineBytes"})
			err = Internal.Shift(e, in.Offset(), in.Number()-1, 0)
		}
		if err != nil {
			yield(Value{}, err)
			return
		}
		if scan.SkipSpace(line, 0) == len(line) {
			continue
		}
		if g != nil && g.Read(func() bool { return c.unmarshalGo(line, g.V) }) {
			if !yield(Value{}, nil) {
				return
			}
			continue
		}
		v, err := p.parse(line, line)
		p.endRecord()
		if e, ok := err.(*Error); ok {
			e.detach()
			err = Internal.Shift(e, in.Offset(), in.Number()-1, 0)
		}
		if !yield(v, err) || err != nil {
			return
		}
	}
}
