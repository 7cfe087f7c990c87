package wire

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/wirekit/wirekit/internal/inplace"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/scan"
)

// JSONLines is the codec of JSON Lines: an array, each element as compact JSON
// on a line of its own. Blank lines are skipped when reading.
type JSONLines struct {
	RejectDuplicates bool // as in [JSON]
	Limits           Limits
}

// Info describes the codec.
func (c JSONLines) Info() Info {
	return Info{
		Name:       "jsonl",
		Variant:    JSON{RejectDuplicates: c.RejectDuplicates}.variant(),
		Title:      "JSON Lines",
		Prompt:     "JSON Lines: each line is a value in JSON.",
		MediaType:  "application/jsonl",
		Extensions: []string{".jsonl", ".ndjson"},
		Document:   "jsonlines.org",
		Accepts:    "arrays",
		Loss:       LossBytes | LossTime | LossTag,
	}
}

// Variants returns jsonl:strict, which refuses duplicate keys.
func (jsonlInternals) Variants(Codec) []Codec { return []Codec{JSONLines{RejectDuplicates: true}} }

// Sniff reports whether the first two lines of src that are not blank each begin
// with a brace or a bracket, and the first of them is JSON; or else whether all
// lines are JSON, of which the first sniffedLines are looked at. A single line is
// JSON.
func (c JSONLines) Sniff(src []byte) bool {
	rest := scan.TrimBOM(src)
	containers, n := 0, 0
	for ; n < sniffedLines; n++ {
		rest = rest[skipSpace(rest, 0):]
		if len(rest) == 0 {
			break
		}
		container := rest[0] == '{' || rest[0] == '['
		if n == 1 && container && containers == 1 {
			return true
		}
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		if _, err := (JSON{Limits: c.Limits}).Decode(line); err != nil {
			return false
		}
		if container {
			containers++
		}
		rest = after
	}
	return n > 1
}

// sniffedLines is how many lines Sniff looks at.
const sniffedLines = 100

// AppendEncode appends the elements of v, which must be an array.
func (c JSONLines) AppendEncode(dst []byte, v Value) ([]byte, error) {
	if v.kind != KindArray {
		return dst, &Error{Format: "jsonl", Code: "not_an_array", Kind: ErrShape,
			Message: "JSON Lines holds an array, not " + article(v.kind), Hint: "use json, or put the value into an array"}
	}
	var w jsonWriter
	w.begin(dst, "", &c.Limits)
	for i, e := range v.children() {
		w.value(e, 1)
		if !w.fits() {
			return dst, AtIndex(renamed(w.err, "jsonl"), i)
		}
		w.dst = append(w.dst, '\n')
	}
	if !w.fits() {
		return dst, renamed(w.err, "jsonl")
	}
	if !scan.IsUTF8(w.dst[len(dst):]) {
		return dst, Internal.InvalidUTF8(v, "jsonl")
	}
	return w.dst, nil
}

// article returns the kind with its article, for messages.
func article(k Kind) string {
	switch k {
	case KindNull, KindBytes:
		return k.String()
	case KindArray, KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

func renamed(err error, format string) error {
	if e, ok := err.(*Error); ok {
		e.Format = format
	}
	return err
}

// Decode returns the array of the values on the lines of src.
func (c JSONLines) Decode(src []byte) (Value, error) {
	p := newJSONParser("jsonl", &c.Limits, c.RejectDuplicates)
	v, err := p.lines(src)
	p.giveBack(nil)
	return v, err
}

// jsonlInternals are for this package, see [viewer].
type jsonlInternals struct{ inplace.Of[JSONLines] }

// With returns the codec with other limits.
func (jsonlInternals) With(c Codec, l Limits) Codec { d := c.(JSONLines); d.Limits = l; return d }

// View decodes into memory that is reused.
func (jsonlInternals) View(codec Codec, to inplace.Target, src []byte, f func(Value) error) error {
	c := codec.(JSONLines)
	p := borrowParser(to, "jsonl", &c.Limits, c.RejectDuplicates)
	v, err := p.lines(src)
	if err == nil {
		err = f(v)
	}
	p.giveBack(err)
	return err
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
	for i := p.space(0); i < p.end; n++ {
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
		if i = p.value(i, &slots[n], p.top()); i < 0 {
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
	return p.arrayOf(slots, n), nil
}

// NewRecordWriter returns a writer of one line a record. It takes records of
// any kind; keys may be nil and are not used.
func (c JSONLines) NewRecordWriter(w io.Writer, _ *Keys) (RecordWriter, error) {
	return &jsonlWriter{Output: lineio.NewOutput(w), codec: JSON{Limits: c.Limits}}, nil
}

type jsonlWriter struct {
	lineio.Output
	codec JSON
}

func (w *jsonlWriter) Write(record Value) error {
	text, _, err := w.AppendRecord(w.Text(), record, -1)
	return w.Take(text, AtIndex(err, w.Count()))
}

// AppendRecord makes the writer its own fork: it keeps nothing of a record.
func (w *jsonlWriter) AppendRecord(dst []byte, record Value, _ int) ([]byte, bool, error) {
	line, err := w.codec.AppendEncode(dst, record)
	if err != nil {
		return dst, true, renamed(err, "jsonl")
	}
	return append(line, '\n'), true, nil
}

func (w *jsonlWriter) Fork() lineio.Appender[Value] { return w }

// Records reads one value a line. Limits bound one line each.
func (c JSONLines) Records(r io.Reader) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		c.records(lineio.NewReader(r, c.Limits.Resolved().LineBytes))(yield)
	}
}

// records is Records for lines.
func (c JSONLines) records(in *lineio.Reader) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		p := newJSONParser("jsonl", &c.Limits, c.RejectDuplicates)
		p.records(in, yield)
		p.giveBack(nil)
	}
}

// ViewRecords reads into memory that is reused.
func (jsonlInternals) ViewRecords(codec Codec, r io.Reader) iter.Seq2[Value, error] {
	c := codec.(JSONLines)
	return func(yield func(Value, error) bool) {
		p := borrowParser(nil, "jsonl", &c.Limits, c.RejectDuplicates)
		p.records(lineio.NewReader(r, p.limits.LineBytes), yield)
		p.giveBack(nil)
	}
}

// Split returns the parts of a stream.
func (jsonlInternals) Split(codec Codec, r io.Reader) lineio.Split[Value] {
	c := codec.(JSONLines)
	return &jsonlParts{codec: c, parts: lineio.NewParts(nil, r, c.Limits.Resolved().LineBytes, lineio.ByLines)}
}

type jsonlParts struct {
	codec JSONLines
	parts *lineio.Parts
}

func (p *jsonlParts) Next(buf []byte) (lineio.Part, error) { return p.parts.Next(buf), nil }

func (p *jsonlParts) Records(part lineio.Part, _ int) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		parser := borrowParser(nil, "jsonl", &p.codec.Limits, p.codec.RejectDuplicates)
		in := lineio.NewPartReader(part, parser.limits.LineBytes)
		parser.records(in, yield)
		parser.giveBack(nil)
		in.Free()
	}
}

// records parses one value a line.
func (p *jsonParser) records(in *lineio.Reader, yield func(Value, error) bool) {
	for {
		line, err := in.Next()
		if err == io.EOF {
			return
		}
		if errors.Is(err, lineio.ErrTooLong) {
			e := ErrorAt(nil, 0, Error{Format: "jsonl", Code: CodeLineTooLong, Kind: ErrLimit,
				Message: "a line is longer than the limit", Hint: "raise Limits.LineBytes"})
			err = Internal.Shift(e, in.Offset(), in.Number()-1)
		}
		if err != nil {
			yield(Value{}, err)
			return
		}
		if skipSpace(line, 0) == len(line) {
			continue
		}
		v, err := p.parse(line, line)
		p.endRecord()
		if e, ok := err.(*Error); ok {
			e.detach()
			err = Internal.Shift(e, in.Offset(), in.Number()-1)
		}
		if !yield(v, err) || err != nil {
			return
		}
	}
}
