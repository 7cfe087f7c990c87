package mcpproxy

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/base/lineio"
)

// events reads an event stream (HTML standard, section 9.2) and changes the
// data of its events. An event in which nothing is to be changed passes byte
// for byte, as do comments and fields of other names. An event comes out as
// soon as its blank line is there.
type events struct {
	*scanner
	io.Closer
	f   func(message []byte) []byte
	out []byte // ready to be read
	err error
}

func newEvents(src io.ReadCloser, most int, f func([]byte) []byte) *events {
	return &events{scanner: newScanner(src, most, true), Closer: src, f: f}
}

func (e *events) Read(p []byte) (int, error) {
	for len(e.out) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		var whole bool
		if e.out, whole, e.err = e.next(); whole && e.err == nil {
			e.out = e.changed(e.out)
		}
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	return n, nil
}

// An event is what its lines say.
type event struct {
	data  []byte
	end   []byte // of a line of data
	n     int    // how many lines of data there are
	other bool   // it is of another name than message
	// What a stream says of how it goes on: the last event's id, and how long to wait.
	id    string
	retry time.Duration
}

// field returns the name and the value of a line, and its end.
func field(line []byte) (name string, value, end []byte) {
	text := bytes.TrimRight(line, "\r\n")
	before, value, _ := bytes.Cut(text, []byte(":"))
	return string(before), bytes.TrimPrefix(value, []byte(" ")), line[len(text):]
}

// eventLines are the lines of an event, with their ends.
func eventLines(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := cmp.Or(lineEnd(text), len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// lineEnd returns where the first line of text ends: after CR, LF or both. It is 0 if that
// is not in text.
func lineEnd(text []byte) int {
	n := bytes.IndexAny(text, "\r\n") + 1
	if 0 < n && n < len(text) && text[n-1] == '\r' && text[n] == '\n' {
		n++
	}
	return n
}

// read takes note of the lines of an event.
func (e *event) read(text []byte) {
	for line := range eventLines(text) {
		switch name, value, end := field(line); name {
		case "data":
			e.end = end
			if e.n++; e.n > 1 {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
		case "event":
			e.other = string(value) != "message" && len(value) > 0
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				e.id = string(value)
			}
		case "retry":
			if n, err := strconv.Atoi(string(value)); err == nil && n >= 0 {
				e.retry = min(time.Duration(n)*time.Millisecond, retryMost)
			}
		}
	}
}

// isMessage reports whether the event has a message.
func (e *event) isMessage() bool { return e.n > 0 && !e.other }

// changed returns an event with its data changed. Its lines then all end as those of its
// data, since a line end of two bytes could become of those of two lines.
func (e *events) changed(text []byte) []byte {
	var was event
	was.read(text)
	if !was.isMessage() {
		return text
	}
	data := e.f(was.data)
	if bytes.Equal(data, was.data) {
		return text
	}
	var out []byte
	written := false
	for line := range eventLines(text) {
		switch name, _, end := field(line); {
		case name != "data":
			out = append(append(out, line[:len(line)-len(end)]...), was.end...)
		case !written:
			written = true
			for part := range bytes.SplitSeq(data, []byte("\n")) {
				out = append(append(append(out, "data: "...), part...), was.end...)
			}
		}
	}
	return out
}

// DefaultMaxLine is the longest message of standard input and output that is
// looked at. Longer ones are forwarded in pieces, as they are.
const DefaultMaxLine = 64 << 20

// keptBuffer is the size above which a unit's buffer is not kept for the next.
const keptBuffer = 1 << 20

// A scanner reads a stream in units of whole lines: a message is a line, and an event
// ends with a blank one.
type scanner struct {
	in         *bufio.Reader
	most       int  // the longest unit that is returned whole
	events     bool // units are events, whose lines end with CR, LF or both
	noComments bool // lines that begin with a colon are left out
	unit       []byte
	passes     bool // the current unit is too long
	inLine     bool // what was read last ends within a line
	begun      bool // something was read
	afterCR    bool // what was read last ends with CR: LF would be the same line end
}

func newScanner(src io.Reader, most int, events bool) *scanner {
	return &scanner{in: bufio.NewReaderSize(src, 64<<10), most: most, events: events}
}

// next returns the next unit, or a piece of one that is too long. It is valid until the
// next call. With an error comes what there was before it, which lacks its end.
func (s *scanner) next() (text []byte, whole bool, err error) {
	if cap(s.unit) > keptBuffer {
		s.unit = nil
	}
	s.unit = s.unit[:0]
	goesOn := s.inLine // a line of which a piece was returned, and which is not blank
	for start := 0; ; {
		if s.afterCR && s.takeLF() {
			start = len(s.unit)
		}
		part, ended, err := s.part()
		s.unit = append(s.unit, part...)
		s.inLine = err == nil && !ended
		line := s.unit[start:]
		comment := s.noComments && len(line) > 0 && line[0] == ':'
		if comment && s.inLine {
			s.unit = s.unit[:start+1] // the colon, by which the rest is a comment, too
		} else if comment {
			s.unit = s.unit[:start]
		}
		s.passes = s.passes || len(s.unit) > s.most
		isLast := err != nil || ended && !comment && (!s.events || !goesOn && len(bytes.TrimRight(line, "\r\n")) == 0)
		if isLast || s.passes {
			whole = !s.passes
			s.passes = !isLast
			return s.unit, whole, err
		}
		if ended {
			start = len(s.unit)
		}
	}
}

// takeLF takes the other half of a line end, if it is one.
func (s *scanner) takeLF() bool {
	s.afterCR = false
	next, _ := s.in.Peek(1)
	if len(next) == 0 || next[0] != '\n' {
		return false
	}
	s.unit = append(s.unit, next...)
	_, _ = s.in.Discard(1)
	return true
}

// part takes what has come of a line and reports whether that has its end. It waits only
// where nothing has come.
func (s *scanner) part() (part []byte, ended bool, err error) {
	if s.events && !s.begun {
		lineio.SkipMark(s.in)
	}
	s.begun = true
	if _, err = s.in.Peek(1); err != nil {
		return nil, false, err
	}
	part, _ = s.in.Peek(s.in.Buffered())
	n := bytes.IndexByte(part, '\n') + 1
	if s.events {
		n = lineEnd(part)
	}
	if n > 0 {
		part = part[:n]
	}
	s.afterCR = s.events && bytes.HasSuffix(part, []byte("\r"))
	_, err = s.in.Discard(len(part))
	return part, n > 0, err
}

// copyLines copies src to dst. Each line of at most max bytes is written at
// once as what f makes of it, its end included; a last line without an end is
// one too. The error is nil at the end of src.
func copyLines(dst io.Writer, src io.Reader, max int, f func(line []byte) []byte) error {
	lines := newScanner(src, max, false)
	for {
		line, whole, err := lines.next()
		var failed error
		if n := len(line); n > 0 && whole {
			_, failed = dst.Write(f(line))
		} else if n > 0 { // not at once, by which a child knows a line
			if _, failed = dst.Write(line[:n-1]); failed == nil {
				_, failed = dst.Write(line[n-1:])
			}
		}
		if failed != nil || errors.Is(err, io.EOF) {
			return failed
		}
		if err != nil {
			return err
		}
	}
}
