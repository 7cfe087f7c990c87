package convert

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// A lineSource is the codec of a format in which each record can be read alone,
// JSON Lines, CSV or documents of YAML. It reads batch by batch, so that a record
// that the codec refuses does not end the stream: it may be several JSON values, and
// with skip it is reported and passed over.
type lineSource struct {
	wire.Streamer
	table   lineio.Table // whose rows are the records, if it has a Comma
	marked  bool         // a record ends in front of a line that begins with ---, or after ...
	limit   int          // of a record's length
	skip    func(error)
	decoder wire.JSON
	twice   *atomic.Int64 // counts records in which an object has a key twice, nil if they are refused
}

// quoted reports whether a record may be on several lines in quotation marks.
func (s lineSource) quoted() bool { return s.table.Comma != 0 }

// lineCodec returns a line format's source, and any other codec as it is. Without
// skip the first bad record ends the stream. Records of JSON in which an object has a key
// twice are counted in twice, unless the codec refuses them.
func lineCodec(codec wire.Streamer, skip func(error), twice *atomic.Int64) wire.Streamer {
	s := lineSource{Streamer: codec, skip: skip}
	switch c := codec.(type) {
	case jsonl.Codec:
		s.limit = c.Limits.Resolved().LineBytes
		if !c.RejectDuplicates && twice != nil {
			s.twice, c.RejectDuplicates = twice, true
		}
		s.Streamer, s.decoder = c, wire.JSON{RejectDuplicates: c.RejectDuplicates, Limits: c.Limits}
		return s
	case csv.Codec:
		s.limit, s.table.Comma = c.Limits.Resolved().LineBytes, cmp.Or(c.Comma, ',')
	case yaml.Codec:
		s.limit, s.marked = c.Limits.Resolved().LineBytes, true
	}
	if skip == nil || s.limit == 0 {
		return codec
	}
	return s
}

// Records reads one batch after the other.
func (s lineSource) Records(in io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		b := s.batches(in)
		var part lineio.Part
		for {
			var err error
			if part, err = b.Next(part.Text); err != nil {
				yield(wire.Value{}, err)
				return
			}
			ended := false
			for v, err := range b.Records(part, 0) {
				if ended = !yield(v, err) || err != nil; ended {
					break
				}
			}
			b.Done(part)
			if ended || part.Rest != nil {
				return
			}
		}
	}
}

// Internal is for package wire.
func (lineSource) Internal() any { return batched }

var batched = describe.Type[lineSource](describe.Codec{Parts: batchParts{}})

// batchParts makes the batches the parts of the stream.
type batchParts struct{}

func (batchParts) Split(s wire.Codec, in io.Reader) records.Parts {
	return s.(lineSource).batches(in)
}

// batches are those of one stream.
type batches struct {
	lineSource
	parts  *lineio.Parts
	header []byte // of a table, which is read in front of each batch

	mu    sync.Mutex
	skips map[int][]error // of the bad records that are passed over, by the offset of their batch; nil after the first that are reported
}

func (s lineSource) batches(in io.Reader) *batches {
	cut := lineio.ByLines
	switch {
	case s.quoted():
		cut = s.table.Cut
	case s.marked:
		cut = s.wholeRecords
	}
	return &batches{lineSource: s, parts: lineio.NewParts(nil, in, s.limit+len("\r\n"), cut), skips: make(map[int][]error)}
}

// Next returns the next batch. The header of a table belongs to none.
func (b *batches) Next(buf []byte) (lineio.Part, error) {
	part := b.parts.Next(buf)
	if !b.quoted() || b.header != nil || len(part.Text) == 0 {
		return part, nil
	}
	n, _ := b.record(part.Text)
	if csv.Separator(part.Text[:n]) != 0 {
		names, _ := b.record(part.Text[n:])
		n += names
	}
	b.header = bytes.Clone(part.Text[:n])
	if _, err := b.Decode(b.header); err != nil {
		return part, err
	}
	part.Text = part.Text[n:]
	part.Offset += n
	part.Lines += bytes.Count(b.header, []byte{'\n'})
	part.Records--
	return part, nil
}

// Records reads a batch. What it passes over is reported by Done.
func (b *batches) Records(part lineio.Part, _ int) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		text, failed := b.text(part)
		r := batchReader{batches: b, part: part}
		more := r.batch(text, yield)
		if b.skip != nil {
			b.mu.Lock()
			b.skips[part.Offset] = r.skipped
			b.mu.Unlock()
		}
		if more && failed != nil {
			yield(wire.Value{}, failed)
		}
	}
}

// text returns the batch, and the error of the reader after it.
func (b *batches) text(part lineio.Part) ([]byte, error) {
	if part.Rest == nil || len(part.Text) > b.limit {
		return part.Text, nil // the codec says that a record is too long
	}
	_, err := io.ReadAll(part.Rest)
	if err == nil {
		return part.Text, nil
	}
	return part.Text[:b.wholeRecords(part.Text, 0).End], err
}

// Done reports what has been passed over in a batch.
func (b *batches) Done(part lineio.Part) {
	b.mu.Lock()
	passed := b.skips[part.Offset]
	delete(b.skips, part.Offset)
	b.mu.Unlock()
	for _, err := range passed {
		b.skip(err)
	}
}

// A batchReader reads the records of a batch.
type batchReader struct {
	*batches
	part    lineio.Part // what has not been handed out
	singly  int         // how many records to read one by one
	skipped []error
}

// wholeRecords cuts a text after its last whole record.
func (s lineSource) wholeRecords(text []byte, _ int) lineio.Cut {
	var c lineio.Cut
	for c.End < len(text) {
		n, whole := s.record(text[c.End:])
		if !whole {
			break
		}
		c.End += n
		c.Records++
	}
	return c
}

// record returns the length of the first record of text, with what is before it, and whether
// something ends it.
func (s lineSource) record(text []byte) (int, bool) {
	return describe.Of(s.Streamer).Cut(s.Streamer, text)
}

// batch hands out the records of a batch. It returns false if that was the end.
// The codec reads them all at once, up to a bad one; that one and some after it
// are read one by one, since where one is bad others often are.
func (s *batchReader) batch(batch []byte, yield func(wire.Value, error) bool) bool {
	for len(batch) > 0 {
		n, more, err := len(batch), false, error(nil)
		if s.singly > 0 || s.marked { // a document's error need not be on its lines
			s.singly--
			record, _ := s.record(batch)
			n, more = s.one(batch[:record], yield)
		} else if more, err = s.all(batch, yield); err != nil {
			n = s.before(batch, cli.Fault(err).Line-bytes.Count(s.header, []byte{'\n'}))
			s.singly = singly
		}
		if !more {
			return false
		}
		s.part.Offset += n
		s.part.Lines += bytes.Count(batch[:n], []byte{'\n'})
		batch = batch[n:]
	}
	return true
}

// singly is how many records are read one by one from a bad one on.
const singly = 64

// all hands out records up to the end or to a bad one, whose error it returns.
func (s *batchReader) all(batch []byte, yield func(wire.Value, error) bool) (bool, error) {
	for v, err := range s.together(batch) {
		if cli.Fault(err) != nil {
			return true, err
		}
		if !yield(v, err) || err != nil {
			return false, nil
		}
	}
	return true, nil
}

// together returns the records of a batch as the codec reads them.
func (s *batchReader) together(batch []byte) iter.Seq2[wire.Value, error] {
	if c, ok := s.Streamer.(jsonl.Codec); ok {
		return describe.Of(c).Parts.Split(c, nil).Records(lineio.Part{Text: batch}, 0)
	}
	return wire.ViewRecords(s.Streamer, io.MultiReader(bytes.NewReader(s.header), bytes.NewReader(batch)))
}

// before returns the length of the records before the one that the line, counted
// from 1, is part of.
func (s *batchReader) before(batch []byte, line int) int {
	at, lines := 0, 0
	for {
		n, _ := s.record(batch[at:])
		lines += bytes.Count(batch[at:at+n], []byte{'\n'})
		if lines >= line || at+n == len(batch) {
			return at
		}
		at += n
	}
}

// one hands out what a record holds, or reports that it is bad. It returns how
// much of it was dealt with, and false if that was the end.
func (s *batchReader) one(record []byte, yield func(wire.Value, error) bool) (int, bool) {
	more, err := s.read(record, yield)
	e := cli.Fault(err)
	if e == nil {
		return len(record), more
	}
	n := len(record)
	if s.quoted() || s.marked {
		// Path and byte are those of this reading, and the line says enough.
		e = &wire.Error{Format: e.Format, Code: e.Code, Kind: e.Kind, Message: e.Message, Hint: e.Hint,
			Offset: e.Offset - len(s.header), Line: e.Line - bytes.Count(s.header, []byte{'\n'}), Column: e.Column}
	}
	switch { // where quotation marks are at fault, which make one row of many lines, not all is passed over
	case !s.quoted():
	case e.Code == "bare_quote" || e.Code == "misplaced_character":
		n = linesLen(record, e.Line)
	case e.Code == wire.CodeUnterminated:
		n = linesLen(record, 1)
		e.Message = "the text ends inside of a quoted cell"
	}
	e = wire.Internal.Shift(e, s.part.Offset, s.part.Lines, 0)
	if s.skip == nil || e.Code == wire.CodeLineTooLong {
		yield(wire.Value{}, e)
		return 0, false
	}
	s.singly = singly
	var kept error
	if len(s.skipped) < reportedSkips {
		kept = e
	}
	s.skipped = append(s.skipped, kept)
	return n, true
}

// read hands out what a record holds. It returns false if no one wants more, and
// the record's error, whose position is that after the header.
func (s *batchReader) read(record []byte, yield func(wire.Value, error) bool) (bool, error) {
	if line := bytes.TrimRight(record, "\r\n"); !s.quoted() && !s.marked && len(line) <= s.limit {
		return s.values(line, yield)
	}
	return s.all(record, yield)
}

// linesLen returns the length of the first n lines of text.
func linesLen(text []byte, n int) int {
	at := 0
	for line := range bytes.Lines(text) {
		if n--; n < 0 {
			break
		}
		at += len(line)
	}
	return at
}

// values hands out the JSON values that are one after the other on a line. It
// returns false if no one wants more, and the error of the first bad one, whose
// position is that in the line.
func (s lineSource) values(line []byte, yield func(wire.Value, error) bool) (bool, error) {
	for at := 0; ; {
		at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t\r\n"))
		if at == len(line) {
			return true, nil
		}
		end := firstEnd(line, at)
		v, err := s.decoder.Decode(line[at:end])
		if s.twice != nil && cli.Code(err) == wire.CodeDuplicateKey {
			s.twice.Add(1)
			v, err = wire.JSON{Limits: s.decoder.Limits}.Decode(line[at:end])
		}
		if err != nil {
			blanks := 0
			if at > 0 || end < len(line) { // again with what is before it blank, for the column's sake
				blanks = utf8.RuneCount(line[:at])
				if _, again := s.decoder.Decode(append(bytes.Repeat([]byte{' '}, blanks), line[at:]...)); again != nil {
					err = again
				}
			}
			if e := cli.Fault(err); e != nil {
				e.Format = "jsonl"
				e.Offset += at - blanks
				e.Hint = cmp.Or(cli.Dialect(line, e.Offset), e.Hint)
			}
			return true, err
		}
		if !yield(v, nil) {
			return false, nil
		}
		at = end
	}
}

// firstEnd returns the end of the JSON value at a place of text, or that of all of text if
// there is none, or if what follows cannot begin another.
func firstEnd(text []byte, at int) int {
	end := splice.Text{Bytes: text}.SkipValue(at)
	if end < 0 {
		return len(text)
	}
	if end == len(text) || bytes.IndexByte([]byte(`"]}`), text[end-1]) >= 0 || bytes.IndexByte([]byte(" \t\r\n\"[{"), text[end]) >= 0 {
		return end
	}
	return len(text)
}

// skipped reports the records that --skip-bad passes over: the first few, and
// at the end how many there were.
type skipped struct {
	c     *cli.Console
	file  string
	n     int
	quiet bool
}

const reportedSkips = 5

func (s *skipped) record(err error) {
	if s.n++; s.n <= reportedSkips && !s.quiet {
		s.c.Note("passed over: %v", cli.About(s.file, err))
	}
}

func (s *skipped) total() {
	if s.n > 0 {
		s.c.Note("%s passed over", cli.Plural(s.n, "bad record"))
	}
}
