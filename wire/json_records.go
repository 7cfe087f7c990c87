package wire

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

var _ Streamer = JSON{}

// NewRecordWriter returns a writer of an array, whose elements are the records: of any kind;
// keys are not used. Once it is closed, what it wrote is what AppendEncode writes of the
// whole array.
func (c JSON) NewRecordWriter(w io.Writer, _ *Keys) (RecordWriter, error) {
	if err := c.checkIndent(); err != nil {
		return nil, err
	}
	return &jsonRecords{Output: lineio.NewOutput(w), c: c}, nil
}

type jsonRecords struct {
	lineio.Output
	c JSON
}

// Write implements [RecordWriter].
func (w *jsonRecords) Write(record Value) error {
	n, before, out := w.Count(), w.Text(), jsonWriter{}
	out.begin("json", before, w.c.Indent, &w.c.Limits)
	out.dst = append(out.dst, "[,"[min(n, 1)])
	if w.c.Indent != "" {
		out.newline(1)
	}
	out.value(record, 1)
	return w.Take(out.dst, AtIndex(out.check(record, len(before)), n))
}

// Close ends the array.
func (w *jsonRecords) Close() error {
	if !w.Closed() {
		text := w.Text()
		switch {
		case w.Count() == 0:
			text = append(text, '[')
		case w.c.Indent != "":
			text = append(text, '\n')
		}
		w.Put(append(text, ']'))
	}
	return w.Output.Close()
}

// Records reads the elements of the array at RecordsAt, each as soon as it is whole. What
// else the document has is read, too, and refused where it is not JSON, but not kept: Limits
// bound one element each, LineBytes the length of its text. Where an object has a key of
// RecordsAt twice, the first one counts.
func (c JSON) Records(r io.Reader) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		c.stream(r, borrowParser(inplace.Owned{}, "json", &c.Limits, c.RejectDuplicates), nil).run(yield)
	}
}

func (c JSON) viewStream(to inplace.Target, r io.Reader) *jsonStream {
	record, _ := to.(*inplace.Record)
	return c.stream(r, borrowParser(to, "json", &c.Limits, c.RejectDuplicates), record)
}

func (c JSON) stream(r io.Reader, p *jsonParser, record *inplace.Record) *jsonStream {
	return &jsonStream{Window: lineio.NewWindow(r), c: c, p: p, record: record}
}

// A jsonStream reads a JSON text with as much of it at hand as an element takes.
type jsonStream struct {
	*lineio.Window
	c      JSON
	p      *jsonParser     // its depth is what is left where the stream is
	record *inplace.Record // nil if all records need Values
	yield  func(Value, error) bool
}

// errStopped ends the reading of a text whose reader has left.
var errStopped = errors.New("stopped")

// run reads the text.
func (s *jsonStream) run(yield func(Value, error) bool) {
	tokens, err := pointerTokens(s.c.RecordsAt)
	for err == nil && len(s.Text()) < len(byteOrderMark) {
		err = s.More()
	}
	if err == nil || err == io.EOF {
		s.Drop(len(s.Text()) - len(scan.TrimBOM(s.Text())))
		err = nil
	}
	s.read(tokens, err, yield)
}

// read reads the array to which the tokens lead and what follows it, unless it failed before.
func (s *jsonStream) read(tokens []string, err error, yield func(Value, error) bool) {
	s.yield = yield
	if err == nil {
		err = s.walk(tokens)
	}
	for err == nil {
		var c byte
		if c, err = s.next(); err != nil || len(s.Text()) == 0 {
			break
		}
		if c == ';' && s.p.classes != nil {
			s.Drop(1)
			continue
		}
		err = s.fail(func(p *jsonParser) { p.trailing(0) })
	}
	s.p.giveBack(err)
	if err != nil && err != errStopped {
		yield(Value{}, err)
	}
}

// walk reads a value, and yields the elements of the array to which the tokens lead.
func (s *jsonStream) walk(tokens []string) error {
	c, err := s.next()
	if err != nil {
		return err
	}
	found := false
	part := func(token string) error {
		if found || token != tokens[0] {
			return s.skip()
		}
		found = true
		return s.walk(tokens[1:])
	}
	switch {
	case len(tokens) == 0 && c == '[':
		return s.array(s.element)
	case len(tokens) > 0 && c == '[':
		err = s.array(func(n int) error { return part(strconv.Itoa(n)) })
	case len(tokens) > 0 && c == '{':
		err = s.object(part)
	default:
		if c != '{' {
			err = s.skip() // it may be no value at all
		}
		if err == nil {
			err = s.fail(func(p *jsonParser) {
				p.fail(0, "not_an_array", ErrShape, "the records of JSON are the elements of an array, and here is none")
				p.err.Hint = "point at one: RecordsAt is a JSON pointer such as /items"
			})
		}
		return err
	}
	if err == nil && !found {
		err = s.fail(func(p *jsonParser) {
			p.fail(0, "no_such_part", ErrShape, fmt.Sprintf("what ends here has no part %.60q; the pointer to the records leads there", tokens[0]))
		})
	}
	return err
}

// array reads an array by a function that reads an element.
func (s *jsonStream) array(element func(n int) error) error {
	return s.list(']', "',' or ']' after an element", element)
}

// object reads an object by a function that reads the value of a key.
func (s *jsonStream) object(value func(key string) error) error {
	return s.list('}', "',' or '}' after a member", func(int) error {
		if err := s.expect('"', "a key in quotation marks"); err != nil {
			return err
		}
		key, err := s.scalar()
		if err == nil {
			err = s.expect(':', "':' after a key")
		}
		if err != nil {
			return err
		}
		s.Drop(len(":"))
		return value(key)
	})
}

// list reads what is in brackets, by a function that reads one part of it.
func (s *jsonStream) list(end byte, after string, part func(n int) error) error {
	if s.p.depth--; s.p.depth < 0 {
		return s.fail(func(p *jsonParser) { p.tooDeep(0) })
	}
	for n := 0; ; n++ {
		s.Drop(1) // a bracket or comma
		c, err := s.next()
		if err == nil && (n > 0 || c != end) {
			if err = part(n); err == nil {
				c, err = s.next()
			}
		}
		switch {
		case err != nil:
			return err
		case c == end && len(s.Text()) > 0:
			s.Drop(1)
			s.p.depth++
			return nil
		}
		if err := s.expect(',', after); err != nil {
			return err
		}
	}
}

// element yields an element.
func (s *jsonStream) element(n int) error {
	text, whole, err := s.text()
	if err != nil {
		return AtIndex(err, n)
	}
	var v Value
	if !whole || s.record == nil || !s.record.Read(func() bool { return s.c.unmarshalGo(text, s.record.V) }) {
		v, err = s.p.parse(text, text)
		s.p.endRecord()
	}
	if err == nil && whole && !s.yield(v, nil) {
		return errStopped
	}
	return AtIndex(s.done(text, err), n) // the end follows what is not whole
}

// locate gives an error of storing the element that was yielded its position.
func (s *jsonStream) locate(err error) error {
	text, _, _ := s.text()
	return s.place(locate(JSON{}, text, err))
}

// skip reads a value that is not wanted.
func (s *jsonStream) skip() error {
	c, err := s.next()
	switch {
	case err != nil:
	case c == '[':
		err = s.array(func(int) error { return s.skip() })
	case c == '{':
		err = s.object(func(string) error { return s.skip() })
	default:
		_, err = s.scalar()
	}
	return err
}

// scalar reads a value that has no others in it.
func (s *jsonStream) scalar() (text string, err error) {
	src, _, err := s.text()
	if err == nil {
		err = s.done(src, s.c.view(nil, src, func(v Value) error {
			text = string(v.appendText(nil))
			return nil
		}))
	}
	return text, err
}

// next passes over white space, and returns the byte after it, 0 at the end.
func (s *jsonStream) next() (byte, error) {
	for {
		n := scan.SkipSpace(s.Text(), 0)
		s.Drop(n)
		if text := s.Text(); len(text) > 0 {
			return text[0], nil
		}
		if err := s.More(); err == io.EOF {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// expect refuses what is not the byte c after white space.
func (s *jsonStream) expect(c byte, what string) error {
	got, err := s.next()
	if err == nil && (got != c || len(s.Text()) == 0) {
		err = s.fail(func(p *jsonParser) { p.expected(0, what) })
	}
	return err
}

// fail returns the error that say gives the parser of the next character, or of the end.
func (s *jsonStream) fail(say func(p *jsonParser)) error {
	for !utf8.FullRune(s.Text()) && s.More() == nil {
	}
	_, n := utf8.DecodeRune(s.Text())
	text := s.Text()[:n]
	if err := s.p.load(text, text); err != nil {
		return s.place(err)
	}
	say(s.p)
	return s.place(s.p.check(text, text))
}

// place puts an error in Text where it is in the stream.
func (s *jsonStream) place(err error) error {
	e, ok := err.(*Error)
	if !ok || e.Line == 0 {
		return err
	}
	e.detach()
	offset, lines, columns := s.At()
	return Internal.Shift(e, offset, lines, columns)
}

// done drops the text of a value, or places the error of parsing it: that it ends is none if
// more of the stream follows, and that something follows the value is one after it.
func (s *jsonStream) done(text []byte, err error) error {
	n := len(text)
	if rest := s.Text()[n:]; errors.Is(err, ErrTruncated) && len(rest) > 0 {
		_, more := utf8.DecodeRune(rest)
		p := borrowParser(inplace.Owned{}, s.p.format, &s.c.Limits, s.c.RejectDuplicates)
		p.classes = s.p.classes
		_, err = p.parse(s.Text()[:n+more], s.Text()[:n+more])
		p.giveBack(nil)
	}
	if e, ok := err.(*Error); ok && e.Code == CodeTrailingData {
		n, err = e.Offset, nil
	}
	if err != nil {
		return s.place(err)
	}
	s.Drop(n)
	return nil
}

// text returns the text of the value that comes next, and whether it is whole, which at the
// end of the stream it may not be.
func (s *jsonStream) text() (text []byte, whole bool, err error) {
	c, err := s.next()
	if err == nil && c == byteOrderMark[0] { // which the parser would pass over
		err = s.fail(func(p *jsonParser) { p.expected(0, "a value") })
	}
	if err != nil {
		return nil, false, err
	}
	return s.cut(valueEnd{classed: s.p.classes != nil}, "the text of a record")
}

// cut returns the text that comes next, of what it is, up to where v finds its end.
func (s *jsonStream) cut(v valueEnd, what string) (text []byte, whole bool, err error) {
	for {
		text = s.Text()
		n := v.find(text)
		if most := s.p.limits.LineBytes; max(n, v.at) > most {
			return nil, false, s.place(ErrorAt(text, most, Error{Format: s.p.format, Code: CodeLineTooLong, Kind: ErrLimit,
				Message: what + " is longer than the limit", Hint: "raise Limits.LineBytes"}))
		}
		if n >= 0 {
			return text[:n], true, nil
		}
		if err := s.More(); err == io.EOF {
			return s.Text(), false, nil
		} else if err != nil {
			return nil, false, err
		}
	}
}

// A valueEnd finds where a value ends.
type valueEnd struct {
	at      int // how far the text has been looked at
	depth   int // of brackets that are open
	quoted  bool
	classed bool // it may be an instance
	header  bool // it ends with the bracket that begins a value
}

// find returns the length of the value at the beginning of a text, or of what is there in its
// place; -1 if it may go on after the text. The next text begins with this one.
func (v *valueEnd) find(text []byte) int {
	for ; v.at < len(text); v.at++ {
		if v.quoted {
			v.at, _ = scan.TextEnd(text, v.at)
			switch {
			case v.at == len(text) || text[v.at] == '\\' && v.at+1 == len(text):
				return -1
			case text[v.at] == '\\':
				v.at++
			case text[v.at] == '"':
				v.quoted = false
				if v.depth == 0 {
					return v.at + 1
				}
			}
			continue
		}
		c := text[v.at]
		switch c {
		case '"', '[', '{':
			if v.depth == 0 && v.at > 0 {
				return v.at
			}
			if v.quoted = c == '"'; !v.quoted {
				v.depth++
			}
			if v.header && !v.quoted {
				return v.at + 1
			}
		case '(':
			if v.classed {
				v.depth++
			}
			continue
		case ')', ']', '}':
			if c == ')' && !v.classed {
				continue
			}
			if v.depth--; v.depth == 0 {
				return v.at + 1
			}
		case ' ', '\t', '\n', '\r':
			if v.classed { // a parenthesis may follow
				continue
			}
		case ',', ':':
		default:
			continue
		}
		if v.depth < 0 || v.depth == 0 && !v.quoted {
			return max(v.at, 1)
		}
	}
	return -1
}
