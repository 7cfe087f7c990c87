package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/wire"
)

// lineSource reads the records of a line format, JSON Lines or CSV, batch by
// batch, so that a record that its codec refuses does not end the stream: it may
// be several JSON values, and with skip it is reported and passed over.
type lineSource struct {
	codec   wire.Streamer
	quoted  bool // a record ends at a line end behind an even number of quotation marks
	limit   int  // of a record's length
	skip    func(error)
	in      io.Reader
	rest    []byte // what was read
	taken   int    // of rest, which has been handed out
	ended   bool
	header  []byte // of a table, in front of each batch
	at      mark   // of the batch
	decoder wire.JSON
}

// A mark is a place in the input: what is before it.
type mark struct{ offset, lines int }

func (m *mark) pass(text []byte) {
	m.offset += len(text)
	m.lines += bytes.Count(text, []byte{'\n'})
}

// batchSize is how much is read at a time. What is there is not kept waiting
// for more.
const batchSize = 256 << 10

// lineRecords returns the records of a line format, nil for any other. Without
// skip the first bad record ends them.
func lineRecords(codec wire.Streamer, in io.Reader, skip func(error)) iter.Seq2[wire.Value, error] {
	s := &lineSource{codec: codec, in: in, skip: skip}
	switch c := codec.(type) {
	case wire.JSONLines:
		s.limit = c.Limits.Resolved().LineBytes
		s.decoder = wire.JSON{RejectDuplicates: c.RejectDuplicates, Limits: c.Limits}
	case csv.Codec:
		if skip == nil {
			return codec.Records(in)
		}
		s.limit, s.quoted = c.Limits.Resolved().LineBytes, true
	default:
		return nil
	}
	return s.records
}

func (s *lineSource) records(yield func(wire.Value, error) bool) {
	for {
		batch, err := s.next()
		if len(batch) > 0 && !s.batch(batch, yield) {
			return
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
	}
}

// next returns whole records: up to the last line end that ends one, or to the
// end of the input. They are valid until the next call.
func (s *lineSource) next() ([]byte, error) {
	s.rest = append(s.rest[:0], s.rest[s.taken:]...)
	s.taken = 0
	for !s.ended {
		s.rest = slices.Grow(s.rest, batchSize)
		n, err := s.in.Read(s.rest[len(s.rest):cap(s.rest)])
		s.rest = s.rest[:len(s.rest)+n]
		s.ended = err != nil
		end := s.end()
		if len(s.rest)-end > s.limit {
			end, s.ended = len(s.rest), true // the codec says that it is too long
			err = io.EOF
		}
		if err == io.EOF {
			return s.rest, io.EOF
		}
		if end > 0 || err != nil {
			s.taken = end
			return s.rest[:end], err
		}
	}
	return nil, io.EOF
}

// end returns the end of the last whole record that was read.
func (s *lineSource) end() int {
	if !s.quoted {
		return bytes.LastIndexByte(s.rest, '\n') + 1
	}
	end := 0
	for end < len(s.rest) {
		n, whole := s.record(s.rest[end:])
		if !whole {
			break
		}
		end += n
	}
	return end
}

// record returns the length of the first record of text, and whether a line end
// ends it.
func (s *lineSource) record(text []byte) (int, bool) {
	n := 0
	for quotes := 0; n < len(text); {
		end := bytes.IndexByte(text[n:], '\n')
		if end < 0 {
			return len(text), false
		}
		if s.quoted {
			quotes += bytes.Count(text[n:n+end], []byte{'"'})
		}
		n += end + 1
		if quotes%2 == 0 {
			return n, true
		}
	}
	return n, false
}

// batch hands out the records of a batch. It returns false if that was the end.
func (s *lineSource) batch(batch []byte, yield func(wire.Value, error) bool) bool {
	for len(batch) > 0 {
		text := batch
		if s.quoted && s.header != nil {
			text = slices.Concat(s.header, batch)
		} else if s.quoted {
			n, _ := s.record(batch)
			s.header = bytes.Clone(batch[:n])
		}
		var bad error
		for v, err := range s.codec.Records(bytes.NewReader(text)) {
			if err != nil {
				bad = err
				break
			}
			if !yield(v, nil) {
				return false
			}
		}
		if bad == nil {
			s.at.pass(batch)
			return true
		}
		before := len(text) - len(batch) // the header, if it is not of this batch
		var e *wire.Error
		if !errors.As(bad, &e) || e.Line == 0 {
			yield(wire.Value{}, bad)
			return false
		}
		from, to := s.locate(text, before, e)
		place := mark{s.at.offset - before, s.at.lines - bytes.Count(text[:before], []byte{'\n'})}
		if !s.bad(text, from, to, place, e, yield) {
			return false
		}
		s.at.pass(text[before:to])
		batch = text[to:]
	}
	return true
}

// locate returns the record behind before that e is about. Where quotation marks
// are at fault, which would make one record of many lines, it ends with the line
// at fault, or with its first line if a cell does not end.
func (s *lineSource) locate(text []byte, before int, e *wire.Error) (from, to int) {
	line := bytes.Count(text[:before], []byte{'\n'}) // of the record's beginning, from 0
	for to = before; to < len(text); {
		from = to
		n, _ := s.record(text[from:])
		to += n
		lines := bytes.Count(text[from:to], []byte{'\n'})
		if line+lines >= e.Line || to == len(text) {
			break
		}
		line += lines
	}
	switch e.Code {
	case "bare_quote", "misplaced_character":
		return from, from + linesLen(text[from:to], e.Line-line)
	case "unterminated_cell":
		return from, from + linesLen(text[from:to], 1)
	}
	return from, to
}

// linesLen returns the length of the first n lines of text.
func linesLen(text []byte, n int) int {
	at := 0
	for range n {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		at += end + 1
	}
	return at
}

// bad deals with the record text[from:to], which the codec refused with e. It
// returns false if that was the end.
func (s *lineSource) bad(text []byte, from, to int, place mark, e *wire.Error, yield func(wire.Value, error) bool) bool {
	if _, lines := s.codec.(wire.JSONLines); lines && to-from <= s.limit {
		more, err := s.values(bytes.TrimRight(text[from:to], "\r\n"), yield)
		if err == nil {
			return more
		}
		if errors.As(err, &e) {
			e = renamed(e.Moved(from, bytes.Count(text[:from], []byte{'\n'})))
		}
	}
	e = e.Moved(place.offset, place.lines)
	if s.quoted {
		// The path counts the rows of the batch, and the line says enough.
		e = &wire.Error{Format: e.Format, Code: e.Code, Kind: e.Kind, Message: e.Message, Hint: e.Hint,
			Offset: e.Offset, Line: e.Line, Column: e.Column}
	}
	inHeader := s.quoted && from == 0
	if s.skip == nil || inHeader || e.Code == "line_too_long" {
		yield(wire.Value{}, e)
		return false
	}
	s.skip(e)
	return true
}

// renamed returns an error of JSON as one of JSON Lines.
func renamed(e *wire.Error) *wire.Error {
	e.Format = "jsonl"
	return e
}

// values hands out the JSON values that stand one after the other on a line. It
// returns false if nobody wants more, and the error of the first bad one, whose
// position is that in the line.
func (s *lineSource) values(line []byte, yield func(wire.Value, error) bool) (bool, error) {
	for at := 0; ; {
		at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t\r\n"))
		if at == len(line) {
			return true, nil
		}
		end := at + valueLen(line[at:])
		v, err := s.decoder.Decode(line[at:end])
		if err != nil {
			// Read again with what is before it blank, for the column's sake.
			padded := strings.Repeat(" ", utf8.RuneCount(line[:at])) + string(line[at:])
			if _, again := s.decoder.Decode([]byte(padded)); again != nil {
				err = again
			}
			return true, err
		}
		if !yield(v, nil) {
			return false, nil
		}
		at = end
	}
}

// valueLen returns the length of the JSON value that text begins with: to the
// bracket that closes it, or to what cannot be part of a scalar.
func valueLen(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
			if quoted && depth == 0 && i > 0 {
				return i
			}
		case quoted:
		case b == '{' || b == '[':
			if depth == 0 && i > 0 {
				return i
			}
			depth++
		case b == '}' || b == ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		case depth == 0 && (b == ' ' || b == '\t' || b == '\r' || b == '\n'):
			return i
		}
	}
	return len(text)
}

// skipped reports the records that --skip-bad passes over: the first few, and
// at the end how many there were.
type skipped struct {
	c     *console
	n     int
	quiet bool
}

const reportedSkips = 5

func (s *skipped) record(err error) {
	if s.n++; s.n <= reportedSkips && !s.quiet {
		s.c.note("passed over: %v", err)
	}
}

func (s *skipped) total() {
	if s.n > 0 {
		s.c.note("%s passed over", plural(s.n, "bad record"))
	}
}

// plural counts things.
func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
